package html_test

import (
	"fmt"
	"image/color"
	"strings"
	"testing"

	"masthead/render/html"
)

// at is a color that a picture must have at a position.
type at struct {
	x, y int
	want uint32
}

// drawnAt draws a document and compares colors in it.
func drawnAt(t *testing.T, source string, w, h int, want ...at) []html.Warning {
	t.Helper()
	d, err := html.Parse("<!doctype html><style>html,body{margin:0;background:#fff}</style>" + source)
	if err != nil {
		t.Fatal(err)
	}
	img, warnings, err := d.Draw(t.Context(), html.Options{Width: w, Height: h})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range want {
		got, wanted := color.NRGBAModel.Convert(img.At(a.x, a.y)).(color.NRGBA), color.NRGBA{
			R: uint8(a.want >> 16), G: uint8(a.want >> 8), B: uint8(a.want), A: 255,
		}
		if got != wanted {
			t.Errorf("%dx%d: (%d, %d) is %v, want %v", w, h, a.x, a.y, got, wanted)
		}
	}
	return warnings
}

// TestDraw_containersAreQueried compares documents with what Chromium draws.
func TestDraw_containersAreQueried(t *testing.T) {
	const red, blue, gold, white = 0xFF0000, 0x0000FF, 0xFFD700, 0xFFFFFF
	for _, c := range []struct {
		name, source string
		want         []at
	}{
		{"the nearest container decides, not the card", `<style>.o{container-type:inline-size;width:300px}
			.o+.o{width:100px} p{margin:0;height:20px;background:blue} @container (width > 200px){p{background:red}}
			</style><div class=o><p></p></div><div class=o><p></p></div>`, []at{{50, 10, red}, {50, 30, blue}}},
		{"by name", `<style>main{container:page / inline-size;width:300px} div{container:box / inline-size;width:100px}
			p{margin:0;height:20px;background:blue} @container page (width > 200px){p{background:red}}
			@container other (width > 0){p{background:gold}}</style><main><div><p></p></div></main>`, []at{{50, 10, red}}},
		{"the height only of a container by size", `<style>main{container-type:size;width:200px;height:100px}
			div{container-type:inline-size;width:50px} p{margin:0;height:20px;background:blue}
			@container (height = 100px){p{background:red}} @container (orientation: portrait){p{background:gold}}
			</style><main><div><p></p></div></main>`, []at{{20, 10, red}}},
		{"not, and, or", `<style>main{container-type:size;width:200px;height:100px} p{margin:0;height:20px}
			@container not (width < 100px){p:nth-child(1){background:red}}
			@container (width > 100px) and (height > 100px){p:nth-child(2){background:red}}
			@container (width > 500px) or (aspect-ratio: 2){p:nth-child(3){background:red}}
			</style><main><p></p><p></p><p></p></main>`, []at{{50, 10, red}, {50, 30, white}, {50, 50, red}}},
		{"no container, no match", `<style>p{margin:0;height:20px;background:blue}
			@container (width > 0){p{background:red}}</style><p></p>`, []at{{50, 10, blue}}},
		{"an element doesn't query itself, its pseudo-element does", `<style>div{container-type:inline-size;width:100px;
			background:blue;height:40px} @container (width > 0){div{background:red} div::before{content:"";display:block;
			height:20px;background:gold}}</style><div></div>`, []at{{50, 10, gold}, {50, 30, blue}}},
		{"units", `<style>div{container-type:size;width:200px;height:100px} p{margin:0;width:50cqw;height:20cqh;
			background:red} i{display:block;width:50cqmin;height:10cqmax;background:blue}</style><div><p></p><i></i></div>`,
			[]at{{99, 19, red}, {101, 10, white}, {10, 21, blue}, {49, 39, blue}, {51, 30, white}, {10, 41, white}}},
		{"units without a container are those of the card", `<style>p{margin:0;width:50cqw;height:10cqh;background:red}
			</style><p></p>`, []at{{199, 29, red}, {201, 10, white}, {10, 31, white}}},
		{"a size that another query gives", `<style>main{container:a / inline-size;width:300px}
			div{container:b / inline-size;width:50px} @container a (width = 300px){div{width:250px}}
			p{margin:0;height:20px;background:blue} @container b (width = 250px){p{background:red}}
			</style><main><div><p></p></div></main>`, []at{{50, 10, red}}},
		{"content doesn't make a container larger", `<style>div{float:left;container-type:inline-size;background:red;height:20px}
			section{clear:both;container-type:size;background:red} p,i{display:block;margin:0;width:50px;height:50px}
			</style><div><p></p></div><section><i></i></section>`, []at{{5, 5, white}, {5, 25, white}}},
		{"rules in rules", `<style>main{container-type:inline-size;width:300px} p{margin:0;height:20px;background:blue;
			@container (width > 200px){& {background:red} @container (width > 400px){background:gold}}}
			</style><main><p></p></main>`, []at{{50, 10, red}}},
		{"utility classes", `<div tw="@container w-[300px]"><p tw="m-0 h-5 bg-[#00f] @3xs:bg-[#f00] @md:bg-[#ffd700]"></p></div>`,
			[]at{{50, 10, red}}},
		{"in @media", `<style>main{container-type:inline-size} p{margin:0;height:20px;background:blue}
			@media (width = 400px){@container (width = 400px){p{background:red}}}
			@media (width > 400px){@container (width = 400px){p{background:gold}}}</style><main><p></p></main>`,
			[]at{{50, 10, red}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if warnings := drawnAt(t, c.source, 400, 300, c.want...); len(warnings) > 0 {
				t.Errorf("warnings: %v", warnings)
			}
		})
	}
}

