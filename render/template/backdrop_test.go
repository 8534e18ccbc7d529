package template

import "testing"

// TestBackdropRune_isTheLetterThatANameIsRememberedBy checks what stands for a site.
func TestBackdropRune_isTheLetterThatANameIsRememberedBy(t *testing.T) {
	for name, want := range map[string]rune{
		"Northlane": 'N', "northlane.dev": 'N', "“Quoted”": 'Q', "Ền": 'E', "Österreich": 'O', "Нортлейн": 'H',
		"Букви":   'Б',
		"نورثلين": 'ن', "4chan": 'C', "42": 0, "": 0, "🚀🚀": 0, "北巷": '北',
	} {
		if got := backdropRune(name, ""); got != want {
			t.Errorf("backdropRune(%q) = %q, want %q", name, got, want)
		}
	}
}

// TestBackdropLetter_tailStaysOnCard checks that no part of a capital is lost below the card: a J has a tail that
// would be.
func TestBackdropLetter_tailStaysOnCard(t *testing.T) {
	for _, name := range []string{"Journal", "Ink"} {
		card := openCard(t, "editorial", Spec{Texts: Texts{Title: "T", SiteName: name, Host: "x.example"}})
		card.Layout()
		img := card.Canvas().Image()
		ground := img.At(1190, 625)
		for x := 800; x < 1200; x++ {
			if img.At(x, 620) != ground {
				t.Fatalf("the letter of %s reaches %d,620", name, x)
			}
		}
	}
}
