package moduletest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"masthead/pkg/app/apptest"
	"masthead/pkg/base62"
	"masthead/pkg/db"
)

// thing is something that can be deleted: its table, the path of its list, and how to make one.
type thing struct {
	table, list string
	make        func(t *testing.T, h *apptest.Service) (id string)
}

func undoExec(t *testing.T, h *apptest.Service, query string, args ...any) {
	t.Helper()
	if _, err := h.App.DB.Exec(t.Context(), query, args...); err != nil {
		t.Fatal(err)
	}
}

func count(t *testing.T, h *apptest.Service, query string, args ...any) (n int) {
	t.Helper()
	if err := h.App.DB.Get(t.Context(), &n, query, args...); err != nil {
		t.Fatal(err)
	}
	return n
}

func aHook(t *testing.T, h *apptest.Service) string {
	t.Helper()
	id := db.NewID()
	undoExec(t, h, `INSERT INTO webhooks (id, owner_id, url, events, secret, enabled, created_at, updated_at)
		VALUES (?, ?, 'http://127.0.0.1:1/', '["image.created"]', 'whsec_c2VjcmV0', TRUE, 0, 0)`, id, h.ID(h.Session))
	return id
}

// aWatch makes a watched page, of a sitemap unless that is "".
func aWatch(t *testing.T, h *apptest.Service, kind, sitemap string) string {
	t.Helper()
	id := db.NewID()
	undoExec(t, h, `INSERT INTO watches (id, public_id, owner_id, kind, sitemap_id, url, every, next_at, created_at,
			updated_at)
		VALUES (?, ?, ?, ?, ?, ?, 'week', 4000000000000, 0, 0)`, id, base62.Random(22), h.ID(h.Session), kind,
		db.OrNull(sitemap), h.Site.At("/page/"+id))
	return id
}

var things = []thing{
	{"images", "/images", func(_ *testing.T, h *apptest.Service) string {
		return h.Generate("/page/one", nil).Want(http.StatusOK).Text("id")
	}},
	{"audits", "/audits", func(_ *testing.T, h *apptest.Service) string {
		return h.Post("/audits", map[string]any{"url": h.Site.At("/page/one")},
			apptest.Bearer(h.Session.Access)).Want(http.StatusOK).Text("id")
	}},
	{"webhooks", "/webhooks", aHook},
	{"designs", "/designs", func(_ *testing.T, h *apptest.Service) string {
		return h.Post("/designs", map[string]any{
			"projectId": h.Project, "slug": "news", "html": "<b>{{title}}</b>",
		}, apptest.Bearer(h.Session.Access)).Want(http.StatusCreated).Text("id")
	}},
	{"watches", "/watches", func(t *testing.T, h *apptest.Service) string {
		t.Helper()
		return aWatch(t, h, "page", "")
	}},
}

// TestUndo_everything deletes one of each kind, takes that back, and deletes it for good.
func TestUndo_everything(t *testing.T) {
	t.Parallel()
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		me, stranger := apptest.Bearer(h.Session.Access), apptest.Bearer(h.Register().Access)
		paths := make([]string, len(things))
		for i, of := range things {
			paths[i] = of.list + "/" + of.make(t, h)
			deleteAndUndo(h, of, paths[i], me, stranger)
		}
		// The jobs of these deletions do nothing, those of the next delete.
		runDeletions(t, h)
		for i, of := range things {
			wantListed(h, of, me, 1)
			h.Send("DELETE", paths[i]+"?undo=true", nil, me).Want(http.StatusNoContent)
			undoExec(t, h, `UPDATE `+of.table+` SET deleting_at = 1`)
			h.Post(paths[i]+"/undelete", nil, me).WantProblem(http.StatusNotFound, "NOT_FOUND") // too late
		}
		runDeletions(t, h)
		for _, of := range things {
			if n := count(t, h, `SELECT COUNT(*) FROM `+of.table); n != 0 {
				t.Errorf("%s: %d rows are left", of.table, n)
			}
		}
	})
}

// deleteAndUndo deletes the only thing of a kind and takes that back.
func deleteAndUndo(h *apptest.Service, of thing, path string, me, stranger apptest.RequestOption) {
	h.T().Helper()
	h.Post(path+"/undelete", nil, me).WantProblem(http.StatusNotFound, "NOT_FOUND") // nothing to take back
	h.Send("DELETE", path+"?undo=true", nil, me).Want(http.StatusNoContent)
	h.Send("DELETE", path+"?undo=true", nil, me).Want(http.StatusNotFound)
	h.Send("DELETE", path, nil, me).Want(http.StatusNotFound)
	if of.table != "watches" { // which are read with their history
		h.Get(path, me).Want(http.StatusNotFound)
	}
	wantListed(h, of, me, 0)
	h.Post(path+"/undelete", nil, stranger).WantProblem(http.StatusNotFound, "NOT_FOUND")
	h.Post(path+"/undelete", nil, me).Want(http.StatusOK)
	wantListed(h, of, me, 1)
	h.Post(path+"/undelete", nil, me).WantProblem(http.StatusNotFound, "NOT_FOUND")
}

