package dashboard_test

import (
	"net/http"
	"strings"
	"testing"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/mail/mailtest"
	"masthead/pkg/web/webtest"
)

// TestPromise_isWhatHappens has the pages of an audit and of an export that run: they promise a mail, or a notification
// if the account gets no mail, or nothing.
func TestPromise_isWhatHappens(t *testing.T) {
	t.Parallel()
	mails := mailtest.New(t, mailtest.StartTLS)
	h := apptest.StartSignedIn(t, func(c *app.Config) { c.Mail = mails.Config })
	id := h.ID(h.Session)
	_, running := withSite(t, h, id)
	const export = "01900000-0000-7000-8000-000000000003"
	exec(t, h, `INSERT INTO exports (id, owner_id, state, created_at, expires_at)
		VALUES (?, ?, 'WAITING', 1, 9999999999999)`, export, id)
	v := webtest.SignIn(t, h.Base, h.Session.Access)
	const mail, notification = "we’ll email you when it’s done", "you’ll get a notification when it’s done"
	want := func(when, sentence string) {
		t.Helper()
		for _, path := range []string{sitesPath + "/" + running, settingsPath + "?export=" + export} {
			page := v.Get(path)
			for _, s := range []string{mail, notification} {
				if strings.Contains(page.Body, s) != (s == sentence) || !strings.Contains(page.Body, "data-waits") {
					t.Errorf("%s, %s: want %q: %s", when, path, sentence, page.Main())
				}
			}
		}
	}
	prefer := func(channel string) {
		t.Helper()
		var items []any
		for _, kind := range []string{"site_completed", "export_completed"} {
			items = append(items, map[string]any{"kind": kind, channel: false})
		}
		h.Send(http.MethodPut, "/notifications/preferences", map[string]any{"items": items},
			apptest.Bearer(h.Session.Access)).Want(http.StatusOK)
	}
	exec(t, h, `UPDATE users SET email_confirmed_at = NULL`)
	want("an address that isn't confirmed", notification)
	exec(t, h, `UPDATE users SET email_confirmed_at = 1`)
	want("by default", mail)
	exec(t, h, `UPDATE users SET email_refused_at = 1`)
	want("an address that refuses mail", notification)
	exec(t, h, `UPDATE users SET email_refused_at = NULL`)
	prefer("mail")
	want("without mail", notification)
	prefer("inbox")
	want("without both", "")
}
