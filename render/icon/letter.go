package icon

import (
	"fmt"
	"strconv"
	"strings"

	"masthead/render/palette"
	"masthead/render/text"
)

// letterSVG returns the monogram as an SVG, or "" if the name has no letter with an outline.
func (c *composer) letterSVG() string {
	const side = 512
	r := c.letter()
	if r == 0 {
		return ""
	}
	glyph, ok := text.Outline(text.Inter, 700, r, c.request.Lang)
	w, h := glyph.Ink.X1-glyph.Ink.X0, glyph.Ink.Y1-glyph.Ink.Y0
	if !ok || w <= 0 || h <= 0 {
		return ""
	}
	px := min(letterPx, letterBox/max(w, h)) * side
	x, y := side/2-px*(glyph.Ink.X0+w/2), side/2-px*(glyph.Ink.Y0+h/2)
	var d strings.Builder
	counts := map[text.PathOp]int{text.MoveTo: 1, text.LineTo: 1, text.QuadTo: 2, text.CubeTo: 3}
	letters := map[text.PathOp]string{text.MoveTo: "M", text.LineTo: "L", text.QuadTo: "Q", text.CubeTo: "C"}
	number := func(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }
	for i, s := range glyph.Segments {
		if s.Op == text.MoveTo && i > 0 {
			d.WriteByte('Z')
		}
		d.WriteString(letters[s.Op])
		for j, p := range s.Points[:counts[s.Op]] {
			if j > 0 {
				d.WriteByte(' ')
			}
			d.WriteString(number(x+px*p.X) + " " + number(y+px*p.Y))
		}
	}
	d.WriteByte('Z')
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %[1]d">`+
		`<rect width="%[1]d" height="%[1]d" rx="%s" fill="%s"/><path fill="%s" d="%s"/></svg>`+"\n",
		side, number(tileRounded*side), palette.Hex(c.theme.Background), palette.Hex(c.theme.OnBackground), d.String())
}
