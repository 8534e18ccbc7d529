// Package card turns a request and a page into a picture. It keeps nothing: it knows no database, no project and no
// HTTP. Package images keeps what it draws; the command line writes it to a file.
//
// [Maker.Make] does it all at once. Who has something to do in between, as the service has, takes the steps:
//
//   - card.go: the types of a request and of what is taken from a page
//   - normalize.go, key.go: [Request.Normalize] gives equal requests one spelling, [Request.Key] the key of their
//     picture
//   - read.go: [Maker.Read], what to read of a page and which faults leave no picture
//   - compose.go, iconset.go, prompt.go: [Request.Compose], what is drawn, and [Composition.Prompt], for a background
//   - draw.go: [Maker.Draw], what was drawn, with the files' names and the warnings
//   - address.go: [Maker.DrawAddress], the picture of a page that cannot be read
//   - head.go: the elements for the page's head
//   - maker.go: the time and the workers that reading and drawing get
package card

import (
	"image/color"
	"strings"
	"time"

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

// Request asks for a picture.
type Request struct {
	URL      string
	Kind     Kind
	Template string
	Style    Style
	// AI is nil when none is asked for.
	AI      *AI
	Content Content
	// Version is one that the page's owner gives the picture: v of GET /og.
	Version string
	// Own is no part of the key.
	Own Own

	// parsed is what the texts of the request mean, once it was normalized. The texts themselves stay, in their one
	// spelling, for the key and the record.
	parsed parsedRequest
}

// Own is what decides about a picture besides the key, so the service sets none of it but Owner and Fresh, which change
// nothing in the picture of the same page.
type Own struct {
	// Owner is the account whose turn the requests to the page take, and Fresh says to read everything again, the icon
	// too, which else may have been read for another picture.
	Owner string
	Fresh bool
	// Format is the form of the picture.
	Format render.Format
	// Logo and Icon are files in place of the addresses of a logo and an icon. A logo still takes its position from the
	// request.
	Logo, Icon []byte
	// Lang is the language of the page, where the caller knows it better than the page says; or "".
	Lang string
	// NoPage says that there is no page to read, since the request has a title.
	NoPage bool
}

// parsedRequest has the values that a request writes as texts; the zero value of one stands for none. Template, kind,
// font and corner are checked here and are texts for pkg render too.
type parsedRequest struct {
	page, logo, favicon weburl.URL
	date                time.Time
	accent              color.NRGBA // opaque
}

// Page is the address of the page, and LogoURL that of the logo, of a request that was normalized; zero for none.
func (r Request) Page() weburl.URL { return r.parsed.page }

// LogoURL is described at [Request.Page].
func (r Request) LogoURL() weburl.URL { return r.parsed.logo }

// AI asks for a picture of a model behind the text.
type AI struct {
	Model    string `json:"model"`
	Prompt   string `json:"prompt,omitempty"`
	Override bool   `json:"override,omitempty"`
}

// Content replaces what the page says; empty fields do not.
type Content struct {
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	SiteName    string `json:"siteName,omitempty"`
	Eyebrow     string `json:"eyebrow,omitempty"`
	Author      string `json:"author,omitempty"`
	Date        string `json:"date,omitempty"`
	Favicon     string `json:"favicon,omitempty"`
}

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

// Host is the host of an address without www.; a card shortens it further, by rules of its own.
func Host(u weburl.URL) string { return strings.TrimPrefix(u.Hostname(), "www.") }
