package app_test

import (
	"html"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/billing"
)

// The tests of this file are the specification's sentences about audits and previews.

// auditOf audits a page of the test's site.
func auditOf(
	s *apptest.Service, path, page string, more map[string]any, options ...apptest.RequestOption,
) *apptest.Response {
	body := map[string]any{"url": s.Site.At(page)}
	for k, v := range more {
		body[k] = v
	}
	return s.Post(path, body, options...)
}

// Source: the specification, "What the service does" (4) and "Audit request and report": scores a URL's Open Graph,
// Twitter Card and SEO set-up from 0 to 100, with issues and fixes.
func TestSpecification_auditReport(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Service) {
		says(t, "Scores a URL's Open Graph, Twitter Card and SEO set-up from 0 to 100, with issues and fixes.",
			"The report has id, url, overallScore, letterGrade, categoryScores, metadata and issues.",
			"An issue has id, category, severity, pass, title, message and fix.",
			"Scoring signals per category: og, twitter, seo.")
		report := auditOf(s, "/audits", "/page/audited", nil).Want(http.StatusOK)
		if report.Text("url") != s.Site.At("/page/audited") || report.Text("id") == "" {
			t.Errorf("got id %q, url %q, want the audited URL", report.Text("id"), report.Text("url"))
		}
		score := func(path string) float64 {
			n, ok := report.Value(path).(float64)
			if !ok || n < 0 || n > 100 {
				t.Errorf("%s: got %v, want 0 to 100", path, report.Value(path))
			}
			return n
		}
		for _, path := range []string{"overallScore", "categoryScores.og", "categoryScores.twitter", "categoryScores.seo"} {
			score(path)
		}
		letter := "F"
		for _, band := range []struct {
			from   float64
			letter string
		}{{60, "D"}, {67, "D+"}, {70, "C"}, {77, "C+"}, {80, "B"}, {87, "B+"}, {90, "A"}, {97, "A+"}} {
			if score("overallScore") >= band.from {
				letter = band.letter
			}
		}
		if report.Text("letterGrade") != letter {
			t.Errorf("got %s for %v, want %s", report.Text("letterGrade"), score("overallScore"), letter)
		}
		if report.Text("metadata.title") != "Page audited" || report.Text("metadata.description") == "" {
			t.Errorf("got metadata %v", report.Value("metadata"))
		}
		wantIssues(t, report)
	})
}

// wantIssues holds what the specification says of issues, and that each signal of each category is judged.
func wantIssues(t *testing.T, report *apptest.Response) {
	t.Helper()
	seen := map[string]bool{}
	for i, each := range report.Value("issues").([]any) {
		issue := each.(map[string]any)
		id, category := issue["id"].(string), issue["category"].(string)
		seen[id] = true
		if !slices.Contains([]string{"og", "twitter", "seo"}, category) || !strings.HasPrefix(id, category+"-") {
			t.Errorf("issue %d: got id %s, category %s", i, id, category)
		}
		if !slices.Contains([]string{"error", "warning", "info"}, issue["severity"].(string)) {
			t.Errorf("%s: got severity %s", id, issue["severity"])
		}
		if issue["title"] == "" || issue["message"] == "" || (issue["fix"] == "") != issue["pass"].(bool) {
			t.Errorf("got %v, want title and message, and a fix unless it passed", issue)
		}
		if code, ok := issue["code"].(string); ok && !strings.HasSuffix(issue["fix"].(string), "\n"+code) {
			t.Errorf("%s: got fix %q, want one that ends with the code %q", id, issue["fix"], code)
		}
	}
	// The table of signals. What needs a picture or structured data that the page lacks is told once, by its cause.
	for _, id := range []string{
		"og-image", "og-title", "og-description", "twitter-card", "twitter-image", "twitter-title", "twitter-description",
		"twitter-creator", "twitter-site", "seo-canonical", "seo-structured-data", "seo-heading-order",
	} {
		if !seen[id] {
			t.Errorf("no issue %s", id)
		}
	}
}

// Source: the specification, "Endpoints", POST /audits: public, no API key (also written /api/audits, and /audit); GET
// /api/audits/{id}: no authentication; reports are shareable by id.
func TestSpecification_auditsArePublic(t *testing.T) {
	says(t, "Also written /api/audits, and /audit in a list of public endpoints.", "Public, no API key.",
		"No authentication; reports are shareable by id.",
		"3. Public endpoints with no credential: audit creation, GET /api/audits/{id}.")
	s := apptest.StartSignedIn(t)
	for _, path := range []string{"/audits", "/api/audits", "/audit", "/api/audit"} {
		made := auditOf(s, path, "/page/public", nil).Want(http.StatusOK)
		for _, prefix := range []string{"", "/api"} {
			if read := s.Get(prefix + "/audits/" + made.Text("id")).Want(http.StatusOK); string(read.Body) != string(made.Body) {
				t.Errorf("%s: read another report than was answered", path)
			}
		}
	}
}

