package dashboard_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"masthead/pkg/app/apptest"
	"masthead/pkg/db"
	"masthead/pkg/events"
	"masthead/pkg/web/webtest"
)

const notificationsPath = "/dashboard/notifications"

// tell tells an account some times that a page got worse. line is one of the sentences.
func tell(t *testing.T, h *apptest.Service, who apptest.Session, line string, times int) {
	t.Helper()
	report, before, after := "4fK2mT9pQ7xW1nB8vC3dRe", 91, 64
	for range times {
		err := h.App.DB.InTx(t.Context(), func(tx *db.Tx) error {
			return events.WatchWorse.Publish(t.Context(), tx, h.App.Events, h.ID(who), events.Watch{
				Url: "https://northlane.dev/blog/outage-report", Problems: []string{line}, AuditId: &report,
				Score: &after, PreviousScore: &before,
			})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	apptest.WaitFor(t, "the notifications", func() bool {
		return int(h.Get("/notifications", apptest.Bearer(who.Access)).Value("unread").(float64)) == times
	})
}

func TestNotifications_readAndPrefer(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	v := webtest.SignIn(t, h.Base, h.Session.Access)
	empty := v.Get(notificationsPath)
	if !strings.Contains(empty.Body, "Nothing yet") || strings.Contains(empty.Main(), `value="read"`) {
		t.Errorf("an empty inbox: %s", empty.Main())
	}
	tell(t, h, h.Session, webtest.Payload, 3)
	page := v.Get(notificationsPath)
	webtest.WantText(t, page, 3)
	if !strings.Contains(page.Body, "3 unread notifications.") || !strings.Contains(page.Body, `<b class="count">3</b>`) ||
		!strings.Contains(page.Body, `href="/audit/4fK2mT9pQ7xW1nB8vC3dRe"`) {
		t.Errorf("the page: %s", page.Main())
	}
	exec(t, h, `UPDATE notifications SET data = '{}', kind = 'plan_changed'`)
	if page := v.Get(notificationsPath); strings.Count(page.Main(), `<a href="/dashboard/billing">See your plan</a>`) != 3 {
		t.Errorf("without a report: %s", page.Main())
	}
	exec(t, h, `UPDATE notifications SET data = '{"path": "/dashboard/settings?export=x#data"}', kind = 'export_completed'`)
	if page := v.Get(notificationsPath); strings.Count(page.Main(),
		`<a href="/dashboard/settings?export=x#data">See the export</a>`) != 3 {
		t.Errorf("of an export: %s", page.Main())
	}
	id := regexp.MustCompile(`name="id" value="([0-9a-f-]{36})"`).FindStringSubmatch(page.Body)[1]
	other := webtest.SignIn(t, h.Base, h.Register().Access)
	if page := other.Post(notificationsPath, fields("do", "read", "id", id)); page.Status >= 500 {
		t.Errorf("another account's: %d", page.Status)
	}
	if page := v.Get("/dashboard/keys"); !strings.Contains(page.Body, `<b class="count">3</b>`) {
		t.Error("another account has read it")
	}
	v.Post(notificationsPath, fields("do", "read", "id", id))
	if page := v.Get("/dashboard/keys"); !strings.Contains(page.Body, `<b class="count">2</b>`) {
		t.Errorf("one is read: %s", page.Main())
	}
	all := v.Post(notificationsPath, fields("do", "read"))
	if all.Header.Get("Location") != notificationsPath+"?done=read" {
		t.Errorf("all: %d %s", all.Status, all.Main())
	}
	if page := v.Get("/dashboard/keys"); strings.Contains(page.Body, `<b class="count">`) {
		t.Error("after all were read there is a count")
	}

	saved := v.Post(notificationsPath, fields("do", "prefer", "inbox.watch_worse", "1", "webhook.quota_reached", "1"))
	if saved.Header.Get("Location") != notificationsPath+"?done=saved" {
		t.Fatalf("saved: %d %s", saved.Status, saved.Main())
	}
	page = v.Get(notificationsPath)
	if got := strings.Count(page.Body, " checked>"); got != 2 ||
		!strings.Contains(page.Body, `aria-label="A watched page got worse: here" checked>`) {
		t.Errorf("%d boxes are checked, want two: %s", got, page.Main())
	}
	if strings.Contains(page.Body, `name="mail.new_sign_in"`) || !strings.Contains(page.Body, ">always<") {
		t.Errorf("what is always sent: %s", page.Main())
	}
	if page := v.Post(notificationsPath, fields("do", "nothing")); page.Status < 400 || page.Status > 499 {
		t.Errorf("an unknown form: %d", page.Status)
	}
	if page := v.Post(notificationsPath, fields("do", "read", "id", "x")); page.Status != http.StatusUnprocessableEntity {
		t.Errorf("an ID that isn't one: %d", page.Status)
	}
}

func TestNotifications_looks(t *testing.T) {
	t.Parallel()
	ctx, ok := webtest.Browser(t)
	if !ok {
		return
	}
	h := apptest.StartSignedIn(t)
	tell(t, h, h.Session, "A page lost its image", 2)
	if err := webtest.Run(ctx, webtest.SignedIn(h.Base, h.Session.Access)); err != nil {
		t.Fatal(err)
	}
	webtest.Look(t, ctx, h.Base, webtest.State{Name: "notifications", Path: notificationsPath}, webtest.State{
		Name: "notifications-menu", Path: notificationsPath,
		Then: chromedp.Evaluate(`document.querySelectorAll('details').forEach(d => { d.open = true })`, nil),
	})
}
