package grid_test

import (
	"testing"

	"masthead/render/html/layout/fragment"
	"masthead/render/html/layout/layouttest"
)

func TestLayout(t *testing.T) {
	for _, c := range []struct {
		main, items string
		want        []fragment.Rect
	}{
		{"display:grid;grid-template-columns:100px 1fr 2fr;grid-auto-rows:10px", "<i></i><i></i><i></i><i></i>", []fragment.Rect{
			{W: 100, H: 10}, {X: 100, W: 100, H: 10}, {X: 200, W: 200, H: 10}, {Y: 10, W: 100, H: 10},
		}},
		{"display:grid;grid-template-columns:repeat(auto-fill,90px);gap:10px;grid-auto-rows:5px",
			"<i style='grid-column:-2'></i><i style='grid-column:span 2'></i>", []fragment.Rect{
				{X: 300, W: 90, H: 5}, {Y: 15, W: 190, H: 5},
			}},
		{"display:grid;grid-template-areas:\"a b\" \"a c\";grid-template-rows:30px 20px;grid-template-columns:1fr 3fr",
			"<i style='grid-area:a'></i><i style='grid-area:c'></i>", []fragment.Rect{
				{W: 100, H: 50}, {X: 100, Y: 30, W: 300, H: 20},
			}},
		{"display:grid;width:200px;grid-template-columns:minmax(50px,auto) min-content",
			"<i style='height:8px'></i><i style='width:30px'></i>", []fragment.Rect{{W: 170, H: 8}, {X: 170, W: 30, H: 8}}},
		{"display:grid;height:100px;place-items:center", "<i style='width:20px;height:10px'></i>", []fragment.Rect{
			{X: 190, Y: 45, W: 20, H: 10},
		}},
		{"display:grid;grid-template-columns:1fr 1fr;align-items:baseline",
			"<i style='width:10px;height:30px'></i><i style='width:10px;height:10px'></i>", []fragment.Rect{
				{W: 10, H: 30}, {X: 200, Y: 20, W: 10, H: 10},
			}},
		{"display:grid;grid-auto-flow:column;justify-content:end;grid-auto-columns:40px", "<i></i><i style='height:6px'></i>",
			[]fragment.Rect{{X: 320, W: 40, H: 6}, {X: 360, W: 40, H: 6}}},
	} {
		got := layouttest.Laid(t, c.main, c.items)
		if len(got) != len(c.want) {
			t.Errorf("%s: %d items, want %d", c.main, len(got), len(c.want))
			continue
		}
		for k, r := range got {
			if r != c.want[k] {
				t.Errorf("%s: item %d is at %+v, want %+v", c.main, k, r, c.want[k])
			}
		}
	}
}

// TestLayout_isBounded repeats a track more often than a grid may have tracks.
func TestLayout_isBounded(t *testing.T) {
	got := layouttest.Laid(t, "display:grid;width:3000px;grid-template-columns:repeat(auto-fill,1px)", "<i style='grid-column:-2'></i>")
	if len(got) != 1 || got[0].X < 100 || got[0].X > 1000 {
		t.Errorf("the last track of 3,000 is at %+v, want one of the first 1,000", got)
	}
}
