package moduletest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/mail/mailtest"
)

// newEmail returns an address that no account has.
func newEmail() string { return fmt.Sprintf("new%d@lovelace.example", apptest.Serial()) }

func changeEmail(h *apptest.Service, of apptest.Session, email string) *apptest.Response {
	return h.Post("/users/me/email", map[string]any{"email": email, "password": of.Password}, apptest.Bearer(of.Access))
}

func confirmEmail(h *apptest.Service, token string) *apptest.Response {
	return h.Post("/auth/email/confirm", map[string]any{"token": token})
}

// changeToken returns the token of the newest mail of a kind to an account.
func changeToken(h *apptest.Service, id, kind string) string {
	_, token, _ := strings.Cut(h.LinkOf(h.LastMail(id, kind)), "/email/change#token=")
	return token
}

// requested requests a change and returns the tokens that both addresses get.
func requested(h *apptest.Service, of apptest.Session, email string) (oldToken, newToken string) {
	changeEmail(h, of, email).Want(http.StatusAccepted)
	id := h.ID(of)
	return changeToken(h, id, "address_change"), changeToken(h, id, "new_address")
}

// exec changes rows.
func exec(h *apptest.Service, query string, args ...any) {
	h.T().Helper()
	if _, err := h.App.DB.Exec(h.T().Context(), query, args...); err != nil {
		h.T().Fatal(err)
	}
}

func emailOf(h *apptest.Service, of apptest.Session) string {
	return h.Get("/users/me", apptest.Bearer(of.Access)).Want(http.StatusOK).Text("email")
}

func login(h *apptest.Service, email, password string) *apptest.Response {
	return h.Post("/auth/login", map[string]any{"email": email, "password": password})
}

func TestChangeEmail_takesBothLinks(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		for _, newFirst := range []bool{true, false} {
			owner, email := h.Register(), newEmail()
			id := h.ID(owner)
			other := login(h, owner.Email, owner.Password).Want(http.StatusOK)
			reset, signIn := h.ResetToken(owner), h.SignInToken(owner)
			first, second := requested(h, owner, email)
			if newFirst {
				first, second = second, first
			}
			if got := confirmEmail(h, first).Want(http.StatusOK).Value("changed"); got != false {
				t.Errorf("after one link: changed is %v", got)
			}
			if got := emailOf(h, owner); got != owner.Email {
				t.Errorf("after one link the address is %s", got)
			}
			login(h, email, owner.Password).Want(http.StatusUnauthorized)
			confirmEmail(h, first).Want(http.StatusBadRequest)
			if got := confirmEmail(h, second).Want(http.StatusOK).Value("changed"); got != true {
				t.Errorf("after both links: changed is %v", got)
			}
			for _, used := range []string{first, second} {
				if r := confirmEmail(h, used); r.Status != http.StatusBadRequest || r.Value("errors.0.pointer") != "/token" {
					t.Errorf("a used link: got %d %s", r.Status, r.Body)
				}
			}

			if got := emailOf(h, owner); got != email {
				t.Errorf("the address is %s, want %s", got, email)
			}
			h.Get("/users/me", apptest.Bearer(other.Text("accessToken"))).Want(http.StatusUnauthorized)
			h.Post("/auth/refresh", map[string]any{"refreshToken": other.Text("refreshToken")}).Want(http.StatusUnauthorized)
			h.Post("/auth/refresh", map[string]any{"refreshToken": owner.Refresh}).Want(http.StatusOK)
			login(h, owner.Email, owner.Password).Want(http.StatusUnauthorized)
			login(h, strings.ToUpper(email), owner.Password).Want(http.StatusOK)
			useLink(h, signIn).Want(http.StatusBadRequest)
			h.Post("/auth/password/reset", map[string]any{"token": reset, "newPassword": "another good password"}).
				Want(http.StatusBadRequest)
			var told string
			err := h.App.DB.Get(t.Context(), &told, `SELECT recipient FROM mails WHERE id = ?`,
				h.LastMail(id, "address_changed"))
			if err != nil || told != owner.Email {
				t.Errorf("%q was told (%v), want the previous address", told, err)
			}
		}
	})
}

