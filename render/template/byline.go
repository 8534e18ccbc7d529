package template

import (
	"strings"

	"masthead/render/text"
)

// signed reports whether it is known who wrote a page or when.
func (s *Spec) signed() bool { return s.Author != "" || s.Date != "" }

// byline sets “author · date · reading time” on one line of at most maxW. A part that is missing takes its separator
// with it; where all of them do not fit, reading time goes first and the date after it, and a name alone is cut.
func byline(c *Card, st text.Style, maxW float64) Block {
	parts := make([]string, 0, 3)
	for _, p := range []string{c.Author, c.Date, c.ReadingTime} {
		if p != "" {
			parts = append(parts, isolate(p, c.RTL))
		}
	}
	for ; len(parts) > 1; parts = parts[:len(parts)-1] {
		if line := c.Line(strings.Join(parts, " · "), st, 0); line.BoxWidth <= maxW {
			return line
		}
	}
	return c.Line(strings.Join(parts, ""), st, maxW)
}

// isolate keeps a part of a byline together on a page that runs right to left: the day after an author in Latin
// letters would join the name.
func isolate(s string, rtl bool) string {
	if !rtl {
		return s
	}
	const firstStrongIsolate, popIsolate = "\u2068", "\u2069"
	return firstStrongIsolate + s + popIsolate
}
