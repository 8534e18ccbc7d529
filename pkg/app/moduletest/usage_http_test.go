package moduletest_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/db"
	"masthead/pkg/usage"
)

// wantCounts compares the counts at a path of a report.
func wantCounts(t *testing.T, r *apptest.Response, path string, ai, drawn, generated, public int) {
	t.Helper()
	got := make([]any, 0, 4)
	for _, name := range []string{"ai", "drawn", "generateHits", "publicHits"} {
		got = append(got, r.Value(path+"."+name))
	}
	if want := fmt.Sprint([]int{ai, drawn, generated, public}); fmt.Sprint(got) != want {
		t.Errorf("%s: got ai, drawn, generateHits and publicHits %v, want %s", path, got, want)
	}
}

// usageWantUnits compares the units at a path of a report.
func usageWantUnits(t *testing.T, r *apptest.Response, path string, limit, used, kept, left int) {
	t.Helper()
	got := make([]any, 0, 4)
	for _, name := range []string{"limit", "used", "kept", "left"} {
		got = append(got, r.Value(path+"."+name))
	}
	if want := fmt.Sprint([]int{limit, used, kept, left}); fmt.Sprint(got) != want {
		t.Errorf("%s: got limit, used, kept and left %v, want %s", path, got, want)
	}
}

func idOf(h *apptest.Service, session apptest.Session) string {
	return h.Get("/users/me", apptest.Bearer(session.Access)).Want(http.StatusOK).Text("id")
}

// Cache hits and template-only renders use no quota, but are shown to the user.
func TestUsage_countsWhatIsNotMetered(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		user := apptest.Bearer(h.Session.Access)
		first := h.Generate("/page/one", nil).Want(http.StatusOK)
		h.Generate("/page/one", nil).Want(http.StatusOK)
		h.Generate("/page/one", nil).Want(http.StatusOK)
		h.Generate("/page/one", map[string]any{"kind": "blog_hero"}).Want(http.StatusOK)
		h.Generate("/gone", nil).Want(http.StatusBadGateway)
		picture := first.Path("publicUrl")
		tag := h.Get(picture).Want(http.StatusOK).Header.Get("ETag")
		h.Get(picture, apptest.Header("If-None-Match", tag)).Want(http.StatusNotModified)
		h.Get(picture, apptest.Header("User-Agent", "Twitterbot/1.0")).Want(http.StatusOK)
		h.Get(first.Path("imageUrl")).Want(http.StatusOK)
		h.Get("/og/abcdefghijklmnopqrstuv").Want(http.StatusNotFound)
		for range 2 { // what was written is not written again
			if err := h.App.Usage.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		r := h.Get("/usage", user).Want(http.StatusOK)
		wantCounts(t, r, "total", 0, 2, 2, 3)
		wantCounts(t, r, "days.0", 0, 2, 2, 3)
		if kinds := r.Text("kinds.0.kind") + " " + r.Text("kinds.1.kind"); kinds != "blog_hero og" {
			t.Errorf("got the kinds %s", kinds)
		}
		wantCounts(t, r, "kinds.0", 0, 1, 0, 0)
		wantCounts(t, r, "kinds.1", 0, 1, 2, 3)
		usageWantUnits(t, r, "ai", 3, 0, 0, 3)
		// More of the same is added.
		h.Generate("/page/one", nil).Want(http.StatusOK)
		if err := h.App.Usage.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		wantCounts(t, h.Get("/usage", user).Want(http.StatusOK), "total", 0, 2, 3, 3)
		// What is somebody else's is not told.
		other := h.Get("/usage", apptest.Bearer(h.Register().Access)).Want(http.StatusOK)
		wantCounts(t, other, "total", 0, 0, 0, 0)
		wantCounts(t, h.Get("/usage?month=2001-01", user).Want(http.StatusOK), "total", 0, 0, 0, 0)
	})
}

