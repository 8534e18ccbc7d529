package moduletest_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"masthead/pkg/app/apptest"
	"masthead/pkg/db"
)

func itemsOf(r *apptest.Response) []any { return r.Want(http.StatusOK).Value("items").([]any) }

// TestFind_isNarrowedDown finds accounts by plan, role and being disabled, and shows why a plan was given.
func TestFind_isNarrowedDown(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		admin := apptest.Bearer(h.Session.Access)
		given, disabled := h.ID(h.Register()), h.ID(h.Register())
		until := time.Now().Add(time.Hour).UTC().Format(time.RFC3339)
		gift := change(h, given, map[string]any{"plan": "pro", "planUntil": until, "planReason": "Speaker\x00 at our meetup"})
		if got := gift.Want(http.StatusOK).Text("planReason"); got != "Speaker at our meetup" {
			t.Errorf("got the reason %q", got)
		}
		change(h, given, map[string]any{"planReason": "none"}).WantProblem(http.StatusBadRequest, "BAD_REQUEST")
		change(h, given, map[string]any{"plan": "free", "planReason": "none"}).Want(http.StatusBadRequest)
		change(h, disabled, map[string]any{"disabled": true}).Want(http.StatusOK)
		for query, want := range map[string]string{
			"plan=pro": given, "disabled=true": disabled, "role=admin": h.ID(h.Session),
			"plan=pro&disabled=false&role=user&query=example": given,
		} {
			found := itemsOf(h.Get("/admin/users?"+query, admin))
			if len(found) != 1 || found[0].(map[string]any)["id"] != want {
				t.Errorf("%s: got %v, want %s alone", query, found, want)
			}
		}
		if found := itemsOf(h.Get("/admin/users?plan=pro&disabled=true", admin)); len(found) != 0 {
			t.Errorf("got %v, want nobody", found)
		}
		log := itemsOf(h.Get("/admin/audit-log?action=admin_act", admin))
		if told := fmt.Sprint(log); !strings.Contains(told, "gift pro until "+until+" (Speaker at our meetup)") {
			t.Errorf("the audit log says %s", told)
		}
		change(h, given, map[string]any{"plan": "free"}).Want(http.StatusOK)
		taken := h.Get("/admin/users?query="+url.QueryEscape(gift.Text("email")), admin).Want(http.StatusOK)
		if reason := taken.Value("items.0.planReason"); reason != nil {
			t.Errorf("the reason %v is left of a gift that was taken back", reason)
		}
	})
}

// TestAuditLog_isFilteredAndATable pages through events of one action, and reads the same as CSV.
func TestAuditLog_isFilteredAndATable(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		admin := apptest.Bearer(h.Session.Access)
		other := h.Register()
		for i := range 5 {
			h.Post("/keys", map[string]any{"name": fmt.Sprint(i)}, apptest.Bearer(other.Access)).Want(http.StatusCreated)
		}
		h.Post("/auth/login", map[string]any{"email": `=cmd@example.com`, "password": "wrong"}).
			Want(http.StatusUnauthorized)
		query := "/admin/audit-log?action=key_create&actorId=" + h.ID(other)
		var subjects []string
		for next := ""; ; {
			page := h.Get(query+"&limit=2"+next, admin).Want(http.StatusOK)
			for _, e := range itemsOf(page) {
				subjects = append(subjects, e.(map[string]any)["subject"].(string))
			}
			cursor, more := page.Value("nextCursor").(string)
			if !more {
				break
			}
			next = "&cursor=" + cursor
		}
		if len(subjects) != 5 || !strings.HasPrefix(subjects[0], "og_live_") {
			t.Errorf("got the subjects %v, want five keys", subjects)
		}
		one := itemsOf(h.Get("/admin/audit-log?subject="+subjects[2], admin))
		if len(one) != 1 {
			t.Errorf("got %v for one subject", one)
		}
		now := time.Now()
		at := func(t time.Time) string { return t.UTC().Format(time.RFC3339) }
		for bounds, want := range map[string]int{
			"&from=" + at(now.Add(time.Minute)):  0,
			"&to=" + at(now.Add(-time.Minute)):   0,
			"&from=" + at(now.Add(-time.Minute)): 5,
		} {
			if got := itemsOf(h.Get(query+bounds, admin)); len(got) != want {
				t.Errorf("%s: got %d events, want %d", bounds, len(got), want)
			}
		}
		table := h.Get("/admin/audit-log?limit=2", admin, apptest.Header("Accept", "text/csv")).Want(http.StatusOK)
		rows, err := csv.NewReader(bytes.NewReader(table.Body)).ReadAll()
		if err != nil || len(rows) < 8 ||
			strings.Join(rows[0], ",") != "id,at,action,actorId,subject,address,requestId,times" {
			t.Fatalf("got %q (%v)", table.Body, err)
		}
		if rows[1][2] != "login_failed" || rows[1][4] != "'=cmd@example.com" || rows[1][5] != "127.0.0.1" {
			t.Errorf("the newest event is %q", rows[1])
		}
		h.Get("/admin/audit-log", apptest.Bearer(other.Access), apptest.Header("Accept", "text/csv")).
			Want(http.StatusForbidden)
	})
}

