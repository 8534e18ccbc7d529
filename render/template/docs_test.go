package template

import (
	"slices"
	"strings"
	"testing"

	"masthead/render/palette"
	"masthead/render/template/kit"
)

// TestDocs_thePageIsNotItsOwnTab checks which labels tabs have.
func TestDocs_thePageIsNotItsOwnTab(t *testing.T) {
	for _, tc := range []struct {
		title       string
		crumb, want []string
	}{
		{"Blue-green deployments", []string{"Guides", "Deploying", "Blue green"}, []string{"Guides", "Deploying"}},
		{"Rate limits and quotas", []string{"Guides", "Rate limits"}, []string{"Guides"}},
		{"Refunds of charges", []string{"Refunds"}, []string{"Refunds"}},
		{"How to retry", []string{"Guides", "Rate limits"}, []string{"Guides", "Rate limits"}},
	} {
		c := openCard(t, "docs", kit.Spec{Texts: kit.Texts{Title: tc.title, Crumb: tc.crumb}})
		said := placedTexts(c)
		said = slices.DeleteFunc(said, func(s string) bool { return !slices.Contains(tc.crumb, s) })
		if !slices.Equal(said, tc.want) {
			t.Errorf("%q: tabs %q, want %q", tc.title, said, tc.want)
		}
	}
}

// TestDocs_tabsHaveTheirRoom checks that a tab that no site is beside is as wide as its label.
func TestDocs_tabsHaveTheirRoom(t *testing.T) {
	const chapter = "Surgery, anaesthesia and care"
	for _, tc := range []struct {
		crumb []string
		whole bool
	}{
		{[]string{chapter}, true}, {[]string{"Preprints", chapter}, true}, {[]string{"Preprints", chapter, "Trials"}, true},
		{[]string{"Preprints", "Trials", chapter}, true}, {[]string{chapter, "Trials"}, false},
	} {
		c := openCard(t, "docs", kit.Spec{Texts: kit.Texts{Title: "How to retry", Crumb: tc.crumb, SiteName: "Northlane"}})
		said := placedTexts(c)
		if slices.Contains(said, chapter) != tc.whole {
			t.Errorf("%q: %q", tc.crumb, said)
		}
	}
}

// TestDocs_listHasAllSections checks that a heading that is a little too long is smaller, not left out.
func TestDocs_listHasAllSections(t *testing.T) {
	const long = "Keep daily, weekly, monthly"
	c := openCard(t, "docs", kit.Spec{Texts: kit.Texts{Title: "Backups", Sections: []string{"Where", long, "When"}}})
	if said := placedTexts(c); !slices.Contains(said, long) {
		t.Errorf("%q: it has no %q", said, long)
	}
}

// TestDocs_descriptionKeepsClearOfTheList checks that a description which is a little too long doesn't cross the bar.
func TestDocs_descriptionKeepsClearOfTheList(t *testing.T) {
	for n := 20; n < 40; n++ {
		c := openCard(t, "docs", kit.Spec{Texts: kit.Texts{
			Title: "[칼럼] 저출생 대책, 현금보다 시간이다", Sections: []string{"한 장", "두 장", "세 장"},
			Description: "육아휴직 급여를 올려도 쓸 수 없다면 그림의 떡이다. 노동 " + strings.Repeat("가", n) + ".",
		}})
		for _, p := range c.PlacedTexts() {
			if end := p.X + p.Width; strings.HasPrefix(p.Text(), "육아") && end > sectionsBarX-16 {
				t.Errorf("%q ends at %.0f", p.Text(), end)
			}
		}
	}
}

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

// TestDocs_shortTitleLeavesRoom checks that a short title beside the list of sections is no larger than lets the
// description be whole, if that has three lines at most.
func TestDocs_shortTitleLeavesRoom(t *testing.T) {
	for _, tc := range []struct {
		title, description string
		whole              bool
	}{
		{"Ñandú", "El ave más grande de Sudamérica mide hasta 1,70 m, corre a 60 km/h y el macho incuba los huevos.", true},
		{"Quotas", "How many requests a key may send, and what happens after.", true},
		{"Quotas", strings.Repeat("How many requests a key may send in a minute and what happens after, ", 5), false},
	} {
		c := openCard(t, "docs", kit.Spec{Texts: kit.Texts{
			Title: tc.title, Description: tc.description, Crumb: []string{"Guides", "Operations", "Quotas"},
			Sections: []string{"How requests are counted", "Limits of plans", "Headers", "What to do at a 429"},
		}})
		whole := slices.ContainsFunc(placedTexts(c), func(said string) bool {
			return strings.ReplaceAll(said, "\n", " ") == tc.description
		})
		if whole != tc.whole {
			t.Errorf("%s: %q is whole: %v", tc.title, tc.description, whole)
		}
	}
}

// TestDocs_frontSheetIsTheBrightest: the page that is shown is no tab at the back, in both modes.
func TestDocs_frontSheetIsTheBrightest(t *testing.T) {
	for _, hex := range []uint32{0x4F46E5, 0xE11D48, 0xFACC15, 0x10B981, 0x111827, 0xFFFFFF} {
		for _, dark := range []bool{true, false} {
			c := openCard(t, "docs", kit.Spec{
				Theme: palette.New(palette.RGB(hex), dark),
				Texts: kit.Texts{Title: "Limits", SiteName: "A", Crumb: []string{"Guides", "Operations", "Quotas"}},
			})
			sheets := docsSheets(c, sheetX)
			for i, s := range sheets[1:] {
				if behind := sheets[i]; palette.Luminance(s.on.Color) <= palette.Luminance(behind.on.Color) {
					t.Errorf("%06X, dark %v: sheet %d is no brighter than that behind it", hex, dark, i+1)
				}
				if behind := sheets[i].label.Color; dark && palette.Luminance(s.label.Color) < palette.Luminance(behind) {
					t.Errorf("%06X: label %d is dimmer than that behind it", hex, i+1)
				}
			}
		}
	}
}