// TestDraw_oneDocumentServesSeveralSizes: a layout by the shape of the card, and one by the room of a part.
func TestDraw_oneDocumentServesSeveralSizes(t *testing.T) {
	const red, blue, gold = 0xFF0000, 0x0000FF, 0xFFD700
	const source = `<style>body{display:flex;width:100vw;height:100vh} .art{background:red;flex:1}
		.text{container-type:size;flex:1} .text p{margin:0;height:100%;background:blue}
		@media (orientation:portrait){body{flex-direction:column}}
		@media (aspect-ratio > 2.5){.art{order:2;flex:none;width:20%}}
		@container (aspect-ratio < 1){.text p{background:gold}}</style><div class=art></div><div class=text><p></p></div>`
	drawnAt(t, source, 1200, 630, at{100, 300, red}, at{900, 300, gold})
	drawnAt(t, source, 1080, 1080, at{500, 100, red}, at{500, 900, blue})
	drawnAt(t, source, 1080, 1920, at{500, 100, red}, at{500, 1700, blue})
	drawnAt(t, source, 1500, 500, at{1400, 200, red}, at{100, 200, blue})
}

// TestDraw_containersNestedTooDeep_areTold reaches the bound of queries that depend on each other.
func TestDraw_containersNestedTooDeep_areTold(t *testing.T) {
	nested := func(deep int) string {
		var css, open strings.Builder
		css.WriteString("<style>div{width:100px} p{margin:0;height:20px;width:20px;background:blue}")
		for i := range deep {
			fmt.Fprintf(&css, ".c%d{container:c%[1]d / inline-size} @container c%[1]d (width = 200px){.c%d{width:200px}}",
				i, i+1)
			fmt.Fprintf(&open, "<div class=c%d>", i)
		}
		fmt.Fprintf(&css, ".c0{width:200px} @container c%d (width = 200px){p{background:red}}</style>", deep-1)
		return css.String() + open.String() + "<p></p>"
	}
	if warnings := drawnAt(t, nested(5), 400, 300, at{10, 10, 0xFF0000}); len(warnings) > 0 {
		t.Errorf("5 deep: %v", warnings)
	}
	warnings := drawnAt(t, nested(12), 400, 300, at{10, 10, 0x0000FF})
	if len(warnings) != 1 || !strings.Contains(warnings[0].Message, "nested too deep") {
		t.Errorf("12 deep: %v", warnings)
	}
}

func TestParse_conditionsOfContainersThatAreNotSupported_areTold(t *testing.T) {
	for _, condition := range []string{"style(--a: b)", "scroll-state(stuck: top)", "(width > 1px) %", ""} {
		warnings := drawnAt(t, "<style>@container "+condition+"{p{color:red}}</style><p></p>", 400, 300)
		if len(warnings) != 1 || !strings.Contains(warnings[0].Message, "@container") {
			t.Errorf("%q: %v", condition, warnings)
		}
	}
}
