package template

import (
	"slices"
	"testing"

	"masthead/render/template/kit"
)

// TestPoster_longHostIsWhole checks that a host isn't cut beside free room.
func TestPoster_longHostIsWhole(t *testing.T) {
	const host = "careers.tsumugi-pay-holdings.example"
	for _, rtl := range []bool{false, true} {
		c := openCard(t, "poster", kit.Spec{RTL: rtl, Texts: kit.Texts{Title: "Ship it", Host: host, SiteName: "T"}})
		if said := placedTexts(c); !slices.Contains(said, host) {
			t.Errorf("right to left %v: got %q", rtl, said)
		}
	}
}
