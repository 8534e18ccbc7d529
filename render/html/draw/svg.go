package draw

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"masthead/render/html/layout/fragment"
	"masthead/render/html/raster"
	"time"
)

const svgNames = `xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"`

// inlineSVG paints an inline <svg> over its content box: here, or by the engine for SVG if it has what isn't drawn
// here.
func (p *painter) inlineSVG(f *fragment.Fragment, to raster.Rect, t target) {
	if f.Node == nil {
		return
	}
	c, document := f.Content(), drawingOf(f)
	if d := p.in.Kept.drawing(document); d != nil {
		t.m = t.m.Mul(onPixels(f))
		p.paintSVG(f, d, to, t, f.Style.Color)
		return
	}
	if p.in.SVG == nil {
		p.warn(f, "An <svg> has parts that can't be drawn.")
		return
	}
	p.picture(f, &engineSVG{ctx: p.ctx, draw: p.in.SVG, document: document, w: c.W, h: c.H}, to, t)
}

// onPixels moves an inline <svg> such that its border box begins on a whole pixel. Its size stays.
func onPixels(f *fragment.Fragment) raster.Matrix {
	b := rectOf(f.Border)
	s := b.Snapped()
	return raster.Translation(s.X0-b.X0, s.Y0-b.Y0)
}

// drawingOf returns the document of an inline <svg>.
func drawingOf(f *fragment.Fragment) string {
	c := f.Content()
	return fmt.Sprintf(`<svg %s width="%g" height="%g"%s`, svgNames, c.W, c.H, f.Node.Source)
}

// engineSVG is a document that the engine for SVG draws.
type engineSVG struct {
	ctx      context.Context
	draw     func(ctx context.Context, document string, w, h int) (*image.NRGBA, error)
	document string
	w, h     float64
}

func (s *engineSVG) Size() (w, h, ratio float64) { return s.w, s.h, 0 }

func (s *engineSVG) Pixels(w, h int) (*image.NRGBA, error) { return s.draw(s.ctx, s.document, w, h) }

// SVGFile is an SVG file as a picture.
type SVGFile struct {
	doc         *svgDocument
	document    string
	w, h, ratio float64
}

// NewSVG returns an SVG file as a picture. ok is false if it isn't SVG.
func NewSVG(document string) (s *SVGFile, ok bool) {
	s = &SVGFile{document: document}
	d, err := parseSVG(document)
	if err != nil {
		return s, false
	}
	s.doc = d
	n := d.root
	s.w, s.h = svgLength(n.attrs["width"], 0, 0), svgLength(n.attrs["height"], 0, 0)
	if view, ok := n.viewBox(); ok {
		s.ratio = view.W() / view.H()
	}
	switch {
	case s.w > 0 && s.h > 0:
		s.ratio = s.w / s.h
	case s.ratio > 0 && s.w > 0:
		s.h = s.w / s.ratio
	case s.ratio > 0 && s.h > 0:
		s.w = s.h * s.ratio
	}
	return s, true
}

// Size returns the size that the file declares, and the ratio of its view box.
func (s *SVGFile) Size() (w, h, ratio float64) { return s.w, s.h, s.ratio }

// svgTime is the maximum time for drawing a file, which has at most maxSVGDrawn elements.
const svgTime = 5 * time.Second

// Pixels draws the file on w×h pixels. It fails if that takes longer than five seconds.
func (s *SVGFile) Pixels(w, h int) (*image.NRGBA, error) {
	ctx, cancel := context.WithTimeout(context.Background(), svgTime)
	defer cancel()
	return s.pixels(ctx, w, h)
}

func (s *SVGFile) pixels(ctx context.Context, w, h int) (*image.NRGBA, error) {
	const most = 4096
	if w < 1 || h < 1 || w > most || h > most || w*h > maxScaled {
		return nil, fmt.Errorf("a drawing of %dx%d pixels is too large", w, h)
	}
	r := image.Rect(0, 0, w, h)
	l := raster.NewLayer(r)
	defer l.Release()
	p := newPainter(ctx, &Input{Width: w, Height: h})
	t := target{l: l, c: raster.Clip{R: r}, m: raster.Identity}
	iw, ih := s.w, s.h
	if iw <= 0 || ih <= 0 {
		iw, ih = float64(w), float64(h)
	}
	t.m = raster.Matrix{A: float64(w) / iw, D: float64(h) / ih}
	p.paintSVG(nil, s.doc, raster.Rect{X0: 0, Y0: 0, X1: iw, Y1: ih}, t, color.NRGBA{A: 255})
	if err := p.Meter.Err(); err != nil {
		return nil, fmt.Errorf("draw an SVG on %dx%d pixels: %w", w, h, err)
	}
	img := image.NewNRGBA(r)
	for i := 0; i < len(img.Pix); i += 4 {
		a := uint32(l.Pix[i+3])
		if a == 0 {
			continue
		}
		for k := range 3 {
			img.Pix[i+k] = uint8(min((uint32(l.Pix[i+k])*255+a/2)/a, 255))
		}
		img.Pix[i+3] = uint8(a)
	}
	return img, nil
}
