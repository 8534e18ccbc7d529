package moduletest_test

import (
	"image"
	"testing"

	"masthead/pkg/app/demo"
)

// TestPicture_suitsThePrompt checks that a prompt gets the picture that it names, else one of its tones, and that each
// theme has more than one.
func TestPicture_suitsThePrompt(t *testing.T) {
	lightness := func(img image.Image) (sum int) {
		b, n := img.Bounds(), 0
		for y := b.Min.Y; y < b.Max.Y; y += 16 {
			for x := b.Min.X; x < b.Max.X; x += 16 {
				r, g, bl, _ := img.At(x, y).RGBA()
				sum, n = sum+int(r+g+bl)/(3*257), n+1
			}
		}
		return sum / n
	}
	product := demo.Picture("A product on a table, dark tones")
	if product != demo.Picture("Dark tones. Product!") || product.Bounds().Dx() < product.Bounds().Dy() {
		t.Error("a prompt that names a picture gets another")
	}
	if upright := demo.Picture("a portrait").Bounds(); upright.Dx() >= upright.Dy() {
		t.Errorf("the portrait is %v", upright)
	}
	seen := map[bool]map[image.Image]bool{true: {}, false: {}}
	for _, topic := range []string{"billing", "queues", "maps", "bread", "rivers", "keys", "glass", "stairs"} {
		for _, dark := range []bool{true, false} {
			tones := "light tones"
			if dark {
				tones = "dark tones"
			}
			img := demo.Picture("A background about " + topic + ", " + tones + ". Calm, low-detail area on the left.")
			if got := lightness(img); dark != (got < 128) {
				t.Errorf("%s, %s: got a mean lightness of %d", topic, tones, got)
			}
			seen[dark][img] = true
		}
	}
	if len(seen[true]) < 2 || len(seen[false]) < 2 {
		t.Errorf("got %d dark pictures and %d light ones for eight prompts, want several", len(seen[true]),
			len(seen[false]))
	}
}