func TestChangeEmail_linksBecomeInvalid(t *testing.T) {
	h := apptest.StartSignedIn(t)
	admin := apptest.Bearer(h.Session.Access)
	for name, change := range map[string]func(of apptest.Session, id string){
		"expired": func(_ apptest.Session, id string) {
			exec(h, `UPDATE email_changes SET expires_at = expires_at - ? WHERE user_id = ?`, 7*24*3_600_000, id)
		},
		"replaced": func(of apptest.Session, _ string) { changeEmail(h, of, newEmail()).Want(http.StatusAccepted) },
		"another password": func(of apptest.Session, _ string) {
			h.Send("PUT", "/users/me/password", map[string]any{
				"currentPassword": of.Password, "newPassword": "another good password",
			}, apptest.Bearer(of.Access)).Want(http.StatusNoContent)
		},
		"a reset password": func(of apptest.Session, _ string) {
			body := map[string]any{"token": h.ResetToken(of), "newPassword": "another good password"}
			h.Post("/auth/password/reset", body).Want(http.StatusNoContent)
		},
		"another address": func(of apptest.Session, _ string) {
			h.Send("PATCH", "/users/me", map[string]any{"email": newEmail(), "currentPassword": of.Password},
				apptest.Bearer(of.Access)).Want(http.StatusOK)
		},
		"disabled": func(_ apptest.Session, id string) {
			h.Send("PATCH", "/admin/users/"+id, map[string]any{"disabled": true}, admin).Want(http.StatusOK)
		},
		"deleted": func(of apptest.Session, _ string) {
			h.Send("DELETE", "/users/me", nil, apptest.Bearer(of.Access)).Want(http.StatusNoContent)
		},
		"deleted and restored": func(of apptest.Session, _ string) {
			h.Send("DELETE", "/users/me", nil, apptest.Bearer(of.Access)).Want(http.StatusNoContent)
			login(h, of.Email, of.Password).Want(http.StatusOK)
		},
	} {
		for _, half := range []bool{false, true} {
			of, email := h.Register(), newEmail()
			id := h.ID(of)
			oldToken, newToken := requested(h, of, email)
			if half {
				confirmEmail(h, oldToken).Want(http.StatusOK)
			}
			change(of, id)
			for _, token := range []string{oldToken, newToken} {
				if r := confirmEmail(h, token); r.Status != http.StatusBadRequest {
					t.Errorf("%s (half %v): got %d %s, want 400", name, half, r.Status, r.Body)
				}
			}
			var has string
			if err := h.App.DB.Get(t.Context(), &has, `SELECT email FROM users WHERE id = ?`, id); err != nil || has == email {
				t.Errorf("%s: the account has the new address (%v)", name, err)
			}
		}
	}
	for _, token := range []string{"x", strings.Repeat("A", 43), h.SignInToken(h.Register())} {
		confirmEmail(h, token).Want(http.StatusBadRequest)
	}
}

// TestChangeEmail_linksAtOnce uses each of the two links twice, all at once: each works once, and one of them changes
// the address.
func TestChangeEmail_linksAtOnce(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		for range 5 {
			owner, email := h.Register(), newEmail()
			oldToken, newToken := requested(h, owner, email)
			answers := make(chan *apptest.Response, 4)
			for _, token := range []string{oldToken, newToken, oldToken, newToken} {
				go func() { answers <- confirmEmail(h, token) }()
			}
			confirmed, changed := 0, 0
			for range cap(answers) {
				r := <-answers
				if r.Status == http.StatusOK {
					confirmed++
				}
				if r.Value("changed") == true {
					changed++
				}
			}
			if confirmed != 2 || changed != 1 || emailOf(h, owner) != email {
				t.Fatalf("%d links worked, and the address changed %d times", confirmed, changed)
			}
		}
	})
}