// Source: the specification, GET /api/audits/{id}: the web app also serves the same report without authentication.
func TestSpecification_reportIsAPageToo(t *testing.T) {
	says(t, "The web app also serves the same report without authentication at /audit/{id}.")
	s := apptest.StartSignedIn(t)
	made := auditOf(s, "/audits", "/page/shared", nil).Want(http.StatusOK)
	page := s.Get("/audit/" + made.Text("id")).Want(http.StatusOK)
	if got := page.Header.Get("Content-Type"); !strings.HasPrefix(got, "text/html;") {
		t.Errorf("got a Content-Type of %s, want a web page", got)
	}
	shown := string(page.Body)
	score := strconv.Itoa(int(made.Value("overallScore").(float64)))
	for _, want := range []string{made.Text("url"), made.Text("letterGrade"), score, made.Text("metadata.title")} {
		if !strings.Contains(shown, html.EscapeString(want)) {
			t.Errorf("the page of the report does not show %q", want)
		}
	}
	for i, each := range made.Value("issues").([]any) {
		if title := each.(map[string]any)["title"].(string); !strings.Contains(shown, html.EscapeString(title)) {
			t.Errorf("the page of the report does not show issue %d, %q", i, title)
		}
	}
}

// Source: the specification, POST /audits: when called with a session cookie from a signed-in user, the report is
// attached to that user's dashboard history.
func TestSpecification_auditsOfTheSignedInAreInTheirHistory(t *testing.T) {
	says(t, "With a session cookie from a signed-in user, the report is attached to that user's history.",
		"Session cookie: access_token, for POST /api/audits/preview and attaching audits to history.")
	s := apptest.StartSignedIn(t)
	cookie := apptest.Header("Cookie", "access_token="+s.Session.Access)
	made := auditOf(s, "/api/audits", "/page/mine", nil, cookie).Want(http.StatusOK)
	auditOf(s, "/api/audits", "/page/nobodys", nil).Want(http.StatusOK)
	history := s.Get("/audits", cookie).Want(http.StatusOK)
	if history.Text("items.0.id") != made.Text("id") || history.Value("items.1") != nil {
		t.Errorf("got %s, want the one report of the session", history.Body)
	}
}

// Source: the specification, "Audit request and report": anonymous requests run the audit but omit the AI section.
func TestSpecification_anonymousAuditsHaveNoAI(t *testing.T) {
	says(t, "Anonymous requests run the audit but omit the AI section.")
	s := apptest.StartSignedIn(t)
	asking := map[string]any{"includeAi": true}
	if got := auditOf(s, "/audits", "/page/ai", asking).Want(http.StatusOK); got.Value("ai") != nil {
		t.Errorf("anonymous: got ai %v, want none", got.Value("ai"))
	}
	got := auditOf(s, "/audits", "/page/ai", nil, apptest.Bearer(s.Session.Access)).Want(http.StatusOK)
	if got.Text("ai.status") != "SKIPPED" || got.Value("ai.analysis") != nil {
		t.Errorf("signed in, not asked for: got %v, want SKIPPED", got.Value("ai"))
	}
}

// Source: the specification, "Limits" (8): AI analysis of audits appears in a signed-in user's dashboard history only
// on the Plus or Pro plan.
func TestSpecification_analysisInTheHistoryIsOfPlusAndPro(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Service) {
		says(t, "8. AI analysis of audits appears in history only on the Plus or Pro plan.",
			"analysis has priorityActions, suggestions, audienceFit, severity, confidence, tone, discoverability.")
		owner := apptest.Bearer(s.Session.Access)
		made := auditOf(s, "/audits", "/page/ai", nil, owner).Want(http.StatusOK)
		_, err := s.App.DB.Exec(t.Context(), `UPDATE audits SET ai_status = 'READY', ai_analysis = ?`, analysis)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			plan  string
			shown bool
		}{{billing.Free, false}, {billing.Plus, true}, {billing.Pro, true}, {billing.Free, false}} {
			if _, err := s.App.Users.SetPlan(t.Context(), s.ID(s.Session), c.plan); err != nil {
				t.Fatal(err)
			}
			item := s.Get("/audits", owner).Want(http.StatusOK)
			if item.Text("items.0.ai.status") != "READY" || (item.Text("items.0.ai.analysis.audienceFit") != "") != c.shown {
				t.Errorf("%s: got %v in the history, want the status, and the analysis: %v", c.plan,
					item.Value("items.0.ai"), c.shown)
			}
			full := s.Get("/audits/"+made.Text("id"), owner).Want(http.StatusOK) // the harness holds it to the schema
			for field, want := range map[string]string{
				"priorityActions.0.title": "Add a picture", "priorityActions.0.rationale": "Links look bare.",
				"priorityActions.0.impact": "high", "suggestions.og.title": "A", "suggestions.twitter.description": "D",
				"audienceFit": "good", "severity": "high", "confidence": "medium", "toneAssessment": "plain",
				"discoverability.missingSchemaTypes.0": "Article", "discoverability.canonicalIssues.0.code": "missing",
				"discoverability.hreflangRecommendations.0.code": "no-self",
			} {
				if got := full.Text("ai.analysis." + field); got != want {
					t.Errorf("%s: %s: got %q, want %q", c.plan, field, got, want)
				}
			}
			if got := s.Get("/audits/" + made.Text("id")).Want(http.StatusOK).Text("ai.status"); (got != "") != c.shown {
				t.Errorf("%s: a stranger reads ai %q, want it there: %v", c.plan, got, c.shown)
			}
		}
	})
}

