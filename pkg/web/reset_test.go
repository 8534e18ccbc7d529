package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"masthead/pkg/app/apptest"
)

// TestReset_linkSetsAPassword follows the link of a forgotten password in a browser.
func TestReset_linkSetsAPassword(t *testing.T) {
	t.Parallel()
	ctx, ok := browser(t)
	if !ok {
		return
	}
	h := apptest.StartSignedIn(t)
	link := h.ResetLink(h.Session)
	var refusal, done, address string
	err := chromedp.Run(ctx, phone,
		chromedp.Navigate(link),
		chromedp.SendKeys("#password", "12345678"),
		chromedp.Click("#send"),
		chromedp.Poll(`document.getElementById('said').textContent !== ''`, nil),
		chromedp.Text("#said", &refusal),
		chromedp.Location(&address),
	)
	if err != nil {
		t.Fatal(err)
	}
	shoot(t, ctx, "reset-phone.png")
	if !strings.Contains(refusal, "password") {
		t.Errorf("a common password: got %q, want why it is not taken", refusal)
	}
	if strings.Contains(address, "token") {
		t.Errorf("the token is still in the address %s", address)
	}
	err = chromedp.Run(ctx, desk,
		chromedp.SetValue("#password", otherPassword),
		chromedp.Click("#send"),
		chromedp.WaitVisible("#done"),
		chromedp.Text("#done", &done),
	)
	if err != nil {
		t.Fatal(err)
	}
	shoot(t, ctx, "reset-done.png")
	h.Post("/auth/login", map[string]any{"email": h.Session.Email, "password": otherPassword}).Want(http.StatusOK)
	h.Get("/users/me", apptest.Bearer(h.Session.Access)).Want(http.StatusUnauthorized)
}

const otherPassword = "another horse battery staple"
