package web_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/emersion/go-smtp"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/mail/mailtest"
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

// TestConfirm_fromTheMailToTheButton registers, reads the email that arrives at a mail server that requires a password
// over TLS, opens its link in a browser, and presses the button. An address that bounces is marked.
func TestConfirm_fromTheMailToTheButton(t *testing.T) {
	t.Parallel()
	ctx, ok := browser(t)
	if !ok {
		return
	}
	mails := mailtest.New(t, mailtest.StartTLS)
	mails.Require("masthead", "a password")
	h := apptest.StartSignedIn(t, func(c *app.Config) { c.Mail = mails.Config })
	text := func() string {
		if len(mails.Mails()) == 0 {
			return ""
		}
		content, err := mails.Mails()[0].GetParts()[0].GetContent()
		if err != nil {
			t.Fatal(err)
		}
		return string(content)
	}
	apptest.WaitFor(t, "the email", func() bool { return text() != "" })
	confirmed := func() bool {
		return h.Get("/users/me", apptest.Bearer(h.Session.Access)).Value("emailConfirmed") == true
	}
	link := regexp.MustCompile(`https?://\S+/email/confirm#token=\S+`).FindString(text())
	if !strings.HasPrefix(link, h.Base+"/") || confirmed() {
		t.Fatalf("got the email %s with the link %q, confirmed: %v", text(), link, confirmed())
	}
	const seen = `[...document.querySelectorAll('button, a[href], input')].filter(e => e.offsetHeight > 0).length`
	var buttons int
	err := chromedp.Run(ctx, phone, chromedp.Navigate(link),
		chromedp.Evaluate(seen, &buttons))
	if err != nil || buttons != 1 || confirmed() {
		t.Fatalf("got %d buttons, %v, and confirmed %v, want one that wasn't pressed", buttons, err, confirmed())
	}
	err = chromedp.Run(ctx, chromedp.Click("#send"),
		chromedp.Poll(`document.querySelector('#done').offsetHeight > 0`, nil))
	if err != nil || !confirmed() {
		t.Errorf("after the button: %v, confirmed: %v", err, confirmed())
	}
	mails.Answer(func(string, int) error {
		return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no such user"}
	}, nil)
	bounces := h.Register()
	apptest.WaitFor(t, "the refusal", func() bool {
		return h.Get("/users/me", apptest.Bearer(bounces.Access)).Value("emailRefused") == true
	})
	admin := apptest.Bearer(h.Session.Access)
	if seen := h.Get("/admin/users?query="+bounces.Email, admin); seen.Value("items.0.emailRefused") != true {
		t.Errorf("the operator sees %s, want the mark of the address", seen.Body)
	}
	if seen := h.Get("/admin/outbox", admin); seen.Text("items.0.state") != "refused" {
		t.Errorf("the outbox has %s, want the refused email first", seen.Body)
	}
}
