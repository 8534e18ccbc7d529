package draw

import (
	"fmt"
	"image"

	"masthead/render/html/layout"
)

// drawing is an inline <svg> as a picture.
func (p *painter) drawing(f *layout.Fragment) Image {
	if f.Node == nil || p.in.SVG == nil {
		p.warn(f, "An <svg> can't be drawn.")
		return nil
	}
	return &svgImage{p: p, f: f}
}

type svgImage struct {
	p *painter
	f *layout.Fragment
}

func (s *svgImage) Size() (w, h, ratio float64) {
	c := s.f.Content()
	return c.W, c.H, 0
}

// Pixels draws the document: its size is that of the content box.
func (s *svgImage) Pixels(w, h int) (*image.NRGBA, error) {
	c := s.f.Content()
	const names = `xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"`
	document := fmt.Sprintf(`<svg %s width="%g" height="%g"%s`, names, c.W, c.H, s.f.Node.Source)
	return s.p.in.SVG(s.p.ctx, document, w, h)
}
