// Package page owns the reading of web pages: bytes, a content type and an address in, a [Page] out. It holds what a
// page says about itself in its head (the seven fields of a preview and where each comes from), the structure that
// audits judge, the colors that a brand is guessed from, and the few details of the content that cards show.
//
// Parse is a pure function: no network, no clock, the same bytes give the same Page. Everything it is given is
// hostile until bounded, so each list and each text has a limit that stands beside it in this package.
//
// A document is read in one pass: scanner cuts it into tags, reader gives each to the collector that wants it, and
// the precedence of metadata.go, icon.go, date.go and details.go then chooses among what was collected. To take
// something new from pages, collect it in reader and decide about it in a file of its own.
package page

import (
	"net/url"
	"strings"
)

// MaxBytes is the length to which Parse reads a body; the rest is ignored.
const MaxBytes = 3 << 20

// Bounds of the lists of a Page. What comes after them in the document is left out.
const (
	maxPairs    = 4096
	maxLinks    = 1024
	maxImages   = 64
	maxHeadings = 512
	maxTitles   = 16
	maxTypes    = 16
)

// Page is what one document says.
type Page struct {
	// URL is the address that the page was read from, after redirects. Never nil.
	URL *url.URL
	// Base is what the references of the page resolve against.
	Base *url.URL
	// Encoding says how the bytes were read.
	Encoding Encoding
	// Lang is the lang attribute of the html element; Dir is "rtl", "ltr" or "" from the html or the body element.
	Lang, Dir string
	// Bytes is the length of the body; Truncated says that Parse stopped at one of its limits before its end.
	Bytes     int
	Truncated bool

	// Metadata is the preview of the page.
	Metadata Metadata
	// Meta holds what the meta elements say.
	Meta Meta
	// Titles are the title elements that have text, in order.
	Titles []string
	// Images are the og:image objects in order.
	Images []OGImage
	// Links are the link elements, but for style sheets after the first and hints to the browser.
	Links []Link
	// Icons are the links to icons of all kinds, in order.
	Icons []Icon
	// Canonicals and Hreflang are the links of these kinds that have an href.
	Canonicals []Link
	Hreflang   []Link
	// Manifest is the address of the web app manifest, Stylesheet that of the first style sheet; "" for none.
	Manifest, Stylesheet string
	// Head says how the head of the document ended.
	Head Head
	// Headings are h1 to h6 in order.
	Headings []Heading
	// JSONLD holds the blocks of structured data, Microdata the types that itemtype and typeof attributes name.
	JSONLD    []Block
	Microdata []string
	// Published and Modified are the dates of the page itself; HTTP headers are the caller's to add.
	Published, Modified Date
	// SearchForm says that the page has a form with the role of a search.
	SearchForm bool
	// TextChars is the number of characters, white space aside, that the body shows without scripts.
	TextChars int

	// Brand holds what the accent color of the page can be guessed from.
	Brand Brand
	// Details are the details for cards.
	Details Details

	nodes []*Value
	prose []byte // as it was sent
}

// Head says how the head of a document ended.
type Head struct {
	// Stray is the tag, in lower case, or "#text", that ended the head before its end tag and is none of the elements
	// that may stand there; "" when the head ended as it should. What follows a stray tag is part of the body.
	Stray string
	// End is the offset in bytes at which the body begins.
	End int
}

// Heading is one of h1 to h6.
type Heading struct {
	Level int
	// Text is what the heading shows, cut to 300 characters; Alt is the text of its first picture that has one.
	Text, Alt string
}

// Link is a link element.
type Link struct {
	// Rel holds the tokens of the rel attribute in lower case, with one space between them.
	Rel string
	// Href is the attribute as it was written, but for character references and white space at the ends.
	Href                                       string
	Type, Sizes, Media, Color, Hreflang, Title string
	// InHead says that it stands in the head of the parsed document.
	InHead bool
	// End is the offset in bytes behind the element.
	End int
}

// Has reports whether rel (in lower case) is among the link's relations.
func (l *Link) Has(rel string) bool {
	for rest := l.Rel; rest != ""; {
		var token string
		token, rest, _ = strings.Cut(rest, " ")
		if token == rel {
			return true
		}
	}
	return false
}

// Parse reads a document. body is read up to [MaxBytes] and not kept; contentType is the value of the HTTP header, or
// ""; pageURL is the final address of the page. Parse never fails: from bytes that are no HTML it takes nothing.
func Parse(body []byte, contentType string, pageURL *url.URL) *Page {
	if pageURL == nil {
		pageURL = &url.URL{}
	}
	p := &Page{URL: pageURL, Bytes: len(body)}
	if len(body) > MaxBytes {
		body, p.Truncated = body[:MaxBytes], true
	}
	text, encoding := decode(body, contentType)
	p.Encoding = encoding
	r := newReader(p, text)
	r.read()
	p.Truncated = p.Truncated || r.sc.stopped
	r.finish()
	return p
}
