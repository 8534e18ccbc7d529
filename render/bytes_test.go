package render_test

import (
	"bytes"
	"image"
	"slices"
	"testing"

	"masthead/render"
	"masthead/render/encode"
)

// Most bytes of a card by kind, and of a flat card, which is a PNG, in the middle of all cases. Source: what platforms
// load, and the budgets of rendering.
var most = map[render.Kind]struct{ all, median int }{
	render.OG:       {280_000, 40_000},
	render.BlogHero: {280_000, 60_000},
	render.Custom:   {280_000, 60_000},
}

// shaded are the templates whose cards are PNGs, and not flat: their motif is a gradient in shape of a figure, or about
// one. They may take twice the bytes.
var shaded = []string{"cover", "papercut", "ribbon", "terminal"}

// fewBytes checks that a card is of the type that is said, in few bytes. Whether encoders write what they are given is
// tested with them.
func fewBytes(t *testing.T, c *card, pic encode.File) {
	t.Helper()
	if len(pic.Bytes) > most[c.Kind].all {
		t.Errorf("it has %d bytes, want %d at most", len(pic.Bytes), most[c.Kind].all)
	}
	if _, format, err := image.DecodeConfig(bytes.NewReader(pic.Bytes)); err != nil || "image/"+format != pic.ContentType {
		t.Errorf("it is a %s (%v), want %s", format, err, pic.ContentType)
	}
}

// fewBytesInTheMiddle checks the sizes of all PNGs of a template and kind.
func fewBytesInTheMiddle(t *testing.T, slug string, in look, sizes []int) {
	t.Helper()
	if len(sizes) == 0 {
		return
	}
	slices.Sort(sizes)
	kind, median := in.kind, most[in.kind].median
	if f := in.format; f != nil { // as of a hero, by their area
		median = max(median*f.W*f.H/(1600*900), most[render.OG].median)
	}
	if slices.Contains(shaded, slug) {
		median *= 2
	}
	if info, _ := render.Lookup(slug, kind); info.Portrait { // a photograph, in few colors
		median *= 3
	}
	if mid := sizes[len(sizes)/2]; mid > median {
		t.Errorf("half of all cards have more than %d bytes, want %d", mid, median)
	} else {
		t.Logf("bytes: median %d, largest %d", mid, sizes[len(sizes)-1])
	}
}