// Monthly quotas of AI images, with a lower one for the pro model.
func TestUsage_tellsUnitsUsedKeptAndLeft(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		user, owner := apptest.Bearer(h.Session.Access), idOf(h, h.Session)
		if _, err := h.App.Users.SetPlan(t.Context(), owner, "pro"); err != nil {
			t.Fatal(err)
		}
		reserve := func(job string, pro bool) *usage.Reservation {
			t.Helper()
			r, err := h.App.Usage.Reserve(t.Context(), owner, job, pro)
			if err != nil {
				t.Fatal(err)
			}
			r.Source = usage.Source{ProjectID: h.Project, Kind: "og"}
			return r
		}
		commit := func(r *usage.Reservation) {
			t.Helper()
			if err := h.App.DB.InTx(t.Context(), func(tx *db.Tx) error {
				return r.Commit(t.Context(),
					tx)
			}); err != nil {
				t.Fatal(err)
			}
		}
		commit(reserve("a", false))
		commit(reserve("b", true))
		reserve("c", true)
		if err := reserve("d", false).Release(t.Context()); err != nil {
			t.Fatal(err)
		}
		r := h.Get("/usage", user).Want(http.StatusOK)
		usageWantUnits(t, r, "ai", 1000, 3, 2, 997)
		usageWantUnits(t, r, "aiPro", 300, 2, 1, 298)
		wantCounts(t, r, "total", 2, 0, 0, 0)
		wantCounts(t, r, "days.0", 2, 0, 0, 0)
		wantCounts(t, r, "kinds.0", 2, 0, 0, 0)
		if got, want := r.Text("days.0.date"), time.Now().UTC().Format(time.DateOnly); got != want {
			t.Errorf("got the day %s, want %s", got, want)
		}
		over := h.Get("/usage?month=2001-01", user).Want(http.StatusOK)
		usageWantUnits(t, over, "ai", 1000, 0, 0, 0)
		// Down to Free, all that is used counts; nothing is below zero.
		if _, err := h.App.Users.SetPlan(t.Context(), owner, "free"); err != nil {
			t.Fatal(err)
		}
		r = h.Get("/usage", user).Want(http.StatusOK)
		usageWantUnits(t, r, "ai", 3, 3, 2, 0)
		usageWantUnits(t, r, "aiPro", 0, 2, 1, 0)
	})
}

// TestUsage_isByProjectAndKey also reads it as CSV, with names that a spreadsheet would run.
func TestUsage_isByProjectAndKey(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		user := apptest.Bearer(h.Session.Access)
		project := h.Post("/projects", map[string]any{"name": "=cmd|' /C calc'!A0", "domains": []string{"127.0.0.1"}}, user).
			Want(http.StatusCreated).Text("id")
		key := h.Post("/keys", map[string]any{"name": "@build, \"nightly\"", "projectId": project}, user).
			Want(http.StatusCreated)
		gone := h.Post("/keys", map[string]any{"name": "gone", "projectId": project}, user).Want(http.StatusCreated)
		generate := func(path, project string, key string) *apptest.Response {
			return h.Post("/images/generate", map[string]any{"url": h.Site.At(path), "projectId": project,
				"kind": "og"},
				apptest.Bearer(key)).Want(http.StatusOK)
		}
		picture := generate("/page/one", project, key.Text("secret"))
		generate("/page/one", project, gone.Text("secret"))
		generate("/page/one", h.Project, h.Key)
		for range 3 { // the regular path, and what is served from memory
			h.Get(picture.Path("publicUrl")).Want(http.StatusOK)
		}
		h.Send("DELETE", "/keys/"+gone.Text("id"), nil, user).Want(http.StatusNoContent)
		unit, err := h.App.Usage.Reserve(t.Context(), h.ID(h.Session), "a", false)
		if err != nil {
			t.Fatal(err)
		}
		unit.Source = usage.Source{ProjectID: project, KeyID: key.Text("id"), Kind: "og"}
		if err := h.App.DB.InTx(t.Context(), func(tx *db.Tx) error {
			return unit.Commit(t.Context(),
				tx)
		}); err != nil {
			t.Fatal(err)
		}
		if err := h.App.Usage.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		r := h.Get("/usage", user).Want(http.StatusOK)
		wantCounts(t, r, "total", 1, 2, 1, 3)
		for at, want := range map[string]string{
			"projects.0.name": "=cmd|' /C calc'!A0", "projects.0.projectId": project, "projects.1.projectId": h.Project,
			"keys.0.keyId": key.Text("id"), "keys.0.name": "@build, \"nightly\"", "keys.2.keyId": gone.Text("id"),
		} {
			if got := r.Text(at); got != want {
				t.Errorf("%s: got %q, want %q", at, got, want)
			}
		}
		wantCounts(t, r, "projects.0", 1, 1, 1, 3)
		wantCounts(t, r, "projects.1", 0, 1, 0, 0)
		wantCounts(t, r, "keys.0", 1, 1, 0, 0)
		wantCounts(t, r, "keys.1", 0, 1, 0, 0)
		wantCounts(t, r, "keys.2", 0, 0, 1, 0)
		wantCounts(t, r, "keys.3", 0, 0, 0, 3)
		if r.Value("keys.2.name") != nil || r.Value("keys.3.keyId") != nil {
			t.Errorf("got the keys %v, want a deleted one and none", r.Value("keys"))
		}
		table := h.Get("/usage", user, apptest.Header("Accept", "text/csv")).Want(http.StatusOK)
		if got := table.Header.Get("Content-Type"); got != "text/csv" {
			t.Errorf("got the type %s", got)
		}
		read, err := csv.NewReader(bytes.NewReader(table.Body)).ReadAll()
		if err != nil || len(read) != 5 {
			t.Fatalf("got %q (%v), want 4 rows and their names", table.Body, err)
		}
		found := map[string]bool{}
		for _, row := range read {
			found[strings.Join(row, ";")] = true
		}
		day, named := time.Now().UTC().Format(time.DateOnly), project+";'=cmd|' /C calc'!A0;"
		for _, row := range []string{
			"date;projectId;project;keyId;key;kind;ai;drawn;generateHits;publicHits",
			day + ";" + named + key.Text("id") + ";'@build, \"nightly\";og;1;1;0;0",
			day + ";" + named + gone.Text("id") + ";;og;0;0;1;0",
			day + ";" + named + ";;og;0;0;0;3",
		} {
			if !found[row] {
				t.Errorf("%s isn't among %v", row, found)
			}
		}
		// Clients that accept anything get JSON.
		for _, accept := range []string{
			"*/*", "text/html,application/xml;q=0.9,*/*;q=0.8", "application/json,text/csv;q=0.5", "image/png", ";;,/",
		} {
			any := h.Get("/usage", user, apptest.Header("Accept", accept)).Want(http.StatusOK)
			if got := any.Header.Get("Content-Type"); got != "application/json" ||
				!slices.Contains(any.Header.Values("Vary"), "Accept") {
				t.Errorf("Accept: %s: got %s", accept, got)
			}
		}
		stranger := apptest.Bearer(h.Register().Access)
		other := h.Get("/usage", stranger, apptest.Header("Accept", "Text/CSV")).Want(http.StatusOK)
		if got := strings.Count(string(other.Body), "\n"); got != 1 {
			t.Errorf("another account gets %q, want the names alone", other.Body)
		}
	})
}

