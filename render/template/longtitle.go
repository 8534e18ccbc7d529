package template

import (
	"masthead/render/template/kit"
	"masthead/render/text"
)

// forLongTitle returns a heading with further steps if its title fits into a column at none of its sizes. A shorter one
// has none of them, so that it isn't smaller for a longer description.
func forLongTitle(c *kit.Card, on kit.Surface, column kit.Column, h kit.Heading, steps text.Ladder) kit.Heading {
	alone := h
	alone.Description = kit.Description{}
	if !c.TitleFits(on, column, alone) {
		h.Ladder = append(h.Ladder[:len(h.Ladder):len(h.Ladder)], steps...)
	}
	return h
}
