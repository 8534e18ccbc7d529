package palette_test

import (
	"crypto/sha256"
	"fmt"
	"math"
	"math/big"
	"testing"

	"masthead/render/palette"
)

// TestOfHost_eachSiteHasOneOfTenColors: the color is the one that the hash names, all ten are used, and about equally.
func TestOfHost_eachSiteHasOneOfTenColors(t *testing.T) {
	want := []uint32{
		0x2F5BEA, 0x8B3FE0, 0xB832A0, 0xD6295E, 0xDF4A26, 0xE0930F, 0x4E821A, 0x0A8A5F, 0x0E8C9C, 0x0B7FD1,
	}
	seen := map[string]int{}
	const sites = 2000
	for i := range sites {
		domain := fmt.Sprintf("site-%d.example", i)
		sum := sha256.Sum256([]byte(domain))
		n := new(big.Int).Mod(new(big.Int).SetBytes(sum[:4]), big.NewInt(int64(len(want)))).Int64()
		got := palette.OfHost(domain)
		if got != palette.RGB(want[n]) || got != palette.OfHost(domain) {
			t.Errorf("%s: got %s, want #%06X", domain, palette.Hex(got), want[n])
		}
		seen[palette.Hex(got)]++
	}
	for c, n := range seen {
		if n < sites/20 || n > sites/6 {
			t.Errorf("%s is the color of %d of %d sites", c, n, sites)
		}
	}
	if len(seen) != len(want) || palette.OfHost("") != palette.DefaultAccent {
		t.Errorf("%d colors are used, want %d; without a name it is %v", len(seen), len(want), palette.OfHost(""))
	}
}

// TestOfHost_colorsTakeTextAndDiffer: white text can be read on all but amber, and neighbors can be told apart.
func TestOfHost_colorsTakeTextAndDiffer(t *testing.T) {
	white, found := palette.RGB(0xFFFFFF), map[string]palette.LCH{}
	for i := range 400 {
		c := palette.OfHost(fmt.Sprint(i))
		lch := palette.ToLCH(c)
		if amber := lch.L > .7; !amber && palette.Contrast(c, white) < 4 {
			t.Errorf("white on %s has a contrast of %.2f", palette.Hex(c), palette.Contrast(c, white))
		}
		for name, other := range found {
			turn := math.Abs(math.Mod(lch.H-other.H+540, 360) - 180)
			if name != palette.Hex(c) && turn < 15 {
				t.Errorf("%s and %s are %.0f degrees apart", name, palette.Hex(c), turn)
			}
		}
		found[palette.Hex(c)] = lch
	}
}
