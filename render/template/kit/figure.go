package kit

import (
	"crypto/sha256"
	"image"
	"image/color"
	"math"
	"slices"
	"strings"

	"github.com/fogleman/gg"

	"masthead/render/paint"
	"masthead/render/text"
)

// Figures: six shapes of opaque, shaded pieces, which stand for a site that has no letter that can be read when it is
// large. A site always has the same figure; its pages turn or move it.

// figure is one of the shapes.
type figure int

const (
	fan figure = iota // pages around one corner
	leporello
	halves
	squares
	rosette
	shell
	figures = iota
)

// figureOf returns the figure of a site.
func figureOf(site string) figure {
	sum := sha256.Sum256([]byte(site))
	return figure(sum[4]) % figures
}

// figurePlaces are the centers of figures on a share image, and their scale.
var figurePlaces = [figures]struct{ x, y, scale float64 }{
	fan: {1050, 360, .95}, leporello: {1076, 300, 1}, halves: {975, 315, .94}, squares: {1060, 330, .95},
	rosette: {1010, 330, 1}, shell: {1000, 190, .92},
}

// Figure is where and in which colors the figure of a site is drawn, in the layout.
type Figure struct {
	// Left is the least x of its pieces: it moves to the right until it keeps clear of that.
	Left float64
	// Middle and Bigger place it elsewhere than on a share image: the middle of its box, if X isn't 0, and how much larger
	// it is.
	Middle paint.Point
	Bigger float64
	// Hangs turns a figure that stands on the lower edge of the card upside down, so that it hangs from the upper one.
	Hangs bool
	// Tone returns the color at 0 to 1, from dark to light.
	Tone func(k float64) color.NRGBA
}

// FigureTone is the color of figures on the background of the card.
func (c *Card) FigureTone(k float64) color.NRGBA {
	switch th := &c.Theme; {
	case !th.Dark:
		return th.Lead(.92-.42*k, .45+.6*k, -18+30*k)
	case th.Yellow():
		return th.Ramp(.47+.36*k, .9, 10-30*k)
	default:
		l, chroma := .26+.52*k, .6+.5*k
		if c := th.LCH.C; c > 0 {
			chroma = min(chroma, (.10+.9*max(0, l-.35))/c) // as Ramp keeps darks from glowing, without a step
		}
		return th.Ramp(l, chroma, 12-30*k)
	}
}

// piece is a part of a figure: an outline in its own axes, and the tones from its start to its end along them.
type piece struct {
	outline  []paint.Point
	from, to float64 // tones
	down     float64 // direction of the gradient in its own axes: degrees from the x axis, downward
	turn     float64 // degrees
	at       paint.Point
}

// DrawFigure draws the figure of the card's site.
func (c *Card) DrawFigure(f Figure) {
	kind := figureOf(c.Site)
	place := figurePlaces[kind]
	if f.Bigger == 0 {
		f.Bigger = 1
	}
	var pieces []piece
	var box bounds
	if kind == fan && f.Middle.X != 0 {
		f.Bigger *= fanInPlace
	}
	dx, dy := place.x, place.y
	for smaller := 1.0; ; smaller -= figureShrink {
		pieces = figurePieces(kind, c.Seed)
		for i := range pieces {
			pieces[i].place(place.scale * f.Bigger * smaller)
		}
		box = boundsOf(pieces)
		if f.Middle.X != 0 || dx+box.Min.X >= f.Left || smaller-figureShrink < figureLeast {
			break
		}
	}
	switch {
	case f.Middle.X != 0:
		dx, dy = f.Middle.X-(box.Min.X+box.Max.X)/2, f.Middle.Y-(box.Min.Y+box.Max.Y)/2
		if kind == leporello && f.Hangs {
			dy = leporelloEnd*f.Middle.Y - box.Min.Y
		} else if kind == leporello {
			dy = leporelloTop*f.Middle.Y - box.Min.Y
		}
	}
	if f.Left > 0 {
		dx = max(dx, f.Left-box.Min.X)
	}
	tones := make([]color.NRGBA, figureTones)
	for i := range tones {
		tones[i] = f.Tone(float64(i) / (figureTones - 1))
	}
	for i := range pieces {
		p := &pieces[i]
		for j := range p.outline {
			if kind == leporello && j >= 2 { // its lower edge is never seen
				p.outline[j].Y += float64(c.H)
			}
			p.outline[j].X += dx
			p.outline[j].Y += dy
			if kind == leporello && f.Hangs {
				p.outline[j].Y = 2*f.Middle.Y - p.outline[j].Y
			}
			if c.RTL {
				p.outline[j].X = float64(c.W) - p.outline[j].X
			}
		}
		c.drawPiece(p, tones)
	}
}

// A figure that doesn't keep clear of the texts shrinks in steps, down to a fraction of its size, before it moves.
const figureShrink, figureLeast = .1, .79

// fanInPlace makes a fan in a place of its own smaller, so that the ends of its pages are seen, not a sliver above one.
const fanInPlace = .84

