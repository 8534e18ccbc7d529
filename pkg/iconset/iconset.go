// Package iconset owns what goes with the icons of a site: the web app manifest that names them, the elements for the
// head of its pages, and the archive that holds it all. The icons themselves are drawn by package render/icon.
//
//	files, err := iconset.Files(site, icons, true)
//	archive, err := iconset.Zip(files)
//
// It knows files alone, no service: a command and a benchmark use it as the service does.
package iconset

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/rivo/uniseg"
)

// The names of the icons. Source: the specification, "An icon_set response lists these assets", for the first six.
const (
	Favicon16  = "favicon-16.png"
	Favicon32  = "favicon-32.png"
	Favicon48  = "favicon-48.png"
	AppleTouch = "apple-touch-icon.png"
	Icon192    = "icon-192.png"
	Icon512    = "icon-512.png"
)

// The names of the other files. Icons for a dark tab bar have names that begin with darkPrefix and say their side.
const (
	ManifestName = "site.webmanifest"
	FaviconICO   = "favicon.ico"
	Maskable512  = "icon-512-maskable.png"
	LinksName    = "links.html"
	darkPrefix   = "favicon-dark-"
)

// Names are the icons of a set as records list them, from small to large.
func Names() []string {
	return []string{Favicon16, Favicon32, Favicon48, AppleTouch, Icon192, Icon512}
}

// Site is what a manifest tells of a site.
type Site struct {
	// Name is what people call it; Host stands in its place where it is not known.
	Name, Host string
	// Theme and Background are colours, "#rrggbb".
	Theme, Background string
}

// Title is what the manifest calls the site.
func (s Site) Title() string {
	if name := strings.TrimSpace(s.Name); name != "" {
		return name
	}
	return s.Host
}

// maxShortName is how many columns a short name has at most: what fits under an icon on a home screen. Source: Web App
// Manifest, "short_name" leaves it open; Chromium's guide names 12 characters.
const maxShortName = 12

// slogan is what separates a name from what is said of it.
var slogan = regexp.MustCompile(`\s+[-–—|·•:]\s+|[:|]\s`)

// shortName is the name as it stands under an icon: its first words, as many as there is room for. One word that is too
// long stays whole: whoever shows it cuts it as that looks best there.
func (s Site) shortName() string {
	name := s.Title()
	if before := slogan.Split(name, 2)[0]; before != "" {
		name = before
	}
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

// File is one file of an icon set.
type File struct {
	Name string
	Data []byte
}

// Files returns all files of a set, given its icons: those of [Names] in that order and the manifest. With extras there
// follow favicon.ico, whatever else there is among icons, and the elements for the head of a page whose site has the
// files in its root.
func Files(site Site, icons []File, extras bool) ([]File, error) {
	var files []File
	for _, name := range Names() {
		i := slices.IndexFunc(icons, func(f File) bool { return f.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("make an icon set: there is no %s", name)
		}
		files = append(files, icons[i])
	}
	rest := slices.DeleteFunc(slices.Clone(icons), func(f File) bool { return slices.Contains(Names(), f.Name) })
	if !extras {
		rest = nil
	}
	maskable := slices.ContainsFunc(rest, func(f File) bool { return f.Name == Maskable512 })
	manifest, err := Manifest(site, maskable)
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
	files = append(files, rest...)
	return append(files, File{LinksName, []byte(Links("/", site, files))}), nil
}
