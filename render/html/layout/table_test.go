package layout_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestLayout_tables has the boxes of tables and cells, whose content doesn't depend on fonts.
func TestLayout_tables(t *testing.T) {
	block := func(w, h int) string {
		return fmt.Sprintf("<i style='display:block;width:%dpx;height:%dpx'></i>", w, h)
	}
	for name, c := range map[string]struct{ source, want string }{
		"spacing": {
			"<table style='border-spacing:10px 5px'><tr><td>" + block(50, 20) + "<td>" + block(30, 40) + "</table>",
			"table 0,0 110x50; td 10,5 50x40; td 70,5 30x40",
		},
		"spans": {
			"<table style='border-spacing:0'><tr><td rowspan=2>" + block(50, 90) + "<td>" + block(30, 30) +
				"<tr><td>" + block(20, 30) + "<tr><td colspan=2>" + block(200, 10) + "</table>",
			"table 0,0 200x100; td 0,0 125x90; td 125,0 75x45; td 125,45 75x45; td 0,90 200x10",
		},
		"percentages": {
			"<table style='border-spacing:0'><tr><td style='width:25%'>" + block(10, 10) + "<td>" + block(60, 10) + "</table>",
			"table 0,0 80x10; td 0,0 20x10; td 20,0 60x10",
		},
		"fixed": {
			"<table style='border-spacing:0;width:300px;table-layout:fixed'><tr><td style='width:60px'>" + block(90, 10) +
				"<td><td></table>",
			"table 0,0 300x10; td 0,0 60x10; td 60,0 120x10; td 180,0 120x10",
		},
		"collapsing borders": {
			"<table style='border-collapse:collapse;border:2px solid'><tr><td style='border:4px solid'>" + block(10, 10) +
				"<td style='border:1px solid'>" + block(10, 10) + "</table>",
			"table 0,0 30x18; td 0,0 16x18; td 16,0 12x18",
		},
		"without rows": {
			"<div style='display:table;width:100px;height:60px'><div style='display:table-cell'>" + block(10, 10) +
				"</div><div style='display:table-cell'>" + block(30, 10) + "</div></div>",
			"div 0,0 100x60; div 0,0 25x60; div 25,0 75x60",
		},
	} {
		root, f := laidOut(t, "<style>*{margin:0}td{padding:0}</style>"+c.source, 400, 300)
		boxes := boxesOf(f)
		var got []string
		for _, n := range elements(root) {
			if n.Tag == "table" || n.Tag == "td" || n.Tag == "div" {
				r := boxes[n]
				got = append(got, fmt.Sprintf("%s %g,%g %gx%g", n.Tag, r.X, r.Y, r.W, r.H))
			}
		}
		if all := strings.Join(got, "; "); all != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, all, c.want)
		}
	}
}
