package web_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"
	"github.com/pquerna/otp/totp"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/mail/mailtest"
	"masthead/pkg/web/webtest"
)

// TestEntry_inABrowser uses the pages in one window, by keyboard alone where a keyboard does.
func TestEntry_inABrowser(t *testing.T) {
	t.Parallel()
	ctx, ok := webtest.Browser(t)
	if !ok {
		return
	}
	h := apptest.StartSignedIn(t)
	run := func(actions ...chromedp.Action) {
		t.Helper()
		if err := webtest.Run(ctx, actions...); err != nil {
			t.Fatal(err)
		}
	}
	// From the front page to an account.
	run(chromedp.Navigate(h.Base+"/"), chromedp.Click(`a[href="/sign-in"]`, chromedp.ByQuery),
		webtest.Arrived("/sign-in"),
		chromedp.Click(`a[href="/register"]`, chromedp.ByQuery), webtest.Arrived("/register"),
		webtest.Focused("email"), chromedp.KeyEvent("ada@example.com\t\t"), chromedp.KeyEvent("password"),
		webtest.Key('\r'), webtest.Visible("#password[aria-invalid]"))
	var at, said, kind string
	run(webtest.Focused("password"), chromedp.Text("#password-said", &said))
	webtest.Shoot(t, ctx, "register-common.png")
	if !strings.Contains(said, "common passwords") {
		t.Errorf("a common password: the page says %q", said)
	}
	run(chromedp.SendKeys("#password", apptest.Password), chromedp.Click("[data-reveal]", chromedp.ByQuery),
		chromedp.AttributeValue("#password", "type", &kind, nil))
	if kind != "text" {
		t.Errorf("shown, the password is of the type %q", kind)
	}
	run(chromedp.SendKeys("#name", "Ada\r"), webtest.Until(`location.pathname.startsWith('/dashboard')`))
	var status int
	run(chromedp.Evaluate(`fetch('/users/me').then(r => r.status)`, &status, webtest.Awaited))
	if status != 200 {
		t.Errorf("after registering: got %d", status)
	}
	// A wrong password, and the code of a second factor: the password stays.
	who := h.Register()
	me := apptest.Bearer(who.Access)
	secret := h.Post("/users/me/totp", nil, me).Want(201).Text("secret")
	code, err := totp.GenerateCode(secret, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	codes := h.Post("/users/me/totp/confirm", map[string]any{"code": code}, me).Want(200)
	run(chromedp.Evaluate(`fetch('/sign-out', {method: 'POST'}).then(r => r.status)`, &status, webtest.Awaited),
		chromedp.Navigate(h.Base+"/sign-in?next=/audit/example"),
		webtest.Focused("email"), chromedp.KeyEvent(who.Email), chromedp.SendKeys("#password", "wrong\r"),
		webtest.Visible("#password[aria-invalid]"), webtest.Focused("password"), chromedp.Text("#password-said", &said))
	webtest.Shoot(t, ctx, "sign-in-wrong.png")
	if strings.TrimSpace(said) != "Email and password don’t match." {
		t.Errorf("a wrong password: the page says %q", said)
	}
	run(chromedp.SendKeys("#password", who.Password+"\r"), webtest.Visible("#code"), webtest.Focused("code"),
		chromedp.Value("#password", &said))
	webtest.Shoot(t, ctx, "sign-in-code.png")
	if said != who.Password {
		t.Errorf("asked for the code: the password is %q", said)
	}
	run(chromedp.SendKeys("#code", codes.Text("recoveryCodes.0")+"\r"), webtest.Arrived("/audit/example"))
	// A link for a new password: the token leaves the address.
	run(chromedp.Navigate(h.ResetLink(who)), chromedp.SendKeys("#newPassword", "12345678\r"),
		webtest.Visible("#newPassword[aria-invalid]"), chromedp.Location(&at))
	webtest.Shoot(t, ctx, "reset-common.png")
	var pasting bool
	run(chromedp.Evaluate(`document.querySelector('#token').checkVisibility()`, &pasting))
	if strings.Contains(at, "token") || pasting {
		t.Errorf("the address is %s; the field for the link is visible: %v", at, pasting)
	}
	run(chromedp.SendKeys("#newPassword", otherPassword+"\r"), webtest.Visible(`a.filled[href="/sign-in"]`),
		chromedp.Text("h1", &said))
	if said != "Your new password is set" {
		t.Errorf("the page says %q", said)
	}
	// The link of a new installation: its token moves into the form, and out of the address.
	fresh := apptest.Start(t, func(c *app.Config) { c.Server.Addr = "0.0.0.0:0" })
	run(chromedp.Navigate(fresh.Base+"/register#token="+fresh.App.Auth.SetupToken()), webtest.Visible("#email"),
		webtest.Until(`location.hash === '' && !document.querySelector('#setupToken').offsetParent`))
	webtest.Shoot(t, ctx, "register-first.png")
	var role string
	run(chromedp.SendKeys("#email", "first@example.com"), chromedp.SendKeys("#password", apptest.Password+"\r"),
		webtest.Until(`location.pathname.startsWith('/dashboard')`),
		chromedp.Evaluate(`fetch('/users/me').then(r => r.json()).then(u => u.role)`, &role, webtest.Awaited))
	if role != "admin" {
		t.Errorf("the first account is %q", role)
	}
}

// TestEntry_withoutScripts registers, signs in and uses a link where scripts are off.
func TestEntry_withoutScripts(t *testing.T) {
	t.Parallel()
	ctx, ok := webtest.Browser(t)
	if !ok {
		return
	}
	h := apptest.StartSignedIn(t)
	base := webtest.WithoutScripts(t, h.Base)
	var fields int
	err := webtest.Run(ctx,
		chromedp.Navigate(base+"/register?next=/audit/rules"),
		chromedp.SendKeys("#email", "bob@example.com"), chromedp.SendKeys("#password", "short\r"),
		webtest.Visible("#password[aria-invalid]"),
		chromedp.SendKeys("#password", apptest.Password+"\r"), webtest.Arrived("/audit/rules"),
		chromedp.Navigate(base+"/sign-in/link#token=x"),
		chromedp.Evaluate(`[...document.querySelectorAll('main input, main button')].
			filter(e => e.checkVisibility() && e.type !== 'hidden').length`, &fields),
		chromedp.SendKeys("#token", base+"/sign-in/link#token="+h.SignInToken(h.Session)+"\r"),
		webtest.Until(`location.pathname.startsWith('/dashboard')`),
	)
	if err != nil || fields != 2 {
		t.Errorf("%v; the page of a link has %d fields and buttons, want the field for the link and the button", err,
			fields)
	}
}

// TestEntry_passkey signs in with a passkey, in a device that Chromium simulates.
func TestEntry_passkey(t *testing.T) {
	t.Parallel()
	ctx, ok := webtest.Browser(t)
	if !ok {
		return
	}
	h := apptest.StartSignedIn(t)
	device := chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := webauthn.AddVirtualAuthenticator(&webauthn.VirtualAuthenticatorOptions{
			Protocol: webauthn.AuthenticatorProtocolCtap2, Transport: webauthn.AuthenticatorTransportInternal,
			HasResidentKey: true, HasUserVerification: true, IsUserVerified: true, AutomaticPresenceSimulation: true,
		}).Do(cdp.WithExecutor(ctx, chromedp.FromContext(ctx).Target))
		return err
	})
	base := strings.Replace(h.Base, "127.0.0.1", "localhost", 1)
	var id, said, email string
	err := webtest.Run(ctx, webauthn.Enable(), device, chromedp.Navigate(base+"/"),
		chromedp.Evaluate(`(async access => {
			const post = async (path, body) => (await fetch(path, {method: 'POST', body: JSON.stringify(body),
				headers: {'Authorization': 'Bearer ' + access, 'Content-Type': 'application/json'}})).json()
			const {publicKey} = await post('/users/me/passkeys/options')
			const credential = await navigator.credentials.create(
				{publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(publicKey)})
			return (await post('/users/me/passkeys', {name: 'Device', credential: credential.toJSON()})).passkey.id
		})("`+h.Session.Access+`")`, &id, webtest.Awaited),
		chromedp.Navigate(base+"/sign-in?next=/audit/example"),
		chromedp.Click("[data-passkey] button", chromedp.ByQuery), webtest.Arrived("/audit/example"),
		chromedp.Evaluate(`fetch('/users/me').then(r => r.json()).then(me => me.email)`, &email, webtest.Awaited),
	)
	if err != nil || email != h.Session.Email {
		t.Fatalf("signed in as %q, %v", email, err)
	}
	// A passkey that the account no longer has.
	h.Send("DELETE", "/users/me/passkeys/"+id, nil, apptest.Bearer(h.Session.Access)).Want(204)
	err = webtest.Run(ctx,
		chromedp.Evaluate(`fetch('/sign-out', {method: 'POST'}).then(r => r.url)`, &said, webtest.Awaited),
		chromedp.Navigate(base+"/sign-in"), chromedp.Click("[data-passkey] button", chromedp.ByQuery),
		webtest.Visible("#form-error"), chromedp.Text("#form-error", &said))
	if err != nil || !strings.Contains(said, "This passkey doesn’t sign in here.") {
		t.Errorf("a removed passkey: %q, %v", said, err)
	}
}

