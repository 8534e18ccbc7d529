package page

import (
	"slices"
	"strings"
)

// This file computes what a page would be with other elements in its head.

// With returns the page as if elements were pasted into its head, up to the byte offset
// end, each replacing the existing ones of the same
// kind: meta elements with the same key, the title, the canonical link, the links of a language version. A pasted
// og:image replaces all Open Graph pictures and their properties. A block of JSON-LD is added to the existing ones. The
// page itself doesn't change; both share the unchanged parts, among them the dates and the details.
func (p *Page) With(head string, end int) *Page {
	added := Parse([]byte("<!DOCTYPE html><html><head>"+head+"</head></html>"), "text/html; charset=utf-8", p.URL)
	q := *p
	q.Meta = nil
	for i := range p.Meta {
		if !replaced(p.Meta[i].Key, added.Meta) {
			q.Meta = append(q.Meta, p.Meta[i])
		}
	}
	for _, pair := range added.Meta {
		pair.End = end
		q.Meta = append(q.Meta, pair)
	}
	if len(added.Titles) > 0 {
		q.Titles = added.Titles
	}
	if len(added.Canonicals) > 0 {
		q.Canonicals = added.Canonicals
	}
	if len(added.Hreflang) > 0 {
		q.Hreflang = nil
		for i := range p.Hreflang {
			same := func(l Link) bool { return strings.EqualFold(l.Hreflang, p.Hreflang[i].Hreflang) }
			if !slices.ContainsFunc(added.Hreflang, same) {
				q.Hreflang = append(q.Hreflang, p.Hreflang[i])
			}
		}
		q.Hreflang = append(q.Hreflang, added.Hreflang...)
	}
	if len(added.JSONLD) > 0 {
		q.JSONLD = slices.Concat(p.JSONLD, added.JSONLD)
		q.nodes = nil
		q.collectNodes()
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
