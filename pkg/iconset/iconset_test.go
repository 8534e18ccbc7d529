package iconset_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"masthead/pkg/iconset"
	"masthead/pkg/picture"
)

// square returns a PNG of one color.
func square(t *testing.T, side int, c color.NRGBA) []byte {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, side, side))
	for i := 0; i < len(img.Pix); i += 4 {
		copy(img.Pix[i:], []byte{c.R, c.G, c.B, c.A})
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

var sides = map[string]int{
	iconset.Favicon16: 16, iconset.Favicon32: 32, iconset.Favicon48: 48,
	iconset.AppleTouch: 180, iconset.Icon192: 192, iconset.Icon512: 512,
}

// icons returns the six icons, in the order in which records keep them, and more.
func icons(t *testing.T, more ...iconset.File) []iconset.File {
	t.Helper()
	names := iconset.Names()
	slices.Reverse(names)
	var all []iconset.File
	for _, name := range names {
		data := square(t, sides[name], color.NRGBA{200, 0, uint8(sides[name]), 255})
		all = append(all, iconset.File{Name: name, Data: data})
	}
	return append(all, more...)
}

var site = iconset.Site{Name: "Example & Söhne", Host: "example.com", Theme: "#0f766e", Background: "#ffffff"}

func namesOf(files []iconset.File) (names []string) {
	for _, f := range files {
		names = append(names, f.Name)
	}
	return names
}

// Source: docs/icons.md: every asset plus a site.webmanifest.
func TestFiles_sixIconsAndTheManifest(t *testing.T) {
	extra := iconset.File{Name: iconset.Maskable512, Data: square(t, 512, color.NRGBA{1, 2, 3, 255})}
	dark := iconset.File{Name: "favicon-dark-32.png", Data: square(t, 32, color.NRGBA{9, 9, 9, 255})}
	files, err := iconset.Files(site, icons(t, extra, dark), false)
	if err != nil {
		t.Fatal(err)
	}
	want := append(iconset.Names(), "site.webmanifest")
	if got := namesOf(files); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if files, err = iconset.Files(site, icons(t, extra, dark), true); err != nil {
		t.Fatal(err)
	}
	want = append(want, "favicon.ico", iconset.Maskable512, "favicon-dark-32.png", "links.html")
	if got := namesOf(files); !slices.Equal(got, want) {
		t.Errorf("with extras: got %v, want %v", got, want)
	}
	drawn := site
	drawn.SVG = "<svg/>"
	if files, err = iconset.Files(drawn, icons(t), true); err != nil {
		t.Fatal(err)
	}
	links := string(files[len(files)-1].Data)
	if i := slices.IndexFunc(files, func(f iconset.File) bool { return f.Name == "favicon.svg" }); i < 0 ||
		string(files[i].Data) != "<svg/>" || !strings.Contains(links, `type="image/svg+xml" sizes="any" href="/favicon.svg"`) {
		t.Errorf("with an SVG: got %v and %s", namesOf(files), links)
	}
	if files, err = iconset.Files(drawn, icons(t), false); err != nil || len(files) != 7 {
		t.Errorf("with an SVG, without extras: got %v, %v", namesOf(files), err)
	}
	if _, err := iconset.Files(site, icons(t)[1:], false); err == nil {
		t.Error("without one of the six: got no error")
	}
}

type manifest struct {
	Name       string `json:"name"`
	ShortName  string `json:"short_name"`
	Theme      string `json:"theme_color"`
	Background string `json:"background_color"`
	Dark       *struct {
		Theme string `json:"theme_color"`
	} `json:"color_scheme_dark"`
	Icons []struct{ Src, Sizes, Type, Purpose string }
}

func readManifest(t *testing.T, site iconset.Site, extras ...string) (m manifest) {
	t.Helper()
	var files []iconset.File
	for _, name := range extras {
		files = append(files, iconset.File{Name: name})
	}
	text, err := iconset.Manifest(site, files)
	if err == nil {
		err = json.Unmarshal(text, &m)
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Source: docs/icons.md: the manifest references the 192 and 512 sizes.
func TestManifest_namesSiteColoursAndIcons(t *testing.T) {
	m := readManifest(t, site)
	if m.Name != "Example & Söhne" || m.Theme != "#0f766e" || m.Background != "#ffffff" {
		t.Errorf("got %+v", m)
	}
	if len(m.Icons) != 2 || m.Icons[0].Src != "icon-192.png" || m.Icons[0].Sizes != "192x192" ||
		m.Icons[1].Src != "icon-512.png" || m.Icons[1].Sizes != "512x512" || m.Icons[1].Type != "image/png" {
		t.Errorf("got the icons %+v", m.Icons)
	}
	icons := readManifest(t, site, iconset.Maskable512, iconset.Mono512, "favicon-dark-32.png").Icons
	if len(icons) != 4 || icons[3].Purpose != "monochrome" || icons[2].Purpose != "maskable" || icons[1].Purpose != "" {
		t.Errorf("with extras: got the icons %+v", icons)
	}
	dark := site
	dark.DarkTheme = "#0b1220"
	if got := readManifest(t, dark).Dark; m.Dark != nil || got == nil || got.Theme != "#0b1220" {
		t.Errorf("with a theme for dark screens: got %+v, without: %+v", got, m.Dark)
	}
}

func TestManifest_shortNameFitsUnderAnIcon(t *testing.T) {
	for name, want := range map[string]string{
		"Example": "Example", "Example & Söhne": "Example", "The New Yorker": "The New", "A List Apart": "A List Apart",
		"Donaudampfschifffahrt": "Donaudampfschifffahrt", "Acme — the best of all": "Acme", "Acme: tools": "Acme", "C++": "C++", "日本経済新聞社電子版": "日本経済新聞社電子版",
		"": "example", "  ": "example", "Booking.com": "Booking", "www.northlane.co.uk": "northlane", "co.uk": "co.uk",
		"127.0.0.1": "127.0.0.1", "Node.js": "Node.js", "localhost": "localhost",
	} {
		m := readManifest(t, iconset.Site{Name: name, Host: "example.com"})
		if m.ShortName != want {
			t.Errorf("%q: got %q, want %q", name, m.ShortName, want)
		}
		if m.Name == "" || strings.TrimSpace(name) != "" && m.Name != name {
			t.Errorf("%q: got the name %q", name, m.Name)
		}
	}
}

func TestZip_sameFilesAreTheSameBytes(t *testing.T) {
	files, err := iconset.Files(site, icons(t), true)
	if err != nil {
		t.Fatal(err)
	}
	first, err := iconset.Zip(files)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := iconset.Zip(files); err != nil || !bytes.Equal(again, first) {
		t.Errorf("got other bytes, %v", err)
	}
	r, err := zip.NewReader(bytes.NewReader(first), int64(len(first)))
	if err != nil {
		t.Fatal(err)
	}
	var total int
	for i, f := range r.File {
		content, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(content)
		if err != nil || f.Name != files[i].Name || !bytes.Equal(data, files[i].Data) {
			t.Errorf("file %d: got %s of %d bytes, %v, want %s", i, f.Name, len(data), err, files[i].Name)
		}
		if day := f.Modified.Format("2006-01-02 15:04"); day != "1980-01-01 00:00" {
			t.Errorf("%s is of %s", f.Name, day)
		}
		if f.Flags&8 != 0 {
			t.Errorf("%s: its length stands behind it", f.Name)
		}
		total += len(data)
	}
	if overhead := len(first) - total; overhead > 120*len(files) {
		t.Errorf("the archive takes %d bytes for itself", overhead)
	}
}

func TestICO_holdsEachSize(t *testing.T) {
	red := color.NRGBA{255, 0, 0, 255}
	file, err := iconset.ICO(square(t, 16, red), square(t, 32, red), square(t, 256, red))
	if err != nil {
		t.Fatal(err)
	}
	decoder := picture.NewDecoder(picture.Config{})
	for _, side := range []int{16, 32, 256} {
		img, facts, err := decoder.Decode(t.Context(), file, picture.Want{Side: side})
		if err != nil || facts.Format != picture.ICO || img.Rect.Dx() != side || img.NRGBAAt(side/2, side/2) != red {
			t.Errorf("%d: got %v, %v, %v", side, facts, img.Rect, err)
		}
	}
	for name, data := range map[string][]byte{
		"no picture": []byte("nothing"), "cut": square(t, 16, red)[:20], "too large": square(t, 257, red),
	} {
		if _, err := iconset.ICO(data); err == nil {
			t.Errorf("%s: got no error", name)
		}
	}
}

func TestLinks_eachFileThatAPageNames(t *testing.T) {
	dark := iconset.File{Name: "favicon-dark-32.png", Data: square(t, 32, color.NRGBA{9, 9, 9, 255})}
	files, err := iconset.Files(site, icons(t, dark), true)
	if err != nil {
		t.Fatal(err)
	}
	want := `<link rel="icon" sizes="32x32" href="/a&amp;b/favicon.ico">
<link rel="icon" type="image/png" sizes="16x16" href="/a&amp;b/favicon-16.png">
<link rel="icon" type="image/png" sizes="32x32" href="/a&amp;b/favicon-32.png">
<link rel="icon" type="image/png" sizes="48x48" href="/a&amp;b/favicon-48.png">
<link rel="apple-touch-icon" sizes="180x180" href="/a&amp;b/apple-touch-icon.png">
<link rel="manifest" href="/a&amp;b/site.webmanifest">
<link rel="icon" type="image/png" sizes="32x32" media="(prefers-color-scheme: dark)" href="/a&amp;b/favicon-dark-32.png">
<meta name="theme-color" content="#0f766e">
`
	if got := iconset.Links("/a&b/", site, files); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	at := func(name string) string { return "https://cdn.example/" + strconv.Itoa(len(name)) }
	if got := iconset.LinksAt(site, files[:1], at); !strings.Contains(got, `href="https://cdn.example/14"`) {
		t.Errorf("got %s", got)
	}
}

// TestPreview_needsNoOtherFile shows a set whose name is hostile.
func TestPreview_needsNoOtherFile(t *testing.T) {
	odd := site
	odd.Name = `<script>alert("x")</script>`
	mono := iconset.File{Name: iconset.Mono512, Data: square(t, 512, color.NRGBA{0, 0, 0, 255})}
	for name, files := range map[string][]iconset.File{"all": icons(t, mono), "the six": icons(t)} {
		page, err := iconset.Preview(odd, files)
		if err != nil || page.Name != "preview.html" {
			t.Fatal(page.Name, err)
		}
		text := string(page.Data)
		if strings.Contains(text, "<script") || strings.Contains(text, "ZgotmplZ") || strings.Contains(text, `src=""`) ||
			strings.Contains(text, "http:") || strings.Contains(text, "https:") {
			t.Errorf("%s: got %.2000s", name, text)
		}
		if themed := strings.Contains(text, "themed light and dark"); themed != (name == "all") {
			t.Errorf("%s: themed icons are shown: %v", name, themed)
		}
		if got := strings.Count(text, "<figure"); got != 6 {
			t.Errorf("%s: got %d places, want 6", name, got)
		}
	}
}
