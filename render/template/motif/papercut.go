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

// Parameters of the sheets.
const (
	paperSheets   = 3
	PaperSteps    = 48 // shades of a sheet
	PaperVariants = 4  // variants of the waves; see silkVariants
	PaperSizes    = 5  // of the openings
	PaperCalms    = 2  // levels of calm
	paperCalm     = .6
	paperExponent = 3.2
)

// Cavern has the outlines of all openings.
type Cavern struct {
	at       *PaperPlace
	x, y     float64 // its center
	openings [paperSheets]struct {
		rx, ry float64
		waves  [3]float64 // phases
	}
	calm float64
}

// NewCavern returns the outlines of a size and a variant, on a canvas that is higher than usual by twice down. The
// first opening is the outermost.
func NewCavern(key Paper, down float64) Cavern {
	at := key.At
	s := Cavern{at: at, x: at.X, y: at.Y + down, calm: math.Pow(paperCalm, float64(key.Calm))}
	turn := 1.6 * float64(key.Variant)
	for i := range s.openings {
		o, n := &s.openings[i], float64(paperSheets-1-i)
		o.rx = at.RX + at.GrowX*float64(key.Size) + at.NextX*n
		o.ry = at.RY + at.GrowY*float64(key.Size) + at.NextY*n + down/2
		o.waves = [3]float64{1.3*n + turn, 2.1*n + 2*turn, n + 3*turn}
	}
	return s
}

// radius returns the distance of the n-th opening's edge from the center in a direction.
func (s *Cavern) radius(n int, t float64) float64 {
	o, sin, cos := &s.openings[n], math.Abs(math.Sin(t)), math.Abs(math.Cos(t))
	r := math.Pow(math.Pow(cos/o.rx, paperExponent)+math.Pow(sin/o.ry, paperExponent), -1/paperExponent)
	wave := .035*math.Sin(3*t+o.waves[0]) + .025*math.Sin(5*t+o.waves[1]) + .012*math.Sin(9*t+o.waves[2])
	return r * (1 + s.calm*wave)
}

// Holds reports whether a position is in all openings.
func (s *Cavern) Holds(x, y float64) bool {
	dx, dy := x-s.x, y-s.y
	at, t := math.Hypot(dx, dy), math.Atan2(dy, dx)
	for n := range s.openings {
		if at > s.radius(n, t) {
			return false
		}
	}
	return true
}

// outlines returns the openings as polygons.
func (s *Cavern) outlines() (all [][][2]float64) {
	const points = 720
	for n := range s.openings {
		outline := make([][2]float64, points)
		for i := range outline {
			t := 2 * math.Pi * float64(i) / points
			r := s.radius(n, t)
			outline[i] = [2]float64{s.x + r*math.Cos(t), s.y + r*math.Sin(t)}
		}
		all = append(all, outline)
	}
	return all
}

// Paper is everything that the figure of a card's sheets depends on.
type Paper struct {
	At         *PaperPlace
	Variant    uint64
	Size, Calm int // from 0: the smallest openings, and the waviest
	Tall       bool
	Printed    bool // with a picture on the uppermost sheet
}

// PaperPlace is where the openings are in the layout.
type PaperPlace struct {
	X, Y         float64 // their center
	RX, RY       float64 // half of the smallest innermost one
	GrowX, GrowY float64 // for each of its sizes
	NextX, NextY float64 // for each opening around it
}

// Uncut is how many openings are left uncut, so that more of the uppermost sheet is visible: one if it has a picture.
func (k *Paper) Uncut() int {
	if k.Printed {
		return 1
	}
	return 0
}

// papers caches the figures: 320 KB each at most, and 30 ms to draw.
var papers = cache.NewPart(cache.Pieces, func(_ Paper, l *paint.Levels) int { return l.Bytes() })

// PaperLevels returns the sheets of a card.
func PaperLevels(c *kit.Card, key Paper) *paint.Levels {
	if l, ok := papers.Get(key); ok {
		return l
	}
	edges := NewCavern(key, c.Lowered())
	sheets := paint.Sheets{
		Openings: edges.outlines()[key.Uncut():], Sigma: 20, DX: 6, DY: 16, Steps: PaperSteps,
	}
	l := sheets.Levels(image.Rect(0, 0, c.W, c.H))
	papers.Put(key, l)
	return l
}

// paperTones are lightness and chroma of the sheet in each opening, preceded by the uppermost one. Yellow has its own:
// tones between amber and black look muddy, and are omitted.
var (
	paperDark        = [paperSheets + 1][2]float64{{.56, 1}, {.47, .95}, {.35, .8}, {.22, .5}}
	paperLight       = [paperSheets + 1][2]float64{{.62, 1}, {.74, .85}, {.86, .5}, {.985, .05}}
	paperDarkYellow  = [paperSheets + 1][2]float64{{.82, 1}, {.71, .95}, {.30, .2}, {.185, .15}}
	paperLightYellow = [paperSheets + 1][2]float64{{.76, 1}, {.84, .9}, {.92, .5}, {.985, .06}}
)

// paperTone returns the color of the sheet in an opening, from 0; -1 is the uppermost sheet.
func paperTone(th *palette.Theme, n int) color.NRGBA {
	tones, turn := &paperLight, -14+14*float64(n)
	if th.Dark {
		tones = &paperDark
	}
	if !th.Neutral && th.LCH.H >= YellowFrom && th.LCH.H <= YellowTo {
		if tones, turn = &paperLightYellow, -18+7*float64(n); th.Dark {
			tones, turn = &paperDarkYellow, -8*float64(n+1)
		}
	}
	if n < 0 {
		turn = min(turn, -18)
	}
	return th.Ramp(tones[n+1][0], tones[n+1][1], BesideYellow(th.LCH.H, turn))
}

// PaperBackground is the color of the uppermost sheet.
func PaperBackground(th *palette.Theme) color.NRGBA { return paperTone(th, -1) }

// PaperSurface is the surface of the text: the innermost sheet.
func PaperSurface(th *palette.Theme) kit.Surface {
	inner := paperTone(th, paperSheets-1)
	shaded := inner
	if !th.Dark { // text is clear of nearly all of the shadow, which only helps on dark paper
		shaded = mixed(inner, paperShadow(th), .04)
	}
	return kit.Surface{Color: inner, Text: th.Text, Muted: th.MutedOn(shaded), Accent: th.AccentTextOn(shaded)}
}

// paperShadow is the color of shadows, tinted, so that the paper below doesn't turn gray.
func paperShadow(th *palette.Theme) color.NRGBA { return th.Ramp(.12, .5, 0) }

// PaperShades returns the shades of all sheets, each from full light to full shadow.
func PaperShades(th *palette.Theme) []color.NRGBA {
	alpha := .30
	if th.Dark {
		alpha = .6
	}
	shades := make([]color.NRGBA, 0, paperSheets*PaperSteps)
	for n := range paperSheets {
		sheet := paperTone(th, n)
		for k := range PaperSteps {
			shades = append(shades, mixed(sheet, paperShadow(th), alpha*float64(k)/(PaperSteps-1)))
		}
	}
	return shades
}

// mixed blends a part of one color over another, in sRGB, as for shadows.
func mixed(under, over color.NRGBA, part float64) color.NRGBA {
	mix := func(a, b uint8) uint8 { return uint8(float64(a) + (float64(b)-float64(a))*part + .5) }
	return color.NRGBA{R: mix(under.R, over.R), G: mix(under.G, over.G), B: mix(under.B, over.B), A: 255}
}
