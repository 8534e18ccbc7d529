package main

import (
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"masthead/pkg/testenv"
)

// builtSite serves a site that is built for https://www.example.com, as a build in CI is before it is published.
func builtSite(t *testing.T) *httptest.Server {
	t.Helper()
	page := func(path, canonical string) string {
		return `<html lang="en"><head><meta charset="utf-8"><title>A page with the tags that it needs most</title>
			<link rel="canonical" href="` + canonical + `"><meta property="og:url" content="https://www.example.com` + path + `">
			<meta property="og:title" content="A page with the tags"><meta name="twitter:card" content="summary_large_image">
			<meta property="og:image" content="https://www.example.com/share.png"></head><body><h1>Built</h1></body></html>`
	}
	bodies := map[string]string{
		"/":      page("/", "https://www.example.com/"),
		"/wrong": page("/wrong", "https://www.example.com/other"),
		"/sitemap.xml": `<urlset><url><loc>https://www.example.com/</loc></url><url><loc>https://www.example.com/wrong</loc></url>
			</urlset>`,
		"/share.png": sharePicture(t),
		"/bare":      "<title>Bare</title>",
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := bodies[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		if strings.HasSuffix(r.URL.Path, ".xml") {
			w.Header().Set("Content-Type", "application/xml")
		}
		fmt.Fprint(w, body)
	}))
	t.Cleanup(server.Close)
	return server
}

// sharePicture is a PNG of the size that share images have.
func sharePicture(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 1200, 630))); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// jsonReport is a report that --format json printed.
type jsonReport struct {
	URL, FinalURL string
	OverallScore  int
	Issues        []struct {
		ID, Message, Fix string
		Pass             bool
	}
	NotChecked []struct{ ID, Reason string }
}

// state returns what a report says of a rule.
func (r *jsonReport) state(id string) string {
	for _, i := range r.Issues {
		if i.ID == id && i.Pass {
			return "passed"
		}
		if i.ID == id {
			return "failed: " + i.Message
		}
	}
	for _, n := range r.NotChecked {
		if n.ID == id {
			return "not checked"
		}
	}
	return "not listed"
}

func reports(t *testing.T, out string) (all []jsonReport) {
	t.Helper()
	for line := range strings.Lines(out) {
		var r jsonReport
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		all = append(all, r)
	}
	return all
}

func TestAudit_origin_judgesTheBuildAsThePublishedSite(t *testing.T) {
	site := builtSite(t)
	for name, args := range map[string][]string{
		"the page by its public address": {"https://www.example.com/"},
		"the page on the server":         {site.URL + "/"},
		"the public sitemap":             {"--sitemap", "https://www.example.com/sitemap.xml", "--limit", "1"},
		"the sitemap on the server":      {"--sitemap", site.URL + "/sitemap.xml", "--limit", "1"},
		"an origin without its scheme":   {"www.example.com", "--origin", strings.TrimPrefix(site.URL, "http://")},
	} {
		ended := auditPages(t, append([]string{"--json", "--origin", site.URL}, args...)...)
		ended.want(t, exitDone)
		all := reports(t, ended.out)
		if len(all) != 1 || all[0].FinalURL != "https://www.example.com/" {
			t.Errorf("%s: got %s", name, ended.out)
			continue
		}
		for _, id := range []string{"seo-https", "seo-canonical-target", "og-url-valid", "og-image-https", "og-image-reachable"} {
			if got := all[0].state(id); got != "passed" {
				t.Errorf("%s: %s %s", name, id, got)
			}
		}
	}
	wrong := auditPages(t, "--json", "--origin", site.URL, "https://www.example.com/wrong")
	if got := reports(t, wrong.out)[0].state("seo-canonical-target"); !strings.Contains(got, "status 404") {
		t.Errorf("a canonical address that is not in the build: %s", got)
	}
	auditPages(t, site.URL+"/bare", "--origin", site.URL).want(t, exitDone, "names no public address of its own")
	auditPages(t, "https://a.example", "https://b.example", "--origin", site.URL).want(t, exitUsage, "serves one site")
	auditPages(t, "https://a.example", "--origin", site.URL+"/blog").want(t, exitUsage, "without a path")
	auditPages(t, "https://a.example", "--origin", "ftp://x").want(t, exitUsage, "--origin: ")
}

