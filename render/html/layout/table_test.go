package layout_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"masthead/render/html/layout/fragment"
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
			"table 0,0 30x18; td 2,2 14x14; td 16,2 13x14",
		},
		"collapsing borders of groups, rows and cells": {
			"<table style='border-collapse:collapse'><thead style='border-bottom:4px solid'><tr><td colspan=2>" + block(10, 10) +
				"</thead><tr style='border-bottom:2px solid'><td>" + block(10, 10) +
				"<td style='border-left:6px double'>" + block(10, 10) + "</table>",
			"table 0,0 26x26; td 0,0 26x12; td 0,12 13x13; td 13,12 13x13",
		},
		"collapsing borders from the right": {
			"<table dir=rtl style='border-collapse:collapse'><tr><td style='border-right:8px solid'>" + block(10, 10) +
				"<td style='border-right:2px solid'>" + block(10, 10) + "</table>",
			"table 0,0 30x10; td 11,0 15x10; td 0,0 11x10",
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

// TestLayout_collapsedBorders has the borders that a table paints between its cells, each with its place and color.
func TestLayout_collapsedBorders(t *testing.T) {
	const cell = "<td><i style='display:block;width:10px;height:10px'></i>"
	for name, c := range map[string]struct{ style, want string }{
		"the table alone": {"table{border:2px solid #00f}", "0,0 24x2 f; 0,0 2x24 f; 22,0 2x24 f; 0,22 24x2 f"},
		"rows":            {"tr{border-bottom:1px solid #00f}", "0,10 20x1 f; 0,21 20x1 f"},
		"the wider one":   {"table{border-top:1px solid #00f}tr{border-top:3px solid red}", "0,0 20x3 0; 0,13 20x3 0"},
		"the heavier one": {"tr{border-bottom:3px solid red}td{border-top:3px double #00f}",
			"0,0 20x3 f; 0,13 20x3 f; 0,26 20x3 0"},
		"of likes the top": {"tr+tr{border-top:2px solid red}tr{border-bottom:2px solid #00f}", "0,10 20x2 f; 0,22 20x2 f"},
		"none where hidden": {"table{border-bottom:4px solid}td{border-bottom:2px solid red}" +
			"tr:last-child td{border-bottom:9px hidden}",
			"0,10 20x2 0"},
	} {
		_, f := laidOut(t, "<style>*{margin:0}table{border-collapse:collapse}td{padding:0}"+c.style+"</style><table><tr>"+
			cell+cell+"<tr>"+cell+cell+"</table>", 400, 300)
		lines := map[[4]float64]string{} // joined by row or column
		var order [][4]float64
		for f := range fragments(f) {
			if b := f.Style.Border; f.Node == nil && !f.Anonymous && f.BorderWidth != (fragment.Edges{}) {
				side := b.Left
				if f.BorderWidth.Top > 0 {
					side = b.Top
				}
				at := [4]float64{f.Border.X, f.Border.Y, f.Border.W, f.Border.H}
				order, lines[at] = append(order, at), fmt.Sprintf("%x", side.Color.B>>4)
			}
		}
		if got := joined(order, lines); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
		}
	}
}

// joined returns rectangles with their colors by their places, where those that meet end to end are one.
func joined(list [][4]float64, colors map[[4]float64]string) string {
	for again := true; again; {
		again = false
		for i, a := range list {
			for k, b := range list {
				level := a[1] == b[1] && a[3] == b[3] && b[0] > a[0] && b[0] <= a[0]+a[2]
				upright := a[0] == b[0] && a[2] == b[2] && b[1] > a[1] && b[1] <= a[1]+a[3]
				if i == k || again || !level && !upright || colors[a] != colors[b] {
					continue
				}
				both := [4]float64{a[0], a[1], max(a[0]+a[2], b[0]+b[2]) - a[0], max(a[1]+a[3], b[1]+b[3]) - a[1]}
				colors[both], again = colors[a], true
				list[i] = both
				list = slices.Delete(list, k, k+1)
				break
			}
			if again {
				break
			}
		}
	}
	slices.SortFunc(list, func(a, b [4]float64) int {
		return cmp.Or(cmp.Compare(a[1], b[1]), cmp.Compare(a[0], b[0]), cmp.Compare(b[2], a[2]))
	})
	var out []string
	for _, r := range list {
		out = append(out, fmt.Sprintf("%g,%g %gx%g %s", r[0], r[1], r[2], r[3], colors[r]))
	}
	return strings.Join(out, "; ")
}
