package dashboard_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"masthead/pkg/app/apptest"
	"masthead/pkg/web/webtest"
)

// TestDashboard_inPlace does in one document each what people do most: a deletion and its undo, a question and its
// answer, a new key, and a filter. Package ui tests how.
func TestDashboard_inPlace(t *testing.T) {
	t.Parallel()
	ctx, ok := webtest.Browser(t)
	if !ok {
		return
	}
	h := apptest.StartSignedIn(t)
	h.Post("/audits", map[string]any{"url": h.Site.At("/page/a")}, apptest.Bearer(h.Session.Access)).Want(http.StatusOK)
	h.Generate("/page/one", nil).Want(http.StatusOK)
	click := func(selector string) chromedp.Action { return chromedp.Click(selector, chromedp.ByQuery) }
	if err := webtest.Run(ctx, webtest.SignedIn(h.Base, h.Session.Access)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path    string
		actions chromedp.Tasks
	}{
		{"/dashboard/audits/reports", chromedp.Tasks{
			click("[value=delete]"), webtest.Until(`document.activeElement.textContent.startsWith('Undo, ')`),
			webtest.Until(`document.querySelector('.nothing')`), webtest.Key('\r'),
			webtest.Until(`document.querySelector('[value=delete]') && !document.querySelector('.undo')`),
		}},
		{"/dashboard/keys", chromedp.Tasks{
			chromedp.SendKeys("#name", "Site build\r", chromedp.ByQuery),
			webtest.Until(`document.querySelector('dialog:modal')`),
			click("[data-leave]"), webtest.Until(`location.search === '?done=saved' && !document.querySelector('dialog')`),
			webtest.Until(`document.getElementById('name').value === ''`),
			click(`a[href*="revoke="]`), webtest.Until(`document.activeElement.textContent === 'Cancel'`),
			chromedp.KeyEvent("\x1b"), webtest.Until(`document.activeElement.textContent === 'Revoke'`),
			click(`a[href*="revoke="]`), webtest.Visible(".ask"), click(".ask [value=revoke]"),
			webtest.Until(`document.querySelector('.done')?.textContent.includes('is revoked')`),
		}},
		{"/dashboard/images", chromedp.Tasks{
			chromedp.SendKeys("#query", "nowhere\r", chromedp.ByQuery),
			webtest.Until(`location.search.includes('query=nowhere') && document.querySelector('.nothing')`),
			chromedp.Evaluate(`history.back()`, nil),
			webtest.Until(`location.search === '' && document.querySelector('.tiles')`),
		}},
	} {
		var same bool
		err := webtest.Run(ctx, chromedp.Navigate(h.Base+c.path),
			webtest.Until(`document.querySelector('[data-htmx-powered]')`), chromedp.Evaluate(`window.first = true`, nil),
			c.actions, chromedp.Evaluate(`window.first === true`, &same))
		if err != nil || !same {
			t.Errorf("%s: %v; the same document: %v", c.path, err, same)
		}
	}
	// When the session has ended, what was typed is there, and is sent after signing in elsewhere.
	err := webtest.Run(ctx, chromedp.Navigate(h.Base+"/dashboard/keys"),
		webtest.Until(`document.querySelector('[data-htmx-powered]')`), network.ClearBrowserCookies(),
		chromedp.SendKeys("#name", "Typed before\r", chromedp.ByQuery),
		webtest.Until(`document.querySelector('main h1').textContent === 'You’re signed out'`),
		webtest.SignedIn(h.Base, h.Session.Access),
		click("main form button"), webtest.Until(`document.querySelector('dialog h2')?.textContent.includes('Typed before')`))
	webtest.Shoot(t, ctx, "signed-out.png")
	if err != nil {
		t.Errorf("the end of the session: %v", err)
	}
	// A form that leads to Stripe can't: its redirect leads to another site.
	billing := webtest.SignIn(t, h.Base, h.Session.Access).Get("/dashboard/billing")
	if sold := strings.Contains(billing.Header.Get("Content-Security-Policy"), "stripe.com"); sold ==
		strings.Contains(billing.Body, "hx-boost") {
		t.Errorf("forms to Stripe: %v, %s", sold, billing.Main())
	}
}
