// Package iconset builds the files around a site's icons: the web app manifest, the elements for the head of its
// pages, and the ZIP archive. Package render/icon draws the icons themselves.
//
//	files, err := iconset.Files(site, icons, true)
//	archive, err := iconset.Zip(files)
//
// It works on files alone, so the command line and benchmarks use it just as the service does.
package iconset

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/rivo/uniseg"

	"masthead/pkg/weburl"
)

// Names of the icons. Source for the first six: docs/icons.md.
const (
	Favicon16  = "favicon-16.png"
	Favicon32  = "favicon-32.png"
	Favicon48  = "favicon-48.png"
	AppleTouch = "apple-touch-icon.png"
	Icon192    = "icon-192.png"
	Icon512    = "icon-512.png"
)

// Names of the other files. Icons for a dark tab bar start with darkPrefix, followed by their size.
const (
	ManifestName = "site.webmanifest"
	FaviconICO   = "favicon.ico"
	FaviconSVG   = "favicon.svg"
	Maskable512  = "icon-512-maskable.png"
	Mono512      = "icon-512-monochrome.png"
	LinksName    = "links.html"
	darkPrefix   = "favicon-dark-"
)

// Names returns the icons of a set in the order of records, from small to large.
func Names() []string {
	return []string{Favicon16, Favicon32, Favicon48, AppleTouch, Icon192, Icon512}
}

// Site describes a site for its manifest.
type Site struct {
	// Name is the site's name. Host is used if the name is unknown.
	Name, Host string
	// Theme and Background are colors, "#rrggbb". Theme may be "", then the files name none.
	Theme, Background string
	// DarkTheme is the theme color for dark screens, "#rrggbb" or "".
	DarkTheme string
	// SVG is the content of favicon.svg, or "".
	SVG string
}

// Title returns the site's name in the manifest.
func (s Site) Title() string {
	if name := strings.TrimSpace(s.Name); name != "" {
		return name
	}
	return s.Host
}

// maxShortName is the maximum width of a short name in columns, which fits under an icon on a home screen. Web App
// Manifest, "short_name", sets no limit; Chromium's documentation recommends 12 characters.
const maxShortName = 12

// slogan matches what separates a site's name from its tagline.
var slogan = regexp.MustCompile(`\s+[-–—|·•:]\s+|[:|]\s`)

// shortName returns the name that is shown under an icon: as many leading words as fit. A single word that is too
// long stays whole, since launchers truncate it in their own way.
func (s Site) shortName() string {
	name := s.Title()
	if before := slogan.Split(name, 2)[0]; before != "" {
		name = before
	}
	name = withoutEnding(name)
	words := strings.Fields(name)
	short := ""
	for i, word := range words {
		next := strings.TrimSpace(short + " " + word)
		if i > 0 && uniseg.StringWidth(next) > maxShortName {
			break
		}
		short = next
	}
	return strings.TrimRight(short, " ,;:&")
}

// withoutEnding returns the part of a domain name that people say, "Example" of "www.Example.co.uk". Other names stay.
func withoutEnding(name string) string {
	host, err := weburl.ParseHost(name)
	label := host.Label()
	if err != nil || label == "" || !host.Registrable() {
		return name
	}
	if at := strings.Index(strings.ToLower(name), label); at >= 0 && len(strings.ToLower(name)) == len(name) {
		return name[at : at+len(label)] // with its capitals
	}
	return label
}

// File is one file of an icon set.
type File struct {
	Name string
	Data []byte
}

// Files returns all files of a set: the icons of [Names], in that order, and the manifest. With extras, favicon.ico,
// favicon.svg, any further icons, and the elements for the head of a page follow, for a site that serves the files from
// its root.
func Files(site Site, icons []File, extras bool) ([]File, error) {
	var files []File
	for _, name := range Names() {
		i := slices.IndexFunc(icons, func(f File) bool { return f.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("make an icon set: %s is missing", name)
		}
		files = append(files, icons[i])
	}
	rest := slices.DeleteFunc(slices.Clone(icons), func(f File) bool { return slices.Contains(Names(), f.Name) })
	if !extras {
		rest = nil
	}
	manifest, err := Manifest(site, rest)
	if err != nil {
		return nil, err
	}
	files = append(files, File{ManifestName, manifest})
	if !extras {
		return files, nil
	}
	favicon, err := ICO(files[0].Data, files[1].Data, files[2].Data)
	if err != nil {
		return nil, err
	}
	files = append(files, File{FaviconICO, favicon})
	if site.SVG != "" {
		files = append(files, File{FaviconSVG, []byte(site.SVG)})
	}
	files = append(files, rest...)
	return append(files, File{LinksName, []byte(Links("/", site, files))}), nil
}
