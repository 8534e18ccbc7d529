package moduletest_test

import (
	"fmt"
	"math"
	"net/http"
	"testing"
	"time"

	"masthead/pkg/app/apptest"
	"masthead/pkg/db"
)

// TestStats_countsWhatIsThere compares the figures with what was done, and leaves out what is too old or deleted.
func TestStats_countsWhatIsThere(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		admin, began := apptest.Bearer(h.Session.Access), time.Now()
		h.App.Admin.SetNow(func() time.Time { return began })
		empty := h.Get("/admin/stats", admin).Want(http.StatusOK)
		if empty.Value("cacheHitRate") != nil || empty.Value("storedBytes") != 0.0 || empty.Value("accounts.total") != 1.0 ||
			empty.Value("drawing") != nil {
			t.Errorf("at the beginning: got %s", empty.Body)
		}
		other, leaver, disabled := h.Register(), h.Register(), h.Register()
		change(h, h.ID(other), map[string]any{"plan": "plus"}).Want(http.StatusOK)
		change(h, h.ID(disabled), map[string]any{"disabled": true}).Want(http.StatusOK)
		h.Send(http.MethodDelete, "/users/me", nil, apptest.Bearer(leaver.Access)).Want(http.StatusNoContent)
		exec(h, `UPDATE users SET created_at = created_at - 2678400000 WHERE id = ?`, h.ID(other)) // 31 days

		var bytes float64
		for _, path := range []string{"/page/one", "/page/two", "/page/three"} {
			picture := h.Generate(path, nil).Want(http.StatusOK)
			bytes += float64(len(h.Get(picture.Path("imageUrl")).Want(http.StatusOK).Body))
		}
		h.Generate("/page/one", nil).Want(http.StatusOK)
		if err := h.App.Usage.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		fell := `{"model":"standard","fellBack":true,"fallbackReason":"%s"}`
		for path, reason := range map[string]string{"/page/one": "provider", "/page/two": "provider", "/page/three": "quota"} {
			exec(h, `UPDATE images SET ai = ? WHERE url = ?`, fmt.Sprintf(fell, reason), h.Site.At(path))
		}
		exec(h, `UPDATE images SET created_at = created_at - 2678400000 WHERE url = ?`, h.Site.At("/page/two"))
		now := time.Now()
		for i, job := range []struct {
			due    time.Time
			holder string
			gaveUp any
		}{{due: now.Add(-time.Minute)}, {due: now.Add(time.Hour)}, {due: now, holder: "node"}, {due: now, gaveUp: 1}} {
			exec(h, `INSERT INTO jobs (id, kind, key, payload, attempts, due_at, holder, owner, turn, last_error, given_up_at)
				VALUES (?, 'test', ?, '{}', 0, ?, ?, '', 0, '', ?)`,
				db.NewID(), fmt.Sprint(i), db.Millis{Time: job.due}, job.holder, job.gaveUp)
		}
		exec(h, `INSERT INTO usage_traffic (owner_id, day, kind, drawn, generate_hits, public_hits)
			VALUES (?, ?, 'og', 1, 0, 3)`, h.ID(h.Session), now.UTC().Format(time.DateOnly))
		exec(h, `INSERT INTO usage_traffic (owner_id, day, kind, drawn, generate_hits, public_hits)
			VALUES (?, '2020-01-01', 'og', 7, 7, 7)`, h.ID(h.Session))

		if r := h.Get("/admin/stats", admin).Want(http.StatusOK); r.Value("storedBytes") != 0.0 ||
			r.Value("countedAt") != empty.Value("countedAt") || r.Value("accounts.total") != 3.0 {
			t.Errorf("within a minute: got %s", r.Body)
		}
		h.App.Admin.SetNow(func() time.Time { return time.Now().Add(61 * time.Second) })
		r := h.Get("/admin/stats", admin).Want(http.StatusOK)
		for path, want := range map[string]any{
			"accounts.total": 3.0, "accounts.plus": 1.0, "accounts.free": 2.0, "accounts.pro": 0.0, "accounts.disabled": 1.0,
			"accounts.new": 2.0, "images.0.kind": "og", "images.0.count": 3.0, "days.0.drawn": 4.0,
			"days.0.generateHits": 1.0, "days.0.publicHits": 3.0, "storedBytes": bytes,
			"owners.0.userId": h.ID(h.Session), "owners.0.bytes": bytes, "owners.0.email": h.Session.Email,
		} {
			if got := r.Value(path); got != want {
				t.Errorf("%s: got %v, want %v", path, got, want)
			}
		}
		if got := r.Value("cacheHitRate").(float64); math.Abs(got-0.5) > 1e-9 {
			t.Errorf("got a hit rate of %v, want 4 of 8", got)
		}
		if got := fmt.Sprint(r.Value("fallbacks")); got != "[map[count:1 reason:provider] map[count:1 reason:quota]]" {
			t.Errorf("got the fallbacks %s", got)
		}
		median, _ := r.Value("drawing.medianMs").(float64)
		p99, _ := r.Value("drawing.p99Ms").(float64)
		if r.Value("drawing.pictures") != 3.0 || median <= 0 || p99 < median || p99 > 2500 {
			t.Errorf("got the times %v", r.Value("drawing"))
		}
		found := false
		for _, j := range r.Value("jobs").([]any) {
			if j := j.(map[string]any); j["kind"] == "test" {
				found = true
				if got := fmt.Sprint(j["waiting"], j["later"], j["running"], j["givenUp"]); got != "1 1 1 1" {
					t.Errorf("got the jobs %v", j)
				}
			}
		}
		if !found || len(r.Value("days").([]any)) != 1 {
			t.Errorf("got %s", r.Body)
		}
	})
}

