package main

import (
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"masthead/pkg/weburl"
	"masthead/render"
)

// Names that a picture gets where the command line has none.
const (
	defaultFile   = "card.png"
	defaultFolder = "cards"
)

// stdout as a place is the standard output.
const stdout = "-"

// formats are the forms that are written, by the end of the file's name.
var formats = map[string]render.Format{".png": render.PNG, ".jpg": render.JPEG, ".jpeg": render.JPEG}

// pictureSuffixes are the ends of names that nobody gives to a folder.
var pictureSuffixes = []string{
	".png", ".jpg", ".jpeg", ".webp", ".avif", ".gif", ".svg", ".bmp", ".tif", ".tiff", ".pdf",
}

// place is where a picture goes, and in which form.
type place struct {
	path   string
	format render.Format
	stdout bool
}

// placeOne says where the one picture goes: into the file of exactly this name, or a folder. What ends in nothing that
// we write is refused, rather than written under another name or in a form that its name denies.
func placeOne(output string) (place, error) {
	switch output {
	case "":
		return place{path: defaultFile, format: render.PNG}, nil
	case stdout:
		return place{stdout: true, format: render.PNG}, nil
	}
	info, err := os.Stat(output)
	switch {
	case err == nil && info.IsDir(), err != nil && os.IsPathSeparator(output[len(output)-1]):
		return place{path: filepath.Join(output, defaultFile), format: render.PNG}, makeFolder(output)
	case err == nil && !info.Mode().IsRegular(): // /dev/null, a pipe
		return place{path: output, format: render.PNG}, nil
	}
	format, ok := formats[strings.ToLower(filepath.Ext(output))]
	if !ok {
		return place{}, wrongUsage("-o %s: pictures are written as .png and .jpg; a folder ends in /", output)
	}
	if info, err := os.Stat(filepath.Dir(output)); err != nil || !info.IsDir() {
		return place{}, wrongUsage("-o %s: there is no folder %s", output, filepath.Dir(output))
	}
	return place{path: output, format: format}, nil
}

// placeMany says where the pictures of several pages go: into a folder, under names made of the addresses.
func placeMany(output string, list pageList) ([]place, error) {
	if output == "" {
		output = defaultFolder
	}
	info, err := os.Stat(output)
	switch {
	case output == stdout:
		return nil, wrongUsage("-o -: standard output takes one picture; for several, name a folder")
	case err == nil && !info.IsDir():
		return nil, wrongUsage("-o %s is a file: several pages are drawn into a folder", output)
	case err != nil && slices.Contains(pictureSuffixes, strings.ToLower(filepath.Ext(output))):
		return nil, wrongUsage("-o %s: several pages are drawn into a folder, and this is the name of a picture", output)
	}
	if err := makeFolder(output); err != nil {
		return nil, err
	}
	places := make([]place, len(list.addresses))
	taken := map[string]bool{}
	for i, page := range list.addresses {
		base := baseName(page)
		if list.folder != nil {
			base = list.folder.baseName(page)
		}
		name := base
		for n := 2; taken[name]; n++ {
			name = fmt.Sprintf("%s-%d", base, n)
		}
		taken[name] = true
		places[i] = place{path: filepath.Join(output, name+".png"), format: render.PNG}
	}
	return places, nil
}

func makeFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("create the folder for the pictures: %w", err)
	}
	return nil
}

// maxBaseName is how many bytes of a name come from the address; file systems take 255.
const maxBaseName = 120

// baseName makes the name of a picture from its page's address: "example.com-blog-hello" for
// https://example.com/blog/hello.html. Letters are small, since some file systems take Hello and hello for one.
func baseName(page weburl.URL) string {
	u := page.URL()
	query, err := url.QueryUnescape(u.RawQuery)
	if err != nil {
		query = u.RawQuery
	}
	name := joinWords(page.Hostname(), portOf(page)+routeOf(u.Path)+" "+query)
	return strings.Trim(strings.ReplaceAll(name, ":", "-"), ".-") // of an IPv6 address
}

// baseName makes the name of a picture from the path of a page below the folder's address: "blog-hello", and "index"
// for the folder itself.
func (f *folder) baseName(page weburl.URL) string {
	below := strings.TrimPrefix(page.URL().Path+"/", f.base.URL().Path)
	if name := strings.Trim(joinWords("", routeOf(strings.TrimSuffix(below, "/"))), ".-"); name != "" {
		return name
	}
	return "index"
}

// routeOf returns a path without what says how its page was made.
func routeOf(route string) string {
	route = strings.TrimSuffix(route, "/")
	if ext := path.Ext(route); ext == ".html" || ext == ".htm" || ext == ".php" {
		route = strings.TrimSuffix(route, ext)
	}
	return route
}

// joinWords appends the words of a text to a name, with hyphens between them.
func joinWords(name, text string) string {
	var b strings.Builder
	b.WriteString(name)
	gap := false
	for _, r := range strings.ToLower(text) {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '.' && r != '_' {
			gap = true
			continue
		}
		if b.Len() > maxBaseName {
			break
		}
		if gap {
			b.WriteByte('-')
		}
		gap = false
		b.WriteRune(r)
	}
	return b.String()
}

// portOf returns the port of an address that names one.
func portOf(page weburl.URL) string {
	if port := page.URL().Port(); port != "" {
		return " " + port
	}
	return ""
}

// write writes the picture under exactly this name.
func (p place) write(picture []byte) error { return writeFile(p.path, picture) }
