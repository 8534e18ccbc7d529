package dashboard_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/pquerna/otp/totp"

	"masthead/pkg/app/apptest"
	"masthead/pkg/web/webtest"
)

// TestDashboard_tasksByKeyboard does by keyboard alone what an account is for besides cards and keys: a domain, a
// watch, a webhook, the figures of usage as a file, a plan, a password, a second factor, and the end of the account.
func TestDashboard_tasksByKeyboard(t *testing.T) {
	t.Parallel()
	ctx, ok := webtest.Browser(t)
	if !ok {
		return
	}
	h := apptest.StartSignedIn(t)
	me := h.Register()
	mine := apptest.Bearer(me.Access)
	project, id := h.NewProject(me), h.ID(me)
	k := webtest.NewKeyboard(t, ctx)
	at := func(path string) {
		t.Helper()
		k.Do(chromedp.Navigate(h.Base+path), webtest.Until(`document.querySelector('[data-htmx-powered]')`))
	}
	said := func(text string) {
		t.Helper()
		k.Do(webtest.Until(fmt.Sprintf(`document.querySelector('main').textContent.includes(%q)`, text)))
	}
	// An admin changes the plan.
	k.Do(webtest.Desk, webtest.SignedIn(h.Base, h.Session.Access))
	at(adminPath + "/people")
	k.Tab("#plan-" + id)
	k.Do(chromedp.KeyEvent(kb.ArrowDown), chromedp.ActionFunc(func(context.Context) error {
		apptest.WaitFor(t, "the plan", func() bool { return h.Get("/users/me", mine).Text("plan") == "plus" })
		return nil
	}), webtest.Until(`document.querySelector('.undo')`))

	k.Do(webtest.SignedIn(h.Base, me.Access))
	at("/dashboard/projects/" + project)
	k.Type("#domain", "northlane.dev")
	k.Press("[value=add]")
	said("The domain is added.")

	at(auditsPath)
	k.Type("#url", h.Site.At("/page/a"))
	k.Press("[value=watch]")
	said("Watched.")

	at("/dashboard/webhooks")
	k.Type("#url", h.Site.At("/hook"))
	k.Press("[value=create]")
	k.Do(webtest.Visible("dialog"))
	k.Press("[data-leave]")
	k.Do(webtest.Until(`!document.querySelector('dialog')`))
	if got := h.Get("/webhooks", mine).Want(http.StatusOK); got.Text("items.0.url") != h.Site.At("/hook") {
		t.Errorf("the webhooks: %s", got.Body)
	}

	at("/dashboard/usage")
	k.Tab(`a[href*=".csv"]`)
	var kind string
	k.Do(chromedp.Evaluate(`fetch(document.activeElement.href).then(r => r.status + ' ' + r.headers.get('Content-Type'))`,
		&kind, webtest.Awaited))
	if !strings.HasPrefix(kind, "200 text/csv") {
		t.Errorf("the figures as a file: %s", kind)
	}

	at(settingsPath)
	const password = "four unrelated words here"
	k.Type("#currentPassword", me.Password)
	k.Type("#newPassword", password)
	k.Press("[value=password]")
	said("The password is changed")
	k.Press("[value=app]")
	k.Do(webtest.Visible(".qr"))
	var key, code string
	k.Do(chromedp.Value(`[name=app]`, &key, chromedp.ByQuery))
	code, err := totp.GenerateCode(secretOf(key), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	k.Type("#code", code)
	k.Press("[value=code]")
	said("Your recovery codes")
	k.Press(".secret a.filled")
	said("Authenticator app")

	at(settingsPath)
	k.Press("[href$='confirm=delete#delete']")
	k.Do(webtest.Until(`document.activeElement.id === 'confirm'`))
	k.Type("#confirm", me.Email)
	k.Press("[value=delete]")
	k.Do(webtest.Until(`location.pathname === '/' && location.search.includes('done=deleted')`))
	var left int
	err = h.App.DB.Get(t.Context(), &left, `SELECT COUNT(*) FROM users WHERE id = ? AND deleting_at IS NULL`, id)
	if err != nil || left != 0 {
		t.Errorf("%d accounts are left, %v", left, err)
	}
}

// secretOf is the secret in the address of an authenticator app's key.
func secretOf(address string) string {
	_, rest, _ := strings.Cut(address, "secret=")
	secret, _, _ := strings.Cut(rest, "&")
	return secret
}
