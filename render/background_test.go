package render_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"math"
	"slices"
	"sync"
	"testing"

	"masthead/render"
	"masthead/render/encode"
	"masthead/render/paint"
	"masthead/render/specimen"
	"masthead/render/template/kit"
	"masthead/render/text"
)

// overCards returns a request for each template, kind, mode and picture: two texts over those that nothing is to be
// lost on, in turns, and all of them with MASTHEAD_TEST_FULL=1; one over the others.
func overCards() (out []card) {
	accents, pages := specimen.Accents(), []string{"60", "140", "arabic", "hebrew", "five-words"}
	type design struct {
		slug string
		kind render.Kind
	}
	var designs, later []design // the accents and logos go round: new ones come last, so that others keep theirs
	for _, info := range render.Templates() {
		for _, kind := range info.Kinds {
			switch d := (design{info.Slug, kind}); {
			case info.Bare:
			case d == design{"cover", render.OG}:
				later = append(later, d)
			default:
				designs = append(designs, d)
			}
		}
	}
	for _, d := range append(designs, later...) {
		for _, dark := range []bool{true, false} {
			for i, picture := range append(specimen.HardPictures(), specimen.Pictures()...) {
				of := pages
				if first := len(out) % (len(pages) - 1); !full {
					of = pages[first : first+2]
				}
				if i >= len(specimen.HardPictures()) {
					of = pages[i%len(pages):][:1]
				}
				for _, name := range of {
					p := specimen.Find(name)
					c := card{page: p, picture: picture, Request: p.Request(d.slug, d.kind)}
					c.Dark, c.Background, c.Accent = dark, specimen.Picture(picture), accents[len(out)%len(accents)]
					if d.kind == render.BlogHero && len(out)%4 == 0 {
						c.AspectRatio = "16:10"
					}
					if len(out)%3 == 0 {
						logos, corners := specimen.Logos(), specimen.Corners()
						c.logo = logos[len(out)/3%len(logos)]
						c.Logo, c.LogoPosition = specimen.Logo(c.logo), corners[len(out)/2%len(corners)]
					}
					c.name = fmt.Sprintf("dark-%v/%s", dark, name)
					out = append(out, c)
				}
			}
		}
	}
	return out
}

// linear is the light of each value of a channel. It is written anew from WCAG 2.2, so that what is measured here does
// not rest on what drew it.
var linear = func() (t [256]float64) {
	for i := range t {
		if s := float64(i) / 255; s <= .04045 {
			t[i] = s / 12.92
		} else {
			t[i] = math.Pow((s+.055)/1.055, 2.4)
		}
	}
	return t
}()

// light returns the relative luminance of a pixel.
func light(c color.NRGBA) float64 { return .2126*linear[c.R] + .7152*linear[c.G] + .0722*linear[c.B] }

func ratio(a, b float64) float64 { return (max(a, b) + .05) / (min(a, b) + .05) }

// TestTemplates_textCanBeReadOverAnyPicture checks each line on the pixels that are drawn under it, and on those that
// are left after encoding.
func TestTemplates_textCanBeReadOverAnyPicture(t *testing.T) {
	engines := sync.Pool{New: func() any { return text.NewEngine() }}
	groups, byPicture := []string{}, map[string][]card{}
	for _, c := range overCards() { // cards over one picture one after another, since they share its plates
		group := fmt.Sprintf("%s/%s/%s", c.Template, c.Kind, c.picture)
		if byPicture[group] == nil {
			groups = append(groups, group)
		}
		byPicture[group] = append(byPicture[group], c)
	}
	for _, group := range groups {
		t.Run(group, func(t *testing.T) {
			t.Parallel()
			engine := engines.Get().(*text.Engine)
			defer engines.Put(engine)
			for _, c := range byPicture[group] {
				t.Run(c.name, func(t *testing.T) { textCanBeRead(t, c, engine) })
			}
		})
	}
}

