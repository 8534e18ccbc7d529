package icon

import (
	"image"
)

// This file draws the monochrome icon, of which launchers use the alpha alone and choose the color. Source: W3C, Web
// Application Manifest, "purpose": monochrome.

const (
	// leastShape and mostShape are the fractions of its box that a shape covers if it can be recognized by its outline.
	leastShape, mostShape = .04, .78
	// leastMono is the minimum size of a shape, as a fraction of the asset's side.
	leastMono = .25
	// fade is the difference from the background over which a shape begins.
	fade = 60
)

// monochrome draws the mark's shape in black, or returns nil if it has none that could be recognized: a photograph, or
// a drawing whose colors are all that tells its parts apart.
func (c *composer) monochrome(side int, silhouette *mark) *image.NRGBA {
	switch m := c.mark; {
	case silhouette != nil:
		return c.shapeOf(side, silhouette, 1)
	case m == nil:
		return c.monogramShape(side)
	default:
		img := c.shapeOf(side, m, mostShape)
		if img == nil && m.cut != nil {
			return c.shapeOf(side, m.cut, mostShape)
		}
		return img
	}
}

// shapeOf draws a shape that covers at most a fraction of its box.
func (c *composer) shapeOf(side int, m *mark, most float64) *image.NRGBA {
	shape := m.shape()
	if shape == nil {
		return nil
	}
	box := inkOf(shape, transparent)
	if box.Empty() {
		return nil
	}
	sum := 0
	for y := box.Min.Y; y < box.Max.Y; y++ {
		row := shape.Pix[shape.PixOffset(box.Min.X, y):][:4*box.Dx()]
		for ; len(row) > 0; row = row[4:] {
			sum += int(row[3])
		}
	}
	if share := float64(sum) / 255 / float64(box.Dx()*box.Dy()); share < leastShape || share > most {
		return nil
	}
	one := &mark{look: look{ink: box}, img: shape, scales: newPyramid(shape), pixel: m.pixel}
	want := c.safe(side, box, one.reach())
	if !m.pixel {
		want = min(want, max(box.Dx(), box.Dy())*maxEnlarged)
	}
	if float64(want) < leastMono*float64(side) {
		return nil
	}
	img, _ := one.fit(box, want)
	return over(clear(side), img, image.Pt((side-img.Rect.Dx())/2, (side-img.Rect.Dy())/2))
}

// shape returns what differs from the mark's background, in black; nil if it has no background of one color.
func (m *mark) shape() *image.NRGBA {
	var ground *[4]uint8
	switch m.form {
	case full:
		return nil
	case badge, plain:
		if !m.mostly {
			return nil
		}
		ground = &[4]uint8{m.rim.R, m.rim.G, m.rim.B, 255}
	}
	out := image.NewNRGBA(m.img.Rect)
	hollow := m.form == glyph && !m.oneColor // white parts are holes in a drawing of several colors
	for y := range out.Rect.Dy() {
		from, to := m.img.Pix[y*m.img.Stride:][:4*out.Rect.Dx()], out.Pix[y*out.Stride:]
		for ; len(from) > 0; from, to = from[4:], to[4:] {
			a := int(from[3])
			switch {
			case ground != nil:
				a = a * min(max(apart(from, ground[:])-sameColor, 0), fade) / fade
			case hollow:
				a = a * min(max(255-int(min(from[0], from[1], from[2]))-fade/3, 0), fade) / fade
			}
			to[3] = uint8(a)
		}
	}
	return out
}

// monogramShape draws the letter alone.
func (c *composer) monogramShape(side int) *image.NRGBA {
	if c.letter() == 0 {
		return nil
	}
	img := clear(side)
	c.drawLetter(img, maskable, black)
	return img
}
