package app_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"masthead/pkg/app/apptest"
)

// A page is watched through the API: audited, reported to its owner when it gets worse, and when that is over.
func TestWatches_endToEnd(t *testing.T) {
	t.Parallel()
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Service) {
		user := apptest.Bearer(s.Session.Access)
		full := `<html lang="en"><head><title>A good title for this page</title><meta property="og:title" content="A title">
			</head><body><h1>A</h1></body></html>`
		var page atomic.Value
		page.Store(full)
		s.Site.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = fmt.Fprint(w, page.Load())
		})
		id := s.Post("/watches", map[string]any{"url": s.Site.At("/watched")}, user).Want(http.StatusCreated).Text("id")
		await := func(audits int) *apptest.Response {
			t.Helper()
			for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
				got := s.Get("/watches/"+id+"/history", user).Want(http.StatusOK)
				if runs, _ := got.Value("items").([]any); len(runs) == audits {
					return got
				}
				if time.Now().After(end) {
					t.Fatalf("got %s, want %d audits", got.Body, audits)
				}
			}
		}
		again := func(body string, audits int) *apptest.Response {
			t.Helper()
			page.Store(body)
			s.Post("/watches/"+id+"/run", nil, user).Want(http.StatusAccepted)
			return await(audits)
		}
		report := await(1).Text("items.0.auditId")
		s.Get("/audits/" + report).Want(http.StatusOK)
		worse := again(strings.Replace(full, `<meta property="og:title" content="A title">`, "", 1), 2)
		if changed := worse.Text("items.0.changes.1"); changed == "" {
			t.Errorf("got %s, want the score and a finding in the last audit", worse.Body)
		}
		again(full, 3)
		for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
			inbox := s.Get("/notifications", user).Want(http.StatusOK)
			if items, _ := inbox.Value("items").([]any); len(items) == 2 {
				// Two jobs tell of them, in any order.
				titles := inbox.Text("items.0.title") + inbox.Text("items.1.title")
				if !strings.Contains(titles, "got worse") || !strings.Contains(titles, "has recovered") {
					t.Errorf("got %s, want one of each", inbox.Body)
				}
				break
			}
			if time.Now().After(end) {
				t.Fatalf("got %s, want two notifications", inbox.Body)
			}
		}
		list := s.Get("/watches", user).Want(http.StatusOK)
		badge := s.Get(list.Path("items.0.badgeUrl")).Want(http.StatusOK)
		score := fmt.Sprintf(">%.0f %s</text>", list.Value("items.0.score"), list.Text("items.0.grade"))
		if !strings.Contains(string(badge.Body), score) {
			t.Errorf("got %s, want %s in it", badge.Body, score)
		}
	})
}

// A sitemap is watched through the API. It is an index, and links to a sitemap that is there and one that isn't, and to
// one of another host, which redirects.
func TestWatches_sitemapEndToEnd(t *testing.T) {
	t.Parallel()
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Service) {
		user := apptest.Bearer(s.Session.Access)
		if _, err := s.App.Users.SetPlan(t.Context(), s.ID(s.Session), "plus"); err != nil {
			t.Fatal(err)
		}
		var broken atomic.Bool
		s.Site.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/sitemap.xml":
				_, _ = fmt.Fprintf(w, `<sitemapindex><sitemap><loc>%s</loc></sitemap><sitemap><loc>/none.xml</loc></sitemap>
					<sitemap><loc>https://other.example/s.xml</loc></sitemap></sitemapindex>`, s.Site.At("/pages.xml"))
			case "/pages.xml":
				_, _ = fmt.Fprintf(w, `<urlset><url><loc>%s</loc></url><url><loc>/two</loc></url>
					<url><loc>https://other.example/three</loc></url></urlset>`, s.Site.At("/one"))
			case "/one", "/two":
				tag := `<meta property="og:title" content="A title">`
				if broken.Load() {
					tag = ""
				}
				w.Header().Set("Content-Type", "text/html")
				_, _ = fmt.Fprintf(w, `<html lang="en"><head><title>A good title for this page</title>%s</head>
					<body><h1>A</h1></body></html>`, tag)
			default:
				http.NotFound(w, r)
			}
		})
		hook := s.Post("/webhooks", map[string]any{"url": s.Site.At("/hook"), "events": []string{"watch.worse"}}, user).
			Want(http.StatusCreated).Text("id")
		id := s.Post("/watches", map[string]any{"url": s.Site.At("/sitemap.xml"), "kind": "sitemap"}, user).
			Want(http.StatusCreated).Text("id")
		var list *apptest.Response
		await := func(what string, done func() bool) {
			t.Helper()
			for end := time.Now().Add(time.Minute); !done(); time.Sleep(20 * time.Millisecond) {
				if time.Now().After(end) {
					t.Fatalf("no %s: %s", what, list.Body)
				}
			}
		}
		await("pages", func() bool {
			list = s.Get("/watches", user).Want(http.StatusOK)
			items, _ := list.Value("items").([]any)
			return len(items) == 3 && list.Value("items.2.pages") != nil
		})
		if list.Text("items.2.id") != id || list.Value("items.2.pages.listed") != 2.0 ||
			list.Value("items.2.pages.watched") != 2.0 || !strings.Contains(list.Text("items.2.pages.note"), "other.example") ||
			list.Text("items.0.sitemapId") != id || list.Text("items.0.url") != s.Site.At("/two") {
			t.Errorf("got %s, want the sitemap and its two pages", list.Body)
		}
		stranger := s.Register()
		others := s.Get("/watches?sitemapId="+id, apptest.Bearer(stranger.Access)).Want(http.StatusOK)
		if items, _ := others.Value("items").([]any); len(items) > 0 {
			t.Errorf("another account sees %s", others.Body)
		}
		page := "/watches/" + list.Text("items.1.id")
		audits := func(n int) func() bool {
			return func() bool {
				list = s.Get(page+"/history", user).Want(http.StatusOK)
				items, _ := list.Value("items").([]any)
				return len(items) == n
			}
		}
		await("first audit", audits(1))
		broken.Store(true)
		s.Post(page+"/run", nil, user).Want(http.StatusAccepted)
		await("second audit", audits(2))
		sent := s.Get("/webhooks/"+hook+"/deliveries", user).Want(http.StatusOK)
		if body := sent.Text("items.0.body"); !strings.Contains(body, `"sitemapId":"`+id+`"`) ||
			!strings.Contains(body, "watch.worse") {
			t.Errorf("got the event %s, want one that names the sitemap", body)
		}
	})
}
