package scrape

import (
	"cmp"
	"slices"
	"strings"

	"masthead/pkg/page"
)

// This file finds where a site may have an icon, and guesses which files are worth a request.

// Relations of icons that have no link element.
const (
	relTile      = "msapplication-tileimage" // a meta element
	relFavicon   = "/favicon.ico"            // the default location of every site
	relTouchRoot = "/apple-touch-icon.png"
)

// maxIconLinks is the maximum number of candidates reported.
const maxIconLinks = 32

// Assumed sides, in pixels, of icons that don't state theirs: the usual size of such files. The two that may not exist
// at all are requested after those that the page names.
const (
	guessTouch     = 180 // Apple's size for phones since 2014
	guessTile      = 144 // Microsoft's size of a tile picture
	guessLogo      = 112 // Google's minimum size of an Organization's logo
	guessLink      = 64
	guessTouchRoot = 63
	guessICO       = 32
	guessFavicon   = 31
)

// iconLinks returns where the site may have an icon, without duplicates: SVGs first, then the largest by stated size,
// and last those for special purposes. p may be nil.
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

// isLogo reports whether a file is declared as the logo of the site's owner, which may be a wordmark.
func isLogo(rel string) bool { return rel == page.LogoOG || rel == page.LogoJSONLD }

// lesser reports whether an icon has a special purpose and represents the site only if there is no other: maskable
// icons, and icons for dark screens.
func lesser(icon *page.Icon) bool {
	return icon.Purpose != "" && icon.Purpose != "any" || appearanceOf(icon.Media) == DarkAppearance
}

// guessSide returns the stated or assumed side of an icon.
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
