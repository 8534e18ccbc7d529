package dashboard_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/pquerna/otp"
	"github.com/pquerna/otp/totp"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/mail/mailtest"
	"masthead/pkg/web/webtest"
)

const settingsPath = "/dashboard/settings"

// led checks that a form led back to the page with what was done.
func led(t *testing.T, page webtest.Page, done string) {
	t.Helper()
	if to := page.Header.Get("Location"); page.Status != http.StatusSeeOther || to != settingsPath+"?done="+done {
		t.Errorf("%s: %d to %q %s", done, page.Status, to, page.Main())
	}
}

// refused checks that a form came back with a sentence.
func refused(t *testing.T, page webtest.Page, status int, sentence string) {
	t.Helper()
	if page.Status != status || !strings.Contains(page.Body, sentence) || page.Private() != "" {
		t.Errorf("got %d, want %d with %q (%s): %s", page.Status, status, sentence, page.Private(), page.Main())
	}
}

func TestSettings_accountAndPassword(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	me := h.Register()
	v := webtest.SignIn(t, h.Base, me.Access)
	led(t, v.Post(settingsPath, fields("do", "name", "name", webtest.Payload)), "saved")
	webtest.WantText(t, v.Get(settingsPath), 1)
	refused(t, v.Post(settingsPath, fields("do", "name", "name", strings.Repeat("x", 101))), 422, `aria-invalid="true"`)

	const email = "new@lovelace.example"
	wrong := v.Post(settingsPath, fields("do", "email", "email", email, "emailPassword", "not it"))
	refused(t, wrong, 403, `value="`+email+`"`)
	if strings.Contains(wrong.Body, "not it") || !strings.Contains(wrong.Body, `id="emailPassword-said"`) {
		t.Errorf("a wrong password: %s", wrong.Main())
	}
	refused(t, v.Post(settingsPath, fields("do", "email", "email", webtest.Payload, "emailPassword", me.Password)), 422,
		`id="email-said"`)
	led(t, v.Post(settingsPath, fields("do", "email", "email", email, "emailPassword", me.Password)), "saved")
	if page := v.Get(settingsPath); !strings.Contains(page.Body, `<b class="any">`+email) {
		t.Errorf("the address: %s", page.Main())
	}

	refused(t, v.Post(settingsPath, fields("do", "password", "currentPassword", "not it", "newPassword", "a new word")),
		403, `id="currentPassword-said"`)
	refused(t, v.Post(settingsPath, fields("do", "password", "currentPassword", me.Password, "newPassword", "short")), 422,
		`id="newPassword-said"`)
	led(t, v.Post(settingsPath, fields("do", "password", "currentPassword", me.Password,
		"newPassword", "four unrelated words here")), "password")
	if page := v.Get(settingsPath); page.Status != http.StatusOK {
		t.Errorf("the session after a new password: %d", page.Status)
	}
	for _, form := range [][]string{{"do", "nothing"}, {}} {
		if page := v.Post(settingsPath, fields(form...)); page.Status >= 500 || page.Status < 400 {
			t.Errorf("%v: %d", form, page.Status)
		}
	}
}

func TestSettings_newAddressByMail(t *testing.T) {
	t.Parallel()
	mails := mailtest.New(t, mailtest.StartTLS)
	h := apptest.StartSignedIn(t, func(c *app.Config) { c.Mail = mails.Config })
	me := h.Register()
	v := webtest.SignIn(t, h.Base, me.Access)
	led(t, v.Post(settingsPath, fields("do", "email", "email", "new@lovelace.example", "emailPassword", me.Password)),
		"links")
	if page := v.Get(settingsPath + "?done=links"); !strings.Contains(page.Body, "Until then nothing changes.") ||
		!strings.Contains(page.Body, me.Email) {
		t.Errorf("the page: %s", page.Main())
	}
}

