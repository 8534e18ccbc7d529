package dashboard_test

import (
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/web/webtest"
)

const (
	auditsPath   = "/dashboard/audits"
	reportsPath  = "/dashboard/audits/reports"
	sitemapsPath = "/dashboard/audits/sitemaps"
)

// newPages serves pages whose titles are hostile, and a sitemap of three of them.
func newPages(t *testing.T) (*httptest.Server, apptest.Option) {
	t.Helper()
	var site *httptest.Server
	site = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/sitemap.xml":
			w.Header().Set("Content-Type", "application/xml")
			_, _ = fmt.Fprintf(w, `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>%[1]s/a</loc></url>
				<url><loc>%[1]s/b</loc></url><url><loc>%[1]s/c</loc></url></urlset>`, site.URL)
		default:
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = fmt.Fprintf(w, `<!doctype html><html lang="en"><title>%s</title><body><p>Text.</p>`,
				html.EscapeString(webtest.Payload))
		}
	}))
	t.Cleanup(site.Close)
	return site, func(c *app.Config) {
		c.Fetch.Allow = append(c.Fetch.Allow, apptest.Allowed(site.Listener.Addr().String()))
	}
}

// audited waits until the first audit of each row of a page is over.
func audited(t *testing.T, v *webtest.Visitor, path string) webtest.Page {
	t.Helper()
	var page webtest.Page
	apptest.WaitFor(t, "the audit", func() bool {
		page = v.Get(path)
		return !strings.Contains(page.Main(), "data-waits") && strings.Contains(page.Body, `class="score num"`)
	})
	return page
}

var watchID = regexp.MustCompile(`id="w([0-9a-f-]{36})"`)

