package kit

import "strings"

// WithoutStop returns a title without the full stop at its end. stops is false for a title that ends in another mark,
// also inside a quotation or brackets: a question needs no full stop.
func WithoutStop(s string) (title string, stops bool) {
	for _, stop := range []string{".", "。", "۔"} {
		if t := strings.TrimSuffix(s, stop); t != s && t != "" {
			return t, true
		}
	}
	last := strings.TrimRight(s, "”“»«’‘\"')）」』")
	for _, end := range []string{"?", "!", "…", "？", "！", "؟", ":", "。", ".", "।"} {
		if strings.HasSuffix(last, end) {
			return s, false
		}
	}
	return s, s != ""
}
