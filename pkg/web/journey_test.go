package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/audit"
	"masthead/pkg/testenv"
	"masthead/pkg/web/report"
	"masthead/pkg/web/ui"
	"masthead/pkg/web/webtest"
)

// reportPath is that of a report.
var reportPath = regexp.MustCompile(`/audit/[0-9A-Za-z]{22}$`)

// arriving waits until the browser shows a report. What is asked of a page that is left meanwhile fails.
var arriving = chromedp.ActionFunc(func(ctx context.Context) error {
	for {
		var at, state string
		err := webtest.Run(ctx, chromedp.Location(&at), chromedp.Evaluate(`document.readyState`, &state))
		if err == nil && state == "complete" && reportPath.MatchString(at) {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("still at %s: %w", at, ctx.Err())
		case <-time.After(50 * time.Millisecond):
		}
	}
})

// TestJourney_fromTheFieldToAFix does what a visitor does: types an address, reads the report, copies a fix, switches
// the theme, looks on a phone.
func TestJourney_fromTheFieldToAFix(t *testing.T) {
	t.Parallel()
	ctx, ok := browser(t)
	if !ok {
		return
	}
	h := apptest.Start(t)
	var headline, code, copied, label, theme, before, after, kept string
	var asIs, ours, stage string
	err := webtest.Run(ctx,
		chromedp.Navigate(h.Base+"/"),
		chromedp.SendKeys("#url", h.Site.At("/page/one")+"\r"),
		arriving,
		chromedp.Text("h1", &headline),
		chromedp.Text(".issue .code pre", &code),
		// The clipboard is written to for real; reading it would take a permission.
		chromedp.Evaluate(`(write => { navigator.clipboard.writeText = async t => { await write(t); window.copied = t } })(
			navigator.clipboard.writeText.bind(navigator.clipboard))`, nil),
		chromedp.Click(".issue .copy"),
		chromedp.Poll(`document.querySelector('.issue .copy').textContent === 'Copied'`, nil),
		chromedp.Text(".issue .copy", &label),
		chromedp.Evaluate(`window.copied`, &copied),
		// The theme, and that it stays.
		chromedp.Evaluate(`getComputedStyle(document.body).backgroundColor`, &before),
		chromedp.Click("[data-theme-button]", chromedp.ByQuery),
		chromedp.Evaluate(`getComputedStyle(document.body).backgroundColor`, &after),
		chromedp.Reload(),
		chromedp.Evaluate(`getComputedStyle(document.body).backgroundColor`, &kept),
		chromedp.AttributeValue("[data-theme-button]", "aria-label", &theme, nil, chromedp.ByQuery),
		// The switches: our card, and the ground of the platforms.
		chromedp.Text(".others .p-x .frametop", &asIs),
		chromedp.Click(`label[for=ours]`, chromedp.ByQuery),
		chromedp.Text(".others .p-x .frametop", &ours),
		chromedp.Click(`label[for=light]`, chromedp.ByQuery),
		chromedp.Evaluate(`getComputedStyle(document.querySelector('.others .p-x .stage.ours')).backgroundColor`, &stage),
		phone,
	)
	if err != nil {
		t.Fatal(err)
	}
	shoot(t, ctx, "journey-phone.png")
	if headline == "" || code == "" || copied != code || label != "Copied" {
		t.Errorf("headline %q; copied %q under %q, want %q", headline, copied, label, code)
	}
	if before != "rgb(255, 255, 255)" || after != "rgb(16, 18, 19)" || kept != after || theme != "Light theme" {
		t.Errorf("theme: from %s to %s, then %s under %q", before, after, kept, theme)
	}
	if asIs == ours || stage != "rgb(255, 255, 255)" {
		t.Errorf("switches: %q became %q, ground %s", asIs, ours, stage)
	}
}

