package template

import (
	"strings"
	"unicode"
)

// mayMiss is the share of a title's letters that may lack a face. Beyond it, what is left would say something else.
const mayMiss = .2

// dropUnsupported drops the facts that the embedded faces cannot set in full: half a name or a date without its month
// is worse than none. A title that cannot be set gives way to the name of the site, or its host.
func (c *Card) dropUnsupported() {
	if c.missing(c.SiteName) > 0 || !c.visible(c.SiteName) {
		c.SiteName = c.Host
	}
	for _, fact := range []*string{&c.Description, &c.Eyebrow, &c.Author, &c.Date, &c.ReadingTime, &c.Quote} {
		if c.missing(*fact) > 0 || !c.visible(*fact) {
			*fact = ""
		}
	}
	c.Crumb, c.Items = c.supported(c.Crumb), c.supported(c.Items)
	if c.missing(c.Title) > mayMiss || !c.visible(c.Title) {
		if c.Title = c.SiteName; c.Title == c.Host && !c.DescriptionGiven {
			c.Description = ""
		}
	}
}

// supported returns a list if all of it can be set: a crumb with a hole in it leads somewhere else.
func (c *Card) supported(list []string) []string {
	for _, s := range list {
		if c.missing(s) > 0 {
			return nil
		}
	}
	return list
}

// firstForeign is the rune from which letters may be in no face: all families, or Inter and Noto Sans in their place,
// have what is below it.
const firstForeign = 0x0530

// missing returns the share of the letters of s that no face has. Emoji and signs do not count: a text is whole
// without them.
func (c *Card) missing(s string) float64 {
	if !strings.ContainsFunc(s, func(r rune) bool { return r >= firstForeign }) {
		return 0
	}
	lost := c.engine.Line(s, c.TextStyle(24, 400), 0).Missing
	if lost == "" {
		return 0
	}
	letters, gone := 0, 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			letters++
			if strings.ContainsRune(lost, r) {
				gone++
			}
		}
	}
	if letters == 0 {
		return 0
	}
	return float64(gone) / float64(letters)
}

// visible reports whether anything of s can be seen. An empty s is left as it is.
func (c *Card) visible(s string) bool {
	ours := func(r rune) bool { return r < firstForeign && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
	if s == "" || strings.ContainsFunc(s, ours) {
		return true
	}
	return !c.engine.Line(s, c.TextStyle(24, 400), 0).Empty()
}
