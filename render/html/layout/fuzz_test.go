package layout_test

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"masthead/render/html/layout"
	"masthead/render/html/layout/boxtree"
	"masthead/render/html/layout/fragment"
	"masthead/render/text"
)

// FuzzLayout lays out any document and holds what must be true of every result: no panic, only finite numbers, the same
// fragments again.
func FuzzLayout(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.html")
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(source), 800.0, 600.0)
	}
	f.Add("<table style='border-collapse:collapse'><caption>a<tr><td colspan=1000 rowspan=0>b<td style='width:1e9%'>"+
		"<tr>c<td><table><td>d</table></table>", 300.0, 200.0)
	f.Add("<div style='display:grid;grid:repeat(auto-fill,1e-9px)/1fr'>", 1e9, 0.0)
	f.Fuzz(func(t *testing.T, source string, w, h float64) {
		if len(source) > 64<<10 || !(w >= 0 && w <= 4096) || !(h >= 0 && h <= 4096) {
			return
		}
		root, err := tryStyled(t.Context(), source, w, h)
		if err != nil {
			return // the styles have limits of their own
		}
		e := text.Get()
		defer text.Put(e)
		lay := func() []fragment.Rect {
			in := layout.Input{Root: root, Width: w, Height: h, Images: pictureSize, Engine: e}
			f, _, err := layout.Layout(t.Context(), in)
			if err != nil {
				if !errors.Is(err, boxtree.ErrBounds) {
					t.Fatal(err)
				}
				return nil
			}
			var out []fragment.Rect
			for f := range fragments(f) {
				r := f.Border
				if bad := r.X + r.Y + r.W + r.H; math.IsNaN(bad) || math.IsInf(bad, 0) {
					t.Fatalf("a fragment of %v is at %v", f.Kind, r)
				}
				out = append(out, r)
			}
			return out
		}
		first, second := lay(), lay()
		if len(first) != len(second) {
			t.Fatalf("%d fragments, then %d", len(first), len(second))
		}
		for i := range first {
			if first[i] != second[i] {
				t.Fatalf("fragment %d at %v, then at %v", i, first[i], second[i])
			}
		}
	})
}
