package tickets

import (
	"cmp"
	"image"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"masthead/pkg/apperr"
	"masthead/pkg/card"
	"masthead/pkg/cleantext"
	"masthead/pkg/weburl"
	"masthead/render"
	"masthead/render/design"
	"masthead/render/palette"
)

// Choices are what a visitor chooses for the pictures of a page. In addresses they have the names of GET /og, and its
// defaults are left out. The zero value of each field means its default.
type Choices struct {
	Kind     card.Kind
	Template string // of the selected design; by default the one that suits the page
	Accent   string // "#rrggbb", or "" for the page's own
	Light    bool
	Font     string
	// AspectRatio is that of a hero.
	AspectRatio string
	// LogoPosition is the corner of the logo, or "" for none.
	LogoPosition string
	// Logo is the key of the logo that the visitor uploaded, or "" for the site's.
	Logo string
	// Content replaces texts of the page.
	Content card.Content
	// Sizes are those in which a share image is wanted besides its own; only in the address of the page.
	Sizes []image.Point
	// Size is that of a proof in another size, of those that its design has; only in the address of the proof.
	Size image.Point
}

// Names of the parameters.
const (
	kindName, templateName, accentName, darkName  = "kind", "template", "accent", "dark"
	fontName, ratioName, positionName             = "font", "aspectRatio", "logoPosition"
	titleName, descriptionName, siteName          = "title", "description", "siteName"
	logoParam, sizesName, sizeName                = "logo", "sizes", "size"
	eyebrowName, authorName, dateName             = "eyebrow", "author", "date"
	ownAccentName                                 = "own" // in the form: the field for another accent
	positionNone                                  = "none"
	maxTitle, maxDescription, maxSite, maxOtherIn = 200, 300, 80, 80
)

// Kinds are the kinds of pictures in the playground.
var Kinds = []card.Kind{card.OG, card.BlogHero, card.IconSet}

// Ratios are the aspect ratios of a hero, the default first.
var Ratios = []string{render.DefaultAspectRatio, "16:10"}

// Positions are the corners for a logo, the default first.
var Positions = []string{"top-left", "top-right", "bottom-left", "bottom-right"}

// ParseChoices reads the choices in a query. Invalid ones are replaced by their defaults, and reported together as
// BAD_REQUEST, with their names as pointers.
func ParseChoices(q url.Values) (c Choices, err error) {
	var faults []apperr.Field
	fault := func(name, detail string) { faults = append(faults, apperr.Field{Pointer: "/" + name, Detail: detail}) }
	oneOf := func(name string, all []string) string {
		if value := q.Get(name); value == "" || slices.Contains(all, value) {
			return value
		}
		fault(name, name+" must be one of: "+strings.Join(all, ", ")+".")
		return ""
	}
	var kinds []string
	for _, k := range Kinds {
		kinds = append(kinds, string(k))
	}
	c.Kind = card.Kind(cmp.Or(oneOf(kindName, kinds), string(card.OG)))
	if c.Template = q.Get(templateName); c.Template != "" {
		if _, ok := render.Lookup(c.Template, render.Kind(c.Kind)); !ok {
			if c.Kind == card.OG {
				fault(templateName, "There is no such design for this kind of picture.")
			}
			c.Template = "" // another kind has other designs
		}
	}
	accent := cmp.Or(strings.TrimSpace(q.Get(ownAccentName)), strings.TrimSpace(q.Get(accentName)))
	if accent != "" {
		if color, err := palette.ParseHex("#" + strings.TrimPrefix(accent, "#")); err != nil {
			fault(accentName, "Enter six hexadecimal digits, such as 0F766E.")
		} else {
			c.Accent = strings.ToLower(palette.Hex(color))
		}
	}
	c.Light = oneOf(darkName, []string{"true", "false"}) == "false"
	c.Font = oneOf(fontName, render.Fonts())
	c.AspectRatio = oneOf(ratioName, Ratios)
	if c.LogoPosition = oneOf(positionName, append([]string{positionNone}, Positions...)); c.LogoPosition == positionNone {
		c.LogoPosition = ""
	}
	if key := q.Get(logoParam); keyForm.MatchString(key) {
		c.Logo = key
	}
	text := func(name string, most int) string { return cleantext.Clean(q.Get(name), most) }
	c.Content = card.Content{
		Title: text(titleName, maxTitle), Description: text(descriptionName, maxDescription),
		SiteName: text(siteName, maxSite), Eyebrow: text(eyebrowName, maxOtherIn), Author: text(authorName, maxOtherIn),
	}
	if day := strings.TrimSpace(q.Get(dateName)); day != "" {
		if _, err := cleantext.Date(day); err != nil {
			fault(dateName, "Enter "+cleantext.DateForms+".")
		} else {
			c.Content.Date = day
		}
	}
	if c.Kind == card.OG {
		sizes, known := parseSizes(q[sizesName])
		if c.Sizes = sizes; !known {
			fault(sizesName, "There is no such size.")
		}
	}
	if len(faults) > 0 {
		return c, apperr.InvalidFields(faults)
	}
	return c, nil
}

