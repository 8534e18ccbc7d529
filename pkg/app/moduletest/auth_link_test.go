package moduletest_test

import (
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/db"
)

func useLink(h *apptest.Service, token string) *apptest.Response {
	return h.Post("/auth/confirm", map[string]any{"token": token})
}

func TestLink_signsInOnce(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		other := h.Register()
		first, second := h.SignInToken(other), h.SignInToken(other)
		var kept []string
		err := h.App.DB.Select(t.Context(), &kept, `SELECT digest FROM sign_in_links UNION ALL SELECT data FROM mails
			UNION ALL SELECT subject FROM audit_events UNION ALL SELECT payload FROM jobs`)
		if text := strings.Join(kept, " "); err != nil || strings.Contains(text, first) || strings.Contains(text, second) {
			t.Errorf("a token is kept, want its digest alone; %v", err)
		}
		var recorded []string
		err = h.App.DB.Select(t.Context(), &recorded, `SELECT subject FROM audit_events WHERE action = 'admin_act'`)
		if want := "link shown: sign_in_link of " + h.ID(other); err != nil || !slices.Contains(recorded, want) {
			t.Errorf("the audit log has %v, %v, want %s", recorded, err, want)
		}
		opened := useLink(h, first).Want(http.StatusOK)
		if got := opened.Text("user.email"); got != other.Email {
			t.Errorf("signed in as %s, want %s", got, other.Email)
		}
		h.Get("/users/me", apptest.Bearer(opened.Text("accessToken"))).Want(http.StatusOK)
		h.Get("/users/me", apptest.Bearer(other.Access)).Want(http.StatusOK) // other sessions continue
		for name, token := range map[string]string{
			"used": first, "of before": second, "cut": first[:len(first)-1], "of nobody": strings.Repeat("A", len(first)),
			"of a password": h.ResetToken(other),
		} {
			if r := useLink(h, token); r.Status != http.StatusBadRequest || r.Value("errors.0.pointer") != "/token" {
				t.Errorf("a token that is %s: got %d %s", name, r.Status, r.Body)
			}
		}
	})
}

func TestLink_atOnceSignsInOnce(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		token := h.SignInToken(h.Session)
		statuses := make(chan int, 4)
		for range cap(statuses) {
			go func() { statuses <- useLink(h, token).Status }()
		}
		opened := 0
		for range cap(statuses) {
			if <-statuses == http.StatusOK {
				opened++
			}
		}
		if opened != 1 {
			t.Errorf("it signed in %d times, want once", opened)
		}
	})
}

