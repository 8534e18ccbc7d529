package moduletest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"masthead/gen"
	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
)

// crawlersOrigin serves a page to all but GPTBot, and excludes ClaudeBot.
func crawlersOrigin(t *testing.T) (s *httptest.Server, agents func() []string) {
	t.Helper()
	var mu sync.Mutex
	var all []string
	s = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/robots.txt":
			fmt.Fprint(w, "User-agent: ClaudeBot\nDisallow: /")
			return
		case r.URL.Path != "/":
			http.NotFound(w, r)
			return
		}
		mu.Lock()
		all = append(all, r.UserAgent())
		mu.Unlock()
		if strings.HasPrefix(r.UserAgent(), "GPTBot ") {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><html lang="en"><title>A page</title>
			<meta property="og:title" content="A page"><h1>A page</h1>`)
	}))
	t.Cleanup(s.Close)
	return s, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return all
	}
}

func TestCrawlers_aPageIsReadByAllNames(t *testing.T) {
	t.Parallel()
	site, agents := crawlersOrigin(t)
	h := apptest.StartSignedIn(t, func(c *app.Config) {
		c.Fetch.Allow = append(c.Fetch.Allow, "127.0.0.1/32:"+site.URL[strings.LastIndex(site.URL, ":")+1:])
	})
	user := apptest.Bearer(h.Session.Access)
	report := func() string {
		return "/audits/" + h.Post("/audits", map[string]any{"url": site.URL}, user).Want(http.StatusOK).Text("id") +
			"/crawlers"
	}
	access := func(path string) (of gen.AuditCrawlers, by map[string]gen.CrawlerAccess) {
		if err := json.Unmarshal(h.Get(path).Want(http.StatusOK).Body, &of); err != nil {
			t.Fatal(err)
		}
		by = map[string]gen.CrawlerAccess{}
		for _, c := range of.Crawlers {
			by[c.Id] = c.Access
		}
		return of, by
	}
	path := report()
	of, by := access(path)
	if of.State != gen.CrawlersStateDERIVED || !of.Derived || by["claudebot"] != gen.CrawlerAccessBLOCKED ||
		by["gptbot"] != gen.CrawlerAccessRECEIVED || of.Total != 17 || len(of.Crawlers) != 17 {
		t.Errorf("got %+v, want what follows from robots.txt", of)
	}

	made := h.Post(path, nil, user).Want(http.StatusAccepted)
	if made.Header.Get("Location") != path {
		t.Errorf("got the location %q", made.Header.Get("Location"))
	}
	apptest.WaitFor(t, "the reading", func() bool {
		of, by = access(path)
		return of.State == gen.CrawlersStateREADY
	})
	if of.Derived || by["claudebot"] != gen.CrawlerAccessBLOCKED || by["gptbot"] != gen.CrawlerAccessBLOCKED ||
		by["x"] != gen.CrawlerAccessRECEIVED || len(of.Crawlers) != 17 || of.FinishedAt == nil {
		t.Errorf("got %+v, want GPTBot blocked by name", of)
	}
	named := 0
	for _, agent := range agents() {
		if strings.Contains(agent, " masthead-lens (+"+h.Base+")") {
			named++
		}
		if strings.HasPrefix(agent, "ClaudeBot") {
			t.Error("a crawler that robots.txt excludes was imitated")
		}
	}
	if named != 16 {
		t.Errorf("got %d requests by name, want 16", named)
	}

	// The host has a pause, also by another report and after the first one's deletion.
	h.Send("DELETE", strings.TrimSuffix(path, "/crawlers"), nil, user).Want(http.StatusNoContent)
	path = report()
	refused := h.Post(path, nil, user).Want(http.StatusTooManyRequests)
	if refused.Header.Get("Retry-After") == "" || !strings.Contains(refused.Text("detail"), "Try again in 10 minutes") {
		t.Errorf("got %s", refused.Body)
	}
	if err := h.App.Crawlers.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.Post(path, nil, user).Want(http.StatusTooManyRequests)

	// Ten minutes later the pause is over, and the site no longer answers.
	if _, err := h.App.DB.Exec(t.Context(), `UPDATE crawler_reads SET created_at = 1`); err != nil {
		t.Fatal(err)
	}
	site.Close()
	h.Post(path, nil, user).Want(http.StatusAccepted)
	apptest.WaitFor(t, "the failure", func() bool {
		of, _ = access(path)
		return of.State == gen.CrawlersStateFAILED
	})
	if of.Error == nil || *of.Error == "" || !of.Derived || len(of.Crawlers) != 17 {
		t.Errorf("got %+v, want the reason, and what was known before", of)
	}
	if err := h.App.Crawlers.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	left := 0
	if err := h.App.DB.Get(t.Context(), &left, `SELECT COUNT(*) FROM crawler_reads`); err != nil || left != 1 {
		t.Errorf("got %d readings, %v, want only that of the report", left, err)
	}
}