// TestConfirm_fromTheMailToTheButton registers, opens the link of the email that arrives, and presses the one button.
func TestConfirm_fromTheMailToTheButton(t *testing.T) {
	t.Parallel()
	ctx, ok := webtest.Browser(t)
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
	link := confirmLink.FindString(text())
	if !strings.HasPrefix(link, h.Base+"/") {
		t.Fatalf("got the email %s", text())
	}
	var buttons int
	err := webtest.Run(ctx, webtest.Phone, chromedp.Navigate(link), // a scanner's visit, too
		chromedp.Evaluate(`[...document.querySelectorAll('main button, main a[href], main input')].
			filter(e => e.checkVisibility() && e.type !== 'hidden').length`, &buttons))
	if err != nil || buttons != 1 || confirmed() {
		t.Fatalf("got %d buttons, %v, and confirmed %v, want one that wasn't pressed", buttons, err, confirmed())
	}
	webtest.Shoot(t, ctx, "confirm-phone.png")
	err = webtest.Run(ctx, chromedp.Click("main button", chromedp.ByQuery),
		webtest.Until(`location.pathname.startsWith('/dashboard')`))
	if err != nil || !confirmed() {
		t.Errorf("after the button: %v, confirmed: %v", err, confirmed())
	}
	if page := webtest.NewVisitor(t, h.Base).Get("/sign-in"); !strings.Contains(page.Body, "Email me a link instead") {
		t.Error("the page for signing in offers no link")
	}
}