func TestSettings_sessions(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	me := h.Register()
	v := webtest.SignIn(t, h.Base, me.Access)
	login := map[string]any{"email": me.Email, "password": me.Password}
	signInElsewhere := func() string {
		return h.Post("/auth/login", login).Want(http.StatusOK).Text("accessToken")
	}
	one, two := signInElsewhere(), signInElsewhere()
	page := v.Get(settingsPath)
	if got := strings.Count(page.Body, "?confirm=0"); got != 2 || strings.Count(page.Body, "This session") != 1 {
		t.Fatalf("%d sessions can be ended, want two: %s", got, page.Main())
	}
	id := regexp.MustCompile(`\?confirm=([0-9a-f-]{36})"`).FindStringSubmatch(page.Body)[1]
	for confirm, asks := range map[string]string{id: "Sign out this device?", "end-others": "Sign out everywhere else?"} {
		if asked := v.Get(settingsPath + "?confirm=" + confirm); strings.Count(asked.Body, `id="ask"`) != 1 ||
			!strings.Contains(asked.Body, asks) {
			t.Errorf("asked about %s: %s", confirm, asked.Main())
		}
	}
	if asked := v.Get(settingsPath + "?confirm=nothing"); strings.Contains(asked.Body, `id="ask"`) {
		t.Errorf("asked about nothing: %s", asked.Main())
	}
	led(t, v.Post(settingsPath, fields("do", "end", "id", id)), "ended")
	left := 0
	for _, token := range []string{one, two} {
		if h.Get("/users/me", apptest.Bearer(token)).Status == http.StatusOK {
			left++
		}
	}
	if left != 1 {
		t.Errorf("%d of two sessions are left, want one", left)
	}
	led(t, v.Post(settingsPath, fields("do", "end-others")), "others")
	for _, token := range []string{one, two} {
		h.Get("/users/me", apptest.Bearer(token)).Want(http.StatusUnauthorized)
	}
	other := h.Register()
	refused(t, webtest.SignIn(t, h.Base, other.Access).Post(settingsPath, fields("do", "end", "id", id)), 404, "")
	if page := v.Get(settingsPath); page.Status != http.StatusOK || strings.Contains(page.Body, "everywhere else") {
		t.Errorf("alone: %d %s", page.Status, page.Main())
	}
}

