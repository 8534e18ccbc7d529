package moduletest_test

import (
	"net/http"
	"testing"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/app/demo"
)

// TestFaultyPages_haveTheirFaults audits the pages that the demo has for that.
func TestFaultyPages_haveTheirFaults(t *testing.T) {
	site := openSite(t)
	s := apptest.Start(t, func(c *app.Config) { c.Fetch.Allow = []string{site.Allowed()} })
	scores := map[string]float64{}
	for _, page := range demo.Faulty {
		report := s.Post("/audits", map[string]any{"url": site.URL(page.Path)}).Want(http.StatusOK)
		scores[page.Path] = report.Value("overallScore").(float64)
		failed := map[string]bool{}
		for _, each := range report.Value("issues").([]any) {
			issue := each.(map[string]any)
			failed[issue["id"].(string)] = !issue["pass"].(bool)
		}
		want := map[string][]string{
			"/faulty": {
				"seo-indexable", "seo-title", "og-clean-values", "og-image-dimensions", "og-image-declared-size",
				"og-image-absolute-url", "og-url-valid", "twitter-card-valid", "twitter-site", "seo-canonical-valid",
				"seo-hreflang-valid", "seo-structured-data-valid", "seo-h1", "seo-heading-order", "og-crawlers-allowed",
			},
			"/nearly": {"og-url", "og-image-absolute-url", "twitter-card-fits-image", "seo-canonical",
				"seo-structured-data-complete"},
			"/bare": {"og-title", "og-description", "og-image", "twitter-card", "seo-title", "seo-h1"},
		}[page.Path]
		for _, id := range want {
			if !failed[id] {
				t.Errorf("%s: %s does not fail", page.Path, id)
			}
		}
		t.Logf("%s: %v %s", page.Path, scores[page.Path], report.Text("letterGrade"))
	}
	if !(scores["/bare"] < 40 && scores["/faulty"] < 60 && scores["/nearly"] > 70) {
		t.Errorf("got scores %v", scores)
	}
}
