package dashboard_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/web/webtest"
	"masthead/pkg/webhooks"
)

const webhooksPath = "/dashboard/webhooks"

// newEndpoint serves an endpoint whose response is hostile.
func newEndpoint(t *testing.T, status int) (*httptest.Server, apptest.Option) {
	t.Helper()
	e := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte(webtest.Payload))
	}))
	t.Cleanup(e.Close)
	return e, func(c *app.Config) {
		c.Fetch.Allow = append(c.Fetch.Allow, apptest.Allowed(e.Listener.Addr().String()))
		c.JobsEvery = 5 * time.Millisecond
	}
}

var (
	hookSecret = regexp.MustCompile(`whsec_[0-9A-Za-z/+&#;]{43,}=`)
	hookPath   = regexp.MustCompile(`/dashboard/webhooks/[0-9a-f-]{36}`)
)

func TestWebhooks_allOfALife(t *testing.T) {
	t.Parallel()
	e, allowed := newEndpoint(t, http.StatusOK)
	h := apptest.StartSignedIn(t, allowed)
	bearer := apptest.Bearer(h.Session.Access)
	h.Send("PATCH", "/projects/"+h.Project, map[string]any{"name": webtest.Payload}, bearer).Want(http.StatusOK)
	v := webtest.SignIn(t, h.Base, h.Session.Access)
	empty := v.Get(webhooksPath)
	if !strings.Contains(empty.Body, "No webhooks yet") ||
		strings.Count(empty.Body, `name="events"`) != len(webhooks.Types) {
		t.Errorf("without webhooks: %s", empty.Main())
	}
	for said, form := range map[string][]string{
		`id="events-said"`: {"do", "create", "url", e.URL},
		`id="url-said"`:    {"do", "create", "url", "gopher://" + webtest.Payload, "events", "image.created"},
		"is required":      {"do", "create", "url", "", "events", "image.created"},
	} {
		page := v.Post(webhooksPath, fields(form...))
		if page.Status != http.StatusUnprocessableEntity || !strings.Contains(page.Body, said) {
			t.Errorf("%v: %d %s", form, page.Status, page.Main())
		}
		webtest.WantText(t, page, 1)
	}
	form := fields("do", "create", "again", "a form", "url", e.URL+"/hook", "projectId", h.Project,
		"events", "image.created", "events", "watch.worse")
	made := v.Post(webhooksPath, form)
	secrets := hookSecret.FindAllString(made.Body, -1)
	if made.Status != http.StatusOK || len(secrets) != 1 || made.Private() != "" {
		t.Fatalf("created: %d, secrets %v, %s %s", made.Status, secrets, made.Private(), made.Main())
	}
	path := hookPath.FindString(made.Main())
	if again := v.Post(webhooksPath, form); hookSecret.MatchString(again.Body) || !strings.Contains(again.Body, path) ||
		!strings.Contains(again.Body, "The secret was shown before") {
		t.Errorf("the form sent twice: %s", again.Main())
	}
	list := v.Get(webhooksPath)
	if hookSecret.MatchString(list.Body) || !strings.Contains(list.Body, "<code>watch.worse</code>") {
		t.Errorf("the list: %s", list.Main())
	}
	webtest.WantText(t, list, 1)

	sent := v.Post(path, fields("do", "test"))
	to := sent.Header.Get("Location")
	if sent.Status != http.StatusSeeOther || !strings.HasPrefix(to, path+"?delivery=") {
		t.Fatalf("a test: %d to %q %s", sent.Status, to, sent.Main())
	}
	var page webtest.Page
	apptest.WaitFor(t, "the delivery", func() bool {
		page = v.Get(to)
		return strings.Contains(page.Body, "200 OK")
	})
	webtest.WantText(t, page, 2) // the project, and the response
	if list := v.Get(webhooksPath); !strings.Contains(list.Body, "1 delivered") {
		t.Errorf("the list after a delivery: %s", list.Main())
	}
	for _, want := range []string{"POST " + e.URL + "/hook", "webhook-id: ", "webhook.test", "Attempt 1, "} {
		if !strings.Contains(page.Body, want) {
			t.Errorf("the delivery lacks %q: %s", want, page.Main())
		}
	}
	delivery := strings.TrimPrefix(strings.TrimSuffix(to, "&done=sent"), path+"?delivery=")
	for form, want := range map[string]string{
		"resend": path + "?delivery=", "save": path + "?done=saved", "off": path + "?done=off", "on": path + "?done=on",
	} {
		page := v.Post(path, fields("do", form, "delivery", delivery, "url", e.URL+"/hook", "events", "image.failed"))
		if page.Status != http.StatusSeeOther || !strings.HasPrefix(page.Header.Get("Location"), want) {
			// What is turned off can't be sent to.
			if form == "resend" && strings.Contains(page.Body, `role="alert"`) {
				continue
			}
			t.Errorf("%s: %d to %q %s", form, page.Status, page.Header.Get("Location"), page.Main())
		}
	}
	v.Post(path, fields("do", "on")) // what comes last above may have turned it off
	for since, want := range map[string]int{"1h": 303, "336h": 303, "1000h": 400, "": 400, "x": 400} {
		if page := v.Post(path, fields("do", "resend-failed", "since", since)); page.Status != want {
			t.Errorf("sent again since %q: %d to %q %s", since, page.Status, page.Header.Get("Location"), page.Main())
		}
	}
	if page := v.Post(path, fields("do", "save", "url", e.URL)); page.Status != 422 ||
		!strings.Contains(page.Body, `id="events-said"`) {
		t.Errorf("no events: %d %s", page.Status, page.Main())
	}
	if ask := v.Get(path + "?ask=rotate"); !strings.Contains(ask.Body, "24 more hours") {
		t.Errorf("rotate: %s", ask.Main())
	}
	rotated := v.Post(path, fields("do", "rotate"))
	if got := hookSecret.FindString(rotated.Body); got == "" || got == secrets[0] {
		t.Errorf("rotated: %d %q %s", rotated.Status, got, rotated.Main())
	}

	other := webtest.SignIn(t, h.Base, h.Register().Access)
	for _, do := range []string{"save", "on", "off", "test", "rotate", "delete", "resend"} {
		form := fields("do", do, "url", e.URL, "events", "image.failed", "delivery", delivery)
		if page := other.Post(path, form); page.Status != http.StatusNotFound || hookSecret.MatchString(page.Body) {
			t.Errorf("%s of another account: %d", do, page.Status)
		}
	}
	if page := other.Get(path); page.Status != http.StatusNotFound {
		t.Errorf("another account's page: %d", page.Status)
	}
	for _, at := range []string{webhooksPath, path} {
		if page := v.Post(at, fields("do", "nothing")); page.Status < 400 || page.Status > 499 {
			t.Errorf("an unknown form of %s: %d", at, page.Status)
		}
	}
	gone := v.Post(path, fields("do", "delete"))
	wantUndo(t, v, gone, webhooksPath, strings.TrimPrefix(path, webhooksPath+"/"), path+"?done=restored")
	if gone := v.Post(path, fields("do", "delete")); gone.Status != http.StatusSeeOther {
		t.Errorf("deleted: %d %s", gone.Status, gone.Main())
	}
	if page := v.Get(path); page.Status != http.StatusNotFound {
		t.Errorf("afterwards: %d", page.Status)
	}
}

