package draw

import (
	"bytes"
	"image"
	"image/color"
	"slices"
	"strings"
	"testing"

	nethtml "golang.org/x/net/html"

	"masthead/render/html/css"
	"masthead/render/html/css/media"
	"masthead/render/html/layout"
	"masthead/render/html/raster"
	"masthead/render/paint"
	"masthead/render/text"
)

// slowCanvas is the twin of a canvas: it keeps the clip itself, and draws one pixel at a time, without runs, spans and
// what is known of whole rectangles.
type slowCanvas struct {
	*paint.Canvas
	clip raster.Clip
}

func (c *slowCanvas) dot(x, y int, cover uint8, ink color.NRGBA) {
	if !image.Pt(x, y).In(c.clip.R) {
		return
	}
	if c.clip.Mask != nil {
		cover = raster.Mul(cover, c.clip.Mask.AlphaAt(x, y).A)
	}
	c.Canvas.Mask(x, y, &image.Alpha{Pix: []uint8{cover}, Stride: 1, Rect: image.Rect(0, 0, 1, 1)}, ink)
}

func (c *slowCanvas) Fill(r image.Rectangle, ink color.NRGBA) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			c.dot(x, y, 255, ink)
		}
	}
}

func (c *slowCanvas) Mask(x, y int, m *image.Alpha, ink color.NRGBA) {
	for j := range m.Rect.Dy() {
		for i := range m.Rect.Dx() {
			c.dot(x+i, y+j, m.AlphaAt(m.Rect.Min.X+i, m.Rect.Min.Y+j).A, ink)
		}
	}
}

// Picture is drawn by the canvas, whose own tests compare it with a slow twin.
func (c *slowCanvas) Picture(img *image.NRGBA, r image.Rectangle, radius float64) {
	undo := raster.Clipped(c.Canvas, c.clip)
	defer undo()
	c.Canvas.Picture(img, r, radius)
}

func (c *slowCanvas) Clip(r image.Rectangle) func() {
	before := c.clip
	c.clip.R = c.clip.R.Intersect(r)
	return func() { c.clip = before }
}

func (c *slowCanvas) ClipMask(m *image.Alpha) func() {
	before := c.clip
	c.clip.Mask = m
	return func() { c.clip = before }
}

// flatCards are documents that are drawn on an indexed canvas.
var flatCards = map[string]string{
	"solid": `<body style="background:#fef3c7;color:#78350f;font:600 22px Inter;padding:20px">
		<h1 style="font-size:40px;line-height:1.1">Tide tables for every harbor</h1><p style="opacity:1">Updated daily &amp; free`,
	"gradient": `<html style="height:100%"><body style="background:linear-gradient(135deg,#0f172a,#4338ca);color:#fff;font:700 32px Inter">
		<div style="padding:30px"><i style="color:#22d3ee80">Ready</i> in seconds<hr style="border:0;height:4px;background:#22d3ee">`,
	"a box over all": `<style>*{margin:0}.c{width:320px;height:200px;background:linear-gradient(90deg,#111,#345 40%,#987);
		color:#eee;position:relative;overflow:hidden}</style><div class=c><b style="position:absolute;left:20px;top:30px;
		transform:rotate(8deg)">Turned</b><u style="position:absolute;bottom:9px;right:12px">gypsy</u></div>`,
	"clips": `<body style="background:#fff"><div style="border-radius:24px;overflow:hidden;width:180px;height:90px;
		background:#e0e7ff"><div style="width:120px;height:120px;border-radius:50%;background:#4f46e5aa;margin:-20px"></div>
		<p style="font:16px Inter">cut off by round corners</p></div><div style="border:3px dashed #f97316;border-radius:9px;
		margin:9px;height:30px">`,
	"a picture": `<body style="background:#0b1120"><img src=x style="width:48px;height:48px;border-radius:12px;margin:11px">
		<span style="color:#fff;font:24px 'Instrument Serif'">Ærøskøbing ½ €</span>`,
	"upgraded": `<body style="background:#fff"><p style="font:30px Inter">Before<div style="transform:rotate(20deg)">
		<img src=x style="width:60px;height:60px"></div><p style="color:#c026d380">after`,
}

