package checks_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"masthead/pkg/audit/rule"
	"masthead/pkg/audit/rule/checks"
)

// faulty are faults that one page can have at once, each with the rule that finds it, by the names of their cases or as
// changes of their own. Between them they block, open and cap.
var faulty = map[string][]testCase{
	"little of everything": {
		named("og-title", "only title"), named("og-description", "only meta"), named("og-image-absolute-url",
			"relative"),
		named("og-image-alt", "none"), named("og-url", "none"), named("og-type", "unknown"),
		named("og-site-name", "host"),
		named("og-locale", "form"), named("og-image-file-size", "1 MB"),
		named("og-image-format", "sent as text"), {rule: "og-image-dimensions", change: shared(sized(800, 418))},
		named("twitter-card-fits-image", "wide"), named("twitter-site", "without @"), named("twitter-creator",
			"none"),
		named("seo-title", "two"), named("seo-meta-description", "two"), named("seo-http-status", "404"),
		named("seo-redirects", "two"), named("seo-charset", "legacy"), named("seo-indexable", "meta"),
		named("seo-favicon", "32"), named("seo-viewport", "no zoom"), named("seo-h1", "two"),
		named("seo-heading-order", "one skip"),
		named("seo-server-rendered", "empty"), named("seo-hreflang-valid", "bad code"),
		named("seo-hreflang-reciprocal", "one way"),
		named("seo-structured-data-complete", "author without a name"), named("seo-date-present", "words"),
		named("twitter-crawler-allowed", "blocked"),
	},
	"nothing there": {
		named("og-title", "only title"), named("seo-title", "none"), named("og-description", "only meta"),
		named("seo-meta-description", "none"), named("og-image", "none"),
		named("og-url", "none"), named("og-type", "none"), named("og-site-name", "none"),
		{rule: "twitter-card", change: without(`<meta name="twitter:card"`)}, named("twitter-site", "none"),
		named("twitter-creator", "none"), named("seo-canonical", "none"), named("seo-lang", "none"),
		named("seo-viewport", "none"),
		named("seo-h1", "none"), named("seo-server-rendered", "empty"), named("seo-structured-data", "none"),
		{rule: "seo-favicon", change: favicon(0, 0, 0)}, named("og-crawlers-allowed", "two blocked"),
		named("seo-http-status", "203"),
	},
	"wrong": {
		named("og-image-reachable", "404"), named("og-image-declared-size", "none"), named("twitter-card-valid",
			"retired"),
		named("seo-canonical-valid", "relative"), named("og-url-valid", "other site"),
		named("seo-structured-data-valid", "half"),
		named("og-duplicate-tags", "two titles"), named("og-markup", "name"),
		named("og-clean-values", "null"), named("seo-freshness", "old"),
		named("seo-https", "http"), named("seo-snippet-allowed", "nosnippet"),
	},
}

// named returns the case of a rule by its name.
func named(rule, name string) testCase {
	for _, c := range slices.Concat(textCases, imageCases, tagCases, twitterCases, responseCases,
		documentCases, dataCases) {
		if c.rule == rule && c.name == name {
			return c
		}
	}
	panic("no case " + rule + "/" + name)
}

// TestPatch_stepByStep fixes the faults of pages that have many, one after the other and in some order: each step
// changes the score by the gain that its issue named, and the last one makes it 100.
func TestPatch_stepByStep(t *testing.T) {
	for name, faults := range faulty {
		for order := range uint64(8) {
			t.Run(fmt.Sprintf("%s/%d", name, order), func(t *testing.T) {
				left := slices.Clone(faults)
				random := rand.New(rand.NewPCG(order, 12))
				random.Shuffle(len(left), func(i, j int) { left[i], left[j] = left[j], left[i] })
				report := checks.Set().Judge(all(left).apply(t), now).Report()
				for len(left) > 0 {
					fixed := left[0]
					left = left[1:]
					after := checks.Set().Judge(all(left).apply(t), now).Report()
					wantGain(t, fixed, report, after)
					report = after
				}
				if report.Overall.Points != 100 {
					t.Errorf("all is fixed: got %v, want 100", report.Overall.Points)
				}
			})
		}
	}
}

// wantGain holds that fixing a fault changed the score by its gain.
func wantGain(t *testing.T, fault testCase, before, after rule.Report) {
	t.Helper()
	issue, then := issueOf(before, fault.rule), issueOf(after, fault.rule)
	if issue == nil || issue.Pass || issue.Code != "" {
		return // another fault hides this one, or its gain is that of the code, which says less than the perfect page
	}
	if then != nil && !then.Pass {
		t.Errorf("%s/%s is fixed: %s", fault.rule, fault.name, then.Message)
	}
	won := after.Overall.Points - before.Overall.Points
	if len(issue.With) > 0 {
		if won > 1e-6 {
			t.Errorf("%s/%s: wins %.3f without %v", fault.rule, fault.name, won, issue.With)
		}
		return
	}
	if math.Abs(won-issue.Gain) > 0.0501 {
		t.Errorf("%s/%s: got gain %v, want %.3f as fixing wins", fault.rule, fault.name, issue.Gain, won)
	}
}

// all is many faults in one change.
func all(faults []testCase) (c change) {
	for _, f := range faults {
		c = both(c, f.change)
	}
	return c
}
