package web

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"github.com/fogleman/gg"

	"masthead/render/paint"
)

// The inks of the program's own mark, as in ui/css/tokens.css.
var (
	spot  = color.NRGBA{0x1a, 0x3f, 0xb8, 0xff}
	paper = color.NRGBA{0xff, 0xff, 0xff, 0xff}
)

// mark draws the program's own mark: an M over the double rule of a newspaper's nameplate. side is the length of its
// sides, in pixels, at least 16. Every stem, serif and rule is on whole pixels, and heavier the smaller the mark is: it
// is drawn for each size, never scaled.
func mark(side int) *image.NRGBA {
	c := paint.New(side, side, paint.Solid(spot), paper)
	defer c.Release()
	// at is a length or position as a fraction of the side, rounded to whole pixels; most is the same but at least least
	// pixels.
	at := func(part float64) float64 { return math.Round(part * float64(side)) }
	most := func(least, part float64) float64 { return max(least, at(part)) }

	left, right := at(.14), float64(side)-at(.14)
	top, base := at(.145), at(.65)
	thin, thick := most(1, .042), most(2, .118)
	serif, overhang := most(1, .034), at(.055)
	stem, bar := left+overhang, right-overhang-thick // left edges of the thin upright and the thick one
	vertex := stem + .54*(bar-stem)                  // where the diagonals meet
	c.Path(c.Bounds(), paper, func(g *gg.Context) {
		box := func(x0, y0, x1, y1 float64) {
			g.DrawRectangle(x0, y0, x1-x0, y1-y0)
			g.Fill()
		}
		diagonal := func(x, width, foot float64) {
			g.MoveTo(x, top)
			g.LineTo(x+width, top)
			g.LineTo(vertex+.36*thick, base)
			g.LineTo(foot, base)
			g.ClosePath()
			g.Fill()
		}
		box(stem, top, stem+thin, base)
		box(bar, top, bar+thick, base)
		box(left, top, stem+thin, top+serif)
		box(bar, top, right, top+serif)
		box(left, base-serif, stem+thin+overhang, base)
		box(bar-overhang, base-serif, right, base)
		diagonal(stem, 1.05*thick, vertex-.1*thick)
		diagonal(bar, 1.2*thin, vertex+.36*thick-1.1*thin)
	})

	rule := func(y, height float64) float64 {
		c.Fill(image.Rect(int(left), int(y), int(right), int(y+height)), paper)
		return y + height
	}
	y := rule(at(.765), most(1, .055))
	if side >= 24 { // below, two would merge
		rule(y+most(1, .034), most(1, .02))
	}

	out := image.NewNRGBA(c.Bounds())
	draw.Draw(out, out.Rect, c.Image(), image.Point{}, draw.Src)
	return out
}