// TestWebhooks_turnedOff shows why an endpoint was turned off, and how it looks.
func TestWebhooks_turnedOff(t *testing.T) {
	t.Parallel()
	e, allowed := newEndpoint(t, http.StatusGone)
	h := apptest.StartSignedIn(t, allowed)
	v := webtest.SignIn(t, h.Base, h.Session.Access)
	made := v.Post(webhooksPath, fields("do", "create", "url", e.URL+"/hook", "events", "image.created"))
	path := hookPath.FindString(made.Main())
	h.Generate("/page/a", nil).Want(http.StatusOK)
	var page webtest.Page
	apptest.WaitFor(t, "the webhook to be turned off", func() bool {
		page = v.Get(path)
		return strings.Contains(page.Body, "Turned off")
	})
	if !strings.Contains(page.Body, `value="on">Turn on`) || !strings.Contains(page.Body, "410") {
		t.Errorf("turned off: %s", page.Main())
	}
	ctx, ok := webtest.Browser(t)
	if !ok {
		return
	}
	if err := webtest.Run(ctx, webtest.SignedIn(h.Base, h.Session.Access)); err != nil {
		t.Fatal(err)
	}
	h.Register()
	webtest.Look(t, ctx, h.Base, webtest.State{Name: "webhook", Path: path},
		webtest.State{Name: "webhooks", Path: webhooksPath},
		webtest.State{Name: "webhook-secret", Path: path + "?ask=rotate", Then: chromedp.Tasks{
			chromedp.Click(`[value=rotate]`, chromedp.ByQuery), webtest.Visible("dialog"),
		}})
	if err := webtest.Run(ctx, webtest.SignedIn(h.Base, h.Register().Access)); err != nil {
		t.Fatal(err)
	}
	webtest.Look(t, ctx, h.Base, webtest.State{Name: "webhooks-empty", Path: webhooksPath})
}
