package template

import (
	"slices"
	"strings"
	"testing"

	"masthead/render/template/kit"
)

// TestDocs_longTitleIsAloneAndDescribed checks what is beside and below a title.
func TestDocs_longTitleIsAloneAndDescribed(t *testing.T) {
	sections := []string{"Las terrazas", "La norma", "Los vecinos"}
	for _, tc := range []struct {
		title, description string
		crumb              []string
		list               bool
	}{
		{"La ciudad que no duerme (porque no la dejan)", "Ruido, terrazas y vecinos, todo un verano.", nil, false},
		{"Caching", "How responses are kept and revalidated.", nil, true},
		{"TypeScript 6.0で変わること：型推論、モジュール解決、そして" +
			"ビルド時間を40％短縮した方法",
			"大規模なモノレポをTypeScript 6.0へ移行した記録。" +
				"移行手順、つまずいた点、計測結果をまとめました。",
			[]string{"A", "B"}, false},
	} {
		c := openCard(t, "docs", kit.Spec{Texts: kit.Texts{
			Title: tc.title, Description: tc.description, Crumb: tc.crumb, Sections: sections,
		}})
		said := placedTexts(c)
		if got := slices.Contains(said, sections[0]); got != tc.list {
			t.Errorf("%q: list is shown: %v", tc.title, got)
		}
		whole := strings.Join(said, " ")
		if first := string([]rune(tc.description)[:8]); !strings.Contains(whole, first) {
			t.Errorf("%q: no description in %q", tc.title, said)
		}
	}
}
