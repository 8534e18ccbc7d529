package flex_test

import (
	"testing"

	"masthead/render/html/layout/fragment"
	"masthead/render/html/layout/layouttest"
)

func TestLayout(t *testing.T) {
	const two = "<i style='width:100px;height:20px'></i><i style='width:50px;height:40px'></i>"
	const block = "<b style='display:block;width:60px;height:30px'></b>"
	for _, c := range []struct {
		main, items string
		want        []fragment.Rect
	}{
		{"display:flex", two, []fragment.Rect{{X: 0, W: 100, H: 20}, {X: 100, W: 50, H: 40}}},
		// In the order in which they are painted.
		{"display:flex;flex-direction:row-reverse", two, []fragment.Rect{{X: 250, W: 50, H: 40}, {X: 300, W: 100, H: 20}}},
		{"display:flex;flex-flow:row wrap-reverse;width:100px", two, []fragment.Rect{
			{W: 50, H: 40}, {Y: 40, W: 100, H: 20},
		}},
		{"display:flex;flex-flow:row-reverse wrap-reverse;width:150px", two + "<i style='width:9px;height:1px'></i>",
			[]fragment.Rect{{X: 141, W: 9, H: 1}, {Y: 1, W: 50, H: 40}, {X: 50, Y: 21, W: 100, H: 20}}},
		{"display:flex;flex-direction:column", "<i style='flex:1;overflow:hidden'>" + block + "</i>", []fragment.Rect{
			{W: 400, H: 30},
		}},
		{"display:flex;flex-direction:column", "<i style='flex:1 1 0;overflow:hidden'>" + block + "</i>", []fragment.Rect{
			{W: 400},
		}},
		// What is left is shared as if the second item were 30 px high, not 60.
		{"display:flex;flex-direction:column;height:150px", "<i style='flex:1 1 0'></i>" +
			"<i style='flex:2 0 auto;min-height:60px'>" + block + "</i>", []fragment.Rect{
			{W: 400, H: 40}, {Y: 40, W: 400, H: 110},
		}},
		{"display:flex;flex-direction:column", "<i style='flex:1;height:43px'>" + block + "</i>", []fragment.Rect{
			{W: 400, H: 30},
		}},
		{"display:inline-flex;vertical-align:top", "<i style='aspect-ratio:2;min-height:12px'></i><i style='width:9px'></i>", []fragment.Rect{
			{W: 24, H: 12}, {X: 24, W: 9, H: 12},
		}},
		{"display:flex;width:50px", "<i style='height:40px;aspect-ratio:1'>" + block + "</i>", []fragment.Rect{
			{W: 60, H: 40},
		}},
		{"display:flex;justify-content:space-between;align-items:end", two, []fragment.Rect{
			{X: 0, Y: 20, W: 100, H: 20}, {X: 350, W: 50, H: 40},
		}},
		{"display:flex;flex-direction:column;gap:5px;height:100px;justify-content:center", two, []fragment.Rect{
			{Y: 17.5, W: 100, H: 20}, {Y: 42.5, W: 50, H: 40},
		}},
		{"display:flex;flex-wrap:wrap;width:120px", two, []fragment.Rect{{W: 100, H: 20}, {Y: 20, W: 50, H: 40}}},
		{"display:flex;width:90px", two, []fragment.Rect{{W: 60, H: 20}, {X: 60, W: 30, H: 40}}},
		{"display:flex", "<i style='flex:1'></i><i style='flex:3;height:9px'></i>", []fragment.Rect{
			{W: 100, H: 9}, {X: 100, W: 300, H: 9},
		}},
		{"display:flex", "<i style='flex:1;max-width:50px'></i><i style='flex:1;order:-1'></i>", []fragment.Rect{
			{W: 350}, {X: 350, W: 50},
		}},
		{"display:flex", "<i style='width:10px;height:4px;margin:auto'></i>", []fragment.Rect{{X: 195, W: 10, H: 4}}},
		{"display:inline-flex;gap:10px", two, []fragment.Rect{{W: 100, H: 20}, {X: 110, W: 50, H: 40}}},
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
