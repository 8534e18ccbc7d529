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
