package paint

import (
	"math"
	"sync"
)

// noiseSide is the side of the tile of blue noise; repeating a pattern of one level is invisible.
const noiseSide = 32

// blueNoise returns thresholds from 0 to 254 in which neighbors differ as much as possible: rounding by them shows no
// bands and no visible grain.
//
// Each next threshold goes to the pixel with the least energy, where every assigned pixel adds a Gaussian around
// itself. Source: R. Ulichney, "The void-and-cluster method for dither array generation", 1993 (only its second phase).
// Energies are integers, so that the tile is the same on every processor.
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

// bayer has the thresholds of ordered dithering, 0 to 240, as a tile of the size of the noise. It repeats every four
// pixels, which costs a PNG little, but with large steps it shows as a weave.
var bayer = func() (tile [noiseSide * noiseSide]uint8) {
	order := [4][4]uint8{{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}}
	for i := range tile {
		tile[i] = order[i/noiseSide%4][i%4] * 16
	}
	return tile
}()

// thresholds returns the thresholds of a row for dithering on palette entries: across the coverage of an ink and along
// a gradient. The two are practically independent.
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

// noiseWords returns the thresholds of a row as words of two pixels: each of them in both lanes of its half.
func noiseWords(y int) *[noiseSide / 2]uint64 { return &noiseTable()[y%noiseSide] }

var noiseTable = sync.OnceValue(func() *[noiseSide][noiseSide / 2]uint64 {
	var words [noiseSide][noiseSide / 2]uint64
	for i, t := range blueNoise() {
		words[i/noiseSide][i%noiseSide/2] |= uint64(t) * 0x0001_0001 << (i % 2 * 32)
	}
	return &words
})
