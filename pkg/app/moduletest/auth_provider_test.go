package moduletest_test

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
)

const providerCookie = "masthead_oidc"

// signIn is a sign-in at a provider, in one browser.
type signIn struct {
	h        *apptest.Service
	provider *oidctest.Provider
	cookie   string // as the browser sends it
	back     *url.URL
}

// withProvider returns a node of h that people can sign in to with a new provider.
func withProvider(h *apptest.Service, options ...apptest.Option) (*apptest.Service, *oidctest.Provider) {
	p := oidctest.New(h.T())
	p.Person.Subject = fmt.Sprintf("person%d", apptest.Serial())
	p.Person.Email = p.Person.Subject + "@lovelace.example"
	node := h.StartNode(append([]apptest.Option{func(c *app.Config) { c.OIDC = p.Config() }}, options...)...)
	client := *h.Client
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	node.Client = &client
	return node, p
}

// cookieOf returns the value of a cookie that a response sets; "" if it sets none.
func cookieOf(r *apptest.Response, name string) string {
	for _, c := range (&http.Response{Header: r.Header}).Cookies() {
		if c.Name == name {
			return c.Value
		}
	}
	return ""
}

// begin goes to the provider, where the person signs in, and back, without opening the last address.
func beginSignIn(h *apptest.Service, p *oidctest.Provider) *signIn {
	h.T().Helper()
	r := h.Get("/auth/oidc?next=/dashboard").Want(http.StatusSeeOther)
	s := &signIn{h: h, provider: p, cookie: cookieOf(r, providerCookie)}
	ask, err := http.NewRequestWithContext(h.T().Context(), http.MethodGet, r.Header.Get("Location"), nil)
	if err != nil {
		h.T().Fatal(err)
	}
	answer, err := h.Client.Do(ask)
	if err != nil {
		h.T().Fatal(err)
	}
	defer answer.Body.Close()
	if s.back, err = answer.Location(); err != nil || s.cookie == "" ||
		!strings.HasPrefix(s.back.String(), h.Base+"/auth/oidc/callback?") {
		h.T().Fatalf("the provider sends the browser to %s (%v)", s.back, err)
	}
	return s
}

// set changes a parameter of the address that the provider has sent the browser to.
func (s *signIn) set(name, value string) {
	query := s.back.Query()
	query.Set(name, value)
	s.back.RawQuery = query.Encode()
}

// finish opens the address that the provider has sent the browser to.
func (s *signIn) finish() *apptest.Response {
	s.h.T().Helper()
	r := s.h.Get(s.back.RequestURI(), apptest.Header("Cookie", providerCookie+"="+s.cookie))
	if next := cookieOf(r, providerCookie); next != "" {
		s.cookie = next
	}
	return r
}

// complete sends what was missing.
func (s *signIn) complete(body map[string]any) *apptest.Response {
	s.h.T().Helper()
	return s.h.Post("/auth/oidc/complete", body, apptest.Header("Cookie", providerCookie+"="+s.cookie))
}

// emailIn returns the address of the account that a response's cookie signs in to.
func emailIn(h *apptest.Service, r *apptest.Response) string {
	h.T().Helper()
	if to := r.Want(http.StatusSeeOther).Header.Get("Location"); to != "/dashboard" {
		h.T().Fatalf("got a redirect to %s, want the page that was asked for", to)
	}
	cookie := apptest.Header("Cookie", "access_token="+cookieOf(r, "access_token"))
	return h.Get("/users/me", cookie).Want(http.StatusOK).Text("email")
}

// wantMore fails unless a sign-in asks for more at a field, and has signed in nobody.
func (s *signIn) wantMore(pointer string) {
	s.h.T().Helper()
	r := s.finish().Want(http.StatusSeeOther)
	page := "/sign-in/complete?ask=" + pointer[1:] + "&next=%2Fdashboard"
	if to := r.Header.Get("Location"); to != page || cookieOf(r, "access_token") != "" {
		s.h.T().Fatalf("got a redirect to %s and %v, want the page that asks for more", to, r.Header["Set-Cookie"])
	}
	if r := s.complete(map[string]any{}); r.Status != http.StatusUnauthorized || r.Value("errors.0.pointer") != pointer {
		s.h.T().Fatalf("got %d %s, want 401 about %s", r.Status, r.Body, pointer)
	}
}

