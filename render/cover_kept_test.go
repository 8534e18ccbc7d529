package render_test

import (
	"bytes"
	"image"
	"slices"
	"strings"
	"testing"

	"masthead/render"
	"masthead/render/specimen"
)

// coverOf returns a request for a cover over a picture, with the first words of a long title.
func coverOf(kind render.Kind, photo *image.NRGBA, words int, dark bool) render.Request {
	r := specimen.Find("140").Request("cover", kind)
	r.Title = strings.Join(strings.Fields(r.Title)[:words], " ")
	r.Photo, r.Dark = photo, dark
	return r
}

// TestCover_cropIsTheSameForAllTitles: so a picture is prepared once. A cover is the same, byte by byte, whether its
// picture was prepared for another title or for itself.
func TestCover_cropIsTheSameForAllTitles(t *testing.T) {
	t.Parallel()
	for _, kind := range []render.Kind{render.OG, render.BlogHero} {
		for _, dark := range []bool{true, false} {
			known := specimen.Picture("waves")
			var above []byte // the pixels of the first rows
			for _, words := range []int{2, 5, 9, 12} {
				img, err := render.Paint(t.Context(), coverOf(kind, known, words, dark))
				if err != nil {
					t.Fatal(err)
				}
				rows := img.(*image.NRGBA).Pix[:60*img.(*image.NRGBA).Stride]
				if above == nil {
					above = slices.Clone(rows)
				}
				if !dark && !bytes.Equal(above, rows) { // a dark one is darkened higher up for higher titles
					t.Errorf("%s, dark %v: %d words move the picture", kind, dark, words)
				}
			}
			fresh := *known // differs in a pixel that no crop shows, and is unknown
			fresh.Pix = slices.Clone(known.Pix)
			fresh.Pix[len(fresh.Pix)-2] ^= uint8(1 + len(kind))
			if dark {
				fresh.Pix[len(fresh.Pix)-3] ^= 1
			}
			kept, err := render.Draw(t.Context(), coverOf(kind, known, 12, dark))
			if err != nil {
				t.Fatal(err)
			}
			slow, err := render.Draw(t.Context(), coverOf(kind, &fresh, 12, dark))
			if err != nil || kept.Template != "cover" || !bytes.Equal(kept.Bytes, slow.Bytes) {
				t.Errorf("%s, dark %v: the bytes differ from those of an unknown picture (%v)", kind, dark, err)
			}
		}
	}
}
