package motif

import (
	"image"
	"image/color"
	"math"

	"masthead/render/cache"
	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/template/kit"
)

// Parameters of the silk.
const (
	silkStrokes  = 120
	silkWidth    = 15
	silkVariants = 8  // its variants: enough that neighbors in a list differ, few enough to be cached
	silkSway     = 40 // by which its control points move
	silkLeft     = 480
)

// silkKey is everything that the figure of a card's silk depends on.
type silkKey struct {
	variant uint64
	tall    bool
	size    image.Point // of a header
}

// silks caches the figures: 200 KB each, and 25 ms to draw.
var silks = cache.NewPart(cache.Pieces, func(_ silkKey, l *paint.Levels) int { return l.Bytes() })

// Silk returns a fold of silk from the lower edge of a hero to its upper right, or where a view has that.
func Silk(c *kit.Card, v kit.View) *paint.Levels {
	key := silkKey{c.Seed % silkVariants, c.Tall, c.Sides}
	if l, ok := silks.Get(key); ok {
		return l
	}
	s := silkOf(key.variant)
	for i := range s.From {
		s.From[i][1] += c.Lowered()
		s.To[i][1] += c.Lowered()
	}
	for i := range s.From {
		s.From[i] = [2]float64{v.X(s.From[i][0]), v.Y(s.From[i][1])}
		s.To[i] = [2]float64{v.X(s.To[i][0]), v.Y(s.To[i][1])}
	}
	l := s.Levels(image.Rect(silkLeft, 0, c.W, c.H))
	silks.Put(key, l)
	return l
}

// silkOf returns a variant of the silk in the layout.
func silkOf(variant uint64) paint.Silk {
	s := paint.Silk{
		From:    paint.Curve{{660, 1000}, {1080, 760}, {1000, 260}, {1800, -120}},
		To:      paint.Curve{{1340, 1080}, {1100, 420}, {1660, 640}, {1860, 300}},
		Strokes: silkStrokes, Width: silkWidth,
	}
	random := kit.Chances(variant)
	for i := range s.From {
		for j := range s.From[i] {
			sway := 0.0
			if i == 1 || i == 2 { // the ends stay beyond the edges
				sway = silkSway
			}
			s.From[i][j] += sway * (2*random() - 1)
			s.To[i][j] += sway * (2*random() - 1)
		}
	}
	return s
}

// SilkEdge returns where the silk of a hero begins at a height of the layout.
func SilkEdge(c *kit.Card, y float64) float64 {
	s := silkOf(c.Seed % silkVariants)
	at := func(t float64, axis int) float64 {
		u := 1 - t
		return u*u*u*s.From[0][axis] + 3*u*u*t*s.From[1][axis] + 3*u*t*t*s.From[2][axis] + t*t*t*s.From[3][axis]
	}
	low, high := 0.0, 1.0 // the curve rises
	for range 20 {
		if t := (low + high) / 2; at(t, 1) > y {
			low = t
		} else {
			high = t
		}
	}
	return at(low, 0) - silkWidth/2
}

// SilkShades returns the colors of the strokes: waves of light over a slow turn of the hue.
func SilkShades(th *palette.Theme) []color.NRGBA {
	low, span := .30, .46
	if !th.Dark {
		low, span = .58, .34
	}
	yellow := !th.Neutral && th.LCH.H >= YellowFrom && th.LCH.H <= YellowTo
	if yellow { // dark yellow looks muddy: its shade is amber instead
		low, span = .67, .23
	}
	shades := make([]color.NRGBA, silkStrokes)
	for i := range shades {
		k := float64(i) / float64(len(shades)-1)
		light := .5 + .5*math.Cos(5*math.Pi*k+.6)
		l, turn := low+span*light, BesideYellow(th.LCH.H, -38+62*k)
		if yellow {
			turn = -25 + 27*light*(.5+.5*k)
		}
		shades[i] = th.Ramp(l, calmDark(th, l), turn)
	}
	return shades
}

// calmDark is the fraction of the accent's chroma in a dark shade of a gradient: [palette.Theme.Ramp] limits that of
// dark colors, which would leave a visible step in the gradient.
func calmDark(th *palette.Theme, l float64) float64 {
	const bound, from, full = .10, .35, .52
	if th.LCH.C <= bound || l >= full {
		return 1
	}
	least := bound / th.LCH.C
	return least + (1-least)*max(l-from, 0)/(full-from)
}
