package render

import (
	"testing"
	"time"
)

func TestMonthAndYear_isTheDateWithoutItsDay(t *testing.T) {
	day := time.Date(2026, time.March, 12, 0, 0, 0, 0, time.UTC)
	for lang, want := range map[string]string{
		"": "Mar 2026", "en-US": "Mar 2026", "de": "Mär 2026", "es": "mar 2026", "hu": "2026. március",
		"hr": "ožujka 2026.", "ru": "март 2026", "vi": "tháng 3, 2026", "ja": "2026年3月", "ko": "2026년 3월",
		"th": "มีนาคม 2569", "ur": "مارچ، 2026", "xx": "2026-03",
	} {
		if got := monthAndYear(day, lang); got != want {
			t.Errorf("%s: %q, want %q", lang, got, want)
		}
	}
	for lang := range locales { // no language keeps a day, or loses anything else
		if got := withoutDay.Replace(locales[lang].date); len(got) == 0 || got[0] == ' ' || got == locales[lang].date {
			t.Errorf("%s: %q is left of %q", lang, got, locales[lang].date)
		}
	}
}