// TestJourney_withoutScript does the same where scripts are off: forms, switches and folds work all the same.
func TestJourney_withoutScript(t *testing.T) {
	t.Parallel()
	ctx, ok := browser(t)
	if !ok {
		return
	}
	h := apptest.Start(t)
	base := withoutScripts(t, h.Base)
	var refusal, taken, headline string
	var copies []*cdp.Node
	err := webtest.Run(ctx,
		chromedp.Navigate(base+"/"),
		chromedp.SendKeys("#url", strings.Replace(h.Site.At("/page/one"), "http://", "htp://", 1)),
		chromedp.Click(".field .box button"),
		chromedp.WaitVisible(".field.bad"),
		chromedp.Text("#url-said", &refusal),
		chromedp.SetValue("#url", h.Site.At("/page/one")),
		chromedp.Click(".field .box button"),
		arriving,
		chromedp.Text("h1", &headline),
		chromedp.Click(`label[for=ours]`, chromedp.ByQuery),
		chromedp.WaitVisible(".others .p-x .stage.ours"),
		chromedp.Click("details.fold summary"),
		chromedp.WaitVisible("details.fold[open]"),
		chromedp.Location(&taken),
		chromedp.Nodes(".copy", &copies, chromedp.AtLeast(0)),
	)
	if err != nil {
		t.Fatal(err)
	}
	shoot(t, ctx, "without-script.png")
	if !strings.Contains(refusal, "isn’t a web address") || headline == "" || !strings.Contains(taken, "/audit/") {
		t.Errorf("got %q, then %q at %s", refusal, headline, taken)
	}
}

// payload is what must be shown as text wherever a page says it.
const payload = `"'><img src=x onerror="window.hit=1"><script>window.hit=1</script><svg onload=window.hit=1>{{7*7}}`

// TestReport_hostilePageIsShownAsText audits a page with markup in every field that a report shows, and one whose
// addresses are scripts.
func TestReport_hostilePageIsShownAsText(t *testing.T) {
	t.Parallel()
	ctx, ok := browser(t)
	if !ok {
		return
	}
	escaped := strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;").Replace(payload)
	var html strings.Builder
	html.WriteString(`<!doctype html><html lang="` + escaped + `"><head><title>` + escaped + `</title>`)
	for _, key := range []string{
		"og:title", "og:description", "og:site_name", "og:type", "og:url", "og:locale", "og:image:alt", "og:image",
		"article:section", "article:published_time", escaped,
	} {
		html.WriteString(`<meta property="` + key + `" content="` + escaped + `">`)
	}
	for _, key := range []string{
		"description", "twitter:card", "twitter:title", "twitter:site", "twitter:image", "theme-color", "robots",
	} {
		html.WriteString(`<meta name="` + key + `" content="` + escaped + `">`)
	}
	html.WriteString(`<link rel="canonical" href="javascript:window.hit=1"><link rel="icon" href="` + escaped + `">
		<link rel="alternate" hreflang="` + escaped + `" href="` + escaped + `">
		<script type="application/ld+json">{"@context":"https://schema.org","@type":"</script` + escaped + `"}</script>
		</head><body><h1>` + escaped + `</h1><h4>` + escaped + `</h4></body></html>`)
	hostile := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("X-Robots-Tag", payload)
		if r.URL.Path != "/robots.txt" {
			_, _ = w.Write([]byte(html.String()))
		}
	}))
	t.Cleanup(hostile.Close)
	h := apptest.Start(t, func(c *app.Config) {
		c.Fetch.Allow = append(c.Fetch.Allow, apptest.Allowed(hostile.Listener.Addr().String()))
	})
	var hit, foreign bool
	var refused []string
	var text string
	err := webtest.Run(ctx,
		chromedp.Navigate(h.Base+"/"),
		chromedp.SendKeys("#url", hostile.URL+"/?q="+`"><script>window.hit=1</script>`+"\r"),
		arriving,
		chromedp.Evaluate(`window.refused = []; document.addEventListener('securitypolicyviolation',
			e => refused.push(e.violatedDirective + ' ' + e.blockedURI))
			document.querySelectorAll('details').forEach(d => { d.open = true })`, nil),
		chromedp.Sleep(300*time.Millisecond),
		chromedp.Evaluate(`!!window.hit`, &hit),
		chromedp.Evaluate(`window.refused`, &refused),
		chromedp.Evaluate(`!!document.querySelector('[onerror], [onload], main script, a[href^="javascript:"]')`, &foreign),
		chromedp.Evaluate(`document.body.innerText`, &text),
	)
	if err != nil {
		t.Fatal(err)
	}
	shoot(t, ctx, "hostile.png")
	if hit || foreign || len(refused) > 0 {
		t.Errorf("a script of the page ran (%v), or stands in ours (%v); refused: %v", hit, foreign, refused)
	}
	if !strings.Contains(text, `<img src=x onerror="window.hit=1">`) || !strings.Contains(text, "{{7*7}}") {
		t.Error("what the page says is not shown as it is")
	}
}