// TestStats_countsInSlices compares figures counted in slices of all sizes with those of statements over whole tables.
func TestStats_countsInSlices(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		admin, leaver := apptest.Bearer(h.Session.Access), h.Register()
		for _, path := range []string{"/page/1", "/page/2", "/page/3", "/page/4"} {
			h.Generate(path, nil).Want(http.StatusOK)
			h.Generate(path, map[string]any{"kind": "icon_set"}).Want(http.StatusOK)
		}
		exec(h, `UPDATE images SET owner_id = ? WHERE kind = 'icon_set'`, h.ID(leaver))
		exec(h, `INSERT INTO image_versions (image_id, version, owner_id, source, alt, warnings, picture, size, shown_from,
			shown_until) SELECT id, 7, owner_id, source, alt, warnings, '', 0, 0, 0 FROM images`)
		exec(h, `INSERT INTO image_version_files SELECT image_id, 7, position, name, digest, content_type, width, height,
			size_bytes FROM image_files`)
		exec(h, `INSERT INTO image_backgrounds SELECT image_id, digest, name, 1000003 FROM image_files
			WHERE position = 0`)
		want := ""
		for _, slice := range []int{1000, 8, 7, 3, 2, 1} {
			h.App.Admin.SetCounting(slice, time.Hour)
			r := h.Get("/admin/stats", admin).Want(http.StatusOK)
			got := fmt.Sprint(r.Value("images"), r.Value("storedBytes"), r.Value("owners"))
			if want == "" {
				want = got
			}
			if got != want {
				t.Errorf("in slices of %d: got %s, want %s", slice, got, want)
			}
			var files, backgrounds float64
			if err := h.App.DB.Get(t.Context(), &files, `SELECT SUM(size_bytes) FROM image_files`); err != nil {
				t.Fatal(err)
			}
			if err := h.App.DB.Get(t.Context(), &backgrounds, `SELECT SUM(size) FROM image_backgrounds`); err != nil {
				t.Fatal(err)
			}
			if r.Value("images.0.count") != 4.0 || r.Value("images.1.count") != 4.0 ||
				r.Value("storedBytes") != 2*files+backgrounds || len(r.Value("owners").([]any)) != 2 {
				t.Errorf("in slices of %d: got %s", slice, got)
			}
		}
		h.Send(http.MethodDelete, "/users/me", nil, apptest.Bearer(leaver.Access)).Want(http.StatusNoContent)
		if r := h.Get("/admin/stats", admin).Want(http.StatusOK); len(r.Value("owners").([]any)) != 1 ||
			r.Value("owners.0.userId") != h.ID(h.Session) {
			t.Errorf("without the deleted account: got %s", r.Body)
		}
	})
}

// TestStats_manyImages lets no request count: a job does, for all nodes.
func TestStats_manyImages(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		admin := apptest.Bearer(h.Session.Access)
		h.Generate("/page/one", nil).Want(http.StatusOK)
		h.App.Admin.SetCounting(1, 0)
		r := h.Get("/admin/stats", admin).Want(http.StatusOK)
		if r.Value("countedAt") != nil || len(r.Value("images").([]any)) != 0 || r.Value("storedBytes") != 0.0 {
			t.Errorf("not counted yet: got %s", r.Body)
		}
		apptest.WaitFor(t, "figures", func() bool {
			return h.Get("/admin/stats", admin).Want(http.StatusOK).Value("countedAt") != nil
		})
		r = h.Get("/admin/stats", admin).Want(http.StatusOK)
		if r.Value("images.0.count") != 1.0 || r.Value("owners.0.email") != h.Session.Email {
			t.Errorf("counted: got %s", r.Body)
		}
		first := r.Value("countedAt")
		h.Generate("/page/two", nil).Want(http.StatusOK)
		h.App.Admin.SetNow(func() time.Time { return time.Now().Add(61 * time.Second) })
		if r := h.Get("/admin/stats", admin).Want(http.StatusOK); r.Value("countedAt") != first {
			t.Errorf("the last figures while a job counts: got %s", r.Body)
		}
		apptest.WaitFor(t, "new figures", func() bool {
			return h.Get("/admin/stats", admin).Want(http.StatusOK).Value("images.0.count") == 2.0
		})
		if other := h.StartNode(); other.Get("/admin/stats", admin).Want(http.StatusOK).Value("images.0.count") != 2.0 {
			t.Error("another node does not have the figures")
		}
	})
}