func TestLink_invalidOnceItShouldBe(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		for name, change := range map[string]string{
			"expired":         `UPDATE sign_in_links SET expires_at = expires_at - 1800000`,
			"another address": `UPDATE users SET email_key = 'other' || id`,
			"disabled":        `UPDATE users SET disabled = TRUE`,
		} {
			token := h.SignInToken(h.Register())
			if _, err := h.App.DB.Exec(t.Context(), change); err != nil {
				t.Fatal(err)
			}
			if r := useLink(h, token); r.Status != http.StatusBadRequest {
				t.Errorf("%s: got %d %s, want 400", name, r.Status, r.Body)
			}
			if _, err := h.App.DB.Exec(t.Context(), `UPDATE users SET disabled = FALSE`); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestRequestLink_saysTheSameOfEveryAddress(t *testing.T) {
	h := apptest.StartSignedIn(t)
	for _, email := range []string{h.Session.Email, "nobody@example.com", "no address"} {
		r := h.Post("/auth/link", map[string]any{"email": email}).Want(http.StatusAccepted)
		if len(r.Body) > 0 {
			t.Errorf("%s: got %s, want nothing", email, r.Body)
		}
	}
	r := h.Get("/admin/outbox", apptest.Bearer(h.Session.Access)).Want(http.StatusOK)
	if r.Text("items.0.recipient") != h.Session.Email || r.Value("items.1") != nil {
		t.Errorf("got %s, want the one to the account", r.Body)
	}
}

// TestConfirm_onlyWithMailServer: with one, new and changed addresses are unconfirmed until a link is used.
func TestConfirm_onlyWithMailServer(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = silent.Close() }()
	withMail := func(c *app.Config) {
		c.Mail.Host, c.Mail.Port, c.Mail.From = "127.0.0.1", silent.Addr().(*net.TCPAddr).Port, "mail@masthead.example"
	}
	confirmed := func(h *apptest.Service, s apptest.Session) any {
		return h.Get("/users/me", apptest.Bearer(s.Access)).Want(http.StatusOK).Value("emailConfirmed")
	}
	h := apptest.StartSignedIn(t)
	if confirmed(h, h.Session) != true {
		t.Error("without a mail server an address is unconfirmed")
	}
	node := h.StartNode(withMail)
	if confirmed(node, h.Session) != true {
		t.Error("an account from before the mail server is unconfirmed")
	}
	other := node.Register()
	if confirmed(node, other) != false {
		t.Fatal("a new address is confirmed")
	}
	if node.LastMail(node.ID(other), "confirm_address") == "" {
		t.Error("no link was sent to a new address")
	}
	token := h.SignInToken(other) // the node without a mail server shows it
	useLink(node, token).Want(http.StatusOK)
	if confirmed(node, other) != true {
		t.Error("the address is unconfirmed after its link was used")
	}
	body := map[string]any{"email": "another@example.com", "currentPassword": other.Password}
	refused := node.Send(http.MethodPatch, "/users/me", body, apptest.Bearer(other.Access)).Want(http.StatusBadRequest)
	if refused.Value("errors.0.pointer") != "/email" || confirmed(node, other) != true {
		t.Errorf("a confirmed address is changed without its links: %s", refused.Body)
	}
	other = node.Register()
	before := node.LastMail(node.ID(other), "confirm_address")
	node.Send(http.MethodPatch, "/users/me", body, apptest.Bearer(other.Access)).Want(http.StatusOK)
	if confirmed(node, other) != false || node.LastMail(node.ID(other), "confirm_address") == before {
		t.Error("another address counts as confirmed, or isn't sent a link")
	}
	made := node.Post("/admin/users", map[string]any{"email": "made@example.com", "password": apptest.Password},
		apptest.Bearer(h.Session.Access)).Want(http.StatusCreated)
	signedIn := node.Post("/auth/login", map[string]any{"email": made.Text("email"), "password": apptest.Password})
	if signedIn.Want(http.StatusOK).Value("user.emailConfirmed") != true {
		t.Error("an account that an admin made is unconfirmed")
	}
}

func TestDelete_isToldByMail(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		other := h.Register()
		h.Send(http.MethodDelete, "/users/me", nil, apptest.Bearer(other.Access)).Want(http.StatusNoContent)
		r := h.Get("/admin/outbox?state=waiting", apptest.Bearer(h.Session.Access)).Want(http.StatusOK)
		if r.Text("items.0.kind") != "account_deleted" || r.Text("items.0.recipient") != other.Email {
			t.Errorf("got %s, want the mail that the account was deleted", r.Body)
		}
	})
}

// maxSessions is how many sessions an account may have: see package auth.
const maxSessions = 50

// TestUseLink_endsTheOldestSessions has as many sessions as an account may have.
func TestUseLink_endsTheOldestSessions(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		owner := h.Register()
		for range maxSessions - 1 {
			_, err := h.App.DB.Exec(t.Context(), `INSERT INTO sessions (id, user_id, token_version, created_at, last_used_at)
				SELECT ?, user_id, token_version, created_at + 1, last_used_at FROM sessions WHERE user_id = ? LIMIT 1`,
				db.NewID(), h.ID(owner))
			if err != nil {
				t.Fatal(err)
			}
		}
		token := h.SignInToken(owner)
		linked := h.Post("/auth/confirm", map[string]any{"token": token}).Want(http.StatusOK).Text("accessToken")
		list := h.Get("/users/me/sessions", apptest.Bearer(linked)).Want(http.StatusOK).Value("items").([]any)
		if len(list) != maxSessions {
			t.Errorf("got %d sessions, want %d", len(list), maxSessions)
		}
		var all int
		err := h.App.DB.Get(t.Context(), &all, `SELECT COUNT(*) FROM sessions s JOIN users u ON u.id = s.user_id
			WHERE u.email = ?`, owner.Email)
		if err != nil || all != maxSessions {
			t.Errorf("got %d rows (%v), want %d", all, err, maxSessions)
		}
		h.Get("/users/me", apptest.Bearer(owner.Access)).Want(http.StatusUnauthorized)
	})
}
