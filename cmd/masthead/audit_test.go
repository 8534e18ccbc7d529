package main

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"masthead/pkg/app/apptest"
	"masthead/pkg/fetch"
	"masthead/pkg/testenv"
)

// auditedSite serves pages that an audit finds much and little on, and sitemaps of them.
type auditedSite struct {
	*httptest.Server
	mu     sync.Mutex
	agents map[string]string // the User-Agent that asked for each path last
}

func newAuditedSite(t *testing.T) *auditedSite {
	t.Helper()
	s := &auditedSite{agents: map[string]string{}}
	bodies := map[string]string{
		"/": `<title>Home of a site that says little</title>`,
		"/tagged": `<html lang="en"><head><meta charset="utf-8"><title>A page with the tags that it needs most</title>
			<meta property="og:title" content="A page with the tags"><meta property="og:description" content="One sentence ` +
			`that says what this page is about, at length."><meta name="twitter:card" content="summary_large_image">
			<meta property="og:image" content="BASE/share.png"></head><body><h1>Tagged</h1></body></html>`,
		"/sitemap.xml": `<urlset><url><loc>BASE/</loc></url><url><loc>BASE/tagged</loc></url>
			<url><loc>https://elsewhere.example/</loc></url></urlset>`,
		"/gone.xml":  `<urlset><url><loc>BASE/</loc></url><url><loc>BASE/private</loc></url></urlset>`,
		"/other.xml": `<urlset><url><loc>https://elsewhere.example/</loc></url></urlset>`,
	}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.agents[r.URL.Path] = r.UserAgent()
		s.mu.Unlock()
		switch body, ok := bodies[r.URL.Path]; {
		case r.URL.Path == "/private":
			http.Redirect(w, r, "http://169.254.169.254/latest", http.StatusFound)
		case !ok:
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, "<title>Not found</title>")
		default:
			if strings.HasSuffix(r.URL.Path, ".xml") {
				w.Header().Set("Content-Type", "application/xml")
			}
			fmt.Fprint(w, strings.ReplaceAll(body, "BASE", "http://"+r.Host))
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// asked is the User-Agent that asked for path last.
func (s *auditedSite) asked(path string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.agents[path]
}

// auditPages runs `masthead audit`.
func auditPages(t *testing.T, args ...string) runResult {
	t.Helper()
	return masthead(t, t.TempDir(), "", nil, append([]string{"audit"}, args...)...)
}

func TestAudit_exitCodes(t *testing.T) {
	testenv.ManyStarts(t)
	site := newAuditedSite(t)
	bare := strings.TrimPrefix(site.URL, "http://")
	for _, c := range []struct {
		name string
		args []string
		code int
		want []string
	}{
		{"done", []string{bare}, exitDone, []string{"A bare link everywhere", "What to fix", "+", "As others see it"}},
		{"a low score", []string{bare, "--min-score", "90"}, exitFound, []string{"1 of 1 page scores less than 90"}},
		{"a high score", []string{bare, "--min-score", "1"}, exitDone, nil},
		{"an error", []string{bare, "--fail-on", "error"}, exitFound, []string{" checks failed by --fail-on error"}},
		{"both", []string{bare, "--fail-on=warning", "--min-score=90"}, exitFound, []string{"checks failed by --fail-on warning, 1 of 1 page scores less than 90"}},
		{"nothing there", []string{site.URL + "/none", "--format", "json"}, exitDone, []string{`"status":404`}},
		{"a host that is not", []string{"127.0.0.1:1"}, exitFailed, []string{"127.0.0.1"}},
		{"findings and no page", []string{bare, site.URL + "/private", "--fail-on", "error"}, exitFailed,
			[]string{"1 of 2 pages could not be read"}},
		{"a redirect inside", []string{site.URL + "/private"}, exitFailed, []string{fetch.RefusedDetail}},
		{"no page", nil, exitUsage, []string{"name a page"}},
		{"an unknown format", []string{bare, "--format", "pdf"}, exitUsage, []string{"--format must be one of"}},
		{"two formats", []string{bare, "--json", "--format", "sarif"}, exitUsage, []string{"one format is printed"}},
		{"a score beyond", []string{bare, "--min-score", "101"}, exitUsage, []string{"--min-score"}},
		{"an unknown severity", []string{bare, "--fail-on", "info"}, exitUsage,
			[]string{`--fail-on must be one of "error","warning" but got "info"`}},
		{"an unknown rule", []string{bare, "--ignore", "seo-http"}, exitUsage, []string{"--ignore seo-http: there is no such rule"}},
		{"a limit of none", []string{bare, "--limit", "0"}, exitUsage, []string{"--limit"}},
		{"no address", []string{"ftp://example.com/"}, exitUsage, []string{"must begin with http"}},
	} {
		t.Run(c.name, func(t *testing.T) { auditPages(t, c.args...).want(t, c.code, c.want...) })
	}
}

func TestAudit_namedHostsAlone_mayBePrivate(t *testing.T) {
	site, other := newAuditedSite(t), apptest.NewSite(t)
	ended := auditPages(t, site.URL+"/tagged", other.At("/redirect?to="+site.URL+"/"), "--json")
	ended.want(t, exitFailed, `"overallScore":`, fetch.RefusedDetail)
	lines := strings.Split(strings.TrimSpace(ended.out), "\n")
	if len(lines) != 2 || !strings.Contains(lines[1], `"error":`) {
		t.Errorf("another page's host was opened too: %s", ended.out)
	}
}

func TestAudit_as_isThePlatformsCrawler(t *testing.T) {
	site := newAuditedSite(t)
	for as, want := range map[string]string{
		"twitterbot": "Twitterbot/1.0", "Telegram": "TelegramBot (like TwitterBot)", "My own/1": "My own/1",
	} {
		auditPages(t, site.URL, "--as", as).want(t, exitDone)
		if got := site.asked("/"); got != want {
			t.Errorf("--as %s: asked as %q, want %q", as, got, want)
		}
	}
	auditPages(t, site.URL).want(t, exitDone)
	if got := site.asked("/"); !strings.Contains(got, "Masthead") {
		t.Errorf("without --as: asked as %q", got)
	}
}

func TestAudit_sitemap_isAuditedWithinItsBounds(t *testing.T) {
	site := newAuditedSite(t)
	for _, c := range []struct {
		name string
		args []string
		code int
		want []string
	}{
		{"all", []string{"--sitemap", site.URL + "/sitemap.xml"}, exitDone, []string{
			"lists 2 pages; 1 on other hosts, such as elsewhere.example, left out", "Audited 2 of 2 pages", "2 pages read, ",
			"What to fix on these pages", "on 2 pages", site.URL + "/tagged\n",
		}},
		{"with a page", []string{site.URL + "/more", "--sitemap", site.URL + "/sitemap.xml"}, exitDone,
			[]string{"3 pages read"}},
		{"limited", []string{"--sitemap", site.URL + "/sitemap.xml", "--limit", "1"}, exitDone,
			[]string{"there are more than the 1 taken (--limit)"}},
		{"a page that cannot be read", []string{"--sitemap", site.URL + "/gone.xml"}, exitFailed,
			[]string{"1 of 2 pages could not be read", "no report"}},
		{"none of its own", []string{"--sitemap", site.URL + "/other.xml"}, exitFailed, []string{
			"lists no page of", ": 1 on other hosts, such as elsewhere.example, left out", "add --origin " + site.URL + "\n",
		}},
		{"no sitemap", []string{"--sitemap", site.URL + "/tagged"}, exitFailed, []string{"this isn't a sitemap"}},
		{"missing", []string{"--sitemap", site.URL + "/none.xml"}, exitFailed, []string{"404"}},
		{"no address", []string{"--sitemap", "ftp://x"}, exitUsage, []string{"--sitemap"}},
	} {
		t.Run(c.name, func(t *testing.T) { auditPages(t, c.args...).want(t, c.code, c.want...) })
	}
}

// TestAudit_formats holds that what a program reads stands on standard output alone, and whole; package format holds it
// to the schemas.
func TestAudit_formats(t *testing.T) {
	testenv.ManyStarts(t)
	site := newAuditedSite(t)
	args := []string{site.URL + "/", site.URL + "/tagged"}
	var report struct {
		URL, LetterGrade string
		OverallScore     int
		Issues           []struct{ ID, Fix string }
		Metadata         struct{ Title, Image *string }
	}
	lines := strings.Split(strings.TrimSpace(auditPages(t, append(args, "--json")...).out), "\n")
	if len(lines) != 2 {
		t.Fatalf("got %d lines", len(lines))
	}
	if err := json.Unmarshal([]byte(lines[1]), &report); err != nil || report.URL != site.URL+"/tagged" ||
		report.OverallScore == 0 || len(report.Issues) < 40 || report.Metadata.Title == nil {
		t.Errorf("got %+v, %v", report, err)
	}
	var log struct{ Runs []struct{ Results []any } }
	if err := json.Unmarshal([]byte(auditPages(t, append(args, "--format=sarif")...).out), &log); err != nil ||
		len(log.Runs) != 1 || len(log.Runs[0].Results) < 20 {
		t.Errorf("SARIF: %+v, %v", log, err)
	}
	var suites struct {
		Suites []struct{} `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(auditPages(t, append(args, "--format=junit")...).out), &suites); err != nil ||
		len(suites.Suites) != 2 {
		t.Errorf("JUnit: %+v, %v", suites, err)
	}
	auditPages(t, append(args, "--format=github")...).want(t, exitDone, "::error title=Share image")
	auditPages(t, append(args, "--format=markdown")...).want(t, exitDone, "## What to fix")
	if out := auditPages(t, args[0]).out; strings.Contains(out, "\x1b") {
		t.Errorf("colours without a terminal: %q", out)
	}
}

func TestAudit_html_isAPageOfItsOwn(t *testing.T) {
	site, dir := newAuditedSite(t), t.TempDir()
	file := filepath.Join(dir, "report.html")
	auditPages(t, site.URL+"/tagged", "--html", file).want(t, exitDone, "What to fix")
	page, err := os.ReadFile(file)
	if err != nil || !strings.HasPrefix(string(page), "<!") || !strings.Contains(string(page), "A page with the tags") {
		t.Errorf("got %.200s, %v", page, err)
	}
	if external := regexp.MustCompile(`(?i)<(?:link|script|img)[^>]+(?:href|src)="?https?:`).Find(page); external != nil {
		t.Errorf("it asks for something else: %s", external)
	}
	auditPages(t, site.URL, "--html", dir).want(t, exitFailed, "write the report")
}

func TestPreview_sevenFieldsAndPlatforms(t *testing.T) {
	site := newAuditedSite(t)
	preview := func(args ...string) runResult {
		return masthead(t, t.TempDir(), "", nil, append([]string{"preview"}, args...)...)
	}
	preview(site.URL+"/tagged").want(t, exitDone, "Title        A page with the tags\n",
		"X card       summary_large_image", "\nWhatsApp     No picture\n", "The picture does not load")
	var got map[string]any
	if err := json.Unmarshal([]byte(preview(site.URL+"/", "--json").out), &got); err != nil {
		t.Fatal(err)
	}
	for field, want := range map[string]any{
		"title": "Home of a site that says little", "description": nil, "image": nil, "siteName": "127.0.0.1",
		"url": site.URL + "/", "favicon": site.URL + "/favicon.ico", "twitterCardType": nil,
	} {
		if value, ok := got[field]; !ok || value != want {
			t.Errorf("%s: got %v, want %v", field, value, want)
		}
	}
	if shown, _ := got["platforms"].([]any); len(shown) != 8 {
		t.Errorf("platforms: %v", got["platforms"])
	}
	preview(site.URL+"/private").want(t, exitFailed, fetch.RefusedDetail)
	preview("ftp://x").want(t, exitUsage, "must begin with http")
	preview().want(t, exitUsage, "url")
}