func textCanBeRead(t *testing.T, c card, engine *text.Engine) {
	tmpl, spec, err := render.Spec(c.Request)
	if err != nil {
		t.Fatal(err)
	}
	drawn := kit.Open(tmpl, spec, engine)
	defer drawn.Close()
	drawn.Layout()
	if drawn.Unreadable() {
		t.Fatal("it cannot be read")
	}
	b := allBuffers.Get().(*buffers)
	defer allBuffers.Put(b)
	background := b.background.of(drawn.Canvas().Image())
	stayInZones(t, &c, drawn)
	keepApart(t, drawn)
	squareIsWhole(t, &c, drawn)
	placed := slices.Clone(drawn.PlacedTexts())
	drawn.DrawTexts()
	pic, err := render.EncodeCard(t.Context(), drawn, &c.Request)
	if err != nil {
		t.Fatal(err)
	}
	if most := map[render.Kind]int{render.OG: 300_000, render.BlogHero: 500_000}[c.Kind]; len(pic.Bytes) > most {
		t.Errorf("it has %d bytes, want %d at most", len(pic.Bytes), most)
	}
	decoded, _, err := image.Decode(bytes.NewReader(pic.Bytes))
	if err != nil {
		t.Fatal(err)
	}
	img := opaque(decoded)
	for _, p := range placed {
		if p.Role == kit.Monogram {
			continue
		}
		for _, l := range p.Block.Lines {
			if !l.Ink.Empty() {
				measureBackground(t, p, l, background)
				measureEncoded(t, p, l, img)
			}
		}
	}
}

// opaque copies a picture without transparency, into the type that image/draw converts to fastest: its samples are the
// same with alpha multiplied or not.
func opaque(img image.Image) *image.NRGBA {
	out := image.NewRGBA(img.Bounds())
	draw.Draw(out, out.Rect, img, img.Bounds().Min, draw.Src)
	return &image.NRGBA{Pix: out.Pix, Stride: out.Stride, Rect: out.Rect}
}

// measureBackground checks the background of a line: 7:1 for titles and 4.5:1 for others in 95 of 100 blocks of 8×8
// pixels, 4.5:1 in all blocks and before 98 of 100 pixels.
func measureBackground(t *testing.T, p kit.Text, l text.Line, background *shot) {
	t.Helper()
	ink, box := light(p.Color), inked(p, l, 0).Intersect(background.rect)
	var blocks []float64
	poor, all := 0, 0
	for y := box.Min.Y; y < box.Max.Y; y += 8 {
		for x := box.Min.X; x < box.Max.X; x += 8 {
			sum, n := 0.0, 0.0
			for j := y; j < min(y+8, box.Max.Y); j++ {
				for i := x; i < min(x+8, box.Max.X); i++ {
					at := light(background.at(i, j))
					if ratio(at, ink) < 4.4 {
						poor++
					}
					sum, n, all = sum+at, n+1, all+1
				}
			}
			blocks = append(blocks, ratio(sum/n, ink))
		}
	}
	slices.Sort(blocks)
	most := 4.45
	if p.Role == kit.Title {
		most = 6.8 // the step that dither and interpolation may take
	}
	if got := blocks[len(blocks)/20]; got < most {
		t.Errorf("%q: 5 %% of its background have less than %.2f, want %.1f", l.Text, got, most)
	}
	if blocks[0] < 4.4 || poor*50 > all {
		t.Errorf("%q: the worst block has %.2f, and %d of %d pixels less than 4.4", l.Text, blocks[0], poor, all)
	}
}

// measureEncoded checks what is left after encoding: the lightest tenth of a line's pixels against the darkest.
func measureEncoded(t *testing.T, p kit.Text, l text.Line, img *image.NRGBA) {
	t.Helper()
	var lights []float64
	box := inked(p, l, 0).Intersect(img.Bounds())
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			lights = append(lights, light(img.NRGBAAt(x, y)))
		}
	}
	slices.Sort(lights)
	if got := ratio(lights[len(lights)/20], lights[len(lights)-1-len(lights)/20]); got < 4.3 {
		t.Errorf("%q has %.2f after encoding, want 4.3", l.Text, got)
	}
}

// TestPaint_backgroundShows checks that what is drawn depends on the background, in every template and kind.
func TestPaint_backgroundShows(t *testing.T) {
	t.Parallel()
	for _, info := range render.Templates() {
		if info.Bare {
			continue
		}
		for _, kind := range info.Kinds {
			r, _ := render.Sample(info.Slug)
			r.Kind = kind
			var at [2]*image.NRGBA
			for i, name := range []string{"dunes", "forest"} {
				r.Background = specimen.Picture(name)
				img, err := render.Paint(t.Context(), r)
				if err != nil {
					t.Fatal(err)
				}
				at[i] = img.(*image.NRGBA)
			}
			differ := 0
			for i := 0; i < len(at[0].Pix); i += 4 {
				if ratio(light(at[0].NRGBAAt(i/4%at[0].Rect.Dx(), i/4/at[0].Rect.Dx())),
					light(at[1].NRGBAAt(i/4%at[0].Rect.Dx(), i/4/at[0].Rect.Dx()))) > 1.15 {
					differ++
				}
			}
			want := .15
			if info.Slug == "episode" {
				want = .08 // it is the art
			}
			if share := float64(differ) / float64(len(at[0].Pix)/4); share < want {
				t.Errorf("%s %s: two pictures differ in %.1f %% of the card, want %v",
					info.Slug, kind, 100*share, 100*want)
			}
		}
	}
}

