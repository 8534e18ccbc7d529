package page

import (
	"net/url"
	"strings"
)

// Preferred minimum sizes of the favicon, in pixels: what a tab shows on a high-density screen, and the smallest touch
// icon size ever in use.
const (
	faviconTarget = 32
	touchTarget   = 57
)

// Side returns the size of the icon from its sizes attribute: the smaller side, in pixels, of the largest pair in the
// list, or 0 without one.
func (i *Icon) Side() int {
	best := 0
	for rest := i.Sizes; rest != ""; {
		var size string
		size, rest, _ = strings.Cut(rest, " ")
		w, h, ok := strings.Cut(strings.ToLower(size), "x")
		if !ok {
			continue
		}
		best = max(best, min(side(w), side(h)))
	}
	return best
}

// side parses a number of at most five digits, or returns 0.
func side(s string) int {
	if s == "" || len(s) > 5 {
		return 0
	}
	n := 0
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0
		}
		n = n*10 + int(c-'0')
	}
	return n
}

// SVG reports whether the link declares the icon as an SVG picture.
func (i *Icon) SVG() bool {
	if strings.EqualFold(i.Type, "image/svg+xml") {
		return true
	}
	path := strings.ToLower(i.URL)
	if end := strings.IndexAny(path, "?#"); end >= 0 {
		path = path[:end]
	}
	if strings.HasSuffix(path, ".svg") {
		return true
	}
	for _, size := range strings.Fields(i.Sizes) {
		if strings.EqualFold(size, "any") {
			return !strings.HasSuffix(path, ".ico")
		}
	}
	return false
}

// chooseFavicon returns the address of the icon for a preview, and its source.
func (p *Page) chooseFavicon() (address, source string) {
	if i := p.bestIcon(faviconTarget, "icon"); i != nil {
		return i.URL, i.Rel
	}
	if i := p.bestIcon(touchTarget, "apple-touch-icon", "apple-touch-icon-precomposed"); i != nil {
		return i.URL, i.Rel
	}
	if s, ok := p.resolveMeta("msapplication-tileimage"); ok {
		return s, "msapplication-tileimage"
	}
	const atRoot = "/favicon.ico"
	s, ok := p.AtRoot(atRoot)
	if !ok {
		return "", ""
	}
	return named(s, atRoot)
}

// AtRoot returns the address of a path on the page's host; ok is false for a page without a host.
func (p *Page) AtRoot(path string) (address string, ok bool) {
	if p.URL.Scheme != "http" && p.URL.Scheme != "https" || p.URL.Host == "" {
		return "", false
	}
	return absolute(&url.URL{Scheme: p.URL.Scheme, Host: p.URL.Host, Path: path})
}

// Sources of logos.
const (
	LogoOG     = "og:logo"      // a meta element
	LogoJSONLD = "JSON-LD logo" // a member of structured data
)

// maxLogos is the maximum number of logos from structured data. Most sites have one.
const maxLogos = 4

// Logos returns the logos of the site's owner: that of og:logo, and those of an organization or of the page's publisher
// in structured data.
func (p *Page) Logos() []Icon {
	var logos []Icon
	if s, ok := p.resolveMeta(LogoOG); ok {
		logos = append(logos, Icon{Rel: LogoOG, Href: p.Meta.Get(LogoOG), URL: s})
	}
	for _, node := range p.nodes {
		for _, of := range [...]*Value{node, p.Follow(node.Get("publisher"))} {
			if s := p.ldImage(of.Get("logo")); s != "" && len(logos) < maxLogos {
				logos = append(logos, Icon{Rel: LogoJSONLD, Href: s, URL: s})
			}
		}
	}
	return logos
}

// bestIcon chooses among the icons of the given relations, in the order of rels: the last SVG; else the smallest of at
// least target; else the largest. Of equal sizes the last one wins, as in the HTML standard.
func (p *Page) bestIcon(target int, rels ...string) *Icon {
	var best, svg *Icon
	bestSide := 0
	for _, rel := range rels {
		for i := range p.Icons {
			icon := &p.Icons[i]
			if icon.Rel != rel || icon.URL == "" {
				continue
			}
			if icon.SVG() {
				svg = icon
			}
			side := icon.Side()
			better := best == nil
			if !better && side >= target {
				better = bestSide < target || side <= bestSide
			} else if !better {
				better = bestSide < target && side >= bestSide
			}
			if better {
				best, bestSide = icon, side
			}
		}
	}
	if svg != nil {
		return svg
	}
	return best
}