func TestAudits_watchAndStop(t *testing.T) {
	t.Parallel()
	site, allowed := newPages(t)
	h := apptest.StartSignedIn(t, allowed)
	v := webtest.SignIn(t, h.Base, h.Session.Access)
	empty := v.Get(auditsPath)
	if !strings.Contains(empty.Body, "No watched pages yet") || !strings.Contains(empty.Body, `action="/audit/new"`) {
		t.Errorf("without pages: %s", empty.Main())
	}
	wrong := v.Post(auditsPath, fields("do", "watch", "url", "ftp://"+webtest.Payload, "every", "week"))
	if wrong.Status != http.StatusUnprocessableEntity || !strings.Contains(wrong.Body, `id="url-said"`) {
		t.Errorf("no address: %d %s", wrong.Status, wrong.Main())
	}
	webtest.WantText(t, wrong, 1)
	locked := v.Post(auditsPath, fields("do", "watch", "url", site.URL+"/a", "every", "day"))
	if locked.Status != http.StatusUnprocessableEntity || !strings.Contains(locked.Body, "Change the plan") {
		t.Errorf("daily on Free: %d %s", locked.Status, locked.Main())
	}
	made := v.Post(auditsPath, fields("do", "watch", "url", site.URL+"/a", "every", "week", "projectId", h.Project))
	to := made.Header.Get("Location")
	if made.Status != http.StatusSeeOther || !strings.HasPrefix(to, auditsPath+"?open=") {
		t.Fatalf("watched: %d to %q %s", made.Status, to, made.Main())
	}
	page := audited(t, v, to)
	for _, want := range []string{
		"</svg> Watched.</p>", "1 watched page, ", `aria-expanded="true"`, "Open the report", "Wrong now",
		"The chart begins with the second audit.", h.Base + "/badge/", `aria-current="page">Watched, 1<`,
	} {
		if !strings.Contains(page.Body, want) {
			t.Errorf("the page lacks %q: %s", want, page.Main())
		}
	}
	id := watchID.FindStringSubmatch(page.Body)[1]
	for do, want := range map[string]string{"every": "done=saved", "run": "done=again"} {
		changed := v.Post(auditsPath, fields("do", do, "id", id, "every", "week"))
		if changed.Status != http.StatusSeeOther || !strings.HasSuffix(changed.Header.Get("Location"), want) {
			t.Errorf("%s: %d to %q", do, changed.Status, changed.Header.Get("Location"))
		}
	}
	// Why it can't be audited daily is said in the row.
	refused := v.Post(auditsPath, fields("do", "every", "id", id, "every", "day"))
	if refused.Status != http.StatusUnprocessableEntity || !strings.Contains(refused.Body, `role="alert"`) ||
		!strings.Contains(refused.Body, `aria-expanded="true"`) {
		t.Errorf("daily on Free: %d %s", refused.Status, refused.Main())
	}
	apptest.WaitFor(t, "the second audit", func() bool {
		return strings.Contains(v.Get(auditsPath+"?open="+id).Body, `class="scores desk"`)
	})
	if folded := v.Get(auditsPath); !strings.Contains(folded.Body, "no change") || !strings.Contains(folded.Body, "<svg class=\"spark\"") {
		t.Errorf("folded: %s", folded.Main())
	}

	other := webtest.SignIn(t, h.Base, h.Register().Access)
	for _, form := range [][]string{{"do", "stop", "id", id}, {"do", "run", "id", id}, {"do", "every", "id", id, "every", "week"}} {
		if page := other.Post(auditsPath, fields(form...)); page.Status != http.StatusNotFound {
			t.Errorf("%v of another account: %d", form, page.Status)
		}
	}
	if page := other.Get(auditsPath + "?open=" + id); page.Status != http.StatusNotFound {
		t.Errorf("the page of another account: %d", page.Status)
	}
	v.Post(auditsPath, fields("do", "watch", "url", "http://127.0.0.1:1/mistyped", "every", "week"))
	apptest.WaitFor(t, "the fault of the first audit", func() bool {
		page := v.Get(auditsPath)
		return strings.Contains(page.Body, "Is the address right?") && !strings.Contains(page.Body, `" data-waits>`)
	})
	bearer := apptest.Bearer(h.Session.Access)
	watches := h.Get("/watches", bearer)
	if watches.Text("items.0.error") == "" || watches.Value("items.0.lastRunAt") != nil {
		t.Errorf("a mistyped address: %s", watches.Body)
	}
	h.Send("DELETE", "/watches/"+watches.Text("items.0.id"), nil, bearer).Want(http.StatusNoContent)
	if page := v.Post(auditsPath, fields("do", "nothing")); page.Status < 400 || page.Status > 499 {
		t.Errorf("an unknown form: %d", page.Status)
	}
	stopped := v.Post(auditsPath, fields("do", "stop", "id", id))
	wantUndo(t, v, stopped, auditsPath, id, auditsPath+"?open="+id+"&done=restored")
	if stopped := v.Post(auditsPath, fields("do", "stop", "id", id)); stopped.Status != http.StatusSeeOther {
		t.Errorf("stopped: %d %s", stopped.Status, stopped.Main())
	}
	if page := v.Get(auditsPath); !strings.Contains(page.Body, "No watched pages yet") {
		t.Errorf("afterwards: %s", page.Main())
	}

	list := v.Get(reportsPath)
	webtest.WantText(t, list, 1) // the title of the page
	report := regexp.MustCompile(`value="([0-9A-Za-z]{22})"`).FindStringSubmatch(list.Body)[1]
	if page := other.Post(reportsPath, fields("do", "delete", "id", report)); page.Status != http.StatusNotFound {
		t.Errorf("a report of another account: %d", page.Status)
	}
	deleted := v.Post(reportsPath, fields("do", "delete", "id", report))
	wantUndo(t, v, deleted, reportsPath, report, reportsPath+"?done=restored")
	if deleted := v.Post(reportsPath, fields("do", "delete", "id", report)); deleted.Status != http.StatusSeeOther {
		t.Errorf("deleted: %d %s", deleted.Status, deleted.Main())
	}
	h.Get("/audits/" + report).Want(http.StatusNotFound)
}

