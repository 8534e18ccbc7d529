package kit

// Signed reports whether it is known who wrote a page or when.
func (s *Spec) Signed() bool { return s.Author != "" || s.Date != "" }

// Byline returns author, date and reading time, those that are known, for a [RowItem]: reading time goes first where
// room falls short.
func Byline(s *Spec) []string {
	var parts []string
	for _, p := range []string{s.Author, s.Date, s.ReadingTime} {
		if p != "" {
			parts = append(parts, isolate(p, s.RTL))
		}
	}
	return parts
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
