package page

import (
	"mime"
	"net/url"
	"path"
	"strings"
)

// ContentClass is how a response can be used, by its content type.
type ContentClass uint8

// The classes of content. Responses that are neither a page nor a picture are rejected.
const (
	OtherContent ContentClass = iota
	PageContent
	ImageContent
)

// ClassOf returns the class of contentType, the value of the HTTP header. A response without one counts as a page: old
// servers send pages that way, and any other body gives an empty [Page].
func ClassOf(contentType string) ContentClass {
	if strings.TrimSpace(contentType) == "" {
		return PageContent
	}
	media, _, err := mime.ParseMediaType(contentType)
	if media == "" && err != nil {
		media, _, _ = strings.Cut(contentType, ";")
		media = strings.ToLower(strings.TrimSpace(media))
	}
	switch {
	case media == "text/html" || media == "application/xhtml+xml":
		return PageContent
	case strings.HasPrefix(media, "image/") && len(media) > len("image/"):
		return ImageContent
	}
	return OtherContent
}

// FromImage returns a page for a picture: the picture is the page's image and its file name the title.
func FromImage(contentType string, pageURL *url.URL) *Page {
	p := Parse(nil, "", pageURL)
	m := &p.Metadata
	if s, ok := p.Resolve(p.URL.String()); ok {
		m.Image, m.Sources.Image = s, "page"
		p.Images = []OGImage{{Src: s, URL: s, Type: strings.TrimSpace(contentType)}}
		p.Details.HeroImage, p.Details.Pictures = s, []string{s}
	}
	if name := path.Base(p.URL.Path); name != "." && name != "/" {
		m.Title, m.Sources.Title = named(collapse(strings.ToValidUTF8(name, "\uFFFD")), "page")
	}
	p.Details.Crumb, p.Details.Version = nil, ""
	return p
}
