package iconset

import (
	"bytes"
	_ "embed" // the page
	"encoding/base64"
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"
)

// This file shows a set where people will see it: in tabs, among bookmarks, on home screens.

// PreviewName is the file of [Preview].
const PreviewName = "preview.html"

// PlacesStyle is the style of the elements that [Places] returns.
//
//go:embed places.css
var PlacesStyle string

//go:embed places.html
var placesText string

var placesPage = template.Must(template.New("").Parse(placesText))

// pageStyle is the style of the rest of a page that stands alone.
const pageStyle = `:root { color-scheme: light dark }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif }
main { max-width: 1040px; margin: 0 auto; padding: 32px 20px }
h1 { font-size: 28px } h2 { font-size: 18px; margin-top: 32px }
ul { display: flex; flex-wrap: wrap; gap: 20px; margin: 0; padding: 0; list-style: none; align-items: end }
li { display: grid; gap: 6px; justify-items: start }
li, p { font-size: 13px } p { margin-top: 20px } li img { outline: 1px solid #80868b40 } li img.dark { background: #202124 }
`

// places is what the templates show.
type places struct {
	Name             string
	Tab, DarkTab     template.URL
	Touch, Large     template.URL
	Maskable, Mono   template.URL
	Light            bool // whether the touch icon is on a light background, which iOS makes dark
	PageStyle, Style template.CSS
	Files            []placedFile
	Others           []string // files that aren't pictures
}

type placedFile struct {
	Name    string
	Picture template.URL
	Side    int
	Dark    bool // for a dark background
}

// Places returns elements that show a set in tabs and bookmarks of light and dark browsers, and on home screens of
// Android and iOS, with [PlacesStyle]. at returns the address of a file, or "" if the set doesn't have it; all
// addresses must be trusted.
func Places(site Site, at func(name string) string) (template.HTML, error) {
	var b bytes.Buffer
	if err := placesPage.ExecuteTemplate(&b, "places", placesOf(site, at)); err != nil {
		return "", fmt.Errorf("show the icons: %w", err)
	}
	return template.HTML(b.String()), nil //nolint:gosec // a template has escaped it
}

func placesOf(site Site, at func(name string) string) places {
	first := func(names ...string) template.URL {
		for _, name := range names {
			if address := at(name); address != "" {
				return template.URL(address) //nolint:gosec // trusted, as the comment of Places says
			}
		}
		return ""
	}
	return places{
		Name: site.shortName(), Tab: first(Favicon32), DarkTab: first(darkPrefix+"32.png", Favicon32),
		Touch: first(AppleTouch), Large: first(Icon192), Maskable: first(Maskable512), Mono: first(Mono512),
		Light: isLight(site.Background),
	}
}

// isLight reports whether a color, "#rrggbb", is light.
func isLight(c string) bool {
	v, err := strconv.ParseUint(strings.TrimPrefix(c, "#"), 16, 24)
	return err == nil && 2*(v>>16)+5*(v>>8&255)+(v&255) > 8*150
}

// Preview returns a page that shows the files of a set, as [Places] does, and needs no other file.
func Preview(site Site, files []File) (File, error) {
	data := func(f File) string {
		return "data:image/png;base64," + base64.StdEncoding.EncodeToString(f.Data)
	}
	p := placesOf(site, func(name string) string {
		if i := slices.IndexFunc(files, func(f File) bool { return f.Name == name }); i >= 0 {
			return data(files[i])
		}
		return ""
	})
	p.PageStyle, p.Style = pageStyle, template.CSS(PlacesStyle) //nolint:gosec // embedded
	for _, f := range files {
		if !strings.HasSuffix(f.Name, ".png") {
			p.Others = append(p.Others, f.Name)
			continue
		}
		picture := template.URL(data(f)) //nolint:gosec // base64
		p.Files = append(p.Files, placedFile{
			Name: f.Name, Picture: picture, Side: min(sideIn(f.Name), 128),
			Dark: strings.HasPrefix(f.Name, darkPrefix),
		})
	}
	var b bytes.Buffer
	if err := placesPage.ExecuteTemplate(&b, "page", p); err != nil {
		return File{}, fmt.Errorf("show the icons: %w", err)
	}
	return File{PreviewName, b.Bytes()}, nil
}

// sideIn returns the side that a file's name states, or that of touch icons.
func sideIn(name string) int {
	for _, part := range strings.FieldsFunc(name, func(r rune) bool { return r == '-' || r == '.' }) {
		if side, err := strconv.Atoi(part); err == nil {
			return side
		}
	}
	return 180
}