// analysis is one with every field of the specification.
const analysis = `{"priorityActions": [{"title": "Add a picture", "rationale": "Links look bare.", "impact": "high"}],
	"suggestions": {"og": {"title": "A", "description": "B"}, "twitter": {"title": "C", "description": "D"}},
	"audienceFit": "good", "severity": "high", "confidence": "medium", "toneAssessment": "plain",
	"discoverability": {"missingTypes": ["Article"], "canonical": [{"code": "missing", "detail": "None."}],
	"hreflang": [{"code": "no-self", "detail": "Not listed."}]}}`

// Source: the specification, "What the service does" (5) and POST /api/audits/preview: signed-in user via the cookie;
// live-fetches the page on every call; nothing is saved or cached; free on all plans.
func TestSpecification_preview(t *testing.T) {
	says(t, "Auth: signed-in user via the cookie named access_token.",
		"Response: object with metadata, seven string fields.",
		"Live-fetches the page on every call. Nothing is saved or cached.", "Free on all plans.")
	s := apptest.StartSignedIn(t)
	body := map[string]any{"url": s.Site.At("/page/live")}
	s.Post("/api/audits/preview", body).WantProblem(http.StatusUnauthorized, "UNAUTHORIZED")
	cookie := apptest.Header("Cookie", "access_token="+s.Session.Access)
	for i, plan := range []string{billing.Free, billing.Plus, billing.Pro} {
		if _, err := s.App.Users.SetPlan(t.Context(), s.ID(s.Session), plan); err != nil {
			t.Fatal(err)
		}
		n := int64(i) + 1
		got := s.Post("/api/audits/preview", body, cookie).Want(http.StatusOK)
		if s.Site.Pages.Load() != n {
			t.Errorf("call %d: the page was asked for %d times", n, s.Site.Pages.Load())
		}
		metadata := got.Value("metadata").(map[string]any)
		var fields []string
		for field, value := range metadata {
			fields = append(fields, field)
			if text, isText := value.(string); value != nil && (!isText || text == "") {
				t.Errorf("%s: got %v, want a text or null", field, value)
			}
		}
		slices.Sort(fields)
		if strings.Join(fields, " ") != "description favicon image siteName title twitterCardType url" {
			t.Errorf("got %v, want the seven fields", fields)
		}
	}
	for _, table := range []string{"audits", "audit_files", "images"} {
		var rows int
		if err := s.App.DB.Get(t.Context(), &rows, `SELECT COUNT(*) FROM `+table); err != nil || rows != 0 {
			t.Errorf("%s: got %d rows, %v, want nothing saved", table, rows, err)
		}
	}
}

// Source: the specification, "Limits" (9): POST /api/audits/preview: 10 requests per minute per user. Audits count in
// the plan's window, those of the anonymous in that of Free.
func TestSpecification_limitsOfAudits(t *testing.T) {
	says(t, "9. POST /api/audits/preview: 10 requests per minute per user.")
	s := apptest.StartSignedIn(t, func(c *app.Config) {
		c.Server.PreviewRPM, c.Billing.FreeRPM, c.Billing.PlusRPM, c.Billing.ProRPM = 0, 0, 0, 0
	})
	owner := apptest.Bearer(s.Session.Access)
	limit := func(r *apptest.Response) string { return r.Want(http.StatusOK).Header.Get("X-RateLimit-Limit") }
	if got := limit(s.Post("/audits/preview", map[string]any{"url": s.Site.At("/page/a")}, owner)); got != "10" {
		t.Errorf("previews: got a limit of %s, want 10", got)
	}
	for plan, want := range map[string]int{billing.Free: 20, billing.Plus: 100, billing.Pro: 500} {
		if _, err := s.App.Users.SetPlan(t.Context(), s.ID(s.Session), plan); err != nil {
			t.Fatal(err)
		}
		login := map[string]any{"email": s.Session.Email, "password": s.Session.Password}
		access := s.Post("/auth/login", login).Want(http.StatusOK).Text("accessToken")
		if got := limit(auditOf(s, "/audits", "/page/a", nil, apptest.Bearer(access))); got != strconv.Itoa(want) {
			t.Errorf("%s: got a limit of %s, want %d", plan, got, want)
		}
	}
	if got := limit(auditOf(s, "/audits", "/page/a", nil)); got != "20" {
		t.Errorf("anonymous: got a limit of %s, want that of Free", got)
	}
}