// leporelloTop is where a folded strip begins in a place of its own, which it leaves at the bottom: a fraction of the
// middle's height.
const leporelloTop = .36

// leporelloEnd is the same for one that hangs, measured from the lower end of its place.
const leporelloEnd = .2

// figureTones is how many tones all pieces of a figure share: more would not fit the palette beside the texts.
const figureTones = 120

// bounds is a box of pieces.
type bounds struct{ Min, Max paint.Point }

func boundsOf(pieces []piece) bounds {
	b := bounds{paint.Point{X: math.Inf(1), Y: math.Inf(1)}, paint.Point{X: math.Inf(-1), Y: math.Inf(-1)}}
	for _, p := range pieces {
		for _, q := range p.outline {
			b.Min.X, b.Min.Y = min(b.Min.X, q.X), min(b.Min.Y, q.Y)
			b.Max.X, b.Max.Y = max(b.Max.X, q.X), max(b.Max.Y, q.Y)
		}
	}
	return b
}

// place turns, moves and scales a piece.
func (p *piece) place(scale float64) {
	sin, cos := math.Sincos(p.turn * math.Pi / 180)
	for i, q := range p.outline {
		p.outline[i] = paint.Point{
			X: scale * (p.at.X + q.X*cos - q.Y*sin), Y: scale * (p.at.Y + q.X*sin + q.Y*cos),
		}
	}
}

// drawPiece draws a placed piece. Its gradient runs in the direction, of those that compress well, that is nearest to
// its own.
func (c *Card) drawPiece(p *piece, tones []color.NRGBA) {
	box := boundsOf([]piece{*p})
	area := image.Rect(int(box.Min.X)-1, int(box.Min.Y)-1, int(box.Max.X)+2, int(box.Max.Y)+2)
	shown := area.Intersect(c.canvas.Bounds())
	if shown.Dx() < leastPiece || shown.Dy() < leastPiece {
		return
	}
	first, last := toneAt(p.from), toneAt(p.to)
	colors := slices.Clone(tones[min(first, last) : max(first, last)+1])
	if first > last {
		slices.Reverse(colors)
	}
	sin, cos := math.Sincos((p.down + p.turn) * math.Pi / 180)
	if c.RTL {
		cos = -cos
	}
	angle, best := paint.Right, 0.0
	for _, axis := range [...]struct {
		angle paint.Angle
		x, y  float64
	}{{paint.Right, 1, 0}, {paint.Down, 0, 1}, {paint.DownRight, math.Sqrt2 / 2, math.Sqrt2 / 2}, {
		paint.UpRight, math.Sqrt2 / 2, -math.Sqrt2 / 2,
	}} {
		if along := cos*axis.x + sin*axis.y; math.Abs(along) > math.Abs(best) {
			angle, best = axis.angle, along
		}
	}
	if best < 0 {
		slices.Reverse(colors)
	}
	l := paint.Linear{Angle: angle, Colors: colors, Exact: true}
	l.From, l.To = spanOf(p.outline, area, angle)
	c.canvas.PaintStencil(paint.PathStencil(shown, func(g *gg.Context) {
		for i, q := range p.outline {
			if i == 0 {
				g.MoveTo(q.X, q.Y)
			} else {
				g.LineTo(q.X, q.Y)
			}
		}
		g.ClosePath()
		g.Fill()
	}), area, l)
}

// leastPiece is how much of a piece an edge of the card must leave: less looks like a fault.
const leastPiece = 8

func toneAt(k float64) int { return int(math.Round(min(max(k, 0), 1) * (figureTones - 1))) }

// spanOf returns the positions along a gradient of an area at which an outline begins and ends.
func spanOf(outline []paint.Point, area image.Rectangle, angle paint.Angle) (from, to int) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, q := range outline {
		x, y := q.X-float64(area.Min.X), q.Y-float64(area.Min.Y)
		at := x
		switch angle {
		case paint.Down:
			at = y
		case paint.DownRight:
			at = x + y
		case paint.UpRight:
			at = x + float64(area.Dy()) - y
		}
		low, high = min(low, at), max(high, at)
	}
	return int(low), max(int(high), int(low)+1)
}

