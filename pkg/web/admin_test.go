package web_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/db"
	"masthead/pkg/mail/mailtest"
	"masthead/pkg/web/webtest"
)

const adminPath = "/dashboard/admin"

var adminPaths = []string{
	adminPath, adminPath + "/people", adminPath + "/jobs", adminPath + "/outbox",
	adminPath + "/sign-ins", adminPath + "/log",
}

// withWork gives the installation a job that was given up and a failed sign-in, with hostile texts.
func withWork(t *testing.T, h *apptest.Service) (job string) {
	t.Helper()
	job = db.NewID()
	_, err := h.App.DB.Exec(t.Context(), `INSERT INTO jobs
		(id, kind, key, payload, attempts, due_at, holder, given_up_at, last_error)
		VALUES (?, 'mail', ?, '{}', 3, ?, '', ?, ?)`, job, webtest.Payload, time.Now().UnixMilli(),
		time.Now().UnixMilli(),
		webtest.Payload)
	if err != nil {
		t.Fatal(err)
	}
	h.Post("/auth/login", map[string]any{"email": "nobody@example.com", "password": "not it at all"})
	return job
}

func TestAdmin_onlyForAdmins(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	admin, other := webtest.SignIn(t, h.Base, h.Session.Access), webtest.SignIn(t, h.Base, h.Register().Access)
	for _, path := range adminPaths {
		page := admin.Get(path)
		if page.Status != http.StatusOK || page.Private() != "" || !strings.Contains(page.Body, `aria-current="page"`) {
			t.Errorf("%s: %d %s %s", path, page.Status, page.Private(), page.Main())
		}
		if hostile := admin.Get(path + "?query=%22%3E&cursor=%FF&day=x&action=%3Cb%3E"); hostile.Status >= 500 {
			t.Errorf("%s with a hostile query: %d", path, hostile.Status)
		}
		if page := other.Get(path); page.Status != http.StatusForbidden {
			t.Errorf("%s for others: %d", path, page.Status)
		}
		if path == adminPath+"/sign-ins" || path == adminPath+"/log" {
			continue
		}
		for _, do := range []string{"begin", "end", "save", "disable", "enable", "retry", "cancel", "link", "nothing"} {
			form := fields("do", do, "id", h.ID(h.Session), "plan", "pro", "role", "admin")
			if page := other.Post(path, form); page.Status != http.StatusForbidden &&
				page.Status != http.StatusBadRequest {
				t.Errorf("%s of %s for others: %d", do, path, page.Status)
			}
		}
		if page := admin.Post(path, fields("do", "nothing")); page.Status < 400 || page.Status > 499 {
			t.Errorf("an unknown form of %s: %d", path, page.Status)
		}
	}
	if page := other.Get("/dashboard/keys"); strings.Contains(page.Body, adminPath) {
		t.Error("others are led to the administration")
	}
}