func TestAudits_sitemaps(t *testing.T) {
	t.Parallel()
	site, allowed := newPages(t)
	h := apptest.StartSignedIn(t, allowed)
	v := webtest.SignIn(t, h.Base, h.Session.Access)
	made := v.Post(sitemapsPath, fields("do", "watch", "url", site.URL+"/sitemap.xml", "every", "week"))
	to := made.Header.Get("Location")
	if !strings.HasPrefix(to, sitemapsPath+"?open=") {
		t.Fatalf("watched: %d to %q %s", made.Status, to, made.Main())
	}
	var page webtest.Page
	apptest.WaitFor(t, "the pages", func() bool {
		page = v.Get(to)
		return strings.Contains(page.Body, "3 pages watched of 3") && strings.Contains(page.Body, "/audit/")
	})
	if strings.Count(page.Body, site.Listener.Addr().String()+"/") < 4 || !strings.Contains(page.Body, "Worst pages") {
		t.Errorf("the sitemap: %s", page.Main())
	}
	if own := v.Get(auditsPath); !strings.Contains(own.Body, "No watched pages yet") {
		t.Errorf("pages of a sitemap are among those that are watched by themselves: %s", own.Main())
	}
	id := watchID.FindStringSubmatch(page.Body)[1]
	if page := v.Get(auditsPath + "?open=" + id); page.Status != http.StatusNotFound {
		t.Errorf("a sitemap as a page: %d", page.Status)
	}
	if page := v.Post(sitemapsPath, fields("do", "stop", "id", id)); page.Status != http.StatusSeeOther {
		t.Errorf("stopped: %d %s", page.Status, page.Main())
	}
}

// withHistory gives a watched page audits, the latest today.
func withHistory(t *testing.T, h *apptest.Service, id string, scores []int) {
	t.Helper()
	now := time.Now()
	for i, score := range scores {
		at, changes := now.AddDate(0, 0, i-len(scores)), "[]"
		if i > 0 && score < scores[i-1] {
			changes = fmt.Sprintf(`["og:image returns 404.","The score fell from %d to %d."]`, scores[i-1], score)
		}
		_, err := h.App.DB.Exec(t.Context(), `INSERT INTO watch_runs
			(id, watch_id, at, report_id, score, letter, error, changes) VALUES (?, ?, ?, '', ?, ?, '', ?)`,
			fmt.Sprintf("01900000-0000-7000-8000-%012d", i), id, at.UnixMilli(), score,
			map[bool]string{true: "A", false: "C"}[score > 89], changes)
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestAudits_looks(t *testing.T) {
	t.Parallel()
	ctx, ok := webtest.Browser(t)
	if !ok {
		return
	}
	h := apptest.StartSignedIn(t)
	me := h.Session
	v := webtest.SignIn(t, h.Base, me.Access)
	for _, name := range []string{"outage-report", "render-queue-postgres"} {
		v.Post(auditsPath, fields("do", "watch", "url", h.Site.At("/page/"+name), "every", "week"))
	}
	audited(t, v, auditsPath)
	id := h.Get("/watches", apptest.Bearer(me.Access)).Text("items.0.id")
	withHistory(t, h, id, []int{72, 72, 74, 88, 88, 90, 91, 91, 91, 90, 91, 91, 64})
	_, err := h.App.DB.Exec(t.Context(), `UPDATE watches SET error = 'The page answered 410 Gone.' WHERE id <> ?`, id)
	if err != nil {
		t.Fatal(err)
	}
	if err := webtest.Run(ctx, webtest.SignedIn(h.Base, me.Access)); err != nil {
		t.Fatal(err)
	}
	webtest.Look(t, ctx, h.Base, webtest.State{Name: "audits", Path: auditsPath + "?open=" + id},
		webtest.State{Name: "audits-folded", Path: auditsPath},
		webtest.State{Name: "reports", Path: reportsPath}, webtest.State{Name: "sitemaps", Path: sitemapsPath},
		webtest.State{Name: "reports-deleted", Path: reportsPath, Then: chromedp.Tasks{
			chromedp.Click(`[value=delete]`, chromedp.ByQuery), webtest.Visible("[data-until]"),
		}})
}
