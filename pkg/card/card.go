// Package card turns a request and a page into a picture. It keeps nothing: it knows no database, no project and no
// HTTP. Package images keeps what it draws; the command line writes it to a file.
//
// In the order in which a picture is made:
//
//   - card.go: the types of a request and of what is taken from a page
//   - normalize.go, key.go: one spelling for requests that mean the same, and the key of their picture
//   - read.go: what to read of a page, and which faults leave no picture
//   - compose.go, iconset.go, prompt.go: what is drawn, for cards, icon sets and AI backgrounds
//   - address.go: the picture of a page that cannot be read
//   - head.go: the elements for the page's head
package card

import (
	"strings"

	"masthead/pkg/weburl"
	"masthead/render"
)

// Kind is what a picture is for.
type Kind string

// The kinds.
const (
	OG       Kind = "og"
	BlogHero Kind = "blog_hero"
	IconSet  Kind = "icon_set"
)

// Style is how a picture is drawn, with the defaults filled in.
type Style struct {
	// Accent is "#rrggbb", or "" for the page's own colour.
	Accent string `json:"accent,omitempty"`
	Dark   bool   `json:"dark"`
	Font   string `json:"font"`
	Logo   *Logo  `json:"logo,omitempty"`
	// AspectRatio is "16:9" or "16:10" for a hero and "" for other kinds.
	AspectRatio string `json:"aspectRatio,omitempty"`
}

// Logo is a picture in a corner of the card.
type Logo struct {
	URL      string `json:"url"`
	Position string `json:"position"`
}

// PageData is what was taken from the page, or from the request where it says otherwise. Empty texts are unknown. They
// are the page's own words; the card, and Alt with it, says them as it draws them: the title without the name of the
// site at its end, in the typography of the language.
type PageData struct {
	Title       string  `json:"title,omitempty"`
	Description string  `json:"description,omitempty"`
	SiteName    string  `json:"siteName,omitempty"`
	Favicon     string  `json:"favicon,omitempty"`
	Type        string  `json:"type,omitempty"`   // of the Open Graph protocol, such as "article"
	Locale      string  `json:"locale,omitempty"` // with its territory, such as "de_AT"
	Palette     Palette `json:"palette"`
}

// Palette is the colours that were used, each "#RRGGBB".
type Palette struct {
	Accent       string `json:"accent"`
	AccentSource string `json:"accentSource"`
	Companion    string `json:"companion"`
	Background   string `json:"background"`
}

// AltText is the sentence that stands for the picture where it cannot be seen.
func AltText(title, siteName, host string) string {
	site := siteName
	if site == "" {
		site = host
	}
	switch {
	case title == "":
		return site
	case site == "" || strings.EqualFold(title, site):
		return title
	}
	return title + " — " + site
}

// Host is the host of an address without www.; a card shortens it further, by rules of its own.
func Host(u weburl.URL) string { return strings.TrimPrefix(u.Hostname(), "www.") }

// Own is what a caller at hand, such as the command line, decides besides what the key is made of: the form of the
// picture, and files in place of the addresses of a logo and an icon. A logo still takes its position from the request.
// The service leaves it empty.
type Own struct {
	Format     render.Format
	Logo, Icon []byte
	// Lang is the language of the page, where the caller knows it better than the page says; or "".
	Lang string
	// NoPage says that there is no page to read, since the request has a title.
	NoPage bool
}