// TestEntry_looks looks at the pages on a desk and on phones, light and dark: axe finds nothing, nothing reaches beyond
// the edge, and the policy refuses nothing.
func TestEntry_looks(t *testing.T) {
	t.Parallel()
	ctx, ok := webtest.Browser(t)
	if !ok {
		return
	}
	h := apptest.Start(t)
	// One page of each template, and a form with errors.
	for _, path := range []string{"/sign-in", "/register", "/forgotten", "/forgotten/email", "/reset", "wrong"} {
		for _, look := range []struct {
			name   string
			window chromedp.Action
			scheme string
		}{
			{"1280-light", webtest.Desk, "light"}, {"390-dark", webtest.Phone, "dark"},
			{"320-light", webtest.Narrow, "light"},
			{"1280-dark", webtest.Desk, "dark"},
		} {
			if look.name == "1280-dark" && path != "wrong" {
				continue // it has the same parts
			}
			actions := chromedp.Tasks{
				look.window, webtest.Scheme(look.scheme), chromedp.Navigate("about:blank"),
				chromedp.Navigate(h.Base + path),
			}
			if path == "wrong" {
				actions = append(actions[:3], chromedp.Navigate(h.Base+"/register"), chromedp.Submit("main form"),
					webtest.Visible("#email[aria-invalid]"))
			}
			var beyond []string
			var pictures bool
			actions = append(actions, chromedp.Evaluate(webtest.Beyond, &beyond),
				webtest.Until(`[...document.images].every(i => i.complete)`),
				chromedp.Evaluate(`[...document.images].every(i => i.naturalWidth > 0)`, &pictures))
			if err := webtest.Run(ctx, actions); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			webtest.Shoot(t, ctx, fmt.Sprintf("%s-%s.png", path, look.name))
			found, ok := webtest.Axe(t, ctx)
			if !ok {
				return
			}
			if len(found) > 0 || len(beyond) > 0 || !pictures {
				t.Errorf("%s, %s: axe: %s; beyond the edge: %v; pictures: %v", path, look.name,
					strings.Join(found, "\n"),
					beyond, pictures)
			}
		}
	}
}
