package page

import (
	"bytes"
	"strings"
)

// Icon is a link to an icon, with relation "icon", "apple-touch-icon", "apple-touch-icon-precomposed", "mask-icon" or
// "fluid-icon", or an icon that a manifest or the page names in another way.
type Icon struct {
	// Rel is the one of those relations that makes it an icon, or "manifest", [LogoOG] or [LogoJSONLD] for icons without a
	// link.
	Rel string
	// Href is the attribute as written, URL the absolute address, or "" if it is unusable (a data: address, for example).
	Href, URL string
	// Sizes, Type, Color and Media are the attributes as written.
	Sizes, Type, Color, Media string
	// Purpose is the purpose in a manifest: "any", or "maskable" if that is the only one; "" for links.
	Purpose string
}

// hints are relations that don't describe the page.
var hints = map[string]bool{
	"preload": true, "prefetch": true, "dns-prefetch": true, "preconnect": true, "modulepreload": true, "prerender": true,
	"pingback": true, "edituri": true, "wlwmanifest": true,
}

// rels maps the most common relations to themselves, so that reading them doesn't allocate.
var rels = func() map[string]string {
	m := make(map[string]string)
	for _, rel := range []string{
		"icon", "shortcut icon", "apple-touch-icon", "apple-touch-icon-precomposed", "mask-icon", "fluid-icon", "canonical",
		"alternate", "manifest", "stylesheet", "amphtml", "shortlink", "image_src", "next", "prev", "search", "author",
		"license", "publisher", "me", "home", "preload", "prefetch", "dns-prefetch", "preconnect", "modulepreload",
		"prerender", "pingback", "edituri", "wlwmanifest",
	} {
		m[rel] = rel
	}
	return m
}()

// relOf returns a rel attribute as lowercase tokens separated by single spaces.
func relOf(raw []byte) string {
	var buf [40]byte
	if len(raw) <= len(buf) {
		for i, c := range raw {
			if class[c]&foldsUpper != 0 {
				c |= 0x20
			}
			buf[i] = c
		}
		if rel, ok := rels[string(buf[:len(raw)])]; ok {
			return rel
		}
	}
	return strings.ToLower(strings.Join(strings.Fields(decodeAttr(limit(raw, 200))), " "))
}

// link handles a link element.
func (r *reader) link() {
	s, p := &r.sc, r.page
	raw, ok := s.attr("rel")
	if !ok {
		return
	}
	href, ok := s.attr("href")
	if href = bytes.TrimSpace(href); !ok || len(href) == 0 || len(p.Links) >= maxLinks {
		return
	}
	rel := relOf(raw)
	if hints[rel] {
		return
	}
	l := Link{Rel: rel, Href: strings.TrimSpace(decodeAttr(href)), InHead: r.inHead, End: s.end}
	if l.Has("stylesheet") {
		if p.Stylesheet == "" && !l.Has("alternate") {
			p.Stylesheet = l.Href
			p.Links = append(p.Links, l)
		}
		return
	}
	for i := range s.attrs {
		a := &s.attrs[i]
		var to *string
		name := s.src[a.name.from:a.name.to]
		switch {
		case equalFold(name, "type"):
			to = &l.Type
		case equalFold(name, "sizes"):
			to = &l.Sizes
		case equalFold(name, "media"):
			to = &l.Media
		case equalFold(name, "color"):
			to = &l.Color
		case equalFold(name, "hreflang"):
			to = &l.Hreflang
		case equalFold(name, "title"):
			to = &l.Title
		}
		if to != nil && *to == "" {
			*to = cleanAttr(limit(s.src[a.value.from:a.value.to], 256))
		}
	}
	p.Links = append(p.Links, l)
}

// sortLinks assigns the links to the page's fields, once the base is known.
func (p *Page) sortLinks() {
	for i := range p.Links {
		l := &p.Links[i]
		if rel := iconRel(l); rel != "" {
			icon := Icon{Rel: rel, Href: l.Href, Sizes: l.Sizes, Type: l.Type, Color: l.Color, Media: l.Media}
			icon.URL, _ = p.Resolve(l.Href)
			p.Icons = append(p.Icons, icon)
			continue
		}
		switch {
		case l.Has("canonical"):
			p.Canonicals = append(p.Canonicals, *l)
		case l.Hreflang != "" && l.Has("alternate"):
			p.Hreflang = append(p.Hreflang, *l)
		case p.Manifest == "" && l.Has("manifest"):
			p.Manifest, _ = p.Resolve(l.Href)
		}
	}
	if p.Stylesheet != "" {
		p.Stylesheet, _ = p.Resolve(p.Stylesheet)
	}
}

// iconRel returns the relation that makes l an icon, or "".
func iconRel(l *Link) string {
	for _, rel := range [...]string{
		"icon", "apple-touch-icon", "apple-touch-icon-precomposed", "mask-icon", "fluid-icon",
	} {
		if l.Has(rel) {
			return rel
		}
	}
	return ""
}
