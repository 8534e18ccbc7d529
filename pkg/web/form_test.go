package web_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"masthead/pkg/ai"
	"masthead/pkg/ai/fakeai"
	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/web/ui"
)

// answer is a response to a form.
type answer struct {
	status int
	header http.Header
	body   string
}

// send sends the form of a page. headers are pairs of names and values.
func send(t *testing.T, h *apptest.Service, form url.Values, headers ...string) answer {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.Base+"/audit/new",
		strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{response.StatusCode, response.Header, string(body)}
}

func asked(address string) url.Values { return url.Values{"url": {address}} }

func TestForm_leadsToTheReport(t *testing.T) {
	t.Parallel()
	h := apptest.Start(t)
	got := send(t, h, asked(h.Site.At("/page/one")), "Sec-Fetch-Site", "same-origin", "Origin", h.Base)
	location := got.header.Get("Location")
	if got.status != http.StatusSeeOther || !regexp.MustCompile(`^/audit/[0-9A-Za-z]{22}$`).MatchString(location) {
		t.Fatalf("got %d to %q, want 303 to a report", got.status, location)
	}
	if got.header.Get("X-RateLimit-Limit") == "" {
		t.Error("the form counts in no limit")
	}
	page := h.Get(location).Want(http.StatusOK)
	body := string(page.Body)
	for header, want := range map[string]string{
		"X-Robots-Tag": "noindex", "Cache-Control": "no-store", "Content-Type": "text/html; charset=UTF-8",
	} {
		if got := page.Header.Get(header); got != want {
			t.Errorf("%s: got %q, want %q", header, got, want)
		}
	}
	for _, want := range []string{
		`property="og:image" content="` + h.Base + location + `/card.png"`,
		`href="/api` + strings.Replace(location, "audit", "audits", 1),
		"What to fix", "How it looks when shared", "Available until",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, part := range []string{"/card.png", "/masthead-card", "/report.md"} {
		if got := h.Get(location + part).Want(http.StatusOK); got.Header.Get("X-Robots-Tag") != "noindex" ||
			len(got.Body) < 200 {
			t.Errorf("%s: got %d bytes with %v", part, len(got.Body), got.Header)
		}
		h.Get("/audit/0000000000000000000000" + part).Want(http.StatusNotFound)
	}
}

// TestForm_saysWhatIsWrong sends forms that lead to no report.
func TestForm_saysWhatIsWrong(t *testing.T) {
	t.Parallel()
	h := apptest.Start(t)
	for name, c := range map[string]struct {
		address string
		headers []string
		status  int
		says    []string
	}{
		"nothing": {"", nil, 400, []string{"Enter the address of a page.", `aria-invalid="true"`}},
		"a mistyped one": {"htps://northlane.example", nil, 400, []string{
			"This isn’t a web address.", `value="https://northlane.example"`, `value="htps://northlane.example"`}},
		"another scheme": {"javascript:alert(1)", nil, 400, []string{
			"This isn’t a web address.", `value="javascript:alert(1)"`,
		}},
		"a private one": {"http://10.0.0.1/", nil, 400, []string{"only public web pages"}},
		"a long one": {"https://example.com/" + strings.Repeat("x", 2048), nil, 400, []string{
			"url must have at most 2048 characters", `aria-invalid="true"`,
		}},
		"no such name": {"nothing.invalid", nil, 502, []string{
			"This address doesn’t exist", "Try again", "Nothing was scored",
		}},
		"no page": {h.Site.At("/icon.png"), nil, 502, []string{"This isn’t a web page"}},
		"gone":    {h.Site.At("/gone"), nil, 502, []string{"The page returned 410", "answered with status 410 Gone."}},
		"refused": {h.Site.At("/refused"), nil, 502, []string{"The site blocked our request", "answered with status 403 Forbidden."}},
		"from elsewhere": {h.Site.At("/page/one"), []string{"Origin", "https://evil.example"}, 403, []string{
			"must come from a page of this site",
		}},
		"by a browser": {h.Site.At("/page/one"), []string{"Sec-Fetch-Site", "cross-site"}, 403, nil},
	} {
		got := send(t, h, asked(c.address), c.headers...)
		if got.status != c.status {
			t.Errorf("%s: got %d, want %d", name, got.status, c.status)
		}
		for _, says := range c.says {
			if !strings.Contains(got.body, says) {
				t.Errorf("%s: the page lacks %q", name, says)
			}
		}
	}
}

// TestForm_addressWithoutScheme_isTriedOverBoth has a site that answers over http alone, and one that does not answer.
func TestForm_addressWithoutScheme_isTriedOverBoth(t *testing.T) {
	t.Parallel()
	h := apptest.Start(t, func(c *app.Config) { c.Fetch.Allow = append(c.Fetch.Allow, "127.0.0.1/32:1") })
	bare := strings.TrimPrefix(h.Site.At("/page/one"), "http://")
	got := send(t, h, asked(bare))
	if got.status != http.StatusSeeOther {
		t.Fatalf("got %d, want a report of the page over http", got.status)
	}
	if left := got.header.Get("X-RateLimit-Remaining"); left != strconv.FormatInt(h.Config.Billing.FreeRPM-1, 10) {
		t.Errorf("got %s requests left, want the form counted once", left)
	}
	if page := h.Get(got.header.Get("Location")).Want(http.StatusOK); !strings.Contains(string(page.Body), bare) {
		t.Error("the report is not of the page")
	}
	const both = "Over https: 127.0.0.1 could not be reached. Over http: 127.0.0.1 could not be reached."
	if got = send(t, h, asked("127.0.0.1:1")); got.status != http.StatusBadGateway || !strings.Contains(got.body, both) {
		t.Errorf("got %d, want 502 with %q", got.status, both)
	}
	for _, typed := range []string{"https://127.0.0.1:1", "https://" + bare} {
		if got = send(t, h, asked(typed)); got.status != http.StatusBadGateway || strings.Contains(got.body, "Over http") {
			t.Errorf("%s: got %d, want 502 for https alone", typed, got.status)
		}
	}
}

// TestForm_countsAsTheOperation fills the window of an address with forms and requests together.
func TestForm_countsAsTheOperation(t *testing.T) {
	t.Parallel()
	h := apptest.Start(t, func(c *app.Config) { c.Billing.FreeRPM = 2 })
	send(t, h, asked("htps://one.example"))
	for range 3 { // what comes from elsewhere must not spend what the visitor has
		send(t, h, asked(h.Site.At("/page/one")), "Sec-Fetch-Site", "cross-site")
	}
	h.Post("/audits", map[string]any{"url": "not an address"}).Want(http.StatusBadRequest)
	got := send(t, h, asked(h.Site.At("/page/one")))
	if got.status != http.StatusTooManyRequests || got.header.Get("Retry-After") == "" ||
		!regexp.MustCompile(`Try again in \d+ seconds`).MatchString(got.body) {
		t.Errorf("got %d with Retry-After %q, want 429 that says how long", got.status, got.header.Get("Retry-After"))
	}
	h.Post("/audits", map[string]any{"url": h.Site.At("/page/one")}).Want(http.StatusTooManyRequests)
	h.Get("/").Want(http.StatusOK) // pages count on the breaker alone
}

// TestForm_tellsItsStepsLineByLine sends a form as our script does.
func TestForm_tellsItsStepsLineByLine(t *testing.T) {
	t.Parallel()
	h := apptest.Start(t)
	lines := func(address string) (all []map[string]any) {
		got := send(t, h, asked(address), "Accept", "application/x-ndjson")
		for line := range strings.Lines(got.body) {
			var one map[string]any
			if strings.HasPrefix(line, "{") {
				if err := json.Unmarshal([]byte(line), &one); err != nil {
					t.Fatalf("%q: %v", line, err)
				}
				all = append(all, one)
			}
		}
		if len(all) == 0 {
			t.Fatalf("%s: got no line: %d %s", address, got.status, got.body)
		}
		return all
	}
	all := lines(h.Site.At("/page/one"))
	if all[0]["step"] != "answered" || !strings.HasPrefix(all[len(all)-1]["report"].(string), "/audit/") {
		t.Errorf("got %v", all)
	}
	if last := lines("htps://one.example"); last[0]["proposal"] != "https://one.example" {
		t.Errorf("got %v, want a proposal", last)
	}
	if last := lines("nothing.invalid"); !strings.Contains(last[0]["main"].(string), "This address doesn’t exist") {
		t.Errorf("got %v, want the page's main part", last)
	}
}

// TestForm_ofASignedInUserIsHis sends a form with the session's cookie.
func TestForm_ofASignedInUserIsHis(t *testing.T) {
	t.Parallel()
	provider, err := fakeai.Open(t.Context(), "127.0.0.1:0", fakeai.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = provider.Close() })
	h := apptest.StartSignedIn(t, func(c *app.Config) {
		c.AI = ai.Config{BaseURL: provider.BaseURL, TextModel: fakeai.ModelText}
	})
	cookie := "access_token=" + h.Session.Access
	form := asked(h.Site.At("/page/one"))
	form.Set("includeAi", "true")
	got := send(t, h, form, "Cookie", cookie, "Origin", h.Base)
	location := got.header.Get("Location")
	if got.status != http.StatusSeeOther {
		t.Fatalf("got %d: %s", got.status, got.body)
	}
	own := string(h.Get(location, apptest.Header("Cookie", cookie)).Want(http.StatusOK).Body)
	if !strings.Contains(own, "A second opinion") || strings.Contains(own, "Available until") {
		t.Error("the owner does not see the analysis, or his report goes")
	}
	if others := string(h.Get(location).Want(http.StatusOK).Body); strings.Contains(others, "A second opinion") {
		t.Error("others see the analysis of a free account")
	}
	if list := h.Get("/audits", apptest.Bearer(h.Session.Access)).Want(http.StatusOK); !strings.Contains(
		string(list.Body), strings.TrimPrefix(location, "/audit/")) {
		t.Error("the report is not in the history")
	}
}