// parseSizes reads sizes, each once: the values of a form, or a list with commas. known is false if no design
// has one of them.
func parseSizes(values []string) (sizes []image.Point, known bool) {
	for name := range strings.SplitSeq(strings.Join(values, ","), ",") {
		size, ok := design.ParseSize(name)
		switch {
		case name == "" || ok && slices.Contains(sizes, size):
		case !ok || !slices.Contains(Sizes(), size):
			return sizes, false
		default:
			sizes = append(sizes, size)
		}
	}
	return sizes, true
}

// Sizes are the sizes in pixels that designs have besides those of their kinds: squares and portraits first.
var Sizes = sync.OnceValue(func() (all []image.Point) {
	for _, t := range render.Templates() {
		for _, size := range t.Sizes {
			if !slices.Contains(all, size) {
				all = append(all, size)
			}
		}
	}
	slices.SortFunc(all, func(a, b image.Point) int { return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y)) })
	return all
})

// ParseSize returns the choices for a proof of a design in another size, such as 1080x1080, if the design has it.
func (c Choices) ParseSize(template, name string) (Choices, error) {
	if name == "" {
		return c, nil
	}
	of, _ := render.Lookup(template, "")
	size, ok := design.ParseSize(name)
	if !ok || c.Kind != card.OG || !slices.Contains(of.Sizes, size) {
		return c, apperr.Invalid("/"+sizeName, "The design has no such size.")
	}
	c.Size = size
	return c, nil
}

// Query is the canonical form of the choices, without the selected design: that of all proofs of a page.
func (c Choices) Query() url.Values {
	q := url.Values{}
	set := func(name, value, usual string) {
		if value != "" && value != usual {
			q.Set(name, value)
		}
	}
	set(kindName, string(c.Kind), string(card.OG))
	if c.Kind == card.IconSet {
		return q
	}
	set(accentName, strings.TrimPrefix(c.Accent, "#"), "")
	if c.Light {
		q.Set(darkName, strconv.FormatBool(false))
	}
	set(fontName, c.Font, render.DefaultFont)
	if c.Kind == card.BlogHero {
		set(ratioName, c.AspectRatio, render.DefaultAspectRatio)
	}
	set(positionName, c.LogoPosition, "")
	set(logoParam, c.Logo, "")
	if c.Size != (image.Point{}) {
		q.Set(sizeName, card.SizeName(c.Size))
	}
	set(titleName, c.Content.Title, "")
	set(descriptionName, c.Content.Description, "")
	set(siteName, c.Content.SiteName, "")
	set(eyebrowName, c.Content.Eyebrow, "")
	set(authorName, c.Content.Author, "")
	set(dateName, c.Content.Date, "")
	return q
}

// PageQuery is Query with the selected design.
func (c Choices) PageQuery() url.Values {
	q := c.Query()
	if c.Template != "" && c.Kind != card.IconSet {
		q.Set(templateName, c.Template)
	}
	if len(c.Sizes) > 0 {
		var names []string
		for _, size := range c.Sizes {
			names = append(names, card.SizeName(size))
		}
		q.Set(sizesName, strings.Join(names, ","))
	}
	return q
}

// Request returns the request for the chosen image of the ticket's page, as one would send it to the API. Its logo is
// the one at the address uploaded, if the visitor has one, otherwise the one that the page names, or the site's icon.
// Without an address there is none.
func (t *Ticket) Request(c Choices, uploaded string) (card.Request, error) {
	logo := cmp.Or(t.Facts.Logo, t.Facts.Favicon)
	if t.uploaded(c) {
		logo = uploaded
	}
	if _, err := weburl.Parse(logo); err != nil {
		c.LogoPosition = ""
	}
	r, err := c.request(t, c.Template)
	if err != nil {
		return r, err
	}
	of, _ := render.Lookup(r.Template, "")
	for _, size := range c.Sizes {
		if slices.Contains(of.Sizes, size) { // another design may have it
			r.Sizes = append(r.Sizes, size)
		}
	}
	if r.Style.Logo != nil {
		r.Style.Logo.URL = logo
	}
	return r.Normalize()
}

// request returns the request for the card of a ticket's page in a design.
func (c Choices) request(t *Ticket, template string) (card.Request, error) {
	r := card.Request{
		URL: t.Page.String(), Kind: c.Kind, Template: template, Content: c.Content,
		Style: card.Style{Accent: c.Accent, Dark: !c.Light, Font: c.Font, AspectRatio: c.AspectRatio},
	}
	if c.Size != (image.Point{}) {
		r.Kind, r.Size = card.Custom, c.Size
	}
	if c.LogoPosition != "" && t.HasLogo(c) && c.Kind != card.IconSet {
		// The address is that of the page's logo, which is in the ticket; any other would do.
		address := t.Page.String()
		if _, err := weburl.Parse(t.Facts.Logo); err == nil {
			address = t.Facts.Logo
		}
		r.Style.Logo = &card.Logo{URL: address, Position: c.LogoPosition}
	}
	return r.Normalize()
}
