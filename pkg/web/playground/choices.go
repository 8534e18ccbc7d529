package playground

import (
	"cmp"
	"errors"
	"image"
	"math"
	"slices"
	"strings"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/card"
	"masthead/pkg/humanize"
	"masthead/pkg/tickets"
	"masthead/render"
	"masthead/render/palette"
)

// This file has what people choose: the form with colors, typeface, logo and texts, and the further sizes.

// choice is one of several values of a field, or a link to one.
type choice struct {
	Value, Name string
	Path        string
	Chosen      bool
}

// accent is a color that can be chosen.
type accent struct {
	Value, Code, Source string
	Chosen              bool
}

// text is a text that can be replaced.
type text struct {
	Name, Label, Value, Placeholder string
	Most                            int
	Long                            bool
}

// sizeChoice is a further size of a share image, with the address of its drawing and that of its file.
type sizeChoice struct {
	Value, Name, Size string
	Src, File         string
	Width, Height     int // of the drawing, as it is shown
	Chosen            bool
}

// addChoices adds the form.
func (v *view) addChoices(t *tickets.Ticket, c tickets.Choices, fault error) error {
	words, err := t.Words()
	if err != nil {
		return err
	}
	v.addAccents(t, c, words)
	var known *apperr.Error
	if errors.As(fault, &known) {
		for _, f := range known.Fields {
			if f.Pointer == "/accent" {
				v.OwnFault = f.Detail
			}
		}
	}
	v.Grounds = []choice{{Value: "false", Name: "Light", Chosen: c.Light}, {Value: "true", Name: "Dark", Chosen: !c.Light}}
	for _, font := range render.Fonts() {
		chosen := font == cmp.Or(c.Font, render.DefaultFont)
		v.Fonts = append(v.Fonts, choice{Value: font, Name: fontName(font), Chosen: chosen})
	}
	if c.Kind == card.BlogHero {
		for _, r := range tickets.Ratios {
			v.Ratios = append(v.Ratios, choice{Value: r, Name: r, Chosen: r == cmp.Or(c.AspectRatio, tickets.Ratios[0])})
		}
	}
	v.Logoed, v.LogoTo = c.LogoPosition != "", pathOf(t.ID, c.PageQuery())
	if t.HasLogo(c) {
		v.LogoSays = "the site’s icon"
		switch {
		case t.Upload(c) != nil:
			v.LogoSays, v.LogoKey = "your file", c.Logo
			sites := c
			sites.Logo = ""
			v.OwnLogo = pathOf(t.ID, sites.PageQuery())
		case t.Facts.Logo != "":
			v.LogoSays = "named by the page"
		}
		for _, at := range tickets.Positions {
			name := humanize.Capital(strings.ReplaceAll(at, "-", " "))
			v.Corners = append(v.Corners, choice{Value: at, Name: name, Chosen: at == c.LogoPosition})
		}
	}
	said, own := t.Facts.Texts, c.Content
	published := ""
	if day := t.Facts.Details.Published; !day.IsZero() {
		published = day.Format(time.DateOnly)
	}
	v.Texts = []text{
		{"title", "Title", own.Title, cmp.Or(said.CardTitle, said.Title), 200, false},
		{"description", "Description", own.Description, said.Description, 300, true},
		{"siteName", "Site name", own.SiteName, said.SiteName, 80, false},
		{"eyebrow", "Line above the title", own.Eyebrow, said.Eyebrow, 80, false},
		{"author", "Author", own.Author, said.Author, 80, false},
		{"date", "Date", own.Date, published, 35, false},
	}
	v.Retold = own != (card.Content{})
	plain := c
	plain.Content = card.Content{}
	v.PlainPath = pathOf(t.ID, plain.PageQuery())
	return nil
}

// maxAccents is how many colors of the page are offered.
const maxAccents = 4

// addAccents adds the colors of the page, the best first, and the card's secondary color.
func (v *view) addAccents(t *tickets.Ticket, c tickets.Choices, words card.PageData) {
	first, all := t.Accents(!c.Light)
	add := func(value, code, source string) {
		known := slices.ContainsFunc(v.Accents, func(a accent) bool { return strings.EqualFold(a.Code, code) })
		if len(v.Accents) < maxAccents && !known {
			chosen := strings.EqualFold(c.Accent, value) || value == "" && c.Accent == ""
			v.Accents = append(v.Accents, accent{value, code, source, chosen})
		}
	}
	source := sourceWords(first.Source, first.Name)
	if first.Source == palette.NoSource { // the card takes a color of its host
		add("", words.Palette.Accent, "from the host’s name")
	} else {
		add("", palette.Hex(first.Accent), source)
	}
	for _, r := range all {
		hex := palette.Hex(r.Color)
		add(strings.TrimPrefix(hex, "#"), hex, sourceWords(r.Source, r.Name))
	}
	if second := words.Palette.Secondary; second != "" {
		add(strings.TrimPrefix(second, "#"), second, "secondary color")
	}
	for i := range v.Accents {
		a := &v.Accents[i]
		a.Chosen = c.Accent == "" && i == 0 || c.Accent != "" && strings.EqualFold(c.Accent, a.Code)
		if i > 0 && a.Chosen {
			v.Accents[0].Chosen = false
		}
	}
	if c.Accent != "" && !slices.ContainsFunc(v.Accents, func(a accent) bool { return a.Chosen }) {
		v.Own = strings.ToUpper(strings.TrimPrefix(c.Accent, "#"))
	}
}

// sourceWords names the source of a color.
func sourceWords(of palette.Source, name string) string {
	switch of {
	case palette.ThemeColor, palette.ThemeColorOther:
		return "theme-color"
	case palette.SVGFill:
		return "SVG icon"
	case palette.OGImage:
		return "share image"
	case palette.CustomProperty, palette.Button:
		if name != "" {
			return name
		}
	}
	return strings.ReplaceAll(string(of), "-", " ")
}

// fontName is the name of a font by its slug.
func fontName(slug string) string {
	var words []string
	for word := range strings.SplitSeq(slug, "-") {
		if word == "jetbrains" {
			word = "JetBrains"
		}
		words = append(words, humanize.Capital(word))
	}
	return strings.Join(words, " ")
}

// sizeNames are what sizes are called.
var sizeNames = map[image.Point]string{
	image.Pt(1080, 1080): "Square", image.Pt(1080, 1350): "Portrait", image.Pt(1080, 1920): "Story",
	image.Pt(1500, 500): "Header", image.Pt(1584, 396): "Wide header",
}

// sizesOf returns the further sizes that a design offers for a share image.
func sizesOf(t *tickets.Ticket, c tickets.Choices, d render.Template) (all []sizeChoice) {
	const mostWidth, mostHeight = 144, 96 // so that five fit side by side
	for _, size := range d.Sizes {
		of, name := c, card.SizeName(size)
		of.Size = size
		scale := min(mostWidth/float64(size.X), mostHeight/float64(size.Y))
		all = append(all, sizeChoice{
			Value: name, Name: cmp.Or(sizeNames[size], name), Size: strings.ReplaceAll(name, "x", "×"),
			Src:   proofPath(t.ID, d.Slug, tickets.SmallWidth, of.Query()),
			File:  proofPath(t.ID, d.Slug, size.X, of.Query()) + "&download",
			Width: int(math.Round(float64(size.X) * scale)), Height: int(math.Round(float64(size.Y) * scale)),
			Chosen: slices.Contains(c.Sizes, size),
		})
	}
	return all
}