// TestOpinion_arrivesByItself waits on a page for an analysis that is written meanwhile.
func TestOpinion_arrivesByItself(t *testing.T) {
	t.Parallel()
	ctx, ok := browser(t)
	if !ok {
		return
	}
	const at = "https://one.example/"
	var asks atomic.Int64
	source := func(ai *audit.AI) *report.Source {
		return &report.Source{
			Report:  &audit.Report{ID: "abcdefghijklmnopqrstuv", URL: at, FinalURL: at, Status: 200},
			Opinion: ai, Own: report.Addresses{Opinion: "/opinion"},
		}
	}
	ready := &audit.AI{Status: audit.Ready, Analysis: &audit.Analysis{
		PriorityActions: []audit.Action{{
			Title: "Declare the large card", Rationale: "One tag shows all of it.", Impact: "high",
		}},
		Suggestions: audit.Suggestions{OG: audit.Suggestion{Title: "A better title", Description: "A better sentence."}},
		AudienceFit: "Engineers who run queues.", Severity: "medium", Confidence: "high", ToneAssessment: "Plain.",
	}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch {
		case r.URL.Path == "/":
			_ = report.Write(w, source(&audit.AI{Status: audit.Pending}), ui.Head{Nonce: "n"})
		case r.URL.Path == "/opinion" && asks.Add(1) == 1:
			_ = report.WriteOpinion(w, source(&audit.AI{Status: audit.Pending}))
		case strings.HasPrefix(r.URL.Path, ui.ScriptPath):
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = w.Write(ui.Scripts()[strings.TrimPrefix(r.URL.Path, ui.ScriptPath)])
		case r.URL.Path == "/opinion":
			_ = report.WriteOpinion(w, source(ready))
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	t.Cleanup(server.Close)
	var waiting, there, focus string
	err := webtest.Run(ctx,
		chromedp.Navigate(server.URL),
		chromedp.Text("#opinion-section", &waiting),
		chromedp.Focus("[data-theme-button]", chromedp.ByQuery),
		chromedp.Poll(`!document.querySelector('#opinion-section').hasAttribute('aria-busy')`, nil,
			chromedp.WithPollingTimeout(20*time.Second)),
		chromedp.Text("#opinion-section", &there),
		chromedp.Evaluate(`document.activeElement.hasAttribute('data-theme-button') + ' ' +
			document.getElementById('toast').textContent`, &focus),
	)
	if err != nil {
		t.Fatal(err)
	}
	shoot(t, ctx, "opinion.png")
	if !strings.Contains(waiting, "In progress") || !strings.Contains(there, "Declare the large card") ||
		asks.Load() != 2 {
		t.Errorf("got %q, then %q after %d questions", waiting, there, asks.Load())
	}
	if focus != "true The second opinion has arrived" {
		t.Errorf("focus and message: got %q", focus)
	}
}

// TestLighthouse_findsNothing holds its scores for accessibility and best practices at 100.
func TestLighthouse_findsNothing(t *testing.T) {
	t.Parallel()
	script, ok := testenv.Lighthouse(t)
	if !ok {
		return
	}
	path, ok := testenv.Chromium(t)
	if !ok {
		return
	}
	h := apptest.Start(t)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, "node", script, h.Base+"/", h.Base+"/audit/example")
	command.Env = append(os.Environ(), "CHROME_PATH="+path)
	command.Dir = filepath.Dir(script)
	output, err := command.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	var pages []struct {
		URL    string             `json:"url"`
		Scores map[string]float64 `json:"scores"`
		Faults []string           `json:"faults"`
	}
	if err := json.Unmarshal(output, &pages); err != nil || len(pages) != 2 {
		t.Fatalf("got %s: %v", output, err)
	}
	for _, p := range pages {
		if p.Scores["accessibility"] != 100 || p.Scores["best-practices"] != 100 {
			t.Errorf("%s: got %v: %s", p.URL, p.Scores, strings.Join(p.Faults, "\n"))
		}
	}
}
