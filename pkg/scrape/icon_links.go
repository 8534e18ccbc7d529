package scrape

import (
	"cmp"
	"slices"
	"strings"

	"masthead/pkg/page"
)

// This file finds where a site may have an icon, and guesses which files are worth a request.

// The relations of icons that no link element names.
const (
	relTile      = "msapplication-tileimage" // a meta element
	relFavicon   = "/favicon.ico"            // where every site may have one
	relTouchRoot = "/apple-touch-icon.png"
)

// maxIconLinks bounds the candidates that are told of.
const maxIconLinks = 32

// Sides, in pixels, that icons are taken for which do not say theirs: what such files mostly have. Of the two that may
// not be there at all, each is asked for after those that are named.
const (
	guessTouch     = 180 // Apple's size for phones since 2014
	guessTile      = 144 // Microsoft's size of a tile's picture
	guessLogo      = 112 // Google's least size of an Organization's logo
	guessLink      = 64
	guessTouchRoot = 63
	guessICO       = 32
	guessFavicon   = 31
)

// iconLinks returns where the site may have an icon, once each: SVGs in front, then the largest by what is said of
// them, and last those that are made for a purpose of their own. p may be nil. Source: audit rules, F.1.
func iconLinks(p *page.Page, app *page.Manifest) []page.Icon {
	if p == nil {
		return nil
	}
	all := slices.Concat(p.Icons, app.Icons, app.Maskable)
	for i := range all {
		nameData(&all[i])
	}
	add := func(address, rel string) { all = append(all, page.Icon{Rel: rel, Href: address, URL: address}) }
	all = append(all, p.Logos()...)
	if written := p.Meta.Get(relTile); written != "" {
		if tile, ok := p.Resolve(written); ok {
			add(tile, relTile)
		}
	}
	touch := slices.ContainsFunc(p.Icons, func(i page.Icon) bool { return strings.HasPrefix(i.Rel, "apple-touch-icon") })
	for _, root := range []string{relFavicon, relTouchRoot} {
		if u, ok := p.AtRoot(root); ok && !(touch && root == relTouchRoot) {
			add(u, root)
		}
	}
	all = slices.DeleteFunc(all, func(i page.Icon) bool {
		return i.URL == "" || i.Rel == "mask-icon" || i.Rel == "fluid-icon"
	})
	slices.SortStableFunc(all, func(a, b page.Icon) int {
		return cmp.Or(
			cmp.Compare(miss(!lesser(&a)), miss(!lesser(&b))), cmp.Compare(miss(a.SVG()), miss(b.SVG())),
			-cmp.Compare(guessSide(&a), guessSide(&b)),
		)
	})
	known := map[string]bool{}
	all = slices.DeleteFunc(all, func(i page.Icon) bool {
		at := i.URL
		if strings.HasPrefix(at, dataScheme) {
			at = i.Href
		}
		seen := known[at]
		known[at] = true
		return seen
	})
	return all[:min(len(all), maxIconLinks)]
}

// isLogo says whether a file is named as the logo of who runs the site, which may be a wordmark.
func isLogo(rel string) bool { return rel == page.LogoOG || rel == page.LogoJSONLD }

// lesser says whether an icon is made for one purpose, and stands for the site only when there is no other: one that
// may be cut at its edges, or one for dark screens.
func lesser(icon *page.Icon) bool {
	return icon.Purpose != "" && icon.Purpose != "any" || appearanceOf(icon.Media) == DarkAppearance
}

// guessSide returns the side that an icon says it has, or may have.
func guessSide(icon *page.Icon) int {
	if side := icon.Side(); side > 0 {
		return side
	}
	switch {
	case strings.HasPrefix(icon.Rel, "apple-touch-icon"):
		return guessTouch
	case icon.Rel == relTile:
		return guessTile
	case isLogo(icon.Rel):
		return guessLogo
	case icon.Rel == relFavicon:
		return guessFavicon
	case icon.Rel == relTouchRoot:
		return guessTouchRoot
	case strings.Contains(strings.ToLower(icon.URL), ".ico"):
		return guessICO
	}
	return guessLink
}
