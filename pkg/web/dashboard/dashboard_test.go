package dashboard_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"masthead/pkg/app/apptest"
	"masthead/pkg/web/ui"
	"masthead/pkg/web/webtest"
)

func TestMain(m *testing.M) { webtest.Main(m) }

var fields = webtest.Fields

const adminPath = "/dashboard/admin"

// adminPaths are the pages of the administration.
var adminPaths = []string{
	adminPath, adminPath + "/people", adminPath + "/jobs", adminPath + "/outbox", adminPath + "/sign-ins",
	adminPath + "/log",
}

// paths are all pages, those of the administration aside.
var paths = []string{
	"/dashboard/images", "/dashboard/audits", "/dashboard/projects", "/dashboard/keys", "/dashboard/usage",
	"/dashboard/settings", "/dashboard/audits/reports", "/dashboard/audits/sitemaps", "/dashboard/audits/sites", "/dashboard/webhooks",
	"/dashboard/notifications", "/dashboard/billing", "/dashboard/designs", "/dashboard",
}

func TestDashboard_frame(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	hostile := map[string]any{"name": webtest.Payload}
	h.Send("PATCH", "/users/me", hostile, apptest.Bearer(h.Session.Access)).Want(http.StatusOK)
	v := webtest.SignIn(t, h.Base, h.Session.Access)
	for _, path := range paths {
		page := v.Get(path)
		if fault := page.Private(); page.Status != http.StatusOK || fault != "" {
			t.Errorf("%s: %d, %s", path, page.Status, fault)
		}
		webtest.WantText(t, page, 1)
		_, style, _ := strings.Cut(page.Body, "<style")
		if style, _, _ = strings.Cut(style, "</style>"); len(style) > ui.MaxStyle {
			t.Errorf("%s has %d bytes of style, more than %d", path, len(style), ui.MaxStyle)
		}
		if strings.Count(page.Body, `href="`+path+`" aria-current="page"`) < 1 {
			t.Errorf("%s doesn't say which section it is in", path)
		}
		head := v.Get(path + "?done=" + url.QueryEscape(webtest.Payload) + "&cursor=%FF")
		if head.Status >= http.StatusInternalServerError || strings.Contains(head.Body, "<img src=x") {
			t.Errorf("%s with a hostile query: %d", path, head.Status)
		}
		// Other methods are refused, not unknown.
		h.Send("PUT", path, nil).WantProblem(http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED")

		anonymous := webtest.NewVisitor(t, h.Base)
		to := anonymous.Get(path + "?x=1")
		if to.Status != http.StatusSeeOther || to.Header.Get("Location") != "/sign-in?next="+url.QueryEscape(path+"?x=1") {
			t.Errorf("%s, signed out: %d to %q", path, to.Status, to.Header.Get("Location"))
		}
		for header, value := range map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"} {
			if path == "/dashboard/images" || path == "/dashboard/usage" || path == "/dashboard" {
				continue // it has no form
			}
			if page := v.Post(path, fields("do", "create", "name", "x"), header, value); page.Status != http.StatusForbidden {
				t.Errorf("%s, a form from elsewhere (%s): %d", path, header, page.Status)
			}
		}
	}
	missing := v.Get("/dashboard/keys?cursor=nonsense")
	if missing.Status != http.StatusNotFound || !strings.Contains(missing.Body, "There’s nothing here") {
		t.Errorf("a cursor that isn't one: %d %s", missing.Status, missing.Main())
	}
}

// TestDashboard_endOfTheSession sends a form once the session has ended: what was typed comes back, to be sent again.
func TestDashboard_endOfTheSession(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	v := webtest.NewVisitor(t, h.Base)
	form := fields("do", "create", "name", webtest.Payload, "currentPassword", "a secret word")
	page := v.Post("/dashboard/keys", form)
	if page.Status != http.StatusUnauthorized || page.Private() != "" || strings.Contains(page.Body, "a secret word") ||
		!strings.Contains(page.Body, `name="do" value="create"`) {
		t.Errorf("got %d %s", page.Status, page.Main())
	}
	webtest.WantText(t, page, 1)
	// A page elsewhere can't have its form sent by a click on ours.
	from := v.Post("/dashboard/keys", form, "Sec-Fetch-Site", "cross-site")
	if from.Status != http.StatusForbidden || strings.Contains(from.Body, "window.hit") {
		t.Errorf("a form from elsewhere: %d %s", from.Status, from.Main())
	}
}
