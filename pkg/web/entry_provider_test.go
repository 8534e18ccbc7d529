package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/oidc/oidctest"
	"masthead/pkg/web/webtest"
)

// atProvider signs in with a provider up to where it sends the browser, opens that, and returns where it leads.
func atProvider(t *testing.T, h *apptest.Service, v *webtest.Visitor, next string) string {
	t.Helper()
	to := v.Get("/auth/oidc?" + url.Values{"next": {next}}.Encode()).Header.Get("Location")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, to, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	back, found := strings.CutPrefix(answer.Header.Get("Location"), h.Base)
	if !found {
		t.Fatalf("the provider sends the browser to %q", answer.Header.Get("Location"))
	}
	page := v.Get(back)
	if page.Status != http.StatusSeeOther {
		t.Fatalf("back from the provider: got %d %s", page.Status, page.Main())
	}
	return page.Header.Get("Location")
}

// TestEntry_whatTheProviderDoesNotShow gives a password and a code to the page that asks for them, without scripts.
func TestEntry_whatTheProviderDoesNotShow(t *testing.T) {
	t.Parallel()
	provider := oidctest.New(t)
	h := apptest.StartSignedIn(t, func(c *app.Config) { c.OIDC = provider.Config() })
	owner := h.Register()
	provider.Person.Email, provider.Person.Subject = owner.Email, fmt.Sprintf("person%d", apptest.Serial())
	h.Send("DELETE", "/users/me", nil, apptest.Bearer(owner.Access)).Want(http.StatusNoContent)

	v := webtest.NewVisitor(t, h.Base)
	const next, restored = "/dashboard/keys", "/dashboard/settings?done=restored"
	path := atProvider(t, h, v, next)
	ask := v.Get(path)
	if ask.Status != http.StatusOK || ask.Private() != "" || strings.Count(ask.Body, `type="password"`) != 1 ||
		strings.Contains(ask.Body, `name="code"`) || !strings.Contains(ask.Body, "Enter its password once") {
		t.Fatalf("%s: got %d, %s %s", path, ask.Status, ask.Private(), ask.Main())
	}
	const complete = "/sign-in/complete"
	wrong := v.Post(complete, fields("next", next, "joins", "1", "password", "wrong horse battery staple"))
	if wrong.Status != http.StatusUnprocessableEntity || !strings.Contains(wrong.Body, "This isn’t the password") ||
		!strings.Contains(wrong.Body, `value="`+next+`"`) {
		t.Errorf("a wrong password: got %d %s", wrong.Status, wrong.Main())
	}
	done := v.Post(complete, fields("next", next, "joins", "1", "password", owner.Password))
	if done.Status != http.StatusSeeOther || done.Header.Get("Location") != restored {
		t.Fatalf("the password: got %d to %q %s", done.Status, done.Header.Get("Location"), done.Main())
	}
	again := webtest.NewVisitor(t, h.Base)
	if to := atProvider(t, h, again, next); to != next {
		t.Errorf("after joining: got %q", to)
	}

	me := signedIn(again)
	secret := h.Post("/users/me/totp", nil, me).Want(http.StatusCreated).Text("secret")
	code, err := totp.GenerateCode(secret, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	codes := h.Post("/users/me/totp/confirm", map[string]any{"code": code}, me).Want(http.StatusOK)
	v = webtest.NewVisitor(t, h.Base)
	ask = v.Get(atProvider(t, h, v, next))
	if strings.Contains(ask.Body, `type="password"`) || !strings.Contains(ask.Body, `name="code"`) {
		t.Errorf("a second factor: got %s", ask.Main())
	}
	wrong = v.Post(complete, fields("next", next, "code", "000000"))
	if wrong.Status != http.StatusUnprocessableEntity || !strings.Contains(wrong.Body, `id="code-said"`) ||
		strings.Contains(wrong.Body, `type="password"`) {
		t.Errorf("a wrong code: got %d %s", wrong.Status, wrong.Main())
	}
	if done := v.Post(complete, fields("next", "//evil.example", "code", codes.Text("recoveryCodes.0"))); done.Status !=
		http.StatusSeeOther || done.Header.Get("Location") != "/dashboard" {
		t.Errorf("a code: got %d to %q %s", done.Status, done.Header.Get("Location"), done.Main())
	}
	late := webtest.NewVisitor(t, h.Base).Post(complete, fields("next", next, "joins", "1", "password", owner.Password))
	if late.Status != http.StatusUnprocessableEntity || !strings.Contains(late.Body, "It takes 10 minutes at most") {
		t.Errorf("without a sign-in at the provider: got %d %s", late.Status, late.Main())
	}
}