var (
	styleElement = regexp.MustCompile(`(?s)<style nonce="[^"]+">(.*?)</style>`)
	loaded       = regexp.MustCompile(`(?:src|href)="([^"]*)"`)
)

// TestPages_keepTheirBudget holds what the design asks of every page: one style of bounded size, no style on an
// element, nothing from elsewhere, nothing that blocks the first paint.
func TestPages_keepTheirBudget(t *testing.T) {
	t.Parallel()
	h := apptest.Start(t)
	total := 0
	for name, data := range ui.Faces() {
		total += len(data)
		face := h.Get(ui.FacePath + name).Want(http.StatusOK)
		if face.Header.Get("Cache-Control") != "public, max-age=31536000, immutable" ||
			face.Header.Get("Content-Type") != "font/woff2" {
			t.Errorf("%s: got %v", name, face.Header)
		}
	}
	if total > 130_000 {
		t.Errorf("the faces have %d bytes", total)
	}
	for _, path := range ownPages {
		response := h.Get(path)
		body := string(response.Body)
		styles := styleElement.FindAllStringSubmatch(body, -1)
		if len(styles) != 1 || len(styles[0][1]) > ui.MaxStyle {
			t.Errorf("%s: got %d styles, the first of %d bytes", path, len(styles), len(styles[0][1]))
		}
		if strings.Contains(body, " style=") || strings.Contains(body, "stylesheet") ||
			strings.Contains(body, "<script src") {
			t.Errorf("%s: has a style on an element, or loads a style or script", path)
		}
		policy := response.Header.Get("Content-Security-Policy")
		if strings.Contains(policy, "unsafe") || !strings.Contains(policy, "default-src 'none'") {
			t.Errorf("%s: the policy is %s", path, policy)
		}
		for _, tag := range regexp.MustCompile(`<(?:img|image|link|script|source|iframe)\b[^>]*>`).FindAllString(body, -1) {
			for _, m := range loaded.FindAllStringSubmatch(tag, -1) {
				if !strings.HasPrefix(m[1], "/") && !strings.HasPrefix(m[1], h.Base) {
					t.Errorf("%s: loads %s", path, m[1])
				}
			}
		}
	}
}
