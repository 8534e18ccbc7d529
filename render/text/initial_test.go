package text_test

import (
	"testing"

	"masthead/render/text"
)

// TestInitial_articleDoesNotCount checks that a name is remembered by its first word, not by the article before it.
func TestInitial_articleDoesNotCount(t *testing.T) {
	for _, c := range []struct {
		name, lang string
		want       rune
	}{
		{"The Guardian", "en", 'G'}, {"The Guardian", "tr", 'G'}, {"A List Apart", "", 'L'},
		{"Der Spiegel", "de", 'S'}, {"Die Zeit", "de-DE", 'Z'},
		{"Die Hard", "en", 'D'}, {"El País", "es", 'P'}, {"EL PAÍS", "es", 'P'}, {"Los Angeles Times", "en", 'L'},
		{"LA Times", "en", 'L'},
		{"Le Monde.fr", "fr", 'M'}, {"La Repubblica", "it", 'R'}, {"O Globo", "pt-BR", 'G'}, {"The", "en", 'T'},
		{"The 100", "en", 'T'},
		{"Theory Today", "en", 'T'}, {"", "", 0}, {"…", "", 0}, {"A ", "", 'A'}, {"24 Heures", "fr", 'H'},
		{"9to5", "", 'T'}, {"42", "", '4'},
		{"docs.acme.example", "en", 'A'}, {"docs.example", "en", 'D'}, {"Docs. And more. Of it", "en", 'D'},
		{"เมืองไทย", "th", 'ม'}, {"ไทยรัฐ", "th", 'ท'}, {"ໂລກ", "lo", 'ລ'}, {"हिन्दी", "hi", 'ह'}, {"朝日新聞", "ja", '朝'},
		{"الجزيرة", "ar", 'ج'}, {"«الشرق الأوسط»", "", 'ش'}, {"أهرام", "ar", 'أ'}, {"صحيفة اليوم", "ar-SA", 'ص'},
		{"البرز", "fa", 'ا'}, {"الف", "ar", 'ا'},
		{"сегодня", "ru", 'С'}, {"Η Πόλη", "el", 'Π'}, {"Az Újság", "hu", 'Ú'},
	} {
		if got := text.Initial(c.name, c.lang); got != c.want {
			t.Errorf("Initial(%q, %q) = %q, want %q", c.name, c.lang, got, c.want)
		}
	}
}
