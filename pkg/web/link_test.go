package web_test

import (
	"net/http"
	"testing"

	"github.com/chromedp/chromedp"

	"masthead/pkg/app/apptest"
)

// TestLink_buttonSignsIn follows a link in a browser: getting the page uses up nothing, its button signs in, once.
func TestLink_buttonSignsIn(t *testing.T) {
	t.Parallel()
	ctx, ok := browser(t)
	if !ok {
		return
	}
	h := apptest.StartSignedIn(t)
	link := h.Base + "/email/sign-in#token=" + h.SignInToken(h.Session)
	press := func(result string) (said string) {
		t.Helper()
		err := chromedp.Run(ctx, phone,
			chromedp.Navigate("about:blank"),
			chromedp.Navigate(link), // a scanner's visit
			chromedp.Navigate("about:blank"),
			chromedp.Navigate(link),
			chromedp.Click("#send"),
			chromedp.Poll(`document.querySelector('`+result+`').offsetHeight > 0 &&
				document.querySelector('`+result+`').textContent !== ''`, nil),
			chromedp.Text(result, &said),
		)
		if err != nil {
			t.Fatal(err)
		}
		return said
	}
	if said := press("#done"); said == "" {
		t.Error("got nothing after the button")
	}
	shoot(t, ctx, "link-done.png")
	var status int
	err := chromedp.Run(ctx, chromedp.Evaluate(`fetch('/users/me').then(r => r.status)`, &status, awaited))
	if err != nil || status != http.StatusOK {
		t.Errorf("the browser gets %d, %v, want that it is signed in", status, err)
	}
	if said := press("#said"); said != "This link has been used, has expired, or is incomplete. Request another one." {
		t.Errorf("a used link: got %q", said)
	}
	shoot(t, ctx, "link-used.png")
}
