package dashboard_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"masthead/pkg/app/apptest"
	"masthead/pkg/web/webtest"
)

var shownSecret = regexp.MustCompile(`og_live_[0-9A-Za-z]{38}`)

func TestKeys_createRotateRevoke(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	me := h.Register()
	v := webtest.SignIn(t, h.Base, me.Access)
	const path = "/dashboard/keys"
	works := func(secret string) int { return h.Get("/images", apptest.Bearer(secret)).Status }

	empty := v.Get(path)
	if empty.Status != http.StatusOK || !strings.Contains(empty.Body, "No keys yet") {
		t.Fatalf("without keys: %d %s", empty.Status, empty.Main())
	}
	project := h.NewProject(me)
	form := fields("do", "create", "again", "a form", "name", webtest.Payload, "projectId", project)
	created := v.Post(path, form)
	secrets := shownSecret.FindAllString(created.Body, -1)
	if created.Status != http.StatusOK || created.Private() != "" || len(secrets) != 1 || works(secrets[0]) != 200 {
		t.Fatalf("created: %d, secrets %v, %s", created.Status, secrets, created.Main())
	}
	webtest.WantText(t, created, 2) // in the dialog and in the table
	again := v.Post(path, form)
	if again.Status != http.StatusOK || shownSecret.MatchString(again.Body) ||
		!strings.Contains(again.Body, "its secret was shown once") {
		t.Errorf("the form sent twice: %d %s", again.Status, again.Main())
	}
	list := h.Get("/keys", apptest.Bearer(me.Access))
	id := list.Text("items.0.id")
	if n, _ := list.Value("items").([]any); len(n) != 1 || list.Text("items.0.projectId") != project {
		t.Errorf("the form sent twice made %s", list.Body)
	}

	ask := v.Get(path + "?rotate=" + id)
	if !strings.Contains(ask.Body, "the old one stops working at once") || !strings.Contains(ask.Body, `value="rotate"`) {
		t.Errorf("rotate: %s", ask.Main())
	}
	webtest.WantText(t, ask, 2)
	// A new key can't be rotated at once: the row says so.
	soon := v.Post(path, fields("do", "rotate", "id", id))
	if soon.Status == http.StatusOK {
		rotated := shownSecret.FindString(soon.Body)
		if rotated == "" || rotated == secrets[0] || works(rotated) != 200 || works(secrets[0]) != http.StatusUnauthorized {
			t.Errorf("rotated: %s", soon.Main())
		}
		soon = v.Post(path, fields("do", "rotate", "id", id))
	}
	if soon.Status != http.StatusUnprocessableEntity || !strings.Contains(soon.Body, `id="ask"`) ||
		!strings.Contains(soon.Body, `role="alert"`) || shownSecret.MatchString(soon.Body) {
		t.Errorf("rotated twice: %d %s", soon.Status, soon.Main())
	}

	revoked := v.Post(path, fields("do", "revoke", "id", id))
	if revoked.Status != http.StatusSeeOther || revoked.Header.Get("Location") != path+"?done=revoked" {
		t.Errorf("revoked: %d to %q", revoked.Status, revoked.Header.Get("Location"))
	}
	after := v.Get(path + "?done=revoked")
	if !strings.Contains(after.Body, "The key is revoked.") || !strings.Contains(after.Body, "No keys yet") {
		t.Errorf("after revoking: %s", after.Main())
	}
	if twice := v.Post(path, fields("do", "revoke", "id", id)); twice.Status != http.StatusSeeOther {
		t.Errorf("revoked twice: %d", twice.Status)
	}
}

func TestKeys_refusals(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	v, other := webtest.SignIn(t, h.Base, h.Session.Access), h.Register()
	const path = "/dashboard/keys"
	unnamed := v.Post(path, fields("do", "create", "name", "", "projectId", ""))
	if unnamed.Status != http.StatusUnprocessableEntity || !strings.Contains(unnamed.Body, "Name is required.") {
		t.Errorf("no name: %d %s", unnamed.Status, unnamed.Main())
	}
	long := v.Post(path, fields("do", "create", "name", strings.Repeat("a", 101), "projectId", ""))
	if long.Status != 422 || !strings.Contains(long.Body, `value="`+strings.Repeat("a", 101)) {
		t.Errorf("a long name isn't kept: %d %s", long.Status, long.Main())
	}
	theirs := h.NewProject(other)
	page := v.Post(path, fields("do", "create", "name", "x", "projectId", theirs))
	if page.Status < 400 || page.Status > 499 {
		t.Errorf("another account's project: %d", page.Status)
	}
	h.NewKey(other, theirs)
	id := h.Get("/keys", apptest.Bearer(other.Access)).Text("items.0.id")
	for _, do := range []string{"rotate", "revoke"} {
		if page := v.Post(path, fields("do", do, "id", id)); shownSecret.MatchString(page.Body) {
			t.Errorf("%s another account's key: %d", do, page.Status)
		}
	}
	if left, _ := h.Get("/keys", apptest.Bearer(other.Access)).Value("items").([]any); len(left) != 1 {
		t.Error("another account's key is gone")
	}
	for name, form := range map[string]url.Values{
		"unknown": fields("do", "nothing"), "an ID that isn't one": fields("do", "revoke", "id", "../x"),
	} {
		if page := v.Post(path, form); page.Status < 400 || page.Status > 499 {
			t.Errorf("%s: %d", name, page.Status)
		}
	}
}
