package kit

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Warning reports something that a card had to leave out: a code for programs and a sentence for people.
type Warning struct {
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// The codes of warnings. The document of the API lists them too.
const (
	MissingCharacters = "MISSING_CHARACTERS" // no font has them, so they were left out
	TextWithoutRoom   = "TEXT_WITHOUT_ROOM"  // a text was truncated or left out
	DesignNeeds       = "DESIGN_NEEDS"       // the page lacks what the design lives on, so another one was drawn
	LogoMissing       = "LOGO_MISSING"       // a logo was requested but not available
)

// maxWarnedRunes is the maximum number of characters that a sentence lists.
const maxWarnedRunes = 24

// Warnings returns what the card left out, in a fixed order, after Layout; nil if nothing.
func (c *Card) Warnings() []Warning {
	missing := c.missing
	var cut, crowded bool
	for _, p := range c.texts {
		missing += p.Block.Missing
		if p.Role == Title {
			cut, crowded = cut || p.Block.Truncated, crowded || p.Block.Crowded
		}
	}
	out := slices.Clone(c.instead)
	if missing != "" {
		out = append(out, Warning{MissingCharacters, "No font has these characters, so they were left out: " +
			listed(missing) + "."})
	}
	if cut {
		out = append(out, Warning{TextWithoutRoom, "The title was truncated: it is too long for the picture."})
	}
	if crowded {
		out = append(out, Warning{
			TextWithoutRoom, "The description was left out: there is no room for it next to the title.",
		})
	}
	return out
}

// listed returns the distinct characters of s, sorted, at most maxWarnedRunes of them.
func listed(s string) string {
	runes := []rune(s)
	slices.Sort(runes)
	runes = slices.Compact(runes)
	if len(runes) > maxWarnedRunes {
		runes = append(runes[:maxWarnedRunes], '…')
	}
	return strings.Join(strings.Split(string(runes), ""), " ")
}

// miss records the characters of a text that is dropped because no font has them.
func (c *Card) miss(s string) {
	b := c.engine.Line(s, c.TextStyle(24, 400), 0)
	if utf8.RuneCountInString(c.missing) < 10*maxWarnedRunes {
		c.missing += b.Missing
	}
}
