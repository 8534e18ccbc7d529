package template

import "testing"

// TestEvent_leafIsApartFromTheColumn: less than this looks like none at 300 px.
func TestEvent_leafIsApartFromTheColumn(t *testing.T) {
	const least = 56
	for _, m := range eventWidths {
		if apart := float64(m.leaf.Min.X) - 72 - m.w; apart < least {
			t.Errorf("a column of %.0f ends %.0f before its leaf, want %d", m.w, apart, least)
		}
	}
}
