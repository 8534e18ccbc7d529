// Package card turns a request and a page into a picture. It stores nothing and knows no database, project or HTTP.
// Package images stores the pictures; the command line writes them to files.
//
// [Maker.Make] does everything at once. Callers that do something in between, such as the service, use the steps:
//
//   - card.go: the types of a request and of the data from a page
//   - normalize.go, sizes.go, key.go: [Request.Normalize] gives equal requests the same spelling, [Request.Key] is
//     their picture's key
//   - read.go: [Maker.Read], what to read of a page and which faults prevent a picture
//   - auto.go: the table that chooses a design for a page
//   - compose.go, iconset.go, prompt.go: [Request.Compose], what is drawn, and [Composition.Prompt], for a background
//   - design.go: designs of the user's own
//   - draw.go: [Maker.Draw], the files of the drawing with their names and warnings
//   - address.go: [Maker.DrawAddress], the picture of a page that can't be read
//   - head.go: the elements for the page's head
//   - kept.go: pages that are used again for half a minute
//   - maker.go: time limits and workers for reading and drawing
package card

import (
	"cmp"
	"context"
	"encoding/json"
	"image"
	"image/color"
	"strings"
	"time"

	"masthead/pkg/weburl"
	"masthead/render"
	"masthead/render/text"
)

// Kind is the purpose of a picture.
type Kind string

// The kinds.
const (
	OG       Kind = "og"
	BlogHero Kind = "blog_hero"
	IconSet  Kind = "icon_set"
	Custom   Kind = "custom"
)

// Request is a request for a picture.
type Request struct {
	URL  string
	Kind Kind
	// Template is the slug of a design, or [AutoTemplate].
	Template string
	// Design is the project's own design that Template names; nil for one of ours.
	Design *Design
	// Size is that of the kind Custom in pixels; zero for the others. Sizes are those of further files of the kinds OG and
	// Custom. Without both, they are those that the project's own design lists.
	Size  image.Point
	Sizes []image.Point
	// Data is for the project's own design: an object in JSON.
	Data  json.RawMessage
	Style Style
	// AI is nil if no AI picture is requested.
	AI      *AI
	Content Content
	// Version is the version that the page's owner gives the picture: v of GET /og.
	Version string
	// Open is what the request named none of; it isn't part of the key. See [Request.WithBrand].
	Open Open
	// Own isn't part of the key.
	Own Own

	// parsed has the parsed texts of a normalized request. The normalized texts themselves are for the key and the record.
	parsed parsedRequest
}

// Own affects a picture without being part of its key. So the service sets only Owner and Fresh, which don't change the
// picture of an unchanged page.
type Own struct {
	// Owner is the account that the requests to the page count for. Fresh reads everything again, including the icon,
	// which otherwise may have been read for another picture.
	Owner string
	Fresh bool
	// Format is the file format of the picture.
	Format render.Format
	// Fonts are those of Style.Fonts, ready for drawing.
	Fonts *text.Fonts
	// Logo and Icon are files that replace the addresses of a logo and an icon. The request still sets the position of the
	// logo.
	Logo, Icon []byte
	// Lang is the language of the page if the caller knows it better than the page, or "".
	Lang string
	// PhotoTime is how long the page's own picture is waited for; 0 means as long as for the page. A card without it for
	// that reason lacks [LacksPhoto].
	PhotoTime time.Duration
	// Asset returns the file of an asset, by its address or name as a design has it; nil if it is none. SVG draws inline
	// drawings of a design; nil leaves those out that need it.
	Asset func(ctx context.Context, address string) ([]byte, error)
	SVG   func(ctx context.Context, document string, w, h int) (*image.NRGBA, error)
	// NoPage means that there is no page to read, since the request has a title.
	NoPage bool
}

// parsedRequest has the parsed values of a request's texts, with zero values for missing ones. Template, kind, font and
// corner are only validated here; pkg render takes them as texts, too.
type parsedRequest struct {
	page, logo, favicon weburl.URL
	date                time.Time
	accent              color.NRGBA // opaque
	data                map[string]any
	// size is that of the picture, further are those of the other files.
	size    image.Point
	further []image.Point
}

