package page

import "strings"

// Metadata is the preview of a page, as shown when it is shared. Texts are never cut; "" means unknown. Addresses are
// absolute.
type Metadata struct {
	Title, Description, Image, SiteName, URL, Favicon string
	// TwitterCardType is the card that X shows, declared or not: "summary", "summary_large_image", "app" or "player".
	TwitterCardType string
	// Sources says where each field comes from.
	Sources Sources
}

// Sources names the source of each field of [Metadata]: a key of a meta element ("og:title"), "title", "h1", a relation
// of a link ("canonical", "icon"), "json-ld", "host", "page" (the final address) or "/favicon.ico"; "" if the field is
// empty.
type Sources struct {
	Title, Description, Image, SiteName, URL, Favicon, TwitterCardType string
}

// choose fills in the metadata by the precedence of each field. h1 is the first h1 element with text.
func (p *Page) choose(h1 string) {
	m, main := &p.Metadata, p.MainNode()
	src := &m.Sources
	m.Title, src.Title = p.firstMeta("og:title", "twitter:title")
	if m.Title == "" && len(p.Titles) > 0 {
		m.Title, src.Title = p.Titles[0], "title"
	}
	if m.Title == "" {
		m.Title, src.Title = named(ldText(main.Get("headline")), "json-ld")
	}
	if m.Title == "" {
		m.Title, src.Title = named(ldText(main.Get("name")), "json-ld")
	}
	if m.Title == "" {
		m.Title, src.Title = named(h1, "h1")
	}

	m.Description, src.Description = p.firstMeta("og:description", "twitter:description", "description")
	if m.Description == "" {
		m.Description, src.Description = named(ldText(main.Get("description")), "json-ld")
	}

	m.Image, src.Image = p.chooseImage(main)
	m.SiteName, src.SiteName = p.chooseSiteName(main)
	m.URL, src.URL = p.chooseURL()
	m.Favicon, src.Favicon = p.chooseFavicon()
	m.TwitterCardType, src.TwitterCardType = p.card()
}

// named returns value and its source, or nothing if value is empty.
func named(value, source string) (string, string) {
	if value == "" {
		return "", ""
	}
	return value, source
}

// firstMeta returns the first non-empty value of keys, and its key.
func (p *Page) firstMeta(keys ...string) (value, key string) {
	for _, key := range keys {
		if v := p.Meta.Get(key); v != "" {
			return v, key
		}
	}
	return "", ""
}

func (p *Page) chooseImage(main *Value) (address, source string) {
	if image := p.ShareImage(); image != nil {
		return image.URL, "og:image"
	}
	for _, key := range [...]string{"twitter:image", "twitter:image:src"} {
		if s, ok := p.resolveMeta(key); ok {
			return s, key
		}
	}
	for i := range p.Links {
		if p.Links[i].Has("image_src") {
			if s, ok := p.Resolve(p.Links[i].Href); ok {
				return s, "image_src"
			}
		}
	}
	for i := range p.Meta {
		if p.Meta[i].Key == "image" && p.Meta[i].Attr == ByItemProp {
			if s, ok := p.Resolve(p.Meta[i].address()); ok {
				return s, "itemprop=image"
			}
		}
	}
	return named(p.ldImage(main.Get("image")), "json-ld")
}

// resolveMeta returns the first usable address among the values of key.
func (p *Page) resolveMeta(key string) (string, bool) {
	for i := range p.Meta {
		if p.Meta[i].Key == key {
			if s, ok := p.Resolve(p.Meta[i].address()); ok {
				return s, true
			}
		}
	}
	return "", false
}

// ImageOfX returns the address of the picture that X shows, as written and absolute, and its tag: "twitter:image",
// "twitter:image:src" or "og:image". All are "" if there is none.
func (p *Page) ImageOfX() (written, address, tag string) {
	for _, key := range [...]string{"twitter:image", "twitter:image:src"} {
		for i := range p.Meta {
			if p.Meta[i].Key == key {
				if s, ok := p.Resolve(p.Meta[i].address()); ok {
					return p.Meta[i].address(), s, key
				}
			}
		}
	}
	if image := p.ShareImage(); image != nil {
		written = image.Src
		if own, _ := p.Resolve(image.Src); own != image.URL {
			written = image.SecureURL
		}
		return written, image.URL, "og:image"
	}
	return "", "", ""
}

// ShareImage returns the first og:image object with a usable address, or nil.
func (p *Page) ShareImage() *OGImage {
	for i := range p.Images {
		if p.Images[i].URL != "" {
			return &p.Images[i]
		}
	}
	return nil
}

func (p *Page) chooseSiteName(main *Value) (name, source string) {
	if name, source = p.firstMeta("og:site_name", "application-name", "apple-mobile-web-app-title"); name != "" {
		return name, source
	}
	for _, n := range p.nodes {
		if n.HasType("WebSite") {
			if name = ldText(n.Get("name")); name != "" {
				return name, "json-ld"
			}
		}
	}
	if name = p.ldName(main.Get("publisher")); name != "" {
		return name, "json-ld"
	}
	for _, n := range p.nodes {
		if name = p.ldName(n.Get("publisher")); name != "" {
			return name, "json-ld"
		}
	}
	return named(strings.TrimPrefix(strings.ToLower(p.URL.Hostname()), "www."), "host")
}

func (p *Page) chooseURL() (address, source string) {
	if s, ok := p.resolveMeta("og:url"); ok {
		return s, "og:url"
	}
	for i := range p.Canonicals {
		if s, ok := p.Resolve(p.Canonicals[i].Href); ok {
			return s, "canonical"
		}
	}
	if s, ok := p.Resolve(p.URL.String()); ok {
		return s, "page"
	}
	return "", ""
}

// card returns the effective card: the declared one if X supports it, otherwise the one that X shows for Open Graph
// tags alone.
func (p *Page) card() (card, source string) {
	const declared = "twitter:card"
	switch card = strings.ToLower(p.Meta.Get(declared)); card {
	case "summary", "summary_large_image", "app", "player":
		return card, declared
	case "photo", "gallery": // retired
		return "summary_large_image", declared
	case "product":
		return "summary", declared
	}
	if p.Meta.Get("og:title") != "" && (p.Meta.Get("og:description") != "" || p.Meta.Get("og:type") != "") {
		return "summary", "og:title"
	}
	return "", ""
}
