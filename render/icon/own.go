package icon

import (
	"context"
	"image"
	"math"
)

// This file uses the icons that a site has for special purposes.

const (
	// leastMaskable is the minimum side of a maskable icon: enlarged more than twice, it would look worse than ours.
	leastMaskable = 192
	// mostCropped is the distance from its center, as a fraction of its side, up to which a maskable icon that isn't
	// opaque may draw: beyond it, the circle that launchers crop to would cut it.
	mostCropped = .5
)

// pictureOf returns the source's picture with a longer side of about side pixels, or nil.
func pictureOf(ctx context.Context, s Source, side int) *image.NRGBA {
	img := s.Picture
	if s.Draw != nil {
		if drawn, err := s.Draw(ctx, side); err == nil {
			img = drawn
		}
	}
	if img == nil || img.Rect.Empty() || img.Rect.Dx()*img.Rect.Dy() > MaxPixels {
		return nil
	}
	return img
}

// ownMaskable returns the site's own maskable icon at the size of the asset, or nil if it has none that can be used: it
// is too small, or isn't opaque and has no background to put it on.
func (c *composer) ownMaskable(ctx context.Context) *image.NRGBA {
	const side = 512
	img := pictureOf(ctx, c.request.Maskable, side)
	if img == nil || img.Rect.Dx() != img.Rect.Dy() || img.Rect.Dx() < leastMaskable {
		return nil
	}
	m, _ := markOf(img)
	if m == nil {
		return nil
	}
	opaque := m.form == plain || m.form == full
	background := c.request.MaskableBackground
	if !opaque {
		reach := m.reach() + math.Hypot(m.offset())
		if background.A != 255 || reach > mostCropped*float64(m.img.Rect.Dx()) || m.lostOn(background) > mayBeLost {
			return nil
		}
	}
	scaled, _ := m.fit(m.img.Rect, side)
	if scaled == nil {
		return nil
	}
	return over(centredOn(side, background), scaled, image.Point{})
}

// offset is the distance of the mark's center from that of its picture.
func (m *mark) offset() (dx, dy float64) {
	return float64(m.ink.Min.X+m.ink.Max.X-m.img.Rect.Dx()) / 2, float64(m.ink.Min.Y+m.ink.Max.Y-m.img.Rect.Dy()) / 2
}

// silhouette returns the site's own monochrome drawing, or nil.
func (c *composer) silhouette(ctx context.Context) *mark {
	img := pictureOf(ctx, c.request.Silhouette, 512)
	if img == nil {
		return nil
	}
	m, _ := markOf(img)
	if m == nil || m.form == plain || m.form == full {
		return nil
	}
	m.form = glyph
	return m
}
