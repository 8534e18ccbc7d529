package draw

import (
	"image"
	"math"

	"masthead/render/html/css"
	"masthead/render/html/layout"
)

// Image is a picture that a document shows.
type Image interface {
	// Size returns the natural size in px and the ratio of width to height; 0 of what it doesn't have.
	Size() (w, h, ratio float64)
	// Pixels returns the picture for a place of w×h pixels: at exactly that size, or at its own.
	Pixels(w, h int) (*image.NRGBA, error)
}

// image returns a picture by its address; nil with a warning if there is none.
func (p *painter) image(f *layout.Fragment, url string) Image {
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
func (p *painter) pixels(f *layout.Fragment, img Image, w, h int) *picture {
	px, err := img.Pixels(w, h)
	if err != nil || px == nil || px.Rect.Empty() {
		reason := "it is empty"
		if err != nil {
			reason = err.Error()
		}
		p.warn(f, "A picture can't be drawn: "+reason)
		return nil
	}
	return scaledPicture(px, w, h, f.Style.ImagePixels)
}

// maxScaled bounds the pixels of a scaled picture.
const maxScaled = 6 << 20

// picture draws a picture over a rectangle.
func (p *painter) picture(f *layout.Fragment, img Image, r rect, t target) {
	if r.empty() || t.c.r.Empty() {
		return
	}
	d := t.m.bounds(r)
	if outer(d).Intersect(t.c.r).Empty() {
		return
	}
	s := &pictureShader{nearest: f.Style.ImagePixels}
	if t.m.straight() && t.m.a > 0 && t.m.d > 0 {
		d = d.snapped()
		w, h := int(d.w()), int(d.h())
		if w < 1 || h < 1 {
			return
		}
		if d.w()*d.h() <= maxScaled {
			if s.picture = p.pixels(f, img, w, h); s.picture == nil {
				return
			}
			s.exact = true
			s.at = translation(-d.x0, -d.y0)
			p.fillRect(t.l, t.c, outer(d), s)
			return
		}
	}
	sx, sy := math.Hypot(t.m.a, t.m.b), math.Hypot(t.m.c, t.m.d)
	w, h := max(int(math.Round(r.w()*sx)), 1), max(int(math.Round(r.h()*sy)), 1)
	if float64(w)*float64(h) > maxScaled {
		iw, ih, _ := img.Size()
		w, h = min(max(int(iw), 1), 2048), min(max(int(ih), 1), 2048)
	}
	if s.picture = p.pixels(f, img, w, h); s.picture == nil {
		return
	}
	inv, ok := t.m.inverse()
	if !ok {
		return
	}
	kx, ky := float64(w)/r.w(), float64(h)/r.h()
	s.at = matrix{a: kx, d: ky, e: -r.x0 * kx, f: -r.y0 * ky}.mul(inv)
	var q path
	q.rect(r)
	p.fill(t.l, t.c, q.transformed(t.m), false, s)
}

// replaced paints the content of an <img> or <svg>.
func (p *painter) replaced(f *layout.Fragment, t target) {
	if f.Replaced == nil || f.Style.Visibility != css.Visible || p.textOnly {
		return
	}
	content := rectOf(f.Content())
	var img Image
	if f.Replaced.SVG {
		if !content.empty() {
			p.contentClip(f, &t)
			p.inlineSVG(f, content, t)
		}
		return
	}
	if f.Replaced.Source != "" {
		img = p.image(f, f.Replaced.Source)
	}
	if img == nil || content.empty() {
		return
	}
	st := f.Style
	w, h, ratio := img.Size()
	if w <= 0 || h <= 0 {
		w, h = content.w(), content.h()
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
		switch contain, cover := min(content.w()/w, content.h()/h), max(content.w()/w, content.h()/h); st.ObjectFit {
		case css.FitContainBox:
			k = contain
		case css.FitCover:
			k = cover
		case css.FitScaleDown:
			k = min(1, contain)
		}
		w, h = w*k, h*k
		x := content.x0 + st.ObjectPosition[0].Resolve(content.w()-w)
		y := content.y0 + st.ObjectPosition[1].Resolve(content.h()-h)
		r = rect{x, y, x + w, y + h}
	}
	p.contentClip(f, &t)
	p.picture(f, img, r, t)
}

// contentClip limits a target to the content box, with the corners of the border.
func (p *painter) contentClip(f *layout.Fragment, t *target) {
	shape := boxShape(f, shapeOf(f), css.BoxContent)
	*t = p.clipShape(*t, shape)
}
