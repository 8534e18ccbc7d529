package dashboard

import (
	"errors"
	"strings"
	"testing"

	"masthead/gen"
	"masthead/pkg/apperr"
)

// TestCrawler_found says what was found on the first page, in each case.
func TestCrawler_found(t *testing.T) {
	for _, c := range []struct {
		hasLine    bool
		err        error
		looked     bool
		severities string
		says       string
	}{
		{true, nil, true, "pass pass info", "has the line"},
		{false, nil, true, "pass info info", "doesn’t have the line"},
		{false, apperr.New(apperr.UpstreamFailed, "It answered 503."), true, "error info info", "It answered 503."},
		{false, apperr.New(apperr.RateLimited, ""), false, "info info info", "responds"},
		{false, errors.New("ours"), false, "info info info", "responds"},
	} {
		of := gen.Project{Domains: []string{"northlane.dev"}}
		to := (&overview{}).crawlerOf(overviewData{}, of)
		looked := to.found("northlane.dev", c.hasLine, c.err)
		var severities, texts []string
		for _, one := range to.Checks {
			severities, texts = append(severities, one.Severity), append(texts, one.Text)
		}
		if looked != c.looked || strings.Join(severities, " ") != c.severities ||
			!strings.Contains(strings.Join(texts, " "), c.says) {
			t.Errorf("%v, %v: %v %v %v", c.hasLine, c.err, looked, severities, texts)
		}
	}
}
