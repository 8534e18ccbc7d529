package cleantext_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"masthead/pkg/cleantext"
)

func TestClean_hostileTexts_keepWhatCanBeDrawn(t *testing.T) {
	marks := strings.Repeat("\u0301", 20)
	for name, c := range map[string]struct {
		in   string
		max  int
		want string
	}{
		"plain":            {"Hello, world", 300, "Hello, world"},
		"empty":            {"", 300, ""},
		"white space":      {" \t a\u00a0\u2003\r\nb\u2028 ", 300, "a b"},
		"controls":         {"a\x00b\x1b[31mc\u0085d\u009be\x7f", 300, "ab[31mc de"},
		"reordering":       {"a\u202eb\u2066c\u2069d\u200ee\u200f\u061c", 300, "abcde"},
		"invisible":        {"a\u200bb\ufeffc\u2060d", 300, "abcd"},
		"noncharacters":    {"a\ufffeb\U0001ffffc\ufdd0d", 300, "abcd"},
		"not UTF-8":        {"a\xffb\xc3", 300, "ab"},
		"replacement goes": {"a\ufffdb", 300, "ab"},
		"joiner in emoji": {
			"👩\u200d👩\u200d👧 👨🏽\u200d🚀 🏳️\u200d🌈", 300, "👩\u200d👩\u200d👧 👨🏽\u200d🚀 🏳️\u200d🌈",
		},
		"joiner in letters": {"pay\u200dpal p\u200cp", 300, "paypal pp"},
		"joiner in Persian": {"می\u200cخواهم", 300, "می\u200cخواهم"},
		"joiner in Hindi":   {"क्\u200dष क्\u200cष", 300, "क्\u200dष क्\u200cष"},
		"joiner at an end":  {"\u200da\u200d", 300, "a"},
		"tag characters":    {"a\U000E0061\U000E0062b", 300, "ab"},
		"flag of tag characters": {
			"🏴\U000E0067\U000E0062\U000E0073\U000E0063\U000E0074\U000E007F!", 300,
			"🏴\U000E0067\U000E0062\U000E0073\U000E0063\U000E0074\U000E007F!",
		},
		"marks":                  {"e" + marks + "x" + marks, 300, "e" + marks[:16] + "x" + marks[:16]},
		"cut":                    {strings.Repeat("ab ", 10), 8, "ab ab ab"},
		"cut takes the space":    {"ab cd", 3, "ab"},
		"cut keeps clusters":     {"abc👩\u200d👩\u200d👧", 5, "abc"},
		"cut in characters":      {strings.Repeat("日", 10), 4, "日日日日"},
		"cut of one big cluster": {"👩\u200d👩\u200d👧", 2, ""},
	} {
		if got := cleantext.Clean(c.in, c.max); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func FuzzClean(f *testing.F) {
	f.Add("a\u200db \x00 \U000E0041", 5)
	f.Add("👩\u200d👩\u200d👧e\u0301\u0301", 3)
	f.Fuzz(func(t *testing.T, s string, limit int) {
		limit &= 0xff
		got := cleantext.Clean(s, limit)
		if n := utf8.RuneCountInString(got); !utf8.ValidString(got) || n > limit {
			t.Errorf("%q: %d characters of at most %d, or not UTF-8", got, n, limit)
		}
		if again := cleantext.Clean(got, limit); again != got {
			t.Errorf("cleaned twice %q is %q", got, again)
		}
		if strings.ContainsAny(got, "\x00\u202e\u200b\ufeff\n\t\u2028") || strings.TrimSpace(got) != got {
			t.Errorf("%q is not clean", got)
		}
	})
}
