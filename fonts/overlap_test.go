package fonts_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"

	"masthead/fonts"
)

// outlineRows is how many lines of a scan there are to the em, in either direction. What they see of an overlap that is
// narrower than thinnest, in parts of an em, is the rounding of points to units where two edges meet at a sharp angle.
const (
	outlineRows = 400
	thinnest    = 1. / 900
)

// TestFace_noOutlineOverlapsItself holds every glyph to contours that cover each place once: where two edges of parts
// that lie over each other meet, antialiasing counts twice, and a stroked letter shows the edges within. Of the large
// faces it looks at a part, which is another for each of them.
func TestFace_noOutlineOverlapsItself(t *testing.T) {
	for _, f := range fonts.All() {
		t.Run(f.Name(), func(t *testing.T) {
			t.Parallel()
			ft := font.NewFace(f.Font())
			em := float64(ft.Upem())
			first, step := font.GID(0), font.GID(1)
			if fonts.Large(f) {
				first, step = font.GID(f.Index()%16), 16
			}
			seen := 0
			for gid := first; gid < math.MaxUint16; gid += step {
				outline, ok := f.Outline(ft, gid)
				if !ok || len(outline) == 0 {
					continue
				}
				seen++
				rows, columns := overlap(outline, em, false), overlap(outline, em, true)
				if width := max(rows, columns); width > thinnest*em {
					t.Errorf("glyph %d overlaps itself over %.1f units", gid, width)
				}
			}
			if seen < 50 {
				t.Errorf("looked at %d outlines only", seen)
			}
		})
	}
}

// TestOverlap_findsWhatLiesOverEachOther holds the check itself to outlines that do and that do not.
func TestOverlap_findsWhatLiesOverEachOther(t *testing.T) {
	square := func(x, y, side float32, clockwise bool) []opentype.Segment {
		at := [][2]float32{{x, y}, {x, y + side}, {x + side, y + side}, {x + side, y}}
		if !clockwise {
			slices.Reverse(at)
		}
		out := make([]opentype.Segment, len(at))
		for i, p := range at {
			out[i].Op = opentype.SegmentOpLineTo
			out[i].Args[0] = opentype.SegmentPoint{X: p[0], Y: p[1]}
		}
		out[0].Op = opentype.SegmentOpMoveTo
		return out
	}
	leaf := []opentype.Segment{ // of two curves that pass each other at both ends
		{Op: opentype.SegmentOpMoveTo, Args: [3]opentype.SegmentPoint{{X: 0, Y: 0}}},
		{Op: opentype.SegmentOpQuadTo, Args: [3]opentype.SegmentPoint{{X: 300, Y: 700}, {X: 600, Y: 0}}},
		{Op: opentype.SegmentOpQuadTo, Args: [3]opentype.SegmentPoint{{X: 300, Y: 300}, {X: 0, Y: 0}}},
	}
	for _, c := range []struct {
		name    string
		outline []opentype.Segment
		want    float64
	}{
		{"one square", square(0, 0, 500, true), 0},
		{"two beside each other", append(square(0, 0, 500, true), square(600, 0, 300, true)...), 0},
		{"a hole", append(square(0, 0, 500, true), square(100, 100, 300, false)...), 0},
		{"a curve", leaf, 0},
		{"two over each other", append(square(0, 0, 500, true), square(450, 450, 300, true)...), 50},
		{"one within another", append(square(0, 0, 500, true), square(100, 100, 300, true)...), 300},
		{"one against another", append(square(0, 0, 500, true), square(600, 0, 300, false)...), 300},
		{"a square over a curve", append(slices.Clone(leaf), square(250, 200, 100, true)...), 100},
	} {
		for _, columns := range []bool{false, true} {
			if got := overlap(c.outline, 1000, columns); math.Abs(got-c.want) > 1 {
				t.Errorf("%s, columns %v: overlap = %.1f, want %.0f", c.name, columns, got, c.want)
			}
		}
	}
}

// crossing is where an outline crosses a line of the scan; up is 1 or -1.
type crossing struct {
	at float64
	up int
}

