package draw

import (
	"image"
	"math"

	"masthead/render/html/css"
	"masthead/render/html/css/value"
	"masthead/render/html/layout/fragment"
	"masthead/render/html/raster"
)

// Image is a picture that a document shows.
type Image interface {
	// Size returns the natural size in px and the ratio of width to height; 0 of what it doesn't have.
	Size() (w, h, ratio float64)
	// Pixels returns the picture for a place of w×h pixels: at exactly that size, or at its own.
	Pixels(w, h int) (*image.NRGBA, error)
}

// image returns a picture by its address; nil with a warning if there is none.
func (p *painter) image(f *fragment.Fragment, url string) Image {
	if p.in.Images != nil {
		if img := p.in.Images(url); img != nil {
			return img
		}
	}
	p.warn(f, "A picture can't be drawn: "+shortURL(url))
	return nil
}

func shortURL(url string) string {
	const most = 60
	if len(url) > most {
		return url[:most] + "…"
	}
	return url
}

// pixels returns a picture with w×h pixels.
func (p *painter) pixels(f *fragment.Fragment, img Image, w, h int) *raster.Pixels {
	if p.stop() {
		return nil
	}
	px, err := p.pixelsOf(img, w, h)
	if err != nil || px == nil || px.Rect.Empty() {
		reason := "it is empty"
		if err != nil {
			reason = err.Error()
		}
		p.warn(f, "A picture can't be drawn: "+reason)
		return nil
	}
	return raster.ScaledPicture(px, w, h, f.Style.ImagePixels)
}

// pixelsOf returns the pixels of a picture, within the time of the card.
func (p *painter) pixelsOf(img Image, w, h int) (*image.NRGBA, error) {
	if file, ok := img.(*SVGFile); ok {
		return file.pixels(p.ctx, w, h)
	}
	return img.Pixels(w, h)
}

// maxScaled bounds the pixels of a scaled picture.
const maxScaled = 6 << 20

// picture draws a picture over a rectangle.
func (p *painter) picture(f *fragment.Fragment, img Image, r raster.Rect, t target) {
	if r.Empty() || t.c.R.Empty() {
		return
	}
	d := t.m.Bounds(r)
	if raster.Outer(d).Intersect(t.c.R).Empty() {
		return
	}
	s := &raster.PictureShader{Nearest: f.Style.ImagePixels}
	sx, sy := math.Hypot(t.m.A, t.m.B), math.Hypot(t.m.C, t.m.D)
	stretched := math.Abs(sx-sy) > 1e-6
	if t.m.Straight() && t.m.A > 0 && t.m.D > 0 && !stretched {
		d = d.Snapped()
		w, h := int(d.W()), int(d.H())
		if w < 1 || h < 1 {
			return
		}
		if d.W()*d.H() <= maxScaled {
			if s.Pixels = p.pixels(f, img, w, h); s.Pixels == nil {
				return
			}
			s.Exact = true
			s.At = raster.Translation(-d.X0, -d.Y0)
			p.FillRect(t.l, t.c, raster.Outer(d), s)
			return
		}
	}
	if stretched { // drawings would keep their own ratio
		sx, sy = max(sx, sy), max(sx, sy)
	}
	w, h := max(int(math.Round(r.W()*sx)), 1), max(int(math.Round(r.H()*sy)), 1)
	if float64(w)*float64(h) > maxScaled {
		iw, ih, _ := img.Size()
		w, h = min(max(int(iw), 1), 2048), min(max(int(ih), 1), 2048)
	}
	if s.Pixels = p.pixels(f, img, w, h); s.Pixels == nil {
		return
	}
	inv, ok := t.m.Inverse()
	if !ok {
		return
	}
	kx, ky := float64(w)/r.W(), float64(h)/r.H()
	s.At = raster.Matrix{A: kx, D: ky, E: -r.X0 * kx, F: -r.Y0 * ky}.Mul(inv)
	var q raster.Path
	q.Rect(r)
	p.Fill(t.l, t.c, q.Transformed(t.m), false, s)
}

// replaced paints the content of an <img> or <svg>.
func (p *painter) replaced(f *fragment.Fragment, t target) {
	if f.Replaced == nil || f.Style.Visibility != css.Visible || p.textOnly {
		return
	}
	if p.putOff(paintDrawing, f, t) {
		return
	}
	content := rectOf(f.Content())
	var img Image
	if f.Replaced.SVG {
		if !content.Empty() {
			p.contentClip(f, &t)
			p.inlineSVG(f, content, t)
		}
		return
	}
	if f.Replaced.Source != "" {
		img = p.image(f, f.Replaced.Source)
	}
	if img == nil || content.Empty() {
		return
	}
	st := f.Style
	w, h, ratio := img.Size()
	if w <= 0 || h <= 0 {
		w, h = content.W(), content.H()
		if ratio > 0 {
			if w/h > ratio {
				w = h * ratio
			} else {
				h = w / ratio
			}
		}
	}
	r := content
	if st.ObjectFit != css.FitFill {
		k := 1.0
		switch contain, cover := min(content.W()/w, content.H()/h), max(content.W()/w, content.H()/h); st.ObjectFit {
		case css.FitContainBox:
			k = contain
		case css.FitCover:
			k = cover
		case css.FitScaleDown:
			k = min(1, contain)
		}
		w, h = w*k, h*k
		x := content.X0 + st.ObjectPosition[0].Resolve(content.W()-w)
		y := content.Y0 + st.ObjectPosition[1].Resolve(content.H()-h)
		r = raster.Rect{X0: x, Y0: y, X1: x + w, Y1: y + h}
	}
	p.contentClip(f, &t)
	p.picture(f, img, r, t)
}

// contentClip limits a target to the content box, with the corners of the border.
func (p *painter) contentClip(f *fragment.Fragment, t *target) {
	shape := boxShape(f, shapeOf(f), value.BoxContent)
	*t = p.clipShape(*t, shape)
}