// TestChangeEmail_saysNothingOfOtherAccounts requests the address of another account: its owner is told, and the caller
// sees what they always see.
func TestChangeEmail_saysNothingOfOtherAccounts(t *testing.T) {
	server := mailtest.New(t, mailtest.StartTLS)
	h := apptest.StartSignedIn(t, func(c *app.Config) { c.Mail = server.Config })
	victim := h.Register()
	// to returns the text of the newest mail to an address with a subject.
	to := func(email, subject string) (text string) {
		t.Helper()
		apptest.WaitFor(t, subject+" to "+email, func() bool {
			for _, m := range server.Mails() {
				if m.GetToString()[0] == "<"+email+">" && m.GetGenHeader("Subject")[0] == subject {
					content, err := m.GetParts()[0].GetContent()
					if err != nil {
						t.Fatal(err)
					}
					text = string(content)
				}
			}
			return text != ""
		})
		return text
	}
	type seen struct {
		status int
		body   string
		mails  any
	}
	attempt := func(email string) (seen, apptest.Session) {
		caller := h.Register()
		exec(h, `UPDATE users SET email_confirmed_at = 1 WHERE id = ?`, h.ID(caller))
		r := changeEmail(h, caller, email)
		var kinds []string
		err := h.App.DB.Select(t.Context(), &kinds, `SELECT kind FROM mails WHERE user_id = ? ORDER BY kind`, h.ID(caller))
		if err != nil {
			t.Fatal(err)
		}
		return seen{r.Status, string(r.Body), fmt.Sprint(kinds)}, caller
	}
	free := newEmail()
	ofFree, owner := attempt(free)
	ofTaken, attacker := attempt(strings.ToUpper(victim.Email))
	if ofFree != ofTaken || ofFree.status != http.StatusAccepted {
		t.Errorf("a free address: %v; a taken one: %v", ofFree, ofTaken)
	}
	text := to(strings.ToUpper(victim.Email), "This address already has an account")
	if strings.Contains(text, "#token=") {
		t.Errorf("the owner of a taken address gets a link: %s", text)
	}
	var links int
	err := h.App.DB.Get(t.Context(), &links, `SELECT COUNT(*) FROM email_change_links l JOIN email_changes c
		ON c.id = l.change_id WHERE c.user_id = ? AND l.is_new`, h.ID(attacker))
	if err != nil || links != 0 {
		t.Errorf("got %d links (%v) to a taken address, want none", links, err)
	}

	// Another account takes the address before its link is used.
	token := func(text string) string {
		_, token, _ := strings.Cut(text, "/email/change#token=")
		return strings.Fields(token)[0]
	}
	oldToken := token(to(owner.Email, "Confirm the change of your email address"))
	newToken := token(to(free, "Confirm your new email address"))
	h.Post("/auth/register", map[string]any{"email": free, "password": apptest.Password}).Want(http.StatusCreated)
	confirmEmail(h, newToken).Want(http.StatusOK)
	confirmEmail(h, oldToken).WantProblem(http.StatusConflict, "CONFLICT")
	if got := emailOf(h, owner); got != owner.Email {
		t.Errorf("the address is %s after a conflict", got)
	}
}

func TestChangeEmail_whatItTakes(t *testing.T) {
	h := apptest.StartSignedIn(t)
	owner := h.Register()
	wrong := owner
	wrong.Password = "not the password"
	refused := changeEmail(h, wrong, newEmail()).WantProblem(http.StatusForbidden, "FORBIDDEN")
	if refused.Value("errors.0.pointer") != "/password" {
		t.Errorf("a wrong password: got %s", refused.Body)
	}
	for _, email := range []string{owner.Email, "no address", "Ada <ada@example.com>"} {
		if r := changeEmail(h, owner, email); r.Status != http.StatusBadRequest {
			t.Errorf("%s: got %d %s, want 400", email, r.Status, r.Body)
		}
	}
	for range 5 {
		changeEmail(h, owner, newEmail()).Want(http.StatusAccepted)
	}
	sixth := changeEmail(h, owner, newEmail()).WantProblem(http.StatusTooManyRequests, "RATE_LIMITED")
	if got := sixth.Header.Get("Retry-After"); got != "3600" {
		t.Errorf("a sixth change in an hour: retry after %q, want an hour", got)
	}

	// With a second factor, a session that gave it long ago isn't enough.
	second := h.Register()
	added := h.Post("/users/me/totp", nil, apptest.Bearer(second.Access)).Want(http.StatusCreated)
	code, err := totp.GenerateCode(added.Text("secret"), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	h.Post("/users/me/totp/confirm", map[string]any{"code": code}, apptest.Bearer(second.Access)).
		Want(http.StatusOK)
	changeEmail(h, second, newEmail()).Want(http.StatusAccepted)
	exec(h, `UPDATE sessions SET factor_at = factor_at - 660000 WHERE user_id = ?`, h.ID(second))
	changeEmail(h, second, newEmail()).WantProblem(http.StatusForbidden, "FORBIDDEN")
	update := map[string]any{"email": newEmail(), "currentPassword": second.Password}
	h.Send("PATCH", "/users/me", update, apptest.Bearer(second.Access)).WantProblem(http.StatusForbidden, "FORBIDDEN")

	// Nobody has shown that an unconfirmed address is theirs, so the new one alone is asked.
	unconfirmed, email := h.Register(), newEmail()
	id := h.ID(unconfirmed)
	exec(h, `UPDATE users SET email_confirmed_at = NULL WHERE id = ?`, id)
	changeEmail(h, unconfirmed, email).Want(http.StatusAccepted)
	if h.LastMail(id, "address_change") != "" {
		t.Error("an unconfirmed address gets a link")
	}
	if confirmEmail(h, changeToken(h, id, "new_address")).Want(http.StatusOK).Value("changed") != true {
		t.Error("the address hasn't changed")
	}
	if got := h.Get("/users/me", apptest.Bearer(unconfirmed.Access)); got.Text("email") != email ||
		got.Value("emailConfirmed") != true || h.LastMail(id, "address_changed") != "" {
		t.Errorf("got %s, want the new address, confirmed, and nobody told", got.Body)
	}
}
