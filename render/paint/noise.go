package paint

import (
	"math"
	"sync"
)

// noiseSide is the side of the tile of blue noise; a pattern of one level repeats unseen.
const noiseSide = 32

// blueNoise returns thresholds from 0 to 254 in which neighbors differ as much as they can: what is rounded by them
// shows no bands, and no grain of a size that one sees.
//
// Each next threshold goes to the place with the least energy, where every place taken adds a Gaussian about itself.
// Source: R. Ulichney, "The void-and-cluster method for dither array generation", 1993 (its second phase alone).
// Energies are whole numbers, so that the tile is the same on every processor.
var blueNoise = sync.OnceValue(func() *[noiseSide * noiseSide]uint8 {
	const n, sigma = noiseSide, 1.9
	var near [n * n]int64
	for y := range n {
		for x := range n {
			dx, dy := float64(min(x, n-x)), float64(min(y, n-y))
			near[y*n+x] = int64(math.Round(1e9 * math.Exp(-(dx*dx+dy*dy)/(2*sigma*sigma))))
		}
	}
	var energy [n * n]int64
	var tile [n * n]uint8
	for rank := range n * n {
		at := 0
		for i, e := range energy {
			if e < energy[at] {
				at = i
			}
		}
		tile[at] = uint8(rank * 255 / (n * n))
		ax, ay := at%n, at/n
		for y := range n {
			row := near[((y-ay+n)%n)*n:]
			for x := range n {
				energy[y*n+x] += row[(x-ax+n)%n]
			}
		}
		energy[at] = math.MaxInt64 / 2 // taken
	}
	return &tile
})

// bayer holds the thresholds of ordered dithering, 0 to 240, as a tile of the size of the noise. It repeats every four
// pixels, which costs a PNG little, but where steps are large it shows as a weave.
var bayer = func() (tile [noiseSide * noiseSide]uint8) {
	order := [4][4]uint8{{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}}
	for i := range tile {
		tile[i] = order[i/noiseSide%4][i%4] * 16
	}
	return tile
}()

// thresholds returns the thresholds of a row for dithering on palette entries: across the coverage of an ink and along
// a gradient. The two are as good as independent.
func thresholds(y int, noisy bool) (across, along []uint8) {
	if noisy {
		return noiseRow(y), noiseRow(y*5 + noiseSide/2)
	}
	row := bayer[y%noiseSide*noiseSide:][:noiseSide]
	return row, row
}

// noiseRow returns the thresholds of blue noise for a row of pixels; they repeat every noiseSide pixels.
func noiseRow(y int) []uint8 {
	return blueNoise()[(y%noiseSide)*noiseSide:][:noiseSide]
}
