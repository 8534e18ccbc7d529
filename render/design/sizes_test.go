package design_test

import (
	"image"
	"slices"
	"strings"
	"testing"

	"masthead/render/design"
)

func TestSizes(t *testing.T) {
	a, b := image.Pt(1200, 630), image.Pt(1080, 1920)
	for source, want := range map[string][]image.Point{
		`<h1>Hi</h1>`: nil,
		`<meta name="card-sizes" content="1200x630"><h1>Hi</h1>`:                  {a},
		`<META NAME=Card-Sizes CONTENT=" 1080x1920,1200x630 1080x1920 "/>Hi`:      {b, a},
		`<!-- <meta name="card-sizes" content="1x1"> --><h1>card-sizes</h1>`:      nil,
		`<style>/*<meta name="card-sizes" content="1x1">*/</style>Hi`:             nil,
		`<title>{{title}}</title><meta name="card-sizes" content="1080x1920">Hi`:  {b},
		`<meta name="viewport" content="card-sizes"><p title="card-sizes">Hi</p>`: nil,
	} {
		d, err := design.Compile(source, map[string]any{"title": "Hi"})
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		if got := d.Sizes(); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", source, got, want)
		}
	}
}

func TestSizes_faults(t *testing.T) {
	for content, says := range map[string]string{
		"": "no size", " , ": "no size", "1200": "isn't a size", "1200x": "isn't a size", "199x300": "200 to 2048",
		"2049x300": "200 to 2048", "+300x300": "isn't a size", "300x300x300": "isn't a size", "{{data.size}}": "isn't a size",
		"300x300 300x301 300x302 300x303 300x304 300x305 300x306": "more than 6", strings.Repeat("9", 1000): "isn't a size",
	} {
		_, err := design.Compile("<h1>Hi</h1>\n <meta name=card-sizes content=\""+content+"\">", nil)
		if err == nil || !strings.HasPrefix(err.Error(), "Line 2, column 2: ") || !strings.Contains(err.Error(), says) ||
			len(err.Error()) > 300 {
			t.Errorf("%q: got %v", content, err)
		}
	}
}

func FuzzSizes(f *testing.F) {
	for _, list := range []string{"1200x630", "1080x1080, 1080x1920", "0x0", "2048x2048 x", "９x９",
		"0x300,\t300x0300"} {
		f.Add(list)
	}
	f.Fuzz(func(t *testing.T, list string) {
		sizes, err := design.ParseSizes(list)
		if (err == nil) != (len(sizes) > 0) || len(sizes) > design.MaxSizes {
			t.Fatalf("got %v, %v", sizes, err)
		}
		var names []string
		for i, size := range sizes {
			if !design.ValidSize(size) || slices.Contains(sizes[:i], size) {
				t.Fatalf("got %v", sizes)
			}
			names = append(names, design.SizeName(size))
		}
		again, err := design.ParseSizes(strings.Join(names, ", "))
		if len(sizes) > 0 && (err != nil || !slices.Equal(again, sizes)) {
			t.Fatalf("%v is read as %v, %v", sizes, again, err)
		}
	})
}
