package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"masthead/pkg/ai"
	"masthead/pkg/ai/fakeai"
	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/identity"
	"masthead/pkg/web/webtest"
)

// TestTry_aiBackground generates an AI background, which saves the card with it, until the month's units are used up,
// and draws another design with the same one.
func TestTry_aiBackground(t *testing.T) {
	t.Parallel()
	provider, err := fakeai.Open(t.Context(), "127.0.0.1:0", fakeai.Config{Size: fakeai.Size{Width: 384, Height: 256}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = provider.Close() })
	s := apptest.StartSignedIn(t, func(c *app.Config) {
		c.AI = ai.Config{BaseURL: provider.BaseURL, ImageModelStandard: fakeai.ModelStandard}
	})
	path := ticketOf(t, s, s.Site.At("/page/one"))
	v := webtest.NewVisitor(t, s.Base)
	if page := v.Get(path); strings.Contains(page.Body, "Generate and save") {
		t.Error("a visitor without an account may generate AI images")
	}
	v.SetCookie(identity.CookieName, s.Session.Access)
	page := v.Get(path)
	if !strings.Contains(page.Body, "Generate and save") || !strings.Contains(page.Body, "3; 3 left") {
		t.Errorf("the page: %s", page.Main())
	}
	me := apptest.Bearer(s.Session.Access)
	saved := v.Post(path, url.Values{"do": {"ai"}, "prompt": {"A quay at dawn"}, "dark": {"false"}})
	at, _, _ := strings.Cut(saved.Header.Get("Location"), "?")
	image := s.Get(strings.TrimPrefix(at, "/dashboard"), me).Want(http.StatusOK)
	if saved.Status != http.StatusSeeOther || image.Value("ai.fellBack") != false ||
		!strings.Contains(image.Text("ai.prompt"), "A quay at dawn") || image.Value("style.dark") != false {
		t.Fatalf("saved: %d to %s, %s", saved.Status, at, image.Body)
	}
	if page := v.Get(path); !strings.Contains(page.Body, "3; 2 left") {
		t.Error("the page doesn't count the unit")
	}
	own := v.Get(at)
	if !strings.Contains(own.Body, "This AI image in another design") || strings.Contains(own.Body, `value="blueprint"`) {
		t.Errorf("the image's page: %s", own.Main())
	}
	reused := v.Post(at, url.Values{"do": {"reuse"}, "template": {"poster"}})
	to, _, _ := strings.Cut(reused.Header.Get("Location"), "?")
	other := s.Get(strings.TrimPrefix(to, "/dashboard"), me).Want(http.StatusOK)
	if other.Text("template") != "poster" || other.Text("ai.from") != image.Text("id") ||
		other.Value("ai.fellBack") != false {
		t.Errorf("in another design: %d to %s, %s", reused.Status, to, other.Body)
	}
	if got := s.Get("/usage", me).Value("ai.used"); got != 1.0 {
		t.Errorf("%v units are used, want 1", got)
	}
	for _, prompt := range []string{"Two", "Three"} {
		v.Post(path, url.Values{"do": {"ai"}, "prompt": {prompt}})
	}
	if page := v.Get(path); strings.Contains(page.Body, "Generate and save") ||
		!strings.Contains(page.Body, "AI images are used up: 3 of 3.") {
		t.Errorf("without units: %s", page.Main())
	}
}

// TestTry_aiBackgroundShowsProgress generates an AI background with scripts: the page says for how long, until it is
// left.
func TestTry_aiBackgroundShowsProgress(t *testing.T) {
	t.Parallel()
	ctx, ok := webtest.Browser(t)
	if !ok {
		return
	}
	provider, err := fakeai.Open(t.Context(), "127.0.0.1:0",
		fakeai.Config{Size: fakeai.Size{Width: 384, Height: 256}, Delay: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = provider.Close() })
	s := apptest.StartSignedIn(t, func(c *app.Config) {
		c.AI = ai.Config{BaseURL: provider.BaseURL, ImageModelStandard: fakeai.ModelStandard,
			PictureTime: 25 * time.Second}
	})
	path := ticketOf(t, s, s.Site.At("/page/one"))
	// A page that is being left gives no answer to the test, so the page itself stops once it shows the seconds.
	const stops = `new MutationObserver(changes => {
		const says = document.querySelector('[data-seconds]').textContent
		if (!/^Generating, [1-9]\d* s\.$/.test(says)) return
		document.body.dataset.said = says
		document.querySelector('[data-stop]').click()
	}).observe(document.querySelector('[data-generating]'), { subtree: true, childList: true })`
	const shows = `document.querySelector('[data-generating]').hidden = false
		document.querySelector('[data-generating]').scrollIntoView({block: 'center'})`
	var label string
	err = webtest.Run(ctx,
		network.SetCookie(identity.CookieName, s.Session.Access).WithURL(s.Base).WithHTTPOnly(true),
		chromedp.Navigate(s.Base+path), webtest.Visible("[value=ai]"), chromedp.Evaluate(stops, nil),
		chromedp.Focus("[value=ai]", chromedp.ByQuery), webtest.Key('\r'),
		webtest.Until(`document.body.dataset.said && document.querySelector('[data-generating]').hidden &&
			document.activeElement.value === 'ai'`),
		chromedp.Text("[value=ai]", &label, chromedp.ByQuery))
	if err != nil || label != "Generate and save" {
		t.Errorf("got the button %q (%v)", label, err)
	}
	if err := webtest.Run(ctx, chromedp.Evaluate(shows, nil)); err != nil {
		t.Fatal(err)
	}
	webtest.Shoot(t, ctx, "generating.png")
	_ = provider.Close() // else the service waits for it
}
