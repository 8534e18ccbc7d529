package scrape

import (
	"image/color"
	"slices"
	"strings"
	"unicode"

	"masthead/pkg/cleantext"
	"masthead/pkg/page"
	"masthead/render/palette"
)

// This file finds the brand colors in a style sheet.

// styleColors returns the brand colors of a style sheet: custom properties with brand names, and the backgrounds of
// buttons and links. known are the custom properties of all style sheets of the page.
func styleColors(style page.Style, known map[string]string) []Color {
	var found []Color
	for _, property := range style.Properties {
		if !namesBrand(property.Name) {
			continue
		}
		if c, ok := styleColor(property.Value, known); ok && !ofFramework(property.Name, c) {
			found = append(found, Color{Value: c, Source: palette.CustomProperty, Name: propertyName(property.Name)})
		}
	}
	for _, button := range style.Buttons {
		if c, ok := styleColor(button.Value, known); ok && !frameworks[c] {
			found = append(found, Color{Value: c, Source: palette.Button, Name: button.Selector})
		}
	}
	return found
}

// maxPropertyName is the maximum length of a custom property's name in results.
const maxPropertyName = 64

// propertyName returns the name of a custom property cleaned for display, since it is untrusted.
func propertyName(name string) string { return cleantext.Clean("--"+name, maxPropertyName) }

// customProperties returns the values of the page's custom properties by name.
func (s *Result) customProperties() map[string]string {
	known := map[string]string{}
	for _, style := range []*page.Style{&s.Stylesheet.Value, s.inlineStyle()} {
		for _, p := range style.Properties {
			known[p.Name] = p.Value // the page's own come last and take precedence
		}
	}
	return known
}

// inlineStyle returns the content of the page's style elements and attributes.
func (s *Result) inlineStyle() *page.Style {
	if !s.Page.Got() {
		return &page.Style{}
	}
	return &s.Page.Value.Brand.Style
}

// maxReferences is the maximum number of property references to follow to a value.
const maxReferences = 4

// styleColor parses the value of a declaration: a color, a property that has one ("var(--brand, red)"), or the three
// numbers of hsl() as design systems store them ("222.2 47.4% 11.2%").
func styleColor(value string, known map[string]string) (color.NRGBA, bool) {
	for range maxReferences {
		value = strings.TrimSpace(value)
		name, ok := strings.CutPrefix(value, "var(--")
		if !ok {
			break
		}
		name, _, _ = strings.Cut(strings.TrimSuffix(name, ")"), ",")
		value = known[strings.TrimSpace(name)]
	}
	if parts := strings.Fields(value); len(parts) == 3 && strings.HasSuffix(parts[1], "%") &&
		strings.HasSuffix(parts[2], "%") && !strings.Contains(value, "(") {
		value = "hsl(" + value + ")"
	}
	c, ok := page.ParseColor(value)
	return c, ok && c.A == 0xff
}

// frameworks are the default colors of widely used style sheets. They say nothing about the brand of a site that hasn't
// changed them. Source: the releases of Bootstrap 4 and 5, Material Components, Elementor, Ant Design.
var frameworks = map[color.NRGBA]bool{
	palette.RGB(0x007BFF): true, palette.RGB(0x0D6EFD): true, palette.RGB(0x6200EE): true, palette.RGB(0x6EC1E4): true,
	palette.RGB(0x61CE70): true, palette.RGB(0x1677FF): true,
}

// ofFramework reports whether a custom property is an unchanged default of a widely used style sheet.
func ofFramework(name string, c color.NRGBA) bool {
	if frameworks[c] {
		return true
	}
	for _, prefix := range []string{"swiper-", "fa-", "plyr-", "toastify-", "wp-admin-"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return strings.HasPrefix(name, "bs-") && !namesBrand(name)
}

// namesBrand reports whether a custom property's name means the brand color: it contains the word "brand", "primary" or
// "accent". "text-primary", "primary-hover" and "brand-100" are other colors.
func namesBrand(name string) bool {
	words := wordsOf(name)
	named := slices.ContainsFunc(words, func(w string) bool { return w == "brand" || w == "primary" || w == "accent" })
	return named && !slices.ContainsFunc(words, func(w string) bool { return otherUses[w] })
}

// otherUses are words in names of colors for one use, or of shades of the brand color.
var otherUses = func() map[string]bool {
	uses := map[string]bool{}
	for word := range strings.FieldsSeq(`text foreground fg on border bg background shadow surface inverse font contrast
		content hover active focus visited disabled pressed light lighter lightest dark darker darkest subtle muted soft pale
		alpha opacity rgb hsl hue gradient secondary tertiary 10 20 30 40 50 100 200 300 400 700 800 900 950`) {
		uses[word] = true
	}
	return uses
}()

// wordsOf splits a name at hyphens, underscores and camelCase, in lower case.
func wordsOf(name string) []string {
	var b strings.Builder
	before := ' '
	for _, r := range name {
		if unicode.IsUpper(r) && unicode.IsLower(before) {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
		before = r
	}
	return strings.FieldsFunc(b.String(), func(r rune) bool { return r == '-' || r == '_' })
}