func TestSettings_secondFactor(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	v := webtest.SignIn(t, h.Base, h.Register().Access)
	page := v.Post(settingsPath, fields("do", "app"))
	found := regexp.MustCompile(`name="app" value="([^"]+)"`).FindStringSubmatch(page.Body)
	if page.Status != http.StatusOK || found == nil || !strings.Contains(page.Body, `<svg class="qr"`) ||
		page.Private() != "" {
		t.Fatalf("got %d %s, want a key: %s", page.Status, page.Private(), page.Main())
	}
	address := strings.ReplaceAll(found[1], "&amp;", "&")
	key, err := otp.NewKeyFromURL(address)
	if err != nil {
		t.Fatal(err)
	}
	code, err := totp.GenerateCode(key.Secret(), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	wrong := v.Post(settingsPath, fields("do", "code", "code", "no", "app", address))
	refused(t, wrong, 422, `id="code-said"`)
	if !strings.Contains(wrong.Body, `<svg class="qr"`) {
		t.Errorf("the key is gone after a wrong code: %s", wrong.Main())
	}
	on := v.Post(settingsPath, fields("do", "code", "code", code[:3]+" "+code[3:], "app", address))
	if on.Status != http.StatusOK || !strings.Contains(on.Body, "Your recovery codes") ||
		strings.Contains(on.Body, key.Secret()) {
		t.Fatalf("the app: %d %s", on.Status, on.Main())
	}
	for _, hostile := range []string{
		webtest.Payload, "javascript:alert(1)", "otpauth://totp/x?secret=" + webtest.Payload,
		"otpauth://totp/x?secret=" + strings.Repeat("A", 10_000),
	} {
		back := v.Post(settingsPath, fields("do", "code", "code", "no", "app", hostile))
		if back.Status >= 500 || strings.Contains(back.Body, "<img src=x") || strings.Contains(back.Body, "href=\"javascript") {
			t.Errorf("%q as the key: %d %s", hostile, back.Status, back.Main())
		}
	}
	if page := v.Get(settingsPath); !strings.Contains(page.Body, "Authenticator app</b>, since") ||
		strings.Contains(page.Body, "Your recovery codes") {
		t.Errorf("afterwards: %s", page.Main())
	}
	for confirm, asks := range map[string]string{
		"codes": "Make new recovery codes?", "remove-app": "Remove the authenticator app?",
	} {
		if asked := v.Get(settingsPath + "?confirm=" + confirm); strings.Count(asked.Body, `id="ask"`) != 1 ||
			!strings.Contains(asked.Body, asks) {
			t.Errorf("asked about %s: %s", confirm, asked.Main())
		}
	}
	if page := v.Post(settingsPath, fields("do", "codes")); !strings.Contains(page.Body, "Your recovery codes") {
		t.Errorf("new codes: %d %s", page.Status, page.Main())
	}
	led(t, v.Post(settingsPath, fields("do", "remove-app")), "removed")
}

func TestSettings_exportAndDeletion(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	me := h.Register()
	v := webtest.SignIn(t, h.Base, me.Access)
	begun := v.Post(settingsPath, fields("do", "export"))
	at, _, _ := strings.Cut(begun.Header.Get("Location"), "#")
	if begun.Status != http.StatusSeeOther || !strings.HasPrefix(at, settingsPath+"?export=") {
		t.Fatalf("an export: %d to %q %s", begun.Status, at, begun.Main())
	}
	link := regexp.MustCompile(`href="([^"]+)" download`)
	apptest.WaitFor(t, "the export", func() bool { return link.MatchString(v.Get(at).Body) })
	file := v.Get(link.FindStringSubmatch(v.Get(at).Body)[1])
	if file.Status != http.StatusOK || !strings.HasPrefix(file.Body, "PK") {
		t.Errorf("the file: %d %q", file.Status, file.Header.Get("Content-Type"))
	}
	other := webtest.SignIn(t, h.Base, h.Register().Access)
	for _, query := range []string{strings.TrimPrefix(at, settingsPath), "?export=x", "?export=%22%3E"} {
		if page := other.Get(settingsPath + query); page.Status != http.StatusNotFound {
			t.Errorf("%s of another account: %d", query, page.Status)
		}
	}

	refused(t, v.Post(settingsPath, fields("do", "delete", "confirm", "somebody@example.com")), 422,
		"This isn’t the address of the account.")
	gone := v.Post(settingsPath, fields("do", "delete", "confirm", " "+strings.ToUpper(me.Email)))
	if gone.Status != http.StatusSeeOther || gone.Header.Get("Location") != "/?done=deleted" {
		t.Errorf("deleted: %d to %q %s", gone.Status, gone.Header.Get("Location"), gone.Main())
	}
	h.Get("/users/me", apptest.Bearer(me.Access)).Want(http.StatusUnauthorized)
	if page := v.Get(settingsPath); page.Status != http.StatusSeeOther {
		t.Errorf("the page afterwards: %d", page.Status)
	}
}

func TestSettings_looks(t *testing.T) {
	t.Parallel()
	ctx, ok := webtest.Browser(t)
	if !ok {
		return
	}
	h := apptest.StartSignedIn(t)
	me := h.Register()
	h.Send("PATCH", "/users/me", map[string]any{"name": "Ada Lovelace"}, apptest.Bearer(me.Access)).Want(http.StatusOK)
	h.Post("/auth/login", map[string]any{"email": me.Email, "password": me.Password}).Want(http.StatusOK)
	if err := webtest.Run(ctx, webtest.SignedIn(h.Base, me.Access)); err != nil {
		t.Fatal(err)
	}
	webtest.Look(t, ctx, h.Base, webtest.State{Name: "settings", Path: settingsPath},
		webtest.State{Name: "settings-app", Path: settingsPath, Then: chromedp.Tasks{
			chromedp.Click(`[value=app]`, chromedp.ByQuery), webtest.Visible(".qr"),
		}},
		webtest.State{Name: "settings-end", Path: settingsPath, Then: chromedp.Tasks{
			chromedp.Click(`#sessions li a`, chromedp.ByQuery), webtest.Visible("#ask"),
		}},
		webtest.State{Name: "settings-others", Path: settingsPath, Then: chromedp.Tasks{
			// By keyboard; Cancel has the focus, and Esc closes
			chromedp.Focus(`#sessions .button`, chromedp.ByQuery), webtest.Key('\r'),
			webtest.Until(`document.activeElement.textContent === 'Cancel'`), chromedp.KeyEvent("\x1b"),
			webtest.Until(`!document.querySelector('.ask')`),
		}},
		webtest.State{Name: "settings-wrong", Path: settingsPath, Then: chromedp.Tasks{
			chromedp.Click(`[value=password]`, chromedp.ByQuery), webtest.Visible("#newPassword[aria-invalid]"),
		}},
	)
}
