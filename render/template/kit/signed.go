package kit

// Signed reports whether the author or date of a page is known.
func (s *Spec) Signed() bool { return s.Author != "" || s.Date != "" }

// Byline returns the known ones of author, date and reading time, for a [RowItem]: reading time is dropped first.
func Byline(s *Spec) []string {
	var parts []string
	for _, p := range []string{s.Author, s.Date, s.ReadingTime} {
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
