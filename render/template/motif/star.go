package motif

import (
	"math"

	"github.com/fogleman/gg"
)

// StarPath adds a star of five points with its middle at a position.
func StarPath(g *gg.Context, x, y, radius float64) {
	g.NewSubPath()
	for j := range 10 {
		r := radius
		if j%2 == 1 {
			r *= .45
		}
		sin, cos := math.Sincos(math.Pi * float64(j) / 5)
		g.LineTo(x+r*sin, y-r*cos)
	}
	g.ClosePath()
}
