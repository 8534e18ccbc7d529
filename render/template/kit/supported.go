package kit

import (
	"slices"
	"strings"
	"unicode"

	"masthead/render/text"
)

// dropUnsupported drops texts that no embedded font has all characters of: half a name or a date without its month is
// worse than none. A missing or unsupported title is replaced by the name of the site or its host.
func (c *Card) dropUnsupported() {
	if !c.supports(c.SiteName, 0) {
		c.miss(c.SiteName)
		c.SiteName = c.Host
	}
	for _, s := range []*string{&c.Description, &c.Eyebrow, &c.Author, &c.Date, &c.ReadingTime, &c.Month} {
		if !c.supports(*s, 0) {
			c.miss(*s)
			*s = ""
		}
	}
	// What few designs show isn't missed by the others.
	for _, s := range []struct {
		text *string
		need string
	}{
		{&c.Quote, "quote"}, {&c.QuoteAuthor, "quote"}, {&c.Version, "version"}, {&c.Path, "path"},
		{&c.Owner, "repository"}, {&c.Repo, "repository"}, {&c.Leaf.Place, "event"}, {&c.Leaf.Month, "event"},
		{&c.Leaf.Weekday, "event"}, {&c.Leaf.Note, "event"},
		{&c.Goods.Headline, "product"}, {&c.Goods.Old, "product"}, {&c.Play.Show, "episode"}, {&c.Play.Guest, "episode"},
	} {
		if !c.supports(*s.text, 0) {
			if slices.Contains(c.t.Needs, s.need) {
				c.miss(*s.text)
			}
			*s.text = ""
		}
	}
	foreign := func(s string) bool { return !c.supports(s, 0) }
	if slices.ContainsFunc(c.Crumb, foreign) { // a crumb with a gap would mean something else
		if slices.Contains(c.t.Needs, "crumb") {
			c.miss(strings.Join(c.Crumb, " "))
		}
		c.Crumb = nil
	}
	c.Session = slices.DeleteFunc(slices.Clone(c.Session), func(line string) bool {
		return foreign(strings.TrimSpace(line))
	})
	if slices.ContainsFunc(c.Code.Lines, foreign) { // with a gap it would be other code
		c.Code = Code{}
	}
	c.Goods.Facts = slices.DeleteFunc(slices.Clone(c.Goods.Facts), foreign)
	c.Play.Facts = slices.DeleteFunc(slices.Clone(c.Play.Facts), foreign)
	if slices.ContainsFunc(c.Items, foreign) {
		c.Items = nil
	}
	if text.Same(c.Eyebrow, c.Host) {
		c.Eyebrow = "" // not a section: the host is shown separately
	}
	if c.Title == "" || !c.supports(c.Title, text.MaxMissingShare) {
		c.miss(c.Title)
		if c.Title = c.SiteName; c.Title == c.Host && !c.DescriptionGiven {
			c.Description = "" // nothing is known that it could belong to
		}
	}
}

// firstForeign is the first rune that fonts may lack: every family, or Inter and Noto Sans as its fallback, has those
// below.
const firstForeign = 0x0530

// supports reports whether s has visible characters and at most the fraction mayMiss of its letters lacks a font. An
// empty s is supported.
func (c *Card) supports(s string, mayMiss float64) bool {
	foreign := func(r rune) bool { return r >= firstForeign }
	seen := func(r rune) bool { return !foreign(r) && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
	if s == "" || !strings.ContainsFunc(s, foreign) && strings.ContainsFunc(s, seen) {
		return true
	}
	b := c.engine.Line(s, c.TextStyle(24, 400), 0)
	return !b.Empty() && b.MissingShare <= mayMiss
}
