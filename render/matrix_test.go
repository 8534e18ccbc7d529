package render_test

import (
	"fmt"
	"image/color"
	"os"
	"testing"

	"masthead/render"
	"masthead/render/palette"
	"masthead/render/specimen"
	"masthead/render/template/kit"
)

// full says that everything is to be drawn with everything, which takes minutes.
var full = os.Getenv("MASTHEAD_TEST_FULL") == "1"

// card is one case of what every template must bear.
type card struct {
	name    string
	page    specimen.Page
	logo    string
	picture string
	format  *kit.Format // of the kind Custom
	render.Request
}

// cardsIn returns the cases of a template and kind, in a format if that is Custom: each text in each family, with
// modes, accents, logos, corners and formats of a hero taken in turns so that they meet each other, and what was
// caught; or everything with everything. Of formats, it is every fourth case.
func cardsIn(t testing.TB, slug string, kind render.Kind, format *kit.Format) []card {
	t.Helper()
	var out []card
	add := func(p specimen.Page, font string, accent color.NRGBA, dark bool, logo, corner string) {
		c := card{page: p, logo: logo, Request: p.Request(slug, kind)}
		c.Accent, c.Dark, c.Font, c.Logo, c.LogoPosition = accent, dark, font, specimen.Logo(logo), corner
		if kind == render.Custom {
			c.format, c.Size = format, format.Sides()
		}
		if kind == render.BlogHero && len(out)%3 == 1 {
			c.AspectRatio = "16:10"
		}
		mode := "light"
		if dark {
			mode = "dark"
		}
		c.name = fmt.Sprintf("%s/%s/%s/%s/%s-%s%s", p.Name, font, palette.Hex(accent)[1:], mode, logo, corner, c.AspectRatio)
		out = append(out, c)
	}
	accents, corners, logos := specimen.Accents(), specimen.Corners(), append([]string{""}, specimen.Logos()...)
	for i, p := range specimen.Pages() {
		for j, font := range render.Fonts() {
			if n := i*len(render.Fonts()) + j; !full {
				logo, corner := logos[(n*2+i)%len(logos)], corners[(n+i/4)%len(corners)]
				add(p, font, accents[(i+j)%len(accents)], (i+j/2)%2 == 0, logo, corner)
				continue
			}
			for _, accent := range accents {
				add(p, font, accent, true, "", "")
				add(p, font, accent, false, "", "")
			}
			for _, logo := range logos[1:] {
				for _, corner := range corners {
					add(p, font, accents[len(out)%len(accents)], len(out)%2 == 0, logo, corner)
				}
			}
		}
	}
	if !full && kind == render.Custom { // of these, there are many
		var some []card
		for i := range out {
			if i%4 == len(slug)%4 {
				some = append(some, out[i])
			}
		}
		return some
	}
	for _, k := range caught {
		if k.slug == slug && !full {
			add(specimen.Find(k.page), k.font, k.accent, true, k.logo, k.corner)
		}
	}
	return out
}

// caught are dark cards that only the whole matrix met, and which were wrong in it.
var caught = []struct {
	slug, page, font string
	accent           color.NRGBA
	logo, corner     string
}{
	{"editorial", "400", "inter", palette.RGB(0x4F46E5), "square", "top-left"},
	{"docs", "stacked", "plus-jakarta-sans", palette.RGB(0x111827), "square", "top-left"},
	{"cover", "vowels", "noto-sans", palette.RGB(0xFACC15), "white", "bottom-left"},
}
