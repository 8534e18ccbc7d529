package format_test

import (
	"encoding/json"
	"net/url"
	"path"
	"slices"
	"strings"
	"testing"

	"masthead/pkg/audit"
	"masthead/pkg/audit/format"
)

func pathsOf(addresses ...string) []string {
	var pages []format.Page
	for _, a := range addresses {
		pages = append(pages, format.Page{URL: a})
	}
	return format.PagePaths(pages)
}

func TestPagePaths(t *testing.T) {
	for address, want := range map[string]string{
		"https://example.com/":                  "index.html",
		"https://example.com":                   "index.html",
		"http://localhost:3000/blog/hello":      "blog/hello/index.html",
		"https://example.com/blog/hello/":       "blog/hello/index.html",
		"https://example.com/a.html":            "a.html",
		"https://example.com/a:b/c":             "a%3Ab/c/index.html",
		"https://example.com//a//b/":            "a/b/index.html",
		"https://example.com/%2e%2e/%2e%2e/etc": "%2E%2E/%2E%2E/etc/index.html",
		"https://example.com/caf%C3%A9 x/":      "caf%C3%A9%20x/index.html",
		"https://example.com/a%2Fb":             "a/b/index.html",
		"https://example.com/node.js-and-more":  "node.js-and-more/index.html",
	} {
		if got := pathsOf(address)[0]; got != want {
			t.Errorf("%s: got %s, want %s", address, got, want)
		}
	}
	got := pathsOf("https://a.example/", "https://b.example:8443/x", "https://a.example/x", "https://a.example/x?y=1")
	want := []string{"a.example/index.html", "b.example%3A8443/x/index.html", "a.example/x/index.html"}
	if !slices.Equal(got[:3], want) || !strings.HasPrefix(got[3], "a.example/x/index-") {
		t.Errorf("several hosts: got %q", got)
	}
	const a = "https://example.com/a"
	same := pathsOf(a, a+"/", a+"?b", a+"?c", a+"/index.html")
	slices.Sort(same)
	if len(slices.Compact(same)) != 5 {
		t.Errorf("two addresses have one path: %q", same)
	}
}

func FuzzPagePaths(f *testing.F) {
	f.Add("https://example.com/a/../b?c", "http://localhost:3000//x:y/%zz")
	f.Add("https://example.com/"+strings.Repeat("%20", 700), "https://[::1]:80/.../")
	f.Add("tps:/,example.com/a/.", "http://localhost:3000/") // no host
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, p := range pathsOf(a, b) {
			u, err := url.Parse(p)
			if err != nil || u.IsAbs() || u.Host != "" || strings.HasPrefix(p, "/") || p == "" ||
				path.Clean(p) != p || strings.HasPrefix(p, "..") || len(p) > 1100 {
				t.Errorf("%q, %q: got path %q, %v", a, b, p, err)
			}
		}
		if got := pathsOf(a, b); a != b && got[0] == got[1] {
			t.Errorf("%q and %q both have path %q", a, b, got[0])
		}
	})
}

// TestSARIF_isWhatGitHubTakes holds what the upload to code scanning asks for beyond the schema. Source: GitHub, "SARIF
// support for code scanning".
func TestSARIF_isWhatGitHubTakes(t *testing.T) {
	log := sarif(t, pages(t), format.Options{})
	run := log.Runs[0]
	for _, r := range run.Tool.Driver.Rules {
		u, err := url.Parse(r.HelpURI)
		if err != nil || u.Scheme != "https" || r.Help.Text == "" || r.Short.Text == "" || r.Full.Text == "" {
			t.Errorf("rule %s: %+v", r.ID, r)
		}
	}
	seen := map[string]string{}
	for _, r := range run.Results {
		if len(r.Locations) != 1 || r.Locations[0].Physical.Region.StartLine != 1 {
			t.Fatalf("%s: got locations %+v, want one with a line", r.RuleID, r.Locations)
		}
		at := r.Locations[0].Physical.Artifact.URI
		if strings.Contains(at, ":") || strings.HasPrefix(at, "/") {
			t.Errorf("%s: got location %q, want a relative path", r.RuleID, at)
		}
		if !strings.HasPrefix(r.Message.Text, r.Properties.URL+": ") || r.Properties.URL == "" {
			t.Errorf("%s: got message %q for %q, want it to name the page", r.RuleID, r.Message.Text, r.Properties.URL)
		}
		if r.Fingerprints["primaryLocationLineHash"] == "" {
			t.Errorf("%s: got fingerprints %v", r.RuleID, r.Fingerprints)
		}
		if other, ok := seen[at]; ok && other != r.Properties.URL {
			t.Errorf("%s is the path of %s and %s", at, other, r.Properties.URL)
		}
		seen[at] = r.Properties.URL
	}
	if run.Automation.ID == "" || len(seen) != 2 {
		t.Errorf("got run %q, paths %v", run.Automation.ID, seen)
	}
}

func TestSARIF_moreThanIsTaken_keepsTheWorst(t *testing.T) {
	issues := []audit.Issue{{ID: "seo-lang", Severity: "info"}, {ID: "seo-lang", Severity: "error"}}
	all := make([]format.Page, format.MaxSARIFResults/2+100)
	for i := range all {
		all[i] = format.Page{URL: "https://example.com/" + strings.Repeat("a", i%7), Report: &audit.Report{Issues: issues}}
	}
	run := sarif(t, all, format.Options{}).Runs[0]
	levels := map[string]int{}
	for _, r := range run.Results {
		levels[r.Level]++
	}
	if len(run.Results) != format.MaxSARIFResults || levels["error"] != len(all) {
		t.Errorf("got %d results, %v, want all %d errors", len(run.Results), levels, len(all))
	}
	n := run.Invocations[0].Notifications
	if len(n) != 1 || !strings.Contains(n[0].Message.Text, "200 results are left out") {
		t.Errorf("got notifications %+v", n)
	}
}

type sarifText struct{ Text string }

// sarifLog is what the tests read of SARIF.
type sarifLog struct {
	Runs []struct {
		Automation  struct{ ID string } `json:"automationDetails"`
		Invocations []struct {
			Notifications []struct{ Message sarifText } `json:"toolExecutionNotifications"`
		}
		Tool struct {
			Driver struct {
				Rules []struct {
					ID, HelpURI string
					Help        sarifText
					Short       sarifText `json:"shortDescription"`
					Full        sarifText `json:"fullDescription"`
				}
			}
		}
		Results []struct {
			RuleID, Level, BaselineState string
			Message                      sarifText
			Fingerprints                 map[string]string `json:"partialFingerprints"`
			Properties                   struct{ URL string }
			Locations                    []struct {
				Physical struct {
					Artifact struct{ URI string }    `json:"artifactLocation"`
					Region   struct{ StartLine int } `json:"region"`
				} `json:"physicalLocation"`
			}
		}
	}
}

func sarif(t *testing.T, pages []format.Page, o format.Options) (log sarifLog) {
	t.Helper()
	if err := json.Unmarshal([]byte(write(t, "sarif", pages, o)), &log); err != nil || len(log.Runs) != 1 {
		t.Fatalf("got %d runs, %v", len(log.Runs), err)
	}
	return log
}
