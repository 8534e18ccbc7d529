package app_test

import (
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"masthead/pkg/app/apptest"
	"masthead/pkg/auditlog"
	"masthead/pkg/users"
)

// leaver is an account with something of everything.
type leaver struct {
	apptest.Session
	id, project, publicID, key string
	image, report, badge       *apptest.Response
	// page is an image's address by the page.
	page func(path string) string
	// traces are texts that are only of this account: its address, names and ids.
	traces []string
}

const leaverName = "Grace Brewster Murray"

// newLeaver makes one with the session's password, on the plan Pro.
func newLeaver(t *testing.T, h *apptest.Service) *leaver {
	t.Helper()
	l := &leaver{Session: h.Register()}
	me := apptest.Bearer(l.Access)
	l.id = h.ID(l.Session)
	if _, err := h.App.Users.SetPlan(t.Context(), l.id, "pro"); err != nil {
		t.Fatal(err)
	}
	h.Send("PATCH", "/users/me", map[string]any{"name": leaverName}, me).Want(http.StatusOK)
	project := h.Post("/projects", map[string]any{"name": "Compilers and Cobol", "domains": []string{"127.0.0.1"}}, me).
		Want(http.StatusCreated)
	l.project, l.publicID = project.Text("id"), project.Text("publicId")
	key := h.Post("/keys", map[string]any{"name": "the key of Grace", "projectId": l.project}, me).Want(http.StatusCreated)
	l.key = key.Text("secret")
	generate := map[string]any{"url": h.Site.At("/page/one"), "projectId": l.project}
	l.image = h.Post("/images/generate", generate, apptest.Bearer(l.key)).Want(http.StatusOK)
	l.page = func(path string) string {
		return "/og/" + l.publicID + "?url=" + url.QueryEscape(h.Site.At(path))
	}
	h.Get(l.page("/page/two")).Want(http.StatusOK)
	l.report = h.Post("/audits", map[string]any{"url": h.Site.At("/page/one")}, me).Want(http.StatusOK)
	hook := h.Post(hooks, map[string]any{"url": h.Site.At("/page/one")}, me).Want(http.StatusCreated)
	l.badge = h.Post(watched, map[string]any{"url": h.Site.At("/page/one")}, me).Want(http.StatusCreated)
	l.traces = []string{
		l.Email, leaverName, "Compilers and Cobol", "the key of Grace", l.id, l.project, l.publicID, key.Text("id"),
		l.image.Text("id"), l.image.Text("publicId"), l.report.Text("id"), hook.Text("id"), l.badge.Text("id"),
	}
	return l
}

func (l *leaver) login(h *apptest.Service, password string) *apptest.Response {
	return h.Post("/auth/login", map[string]any{"email": l.Email, "password": password})
}

// TestDeletedAccount_disappearsAndCanBeRestored deletes an account that has something of everything, looks for it from
// everywhere, and signs in.
func TestDeletedAccount_disappearsAndCanBeRestored(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		l := newLeaver(t, h)
		me, admin := apptest.Bearer(l.Access), apptest.Bearer(h.Session.Access)
		h.Get(l.image.Path("publicUrl")).Want(http.StatusOK)
		h.Get(l.badge.Path("badgeUrl")).Want(http.StatusOK)
		h.Send("DELETE", "/users/me", nil, me).Want(http.StatusNoContent)

		h.Get("/users/me", me).Want(http.StatusUnauthorized)
		h.Post("/auth/refresh", map[string]any{"refreshToken": l.Refresh}).Want(http.StatusUnauthorized)
		generate := map[string]any{"url": h.Site.At("/page/one"), "projectId": l.project}
		h.Post("/images/generate", generate, apptest.Bearer(l.key)).Want(http.StatusUnauthorized)
		h.Get("/audits/"+l.report.Text("id")).WantProblem(http.StatusNotFound, "NOT_FOUND")
		h.Get(l.report.Path("pictures.0.shownUrl")).Want(http.StatusNotFound)
		h.Get(l.badge.Path("badgeUrl")).Want(http.StatusNotFound)
		found := h.Get("/admin/users?query="+url.QueryEscape(l.Email), admin).Want(http.StatusOK)
		if n := len(found.Value("items").([]any)); n != 0 {
			t.Errorf("admins find the account: %s", found.Body)
		}
		h.Send("PATCH", "/admin/users/"+l.id, map[string]any{"disabled": false}, admin).Want(http.StatusNotFound)
		h.Post("/auth/register", map[string]any{"email": l.Email, "password": apptest.Password}).Want(http.StatusConflict)
		// What exists is served, and nothing new is drawn.
		h.Get(l.image.Path("publicUrl")).Want(http.StatusOK)
		h.Get(l.page("/page/one")).Want(http.StatusOK)
		h.Get(l.page("/page/two")).Want(http.StatusOK)
		h.Get(l.page("/page/three")).WantProblem(http.StatusNotFound, "NOT_FOUND")

		l.login(h, "not the password").Want(http.StatusUnauthorized)
		h.Get("/audits/" + l.report.Text("id")).Want(http.StatusNotFound)
		h.App.Users.SetNow(func() time.Time { return time.Now().Add(users.Grace - time.Minute) })
		if err := h.App.Users.Purge(t.Context()); err != nil {
			t.Fatal(err)
		}
		h.App.Users.SetNow(time.Now)

		again := l.login(h, l.Password).Want(http.StatusOK)
		if got := again.Text("user.plan") + " " + again.Text("user.name"); got != "free "+leaverName {
			t.Errorf("got the account %s, want it on Free", again.Body)
		}
		me = apptest.Bearer(again.Text("accessToken"))
		h.Get("/projects/"+l.project, me).Want(http.StatusOK)
		h.Get("/images/"+l.image.Text("id"), me).Want(http.StatusOK)
		h.Get("/audits/" + l.report.Text("id")).Want(http.StatusOK)
		h.Get(l.page("/page/three")).Want(http.StatusOK)
		for _, list := range []string{"/keys", hooks, watched} {
			if n := len(h.Get(list, me).Want(http.StatusOK).Value("items").([]any)); n != 0 {
				t.Errorf("%s: %d are left, want none", list, n)
			}
		}
		h.Post("/images/generate", generate, apptest.Bearer(l.key)).Want(http.StatusUnauthorized)
		if err := h.App.Users.Purge(t.Context()); err != nil {
			t.Fatal(err)
		}
		h.Get("/users/me", me).Want(http.StatusOK)
	})
}

