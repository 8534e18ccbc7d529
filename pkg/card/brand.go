package card

import (
	"cmp"
	"slices"
)

// Brand is what requests of a project get that name none. The zero value adds nothing.
type Brand struct {
	Template string // see [Request.Template]
	Accent   string // "#rrggbb"
	Logo     *Logo
	Fonts    *Fonts
}

// Fonts are fonts that a project uploaded.
type Fonts struct {
	// Heading and Text are the families of titles and of other texts: those of Files, or values of style.font. Designs of
	// users name families themselves.
	Heading string     `json:"heading,omitempty"`
	Text    string     `json:"text,omitempty"`
	Files   []FontFile `json:"files,omitempty"`
}

// FontFile is the file of a font.
type FontFile struct {
	Digest    string `json:"digest"`
	Name      string `json:"name"`
	Family    string `json:"family"`
	MinWeight int    `json:"minWeight"`
	MaxWeight int    `json:"maxWeight"`
	Italic    bool   `json:"italic,omitempty"`
}

// Open says what a request names none of, as bits that are stored.
type Open int64

// The parts that a request may leave open. A project's brand fills those of [OpenBrand], if it can; the sizes are those
// that a design lists, if any.
const (
	OpenTemplate Open = 1 << iota
	OpenAccent
	OpenLogo
	OpenFont
	OpenSizes

	OpenBrand = OpenTemplate | OpenAccent | OpenLogo | OpenFont
)

// open returns what a request leaves to the brand.
func (r Request) open() (o Open) {
	if r.Template == "" {
		o |= OpenTemplate
	}
	if r.Style.Accent == "" {
		o |= OpenAccent
	}
	if r.Style.Logo == nil && r.Own.Logo == nil {
		o |= OpenLogo
	}
	if r.Style.Font == "" {
		o |= OpenFont
	}
	return o
}

// Without returns the request without the parts of o that a brand fills.
func (r Request) Without(o Open) Request {
	if o&OpenTemplate != 0 {
		r.Template = ""
	}
	if o&OpenAccent != 0 {
		r.Style.Accent = ""
	}
	if o&OpenLogo != 0 {
		r.Style.Logo = nil
	}
	if o&OpenFont != 0 {
		r.Style.Font, r.Style.Fonts = "", nil
	}
	return r
}

// WithBrand returns the request with what a project's brand adds, as if the request had named it. A template applies to
// the kinds and sizes that it draws. What the request left open is in its field Open from then on.
func (r Request) WithBrand(b Brand) Request {
	kind := cmp.Or(r.Kind, OG)
	if kind == IconSet {
		return r
	}
	r.Open = r.open()
	sized := r
	sized.Kind = kind
	if r.Template == "" && (b.Template == AutoTemplate || sized.drawsSizes(b.Template)) {
		r.Template = b.Template
	}
	if r.Style.Accent == "" {
		r.Style.Accent = b.Accent
	}
	if r.Style.Logo == nil && r.Own.Logo == nil && b.Logo != nil {
		logo := *b.Logo
		r.Style.Logo = &logo
	}
	if r.Style.Font == "" && b.Fonts != nil {
		fonts := *b.Fonts
		fonts.Files = slices.Clone(fonts.Files)
		r.Style.Fonts = &fonts
	}
	return r
}

// font returns the value of style.font that a card is drawn in, or "" for the fonts of the project's brand.
func (r Request) font() string {
	if r.Own.Fonts != nil && r.Design == nil {
		return ""
	}
	return r.Style.Font
}
