// Package humanize owns how quantities, names and lists of them are written for people: in reports, on pages, in mails
// and by the command line.
package humanize

import (
	"strconv"
	"strings"
)

// Bytes returns a size such as "1 byte", "182 KB", "1.4 MB" or "2 TB". KB is 1,000 bytes, as file managers and the
// platforms' limits count. Kilobytes are rounded up, so that a size above a limit isn't written as the limit; larger
// units have one decimal at most.
func Bytes(n int64) string {
	switch {
	case n < 1000:
		return Count(int(n), "byte")
	case n < 1_000_000:
		return strconv.FormatInt((n+999)/1000, 10) + " KB"
	}
	size, unit := float64(n)/1e6, " MB"
	for _, larger := range []string{" GB", " TB", " PB"} {
		if size < 1000 {
			break
		}
		size, unit = size/1000, larger
	}
	return strings.TrimSuffix(strconv.FormatFloat(size, 'f', 1, 64), ".0") + unit
}

// Count returns "1 page" or "2 pages". The noun must take an s in the plural.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// Capital returns text with its first letter in upper case, as at the beginning of a sentence: "plus" is "Plus". A text
// that doesn't begin with an ASCII letter stays as it is: a quotation, or a word of another script.
func Capital(text string) string {
	if text == "" || text[0] < 'a' || text[0] > 'z' {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// And returns a list such as "X, Slack and Discord".
func And(words []string) string { return list(words, " and ") }

// Or returns a list such as "X, Slack or Discord".
func Or(words []string) string { return list(words, " or ") }

// list joins words by commas, and the last one by another separator.
func list(words []string, last string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + last + words[len(words)-1]
}
