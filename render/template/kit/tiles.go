package kit

import (
	"image"
	"image/color"
	"math/rand/v2"

	"github.com/fogleman/gg"

	"masthead/render/palette"
)

// Tiles: a wall of squares, each with one large figure, in opaque tones of the accent.

// tileFigure is the figure of a tile.
type tileFigure uint8

const (
	quarterDisc tileFigure = iota // around a corner, as large as the tile
	halfDisc                      // at an edge
	disc                          // in the middle
	triangle                      // half of the tile
	quarterRing                   // around a corner, from half of the tile on
	tileFigures = iota
)

// tile is one square of a wall, with its tones numbered from the one closest to the background of the card.
type tile struct {
	background, ink int
	figure          tileFigure
	turn            int // quarter turns
}

// tileContrast is the minimum difference in lightness between the two tones of a tile.
const tileContrast = .24

// tileTone is a lightness, a fraction of the accent's chroma and a turn of its hue.
type tileTone struct{ l, k, dh float64 }

// The tones of tiles, from the one closest to the background of the card to the one farthest from it.
var (
	darkTiles  = [...]tileTone{{.30, .7, 8}, {.42, 1, 2}, {.55, 1, -6}, {.70, .9, -15}, {.86, .5, -24}}
	lightTiles = [...]tileTone{{.93, .5, -24}, {.84, .9, -18}, {.70, 1, -10}, {.55, 1, 0}, {.36, .7, 8}}
)

// tileTonesOf returns the tones of the tiles of a theme.
func tileTonesOf(th *palette.Theme) [len(darkTiles)]tileTone {
	if th.Dark {
		return darkTiles
	}
	return lightTiles
}

// amber returns a tone for a yellow accent: the light ones are the accent itself, all others turn to orange, since a
// darker yellow looks olive.
func (t tileTone) amber() tileTone {
	const yellow, lean = .80, -25
	if t.l < yellow {
		return tileTone{t.l, t.k, lean}
	}
	return tileTone{t.l, max(t.k, .9), 0}
}

// DrawTiles covers a part of the layout with tiles of a side, from its upper left corner; those at the end are cut.
func (c *Card) DrawTiles(x, y, cols, rows, side int) {
	tones := tileTonesOf(&c.Theme)
	var inks [len(tones)]color.NRGBA
	for i, t := range tones {
		if c.Theme.Yellow() {
			t = t.amber()
		}
		inks[i] = c.Theme.Ramp(t.l, t.k, t.dh)
	}
	for i, t := range wallOf(rand.New(rand.NewPCG(c.Seed, 0)), tones[:], cols, rows) {
		box := c.MotifRect(x+i%cols*side, y+i/cols*side, side, side)
		c.canvas.Fill(box, inks[t.background])
		c.drawTileFigure(t, box, inks[t.ink])
	}
}

// wallOf composes a wall: no figure is next to or above itself, and adjacent backgrounds differ.
func wallOf(r *rand.Rand, tones []tileTone, cols, rows int) []tile {
	wall := make([]tile, 0, cols*rows)
	for i := range cols * rows {
		var t tile
		for {
			t = tile{r.IntN(len(tones)), r.IntN(len(tones)), tileFigure(r.IntN(tileFigures)), r.IntN(4)}
			left := i%cols > 0 && wall[i-1].like(t)
			above := i >= cols && wall[i-cols].like(t)
			far := tones[t.background].l - tones[t.ink].l
			if max(far, -far) >= tileContrast-1e-9 && !left && !above {
				break
			}
		}
		wall = append(wall, t)
	}
	return wall
}

// like reports whether two tiles have the same figure or the same background.
func (t tile) like(u tile) bool { return t.figure == u.figure || t.background == u.background }

// drawTileFigure draws the figure of a tile into its box.
func (c *Card) drawTileFigure(t tile, box image.Rectangle, ink color.NRGBA) {
	defer c.canvas.Clip(box)()
	side := float64(box.Dx())
	// A corner of the tile, and the middle of an edge, by its turn.
	corner := [4]image.Point{box.Min, {box.Max.X, box.Min.Y}, box.Max, {box.Min.X, box.Max.Y}}
	at, next := corner[t.turn], corner[(t.turn+1)%4]
	x, y := float64(at.X), float64(at.Y)
	switch t.figure {
	case quarterDisc:
		c.canvas.Disc(x, y, side, ink)
	case halfDisc:
		c.canvas.Disc((x+float64(next.X))/2, (y+float64(next.Y))/2, side/2, ink)
	case disc:
		c.canvas.Disc(float64(box.Min.X)+side/2, float64(box.Min.Y)+side/2, .304*side, ink)
	case quarterRing:
		c.canvas.Ring(x, y, .75*side, side/2, ink)
	case triangle:
		last := corner[(t.turn+3)%4]
		c.canvas.Path(box, ink, func(g *gg.Context) {
			g.MoveTo(x, y)
			g.LineTo(float64(next.X), float64(next.Y))
			g.LineTo(float64(last.X), float64(last.Y))
			g.ClosePath()
			g.Fill()
		})
	}
}
