package audit

import (
	"masthead/pkg/cleantext"
	"masthead/pkg/scrape"
)

// Limits of the tags in a report: their number, and the length of a value in characters.
const (
	MaxTags     = 200
	maxTagValue = 500
	maxTagKey   = 100
)

// Tag is a value read from the page.
type Tag struct {
	// Key is its name: the key of a meta element, a relation of a link with its language, "title", "h1", "lang".
	Key string `json:"key"`
	// Value is cut to 500 characters and has no control characters.
	Value string `json:"value"`
	// Source is where it is from: "property", "name" or "itemprop" of a meta element, "link", "html", "header" (of HTTP),
	// "json-ld" or "element".
	Source string `json:"source"`
}

// tagsOf returns the document's tags, and how many were omitted.
func tagsOf(d *scrape.Document) (tags []Tag, more int) {
	add := func(key, value, source string) {
		if value == "" {
			return
		}
		if len(tags) == MaxTags {
			more++
			return
		}
		tags = append(tags, Tag{cleantext.Clean(key, maxTagKey), cleantext.Clean(value, maxTagValue), source})
	}
	add("lang", d.Page.Lang, "html")
	for _, title := range d.Titles {
		add("title", title, "element")
	}
	for i := range d.Meta {
		pair := &d.Meta[i]
		add(pair.Key, pair.Value, pair.Attr.String())
	}
	addLinks(d, add)
	for i := range d.Headings {
		if d.Headings[i].Level == 1 {
			add("h1", d.Headings[i].Text, "element")
		}
	}
	for _, node := range d.Nodes() {
		for _, kind := range node.Types() {
			add("@type", kind, "json-ld")
		}
	}
	for _, name := range [...]string{"Content-Type", "X-Robots-Tag", "Link", "Last-Modified"} {
		for _, value := range d.Header.Values(name) {
			add(name, value, "header")
		}
	}
	return tags, more
}

// addLinks adds the links that previews and search engines read.
func addLinks(d *scrape.Document, add func(key, value, source string)) {
	for i := range d.Page.Canonicals {
		add("canonical", d.Page.Canonicals[i].Href, "link")
	}
	for i := range d.Hreflang {
		add("alternate "+d.Hreflang[i].Hreflang, d.Hreflang[i].Href, "link")
	}
	for i := range d.Icons {
		icon := &d.Icons[i]
		key := icon.Rel
		if icon.Sizes != "" {
			key += " " + icon.Sizes
		}
		add(key, icon.Href, "link")
	}
	for i := range d.Links {
		if link := &d.Links[i]; link.Has("image_src") {
			add("image_src", link.Href, "link")
		}
	}
	add("manifest", d.Page.Manifest, "link")
}
