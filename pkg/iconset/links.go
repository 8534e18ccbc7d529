package iconset

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
)

var sideOf = regexp.MustCompile(`-([0-9]{2,3})\.png$`)

// Links returns the elements for the head of a page, one per line, for the files that pages link to. The files are
// served at base, which ends in a slash, under their own names. Source: HTML, "Link type icon" and "manifest"
// (https://html.spec.whatwg.org/#rel-icon); Apple, "Configuring Web Applications" (apple-touch-icon).
func Links(base string, site Site, files []File) string {
	return LinksAt(site, files, func(name string) string { return base + name })
}

// LinksAt is like [Links] for files with individual addresses.
func LinksAt(site Site, files []File, at func(name string) string) string {
	var b strings.Builder
	link := func(rel, more, name string) {
		fmt.Fprintf(&b, "<link rel=%q%s href=\"%s\">\n", rel, more, html.EscapeString(at(name)))
	}
	// Browsers assume that an ICO has all sizes unless the link says otherwise. Of two equally suitable icons they
	// use the last (HTML standard, 4.6.7.8), so the ICO comes before the PNGs, which are smaller.
	isICO := func(f File) bool { return f.Name == FaviconICO }
	if i := slices.IndexFunc(files, isICO); i >= 0 {
		files = slices.Concat(files[i:i+1], files[:i], files[i+1:])
	}
	for _, f := range files {
		side := ""
		if m := sideOf.FindStringSubmatch(f.Name); m != nil {
			side = fmt.Sprintf(" sizes=\"%[1]sx%[1]s\"", m[1])
		}
		switch {
		case f.Name == FaviconICO:
			link("icon", ` sizes="32x32"`, f.Name)
		case f.Name == FaviconSVG:
			link("icon", ` type="image/svg+xml" sizes="any"`, f.Name)
		case f.Name == ManifestName:
			link("manifest", "", f.Name)
		case f.Name == AppleTouch:
			link("apple-touch-icon", ` sizes="180x180"`, f.Name)
		case strings.HasPrefix(f.Name, darkPrefix):
			link("icon", ` type="image/png"`+side+` media="(prefers-color-scheme: dark)"`, f.Name)
		case f.Name == Favicon16, f.Name == Favicon32, f.Name == Favicon48:
			link("icon", ` type="image/png"`+side, f.Name)
		}
	}
	if site.Theme != "" {
		fmt.Fprintf(&b, "<meta name=\"theme-color\" content=\"%s\">\n", html.EscapeString(site.Theme))
	}
	return b.String()
}
