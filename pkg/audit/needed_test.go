package audit_test

import (
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
