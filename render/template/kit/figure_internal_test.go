package kit

import (
	"fmt"
	"image/color"
	"testing"

	"masthead/render/paint"
	"masthead/render/text"
)

// TestFigureOf_sites_haveAllFigures: they are about equally frequent.
func TestFigureOf_sites_haveAllFigures(t *testing.T) {
	seen := map[figure]int{}
	for i := range 600 {
		site := fmt.Sprint("site-", i, ".example")
		seen[figureOf(site)]++
	}
	for f := range figure(figures) {
		if seen[f] < 60 {
			t.Errorf("figure %d is that of %d in 600 sites", f, seen[f])
		}
	}
}

// TestFigurePieces_pages_haveTheSameSize: each figure has pieces whose size doesn't depend on the page.
func TestFigurePieces_pages_haveTheSameSize(t *testing.T) {
	for f := range figure(figures) {
		for seed := range uint64(16) {
			pieces := figurePieces(f, seed)
			for i := range pieces {
				pieces[i].place(1)
			}
			if b := boundsOf(pieces); len(pieces) < 2 || b.Max.X-b.Min.X < 500 || b.Max.X-b.Min.X > 1400 {
				t.Errorf("figure %d, page %d: %d pieces in %+v", f, seed, len(pieces), b)
			}
		}
	}
}

// TestDrawPiece_pastTheEdge_isNotDrawn checks that an edge of the card leaves no sliver of a piece.
func TestDrawPiece_pastTheEdge_isNotDrawn(t *testing.T) {
	ground, ink := color.NRGBA{A: 255}, color.NRGBA{R: 255, A: 255}
	tones := make([]color.NRGBA, figureTones)
	for i := range tones {
		tones[i] = ink
	}
	for within, want := range map[float64]color.NRGBA{1: ground, 3: ground, 20: ink} {
		c := Card{Spec: Spec{Kind: OG}, canvas: paint.NewRGBA(200, 100, paint.Solid(ground))}
		c.drawPiece(&piece{outline: polygon(-80, 20, within, 20, within, 80, -80, 80), to: 1}, tones)
		if got := c.canvas.At(0, 50); got != want {
			t.Errorf("a piece of which %.0f px are on the card: got %v at its edge, want %v", within, got, want)
		}
	}
}

// TestLargeInitial_letters_thatAreBarsAreNone: those and letters of other scripts leave the place to the figure.
func TestLargeInitial_letters_thatAreBarsAreNone(t *testing.T) {
	engine := text.Get()
	defer text.Put(engine)
	for name, want := range map[string]string{
		"Eleven": "", "Ferrum": "", "Harbor": "", "Iris": "", "Jetty": "", "Lumen": "", "Tidal": "", "Umbra": "", "النهار": "",
		"Élan": "", "かな": "", "Źródło": "", "Ökotest": "", "一人食": "", "三聯": "", "한글": "", "": "", "12": "", "Marlow": "M", "Quill": "Q", "東京新聞": "東", "Жизнь": "Ж", "Каскад": "K",
	} {
		c := Card{Spec: Spec{Texts: Texts{SiteName: name}, Kind: OG}, engine: engine}
		b, ok := c.LargeInitial(560, 480)
		got := ""
		if ok {
			got = b.Text()
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}
