package html

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// maxReopened bounds the elements that the parser makes beyond those in the source: it opens elements such as <b>, that
// aren't closed, again behind each paragraph and cell. 250 open ones and 60,000 paragraphs would take 3 GB.
// Source: HTML, 13.2.4.3, the list of active formatting elements.
const maxReopened = 50_000

// formatting are the elements that are opened again.
var formatting = map[string]bool{
	"a": true, "b": true, "big": true, "code": true, "em": true, "font": true, "i": true, "nobr": true, "s": true,
	"small": true, "strike": true, "strong": true, "tt": true, "u": true,
}

// implied are the elements whose start tag closes others.
var implied = map[string]bool{
	"p": true, "li": true, "dd": true, "dt": true, "td": true, "th": true, "tr": true, "tbody": true, "thead": true,
	"tfoot": true, "caption": true, "table": true, "option": true, "optgroup": true, "rb": true, "rp": true, "rt": true,
	"button": true, "h1": true, "h2": true, "h3": true, "h4": true, "h5": true, "h6": true, "hr": true, "pre": true,
	"div": true, "ul": true, "ol": true, "dl": true, "form": true, "section": true, "blockquote": true,
}

// openTag is a start tag that isn't closed.
type openTag struct{ name, source string }

// reopens reports whether parsing a document makes more than maxReopened elements of those that aren't closed, and
// where it exceeds that. It counts at least as many as the parser makes.
func reopens(source string) (offset int, over bool) {
	var active []openTag
	z := html.NewTokenizer(strings.NewReader(source))
	z.SetMaxBuf(MaxBytes + 1)
	for total := 0; total <= maxReopened && len(active) <= MaxDepth; {
		kind := z.Next()
		if kind == html.ErrorToken {
			return 0, false
		}
		raw := string(z.Raw())
		offset += len(raw)
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken && kind != html.EndTagToken {
			continue
		}
		tag, _ := z.TagName()
		name := string(tag)
		switch {
		case !formatting[name]:
			if kind == html.EndTagToken || implied[name] {
				total += len(active)
			}
		case kind == html.EndTagToken:
			active = closed(active, func(t openTag) bool { return t.name == name }, 1)
		case name == "a" || name == "nobr": // closes an earlier one
			active = append(closed(active, func(t openTag) bool { return t.name == name }, 1), openTag{name, raw})
		default:
			const same = 3 // equal ones that the parser remembers
			active = append(closed(active, func(t openTag) bool { return t.source == raw }, same), openTag{name, raw})
		}
	}
	return offset, true
}

// closed returns a list without the nth last tag that is found, if there are so many.
func closed(list []openTag, found func(openTag) bool, nth int) []openTag {
	for i := len(list) - 1; i >= 0; i-- {
		if found(list[i]) {
			if nth--; nth == 0 {
				return slices.Delete(list, i, i+1)
			}
		}
	}
	return list
}
