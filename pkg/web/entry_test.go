package web_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/identity"
	"masthead/pkg/oidc/oidctest"
	"masthead/pkg/web/webtest"
)

// paths are all pages of this package.
var paths = []string{
	"/sign-in", "/sign-in?again=1", "/sign-in/email", "/sign-in/link", "/register", "/forgotten", "/forgotten/email",
	"/reset", "/confirm", "/email/change", "/email/unsubscribe", "/sign-in/complete", "/sign-in/complete?ask=code",
}

// TestEntry_forms sends each form as a browser without scripts does, right and wrong.
func TestEntry_forms(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	password := h.Session.Password
	t.Run("private", func(t *testing.T) {
		v := webtest.NewVisitor(t, h.Base)
		for _, path := range paths {
			page := v.Get(path)
			if fault := page.Private(); page.Status != http.StatusOK || fault != "" {
				t.Errorf("%s: %d, %s", path, page.Status, fault)
			}
		}
	})
	t.Run("moved links", func(t *testing.T) {
		for from, to := range map[string]string{
			"/password/reset": "/reset", "/email/confirm": "/confirm", "/email/sign-in": "/sign-in/link",
		} {
			page := webtest.NewVisitor(t, h.Base).Get(from)
			if page.Status != http.StatusMovedPermanently || page.Header.Get("Location") != to {
				t.Errorf("%s: %d to %q, want %s", from, page.Status, page.Header.Get("Location"), to)
			}
		}
	})
	t.Run("sign in", func(t *testing.T) {
		v := webtest.NewVisitor(t, h.Base)
		wrong := v.Post("/sign-in", fields("email", h.Session.Email, "password", "wrong-and-secret", "next",
			"/swagger"))
		if wrong.Status != http.StatusUnprocessableEntity || wrong.Private() != "" ||
			!strings.Contains(wrong.Body, "Email and password don’t match.") ||
			!strings.Contains(wrong.Body, `value="`+h.Session.Email+`"`) ||
			!strings.Contains(wrong.Body, `name="next" value="/swagger"`) ||
			strings.Contains(wrong.Body, "wrong-and-secret") || v.Cookie(identity.CookieName) != "" {
			t.Errorf("wrong password: %d %s", wrong.Status, wrong.Main())
		}
		nobody := v.Post("/sign-in", fields("email", "nobody@example.com", "password", "wrong", "next", "/swagger"))
		same := strings.NewReplacer("nobody@example.com", h.Session.Email)
		if nobody.Status != wrong.Status || withoutNonce(same.Replace(nobody.Body)) != withoutNonce(wrong.Body) {
			t.Error("the page tells whether an account exists")
		}
		right := v.Post("/sign-in", fields("email", h.Session.Email, "password", password, "next", "/audit/example"))
		cookie := right.Header.Get("Set-Cookie")
		if right.Status != http.StatusSeeOther || right.Header.Get("Location") != "/audit/example" ||
			!strings.Contains(cookie, "HttpOnly") || !strings.Contains(cookie, "SameSite=Lax") {
			t.Errorf("right password: %d to %q with %s", right.Status, right.Header.Get("Location"), cookie)
		}
		// Who is signed in goes on, but may be asked again.
		on := v.Get("/sign-in?next=/audit/example")
		if on.Status != http.StatusSeeOther || on.Header.Get("Location") != "/audit/example" {
			t.Errorf("signed in: %d to %q", on.Status, on.Header.Get("Location"))
		}
		if on := v.Get("/register"); on.Status != http.StatusSeeOther || on.Header.Get("Location") != "/dashboard" {
			t.Errorf("register, signed in: %d to %q", on.Status, on.Header.Get("Location"))
		}
		if again := v.Get("/sign-in?again=1"); !strings.Contains(again.Body, "Confirm it’s you") {
			t.Errorf("asked again: %s", again.Main())
		}
		h.Get("/users/me", signedIn(v)).Want(http.StatusOK)
		was := v.Cookie(identity.CookieName)
		out := v.Post("/sign-out", fields())
		if out.Status != http.StatusSeeOther || out.Header.Get("Location") != "/" || v.Cookie(identity.CookieName) != "" {
			t.Errorf("sign out: %d to %q, cookie %q", out.Status, out.Header.Get("Location"),
				v.Cookie(identity.CookieName))
		}
		h.Get("/users/me", apptest.Header("Cookie", identity.CookieName+"="+was)).Want(http.StatusUnauthorized)
		if out := v.Post("/sign-out", fields()); out.Status != http.StatusSeeOther {
			t.Errorf("sign out twice: %d", out.Status)
		}
	})
	t.Run("open redirect", func(t *testing.T) {
		for _, next := range []string{"//evil.example", `/\evil.example`, "https://evil.example", "/\t/evil.example"} {
			v := webtest.NewVisitor(t, h.Base)
			if page := v.Get("/sign-in?next=" + url.QueryEscape(next)); strings.Contains(page.Body, "evil.example") {
				t.Errorf("%q is in the form", next)
			}
			page := v.Post("/sign-in", fields("email", h.Session.Email, "password", password, "next", next))
			if page.Header.Get("Location") != "/dashboard" {
				t.Errorf("%q: got %q", next, page.Header.Get("Location"))
			}
			if page := v.Get("/sign-in?next=" + url.QueryEscape(next)); page.Header.Get("Location") != "/dashboard" {
				t.Errorf("%q, signed in: got %q", next, page.Header.Get("Location"))
			}
		}
	})
	t.Run("session fixation", func(t *testing.T) {
		other := h.Register()
		v := webtest.NewVisitor(t, h.Base)
		v.SetCookie(identity.CookieName, other.Access) // put there by an attacker, who is signed in with it
		v.Post("/sign-in", fields("email", h.Session.Email, "password", password))
		if now := v.Cookie(identity.CookieName); now == other.Access || now == "" {
			t.Errorf("the cookie is still %q", now)
		}
		if who := h.Get("/users/me", apptest.Bearer(other.Access)).Text("email"); who != other.Email {
			t.Errorf("the attacker's session is now that of %s", who)
		}
	})
	t.Run("forms from elsewhere", func(t *testing.T) {
		forms := map[string]url.Values{
			"/sign-in":  fields("email", h.Session.Email, "password", password),
			"/register": fields("email", "evil@example.com", "password", password), "/sign-out": fields(),
			"/forgotten": fields("email", h.Session.Email), "/sign-in/email": fields("email", h.Session.Email),
			"/reset": fields("token", "x", "newPassword", password), "/confirm": fields("token", "x"),
			"/sign-in/link": fields("token", "x"), "/sign-in/passkey": fields("credential", "{}"),
			"/sign-in/passkey/options": fields(), "/email/unsubscribe": fields("token", "x"),
		}
		for path, content := range forms {
			for header, value := range map[string]string{"Sec-Fetch-Site": "cross-site",
				"Origin": "https://evil.example"} {
				v := webtest.NewVisitor(t, h.Base)
				v.SetCookie(identity.CookieName, h.Session.Access)
				page := v.Post(path, content, header, value)
				if page.Status != http.StatusForbidden || page.Header.Get("Set-Cookie") != "" {
					t.Errorf("%s, %s: got %d", path, header, page.Status)
				}
			}
		}
		h.Get("/users/me", apptest.Bearer(h.Session.Access)).Want(http.StatusOK)
	})
	t.Run("register", func(t *testing.T) {
		v := webtest.NewVisitor(t, h.Base)
		if page := v.Get("/register"); strings.Contains(page.Body, "setupToken") {
			t.Error("asks for a token that isn't needed")
		}
		for _, c := range []struct{ email, password, want string }{
			{"new@example.com", "short", "Password must have at least 8 characters, not 5."},
			{"new@example.com", "password123", "This is one of the most common passwords"},
			{"new", password, "Email must be an email address such as ada@example.com, not &#34;new&#34;."},
			{h.Session.Email, password, "This email already has an account."},
			{"", "", "Password is required."},
		} {
			page := v.Post("/register", fields("email", c.email, "password", c.password, "name", "Ada"))
			if page.Status != http.StatusUnprocessableEntity || !strings.Contains(page.Body, c.want) ||
				!strings.Contains(page.Body, `value="Ada"`) || !strings.Contains(page.Body, `aria-invalid="true"`) {
				t.Errorf("%q, %q: %d %s", c.email, c.password, page.Status, page.Main())
			}
		}
		page := v.Post("/register",
			fields("email", "new@example.com", "password", password, "name", "Ada", "next", "/swagger"))
		if page.Status != http.StatusSeeOther || page.Header.Get("Location") != "/swagger" {
			t.Fatalf("register: %d to %q %s", page.Status, page.Header.Get("Location"), page.Main())
		}
		me := h.Get("/users/me", signedIn(v))
		if me.Text("name") != "Ada" || me.Text("email") != "new@example.com" {
			t.Errorf("the account is %s", me.Body)
		}
	})
	t.Run("hostile text", func(t *testing.T) {
		v := webtest.NewVisitor(t, h.Base)
		form := fields("email", webtest.Payload, "password", webtest.Payload, "name", webtest.Payload, "token",
			webtest.Payload, "newPassword", webtest.Payload, "next", webtest.Payload, "credential", webtest.Payload,
			"code", webtest.Payload, "again", "1")
		for _, path := range []string{
			"/sign-in", "/register", "/forgotten", "/sign-in/email", "/reset", "/confirm", "/sign-in/passkey",
			"/email/unsubscribe",
		} {
			page := v.Post(path, form)
			shown := strings.Contains(page.Body, "&lt;script&gt;window.hit") || !strings.Contains(page.Body, "window.hit")
			if page.Status >= http.StatusInternalServerError || !shown || strings.Contains(page.Body, "<img src=x") {
				t.Errorf("%s: %d %s", path, page.Status, page.Main())
			}
		}
		if page := v.Post("/sign-in", fields("email", strings.Repeat("a", 70_000))); page.Status < 400 || page.Status > 499 {
			t.Errorf("a form that is too large: got %d", page.Status)
		}
		if page := v.Post("/sign-in", fields("email", "\xff\xfe", "password", "\xff")); page.Status != 422 {
			t.Errorf("bytes that aren't text: got %d", page.Status)
		}
	})
	t.Run("forgotten password", func(t *testing.T) {
		v, forgetful := webtest.NewVisitor(t, h.Base), h.Register()
		id := h.ID(forgetful)
		for _, email := range []string{forgetful.Email, "nobody@example.com"} {
			page := v.Post("/forgotten", fields("email", email))
			if page.Status != http.StatusSeeOther || page.Header.Get("Location") != "/forgotten/email" {
				t.Errorf("%s: %d to %q", email, page.Status, page.Header.Get("Location"))
			}
		}
		if page := v.Get("/forgotten/email"); !strings.Contains(page.Body, "doesn’t send email") {
			t.Errorf("without a mail server: %s", page.Main())
		}
		address := h.LinkOf(h.LastMail(id, "reset_password"))
		if !strings.HasPrefix(address, h.Base+"/reset#token=") {
			t.Errorf("the link is %s", address)
		}
		// Without scripts people paste the whole link.
		weak := v.Post("/reset", fields("token", address, "newPassword", "12345678"))
		if weak.Status != http.StatusUnprocessableEntity || !strings.Contains(weak.Body, "most common passwords") ||
			!strings.Contains(weak.Body, html.EscapeString(address)) {
			t.Errorf("a common password: %d %s", weak.Status, weak.Main())
		}
		done := v.Post("/reset", fields("token", address, "newPassword", otherPassword))
		if done.Status != http.StatusOK || !strings.Contains(done.Body, "Your new password is set") || done.Private() != "" {
			t.Errorf("a good password: %d %s", done.Status, done.Main())
		}
		used := v.Post("/reset", fields("token", address, "newPassword", otherPassword))
		if used.Status != http.StatusUnprocessableEntity || !strings.Contains(used.Body, "This link has been used") {
			t.Errorf("a used link: %d %s", used.Status, used.Main())
		}
		h.Get("/users/me", apptest.Bearer(forgetful.Access)).Want(http.StatusUnauthorized)
		in := v.Post("/sign-in", fields("email", forgetful.Email, "password", otherPassword))
		if in.Status != http.StatusSeeOther {
			t.Errorf("with the new password: %d", in.Status)
		}
	})
	t.Run("another email", func(t *testing.T) {
		page := webtest.NewVisitor(t, h.Base).Post("/email/change", fields("token", "nothing"))
		if page.Status != http.StatusUnprocessableEntity || page.Private() != "" {
			t.Errorf("a link that isn't one: %d %s", page.Status, page.Main())
		}
	})
	t.Run("link that signs in", func(t *testing.T) {
		who := h.Register()
		token := h.SignInToken(who)
		v := webtest.NewVisitor(t, h.Base)
		v.Get("/sign-in/link") // a scanner's visit
		page := v.Post("/sign-in/link", fields("token", token))
		if page.Status != http.StatusSeeOther || v.Cookie(identity.CookieName) == "" {
			t.Errorf("got %d %s", page.Status, page.Main())
		}
		if page := v.Post("/sign-in/link", fields("token", token)); page.Status != http.StatusUnprocessableEntity {
			t.Errorf("a used link: %d", page.Status)
		}
		if page := v.Post("/email/unsubscribe", fields("token", "nothing")); page.Status >= 500 || page.Status < 400 {
			t.Errorf("an unsubscribe link that isn't one: %d", page.Status)
		}
	})
	t.Run("second factor", func(t *testing.T) {
		who := h.Register()
		me := apptest.Bearer(who.Access)
		secret := h.Post("/users/me/totp", nil, me).Want(http.StatusCreated).Text("secret")
		code, err := totp.GenerateCode(secret, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		codes := h.Post("/users/me/totp/confirm", map[string]any{"code": code}, me).Want(http.StatusOK)
		v := webtest.NewVisitor(t, h.Base)
		ask := v.Post("/sign-in", fields("email", who.Email, "password", who.Password))
		if ask.Status != 422 || !strings.Contains(ask.Body, `name="code"`) || strings.Contains(ask.Body, who.Password) ||
			strings.Contains(ask.Body, "aria-invalid") || v.Cookie(identity.CookieName) != "" {
			t.Errorf("without a code: %d %s", ask.Status, ask.Main())
		}
		wrong := v.Post("/sign-in", fields("email", who.Email, "password", who.Password, "code", "000000"))
		if wrong.Status != 422 || !strings.Contains(wrong.Body, "The code is wrong") ||
			strings.Contains(wrong.Body, "000000") {
			t.Errorf("a wrong code: %d %s", wrong.Status, wrong.Main())
		}
		right := v.Post("/sign-in", fields("email", who.Email, "password", who.Password, "code",
			codes.Text("recoveryCodes.0")))
		if right.Status != http.StatusSeeOther {
			t.Errorf("a right code: %d %s", right.Status, right.Main())
		}
		linked, token := webtest.NewVisitor(t, h.Base), h.SignInToken(who)
		ask = linked.Post("/sign-in/link", fields("token", token))
		if ask.Status != 422 || !strings.Contains(ask.Body, `name="code"`) || !strings.Contains(ask.Body, token) {
			t.Errorf("a link without a code: %d %s", ask.Status, ask.Main())
		}
		right = linked.Post("/sign-in/link", fields("token", token, "code", codes.Text("recoveryCodes.1")))
		if right.Status != http.StatusSeeOther {
			t.Errorf("a link with a code: %d %s", right.Status, right.Main())
		}
	})
}

// TestEntry_refusedByTheProvider returns from a provider with a sign-in that this browser hasn't begun: browsers get
// the form, everybody else a problem.
func TestEntry_refusedByTheProvider(t *testing.T) {
	t.Parallel()
	provider := oidctest.New(t)
	h := apptest.Start(t, func(c *app.Config) { c.OIDC = provider.Config() })
	const back = "/auth/oidc/callback?state=none&code=none"
	page := webtest.NewVisitor(t, h.Base).Get(back, "Accept", "text/html,*/*;q=0.8")
	if page.Status != http.StatusUnprocessableEntity || page.Private() != "" ||
		!strings.Contains(page.Body, "Signing in with the provider didn’t work.") ||
		!strings.Contains(page.Body, `action="/sign-in"`) {
		t.Errorf("got %d, %s: %s", page.Status, page.Private(), page.Main())
	}
	h.Get(back).WantProblem(http.StatusBadRequest, "BAD_REQUEST")
	provider.Close()
	page = webtest.NewVisitor(t, h.Base).Get("/auth/oidc", "Accept", "text/html,*/*;q=0.8")
	if page.Status != http.StatusUnprocessableEntity ||
		!strings.Contains(page.Body, "didn’t respond. Try again in a moment.") {
		t.Errorf("a provider that is down: got %d %s", page.Status, page.Main())
	}
}

// TestEntry_signInWithAProvider follows the link of the page: it is there with a provider only, and leads back to where
// the person wanted to go.
func TestEntry_signInWithAProvider(t *testing.T) {
	t.Parallel()
	provider := oidctest.New(t)
	h := apptest.Start(t, func(c *app.Config) { c.OIDC = provider.Config() })
	const link = `href="/auth/oidc?next=%2Fdashboard%2Fkeys"`
	page := webtest.NewVisitor(t, h.Base).Get("/sign-in?next=/dashboard/keys")
	if !strings.Contains(page.Body, link) || !strings.Contains(page.Body, "Sign in with 127.0.0.1") {
		t.Errorf("got %s", page.Main())
	}
	to := webtest.NewVisitor(t, h.Base).Get("/auth/oidc?next=%2Fdashboard%2Fkeys")
	at := to.Header.Get("Location")
	if to.Status != http.StatusSeeOther || !strings.HasPrefix(at, provider.Config().Issuer) {
		t.Errorf("got %d to %q", to.Status, at)
	}
	long := webtest.NewVisitor(t, h.Base).Get("/sign-in?next=/" + strings.Repeat("a", 300))
	if !strings.Contains(long.Body, `href="/auth/oidc?next=%2Fdashboard"`) {
		t.Errorf("a long way to go: %s", long.Main())
	}
	if page := webtest.NewVisitor(t, apptest.Start(t).Base).Get("/sign-in"); strings.Contains(page.Body, "/auth/oidc") {
		t.Error("there is a link without a provider")
	}
}

// signedIn sends the session cookie of a visitor.
func signedIn(v *webtest.Visitor) apptest.RequestOption {
	return apptest.Header("Cookie", identity.CookieName+"="+v.Cookie(identity.CookieName))
}

const otherPassword = "another horse battery staple"

var confirmLink = regexp.MustCompile(`https?://\S+/confirm#token=\S+`)

var nonces = regexp.MustCompile(`nonce="[^"]*"`)

func withoutNonce(body string) string { return nonces.ReplaceAllString(body, "") }

// TestEntry_limits sends more forms than an address may: the page says when to try again.
// TestEntry_deletedAccount signs in to accounts that were deleted: in the 14 days by the password and by a link, which
// restore them, and afterwards.
func TestEntry_deletedAccount(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	for name, signIn := range map[string]func(v *webtest.Visitor, l apptest.Session, token string) webtest.Page{
		"password": func(v *webtest.Visitor, l apptest.Session, _ string) webtest.Page {
			return v.Post("/sign-in", fields("email", l.Email, "password", l.Password, "next", "/dashboard/keys"))
		},
		"link": func(v *webtest.Visitor, _ apptest.Session, token string) webtest.Page {
			return v.Post("/sign-in/link", fields("token", token))
		},
	} {
		l, v := h.Register(), webtest.NewVisitor(t, h.Base)
		id := h.ID(l)
		h.Send("DELETE", "/users/me", nil, apptest.Bearer(l.Access)).Want(http.StatusNoContent)
		page := signIn(v, l, h.SignInTokenOf(id, l.Email))
		to := page.Header.Get("Location")
		if page.Status != http.StatusSeeOther || to != "/dashboard/settings?done=restored" {
			t.Fatalf("%s: %d to %q: %s", name, page.Status, to, page.Main())
		}
		if page := v.Get(to); !strings.Contains(page.Body, "Your account is back. Its keys, webhooks and watched "+
			"pages") {
			t.Errorf("%s: %s", name, page.Main())
		}
		again := v.Post("/sign-in", fields("email", l.Email, "password", l.Password, "next", "/dashboard/keys"))
		if to := again.Header.Get("Location"); to != "/dashboard/keys" {
			t.Errorf("%s: signed in once more, to %q", name, to)
		}
		h.Send("DELETE", "/users/me", nil, signedIn(v)).Want(http.StatusNoContent)
		if _, err := h.App.DB.Exec(t.Context(), `UPDATE users SET deleting_at = 1 WHERE id = ?`, id); err != nil {
			t.Fatal(err)
		}
		if err := h.App.Users.Purge(t.Context()); err != nil {
			t.Fatal(err)
		}
		over := v.Post("/sign-in", fields("email", l.Email, "password", l.Password))
		if !strings.Contains(over.Body, "Email and password don’t match.") {
			t.Errorf("%s: after the 14 days: %d %s", name, over.Status, over.Main())
		}
	}
}

func TestEntry_limits(t *testing.T) {
	t.Parallel()
	h := apptest.Start(t, func(c *app.Config) { c.Server.AuthRPM = 2 })
	v := webtest.NewVisitor(t, h.Base)
	var page webtest.Page
	for range 3 {
		page = v.Post("/sign-in", fields("email", "ada@example.com", "password", "wrong password"))
	}
	seconds, err := strconv.Atoi(page.Header.Get("Retry-After"))
	if page.Status != http.StatusTooManyRequests || err != nil || seconds < 1 || page.Private() != "" ||
		!strings.Contains(page.Body, "Too many attempts. Try again in "+page.Header.Get("Retry-After")+" second") ||
		!strings.Contains(page.Body, `value="ada@example.com"`) {
		t.Errorf("got %d, Retry-After %q: %s", page.Status, page.Header.Get("Retry-After"), page.Main())
	}
}

// TestRegister_firstAccountWithToken registers the first account of a service that others reach: it takes the token
// that the program printed.
func TestRegister_firstAccountWithToken(t *testing.T) {
	t.Parallel()
	h := apptest.Start(t, func(c *app.Config) { c.Server.Addr, c.Auth.Registration = "0.0.0.0:0", "closed" })
	v := webtest.NewVisitor(t, h.Base)
	if page := v.Get("/register"); !strings.Contains(page.Body, `name="setupToken"`) ||
		!strings.Contains(page.Body, "With the link that the service printed") {
		t.Errorf("the form lacks the token: %s", page.Main())
	}
	form := fields("email", "ada@example.com", "password", apptest.Password, "setupToken", "not the token")
	if page := v.Post("/register", form); page.Status != http.StatusForbidden ||
		!strings.Contains(page.Body, "This is not a set-up token") || strings.Contains(page.Body, "data-sent") {
		t.Errorf("a wrong token: %d %s", page.Status, page.Main())
	}
	// A fault elsewhere keeps the token, which is no longer in the address.
	form.Set("setupToken", h.Base+"/register#token="+h.App.Auth.SetupToken())
	form.Set("password", "password")
	if page := v.Post("/register", form); !strings.Contains(page.Body, html.EscapeString(form.Get("setupToken"))) ||
		!strings.Contains(page.Body, "data-sent") {
		t.Errorf("a weak password: %d %s", page.Status, page.Main())
	}
	form.Set("password", apptest.Password)
	if page := v.Post("/register", form); page.Status != http.StatusSeeOther {
		t.Errorf("the token: %d %s", page.Status, page.Main())
	}
	me := h.Get("/users/me", signedIn(v))
	if me.Text("role") != "admin" {
		t.Errorf("the first account is %s", me.Body)
	}
	late := webtest.NewVisitor(t, h.Base)
	if page := late.Get("/register"); !strings.Contains(page.Body, "Registration is closed") ||
		strings.Contains(page.Body, "setupToken") || strings.Contains(page.Body, "<form") {
		t.Errorf("after it: %s", page.Main())
	}
	form = fields("email", "bob@example.com", "password", apptest.Password)
	if page := late.Post("/register", form); page.Status != http.StatusForbidden {
		t.Errorf("another account: %d", page.Status)
	}
	if page := late.Get("/sign-in"); strings.Contains(page.Body, "/register") {
		t.Error("links to a form that is closed")
	}
}