// figurePieces returns the pieces of a figure for a page, back to front.
func figurePieces(kind figure, seed uint64) (pieces []piece) {
	part := float64(seed%8) / 7 // what pages of a site differ in
	mirrored := seed>>3&1 == 1
	switch kind {
	case fan:
		pieces = fanPieces(mirrored)
	case leporello:
		for i := range 5 {
			p := piece{from: .66, to: 1, at: paint.Point{X: 120 * part}}
			left, top, next := -300+128*float64(i), -270.0, -150.0
			if i%2 == 1 {
				p.from, p.to, top, next = .30, .06, next, top
			}
			p.outline = polygon(left, top, left+128, next, left+128, next+640, left, top+640)
			pieces = append(pieces, p)
		}
	case halves:
		for side, tones := range [][2]float64{{1, .5}, {.62, .08}} {
			p := piece{from: tones[0], to: tones[1], down: 45, turn: -34}
			sign := float64(2*side - 1) // -1 is the left half
			if mirrored {
				p.turn = 34
			}
			for i := range 65 {
				sin, cos := math.Sincos(math.Pi * (float64(i)/64 - .5))
				p.outline = append(p.outline, paint.Point{X: sign * (6 + 330*cos), Y: 330*sin - sign*58})
			}
			pieces = append(pieces, p)
		}
	case squares:
		for i := range 9 {
			k, side := float64(i)/8, 320*math.Pow(.845, float64(i))
			pieces = append(pieces, piece{
				outline: polygon(-side, -side, side, -side, side, side, -side, side), from: k - .1, to: k + .16, down: 45,
				turn: 8 + 9.6*float64(i) + 30*part,
			})
		}
	case rosette:
		pieces = rosettePieces(30 * part)
	default:
		for i := range 8 {
			k, r := float64(i)/8, 400-47*float64(i)
			p := piece{from: k + .22, to: k - .08, down: 45, at: paint.Point{X: 170 - .80*r, Y: 330 - .60*r}}
			for j := range 128 {
				sin, cos := math.Sincos(2 * math.Pi * float64(j) / 128)
				p.outline = append(p.outline, paint.Point{X: r * cos, Y: r * sin})
			}
			pieces = append(pieces, p)
		}
	}
	return pieces
}

// polygon returns the outline of a quadrilateral.
func polygon(x0, y0, x1, y1, x2, y2, x3, y3 float64) []paint.Point {
	return []paint.Point{{X: x0, Y: y0}, {X: x1, Y: y1}, {X: x2, Y: y2}, {X: x3, Y: y3}}
}

func fanPieces(mirrored bool) (pieces []piece) {
	for i := range 9 {
		k := float64(i) / 8
		p := piece{
			outline: polygon(-14, -640, 316, -640, 316, 0, -14, 0), turn: -64 + 13*float64(i),
			from: min(1.25*k-.1, .8), to: 1.25*k + .16, at: paint.Point{X: 120, Y: 400},
		}
		if mirrored {
			p.outline, p.down = polygon(14, -640, -316, -640, -316, 0, 14, 0), 180
			p.turn, p.at.X = -p.turn, -p.at.X
		}
		pieces = append(pieces, p)
	}
	return pieces
}

// rosettePieces returns eleven petals, the even ones over the odd ones.
func rosettePieces(turned float64) (pieces []piece) {
	curves := [...][8]float64{
		{0, -52, 58, -120, 100, -230, 84, -300}, {84, -300, 72, -356, -72, -356, -84, -300},
		{-84, -300, -100, -230, -58, -120, 0, -52},
	}
	for i := range 11 {
		p := piece{from: 1, to: .12, down: 90, turn: 360*float64(i)/11 + turned}
		if i%2 == 1 {
			p.from, p.to = .78, .3
		}
		for _, v := range curves {
			for j := range 20 {
				t := float64(j) / 20
				u := 1 - t
				a, b, d, e := u*u*u, 3*u*u*t, 3*u*t*t, t*t*t
				p.outline = append(p.outline, paint.Point{
					X: a*v[0] + b*v[2] + d*v[4] + e*v[6], Y: a*v[1] + b*v[3] + d*v[5] + e*v[7],
				})
			}
		}
		pieces = append(pieces, p)
	}
	return pieces
}

// legible are the letters and digits that are recognized when they are as large as a card. Others
// are only bars (E, F, H, I, L, T), or look like another letter.
const legible = "ABCDGKMNOPQRSVWXYZ235689ДЖКФЯБΔΘΣΦΨΩ"

// LargeInitial returns the initial of the site as a lead shape: with capitals capH high, or for a Han name its first
// character with a side. ok is false for a site whose initial isn't legible, or has a mark that would have no room: its
// card shows the site's figure.
func (c *Card) LargeInitial(capH, side float64) (b Block, ok bool) {
	r := initialLetter(c.SiteName, c.Lang)
	if OnlyBars(r) || Marked(c.SiteName, c.Lang) {
		return Block{}, false
	}
	st := text.Style{Family: text.InstrumentSerif, Weight: 400, SizePx: 1000, Exact: true, Lang: c.Lang}
	han := IsIdeogram(string(r))
	switch {
	case han:
		st.Family, st.Weight, st.SizePx = text.Inter, 700, side
	case r == 0 || !strings.ContainsRune(legible, r):
		return Block{}, false
	case r > 0x24F: // the serif has Latin letters only
		st.Family, st.Weight = text.Inter, 700
	}
	if b = (Block{c.engine.Line(string(r), st, 0), st}); b.Empty() || b.Missing != "" {
		return Block{}, false
	}
	if !han {
		st.SizePx *= capH / b.CapHeight
		b = Block{c.engine.Line(string(r), st, 0), st}
	}
	return b, true
}
