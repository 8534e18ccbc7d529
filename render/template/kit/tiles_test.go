package kit

import (
	"math/rand/v2"
	"testing"
)

// TestWallOf_tilesDifferFromTheirNeighbors checks what makes a wall look composed: two tones of a tile that can be
// told apart, and no figure or background beside or under the same.
func TestWallOf_tilesDifferFromTheirNeighbors(t *testing.T) {
	const cols, rows = 3, 4
	for seed := range uint64(200) {
		for _, tones := range [][]tileTone{darkTiles[:], lightTiles[:]} {
			wall := wallOf(rand.New(rand.NewPCG(seed, 0)), tones, cols, rows)
			if len(wall) != cols*rows {
				t.Fatalf("seed %d: there are %d tiles, want %d", seed, len(wall), cols*rows)
			}
			for i, tile := range wall {
				if far := tones[tile.background].l - tones[tile.ink].l; max(far, -far) < tileContrast-1e-9 {
					t.Errorf("seed %d: the tones of tile %d differ by %.2f, want %.2f", seed, i, far, tileContrast)
				}
				if i%cols > 0 && wall[i-1].like(tile) || i >= cols && wall[i-cols].like(tile) {
					t.Errorf("seed %d: tile %d is like its neighbor: %v", seed, i, tile)
				}
			}
		}
	}
}
