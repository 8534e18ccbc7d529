package card_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"masthead/pkg/card"
	"masthead/pkg/iconset"
	"masthead/pkg/worker"
)

// TestMaker_Make_iconsForOnePurpose has a site with an icon for launchers, one of one color, a theme for dark screens
// and an icon in a format that can't be read: each is used for its purpose, or named.
func TestMaker_Make_iconsForOnePurpose(t *testing.T) {
	t.Parallel()
	square := func(side int, c, dot color.NRGBA) []byte {
		img := image.NewNRGBA(image.Rect(0, 0, side, side))
		for i := range side * side {
			img.SetNRGBA(i%side, i/side, c)
			if x, y := i%side-side/2, i/side-side/2; x*x+y*y < side*side/25 {
				img.SetNRGBA(i%side, i/side, dot)
			}
		}
		var b bytes.Buffer
		if err := png.Encode(&b, img); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	white, green := color.NRGBA{R: 255, G: 255, B: 255, A: 255}, color.NRGBA{R: 0x15, G: 0x80, B: 0x3d, A: 255}
	avif := "\x00\x00\x00\x14ftypavif\x00\x00\x00\x00mif1\x00\x00\x00\x40meta\x00\x00\x00\x00\x00\x00\x00\x34iprp\x00\x00" +
		"\x00\x1cipco\x00\x00\x00\x14ispe\x00\x00\x00\x00\x00\x00\x00\x09\x00\x00\x00\x07"
	files := map[string]string{
		"/page": `<html><head><title>Ofen</title><link rel="icon" href="/icon.png"><link rel="icon" href="/new.avif">` +
			`<link rel="mask-icon" href="/mask.png" color="#123456"><link rel="manifest" href="/m.json">` +
			`<meta name="theme-color" content="#15803d" media="(prefers-color-scheme: light)">` +
			`<meta name="theme-color" content="#0b1220" media="(prefers-color-scheme: dark)"></head></html>`,
		"/m.json":   `{"background_color": "#be123c", "icons": [{"src": "/cut.png", "sizes": "192x192", "purpose": "maskable"}]}`,
		"/bare":     `<html><head><title>Bare</title><link rel="mask-icon" href="/mask.png" color="#123456"></head></html>`,
		"/letter":   `<html><head><title>Letter</title></head></html>`,
		"/icon.png": string(square(192, white, green)), "/new.avif": avif,
		"/cut.png": string(square(192, color.NRGBA{}, white)), "/mask.png": string(square(256, color.NRGBA{}, color.NRGBA{A: 255})),
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		file, ok := files[r.URL.Path]
		if !ok {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		if strings.HasPrefix(file, "<html") {
			w.Header().Set("Content-Type", "text/html")
		}
		_, _ = w.Write([]byte(file))
	}))
	t.Cleanup(site.Close)
	m, _ := newMaker(t, site, worker.Config{}, nil)
	set := func(page string) (card.Result, map[string][]byte) {
		d, err := m.Make(t.Context(), card.Request{URL: site.URL + page, Kind: card.IconSet})
		if err != nil {
			t.Fatal(err)
		}
		all, err := d.IconSet(true)
		if err != nil {
			t.Fatal(err)
		}
		named := map[string][]byte{}
		for _, f := range all {
			named[f.Name] = f.Data
		}
		return d, named
	}
	at := func(file []byte, x, y int) color.NRGBA {
		img, err := png.Decode(bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		return color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
	}
	d, named := set("/page")
	if got, want := at(named[iconset.Maskable512], 5, 5), (color.NRGBA{R: 0xbe, G: 0x12, B: 0x3c, A: 255}); got != want {
		t.Errorf("maskable: got the background %v, want %v", got, want)
	}
	if got := at(named[iconset.Maskable512], 256, 256); got != white {
		t.Errorf("maskable: got the mark %v, want %v", got, white)
	}
	mono := named[iconset.Mono512]
	if edge, middle := at(mono, 5, 5), at(mono, 256, 256); edge.A != 0 || middle.A != 255 {
		t.Errorf("monochrome: got %v at the edge, %v in the middle", edge, middle)
	}
	manifest := string(named[iconset.ManifestName])
	for _, want := range []string{"color_scheme_dark", "#0B1220", iconset.Maskable512, iconset.Mono512} {
		if !strings.Contains(manifest, want) {
			t.Errorf("the manifest lacks %s: %s", want, manifest)
		}
	}
	if text := fmt.Sprint(d.Warnings); !strings.Contains(text, "/new.avif") || !strings.Contains(text, "AVIF") {
		t.Errorf("got the warnings %s, want one that names the AVIF", text)
	}
	if svg := named[iconset.FaviconSVG]; svg != nil {
		t.Errorf("a set from a PNG: got the SVG %s", svg)
	}
	if _, letter := set("/letter"); !bytes.HasPrefix(letter[iconset.FaviconSVG], []byte("<svg")) {
		t.Errorf("a letter: got the SVG %q", letter[iconset.FaviconSVG])
	}
	_, named = set("/bare")
	if got, want := at(named[iconset.Icon512], 256, 256), (color.NRGBA{R: 0x12, G: 0x34, B: 0x56, A: 255}); got != want {
		t.Errorf("an icon of one color alone: got it in %v, want %v", got, want)
	}
}
