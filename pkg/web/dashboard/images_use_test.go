package dashboard_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"masthead/pkg/app/apptest"
	"masthead/pkg/web/webtest"
)

// TestImage_snippetIsRemembered chooses a snippet on the page of an image: the account then gets it first there and in
// the playground, in every browser.
func TestImage_snippetIsRemembered(t *testing.T) {
	t.Parallel()
	ctx, ok := webtest.Browser(t)
	if !ok {
		return
	}
	h := apptest.StartSignedIn(t)
	path := imagesPath + "/" + h.Generate("/page/one", nil).Want(http.StatusOK).Text("id")
	err := webtest.Run(ctx, webtest.SignedIn(h.Base, h.Session.Access), chromedp.Navigate(h.Base+path),
		chromedp.Click(`[data-use=astro]`, chromedp.ByQuery), webtest.Visible(`[data-use=astro][aria-current]`))
	if err != nil {
		t.Fatal(err)
	}
	me := func() any { return h.Get("/users/me", apptest.Bearer(h.Session.Access)).Value("snippet") }
	apptest.WaitFor(t, "the choice", func() bool { return me() == "astro" })
	v := webtest.SignIn(t, h.Base, h.Session.Access)
	const first = `data-use="astro" aria-current="true"`
	if page := v.Get(path); !strings.Contains(page.Body, first) {
		t.Errorf("the image in another browser: %s", page.Main())
	}
	if page := v.Get(path + "?for=hugo"); !strings.Contains(page.Body, `data-use="hugo" aria-current="true"`) {
		t.Errorf("another one that the address asks for: %s", page.Main())
	}
	if me() != "astro" {
		t.Errorf("a link has changed the choice to %v", me())
	}
	tried := v.Post("/try", fields("url", h.Site.At("/page/two")))
	if page := v.Get(tried.Header.Get("Location")); !strings.Contains(page.Body, first) {
		t.Errorf("the playground: %d %s", page.Status, page.Main())
	}
	if page := v.Post(settingsPath, fields("do", "snippet", "snippet", "<b>")); page.Status != http.StatusUnprocessableEntity {
		t.Errorf("no name of a snippet: %d", page.Status)
	}
}