// What was counted before there were projects in it, and by nodes that don't count them yet, is in the report.
func TestUsage_ofEarlierVersionsIsThere(t *testing.T) {
	run(t, func(t *testing.T, l *ledger) {
		if _, err := l.d.Exec(t.Context(), `
			INSERT INTO usage_traffic (owner_id, day, kind, drawn, generate_hits, public_hits)
			VALUES (?, '2026-11-30', 'og', 3, 2, 1)`, l.owner); err != nil {
			t.Fatal(err)
		}
		l.Count(usage.Drawn, l.owner, usage.Source{ProjectID: "p", KeyID: "k", Kind: "og"})
		if err := l.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		r := l.report(t, november)
		got := fmt.Sprint(r.Days, r.Kinds, r.Projects, r.Keys)
		want := "[{2026-11-30 {0 4 2 1}}] [{og {0 4 2 1}}] [{p  {0 1 0 0}} {  {0 3 2 1}}] [{k  {0 1 0 0}} {  {0 3 " +
			"2 1}}]"
		if got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	})
}

func TestPlans_areShownToEverybody(t *testing.T) {
	h := apptest.Start(t, func(c *app.Config) { c.Billing.FreeRPM, c.Billing.PlusRPM, c.Billing.ProRPM = 0, 0, 0 })
	r := h.Get("/billing/plans").Want(http.StatusOK)
	got := fmt.Sprint(r.Value("items"))
	want := fmt.Sprint([]any{
		map[string]any{"name": "free", "requestsPerMinute": 20, "aiUnits": 3, "proUnits": 0,
			"models":  []any{"standard"},
			"history": false, "assetBytes": 1e7, "batchRequests": 100, "webhooks": 1, "watches": 3, "designs": 1,
			"watchEvery": "week",
			"sitePages":  25, "periods": []any{}},
		map[string]any{"name": "plus", "requestsPerMinute": 100, "aiUnits": 100, "proUnits": 0,
			"models": []any{"standard"}, "history": true, "assetBytes": 5e8, "batchRequests": 5000, "webhooks": 10,
			"watches": 50, "designs": 20,
			"watchEvery": "day", "sitePages": 500, "periods": []any{}},
		map[string]any{"name": "pro", "requestsPerMinute": 500, "aiUnits": 1000, "proUnits": 300,
			"models": []any{"standard", "pro"}, "history": true, "assetBytes": 5e9, "batchRequests": 50000,
			"webhooks": 50, "watches": 500, "designs": 200,
			"watchEvery": "day", "sitePages": 5000, "periods": []any{}},
	})
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
