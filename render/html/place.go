package html

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// place is where a tag begins in a document, and its length in bytes.
type place struct {
	line, column, length int
}

// marker is an attribute that mark gives to each tag, and locations takes away.
const marker = "masthead-at"

// mark numbers the start tags of a document with an attribute, since the parser doesn't tell where a node begins.
// origin returns where an offset is in the source of the document; nil means that it is this one.
func mark(source string, origin func(offset int) (line, column int)) (marked string, places []place) {
	if strings.Contains(source, "<![CDATA[") || strings.Contains(source, marker) { // it would cut in the wrong places
		return source, nil
	}
	z := html.NewTokenizer(strings.NewReader(source))
	z.SetMaxBuf(MaxBytes + 1)
	var b strings.Builder
	b.Grow(len(source) + 2048)
	offset := 0
	at := place{line: 1, column: 1}
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			break
		}
		raw := z.Raw()
		if kind == html.StartTagToken || kind == html.SelfClosingTagToken {
			end := 1
			for end < len(raw) && !strings.ContainsRune(" \t\n\r\f/>", rune(raw[end])) {
				end++
			}
			b.Write(raw[:end])
			b.WriteString(" " + marker + "=" + strconv.Itoa(len(places)) + " ")
			b.Write(raw[end:])
			here := at
			here.length = len(raw)
			if origin != nil {
				here.line, here.column = origin(offset)
			}
			places = append(places, here)
		} else {
			b.Write(raw)
		}
		offset += len(raw)
		for _, c := range raw {
			if c == '\n' {
				at.line++
				at.column = 1
			} else {
				at.column++
			}
		}
	}
	b.WriteString(source[min(offset, len(source)):])
	return b.String(), places
}

// locations removes the marks and returns where each element begins.
func locations(root *html.Node, places []place) map[*html.Node]place {
	at := map[*html.Node]place{}
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		kept := n.Attr[:0]
		for _, a := range n.Attr {
			if a.Key != marker {
				kept = append(kept, a)
				continue
			}
			if i, err := strconv.Atoi(a.Val); err == nil && i >= 0 && i < len(places) {
				at[n] = places[i]
			}
		}
		n.Attr = kept
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(root)
	return at
}
