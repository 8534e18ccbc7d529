package kit

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"

	"masthead/render/text"
)

// Block is a laid-out text with its style. The zero value is no text.
type Block struct {
	*text.Block
	Style text.Style
}

// Style gives a style the language of the card and its physical side: a text of the other direction is aligned with the
// same edge as all others.
func (c *Card) Style(st text.Style) text.Style {
	st.Lang, st.Align = c.Lang, text.Left
	if c.RTL {
		st.Align = text.Right
	}
	return st
}

// TitleStyle returns the style of a title in the card's family. Sizes come from a ladder.
func (c *Card) TitleStyle() text.Style { return c.Style(c.Family.Title(0)) }

// TextStyle returns the style of descriptions, names and bylines.
func (c *Card) TextStyle(sizePx float64, weight int) text.Style {
	return c.Style(c.Family.Text(sizePx, weight))
}

// LabelStyle returns the style of a line in capitals.
func (c *Card) LabelStyle(sizePx float64) text.Style { return c.Style(c.Family.Label(sizePx)) }

// inDirection returns a style for a text with the direction of the page, if any letter of the text has it: a title on
// an Arabic page that begins with a Latin name is still Arabic, and one that is completely Latin keeps its full stop on
// the right. Spans and rows of numbers, such as 09:30 – 17:00, begin on the right, too.
func (c *Card) inDirection(st text.Style, s string) text.Style {
	if c.RTL && (HasRTL(s) || strings.ContainsAny(s, "–·") && !strings.ContainsFunc(s, unicode.IsLetter)) {
		st.Dir = text.RightToLeft
	}
	return st
}

// HasRTL reports whether any letter of s is right-to-left.
func HasRTL(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		p, _ := bidi.LookupRune(r)
		return p.Class() == bidi.R || p.Class() == bidi.AL
	})
}

// Line lays out a text on one line of at most maxW (0 means unlimited). Its box is as wide as its text.
func (c *Card) Line(s string, st text.Style, maxW float64) Block {
	return c.line(s, st, maxW, c.engine.Line)
}

// LineToClause is Line for a text that is cut as far as a clause, if that is at least half of what fits.
func (c *Card) LineToClause(s string, st text.Style, maxW float64) Block {
	b := c.Line(s, st, maxW)
	if b.Empty() || !b.Truncated {
		return b
	}
	fits := utf8.RuneCountInString(b.Text())
	part := text.FirstClause(s, c.Lang, fits)
	long := 2*utf8.RuneCountInString(part) >= fits
	if whole := c.Line(part, st, 0); long && !whole.Empty() && whole.BoxWidth <= maxW {
		whole.Truncated = true
		return whole
	}
	return b
}

// TruncateMiddle is Line for addresses, which are truncated in the middle, since the end is the most important.
func (c *Card) TruncateMiddle(s string, st text.Style, maxW float64) Block {
	return c.line(s, st, maxW, c.engine.TruncateMiddle)
}

func (c *Card) line(s string, st text.Style, maxW float64, cut func(string, text.Style, float64) *text.Block) Block {
	if s == "" {
		return Block{}
	}
	st = c.inDirection(st, s)
	b := c.engine.Line(s, st, 0)
	if maxW > 0 && b.BoxWidth > maxW {
		short := cut(s, st, maxW)
		st.Caps = false // it is in capitals already
		b = c.engine.Line(short.Text(), st, 0)
		b.Truncated = true
	}
	return Block{b, st}
}

// Fit lays out a text at the largest size of a ladder that fits a box.
func (c *Card) Fit(s string, st text.Style, box text.Box, ladder text.Ladder) Block {
	st = c.inDirection(st, s)
	return Block{c.engine.Fit(s, st, box, withSpares(ladder, s)), st}
}