// overlap returns the length of the longest stretch of a line over which an outline covers a place more than once, or
// against the direction in which it covers most others, in units. Lines are rows, or columns.
func overlap(outline []opentype.Segment, em float64, columns bool) float64 {
	step := em / outlineRows
	rows := make(map[int][]crossing)
	for _, a := range arcs(outline, columns) {
		low, high, up := a.y0, a.y2, 1
		if low > high {
			low, high, up = high, low, -1
		}
		// Lines lie between the units and halves at which points stand.
		for row := int(math.Ceil(low/step - .37)); (float64(row)+.37)*step < high; row++ {
			rows[row] = append(rows[row], crossing{a.cross((float64(row)+.37)*step, up), up})
		}
	}
	var twice float64
	var once [2]struct{ longest, sum float64 } // by direction
	for _, row := range rows {
		slices.SortFunc(row, func(a, b crossing) int { return cmp.Compare(a.at, b.at) })
		winding := 0
		for i := range len(row) - 1 {
			winding += row[i].up
			width := row[i+1].at - row[i].at
			switch {
			case winding > 1 || winding < -1:
				twice = max(twice, width)
			case winding != 0:
				side := &once[(winding+1)/2]
				side.longest, side.sum = max(side.longest, width), side.sum+width
			}
		}
	}
	less := once[0]
	if once[1].sum < less.sum {
		less = once[1]
	}
	return max(twice, less.longest)
}

// arc is a part of a quadratic curve that only rises or only falls.
type arc struct {
	x0, x1, x2, y0, y1, y2 float64
}

func (a arc) at(t float64) (x, y float64) {
	u := 1 - t
	return u*u*a.x0 + 2*u*t*a.x1 + t*t*a.x2, u*u*a.y0 + 2*u*t*a.y1 + t*t*a.y2
}

// cross returns where the arc is at height y.
func (a arc) cross(y float64, up int) float64 {
	bend, slope := a.y0-2*a.y1+a.y2, a.y1-a.y0
	t := (y - a.y0) / (2 * slope)
	if math.Abs(bend) > 1e-9 {
		root := math.Sqrt(max(0, slope*slope-bend*(a.y0-y)))
		t = (-slope + float64(up)*root) / bend // the slope there has the sign of up
	}
	x, _ := a.at(min(max(t, 0), 1))
	return x
}

// arcs returns an outline as arcs; with columns, x and y change places.
func arcs(outline []opentype.Segment, columns bool) (out []arc) {
	var x, y, startX, startY float64
	add := func(x1, y1, x2, y2 float64) {
		whole := arc{x, x1, x2, y, y1, y2}
		x, y = x2, y2
		bend := whole.y0 - 2*y1 + y2
		if t := (whole.y0 - y1) / bend; bend != 0 && t > 0 && t < 1 { // cut at the highest or lowest point
			mx, my := whole.at(t)
			out = append(out,
				arc{whole.x0, whole.x0 + t*(x1-whole.x0), mx, whole.y0, my, my},
				arc{mx, x1 + t*(x2-x1), x2, my, my, y2})
			return
		}
		out = append(out, whole)
	}
	line := func(toX, toY float64) { add((x+toX)/2, (y+toY)/2, toX, toY) }
	for _, s := range outline {
		p := [2][2]float64{}
		for i := range p {
			p[i] = [2]float64{float64(s.Args[i].X), float64(s.Args[i].Y)}
			if columns {
				p[i][0], p[i][1] = p[i][1], p[i][0]
			}
		}
		switch s.Op {
		case opentype.SegmentOpMoveTo:
			line(startX, startY)
			x, y = p[0][0], p[0][1]
			startX, startY = x, y
		case opentype.SegmentOpLineTo:
			line(p[0][0], p[0][1])
		case opentype.SegmentOpQuadTo:
			add(p[0][0], p[0][1], p[1][0], p[1][1])
		default:
			panic("cubic curve in a TrueType face")
		}
	}
	line(startX, startY)
	return out
}
