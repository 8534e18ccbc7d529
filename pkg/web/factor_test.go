package web_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"
	"github.com/pquerna/otp/totp"

	"masthead/pkg/app/apptest"
)

// TestLink_asksForTheSecondFactor presses the button of a link to an account with an authenticator app: the page asks
// for a code, and the same link signs in with it.
func TestLink_asksForTheSecondFactor(t *testing.T) {
	t.Parallel()
	ctx, ok := browser(t)
	if !ok {
		return
	}
	h := apptest.StartSignedIn(t)
	me := apptest.Bearer(h.Session.Access)
	secret := h.Post("/users/me/totp", nil, me).Want(http.StatusCreated).Text("secret")
	code, err := totp.GenerateCode(secret, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	recovery := h.Post("/users/me/totp/confirm", map[string]any{"code": code}, me).Want(http.StatusOK)
	var said, focused string
	err = chromedp.Run(ctx, phone,
		chromedp.Navigate(h.Base+"/email/sign-in#token="+h.SignInToken(h.Session)),
		chromedp.Click("#send"),
		chromedp.WaitVisible("#code"),
		chromedp.Evaluate(`document.activeElement.id`, &focused),
	)
	if err != nil || focused != "code" {
		t.Fatalf("the focus is on %q, %v, want the field of the code", focused, err)
	}
	shoot(t, ctx, "link-code.png")
	err = chromedp.Run(ctx,
		chromedp.SendKeys("#code", "000000"),
		chromedp.Click("#send"),
		chromedp.Poll(`document.querySelector('#said').textContent !== ''`, nil),
		chromedp.Text("#said", &said),
	)
	if err != nil || !strings.HasPrefix(said, "The code is wrong") {
		t.Fatalf("a wrong code: got %q, %v", said, err)
	}
	shoot(t, ctx, "link-code-wrong.png")
	err = chromedp.Run(ctx,
		chromedp.SendKeys("#code", recovery.Text("recoveryCodes.0")), // in place of the wrong one, which is selected
		chromedp.Click("#send"),
		chromedp.WaitVisible("#done"),
	)
	if err != nil {
		t.Fatal(err)
	}
}

// What /swagger says about passkeys, in the console of a page.
const (
	addPasskey = `(async access => {
		const post = async (path, body) => (await fetch(path, {method: 'POST', body: JSON.stringify(body),
			headers: {'Authorization': 'Bearer ' + access, 'Content-Type': 'application/json'}})).json()
		const {publicKey} = await post('/users/me/passkeys/options')
		const credential = await navigator.credentials.create(
			{publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(publicKey)})
		return post('/users/me/passkeys', {name: 'Test device', credential: credential.toJSON()})
	})`
	usePasskey = `(async () => {
		const post = async (path, body) => (await fetch(path, {method: 'POST', body: JSON.stringify(body),
			headers: {'Content-Type': 'application/json'}})).json()
		const {publicKey} = await post('/auth/passkey/options')
		const credential = await navigator.credentials.get(
			{publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(publicKey)})
		return post('/auth/passkey', {credential: credential.toJSON()})
	})()`
)

// TestPasskey_inABrowser adds a passkey and signs in with it in Chromium, with a device that Chromium simulates.
func TestPasskey_inABrowser(t *testing.T) {
	t.Parallel()
	ctx, ok := browser(t)
	if !ok {
		return
	}
	h := apptest.StartSignedIn(t)
	var made struct {
		Passkey struct{ Name string }
		Detail  string
		Codes   []string `json:"recoveryCodes"`
	}
	var opened struct {
		User   struct{ Email string }
		Detail string
	}
	device := chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := webauthn.AddVirtualAuthenticator(&webauthn.VirtualAuthenticatorOptions{
			Protocol: webauthn.AuthenticatorProtocolCtap2, Transport: webauthn.AuthenticatorTransportInternal,
			HasResidentKey: true, HasUserVerification: true, IsUserVerified: true, AutomaticPresenceSimulation: true,
		}).Do(cdp.WithExecutor(ctx, chromedp.FromContext(ctx).Target))
		return err
	})
	page := strings.Replace(h.Base, "127.0.0.1", "localhost", 1)
	err := chromedp.Run(ctx, webauthn.Enable(), device, chromedp.Navigate(page+"/"),
		chromedp.Evaluate(addPasskey+`("`+h.Session.Access+`")`, &made, awaited),
		chromedp.Evaluate(usePasskey, &opened, awaited),
	)
	if err != nil {
		t.Fatal(err)
	}
	if made.Passkey.Name != "Test device" || len(made.Codes) != 10 {
		t.Errorf("add: got %+v", made)
	}
	if opened.User.Email != h.Session.Email {
		t.Errorf("sign in: got %+v", opened)
	}
}