// A picture is a picture, whatever holds its pixels, and an odd one is no fault.
func TestDraw_backgroundOfAnyTypeAndSize(t *testing.T) {
	whole := specimen.Picture("dunes")
	ycc := image.NewYCbCr(image.Rect(0, 0, 301, 201), image.YCbCrSubsampleRatio420)
	for name, img := range map[string]image.Image{
		"part": whole.SubImage(image.Rect(100, 50, 900, 550)), "planes": ycc,
		"part of planes": ycc.SubImage(image.Rect(11, 7, 200, 120)),
		"one pixel":      image.NewNRGBA(image.Rect(3, 3, 4, 4)), "none": image.NewNRGBA(image.Rectangle{}),
		"gray":   image.NewGray(image.Rect(0, 0, 90, 30)),
		"narrow": image.NewRGBA(image.Rect(0, 0, 2, 900)), "clear": image.NewNRGBA(image.Rect(0, 0, 640, 480)),
		"indexed": image.NewPaletted(image.Rect(0, 0, 64, 64), color.Palette{color.Black, color.Transparent}),
		"deep":    image.NewNRGBA64(image.Rect(0, 0, 50, 60)),
	} {
		r, _ := render.Sample("editorial")
		r.Background = img
		a, err := render.Draw(t.Context(), r)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if b, err := render.Draw(t.Context(), r); err != nil || !bytes.Equal(a.Bytes, b.Bytes) {
			t.Errorf("%s: a second drawing differs (%v)", name, err)
		}
	}
}

// grain returns the loudest white noise there is, all channels none or full, of the size of a card: no pixel of it is
// averaged away by scaling.
func grain(w, h int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		row, from := img.Pix[y*img.Stride:][:4*w], specimen.Picture("noise").Pix
		copy(row, from[(y%1000*1536+y/1000*8)*4:])
		for i := range row {
			row[i] = uint8(int8(row[i]) >> 7)
			row[i] |= 255 * uint8(i%4/3)
		}
	}
	return img
}

// TestDraw_whiteNoiseKeepsTheBytes checks that the largest pictures there are fit, whole to look at: the text over them
// is as sharp as over any other.
func TestDraw_whiteNoiseKeepsTheBytes(t *testing.T) {
	t.Parallel()
	for _, info := range render.Templates() {
		if info.Bare {
			continue
		}
		for _, kind := range info.Kinds {
			for _, dark := range []bool{true, false} {
				r, _ := render.Sample(info.Slug)
				most, size := 300_000, image.Pt(1200, 630)
				if r.Kind, r.Dark = kind, dark; kind == render.BlogHero {
					most, size, r.AspectRatio = 500_000, image.Pt(1600, 1000), "16:10"
				}
				r.Background = grain(size.X, size.Y)
				noisy, err := render.Draw(t.Context(), r)
				if err != nil {
					t.Fatal(err)
				}
				if noisy.ContentType == "image/png" && len(noisy.Bytes) <= most {
					continue // the design draws the picture in few colors of its own, and its text is exact
				}
				if len(noisy.Bytes) > most || noisy.ContentType != "image/jpeg" || noisy.Quality < encode.MinQuality {
					t.Errorf("%s %s: %d bytes of %s in quality %d, want %d", info.Slug, kind, len(noisy.Bytes),
						noisy.ContentType, noisy.Quality, most)
				}
				r.Background = specimen.Picture("sky")
				calm, err := render.Draw(t.Context(), r)
				if err != nil {
					t.Fatal(err)
				}
				a, b := steepest(t, noisy.Bytes), steepest(t, calm.Bytes)
				t.Logf("%s %s: %d bytes, quality %d; text rises by %d, over the sky by %d",
					info.Slug, kind, len(noisy.Bytes), noisy.Quality, a, b)
				if a < b*3/4 {
					t.Errorf("%s %s: text rises by %d, over a calm picture by %d", info.Slug, kind, a, b)
				}
			}
		}
	}
}