func TestAdmin_peopleJobsAndMaintenance(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	v, other := webtest.SignIn(t, h.Base, h.Session.Access), h.Register()
	job := withWork(t, h)
	h.Send("PATCH", "/users/me", map[string]any{"name": webtest.Payload},
		apptest.Bearer(other.Access)).Want(http.StatusOK)
	peoplePath := adminPath + "/people"
	webtest.WantText(t, v.Get(peoplePath), 1)
	if page := v.Get(peoplePath + "?query=" + other.Email); strings.Contains(page.Main(), h.Session.Email) {
		t.Errorf("the search: %s", page.Main())
	}
	id := h.ID(other)
	saved := v.Post(peoplePath, fields("do", "save", "id", id, "plan", "plus", "role", "user"))
	if saved.Header.Get("Location") != peoplePath+"?done=save" ||
		h.Get("/users/me", apptest.Bearer(other.Access)).Text("plan") != "plus" {
		t.Errorf("saved: %d %s", saved.Status, saved.Main())
	}
	if own := v.Post(peoplePath, fields("do", "disable", "id", h.ID(h.Session))); own.Status != 422 ||
		!strings.Contains(own.Body, `role="alert"`) {
		t.Errorf("one's own: %d %s", own.Status, own.Main())
	}
	if ask := v.Get(peoplePath + "?disable=" + id); !strings.Contains(ask.Body, "Nothing is deleted") {
		t.Errorf("disable: %s", ask.Main())
	}
	v.Post(peoplePath, fields("do", "disable", "id", id))
	h.Get("/users/me", apptest.Bearer(other.Access)).Want(http.StatusUnauthorized)
	if page := v.Get(peoplePath); !strings.Contains(page.Body, `value="enable"`) {
		t.Errorf("a disabled account: %s", page.Main())
	}

	grace := fields("do", "create", "email", "grace@example.com", "password", "correct horse battery")
	if page := v.Post(peoplePath, grace); page.Header.Get("Location") != peoplePath+"?done=create" {
		t.Errorf("created: %d %s", page.Status, page.Main())
	}
	login := map[string]any{"email": "grace@example.com", "password": "correct horse battery"}
	h.Post("/auth/login", login).Want(http.StatusOK)
	for _, form := range []url.Values{
		grace, fields("do", "create", "email", "no email", "password", "correct horse battery"),
		fields("do", "create", "email", "ada@example.com", "password", "short"),
	} {
		if page := v.Post(peoplePath, form); page.Status != 422 || !strings.Contains(page.Body, `aria-invalid="true"`) ||
			strings.Contains(page.Body, `value="`+form.Get("password")) {
			t.Errorf("%v: %d %s", form, page.Status, page.Main())
		}
	}

	list := v.Get(adminPath + "/jobs?givenUp=true")
	webtest.WantText(t, list, 2) // its key and its error
	if page := v.Post(adminPath+"/jobs", fields("do", "retry", "id", job)); page.Header.Get("Location") == "" {
		t.Errorf("retried: %d %s", page.Status, page.Main())
	}
	if page := v.Get(adminPath + "/sign-ins"); !strings.Contains(page.Body, "nobody@example.com") {
		t.Errorf("failed sign-ins: %s", page.Main())
	}
	if page := v.Get(adminPath + "/log?action=admin_act"); !strings.Contains(page.Body, "<code>admin_act</code>") {
		t.Errorf("the log: %s", page.Main())
	}
	if file := v.Get(adminPath + "/log.csv?action=admin_act&day="); file.Status != http.StatusOK ||
		!strings.HasPrefix(file.Header.Get("Content-Type"), "text/csv") || !strings.Contains(file.Body, "admin_act") {
		t.Errorf("the log as CSV: %d %s", file.Status, file.Body)
	}
	v.Post(adminPath, fields("do", "begin", "reason", webtest.Payload))
	webtest.WantText(t, v.Get(adminPath), 1)
	if page := v.Post(adminPath, fields("do", "end")); page.Header.Get("Location") != adminPath+"?done=end" {
		t.Errorf("the end: %d %s", page.Status, page.Main())
	}
}

// TestAdmin_resendMails sends a refused email again, after a question.
func TestAdmin_resendMails(t *testing.T) {
	t.Parallel()
	mails := mailtest.New(t, mailtest.StartTLS)
	h := apptest.StartSignedIn(t, func(c *app.Config) { c.Mail = mails.Config })
	v, path := webtest.SignIn(t, h.Base, h.Session.Access), adminPath+"/outbox"
	apptest.WaitFor(t, "the mail to the new account", func() bool { return len(mails.Mails()) == 1 })
	apptest.WaitFor(t, "its row", func() bool {
		return strings.Contains(v.Get(path+"?state=sent").Main(), h.Session.Email)
	})
	_, err := h.App.DB.Exec(t.Context(), `UPDATE mails SET state = 'refused', data = '{}', error = ?`, webtest.Payload)
	if err != nil {
		t.Fatal(err)
	}
	refused := v.Get(path + "?state=refused")
	webtest.WantText(t, refused, 1)
	if ask := v.Get(path + "?resend=confirm_address"); !strings.Contains(ask.Main(), "“Confirm address” again?") {
		t.Errorf("the question: %s", ask.Main())
	}
	for kind, want := range map[string]string{"payment_failed": "none", "confirm_address": "resent"} {
		page := v.Post(path, fields("do", "resend", "kind", kind))
		if page.Header.Get("Location") != path+"?done="+want {
			t.Errorf("%s: %d %s", kind, page.Status, page.Main())
		}
	}
	if page := v.Post(path, fields("do", "resend", "kind", "all")); page.Header.Get("Location") != path+"?done=none" {
		t.Errorf("a second time: %d %s", page.Status, page.Main())
	}
	if page := v.Post(path, fields("do", "resend", "kind", "letter")); page.Status != http.StatusUnprocessableEntity {
		t.Errorf("an unknown kind: %d %s", page.Status, page.Main())
	}
	if page := v.Get(adminPath + "/log?action=admin_act"); !strings.Contains(page.Body, "1 failed email sent again") {
		t.Errorf("the log: %s", page.Main())
	}
	ctx, ok := webtest.Browser(t)
	if !ok {
		return
	}
	if err := webtest.Run(ctx, webtest.SignedIn(h.Base, h.Session.Access)); err != nil {
		t.Fatal(err)
	}
	webtest.Look(t, ctx, h.Base, webtest.State{Name: "outbox-resend", Path: path},
		webtest.State{Name: "outbox-ask", Path: path + "?resend=all#again"})
}

