package template

import (
	"strings"

	"masthead/render/text"
)

// BylineRow sets “author · date · reading time” on one line of at most maxW. A fact that is missing takes its separator with it; where all of
// them do not fit, reading time goes first and the date after it.
func (c *Card) BylineRow(st text.Style, maxW float64) Block {
	facts := make([]string, 0, 3)
	for _, f := range []string{c.Author, c.Date, c.ReadingTime} {
		if f != "" {
			facts = append(facts, c.isolate(f))
		}
	}
	for ; len(facts) > 1; facts = facts[:len(facts)-1] {
		if w := c.Line(strings.Join(facts, " · "), st, 0); w.W() <= maxW {
			return w
		}
	}
	if len(facts) == 0 {
		return Block{}
	}
	return c.Line(facts[0], st, maxW)
}

// isolate keeps a fact together on a page that runs right to left: the day after an author in Latin letters would join the name.
func (c *Card) isolate(fact string) string {
	if !c.RTL {
		return fact
	}
	const firstStrongIsolate, popIsolate = "\u2068", "\u2069"
	return firstStrongIsolate + fact + popIsolate
}
