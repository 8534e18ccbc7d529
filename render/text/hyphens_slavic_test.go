package text_test

import (
	"strings"
	"testing"

	"masthead/render/text"
)

// TestFit_longSlavicWordsAreHyphenated checks where words that are too long for a line are parted.
func TestFit_longSlavicWordsAreHyphenated(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ lang, title, want string }{
		{"pl", "Konstytucyjnoprawne aspekty", "Konstytucyjno-|prawne aspekty"},
		{"ru", "Фотоэлектропреобразователи дома", "Фотоэлектро-|преобразователи|дома"},
		{"ru", "Внутрирегиональные рейсы", "Внутри-|региональные|рейсы"},
	} {
		st := text.Inter.Title(0)
		st.Lang = c.lang
		b := text.NewEngine().Fit(c.title, st, text.Box{W: 620, H: 420}, text.Steps(4, 64))
		if got := strings.Join(linesOf(b), "|"); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
