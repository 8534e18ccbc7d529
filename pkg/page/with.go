package page

import "strings"

// This file computes what a page would be with other elements in its head.

// With returns the page as if elements were pasted at the end of its head, each replacing the existing ones of the same
// kind: meta elements with the same key, the title, the canonical link. A pasted og:image replaces all Open Graph
// pictures and their properties. The page itself doesn't change; both share the unchanged parts.
func (p *Page) With(head string) *Page {
	added := Parse([]byte("<!DOCTYPE html><html><head>"+head+"</head></html>"), "text/html; charset=utf-8", p.URL)
	q := *p
	q.Meta = nil
	for i := range p.Meta {
		if !replaced(p.Meta[i].Key, added.Meta) {
			q.Meta = append(q.Meta, p.Meta[i])
		}
	}
	for _, pair := range added.Meta {
		pair.End = p.Head.End // at the end of the head; 0 in a page without one
		q.Meta = append(q.Meta, pair)
	}
	if len(added.Titles) > 0 {
		q.Titles = added.Titles
	}
	if len(added.Canonicals) > 0 {
		q.Canonicals = added.Canonicals
	}
	q.Images = nil
	q.ogImages()
	h1 := ""
	for i := range q.Headings {
		if q.Headings[i].Level == 1 && q.Headings[i].Text != "" {
			h1 = q.Headings[i].Text
			break
		}
	}
	q.Metadata = Metadata{}
	q.choose(h1)
	return &q
}

// replaced reports whether pasted pairs replace one with this key.
func replaced(key string, by Meta) bool {
	const image = "og:image"
	return by.Find(key) != nil || strings.HasPrefix(key, image) && by.Find(image) != nil
}