func TestAudit_onLocalhost_fixesNameNoLocalhost(t *testing.T) {
	site := builtSite(t)
	for _, path := range []string{"/", "/wrong", "/bare"} {
		ended := auditPages(t, "--json", "--fail-on", "error", site.URL+path)
		r := reports(t, ended.out)[0]
		if got := r.state("seo-https"); got != "not checked" {
			t.Errorf("%s: seo-https %s", path, got)
		}
		for _, i := range r.Issues {
			if regexp.MustCompile(`https://(localhost|127)|content="[^"]*127\.0\.0\.1`).MatchString(i.Fix) {
				t.Errorf("%s: %s: %s", path, i.ID, i.Fix)
			}
		}
	}
}

func TestAudit_allow_opensThePictureServer(t *testing.T) {
	pictures := builtSite(t)
	at := strings.TrimPrefix(pictures.URL, "http://")
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `<title>A page</title><meta property="og:image" content="%s/share.png">`, pictures.URL)
	}))
	defer site.Close()
	for _, c := range []struct{ allow, want string }{
		{"", "failed"}, {at, "passed"}, {"127.0.0.0/8", "passed"}, {"127.0.0.1/32:1", "failed"}, {"127.0.0.1", "passed"},
		{"localhost:1", "failed"},
	} {
		args := []string{"--json", site.URL}
		if c.allow != "" {
			args = append(args, "--allow", c.allow)
		}
		got := reports(t, auditPages(t, args...).out)[0]
		if state := got.state("og-image-reachable"); !strings.HasPrefix(state, c.want) {
			t.Errorf("--allow %q: %s, want it %s", c.allow, state, c.want)
		}
	}
	auditPages(t, site.URL, "--allow", "10.0.0.0/2").want(t, exitUsage, "--allow: ", "opens too much")
}

// A bad --allow is refused before anything is done, and so before other faults are looked for.
func TestAudit_allow_isReadBeforeAnyWork(t *testing.T) {
	var requests atomic.Int64
	site := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests.Add(1) }))
	defer site.Close()
	for _, bad := range []string{"10.0.0.0/2", "a b", "10.1.0.0/33"} {
		auditPages(t, "--sitemap", site.URL+"/sitemap.xml", "--allow", bad).want(t, exitUsage, "--allow")
		auditPages(t, "nosuchfolder/", "--allow", bad).want(t, exitUsage, "--allow")
	}
	if n := requests.Load(); n > 0 {
		t.Errorf("%d requests were sent", n)
	}
}

func TestAudit_folderThatIsNot_isCalledOne(t *testing.T) {
	for _, text := range []string{"nosuchfolder/", "./nosuchfolder", "../no/such", "/no/such/folder"} {
		auditPages(t, text).want(t, exitUsage, "there is no folder "+text)
	}
	for _, text := range []string{"localhost:1/", "127.0.0.1:1", "nowhere.invalid/"} {
		if got := auditPages(t, text); strings.Contains(got.out+got.report, "no folder") {
			t.Errorf("%s: got %s%s, want it read as an address", text, got.out, got.report)
		}
	}
}

func TestAudit_ignore_changesTheExitStatusAlone(t *testing.T) {
	site := newAuditedSite(t)
	page := site.URL + "/tagged"
	plain := auditPages(t, page, "--json", "--fail-on", "error")
	plain.want(t, exitFound)
	failing := regexp.MustCompile(`"id":"([a-z-]+)","category":"[a-z]+","severity":"error"[^}]*?"pass":false`)
	var args []string
	for _, found := range failing.FindAllStringSubmatch(plain.out, -1) {
		args = append(args, "--ignore", found[1])
	}
	if len(args) < 4 {
		t.Fatalf("got %v, want two failing rules at least: %s", args, plain.out)
	}
	all := auditPages(t, append(args, page, "--json", "--fail-on", "error")...)
	all.want(t, exitDone)
	a, b := reports(t, all.out)[0], reports(t, plain.out)[0]
	if a.OverallScore != b.OverallScore || len(a.Issues) != len(b.Issues) {
		t.Errorf("the report changed: %d points to %d, %d rules to %d", b.OverallScore, a.OverallScore, len(b.Issues),
			len(a.Issues))
	}
	one := auditPages(t, append(args[2:], page, "--fail-on", "error")...)
	one.want(t, exitFound, "1 check failed by --fail-on error\n")
}

