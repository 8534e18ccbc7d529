package template

import (
	"image"
	"testing"

	"masthead/render/template/kit"
)

// TestShowsCover_onlyPicturesLikeOne: a share image of a book is a photograph, not its cover.
func TestShowsCover_onlyPicturesLikeOne(t *testing.T) {
	for _, tc := range []struct {
		goods kit.Goods
		w, h  int
		want  bool
	}{
		{kit.Goods{Upright: true}, 400, 600, true}, {kit.Goods{Square: true}, 500, 500, true},
		{kit.Goods{Upright: true}, 1200, 630, false}, {kit.Goods{Square: true}, 1200, 630, false}, {kit.Goods{}, 400, 600, false},
	} {
		c := openCard(t, "product", kit.Spec{Goods: tc.goods})
		c.Background = image.NewNRGBA(image.Rect(0, 0, tc.w, tc.h))
		if got := showsCover(c); got != tc.want {
			t.Errorf("%+v, %d×%d: %v, want %v", tc.goods, tc.w, tc.h, got, tc.want)
		}
	}
}

// TestProductTitle_losesWhatShopsAdd shortens long titles by sizes, colors and shops, and no sentence by its clause.
func TestProductTitle_losesWhatShopsAdd(t *testing.T) {
	for _, c := range []struct{ lang, kept, lost string }{
		{"en", "Tall stoneware mug, ink glaze", ""},
		{"en", "Merino crew neck sweater for cold mornings, navy blue", ", size M - Kiln & Co."},
		{"en", "Merino crew neck sweater for the coldest of mornings", ", navy blue, size M"},
		{"en", "The little tool library on the corner, which lends what nobody needs twice", ""},
		{"de", "Die Bibliothek, die Werkzeuge an die ganze Nachbarschaft verleiht", " (2026)"},
		{"fr", "La petite bibliothèque du coin, où l’on emprunte des outils au lieu de livres", ""},
		{"de", "Hoher Becher aus Steinzeug mit dunkler Glasur", ", spülmaschinenfest, 350 ml"},
		{"en", "Phone X5 Pro with 256 GB of memory, black", " (NFC, 5G, a screen of 6.7″, 5000 mAh)"},
		{"es", "¿Cuánto cuesta reformar un baño de 5 m² en 2026?", " Precios, plazos y 7 errores que evitar"},
	} {
		if got := productTitle(c.kept+c.lost, c.lang); got != c.kept {
			t.Errorf("%s: got %q, want %q", c.lang, got, c.kept)
		}
	}
}
