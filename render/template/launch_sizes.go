package template

import (
	"image"

	"masthead/render/paint"
	"masthead/render/template/kit"
	"masthead/render/text"
)

// launchUpright is the same with a larger tile, and more lines below it.
func launchUpright(c *kit.Card) {
	f := c.Format()
	tile := func(top, side int) image.Rectangle {
		return image.Rect((f.W-side)/2, top, (f.W+side)/2, top+side)
	}
	m := launchMeasures{
		tile: tile(124, 260), small: tile(96, 190), margin: int(f.X0),
		column: kit.Column{X: f.X0, Y: 486, W: f.Inner()}, high: 270, ladder: text.Steps(2, 148, 132, 116, 104, 92),
		lower: 372, lowerHigh: 420, lowerLadder: text.Steps(4, 92, 84).Then(5, 72, 64), alone: 330,
		upper:  kit.LogoLine{Middle: int(f.Top) + 32, MaxH: kit.UprightLogo},
		logo:   kit.LogoLine{Middle: int(f.Foot) - 12, MaxH: kit.UprightLogo},
		linePx: 38, gap: 60, lines: 2, hostPx: f.RowPx(),
	}
	switch f {
	case kit.Feed:
		m.tile, m.column.Y, m.high, m.small, m.lower, m.lowerHigh = tile(190, 320), 650, 330, tile(160, 240), 520, 500
		m.ladder = text.Steps(3, 148, 132, 116, 104)
		m.lowerLadder = text.Steps(5, 92, 84, 72)
	case kit.Story:
		m.tile, m.column.Y, m.high, m.small, m.lower, m.lowerHigh = tile(390, 380), 950, 400, tile(330, 300), 800, 560
		m.ladder, m.linePx, m.gap = text.Steps(3, 164, 148, 132, 116), 42, 68
		m.lowerLadder = text.Steps(5, 104, 92, 84)
	}
	end := f.Foot + 10
	m.host, m.foot = [2]float64{end, end - 90}, [2]float64{end - 80, end - 170}
	k := float64(f.H) / 640
	m.view = kit.View{K: k, From: paint.Point{X: 600}, To: paint.Point{X: float64(f.W) / 2}}
	drawLaunch(c, &m)
}