// Page is the address of the page, and LogoURL that of the logo, of a normalized request, or zero.
func (r Request) Page() weburl.URL { return r.parsed.page }

// LogoURL is described at [Request.Page].
func (r Request) LogoURL() weburl.URL { return r.parsed.logo }

// AI requests a background picture from a model.
type AI struct {
	Model    string `json:"model"`
	Prompt   string `json:"prompt,omitempty"`
	Override bool   `json:"override,omitempty"`
	// From is the ID of an image whose background is used again; then the other fields are empty.
	From string `json:"from,omitempty"`
}

// Content replaces texts of the page where its fields aren't empty.
type Content struct {
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	SiteName    string `json:"siteName,omitempty"`
	Eyebrow     string `json:"eyebrow,omitempty"`
	Author      string `json:"author,omitempty"`
	Date        string `json:"date,omitempty"`
	Favicon     string `json:"favicon,omitempty"`
	Quote       Quote  `json:"quote,omitzero"`
}

// Quote is a quotation and who said it, or "" if nobody is named.
type Quote struct {
	Text    string `json:"text,omitempty"`
	Speaker string `json:"speaker,omitempty"`
}

// Style is how a picture is drawn, with the defaults filled in.
type Style struct {
	// Accent is "#rrggbb", or "" for the page's own color.
	Accent string `json:"accent,omitempty"`
	Dark   bool   `json:"dark"`
	Font   string `json:"font"`
	Logo   *Logo  `json:"logo,omitempty"`
	// Fonts are those that the project adds, or nil: to its own design those that it names, to others those of its brand,
	// if the request named no font.
	Fonts *Fonts `json:"fonts,omitempty"`
	// AspectRatio is "16:9" or "16:10" for a hero and "" for other kinds.
	AspectRatio string `json:"aspectRatio,omitempty"`
}

// Logo is a picture in a corner of the card.
type Logo struct {
	URL      string `json:"url"`
	Position string `json:"position"`
}

// PageData is the data from the page, or from the request where it overrides the page. Unknown texts are empty. The
// texts are the page's own; the card, and Alt, adapt them: the title without the site's name at its end, in the
// typography of the language.
type PageData struct {
	Title       string  `json:"title,omitempty"`
	Description string  `json:"description,omitempty"`
	SiteName    string  `json:"siteName,omitempty"`
	Favicon     string  `json:"favicon,omitempty"`
	Type        string  `json:"type,omitempty"`   // an Open Graph type, such as "article"
	Locale      string  `json:"locale,omitempty"` // including the territory, such as "de_AT"
	Palette     Palette `json:"palette"`
	// FaviconSVG is the mark of an icon set as an SVG, of at most 16 KiB, or "".
	FaviconSVG string `json:"faviconSvg,omitempty"`
	// Template is the design that was drawn for [AutoTemplate], and TemplateReason why; otherwise both are "".
	Template       string `json:"template,omitempty"`
	TemplateReason string `json:"templateReason,omitempty"`
}

// Palette has the colors used, each as "#RRGGBB".
type Palette struct {
	Accent       string `json:"accent"`
	AccentSource string `json:"accentSource"`
	Secondary    string `json:"secondary"`
	Background   string `json:"background"`
	// DarkTheme is the theme color that the page has for dark screens, or "".
	DarkTheme string `json:"darkTheme,omitempty"`
}

// UnmarshalJSON also reads palettes stored by earlier versions, which call the secondary color "companion".
func (p *Palette) UnmarshalJSON(data []byte) error {
	type fields Palette
	stored := struct {
		*fields
		Companion string `json:"companion"`
	}{fields: (*fields)(p)}
	if err := json.Unmarshal(data, &stored); err != nil {
		return err
	}
	p.Secondary = cmp.Or(p.Secondary, stored.Companion)
	return nil
}

// Host is the host of an address without www.; cards shorten it further.
func Host(u weburl.URL) string { return strings.TrimPrefix(u.Hostname(), "www.") }
