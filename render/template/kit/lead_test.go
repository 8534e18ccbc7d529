package kit

import "testing"

// TestInitialLetter_isTheLetterThatANameIsRememberedBy checks what stands for a site.
func TestInitialLetter_isTheLetterThatANameIsRememberedBy(t *testing.T) {
	for name, want := range map[string]rune{
		"Northlane": 'N', "northlane.dev": 'N', "“Quoted”": 'Q', "Ền": 'E', "Österreich": 'O', "Нортлейн": 'H',
		"Букви":   'Б',
		"نورثلين": 'ن', "4chan": 'C', "42": 0, "": 0, "🚀🚀": 0, "北巷": '北',
	} {
		if got := initialLetter(name, ""); got != want {
			t.Errorf("initialLetter(%q) = %q, want %q", name, got, want)
		}
	}
}
