package moduletest_test

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
			_, err := h.App.DB.Exec(t.Context(), `
				INSERT INTO watches (id, kind, public_id, owner_id, sitemap_id, url, every,
				last_at, next_at, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, 'day', 1, 4000000000000, 1, 1)`,
				id, kind, id, owner, sitemap, "https://example.com/"+id)
			if err != nil {
				t.Fatal(err)
			}
			return id
		}
		one, two, sitemap := add("page", nil), add("page", nil), add("sitemap", nil)
		of := add("page", sitemap)
		for n, letter := range []string{"A", "", "B", "C"} {
			_, err := h.App.DB.Exec(t.Context(), `
				INSERT INTO watch_runs (id, watch_id, at, report_id, score, letter, error, changes)
				VALUES (?, ?, ?, '', ?, ?, '', '[]')`, db.NewID(), one, 1000*n, 90-n, letter)
			if err != nil {
				t.Fatal(err)
			}
		}
		for query, want := range map[string][]string{
			"": {of, sitemap, two, one}, "?kind=page": {two, one}, "?kind=sitemap": {sitemap},
			"?sitemapId=" + sitemap: {of}, "?kind=page&sitemapId=" + sitemap: {of},
			"?watchIds=" + two + "," + apptest.Nobody:    {two},
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
		for _, query := range []string{"?order=x", "?order=worst&cursor=x", "?around=x", "?totals=x", "?scores=0",
			"?scores=61", "?kind=x", "?watchIds=x", "?problem=x"} {
			h.Get("/watches"+query, me).WantProblem(http.StatusBadRequest, "BAD_REQUEST")
		}
	})
}

// TestList_worstFirst lists watches by what is wrong with them, page by page, and counts them.
func TestList_worstFirst(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		owner, me := h.ID(h.Session), apptest.Bearer(h.Session.Access)
		ids := map[string]string{}
		add := func(name, kind, sitemap, letter, fault string, score int, last any) {
			t.Helper()
			ids[name] = db.NewID()
			_, err := h.App.DB.Exec(t.Context(), `
				INSERT INTO watches (id, kind, public_id, owner_id, sitemap_id, url, every,
				score, letter, error, last_at, next_at, created_at, updated_at)
				VALUES (?, ?, ?, ?, ?, ?, 'day', ?, ?, ?, ?, 4000000000000, 1, 1)`, ids[name], kind, ids[name], owner,
				db.OrNull(ids[sitemap]), "https://example.com/"+name, score, letter, fault, last)
			if err != nil {
				t.Fatal(err)
			}
		}
		add("new", "page", "", "", "", 0, nil)
		add("a", "page", "", "A", "", 95, 1)
		add("c2", "page", "", "C", "", 71, 1)
		add("c1", "page", "", "C", "", 71, 1)
		add("down", "page", "", "A", "The page answered 410 Gone.", 99, 1)
		add("good", "sitemap", "", "", "", 0, 1)
		add("p1", "page", "good", "A", "", 96, 1)
		add("p2", "page", "good", "B", "", 80, 1)
		add("bad", "sitemap", "", "", "", 0, 1)
		add("p3", "page", "bad", "D", "", 60, 1)
		add("unread", "sitemap", "", "", "", 0, nil)
		for _, f := range [][2]string{{"c1", "error"}, {"a", "warning"}, {"p3", "error"}} {
			_, err := h.App.DB.Exec(t.Context(), `INSERT INTO watch_findings
				(id, watch_id, subject, severity, told, words, since)
				VALUES (?, ?, 'og:image', ?, TRUE, '{"now":"x"}', 1)`,
				db.NewID(), ids[f[0]], f[1])
			if err != nil {
				t.Fatal(err)
			}
		}
		names := func(r *apptest.Response) (all []string) {
			for _, item := range r.Value("items").([]any) {
				for name, id := range ids {
					if item.(map[string]any)["id"] == id {
						all = append(all, name)
					}
				}
			}
			return all
		}
		for _, c := range []struct{ query, want, totals string }{
			{"&kind=page", "[down c1 c2 a new]", "map[audited:4 watches:5 withErrors:2]"},
			{"&kind=sitemap", "[bad good unread]", "map[audited:2 watches:3 withErrors:0]"},
			{"&sitemapId=" + ids["good"], "[p2 p1]", "map[audited:2 watches:2 withErrors:0]"},
			{"", "[down bad p3 c1 c2 p2 good a p1 new unread]", "map[audited:9 watches:11 withErrors:3]"},
			{"&kind=page&around=" + ids["a"], "[down c1 c2 a new]", "map[audited:4 watches:5 withErrors:2]"},
			{"&kind=page&limit=2&around=" + ids["a"], "[c2 a]", "map[audited:4 watches:5 withErrors:2]"},
			{"&kind=page&limit=2&around=" + ids["new"], "[new]", "map[audited:4 watches:5 withErrors:2]"},
			{"&kind=page&limit=2&around=" + apptest.Nobody, "[down c1]", "map[audited:4 watches:5 withErrors:2]"},
			{"&problem=image", "[p3 c1]", "map[audited:2 watches:2 withErrors:2]"},
			{"&problem=image&kind=page", "[c1]", "map[audited:1 watches:1 withErrors:1]"},
			{"&problem=image&limit=1", "[p3]", "map[audited:2 watches:2 withErrors:2]"},
			{"&problem=load", "[down]", "map[audited:1 watches:1 withErrors:1]"},
			{"&problem=grade", "[]", "map[audited:0 watches:0 withErrors:0]"},
			{"&kind=sitemap&limit=1&around=" + ids["good"], "[good]", "map[audited:2 watches:3 withErrors:0]"},
		} {
			r := h.Get("/watches?order=worst&totals=true"+c.query, me).Want(http.StatusOK)
			if got := fmt.Sprint(names(r)); got != c.want || fmt.Sprint(r.Value("totals")) != c.totals {
				t.Errorf("%q: got %s, %v, want %s, %s", c.query, got, r.Value("totals"), c.want, c.totals)
			}
		}
		var all []string
		for next := ""; ; {
			r := h.Get("/watches?order=worst&kind=page&limit=2"+next, me).Want(http.StatusOK)
			all = append(all, names(r)...)
			if r.Value("totals") != nil {
				t.Errorf("counts that nobody asked for: %s", r.Body)
			}
			if r.Value("nextCursor") == nil {
				break
			}
			next = "&cursor=" + r.Text("nextCursor")
		}
		if fmt.Sprint(all) != "[down c1 c2 a new]" {
			t.Errorf("page by page: %v", all)
		}
	})
}
