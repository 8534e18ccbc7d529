package main

import (
	"cmp"
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"masthead/cmd/masthead/targets"
	"masthead/cmd/masthead/usage"
	"masthead/pkg/weburl"
	"masthead/render"
)

// Default names of pictures.
const (
	defaultFile   = "card.png"
	defaultFolder = "cards"
)

// stdout is the place of standard output.
const stdout = "-"

// formats are the output formats by file extension.
var formats = map[string]render.Format{".png": render.PNG, ".jpg": render.JPEG, ".jpeg": render.JPEG}

// pictureSuffixes are extensions that folders don't have.
var pictureSuffixes = []string{
	".png", ".jpg", ".jpeg", ".webp", ".avif", ".gif", ".svg", ".bmp", ".tif", ".tiff", ".pdf",
}

// maxUnnamedPNG is the size in bytes up to which a picture whose name leaves the format open is a PNG: what platforms
// load safely. Source: docs/rendering.md#encode.
const maxUnnamedPNG = 300_000

// place is the destination and format of a picture. Without a format, the path has no extension yet: see
// [place.named].
type place struct {
	path   string
	format render.Format
	stdout bool
}

// placeOne returns the place of a single picture: a file with exactly this name, a folder, or a name to which the
// extension of the format is added. Other extensions are rejected, instead of writing under another name or in a format
// that doesn't match the name.
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
	if !ok && filepath.Ext(output) != "" {
		return place{}, usage.Errorf("-o %s: pictures are written as .png and .jpg; a folder ends in /", output)
	}
	if info, err := os.Stat(filepath.Dir(output)); err != nil || !info.IsDir() {
		return place{}, usage.Errorf("-o %s: there is no folder %s", output, filepath.Dir(output))
	}
	return place{path: output, format: format}, nil
}

// named returns the place with the extension that is added to a name without one.
func (p place) named(extension string) place {
	if p.format == "" {
		p.path += "." + strings.TrimPrefix(extension, ".")
	}
	return p
}

// placeMany returns the places of several pages' pictures: a folder, with names derived from the addresses.
func placeMany(output string, list targets.List) ([]place, error) {
	output = cmp.Or(output, defaultFolder)
	info, err := os.Stat(output)
	switch {
	case output == stdout:
		return nil, usage.Errorf("-o -: standard output takes one picture; for several, name a folder")
	case err == nil && !info.IsDir():
		return nil, usage.Errorf("-o %s is a file: several pages are drawn into a folder", output)
	case err != nil && slices.Contains(pictureSuffixes, strings.ToLower(filepath.Ext(output))):
		return nil, usage.Errorf("-o %s: several pages are drawn into a folder, and this is the name of a picture", output)
	}
	if err := makeFolder(output); err != nil {
		return nil, err
	}
	places := make([]place, len(list.Addresses))
	taken := map[string]bool{}
	for i, page := range list.Addresses {
		base := baseName(page)
		if list.Folder != nil {
			base = folderName(list.Folder, page)
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

// maxBaseName is the maximum length of a name derived from an address in bytes; file systems allow 255.
const maxBaseName = 120

// baseName derives the name of a picture from its page's address: "example.com-blog-hello" for
// https://example.com/blog/hello.html. It is in lower case, since some file systems ignore case.
func baseName(page weburl.URL) string {
	u := page.URL()
	query, err := url.QueryUnescape(u.RawQuery)
	if err != nil {
		query = u.RawQuery
	}
	name := joinWords(page.Hostname(), portOf(page)+routeOf(u.Path)+" "+query)
	return strings.Trim(strings.ReplaceAll(name, ":", "-"), ".-") // of an IPv6 address
}

// folderName derives the name of a picture from the path of a page below the folder's address: "blog-hello", or "index"
// for the folder itself.
func folderName(f *targets.Folder, page weburl.URL) string {
	below := strings.TrimPrefix(page.URL().Path+"/", f.Base.URL().Path)
	if name := strings.Trim(joinWords("", routeOf(strings.TrimSuffix(below, "/"))), ".-"); name != "" {
		return name
	}
	return "index"
}

// routeOf returns a path without extensions and index names.
func routeOf(route string) string {
	route = strings.TrimSuffix(route, "/")
	if ext := path.Ext(route); ext == ".html" || ext == ".htm" || ext == ".php" {
		route = strings.TrimSuffix(route, ext)
	}
	return route
}

// joinWords appends the words of a text to a name, separated by hyphens.
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

// portOf returns the explicit port of an address.
func portOf(page weburl.URL) string {
	if port := page.URL().Port(); port != "" {
		return " " + port
	}
	return ""
}

// write writes the picture under exactly this name.
func (p place) write(picture []byte) error { return writeFile(p.path, picture) }
