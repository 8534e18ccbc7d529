package kit

import (
	"strings"

	"masthead/render/text"
)

// Signed reports whether the author or date of a page is known.
func (s *Spec) Signed() bool { return s.signer() != "" || s.Date != "" }

// signer returns the author of a page, "" if that is its site or its title, which the card says already, or in the name
// of the site: “Notes of Ada Lovelace”.
func (s *Spec) signer() string {
	if text.Same(s.Author, s.Host) || text.Same(s.Author, s.Title) || text.Says(s.SiteName, s.Author) {
		return ""
	}
	return s.Author
}

// place returns where an event takes place, "" if the name of the site says that: “Textile Museum, Lodève” is where the
// Lodève Textile Museum is.
func (s *Spec) place() string {
	for word := range strings.FieldsFuncSeq(s.Leaf.Place, func(r rune) bool { return r == ' ' || r == ',' }) {
		if !text.Says(s.SiteName, word) {
			return s.Leaf.Place
		}
	}
	return ""
}

// OfEvent reports whether the date is that of the event that the page is about, not of the page.
func (s *Spec) OfEvent() bool { return s.Leaf.Day != "" && s.Day == "" }

// Byline returns the known ones of author, date and reading time, for a [RowItem]: reading time is dropped first. It
// doesn't repeat the site or the title as the author. Of an event whose page has no date of its own, it is the event's
// date, time and place.
func Byline(s *Spec) []string {
	said := []string{s.signer(), s.Date, s.ReadingTime}
	if s.OfEvent() {
		if said = []string{s.Date, s.Leaf.Time, s.place()}; s.Leaf.Note != "" {
			said[1] = ""
		}
	}
	var parts []string
	for _, p := range said {
		if p != "" {
			parts = append(parts, isolate(p, s.RTL))
		}
	}
	return parts
}

// isolate keeps a part of a byline together on a right-to-left page: the day after an author in Latin letters would
// join the name.
func isolate(s string, rtl bool) string {
	if !rtl {
		return s
	}
	const firstStrongIsolate, popIsolate = "\u2068", "\u2069"
	return firstStrongIsolate + s + popIsolate
}
