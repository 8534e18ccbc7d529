package render_test

import (
	"testing"

	"masthead/render"
	"masthead/render/encode"
	"masthead/render/encode/encodetest"
	"masthead/render/specimen"
	"masthead/render/template/kit"
	"masthead/render/text"
)

// TestCards_encoded_areThoseOfABaselineEncoder encodes each template and kind, dark and light, one of them over a
// picture, with accents, pictures and texts in turns; with MASTHEAD_TEST_FULL=1, every accent alone and over every
// picture. Each block of the JPEG is compared with a baseline encoder's, and each pixel of the PNG with the card's.
func TestCards_encoded_areThoseOfABaselineEncoder(t *testing.T) {
	accents, pages, pictures := specimen.Accents(), specimen.Pages(), append([]string{""}, specimen.Pictures()...)
	n := 0
	for _, info := range render.Templates() {
		for _, kind := range info.Kinds {
			for _, dark := range []bool{true, false} {
				var requests []render.Request
				for i, accent := range accents {
					for k, picture := range pictures {
						if inTurn := (n + n/2) % 2 * (1 + n/2%(len(pictures)-1)); !full && (i != n%len(accents) || k != inTurn) {
							continue
						}
						r := pages[(5*n+i+k)%len(pages)].Request(info.Slug, kind)
						if r.Accent, r.Dark = accent, dark; picture != "" {
							r.Background = specimen.Picture(picture)
						}
						requests = append(requests, r)
					}
				}
				n++
				name := info.Slug + "/" + string(kind) + map[bool]string{true: "/dark", false: "/light"}[dark]
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					engine := text.NewEngine()
					for _, r := range requests {
						checkEncoded(t, r, engine)
					}
				})
			}
		}
	}
}

// checkEncoded compares the JPEG and the PNG of a card with the card.
func checkEncoded(t *testing.T, r render.Request, engine *text.Engine) {
	t.Helper()
	tmpl, spec, err := render.Spec(r)
	if err != nil {
		t.Fatal(err)
	}
	c := kit.Open(tmpl, spec, engine)
	defer c.Close()
	c.Layout()
	c.DrawTexts()
	img, limits := c.Canvas().Image(), render.LimitsOf(c)
	limits.NoPNG = true
	pic, err := encode.Encode(img, limits)
	if err != nil {
		t.Fatal(err)
	}
	encodetest.JPEG(t, img, limits.Text, pic.Bytes)
	if c.HasPicture() {
		return // as a PNG it takes long
	}
	if pic, err = encode.Encode(img, encode.Lossless); err != nil {
		t.Fatal(err)
	}
	encodetest.PNG(t, img, pic.Bytes)
}