type testPicture struct{ *image.NRGBA }

func (p testPicture) Size() (w, h, ratio float64)           { return 48, 48, 1 }
func (p testPicture) Pixels(int, int) (*image.NRGBA, error) { return p.NRGBA, nil }

const testWidth, testHeight = 320, 200

// styledOf returns the root of a document with its styles.
func styledOf(t *testing.T, source string) *css.Node {
	t.Helper()
	doc, err := nethtml.Parse(strings.NewReader(source))
	if err != nil {
		t.Fatal(err)
	}
	sheet := css.NewSheet()
	var top *nethtml.Node
	for n := range doc.Descendants() {
		if n.Type == nethtml.ElementNode && top == nil {
			top = n
		}
		if n.Data == "style" && n.FirstChild != nil {
			sheet.Parse(n.FirstChild.Data, 1, 1)
		}
	}
	root, _, err := css.NewDocument(top, sheet, func(*nethtml.Node) (int, int) { return 0, 0 }).
		Style(t.Context(), css.Options{View: media.Viewport{Width: testWidth, Height: testHeight}})
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// inputOf returns a document as it is drawn.
func inputOf(t *testing.T, root *css.Node) *Input {
	t.Helper()
	engine := text.NewEngine()
	fragment, _, err := layout.Layout(t.Context(), layout.Input{
		Root: root, Width: testWidth, Height: testHeight, Engine: engine,
		Images: func(string) (w, h, ratio float64, ok bool) { return 48, 48, 1, true },
	})
	if err != nil {
		t.Fatal(err)
	}
	return &Input{
		Root: fragment, Width: testWidth, Height: testHeight, Engine: engine,
		Images: func(string) Image { return testLogo },
	}
}

var testLogo = func() testPicture {
	logo := image.NewNRGBA(image.Rect(0, 0, 48, 48))
	for i := range 48 * 48 {
		logo.SetNRGBA(i%48, i/48, color.NRGBA{uint8(5 * (i % 48)), uint8(4 * (i / 48)), 180, uint8(255 - i/24)})
	}
	return testPicture{logo}
}()

// drawFlat draws a document on an indexed canvas, as it is or by its twin.
func drawFlat(t *testing.T, source string, slow bool) image.Image {
	t.Helper()
	in := inputOf(t, styledOf(t, source))
	p := &painter{ctx: t.Context(), width: testWidth, height: testHeight, in: in}
	p.canvasSource = canvasSource(in.Root)
	c, ok := p.startFlat(in.Root)
	if !ok {
		t.Fatal("the document isn't drawn on an indexed canvas")
	}
	r := image.Rect(0, 0, testWidth, testHeight)
	l := &raster.Layer{R: r, Canvas: c}
	if slow {
		l.Canvas = &slowCanvas{c, raster.Clip{R: r}}
	}
	p.context(in.Root, target{l: l, c: raster.Clip{R: r}, m: raster.Identity}, true)
	if err := p.Meter.Err(); err != nil {
		t.Fatal(err)
	}
	return c.Image()
}

// TestFlat_asItsTwin compares every byte of what is drawn in runs with what is drawn pixel by pixel.
func TestFlat_asItsTwin(t *testing.T) {
	for name, source := range flatCards {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			switch got := drawFlat(t, source, false).(type) {
			case *image.Paletted:
				want, ok := drawFlat(t, source, true).(*image.Paletted)
				if !ok || !bytes.Equal(got.Pix, want.Pix) || !slices.EqualFunc(got.Palette, want.Palette, sameColor) {
					t.Errorf("the pictures differ, or the palettes of %d and %d colors", len(got.Palette), len(want.Palette))
				}
			case *image.RGBA:
				want, ok := drawFlat(t, source, true).(*image.RGBA)
				if !ok || !bytes.Equal(got.Pix, want.Pix) {
					t.Error("the pictures differ")
				}
				if name != "upgraded" {
					t.Error("the canvas didn't stay indexed")
				}
			}
		})
	}
}

func sameColor(a, b color.Color) bool {
	return color.RGBAModel.Convert(a) == color.RGBAModel.Convert(b)
}
