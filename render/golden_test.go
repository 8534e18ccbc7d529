package render_test

import (
	"image"
	"testing"

	"masthead/render"
	"masthead/render/golden"
	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/specimen"
)

// variants are what goldens show of each template and kind: the sample, and what changes a layout most.
var variants = []struct {
	name   string
	change func(r *render.Request)
}{
	{"dark", func(*render.Request) {}},
	{"light", func(r *render.Request) {
		r.Dark, r.Font, r.Accent = false, "instrument-serif", palette.RGB(0xE11D48)
	}},
	{"long", func(r *render.Request) {
		p := specimen.Find("140")
		r.Title, r.Description, r.Lang, r.SiteName = p.Title, p.Description, p.Lang, p.Site
		r.Accent, r.Font = palette.RGB(0xFACC15), "plus-jakarta-sans"
		r.Logo, r.LogoPosition = specimen.Logo("wordmark"), "bottom-left"
		r.AspectRatio = "16:10"
	}},
	{"rtl", func(r *render.Request) {
		inArabic(r)
		r.Author, r.Dark, r.Accent = "مينا عوض", false, palette.RGB(0x10B981)
		r.Logo, r.LogoPosition = specimen.Logo("black"), "top-left"
	}},
	{"bare", func(r *render.Request) {
		said := render.Texts{ // with what designs live on
			Title: "Hello", Host: "northlane.dev", Author: r.Author, Quote: r.Quote, Version: r.Version, Session: r.Session[:1],
			Code: r.Code, Owner: r.Owner, Repo: r.Repo,
		}
		if r.Template != "byline" {
			said.Author = ""
		}
		*r = render.Request{
			Template: r.Template, Kind: r.Kind, Texts: said, Pictures: render.Pictures{Portrait: r.Portrait},
			Accent: palette.RGB(0x111827), Dark: true,
			Product: render.Product{Price: r.Product.Price, Currency: r.Product.Currency}, Episode: render.Episode{Number: 48},
		}
	}},
}

// figureTitles are the titles of the design figure: in the others, there is no number.
var figureTitles = map[string]string{
	"light": "What a missing semicolon cost us: $1.2bn in one night",
	"long":  "How a small team made the builds of all its customers 3.7× faster",
	"rtl":   "40٪ من الفرق تنقل قائمة انتظار العرض إلى Postgres", "bare": "1 in 4 teams",
}

// softLight are the templates whose goldens would be large: they are kept in half of their size, and fewer.
var softLight = map[string]bool{
	"mesh": true, "horizon": true, "strata": true, "launch": true, "frame": true, "cover": true, "product": true,
}

// halved returns a picture in half of its size.
func halved(img image.Image) image.Image {
	size := img.Bounds().Size()
	return paint.Scale(img.(*image.NRGBA), size.X/2, size.Y/2)
}

// TestGolden_eachTemplateIsAsLookedAt compares each template with pictures that were looked at.
func TestGolden_eachTemplateIsAsLookedAt(t *testing.T) {
	t.Parallel()
	for _, info := range render.Templates() {
		for _, kind := range info.Kinds {
			for _, v := range variants {
				name := info.Slug + "-" + string(kind) + "-" + v.name
				t.Run(name, func(t *testing.T) {
					r, _ := render.Sample(info.Slug)
					r.Kind = kind
					v.change(&r)
					if info.Slug == "figure" && v.name != "dark" {
						r.Title = figureTitles[v.name]
					}
					r.Format = render.PNG // without dither
					img, err := render.Paint(t.Context(), r)
					if err != nil {
						t.Fatal(err)
					}
					if softLight[info.Slug] {
						img = halved(img)
					}
					golden.Image(t, name, img)
				})
			}
		}
	}
}

// overVariants are what goldens show of cards over pictures.
var overVariants = []struct {
	name, picture string
	change        func(r *render.Request)
}{
	{"dark", "waves", func(*render.Request) {}},
	{"light", "dunes", func(r *render.Request) { r.Dark, r.Accent = false, palette.RGB(0xE11D48) }},
	{"busy", "stripes", func(r *render.Request) { r.Accent, r.AspectRatio = palette.RGB(0x10B981), "16:10" }},
	{"rtl", "sky", func(r *render.Request) {
		inArabic(r)
		r.Accent = palette.RGB(0xFACC15)
	}},
}

// inArabic gives a card the texts of the Arabic specimen.
func inArabic(r *render.Request) {
	p := specimen.Find("arabic")
	r.Title, r.Description, r.Eyebrow, r.SiteName, r.Lang = p.Title, p.Description, p.Eyebrow, p.Site, p.Lang
}

// TestGolden_eachTemplateShowsThePagesPictureAsLookedAt compares the templates that show a page's own picture: a large
// one, and one that is too small for most.
func TestGolden_eachTemplateShowsThePagesPictureAsLookedAt(t *testing.T) {
	t.Parallel()
	for _, info := range render.Templates() {
		for _, kind := range info.Photo {
			for name, width := range map[string]int{"large": 1536, "small": 640} {
				name = info.Slug + "-" + string(kind) + "-photo-" + name
				t.Run(name, func(t *testing.T) {
					r, _ := render.Sample(info.Slug)
					whole := specimen.Picture("forest")
					if info.Screenshot {
						whole = r.Photo
					}
					r.Kind, r.Photo, r.Dark = kind, paint.Scale(whole, width, width*2/3), width > 1000
					img, err := render.Paint(t.Context(), r)
					if err != nil {
						t.Fatal(err)
					}
					golden.Image(t, name, halved(img))
				})
			}
		}
	}
}

// TestGolden_eachTemplateOverPicturesIsAsLookedAt compares cards over pictures with ones that were looked at, in half
// of their size: photographs are large as PNG.
func TestGolden_eachTemplateOverPicturesIsAsLookedAt(t *testing.T) {
	t.Parallel()
	for _, info := range render.Templates() {
		if info.Bare {
			continue
		}
		for _, kind := range info.Kinds {
			for _, v := range overVariants {
				if softLight[info.Slug] && v.name != "dark" && v.name != "busy" {
					continue
				}
				name := info.Slug + "-" + string(kind) + "-over-" + v.name
				t.Run(name, func(t *testing.T) {
					r, _ := render.Sample(info.Slug)
					r.Kind, r.Background = kind, specimen.Picture(v.picture)
					v.change(&r)
					img, err := render.Paint(t.Context(), r)
					if err != nil {
						t.Fatal(err)
					}
					golden.Image(t, name, halved(img))
				})
			}
		}
	}
}
