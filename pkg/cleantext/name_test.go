package cleantext_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"masthead/pkg/apperr"
	"masthead/pkg/cleantext"
)

func TestName_usable_isCleaned(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"plain":             {"My site", "My site"},
		"space around":      {" \t My site\n", "My site"},
		"spaces inside":     {"My  site", "My site"},
		"no-break space":    {"My\u00a0site", "My site"},
		"invisible":         {"\u200bMy\u2060 site\ufeff", "My site"},
		"reordering":        {"My\u202e site\u2066", "My site"},
		"other scripts":     {"日本語 العربية", "日本語 العربية"},
		"emoji of joiners":  {"👩\u200d🚀", "👩\u200d🚀"},
		"longest":           {strings.Repeat("é", 100), strings.Repeat("é", 100)},
		"longest, cleaned":  {strings.Repeat("\u200b", 100) + strings.Repeat("é", 100), strings.Repeat("é", 100)},
		"one character":     {"x", "x"},
		"looks like markup": {"<b>&amp;</b>", "<b>&amp;</b>"},
	} {
		if got, err := cleantext.Name(c.in); got != c.want || err != nil {
			t.Errorf("%s: got %q, %v, want %q", name, got, err, c.want)
		}
	}
}

func TestName_unusable_isRefused(t *testing.T) {
	for name, in := range map[string]string{
		"empty":                    "",
		"space alone":              " \t\n",
		"invisible alone":          "\u200b\u2060",
		"too long":                 strings.Repeat("é", 101),
		"too long, by one cluster": strings.Repeat("é", 99) + "👩\u200d👩\u200d👧",
		"line feed inside":         "a\nb",
		"NUL":                      "a\x00b",
		"C1 control":               "a\u009bb",
		"not UTF-8":                "a\xffb",
	} {
		if got, err := cleantext.Name(in); apperr.CodeOf(err) != apperr.BadRequest {
			t.Errorf("%s: got %q, %v, want a bad request", name, got, err)
		}
	}
}

func FuzzName(f *testing.F) {
	for _, seed := range []string{"My site", " a\u200b ", "a\nb", "\xff", strings.Repeat("é", 101), "👩\u200d🚀"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		name, err := cleantext.Name(s)
		if err != nil {
			return
		}
		if n := utf8.RuneCountInString(name); n < 1 || n > cleantext.MaxName || strings.TrimSpace(name) != name {
			t.Errorf("%q: got %q", s, name)
		}
		if again, err := cleantext.Name(name); again != name || err != nil {
			t.Errorf("%q: named twice %q is %q, %v", s, name, again, err)
		}
	})
}