// TestAdmin_jobsInWords has a job of each kind that this program does, as its metrics name them, and one of another
// program.
func TestAdmin_jobsInWords(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t, func(c *app.Config) {
		c.JobsEvery, c.Monitor.Addr = time.Hour, "127.0.0.1:0"
	})
	kinds := map[string]bool{"of another program": true}
	label := regexp.MustCompile(`masthead_jobs_\w+\{[^}]*kind="([^"]+)"`)
	for _, found := range label.FindAllStringSubmatch(h.Metrics(), -1) {
		kinds[found[1]] = true
	}
	if len(kinds) < 15 {
		t.Fatalf("the program does %v", kinds)
	}
	for kind := range kinds {
		_, err := h.App.DB.Exec(t.Context(), `INSERT INTO jobs
			(id, kind, key, payload, attempts, due_at, holder, given_up_at, last_error)
			VALUES (?, ?, 'x', '{}', 3, 4000000000000, '', 1, 'Post "http://x": dial: lookup x: no such host')`,
			db.NewID(), kind)
		if err != nil {
			t.Fatal(err)
		}
	}
	v := webtest.SignIn(t, h.Base, h.Session.Access)
	for _, path := range []string{adminPath, adminPath + "/jobs"} {
		page := v.Get(path)
		names := regexp.MustCompile(`<th scope="row">([^<]+)<`).FindAllStringSubmatch(page.Body, -1)
		if len(names) < len(kinds) { // the service has one of its own
			t.Errorf("%s has %d jobs, want %d", path, len(names), len(kinds))
		}
		for _, found := range names {
			lower := strings.ToLower(found[1])
			if kinds[lower] && lower != "of another program" || strings.Contains(lower, "_") {
				t.Errorf("%s has no words for %q", path, found[1])
			}
		}
	}
	page := v.Get(adminPath + "/jobs?kind=site")
	if strings.Count(page.Body, "Audit of a site</option>") != 1 || strings.Count(page.Body, `<th scope="row">`) != 1 ||
		!strings.Contains(page.Body, "<span><bdi>The host name doesn’t exist.</bdi></span>") {
		t.Errorf("a kind: %s", page.Main())
	}
}

func TestAdmin_looks(t *testing.T) {
	t.Parallel()
	ctx, ok := webtest.Browser(t)
	if !ok {
		return
	}
	h := apptest.StartSignedIn(t)
	withWork(t, h)
	other := h.Register()
	h.Post("/auth/forgot-password", map[string]any{"email": other.Email})
	if err := webtest.Run(ctx, webtest.SignedIn(h.Base, h.Session.Access)); err != nil {
		t.Fatal(err)
	}
	states := []webtest.State{{Name: "admin-people", Path: adminPath + "/people?disable=" + h.ID(other)}}
	for _, path := range adminPaths {
		name := strings.ReplaceAll(strings.TrimPrefix(path, "/dashboard/"), "/", "-") + "-page"
		states = append(states, webtest.State{Name: name, Path: path})
	}
	webtest.Look(t, ctx, h.Base, states...)
}
