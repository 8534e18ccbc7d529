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
			if inbox.Value("unread") == 2.0 {
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
