// Package page reads web pages: bytes, a content type and an address in, a [Page] out. A Page is what a document says
// about itself in its head (the seven fields of a preview and the source of each), the structure that audits judge, the
// colors for guessing a brand's accent, and the few details of the content that cards show.
//
// Parse is a pure function: no network, no clock, the same bytes give the same Page. All input is untrusted, so each
// list and each text has a limit, defined next to it in this package.
//
// A document is read in one pass: scanner cuts it into tags, and reader passes each to the collector that handles it.
// The precedence rules in metadata.go, icon.go, date.go and details.go then choose among what was collected. To read
// something new from pages, collect it in reader and choose in a file of its own.
package page

import (
	"net/url"
	"strings"
)

// MaxBytes is the maximum length of a body. Parse ignores the rest.
const MaxBytes = 3 << 20

// Limits of the lists of a Page. Later entries in the document are dropped.
const (
	maxPairs    = 4096
	maxLinks    = 1024
	maxImages   = 64
	maxHeadings = 512
	maxTitles   = 16
	maxTypes    = 16
)

// Page is the content of one document.
type Page struct {
	// URL is the address that the page was read from, after redirects. Never nil.
	URL *url.URL
	// Base is the base address of the page's references.
	Base *url.URL
	// Encoding is how the bytes were decoded.
	Encoding Encoding
	// Lang is the lang attribute of the html element. Dir is "rtl", "ltr" or "", from the html or the body element.
	Lang, Dir string
	// Bytes is the length of the body; Truncated reports whether Parse stopped at one of its limits before its end.
	Bytes     int
	Truncated bool

	// Metadata is the preview of the page.
	Metadata Metadata
	// Meta has the meta elements.
	Meta Meta
	// Titles are the title elements with text, in order.
	Titles []string
	// Images are the og:image objects in order.
	Images []OGImage
	// Links are the link elements without browser hints and style sheets after the first.
	Links []Link
	// Icons are the links to icons of all kinds, in order.
	Icons []Icon
	// Canonicals and Hreflang are the links of these kinds with an href.
	Canonicals []Link
	Hreflang   []Link
	// Manifest is the address of the web app manifest, Stylesheet that of the first style sheet, or "".
	Manifest, Stylesheet string
	// Head is how the head of the document ended.
	Head Head
	// Headings are h1 to h6 in order.
	Headings []Heading
	// JSONLD are the blocks of structured data, Microdata the types in itemtype and typeof attributes.
	JSONLD    []Block
	Microdata []string
	// Published and Modified are the page's own dates. Those of HTTP headers are up to the caller.
	Published, Modified Date
	// SearchForm reports whether the page has a form with the search role.
	SearchForm bool
	// Refresh is the meta refresh, or nil.
	Refresh *Refresh
	// Body is how the links and pictures of the body are written.
	Body Body
	// TextChars is the number of characters, except white space, that the body shows without scripts.
	TextChars int
	// WideChars is how many of these are Chinese or Japanese ones, each of which says as much as two others.
	WideChars int

	// Brand has the candidates for the page's accent color.
	Brand Brand
	// Details are the details for cards.
	Details Details

	nodes []*Value
	prose []byte // as it was sent
}

// Head is how the head of a document ended.
type Head struct {
	// Stray is the tag, in lower case, or "#text", that ended the head early because it isn't allowed there; "" if the
	// head ended properly. Everything from a stray tag on is part of the body.
	Stray string
	// End is the byte offset where the body begins.
	End int
}

// Heading is one of h1 to h6.
type Heading struct {
	Level int
	// Text is the heading's text, cut to 300 characters. Alt is the text of its first picture with one.
	Text, Alt string
	// InMain and InNav report whether it is in the page's main part and in navigation.
	InMain, InNav bool
}

// Link is a link element.
type Link struct {
	// Rel has the lowercase tokens of the rel attribute, separated by single spaces.
	Rel string
	// Href is the attribute as written, but with character references decoded and trimmed.
	Href                                       string
	Type, Sizes, Media, Color, Hreflang, Title string
	// InHead reports whether the link is in the head of the parsed document.
	InHead bool
	// End is the byte offset after the element.
	End int
}

// Has reports whether rel (in lower case) is one of the link's relations.
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

// Parse reads a document. body is read up to [MaxBytes] and not retained; contentType is the value of the HTTP header,
// or ""; pageURL is the final address of the page. Parse never fails: bytes that aren't HTML give an empty page.
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