func TestProvider_newPersonGetsAnAccount(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		h, p := withProvider(h)
		email := p.Person.Email
		if got := emailIn(h, beginSignIn(h, p).finish()); got != email {
			t.Errorf("signed in as %s, want %s", got, email)
		}
		me, err := h.App.Users.ByEmail(t.Context(), email)
		if err != nil || me.Name != "Ada Lovelace" || me.ConfirmedAt.IsZero() || me.Role != "user" {
			t.Errorf("got the account %+v (%v)", me, err)
		}
		for _, password := range []string{"", "password", apptest.Password} {
			if r := login(h, email, password); r.Status == http.StatusOK {
				t.Errorf("the password %q signs in", password)
			}
		}
		p.Person.Email, p.Person.Verified = newEmail(), false // the person is the same
		if got := emailIn(h, beginSignIn(h, p).finish()); got != email {
			t.Errorf("signed in as %s, want %s again", got, email)
		}
		p.Person.Subject = "somebody else" // with the address of another
		p.Person.Email, p.Person.Verified = strings.ToUpper(email), "true"
		beginSignIn(h, p).wantMore("/password")
	})
}

// TestProvider_takesOverNoAccount signs in with the address of an account that has a password.
func TestProvider_takesOverNoAccount(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		h, p := withProvider(h)
		owner := h.Register()
		p.Person.Email = owner.Email
		s := beginSignIn(h, p)
		s.wantMore("/password")
		for _, proof := range []map[string]any{
			{"password": "not the password"}, {"code": "123456"}, {"password": ""},
		} {
			if r := s.complete(proof); r.Status != http.StatusUnauthorized || r.Value("errors.0.pointer") != "/password" {
				t.Errorf("%v: got %d %s", proof, r.Status, r.Body)
			}
		}
		for name, token := range map[string]string{"another's": h.SignInToken(h.Register()), "no": "x"} {
			if r := s.complete(map[string]any{"token": token}); r.Status != http.StatusBadRequest {
				t.Errorf("%s link: got %d %s", name, r.Status, r.Body)
			}
		}
		exec(h, `UPDATE users SET email_confirmed_at = NULL WHERE email = ?`, owner.Email)
		unconfirmed := s.complete(map[string]any{"token": h.SignInToken(owner)})
		if unconfirmed.Status != http.StatusBadRequest {
			t.Errorf("the link of an address that was never confirmed: got %d %s", unconfirmed.Status, unconfirmed.Body)
		}
		beginSignIn(h, p).wantMore("/password") // nothing was joined

		if got := s.complete(map[string]any{"password": owner.Password}).Want(http.StatusOK); got.Text("user.email") !=
			owner.Email || got.Value("user.emailConfirmed") != true {
			t.Errorf("got %s", got.Body)
		}
		s.complete(map[string]any{}).Want(http.StatusBadRequest) // it was for joining, once
		if got := emailIn(h, beginSignIn(h, p).finish()); got != owner.Email {
			t.Errorf("signed in as %s, want %s", got, owner.Email)
		}

		linked := h.Register()
		p.Person.Subject, p.Person.Email = "linked"+p.Person.Subject, linked.Email
		s = beginSignIn(h, p)
		s.wantMore("/password")
		token := h.SignInToken(linked)
		s.complete(map[string]any{"token": token}).Want(http.StatusOK)
		useLink(h, token).Want(http.StatusBadRequest)
		if got := emailIn(h, beginSignIn(h, p).finish()); got != linked.Email {
			t.Errorf("signed in as %s, want %s", got, linked.Email)
		}
	})
}