// TestDeletedAccount_isRestoredByWhatSignsInAlone tries the other ways in: a link restores it, a new password and the
// password without the second factor don't, and an account that an operator disabled stays disabled.
func TestDeletedAccount_isRestoredByWhatSignsInAlone(t *testing.T) {
	h := apptest.StartSignedIn(t)
	deleting := func(l apptest.Session) bool {
		var n int
		err := h.App.DB.Get(t.Context(), &n, `SELECT COUNT(*) FROM users WHERE email = ? AND deleting_at IS NOT NULL`,
			l.Email)
		if err != nil {
			t.Fatal(err)
		}
		return n == 1
	}
	remove := func(l apptest.Session) {
		h.Send("DELETE", "/users/me", nil, apptest.Bearer(l.Access)).Want(http.StatusNoContent)
	}
	linked := h.Register()
	id := h.ID(linked)
	remove(linked)
	token := h.SignInTokenOf(id, linked.Email)
	if !deleting(linked) {
		t.Error("asking for a link restores the account")
	}
	h.Post("/auth/confirm", map[string]any{"token": token}).Want(http.StatusOK)
	if deleting(linked) {
		t.Error("a link signed in, and the account is deleted all the same")
	}

	forgotten := h.Register()
	id = h.ID(forgotten)
	remove(forgotten)
	_, token, _ = strings.Cut(h.ResetLinkOf(id, forgotten.Email), "#token=")
	reset := map[string]any{"token": token, "newPassword": "another good password"}
	h.Post("/auth/password/reset", reset).Want(http.StatusNoContent)
	if !deleting(forgotten) {
		t.Error("a new password restores the account, which nobody has signed in to")
	}
	h.Post("/auth/login", map[string]any{"email": forgotten.Email, "password": "another good password"}).Want(http.StatusOK)
	if deleting(forgotten) {
		t.Error("the new password doesn't restore the account")
	}

	second := withApp(h)
	remove(second)
	h.Post("/auth/login", map[string]any{"email": second.Email, "password": second.Password}).Want(http.StatusUnauthorized)
	if !deleting(second) {
		t.Error("the password alone restores an account with a second factor")
	}

	disabled := h.Register()
	h.Send("PATCH", "/admin/users/"+h.ID(disabled), map[string]any{"disabled": true}, apptest.Bearer(h.Session.Access)).
		Want(http.StatusOK)
	h.Post("/auth/login", map[string]any{"email": disabled.Email, "password": disabled.Password}).Want(http.StatusUnauthorized)
}