// TestFailedSignIns_areCountedBySource has failures of two accounts, and one that is older than what is asked for.
func TestFailedSignIns_areCountedBySource(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		admin := apptest.Bearer(h.Session.Access)
		login := func(email string) {
			h.Post("/auth/login", map[string]any{"email": email, "password": "wrong"}).Want(http.StatusUnauthorized)
		}
		other := h.Register()
		for range 3 {
			login(other.Email)
		}
		login("nobody@example.com")
		login("old@example.com")
		login("not an address")
		_, err := h.App.DB.Exec(t.Context(), `UPDATE audit_events SET at = at - 7200000 WHERE subject = 'old@example.com'`)
		if err != nil {
			t.Fatal(err)
		}
		got := itemsOf(h.Get("/admin/failed-sign-ins?hours=1", admin))
		first := got[0].(map[string]any)
		if len(got) != 3 || first["subject"] != other.Email || first["attempts"] != 3.0 || first["what"] != "password" ||
			first["address"] != "127.0.0.1" {
			t.Errorf("got %v", got)
		}
		if got := itemsOf(h.Get("/admin/failed-sign-ins", admin)); len(got) != 4 {
			t.Errorf("in a day: got %v", got)
		}
	})
}

// TestJobs_areShownRetriedAndCanceled has a job of a kind that no worker does.
func TestJobs_areShownRetriedAndCanceled(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		admin := apptest.Bearer(h.Session.Access)
		owner := h.ID(h.Session)
		id := db.NewID()
		if _, err := h.App.DB.Exec(t.Context(), `INSERT INTO jobs (id, kind, key, payload, attempts, due_at, holder,
			owner, turn, last_error, given_up_at) 
			VALUES (?, 'test', 'key', '{}', 8, 9223372036854775807, '', ?, 0, 'no answer', ?)`,
			id, owner, time.Now().UnixMilli()); err != nil {
			t.Fatal(err)
		}
		of := func(state string) bool {
			found := itemsOf(h.Get("/admin/jobs?kind=test", admin))
			if len(found) != 1 {
				t.Fatalf("got the jobs %v", found)
			}
			job := found[0].(map[string]any)
			return job["id"] == id && job["state"] == state && job["ownerId"] == owner && job["lastError"] == "no answer"
		}
		if !of("GIVEN_UP") {
			t.Error("the job isn't shown as given up")
		}
		h.Post("/admin/jobs/"+id+"/retry", nil, admin).Want(http.StatusNoContent)
		if !of("WAITING") || len(itemsOf(h.Get("/admin/jobs?kind=test&givenUp=true", admin))) != 0 {
			t.Error("the job isn't shown as waiting")
		}
		h.Post("/admin/jobs/"+id+"/retry", nil, admin).WantProblem(http.StatusConflict, "CONFLICT")
		h.Post("/admin/jobs/"+id+"/cancel", nil, admin).Want(http.StatusNoContent)
		h.Post("/admin/jobs/"+id+"/cancel", nil, admin).WantProblem(http.StatusNotFound, "NOT_FOUND")
		log := fmt.Sprint(itemsOf(h.Get("/admin/audit-log?action=admin_act&actorId="+owner, admin)))
		if !strings.Contains(log, "retried job "+id) || !strings.Contains(log, "canceled job "+id) {
			t.Errorf("the audit log has %s", log)
		}
	})
}
