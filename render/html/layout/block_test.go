package layout_test

import (
	"testing"

	"masthead/render/html/layout/fragment"
	"masthead/render/html/layout/layouttest"
)

// TestLayout_justifiedBlocks has blocks that don't fill their container, since they are aligned in it.
func TestLayout_justifiedBlocks(t *testing.T) {
	const content = "<b style='display:block;width:60px;height:10px'></b></i>"
	for _, c := range []struct {
		main, item string
		x, w       float64
	}{
		{"", "", 0, 400},
		{"", "justify-self:center", 170, 60},
		{"", "justify-self:end;margin-right:20px", 320, 60},
		{"", "justify-self:start", 0, 60},
		{"", "justify-self:stretch", 0, 400},
		{"", "justify-self:left;margin-left:auto", 340, 60},
		{"direction:rtl", "justify-self:end", 0, 60},
		{"direction:rtl", "justify-self:start", 340, 60},
		{"direction:rtl", "justify-self:left", 0, 60},
		{"direction:rtl", "justify-self:right;width:100px", 300, 100},
		{"justify-items:center", "", 170, 60},
		{"justify-items:center", "justify-self:normal", 0, 400},
		{"justify-items:center", "width:500px", 0, 500},
	} {
		got := layouttest.Laid(t, c.main+";display:block", "<i style='display:block;"+c.item+"'>"+content)
		if want := (fragment.Rect{X: c.x, W: c.w, H: 10}); len(got) != 1 || got[0] != want {
			t.Errorf("%s; %s: %+v, want %+v", c.main, c.item, got, want)
		}
	}
}

// TestLayout_largeAbsolutes centers boxes that are larger than what is around them by auto margins: vertically alone.
func TestLayout_largeAbsolutes(t *testing.T) {
	for direction, want := range map[string]fragment.Rect{
		"ltr": {X: 0, Y: -20, W: 500, H: 140}, "rtl": {X: -100, Y: -20, W: 500, H: 140},
	} {
		got := layouttest.Laid(t, "display:block;position:relative;height:100px;direction:"+direction,
			"<i style='position:absolute;inset:0;margin:auto;width:500px;height:140px'></i>")
		if len(got) != 1 || got[0] != want {
			t.Errorf("%s: %+v, want %+v", direction, got, want)
		}
	}
}
