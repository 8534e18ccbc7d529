package kit

import "masthead/render/text"

// Signed reports whether the author or date of a page is known.
func (s *Spec) Signed() bool { return s.signer() != "" || s.Date != "" }

// signer returns the author of a page, "" if that is its site or its title, which the card says already.
func (s *Spec) signer() string {
	for _, said := range []string{s.SiteName, s.Host, s.Title} {
		if text.Same(s.Author, said) {
			return ""
		}
	}
	return s.Author
}

// OfEvent reports whether the date is that of the event that the page is about, not of the page.
func (s *Spec) OfEvent() bool { return s.Leaf.Day != "" && s.Day == "" }

// Byline returns the known ones of author, date and reading time, for a [RowItem]: reading time is dropped first. It
// doesn't repeat the site or the title as the author. Of an event whose page has no date of its own, it is the event's
// date, time and place.
func Byline(s *Spec) []string {
	said := []string{s.signer(), s.Date, s.ReadingTime}
	if s.OfEvent() {
		if said = []string{s.Date, s.Leaf.Time, s.Leaf.Place}; s.Leaf.Note != "" {
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
