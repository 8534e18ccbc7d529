package fakeai

import (
	"math"
	"math/rand/v2"
)

// noise is gradient noise over the plane. Source: Ken Perlin, "Improving noise", 2002.
type noise struct{ perm [512]uint8 }

func newNoise(rng *rand.Rand) *noise {
	n := &noise{}
	for i, v := range rng.Perm(256) {
		n.perm[i], n.perm[i+256] = uint8(v), uint8(v)
	}
	return n
}

// at is about -.7 to .7, and changes over a distance of 1.
func (n *noise) at(x, y float64) float64 {
	fx, fy := math.Floor(x), math.Floor(y)
	xi, yi := int(fx)&255, int(fy)&255
	x, y = x-fx, y-fy
	u, v := x*x*x*(x*(x*6-15)+10), y*y*y*(y*(y*6-15)+10)
	a, b := int(n.perm[xi])+yi, int(n.perm[xi+1])+yi
	top := gradient(n.perm[a], x, y)*(1-u) + gradient(n.perm[b], x-1, y)*u
	return top*(1-v) + (gradient(n.perm[a+1], x, y-1)*(1-u)+gradient(n.perm[b+1], x-1, y-1)*u)*v
}

// gradient is the slope of one corner of the lattice, one of eight directions.
func gradient(hash uint8, x, y float64) float64 {
	const d = math.Sqrt2 / 2
	switch hash & 7 {
	case 0:
		return x
	case 1:
		return -x
	case 2:
		return y
	case 3:
		return -y
	case 4:
		return d * (x + y)
	case 5:
		return d * (x - y)
	case 6:
		return d * (y - x)
	}
	return -d * (x + y)
}

// fractal is the sum of octaves, each twice as fine and half as strong as the one before.
func (n *noise) fractal(x, y float64, octaves int) (sum float64) {
	strength := 1.
	for range octaves {
		sum += strength * n.at(x, y)
		x, y, strength = 2*x+17.3, 2*y-9.1, strength/2
	}
	return sum
}
