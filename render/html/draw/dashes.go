package draw

import (
	"image"
	"math"

	"masthead/render/html/css"
	"masthead/render/html/raster"
)

// dashPattern returns the lengths of dashes and gaps that fit a line, as Chromium chooses them.
func dashPattern(style css.LineStyle, width, length float64, closed bool) (on, off float64) {
	if style == css.LineDotted {
		if width <= 3 && !closed {
			return width, bestGap(length, width, width, closed)
		}
		return 0, bestGap(length, width, width, closed) + width
	}
	on, off = width*3, width*2
	if width >= 3 {
		on, off = width*2, width
	}
	return on, bestGap(length, on, off, closed)
}

func bestGap(length, dash, gap float64, closed bool) float64 {
	room := length
	if !closed {
		room += gap
	}
	low := math.Floor(room / (dash + gap))
	high := low + 1
	lowGaps, highGaps := low, high
	if !closed {
		lowGaps, highGaps = low-1, high-1
	}
	if lowGaps < 1 {
		if highGaps < 1 {
			return gap
		}
		return max((length-high*dash)/highGaps, gap)
	}
	a, b := (length-low*dash)/lowGaps, (length-high*dash)/highGaps
	if b <= 0 || math.Abs(a-gap) < math.Abs(b-gap) {
		return a
	}
	return b
}

// dashes paints a straight dashed or dotted border from corner to corner.
func (p *painter) dashes(shape raster.RoundRect, sides [4]borderSide, i int, t target) {
	s, r := sides[i], shape.Rect
	h := s.width / 2
	var a, b [2]float64
	switch i {
	case 0:
		a, b = [2]float64{r.X0, r.Y0 + h}, [2]float64{r.X1, r.Y0 + h}
	case 1:
		a, b = [2]float64{r.X1 - h, r.Y0}, [2]float64{r.X1 - h, r.Y1}
	case 2:
		a, b = [2]float64{r.X0, r.Y1 - h}, [2]float64{r.X1, r.Y1 - h}
	default:
		a, b = [2]float64{r.X0 + h, r.Y0}, [2]float64{r.X0 + h, r.Y1}
	}
	if s.style == css.LineDotted && s.width <= 3 && t.m.Moves() {
		p.smallDots(a, b, s.width, raster.SolidOf(s.color), t)
		return
	}
	p.dashedLine(a, b, s.width, s.style, raster.SolidOf(s.color), t)
}

// smallDots paints the dots of a thin border, which are squares of whole pixels: one at each end, and those between
// them as far from both. Source: measured in Chromium for each length up to 92 px; GraphicsContext::DrawLine fills both
// ends.
func (p *painter) smallDots(a, b [2]float64, width float64, s raster.Shader, t target) {
	across, along := 0, 1
	if a[1] == b[1] {
		across, along = 1, 0
	}
	whole := func(v float64) int { return int(math.Ceil(v - .5)) }
	w, length := int(width), whole(b[along]-a[along])
	dot := func(from, to int) {
		var lo, hi [2]int
		lo[along], hi[along] = whole(a[along])+from, whole(a[along])+to
		lo[across] = whole(a[across] - width/2)
		hi[across] = lo[across] + w
		r := image.Rect(lo[0], lo[1], hi[0], hi[1]).Add(image.Pt(whole(t.m.E), whole(t.m.F)))
		p.FillRect(t.l, t.c, r, s)
	}
	dot(0, min(w, length))
	inner := length - 2*w
	if inner < 0 {
		return
	}
	dot(length-w, length)
	rest := inner % (2 * w)
	if w == 3 && rest == 0 && inner > 0 { // a dot would touch those at the ends
		rest = 2 * w
		dot(w, w+1)
		dot(length-w-1, length-w)
	}
	from := 3*w + rest // in half pixels
	for k := 0; k < raster.MaxDashes && from+2*w <= 2*(length-w); k++ {
		at := from / 2
		if from%2 == 1 && at%2 == 0 { // to the odd pixel
			at++
		}
		dot(at, at+w)
		from += 4 * w
	}
}

// dashedLine strokes a line with dashes or dots.
func (p *painter) dashedLine(a, b [2]float64, width float64, style css.LineStyle, s raster.Shader, t target) {
	length := math.Hypot(b[0]-a[0], b[1]-a[1])
	if length <= 0 || width <= 0 {
		return
	}
	round := style == css.LineDotted && width > 3
	if round { // the caps of dots reach over the ends
		dx, dy := (b[0]-a[0])/length*width/2, (b[1]-a[1])/length*width/2
		a, b = [2]float64{a[0] + dx, a[1] + dy}, [2]float64{b[0] - dx, b[1] - dy}
	}
	on, off := dashPattern(style, max(math.Round(width), 1), length, false)
	var list []raster.Contour
	if round {
		inner := length - width
		n := 1
		if off > 0 {
			n = int(math.Round(inner/off)) + 1
		}
		n = min(max(n, 1), raster.MaxDashes)
		for k := range n {
			f := 0.0
			if n > 1 {
				f = float64(k) / float64(n-1)
			}
			list = append(list, raster.Contour{Points: [][2]float64{{a[0] + (b[0]-a[0])*f, a[1] + (b[1]-a[1])*f}}})
		}
	} else {
		list = raster.Dashed([]raster.Contour{{Points: [][2]float64{a, b}}}, on, off, 0)
	}
	q := raster.Stroke(list, width, round, 1, p.Meter)
	p.Fill(t.l, t.c, q.Transformed(t.m), false, s)
}

// roundDashes strokes dashes along the middle of a rounded frame.
func (p *painter) roundDashes(shape raster.RoundRect, sides [4]borderSide, i int, t target) {
	s := sides[i]
	thick := s.width
	if s.style == css.LineDashed { // as thick as the sides beside it, of which the frame leaves what is in it
		thick = max(thick, sides[(i+3)%4].width, sides[(i+1)%4].width)
	}
	if !even(sides) {
		var ring raster.Path
		shape.AddTo(&ring)
		if inner := shape.Inset(sides[0].width, sides[1].width, sides[2].width, sides[3].width); !inner.Empty() {
			inner.AddTo(&ring)
		}
		t = p.clipPath(t, ring, true)
	}
	mid := shape.Inset(sides[0].width/2, sides[1].width/2, sides[2].width/2, sides[3].width/2)
	var q raster.Path
	mid.AddTo(&q)
	list := q.Contours(.05, p.Meter)
	length := 0.0
	for _, c := range list {
		for k := range c.Points {
			n := c.Points[(k+1)%len(c.Points)]
			length += math.Hypot(n[0]-c.Points[k][0], n[1]-c.Points[k][1])
		}
	}
	on, off := dashPattern(s.style, s.width, length, true)
	round := s.style == css.LineDotted
	if round {
		on = .01
		off -= .01
	}
	out := raster.Stroke(raster.Dashed(list, on, off, 0), thick, round, 1, p.Meter)
	p.Fill(t.l, t.c, out.Transformed(t.m), false, raster.SolidOf(s.color))
}