func TestProvider_secondFactorIsAskedFor(t *testing.T) {
	h, p := withProvider(apptest.StartSignedIn(t))
	owner := h.Register()
	p.Person.Email = owner.Email
	added := h.Post("/users/me/totp", nil, apptest.Bearer(owner.Access)).Want(http.StatusCreated)
	code, err := totp.GenerateCode(added.Text("secret"), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	confirmed := h.Post("/users/me/totp/confirm", map[string]any{"code": code}, apptest.Bearer(owner.Access))
	codes := confirmed.Want(http.StatusOK)
	s := beginSignIn(h, p)
	s.wantMore("/password")
	if r := s.complete(map[string]any{"password": owner.Password}); r.Value("errors.0.pointer") != "/code" {
		t.Errorf("the password alone: got %d %s", r.Status, r.Body)
	}
	beginSignIn(h, p).wantMore("/password") // nothing was joined
	s.complete(map[string]any{"password": owner.Password, "code": codes.Text("recoveryCodes.0")}).Want(http.StatusOK)

	s = beginSignIn(h, p)
	s.wantMore("/code")
	for _, wrong := range []string{"000000", codes.Text("recoveryCodes.0")} {
		if r := s.complete(map[string]any{"code": wrong, "password": owner.Password}); r.Status != http.StatusUnauthorized {
			t.Errorf("a wrong code: got %d %s", r.Status, r.Body)
		}
	}
	s.complete(map[string]any{"code": codes.Text("recoveryCodes.1")}).Want(http.StatusOK)
}

func TestProvider_whoIsRefused(t *testing.T) {
	h, p := withProvider(apptest.StartSignedIn(t))
	for _, verified := range []any{false, nil, "false", 1, "yes"} {
		p.Person.Verified = verified
		if r := beginSignIn(h, p).finish(); r.Status != http.StatusForbidden {
			t.Errorf("email_verified %v: got %d %s", verified, r.Status, r.Body)
		}
	}
	p.Person.Verified = true
	for _, email := range []string{"", "no address", "Ada <ada@example.com>"} {
		p.Person.Email = email
		if r := beginSignIn(h, p).finish(); r.Status != http.StatusForbidden {
			t.Errorf("the address %q: got %d %s", email, r.Status, r.Body)
		}
	}
	s := beginSignIn(h, p)
	s.back.RawQuery = url.Values{"state": {s.back.Query().Get("state")}, "error": {"access_denied"}}.Encode()
	s.finish().WantProblem(http.StatusForbidden, "FORBIDDEN")

	closed, other := withProvider(h, func(c *app.Config) { c.Auth.Registration = "closed" })
	beginSignIn(closed, other).finish().WantProblem(http.StatusForbidden, "FORBIDDEN")

	// During maintenance those who have an account sign in, and nobody gets one.
	p.Person.Email = newEmail()
	admin := apptest.Bearer(h.Session.Access)
	emailIn(h, beginSignIn(h, p).finish())
	h.Send("PUT", "/admin/maintenance", map[string]any{"enabled": true}, admin).Want(http.StatusOK)
	emailIn(h, beginSignIn(h, p).finish())
	h2, p2 := withProvider(h)
	beginSignIn(h2, p2).finish().WantProblem(http.StatusServiceUnavailable, "UNAVAILABLE")
	h.Send("PUT", "/admin/maintenance", map[string]any{"enabled": false}, admin).Want(http.StatusOK)

	me, err := h.App.Users.ByEmail(t.Context(), p.Person.Email)
	if err != nil {
		t.Fatal(err)
	}
	h.Send("PATCH", "/admin/users/"+me.ID, map[string]any{"disabled": true}, admin).Want(http.StatusOK)
	beginSignIn(h, p).finish().WantProblem(http.StatusForbidden, "FORBIDDEN")
	h.Send("PATCH", "/admin/users/"+me.ID, map[string]any{"disabled": false}, admin).Want(http.StatusOK)
	cookie := apptest.Header("Cookie", "access_token="+cookieOf(beginSignIn(h, p).finish(), "access_token"))
	h.Send("DELETE", "/users/me", nil, cookie).Want(http.StatusNoContent)
	back := beginSignIn(h, p).finish().Want(http.StatusSeeOther)
	if to := back.Header.Get("Location"); to != "/dashboard/settings?done=restored" {
		t.Errorf("a deleted account: leads to %s", to)
	}
	if got := emailIn(h, beginSignIn(h, p).finish()); got != p.Person.Email {
		t.Errorf("a deleted account: signed in as %s, want it restored", got)
	}
}

// TestProvider_forgeriesAreRefused changes one thing of a sign-in that works otherwise.
func TestProvider_forgeriesAreRefused(t *testing.T) {
	h, p := withProvider(apptest.StartSignedIn(t))
	claim := func(name string, value any) func(*signIn) {
		return func(s *signIn) { s.provider.Claims = func(claims map[string]any) { claims[name] = value } }
	}
	sign := func(with func(map[string]any) string) func(*signIn) {
		return func(s *signIn) { s.provider.Sign = with }
	}
	const refused, failed = http.StatusBadRequest, http.StatusBadGateway
	for name, c := range map[string]struct {
		change func(s *signIn)
		want   int
	}{
		"another nonce":    {claim("nonce", "x"), failed},
		"no nonce":         {claim("nonce", ""), failed},
		"another audience": {claim("aud", "another client"), failed},
		"no audience":      {claim("aud", []string{}), failed},
		"two audiences, of nobody": {
			claim("aud", []string{oidctest.ClientID, "another client"}), failed,
		},
		"another party":       {claim("azp", "another client"), failed},
		"another issuer":      {claim("iss", "https://issuer.example"), failed},
		"no subject":          {claim("sub", ""), failed},
		"a long subject":      {claim("sub", strings.Repeat("x", 256)), failed},
		"expired":             {claim("exp", time.Now().Add(-time.Minute).Unix()), failed},
		"not valid yet":       {claim("nbf", time.Now().Add(time.Hour).Unix()), failed},
		"not signed":          {sign(p.None), failed},
		"signed by a secret":  {sign(p.HS256), failed},
		"signed by a foreign": {sign(p.Foreign), failed},
		"no token":            {sign(func(map[string]any) string { return "" }), failed},
		"another verifier, and the provider notices": {func(s *signIn) {
			other := beginSignIn(h, p)
			s.set("state", other.back.Query().Get("state"))
			s.cookie = other.cookie
		}, refused},
		"another verifier, and the provider doesn't": {func(s *signIn) {
			p.AnyVerifier = true
			other := beginSignIn(h, p)
			s.set("state", other.back.Query().Get("state"))
			s.cookie = other.cookie
		}, failed}, // the nonce is another's, too
		"another state":                 {func(s *signIn) { s.set("state", "x"+s.back.Query().Get("state")) }, refused},
		"no state":                      {func(s *signIn) { s.back.RawQuery = "code=" + s.back.Query().Get("code") }, refused},
		"no cookie":                     {func(s *signIn) { s.cookie = "" }, refused},
		"the cookie of another browser": {func(s *signIn) { s.cookie = beginSignIn(h, p).cookie }, refused},
		"a changed cookie":              {func(s *signIn) { s.cookie = "e30" + s.cookie }, refused},
		"a cookie without its seal":     {func(s *signIn) { s.cookie, _, _ = strings.Cut(s.cookie, ".") }, refused},
		"too late": {func(*signIn) {
			h.App.Auth.SetNow(func() time.Time { return time.Now().Add(10*time.Minute + time.Second) })
		}, refused},
		"no code":        {func(s *signIn) { s.back.RawQuery = "state=" + s.back.Query().Get("state") }, http.StatusForbidden},
		"unknown code":   {func(s *signIn) { s.set("code", "x") }, refused},
		"the code again": {func(s *signIn) { s.finish().Want(http.StatusSeeOther) }, refused},
	} {
		p.Person.Subject, p.Person.Email = name, newEmail()
		s := beginSignIn(h, p)
		c.change(s)
		r := s.finish()
		if r.Status != c.want || cookieOf(r, "access_token") != "" {
			t.Errorf("%s: got %d %s, want %d", name, r.Status, r.Body, c.want)
		}
		p.Claims, p.Sign, p.AnyVerifier = nil, nil, false
		h.App.Auth.SetNow(time.Now)
	}
	p.Person.Subject, p.Person.Email = "at last", newEmail()
	emailIn(h, beginSignIn(h, p).finish())
}

func TestProvider_goesToPathsOfThisServiceAlone(t *testing.T) {
	h, p := withProvider(apptest.StartSignedIn(t))
	for _, next := range []string{"//evil.example", `/\evil.example`, "https://evil.example", "/\t/evil.example",
		"/\n/evil.example", "javascript:alert(1)", "evil", "", `\/evil.example`, "/ /evil.example"} {
		r := h.Get("/auth/oidc?next=" + url.QueryEscape(next))
		if r.Status != http.StatusBadRequest {
			t.Errorf("%q: got %d to %s, want 400", next, r.Status, r.Header.Get("Location"))
		}
	}
	to, err := url.Parse(h.Get("/auth/oidc").Want(http.StatusSeeOther).Header.Get("Location"))
	if err != nil || !strings.HasPrefix(to.String(), p.URL+"/authorize?") ||
		to.Query().Get("scope") != "openid email profile" {
		t.Errorf("got a redirect to %s (%v)", to, err)
	}
}