// steepest returns the difference of light, 0 to 255, that one neighbor in 500 reaches: edges of text have it, those
// of softened noise have not.
func steepest(t *testing.T, data []byte) int {
	t.Helper()
	img, err := jpeg.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	y := img.(*image.YCbCr)
	var count [256]int
	for i := 1; i < len(y.Y); i++ {
		count[max(int(y.Y[i])-int(y.Y[i-1]), int(y.Y[i-1])-int(y.Y[i]))]++
	}
	for d, n := 255, 0; d > 0; d-- {
		if n += count[d]; n > len(y.Y)/500 {
			return d
		}
	}
	return 0
}

// TestDraw_pictureTakesNoMoreThanStandardLibrary compares cards over pictures with what image/jpeg, which halves the
// resolution of color, makes of the same pixels: at most 1.1 times its bytes, where no colored text needs the whole.
func TestDraw_pictureTakesNoMoreThanStandardLibrary(t *testing.T) {
	half := 0
	for _, name := range specimen.Pictures() {
		for _, slug := range []string{"editorial", "minimal", "poster"} {
			r, _ := render.Sample(slug)
			r.Background = specimen.Picture(name)
			pic, err := render.Draw(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			img, err := jpeg.Decode(bytes.NewReader(pic.Bytes))
			if err != nil {
				t.Fatal(err)
			}
			if img.(*image.YCbCr).SubsampleRatio != image.YCbCrSubsampleRatio420 {
				continue
			}
			half++
			drawn, err := render.Paint(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			var std bytes.Buffer
			if err := jpeg.Encode(&std, drawn, &jpeg.Options{Quality: pic.Quality}); err != nil {
				t.Fatal(err)
			}
			if len(pic.Bytes)*10 > 11*std.Len() {
				t.Errorf("%s over %s: %d bytes, image/jpeg takes %d", slug, name, len(pic.Bytes), std.Len())
			}
		}
	}
	if half < 14 {
		t.Errorf("%d of 21 cards have half the resolution of color, want those of editorial and minimal", half)
	}
}

// TestEncodeCard_tooManyBytesSoftenThePicture draws over all of a card, as no design of the catalog does, where noise
// takes too many bytes in any quality.
func TestEncodeCard_tooManyBytesSoftenThePicture(t *testing.T) {
	t.Parallel()
	whole := func(c *kit.Card) {
		bg := c.BG()
		c.Begin(paint.Solid(bg.Color))
		c.PutHeading(bg, kit.Column{X: 128, Y: 168, W: 400, H: 336}, kit.Heading{
			Style: c.TitleStyle(), Ladder: text.Steps(4, 92, 76, 60),
		})
	}
	cover := &kit.Template{Info: kit.Info{Slug: "whole", TextSide: "left"}, OG: whole, BlogHero: whole}
	engine := text.NewEngine()
	for _, kind := range []render.Kind{render.OG, render.BlogHero} {
		most, size := 300_000, image.Pt(1200, 630)
		if kind == render.BlogHero {
			most, size = 500_000, image.Pt(1600, 900)
		}
		var steep, bytes [2]int
		for i, picture := range []image.Image{grain(size.X, size.Y), specimen.Picture("sky")} {
			r, _ := render.Sample("editorial")
			r.Kind, r.Background = kind, picture
			_, spec, err := render.Spec(r)
			if err != nil {
				t.Fatal(err)
			}
			c := kit.Open(cover, spec, engine)
			c.Layout()
			c.DrawTexts()
			hard, err := encode.Encode(c.Canvas().Image(),
				encode.Limits{NoPNG: true, MaxJPEG: most, Text: []image.Rectangle{}})
			if err != nil {
				t.Fatal(err)
			}
			if i == 0 && len(hard.Bytes) <= most {
				t.Errorf("%s: noise fits in %d bytes as it is: the test tries nothing", kind, len(hard.Bytes))
			}
			pic, err := render.EncodeCard(t.Context(), c, &r)
			if err != nil {
				t.Fatal(err)
			}
			c.Close()
			steep[i], bytes[i] = steepest(t, pic.Bytes), len(pic.Bytes)
			if len(pic.Bytes) > most {
				t.Errorf("%s: %d bytes after softening, want %d at most", kind, len(pic.Bytes), most)
			}
		}
		t.Logf("%s: %d bytes over noise, text rises by %d, over the sky by %d", kind, bytes[0], steep[0], steep[1])
		if steep[0] < steep[1]*8/10 || bytes[0] < most/4 {
			t.Errorf("%s: text rises by %d over softened noise in %d bytes, by %d over a calm picture",
				kind, steep[0], bytes[0], steep[1])
		}
	}
}
