package admin_test

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
		if empty.Value("cacheHitRate") != nil || empty.Value("storedBytes") != 0.0 || empty.Value("accounts.total") != 1.0 {
			t.Errorf("at the beginning: got %s", empty.Body)
		}
		other, leaver, disabled := h.Register(), h.Register(), h.Register()
		change(h, h.ID(other), map[string]any{"plan": "plus"}).Want(http.StatusOK)
		change(h, h.ID(disabled), map[string]any{"disabled": true}).Want(http.StatusOK)
		h.Send(http.MethodDelete, "/users/me", nil, apptest.Bearer(leaver.Access)).Want(http.StatusNoContent)
		exec := func(query string, args ...any) {
			t.Helper()
			if _, err := h.App.DB.Exec(t.Context(), query, args...); err != nil {
				t.Fatal(err)
			}
		}
		exec(`UPDATE users SET created_at = created_at - 2678400000 WHERE id = ?`, h.ID(other)) // 31 days

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
			exec(`UPDATE images SET ai = ? WHERE url = ?`, fmt.Sprintf(fell, reason), h.Site.At(path))
		}
		exec(`UPDATE images SET created_at = created_at - 2678400000 WHERE url = ?`, h.Site.At("/page/two"))
		now := time.Now()
		for i, job := range []struct {
			due    time.Time
			holder string
			gaveUp any
		}{{due: now.Add(-time.Minute)}, {due: now.Add(time.Hour)}, {due: now, holder: "node"}, {due: now, gaveUp: 1}} {
			exec(`INSERT INTO jobs (id, kind, key, payload, attempts, due_at, holder, owner, turn, last_error, given_up_at)
				VALUES (?, 'test', ?, '{}', 0, ?, ?, '', 0, '', ?)`,
				db.NewID(), fmt.Sprint(i), db.Millis{Time: job.due}, job.holder, job.gaveUp)
		}
		exec(`INSERT INTO usage_traffic (owner_id, day, kind, drawn, generate_hits, public_hits)
			VALUES (?, ?, 'og', 1, 0, 3)`, h.ID(h.Session), now.UTC().Format(time.DateOnly))
		exec(`INSERT INTO usage_traffic (owner_id, day, kind, drawn, generate_hits, public_hits)
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
