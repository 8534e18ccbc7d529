package audit_test

import (
	"slices"
	"strings"
	"testing"

	"masthead/pkg/audit"
)

// TestNeeded_namesRulesByTheirTitles, also those that aren't listed because another rule blocks them.
func TestNeeded_namesRulesByTheirTitles(t *testing.T) {
	r := &audit.Report{}
	got := r.Needed(&audit.Issue{With: []string{"seo-structured-data-complete", "og-title"}})
	if strings.Contains(got, "seo-") || !strings.Contains(got, "“Open Graph title”") {
		t.Errorf("got %q, want the titles of both rules", got)
	}
}

// TestGrouped_changesWithAllThatTheyFix, in the order of the issues; one whose first isn't listed is by itself.
func TestGrouped_changesWithAllThatTheyFix(t *testing.T) {
	failed := []audit.Issue{
		{ID: "og-image-dimensions", Clears: []string{"og-image-format", "twitter-image-format"}},
		{ID: "seo-h1"}, {ID: "twitter-image-format", With: []string{"og-image-dimensions"}},
		{ID: "og-image-format", With: []string{"og-image-dimensions"}}, {ID: "twitter-title", With: []string{"og-title"}},
	}
	var got []string
	for _, g := range audit.Grouped(failed) {
		line := g.ID
		for i := range g.Also {
			line += " " + g.Also[i].ID
		}
		got = append(got, line)
	}
	want := []string{"og-image-dimensions twitter-image-format og-image-format", "seo-h1", "twitter-title"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	r := &audit.Report{Issues: failed}
	if got := r.Needed(&failed[3]); got != "The change for “Share image dimensions” also fixes this." {
		t.Errorf("got %q", got)
	}
}
