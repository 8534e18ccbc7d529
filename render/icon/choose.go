package icon

import (
	"context"
	"fmt"
	"image"
	"image/draw"
	"slices"

	"github.com/disintegration/imaging"
)

// This file chooses the source of a set.

const (
	// enough is the side from which all rasters are equally good: the first of these is used.
	enough = 180
	// vectorSide is the size in which a drawing is examined; maxVectorSide is the maximum for drawing one.
	vectorSide, maxVectorSide = 512, 1024
	// worded is the ratio of a mark's width to its height from which it is a wordmark, which is unreadable at the smallest
	// sizes and used only without another icon; oblong is the maximum ratio of its sides.
	worded, oblong = 2.5, 8
	// elongated is the same for a whole source with its margins: a longer one isn't scaled at all, since halving would
	// leave nothing of its shorter side.
	elongated = 16
)

// mark is a chosen source and its properties.
type mark struct {
	look
	img    *image.NRGBA // its first pixel is at 0, 0
	scales *pyramid
	vector bool
	pixel  bool   // whether it is pixel art
	word   bool   // whether it is a wordmark
	name   string // of a wordmark, for the warning
	// cut is the same mark without the white corners that its file has around a disc or a rounded square, or nil.
	cut     *mark
	onWhite bool // of such a mark: what it is drawn on is white
	// native draws a vector with a longer side of side pixels; nil on failure. The caller doesn't change it.
	native func(side int) *image.NRGBA
	svg    func() string // of a vector: see [Source.SVG]
}

// choose returns the source of the set, or nil: a drawing, otherwise a raster with enough pixels, otherwise the
// largest, and a wordmark only without another.
func choose(ctx context.Context, sources []Source, set *Set) (*mark, error) {
	var rasters, words []*mark
	if len(sources) > MaxSources {
		sources = sources[:MaxSources]
	}
	for i, s := range sources {
		img := s.Picture
		name := s.Name
		if name == "" {
			name = fmt.Sprintf("Icon %d", i+1)
		}
		warn := func(format string, args ...any) {
			set.Warnings = append(set.Warnings, name+" "+fmt.Sprintf(format, args...)+".")
		}
		if s.Draw != nil {
			drawn, err := s.Draw(ctx, vectorSide)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			switch {
			case err == nil:
				img = drawn
			case img == nil:
				warn("was not used: it can't be drawn")
				continue
			}
		}
		m, fault := markOf(img)
		switch {
		case fault != "":
			warn("was not used: %s", fault)
		case m.word:
			if s.Draw != nil && side(img) >= vectorSide*9/10 {
				if err := m.redraw(ctx, s); err != nil {
					return nil, err
				}
			}
			m.name = name
			words = append(words, m)
		case s.Draw != nil && side(img) >= vectorSide*9/10:
			return m, m.redraw(ctx, s)
		case s.Draw != nil:
			warn("takes so long to draw that it was drawn at %d pixels", side(img))
			rasters = append(rasters, m)
		default:
			rasters = append(rasters, m)
		}
	}
	if len(rasters) == 0 {
		if len(words) == 0 {
			return nil, nil
		}
		rasters = words
		set.Warnings = append(set.Warnings, words[0].name+" is too wide for small sizes: 16 and 32 pixels show a letter.")
	}
	slices.SortStableFunc(rasters, func(a, b *mark) int { return min(b.side(), enough) - min(a.side(), enough) })
	m := rasters[0]
	m.pixel = !m.vector && pixelArt(m.img)
	return m, nil
}

