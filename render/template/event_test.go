package template

import (
	"slices"
	"testing"

	"masthead/render/template/kit"
)

// TestEvent_leafIsApartFromTheColumn: less than this looks like none at 300 px.
func TestEvent_leafIsApartFromTheColumn(t *testing.T) {
	const least = 56
	for _, m := range eventWidths {
		if apart := float64(m.leaf.Min.X) - 72 - m.w; apart < least {
			t.Errorf("a column of %.0f ends %.0f before its leaf, want %d", m.w, apart, least)
		}
	}
}

// TestEvent_placeIsCutBeforeABracket checks that a place isn't cut within brackets, and that the price is after it
// then.
func TestEvent_placeIsCutBeforeABracket(t *testing.T) {
	c := openCard(t, "event", kit.Spec{Texts: kit.Texts{Title: "東部鐵道百年特展"}, Leaf: kit.Leaf{
		Day: "1", Place: "東線鐵道博物館 一樓特展室（花蓮縣玉里鎮中山路二段）", Price: "NT$120",
	}})
	if want, said := "東線鐵道博物館 一樓特展室 · NT$120", placedTexts(c); !slices.Contains(said, want) {
		t.Errorf("got %q, want %q", said, want)
	}
}
