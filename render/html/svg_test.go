package html_test

import (
	"image/color"
	"strings"
	"testing"

	"masthead/render/html"
)

// drawing returns the picture of the content of an SVG file of 100x60.
func drawing(t testing.TB, content string) func(x, y int) color.NRGBA {
	t.Helper()
	img, ok := html.SVG(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 60">` + content + `</svg>`)
	if !ok {
		t.Fatalf("%s isn't drawn", content)
	}
	pic, err := img.Pixels(100, 60)
	if err != nil {
		t.Fatal(err)
	}
	return pic.NRGBAAt
}

func TestSVG_pixels(t *testing.T) {
	red, blue, none := color.NRGBA{255, 0, 0, 255}, color.NRGBA{0, 0, 255, 255}, color.NRGBA{}
	type at struct {
		x, y int
		c    color.NRGBA
	}
	const two = `<stop offset=".5" stop-color="red"/><stop offset=".5" stop-color="blue"/>`
	for content, want := range map[string][]at{
		`<rect x="10" y="10" width="40" height="40" fill="red"/>`:                                                                                                             {{10, 10, red}, {9, 9, none}},
		`<rect x="10" y="10" width="40" height="40" rx="20" fill="#f00"/>`:                                                                                                    {{30, 30, red}, {11, 11, none}},
		`<circle cx="30" cy="30" r="20" style="fill:red"/>`:                                                                                                                   {{30, 12, red}, {12, 12, none}},
		`<ellipse cx="50" cy="30" rx="40" ry="10" fill="red"/>`:                                                                                                               {{15, 30, red}, {50, 45, none}},
		`<path d="M10 10h40v40h-40z" fill="red"/>`:                                                                                                                            {{30, 30, red}, {55, 30, none}},
		`<path d="M10,10 50,10l0 40-40 0" fill="red"/>`:                                                                                                                       {{30, 30, red}},
		`<path d="M0 0h60v60h-60zM20 20h20v20h-20z" fill="red" fill-rule="evenodd"/>`:                                                                                         {{10, 10, red}, {30, 30, none}},
		`<polygon points="10,10 50,10 50,50 10,50" fill="red"/>`:                                                                                                              {{30, 30, red}},
		`<line x1="0" y1="30" x2="100" y2="30" stroke="red" stroke-width="10"/>`:                                                                                              {{50, 33, red}, {50, 40, none}},
		`<line x1="20" y1="30" x2="80" y2="30" stroke="red" stroke-width="10" stroke-linecap="square"/>`:                                                                      {{17, 30, red}, {13, 30, none}},
		`<line x1="0" y1="30" x2="100" y2="30" stroke="red" stroke-width="10" stroke-dasharray="20 10"/>`:                                                                     {{10, 30, red}, {25, 30, none}, {35, 30, red}},
		`<g transform="translate(20 0) scale(2)" fill="red"><rect width="10" height="10"/></g>`:                                                                               {{39, 19, red}, {41, 21, none}},
		`<g transform="rotate(90 50 30)"><rect x="40" y="20" width="40" height="2" fill="red"/></g>`:                                                                          {{59, 50, red}, {75, 21, none}},
		`<defs><rect id="r" width="10" height="10" fill="red"/></defs><use href="#r" x="20" y="20"/>`:                                                                         {{25, 25, red}, {5, 5, none}},
		`<symbol id="s" viewBox="0 0 1 1"><rect width="1" height="1" fill="red"/></symbol><use href="#s" width="40" height="40"/>`:                                            {{39, 39, red}, {45, 45, none}},
		`<linearGradient id="g">` + two + `</linearGradient><rect width="100" height="60" fill="url(#g)"/>`:                                                                   {{40, 30, red}, {60, 30, blue}},
		`<linearGradient id="g" gradientUnits="userSpaceOnUse" x1="0" x2="0" y2="60">` + two + `</linearGradient><rect width="9" height="60" fill="url(#g)"/>`:                {{5, 20, red}, {5, 40, blue}},
		`<radialGradient id="g" href="#h"/><linearGradient id="h">` + two + `</linearGradient><rect width="60" height="60" fill="url(#g)"/>`:                                  {{30, 30, red}, {5, 30, blue}},
		`<clipPath id="c"><circle cx="30" cy="30" r="10"/></clipPath><rect width="60" height="60" fill="red" clip-path="url(#c)"/>`:                                           {{30, 30, red}, {10, 10, none}},
		`<mask id="m"><rect width="30" height="60" fill="#fff"/></mask><rect width="60" height="60" fill="red" mask="url(#m)"/>`:                                              {{10, 30, red}, {40, 30, none}},
		`<filter id="f" x="-1" y="-1" width="3" height="3"><feOffset dx="10"/></filter><rect width="10" height="10" fill="red" filter="url(#f)"/>`:                            {{5, 5, none}, {15, 5, red}},
		`<filter id="f"><feFlood flood-color="blue"/><feComposite in2="SourceGraphic" operator="in"/></filter><rect width="10" height="10" fill="red" filter="url(#f)"/>`:     {{5, 5, blue}},
		`<linearGradient id="g"><stop stop-color="red" stop-opacity="0"/><stop offset="1" stop-color="#00f"/></linearGradient><rect width="100" height="60" fill="url(#g)"/>`: {{50, 30, color.NRGBA{127, 0, 128, 129}}},
		`<g opacity="0"><rect width="60" height="60" fill="red"/></g>`:                                                                                                        {{30, 30, none}},
		`<rect width="60" height="60" fill="none"/>`:                                                                                                                          {{30, 30, none}},
	} {
		get := drawing(t, content)
		for _, p := range want {
			if got := get(p.x, p.y); got != p.c {
				t.Errorf("%s: %d,%d is %v, want %v", content, p.x, p.y, got, p.c)
			}
		}
	}
}

func TestSVG_sizes(t *testing.T) {
	for document, want := range map[string][3]float64{
		`<svg width="20" height="10"/>`:            {20, 10, 2},
		`<svg viewBox="0 0 30 10"/>`:               {0, 0, 3},
		`<svg width="60px" viewBox="0 0 30 10"/>`:  {60, 20, 3},
		`<?xml version="1.0"?><svg height="1in"/>`: {0, 96, 0},
	} {
		img, ok := html.SVG(document)
		if !ok {
			t.Fatalf("%s isn't drawn", document)
		}
		if w, h, ratio := img.Size(); [3]float64{w, h, ratio} != want {
			t.Errorf("%s is %v, %v, %v, want %v", document, w, h, ratio, want)
		}
	}
	for _, document := range []string{"", "<p/>", "<svg><text>a</text></svg>", "<svg><style/></svg>", "<svg>", "<svg/><svg/>", "not XML <"} {
		if img, ok := html.SVG(document); ok && document != "<svg>" {
			t.Errorf("%s is drawn: %v", document, img)
		}
	}
}

// TestSVG_hostile draws what refers to itself, or multiplies.
func TestSVG_hostile(t *testing.T) {
	uses := `<rect id="u0" width="9" height="9"/>`
	for c := 'b'; c < 'z'; c++ {
		uses += `<g id="` + string(c) + `">` + strings.Repeat(`<use href="#`+string(c-1)+`"/>`, 10) + `</g>`
	}
	for _, content := range []string{
		uses,
		`<g id="a"><use href="#a"/></g>`,
		`<mask id="m"><rect width="9" height="9" mask="url(#m)"/><rect width="9" height="9" mask="url(#m)"/></mask><rect width="50" height="50" mask="url(#m)"/>`,
		`<clipPath id="c"><use href="#x"/></clipPath><rect id="x" width="9" height="9" clip-path="url(#c)"/>`,
		`<linearGradient id="g" href="#g"/><rect width="9" height="9" fill="url(#g)"/>`,
		`<path d="` + strings.Repeat("a1e9 1e9 0 1 1 1 1 ", 9000) + `" stroke="red" stroke-dasharray=".0001"/>`,
		`<filter id="f"><feGaussianBlur stdDeviation="1e9"/></filter><rect width="1e9" height="1e9" filter="url(#f)"/>`,
		`<g transform="scale(1e30)"><circle r="1e30" stroke="red" stroke-width="1e30"/></g>`,
	} {
		drawing(t, content)
	}
}

func FuzzSVG(f *testing.F) {
	f.Add(`<g transform="rotate(3)" opacity=".5"><path d="M0 0c1 1 2 2 3 3s1 2 3 4q1 1 2 2t1 1a1 2 3 0 1 4 5z" stroke="red"/></g>`)
	f.Add(`<filter id="a"><feDropShadow/><feColorMatrix values="0"/><feBlend in2="SourceAlpha"/></filter><use href="#b" filter="url(#a)"/><rect id="b" width="9" height="9"/>`)
	f.Add(`<radialGradient id="r" fx=".1" spreadMethod="reflect"><stop/><stop offset="1" stop-color="#fff8"/></radialGradient><ellipse rx="9" ry="5" fill="url(#r)" mask="url(#m)"/><mask id="m"><circle r="4"/></mask>`)
	f.Fuzz(func(t *testing.T, content string) {
		const most = 4000
		if len(content) > most {
			return
		}
		if img, ok := html.SVG(`<svg viewBox="0 0 100 60">` + content + `</svg>`); ok {
			_, _ = img.Pixels(60, 40)
		}
	})
}
