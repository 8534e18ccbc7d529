package template

import (
	"strings"
	"testing"

	"masthead/render/template/kit"
)

// TestTitle_tooLongForAllSizesKeepsMore checks that a title that doesn't fit whole is cut as late as smaller sizes let
// it be, and that one that is only a little too long is whole.
func TestTitle_tooLongForAllSizesKeepsMore(t *testing.T) {
	const long = "How a small team migrated eleven years of customer data across three continents without a single " +
		"minute of downtime or one lost invoice"
	code := kit.Texts{Code: kit.Code{First: 1, Lines: []string{"if a {", "	b()", "}"}}}
	shell := kit.Texts{Session: []string{"$ queue work", "ready"}}
	release := kit.Texts{Version: "3.2"}
	for _, c := range []struct {
		slug, title, until string
		texts              kit.Texts
	}{
		{"terminal", long, "one lost invoice", shell},
		{"code", long, "one lost invoice", code},
		{"changelog", long, "one lost invoice", release},
		{"episode", long, "without a single minute…", kit.Texts{}},
		{"changelog", "What the new rules for signed image links mean for your sites and pages", "and pages", release},
	} {
		s := kit.Spec{Texts: c.texts, Play: kit.Play{Known: c.slug == "episode", Guest: "with Mina Okafor"}}
		s.Title, s.SiteName = c.title, "Northlane"
		card := openCard(t, c.slug, s)
		card.Layout()
		var got string
		for _, p := range card.PlacedTexts() {
			if p.Role == kit.Title {
				got = p.Text()
			}
		}
		if !strings.HasSuffix(strings.ReplaceAll(got, "\n", " "), c.until) {
			t.Errorf("%s: the title is %q, want it to end with %q", c.slug, got, c.until)
		}
	}
}

// TestTitle_cutAtTwoSizesHasWholeWords checks a title that would begin with a part of a word at the larger one.
func TestTitle_cutAtTwoSizesHasWholeWords(t *testing.T) {
	for _, slug := range []string{"editorial", "halftone"} {
		s := kit.Spec{Lang: "ru", Texts: kit.Texts{SiteName: "Главбух-Онлайн"}}
		s.Title = "Налогообложение самозанятых-нерезидентов и иностранных фрилансеров: разъяснения ФНС от 19.11.2026 " +
			"№ БС-4-11/12345@"
		c := openKind(t, slug, kit.BlogHero, s)
		c.Layout()
		for _, p := range c.PlacedTexts() {
			if p.Role == kit.Title && p.Lines[0].Text != "Налогообложение" {
				t.Errorf("%s: the title is %q", slug, p.Text())
			}
		}
	}
}