// TestDeletedAccount_nothingOfItIsLeft searches every table and every file once the 14 days are over. The audit log
// keeps ids, and digests of addresses.
func TestDeletedAccount_nothingOfItIsLeft(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		l := newLeaver(t, h)
		me := apptest.Bearer(l.Access)
		before := l.Email
		h.Send("PATCH", "/users/me", map[string]any{"email": "moved-" + before, "currentPassword": l.Password}, me).
			Want(http.StatusOK)
		l.Email = "moved-" + before
		next := "next-" + before
		h.Post("/users/me/email", map[string]any{"email": next, "password": l.Password}, me).Want(http.StatusAccepted)
		l.traces = append(l.traces, l.Email, next)
		l.login(h, "not the password").Want(http.StatusUnauthorized)
		h.Post("/auth/login", map[string]any{"email": strings.ToUpper(l.Email), "password": "wrong"}).
			Want(http.StatusUnauthorized)
		h.SignInToken(l.Session)
		h.Send("DELETE", "/users/me", nil, me).Want(http.StatusNoContent)
		if left := traces(t, h, l.traces); len(left) == 0 {
			t.Fatal("the search finds nothing of an account that is there")
		}
		h.App.Users.SetNow(func() time.Time { return time.Now().Add(users.Grace) })
		for range 2 { // another node, too
			if err := h.App.Users.Purge(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		apptest.WaitFor(t, "the files to go", func() bool {
			return h.Get(l.image.Path("imageUrl")).Status == http.StatusNotFound
		})
		// What its pictures took is added up within a minute.
		if err := h.App.Images.Evictions().Evict(t.Context()); err != nil {
			t.Fatal(err)
		}
		// A job that was due for the webhook runs once more, and finds it gone.
		apptest.WaitFor(t, "its last jobs to end", func() bool {
			return !slices.ContainsFunc(traces(t, h, l.traces), func(left string) bool {
				return strings.HasPrefix(left, "jobs:")
			})
		})
		for _, left := range traces(t, h, l.traces) {
			switch table, _, _ := strings.Cut(left, ":"); table {
			case "audit_events", "image_changes": // the feed of what other nodes must forget, for some minutes
			default:
				t.Error(left)
			}
			for _, address := range []string{before, l.Email, next} {
				if strings.Contains(strings.ToLower(left), address) {
					t.Errorf("the audit log has the address: %s", left)
				}
			}
		}
		var digests int
		err := h.App.DB.Get(t.Context(), &digests, `SELECT COUNT(*) FROM audit_events WHERE subject = ? AND action = ?`,
			auditlog.DigestOf(l.Email), auditlog.LoginFailed)
		if err != nil || digests != 2 {
			t.Errorf("got %d failed sign-ins under the digest of the address (%v), want 2", digests, err)
		}
		// Nobody can sign in, and the address is free again.
		l.login(h, l.Password).Want(http.StatusUnauthorized)
		h.Post("/auth/register", map[string]any{"email": l.Email, "password": apptest.Password}).Want(http.StatusCreated)
	})
}

// traces searches all tables and files for texts, and returns where it found them with the whole row or the file's
// name.
func traces(t *testing.T, h *apptest.Service, texts []string) (found []string) {
	t.Helper()
	for _, table := range tables(t, h) {
		var rows []string
		if err := h.App.DB.Select(t.Context(), &rows, `SELECT `+allOf(t, h, table)+` FROM `+table); err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			for _, text := range texts {
				if strings.Contains(strings.ToLower(row), strings.ToLower(text)) {
					found = append(found, table+": "+row)
					break
				}
			}
		}
	}
	err := filepath.WalkDir(h.Config.DataDir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.Contains(path, "masthead.db") { // its rows are searched above
			return err
		}
		content, err := os.ReadFile(path)
		for _, text := range texts {
			if strings.Contains(string(content), text) || strings.Contains(path, text) {
				found = append(found, path)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// tables returns the names of all tables.
func tables(t *testing.T, h *apptest.Service) (names []string) {
	t.Helper()
	query := `SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`
	if h.Config.Database.URL != "" {
		query = `SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename`
	}
	if err := h.App.DB.Select(t.Context(), &names, query); err != nil || len(names) < 30 {
		t.Fatalf("got the tables %v (%v)", names, err)
	}
	return names
}

// allOf returns an expression for all columns of a table as one text.
func allOf(t *testing.T, h *apptest.Service, table string) string {
	t.Helper()
	query := `SELECT name FROM pragma_table_info(?)`
	if h.Config.Database.URL != "" {
		query = `SELECT column_name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = ?`
	}
	var columns []string
	if err := h.App.DB.Select(t.Context(), &columns, query, table); err != nil || len(columns) == 0 {
		t.Fatalf("got the columns %v of %s (%v)", columns, table, err)
	}
	for i, column := range columns {
		columns[i] = `COALESCE(CAST("` + column + `" AS TEXT), '')`
	}
	return strings.Join(columns, ` || ' | ' || `)
}
