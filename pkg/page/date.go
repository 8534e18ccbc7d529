package page

import (
	"strings"
	"time"

	"masthead/pkg/cleantext"
)

// Date is a point in time that the page states.
type Date struct {
	// Time is the zero time if Raw, the page's text, isn't a date.
	Time time.Time
	Raw  string
	// Source is the tag: "json-ld", the key of a meta element, or "time".
	Source string
}

// Layouts of dates: ISO 8601 as found in practice, RFC 1123 and RFC 850. Layouts without a zone mean UTC. Fractional
// seconds are parsed without being in the layout.
var dateLayouts = []string{
	"2006-01-02T15:04:05Z07:00",
	"2006-01-02T15:04:05Z0700",
	"2006-01-02T15:04:05Z07",
	"2006-01-02T15:04:05",
	"2006-01-02T15:04Z07:00",
	"2006-01-02T15:04Z0700",
	"2006-01-02T15:04",
	"2006-01-02",
	"20060102T150405Z0700",
	"20060102T150405Z07:00",
	"20060102T150405",
	"20060102",
}

var dateLayoutsRFC = []string{
	time.RFC1123,
	time.RFC1123Z,
	"Mon, 2 Jan 2006 15:04:05 MST",
	"Mon, 2 Jan 2006 15:04:05 -0700",
	time.RFC850,
	"Monday, 2-Jan-06 15:04:05 MST",
}

// ParseDate parses a date of ISO 8601, RFC 1123 or RFC 850, with or without a time. The default zone is UTC. It rejects
// years before 1900, and the zero of Unix time, which programs print for "unknown".
func ParseDate(s string) (time.Time, bool) {
	s = strings.TrimSpace(s)
	if len(s) < len("20060102") || len(s) > 64 {
		return time.Time{}, false
	}
	layouts := dateLayoutsRFC
	if '0' <= s[0] && s[0] <= '9' {
		layouts, s = dateLayouts, isoForm(s)
	}
	for _, layout := range layouts {
		if t, err := time.ParseInLocation(layout, s, time.UTC); err == nil {
			t, known := zoned(t)
			if !known || t.Year() < 1900 || t.Unix() == 0 {
				return time.Time{}, false
			}
			return t, true
		}
	}
	return time.Time{}, false
}

// northAmerican are the zones, in hours, that RFC 822 names besides UT and GMT.
var northAmerican = map[string]int{
	"EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7,
}

// zoned returns t in the zone of its abbreviation, which the time package doesn't resolve. It returns false for
// ambiguous abbreviations.
func zoned(t time.Time) (time.Time, bool) {
	name, offset := t.Zone()
	if offset != 0 || name == "" || name == "UTC" || name == "GMT" || name == "UT" || name == "Z" {
		return t, true
	}
	hours, ok := northAmerican[name]
	return t.Add(time.Duration(-hours) * time.Hour).UTC(), ok
}

// isoForm returns an ISO 8601 date with "T" before the time and no space before the zone. "2024-05-01 10:00:00 +0200"
// and "2024-05-01 10:00 UTC" are common.
func isoForm(s string) string {
	for _, zone := range [...]string{" UTC", " GMT", "UTC", "GMT", "z"} {
		if rest, ok := strings.CutSuffix(s, zone); ok {
			s = rest + "Z"
			break
		}
	}
	if date, clock, ok := strings.Cut(s, " "); ok {
		s = date + "T" + strings.ReplaceAll(clock, " ", "")
	} else if len(s) > 10 && s[10] == 't' {
		s = s[:10] + "T" + s[11:]
	}
	return s
}

// dates chooses the dates of the page. The first source with a parsable date wins; if there is none, the first
// unparsable one is kept with a zero time.
func (p *Page) dates(c *content, main *Value) {
	p.Published = p.date(c, main, "datePublished", "article:published_time", "datepublished", "date", "dc.date", "pubdate")
	if p.Published.Time.IsZero() {
		for _, raw := range [...]string{c.timePubdate, c.timeArticle} {
			if t, ok := ParseDate(raw); ok {
				p.Published = Date{t, raw, "time"}
				break
			}
		}
	}
	p.Modified = p.date(c, main, "dateModified", "article:modified_time", "og:updated_time", "datemodified",
		"last-modified")
}

// date returns the first date of: the property of the main JSON-LD node or of any other, the meta keys, and, for a key
// that is the lowercase property, a time element with that itemprop.
func (p *Page) date(c *content, main *Value, property string, keys ...string) Date {
	var unread Date
	try := func(raw, source string) (Date, bool) {
		if raw = cleanValue(raw); raw == "" {
			return Date{}, false
		}
		if t, ok := ParseDate(raw); ok {
			return Date{t, raw, source}, true
		}
		if unread.Raw == "" {
			unread = Date{Raw: cleantext.Clean(raw, cleantext.MaxOther), Source: source}
		}
		return Date{}, false
	}
	if d, ok := try(main.Get(property).String(), "json-ld"); ok {
		return d
	}
	for _, n := range p.nodes {
		if d, ok := try(n.Get(property).String(), "json-ld"); ok {
			return d
		}
	}
	for _, key := range keys {
		if d, ok := try(p.Meta.Get(key), key); ok {
			return d
		}
		if key != strings.ToLower(property) {
			continue
		}
		for i := range c.times {
			if c.times[i].Source == key {
				if d, ok := try(c.times[i].Raw, key); ok {
					return d
				}
			}
		}
	}
	return unread
}
