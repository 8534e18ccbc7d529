package checks_test

import (
	"encoding/json"
	"strings"
	"testing"

	"masthead/pkg/audit/rule"
	"masthead/pkg/audit/rule/checks"
	"masthead/pkg/page"
	"masthead/pkg/scrape"
	"masthead/pkg/testenv"
)

// parsed returns the site that is known without a request: the page.
func parsed(c *testenv.Page) *scrape.Result {
	p := page.Parse(c.Body, c.ContentType, c.Address)
	return &scrape.Result{Page: scrape.Part[scrape.Document]{
		State: scrape.Got, Value: scrape.Document{Page: p, Status: 200},
	}}
}

// TestAudit_corpus_agreesWithWhatIsKnown holds the rules against what independent readers found on real pages: which
// tag a value comes from says which tag is there. Each page is audited without a panic, explains each point that it
// lost, and gets the same report twice.
func TestAudit_corpus_agreesWithWhatIsKnown(t *testing.T) {
	for _, c := range testenv.Pages(t) {
		report := checks.Set().Judge(parsed(&c), now).Report()
		wantWellFormed(t, report)
		from := &c.ResolvedFrom
		for id, want := range map[string]bool{
			"og-title":       from.Title == "og:title",
			"og-description": from.Description == "og:description",
			"og-image":       from.Image == "og:image",
			"og-url":         from.URL == "og:url",
			"twitter-card":   c.DeclaredTwitterCard != "",
			"seo-https":      c.Address.Scheme == "https",
		} {
			issue := issueOf(report, id)
			if issue == nil || issue.Pass != want {
				t.Errorf("%s: %s: got %+v, want passed: %v", c.Name, id, issue, want)
			}
		}
		if i := issueOf(report, "og-site-name"); from.SiteName != "og:site_name" && i.Pass {
			t.Errorf("%s: og-site-name passes, but the name is from %s", c.Name, from.SiteName)
		}
		if i := issueOf(report, "seo-lang"); c.Lang == "" && i.Pass {
			t.Errorf("%s: seo-lang passes without a language", c.Name)
		}
		if i := issueOf(report, "seo-charset"); c.Charset != "utf-8" && i.Pass {
			t.Errorf("%s: seo-charset passes with %s", c.Name, c.Charset)
		}
		if got, want := strings.Contains(issueOf(report, "twitter-card").Message, "nor enough"), c.TwitterCardType == "" &&
			c.DeclaredTwitterCard == ""; got != want {
			t.Errorf("%s: no card at all: got %v, want %v", c.Name, got, want)
		}
		again := checks.Set().Judge(parsed(&c), now).Report()
		a, err := json.Marshal(report)
		if err != nil {
			t.Fatal(err)
		}
		if b, err := json.Marshal(again); err != nil || string(a) != string(b) {
			t.Errorf("%s: two audits differ", c.Name)
		}
		for i, category := range rule.Categories {
			lost := false
			for _, issue := range report.Issues {
				lost = lost || issue.Category == category && !issue.Pass
			}
			for _, id := range report.Blocked { // perhaps by a rule of another category
				lost = lost || strings.HasPrefix(id, string(category)+"-")
			}
			if full := report.Categories[i].Points == 100; full == lost {
				t.Errorf("%s: %s has %v points, issues: %v", c.Name, category, report.Categories[i].Points, lost)
			}
		}
	}
}

func BenchmarkAudit_corpus(b *testing.B) {
	pages := testenv.Pages(b)
	if len(pages) == 0 {
		return
	}
	b.Run("rules", func(b *testing.B) {
		var sites []*scrape.Result
		for i := range pages {
			sites = append(sites, parsed(&pages[i]))
		}
		for i := 0; b.Loop(); i++ {
			checks.Set().Judge(sites[i%len(sites)], now).Report()
		}
	})
	b.Run("parse and rules", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			checks.Set().Judge(parsed(&pages[i%len(pages)]), now).Report()
		}
	})
}