func wantListed(h *apptest.Service, of thing, me apptest.RequestOption, want int) {
	h.T().Helper()
	items, ok := h.Get(of.list, me).Want(http.StatusOK).Value("items").([]any)
	if !ok || len(items) != want {
		h.T().Errorf("%s: the list has %d, want %d", of.table, len(items), want)
	}
	name := strings.Replace(of.table, "audits", "reports", 1)
	if got := h.Get("/usage/contents", me).Want(http.StatusOK).Value(name); got != float64(want) {
		h.T().Errorf("%s: the account has %v, want %d", of.table, got, want)
	}
}

// runDeletions runs the jobs of all deletions.
func runDeletions(t *testing.T, h *apptest.Service) {
	t.Helper()
	undoExec(t, h, `UPDATE jobs SET due_at = 0 WHERE kind LIKE '%_deletion'`)
	apptest.WaitFor(t, "the deletions", func() bool {
		return count(t, h, `SELECT COUNT(*) FROM jobs WHERE kind LIKE '%_deletion'`) == 0
	})
}

// TestUndo_webhookGetsNoEvents marks a webhook: events aren't stored for it, and its place in the plan is free. Once it
// is back, it gets events again.
func TestUndo_webhookGetsNoEvents(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	me := apptest.Bearer(h.Session.Access)
	id := aHook(t, h)
	path := "/webhooks/" + id
	deliveries := func() int { return count(t, h, `SELECT COUNT(*) FROM webhook_deliveries WHERE webhook_id = ?`, id) }
	h.Generate("/page/one", nil).Want(http.StatusOK)
	if n := deliveries(); n != 1 {
		t.Fatalf("%d deliveries, want 1", n)
	}
	h.Send("DELETE", path+"?undo=true", nil, me).Want(http.StatusNoContent)
	h.Generate("/page/two", nil).Want(http.StatusOK)
	if n := deliveries(); n != 1 {
		t.Errorf("%d deliveries of a deleted webhook, want 1", n)
	}
	for _, suffix := range []string{"/test", "/rotate", "/undelete/x"} {
		if got := h.Post(path+suffix, nil, me); got.Status != http.StatusNotFound {
			t.Errorf("%s: %d", suffix, got.Status)
		}
	}
	other := aHook(t, h)
	h.Post(path+"/undelete", nil, me).WantProblem(http.StatusPaymentRequired, "TIER_LOCKED")
	h.Send("DELETE", "/webhooks/"+other, nil, me).Want(http.StatusNoContent)
	h.Post(path+"/undelete", nil, me).Want(http.StatusOK)
	h.Generate("/page/three", nil).Want(http.StatusOK)
	if n := deliveries(); n != 2 {
		t.Errorf("%d deliveries of the restored webhook, want 2", n)
	}
}

// TestUndo_sitemapComesBackWithItsPages marks a watched sitemap with its pages. Pages that were gone before stay gone.
func TestUndo_sitemapComesBackWithItsPages(t *testing.T) {
	t.Parallel()
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		me := apptest.Bearer(h.Session.Access)
		sitemap := aWatch(t, h, "sitemap", "")
		pages := []string{aWatch(t, h, "page", sitemap), aWatch(t, h, "page", sitemap), aWatch(t, h, "page", sitemap)}
		undoExec(t, h, `UPDATE watches SET gone_at = 4000000000000 WHERE id = ?`, pages[2])
		present := func() string {
			return fmt.Sprint(count(t, h, `SELECT COUNT(*) FROM watches WHERE gone_at IS NULL`), " ",
				count(t, h, `SELECT COUNT(*) FROM jobs WHERE kind = 'watch'`))
		}
		h.Send("DELETE", "/watches/"+pages[0]+"?undo=true", nil, me).WantProblem(http.StatusConflict, "CONFLICT")
		h.Send("DELETE", "/watches/"+sitemap+"?undo=true", nil, me).Want(http.StatusNoContent)
		if got := present(); got != "0 0" {
			t.Errorf("%s watches and jobs are left, want none", got)
		}
		h.Post("/watches/"+sitemap+"/undelete", nil, me).Want(http.StatusOK)
		if got := present(); got != "3 3" {
			t.Errorf("%s watches and jobs came back, want 3 of each", got)
		}
	})
}
