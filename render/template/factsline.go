package template

import (
	"strings"

	"masthead/render/text"
)

// FactsLine sets “author · date · reading time” on one line of at most maxW. A fact that is missing takes its separator with it; where all of
// them do not fit, reading time goes first and the date after it.
func (c *Card) FactsLine(st text.Style, maxW float64) Words {
	facts := make([]string, 0, 3)
	for _, f := range []string{c.Author, c.Date, c.ReadingTime} {
		if f != "" {
			facts = append(facts, f)
		}
	}
	for ; len(facts) > 1; facts = facts[:len(facts)-1] {
		if w := c.Line(strings.Join(facts, " · "), st, 0); w.W() <= maxW {
			return w
		}
	}
	if len(facts) == 0 {
		return Words{}
	}
	return c.Line(facts[0], st, maxW)
}
