package report

import (
	"fmt"
	"html/template"
	"strings"
)

// This file writes what each frame has as inline SVG: a template takes ten times as long for that many numbers.

// SVG is the map as a picture.
func (m *cropMap) SVG() template.HTML {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="cropmap" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" aria-hidden="true" `+
		`focusable="false">`, m.Width, m.Height)
	if m.URL != "" {
		fmt.Fprintf(&b, `<image href="%s" width="%d" height="%d" preserveAspectRatio="none"/>`,
			template.HTMLEscapeString(m.URL), m.Width, m.Height)
	}
	for _, cut := range m.Cut {
		fmt.Fprintf(&b, `<rect x="%g" y="%g" width="%g" height="%g" fill="url(#hatch)"/>`,
			cut.X, cut.Y, cut.Width, cut.Height)
	}
	if k := m.Keep; k != nil {
		fmt.Fprintf(&b, `<rect class="keep" x="%g" y="%g" width="%g" height="%g"/>`, k.X, k.Y, k.Width, k.Height)
	}
	if m.URL == "" {
		fmt.Fprintf(&b, `<rect class="keep" width="%d" height="%d"/>`, m.Width, m.Height)
		if m.Keep == nil {
			fmt.Fprintf(&b, `<text x="%d" y="%d" dx="-48" dy="-21" text-anchor="middle">no picture</text>`, m.Width, m.Height)
		}
	}
	b.WriteString(`</svg>`)
	return template.HTML(b.String()) //nolint:gosec // numbers, and an address of ours that is escaped
}

// Pic is the picture of a card, a place for one that isn't available, or "" for a card without.
func (v *stage) Pic() template.HTML {
	switch {
	case v.Image != nil:
		return template.HTML(fmt.Sprintf( //nolint:gosec // numbers, and an address of ours that is escaped
			`<svg class="pic" width="%d" height="%d" viewBox="%s" preserveAspectRatio="xMidYMid slice" focusable="false">`+
				`<image href="%s" width="%d" height="%d" preserveAspectRatio="none"/></svg>`, v.Image.Width, v.Image.Height,
			v.Image.ViewBox, template.HTMLEscapeString(v.Image.URL), v.Image.W, v.Image.H))
	case v.Picture != "":
		return template.HTML(fmt.Sprintf( //nolint:gosec // numbers
			`<svg class="pic void" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" focusable="false">`+
				`<path d="M0 0h%[1]dv%[2]dH0z"/></svg>`, v.Width, v.Height))
	}
	return ""
}

// Texts are the title and the description of a card, as far as it shows them.
func (v *stage) Texts() template.HTML {
	text := ""
	if v.Title != "" {
		text = `<b class="t" dir="auto">` + template.HTMLEscapeString(v.Title) + `</b>`
	}
	if v.Description != "" {
		text += `<span class="d" dir="auto">` + template.HTMLEscapeString(v.Description) + `</span>`
	}
	return template.HTML(text) //nolint:gosec // both are escaped
}