func TestAudit_baseline_onlyNewFindingsFail(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "before.json")
	var body atomic.Value
	body.Store("<title>A title of a page that is long enough</title>")
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, body.Load())
	}))
	defer site.Close()
	args := []string{site.URL, "--fail-on", "warning", "--min-score", "90"}
	auditPages(t, append(args, "--output", "json="+file)...).want(t, exitFound)
	args = append(args, "--baseline", file)
	auditPages(t, args...).want(t, exitDone)
	body.Store("<p>")
	worse := auditPages(t, args...)
	worse.want(t, exitFound, "New: Page title (seo-title) on "+site.URL,
		"new checks failed by --fail-on warning, 1 of 1 page scores")
	if strings.Contains(worse.report, "(seo-canonical)") {
		t.Errorf("a known finding is listed as new: %s", worse.report)
	}
	auditPages(t, site.URL, "--baseline", filepath.Join(dir, "none.json")).want(t, exitUsage, "there is no such file",
		"--output json=")
	auditPages(t, site.URL, "--baseline", dir).want(t, exitUsage, "--baseline")
	sarif := filepath.Join(dir, "x.sarif")
	auditPages(t, site.URL, "--output", "sarif="+sarif).want(t, exitDone)
	auditPages(t, site.URL, "--baseline", sarif).want(t, exitUsage, "isn't a report in the format json")
}

func TestAudit_outputs_severalInOneRun(t *testing.T) {
	testenv.ManyStarts(t)
	site := newAuditedSite(t)
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	begins := func(name, want string) {
		t.Helper()
		text, err := os.ReadFile(at(name))
		if err != nil || !strings.HasPrefix(string(text), want) {
			t.Errorf("%s: got %.60q, %v, want it to begin with %q", name, text, err, want)
		}
	}
	page := site.URL + "/tagged"
	ended := auditPages(t, page, "--output", "sarif="+at("a.sarif"), "--output", "markdown="+at("a.md"),
		"--output", "json="+at("a,b.json"), "--fail-on", "error")
	ended.want(t, exitFound, "As others see it")
	begins("a.sarif", "{\n \"$schema\"")
	begins("a.md", "# ")
	begins("a,b.json", `{"url":"`+page)

	ended = auditPages(t, page, "--format", "github", "--format", "sarif", "--output", "sarif="+at("b.sarif"))
	ended.want(t, exitDone, "::error title=")
	begins("b.sarif", "{")
	ended = auditPages(t, page, "--format", "junit", "--output", at("c.xml"))
	if ended.code != exitDone || ended.out != "" {
		t.Errorf("got %d, %q, want nothing printed", ended.code, ended.out)
	}
	begins("c.xml", "<?xml")
	ended = auditPages(t, "127.0.0.1:1", "--output", "sarif="+at("d.sarif"))
	ended.want(t, exitFailed, "127.0.0.1")
	begins("d.sarif", "{")
	if ended.out != "" {
		t.Errorf("got %q printed for a page that could not be read", ended.out)
	}

	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--format", "json,sarif"}, "one format is printed, the others need a file: --output sarif=FILE"},
		{[]string{"--output", at("x.sarif")}, "say the format of the file"},
		{[]string{"--format", "github", "--output", at("x.sarif")}, "write --output sarif="},
		{[]string{"--format", "json,sarif", "--output", at("x"), "--output", at("y")}, "say the format of the file"},
		{[]string{"--output", "sarif="}, "names no file"},
		{[]string{"--output", "sarif=x", "--output", "json=x"}, "x is named twice"},
		{[]string{"--output", "json=-"}, "--format json prints it"},
		{[]string{"--output", "pdf=" + at("x.pdf")}, `there is no format "pdf", only text, json, sarif`},
	} {
		auditPages(t, append(c.args, page)...).want(t, exitUsage, c.want)
	}
	auditPages(t, page, "--output", "json="+filepath.Join(dir, "none", "x")).want(t, exitFailed, "write the report")
}

// TestAudit_manyPages_areListedOnce holds that progress is no second table beside the report.
func TestAudit_manyPages_areListedOnce(t *testing.T) {
	site := newAuditedSite(t)
	var lines strings.Builder
	for i := range 30 {
		fmt.Fprintf(&lines, "%s/none/%d\n", site.URL, i)
	}
	ended := masthead(t, t.TempDir(), lines.String(), nil, "audit", "-")
	ended.want(t, exitDone, "Audited 3 of 30 pages\n", "Audited 30 of 30 pages\n")
	if n := strings.Count(ended.report, "\n"); n != 10 {
		t.Errorf("got %d lines of progress, want 10: %s", n, ended.report)
	}
	if n := strings.Count(ended.out+ended.report, "/none/7\n"); n != 1 {
		t.Errorf("a page is listed %d times", n)
	}
	ended = masthead(t, t.TempDir(), lines.String(), nil, "audit", "-", "--json")
	if n := strings.Count(ended.report, "/none/7\n"); n != 1 {
		t.Errorf("without the table a page is listed %d times in the progress", n)
	}
}
