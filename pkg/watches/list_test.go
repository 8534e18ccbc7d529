package watches_test

import (
	"fmt"
	"net/http"
	"testing"

	"masthead/pkg/app/apptest"
	"masthead/pkg/db"
)

// TestList_isNarrowedDown lists watches by kind and by ID, with as many of their latest scores as are asked for.
func TestList_isNarrowedDown(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		owner, me := h.ID(h.Session), apptest.Bearer(h.Session.Access)
		add := func(kind string, sitemap any) string {
			t.Helper()
			id := db.NewID()
			_, err := h.App.DB.Exec(t.Context(), `INSERT INTO watches (id, kind, public_id, owner_id, sitemap_id, url, every,
				last_at, next_at, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, 'day', 1, 4000000000000, 1, 1)`, id, kind, id,
				owner, sitemap, "https://example.com/"+id)
			if err != nil {
				t.Fatal(err)
			}
			return id
		}
		one, two, sitemap := add("page", nil), add("page", nil), add("sitemap", nil)
		of := add("page", sitemap)
		for n, letter := range []string{"A", "", "B", "C"} {
			_, err := h.App.DB.Exec(t.Context(), `INSERT INTO watch_runs (id, watch_id, at, report_id, score, letter, error,
				changes) VALUES (?, ?, ?, '', ?, ?, '', '[]')`, db.NewID(), one, 1000*n, 90-n, letter)
			if err != nil {
				t.Fatal(err)
			}
		}
		for query, want := range map[string][]string{
			"": {of, sitemap, two, one}, "?kind=page": {two, one}, "?kind=sitemap": {sitemap}, "?sitemapId=" + sitemap: {of},
			"?kind=page&sitemapId=" + sitemap: {of}, "?watchIds=" + two + "," + apptest.Nobody: {two},
			"?watchIds=" + one + "," + of + "&kind=page": {one},
		} {
			r := h.Get("/watches"+query, me).Want(http.StatusOK)
			var got []string
			for _, item := range r.Value("items").([]any) {
				watch := item.(map[string]any)
				got = append(got, watch["id"].(string))
				if _, ok := watch["scores"]; ok {
					t.Errorf("%s: scores that nobody asked for: %v", query, watch)
				}
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%q: got %v, want %v", query, got, want)
			}
		}
		const at = "1970-01-01T00:00:0"
		r := h.Get("/watches?kind=page&scores=2", me).Want(http.StatusOK)
		if got := r.Value("items.1.scores"); r.Value("items.0.scores") != nil || fmt.Sprint(got) !=
			"[map[at:"+at+"3.000Z grade:C score:87] map[at:"+at+"2.000Z grade:B score:88]]" {
			t.Errorf("got the scores %v", got)
		}
		for _, query := range []string{"?scores=0", "?scores=61", "?kind=x", "?watchIds=x"} {
			h.Get("/watches"+query, me).WantProblem(http.StatusBadRequest, "BAD_REQUEST")
		}
	})
}
