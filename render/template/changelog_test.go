package template

import "testing"

func TestChangelogTitle_versionAloneIsNoTitle(t *testing.T) {
	for _, tc := range []struct{ title, version, lang, want string }{
		{"Northlane 3.2: signed links", "3.2", "en", "Northlane 3.2: signed links"},
		{"v3.2", "v3.2", "en", "What’s new"}, {"Release 3.2", "3.2", "de-AT", "Was ist neu"},
		{"Northlane 3.2", "3.2", "ja", "新着情報"}, {"Version 3.2.", "3.2", "xx", "Northlane"},
		{"Release", "", "en", "Release"}, {"v4.2: search that forgives", "4.2", "en", "Search that forgives"},
		{"4.2 – öfter, schneller", "v4.2", "de", "Öfter, schneller"}, {"4.2-beta: ready", "4.2", "en", "4.2-beta: ready"},
	} {
		c := openCard(t, "changelog", Spec{
			Lang: tc.lang, Texts: Texts{Title: tc.title, Version: tc.version, SiteName: "Northlane"},
		})
		if got := changelogTitle(c); got != tc.want {
			t.Errorf("%q of %s: %q, want %q", tc.title, tc.lang, got, tc.want)
		}
	}
}