// markOf examines a picture. The fault says why it can't be used.
func markOf(img *image.NRGBA) (m *mark, fault string) {
	switch {
	case img == nil || img.Rect.Empty():
		return nil, "it is empty"
	case img.Rect.Dx() > MaxPixels || img.Rect.Dy() > MaxPixels || img.Rect.Dx()*img.Rect.Dy() > MaxPixels:
		return nil, "it has more than 4 megapixels"
	case side(img) > elongated*min(img.Rect.Dx(), img.Rect.Dy()):
		return nil, "it is too oblong for a square"
	}
	if img.Rect.Min != (image.Point{}) {
		moved := image.NewNRGBA(image.Rectangle{Max: img.Rect.Size()})
		draw.Draw(moved, moved.Rect, img, img.Rect.Min, draw.Src)
		img = moved
	}
	// A picture far larger than any asset is examined, and used, at half its size or less.
	img = newPyramid(img).below(2 * maxVectorSide)
	m = &mark{look: lookAt(img), img: img, scales: newPyramid(img)}
	w, h := m.ink.Dx(), m.ink.Dy()
	m.word = float64(w) > worded*float64(h)
	m.cut = withoutCorners(img, &m.look)
	switch {
	case m.ink.Empty():
		return nil, "it draws nothing visible"
	case m.form == full && m.oneColor && max(m.lostOn(white), m.lostOn(darkTab)) > .9:
		return nil, "it has only one color, which isn't visible on white or on dark"
	case max(w, h) > oblong*min(w, h):
		return nil, "it is too oblong for a square"
	case m.screenshot():
		return nil, "it is a picture rather than an icon"
	}
	return m, ""
}

// screenshot reports whether the source is a picture such as a photograph or a screenshot: it is opaque, not square,
// and has many colors or much detail.
func (m *mark) screenshot() bool {
	w, h := m.img.Rect.Dx(), m.img.Rect.Dy()
	return (m.form == full || m.form == plain) && max(w, h)*5 > min(w, h)*6 && max(w, h) > enough &&
		(len(m.shades) > 200 || m.busy > .12)
}

func side(img *image.NRGBA) int { return max(img.Rect.Dx(), img.Rect.Dy()) }

// side is the longer side of the mark, in pixels of its source.
func (m *mark) side() int { return max(m.ink.Dx(), m.ink.Dy()) }

// redraw makes a vector's mark. If the mark fills too little of its frame for the largest asset, it is drawn again.
func (m *mark) redraw(ctx context.Context, s Source) error {
	const wanted = 480
	if m.side() < wanted && m.form != full {
		img, err := s.Draw(ctx, min(vectorSide*wanted/m.side()+1, maxVectorSide))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil { // otherwise the first drawing is good enough
			if again, _ := markOf(img); again != nil {
				*m = *again
			}
		}
	}
	m.vector, m.svg = true, s.SVG
	var last *image.NRGBA // several assets often take parts of the same drawing
	m.native = func(wanted int) *image.NRGBA {
		if wanted > maxVectorSide {
			return nil
		}
		if last != nil && side(last) == wanted {
			return last
		}
		img, err := s.Draw(ctx, wanted)
		if err != nil || img == nil || side(img) != wanted {
			return nil
		}
		last = img
		return img
	}
	return nil
}

// drawn returns a part of a vector drawn at w×h pixels, or nil on failure.
func (m *mark) drawn(part image.Rectangle, w, h int) *image.NRGBA {
	factor := float64(max(w, h)) / float64(max(part.Dx(), part.Dy()))
	if factor == 1 {
		return nil // already available
	}
	place := func(v int) int { return int(float64(v)*factor + .5) }
	img := m.native(place(side(m.img)))
	if img == nil {
		return nil
	}
	at := image.Pt(place(part.Min.X), place(part.Min.Y))
	return imaging.Crop(img, image.Rect(0, 0, w, h).Add(at.Add(img.Rect.Min)))
}

// treatment says how the mark is drawn.
func (m *mark) treatment() Treatment {
	switch {
	case m == nil:
		return Monogram
	case m.vector:
		return Vector
	case m.pixel:
		return Pixel
	case float64(m.side())*maxEnlarged < 512*.9:
		return Tile
	}
	return Raster
}
