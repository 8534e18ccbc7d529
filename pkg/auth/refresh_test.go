package auth_test

import (
	"encoding/base64"
	"strings"
	"sync"
	"testing"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/auth"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
)

func (h *house) refresh(t *testing.T, token string) auth.Session {
	t.Helper()
	s, err := h.Refresh(t.Context(), token)
	if err != nil {
		t.Fatalf("refresh: %v", err)
	}
	return s
}

func TestRefreshTokensRotate(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		h := open(t, d)
		s := h.register(t, "ada@example.com")
		id, seen := s.User.ID, map[string]bool{s.RefreshToken: true}
		for range 5 {
			h.at = h.at.Add(time.Hour)
			s = h.refresh(t, s.RefreshToken)
			raw, err := base64.RawURLEncoding.DecodeString(s.RefreshToken)
			if seen[s.RefreshToken] || err != nil || len(raw) != 32 || s.User.ID != id || s.Cookie.Value != s.AccessToken {
				t.Fatalf("got %+v, %v", s, err)
			}
			seen[s.RefreshToken] = true
			h.wantAlive(t, "the new access token", s, true)
		}
		if n := h.count(t, `SELECT COUNT(*) FROM sessions`); n != 1 {
			t.Errorf("got %d sessions, want the one", n)
		}
		for token := range seen {
			if n := h.count(t, `SELECT COUNT(*) FROM refresh_tokens WHERE digest = ?`, token); n != 0 {
				t.Error("a token is stored as it is")
			}
		}
	})
}

func TestWithinTenSecondsTheOldTokenGetsTheSameSuccessor(t *testing.T) {
	h := open(t, dbtest.SQLite(t))
	first := h.register(t, "ada@example.com")
	second := h.refresh(t, first.RefreshToken)
	h.at = h.at.Add(10*time.Second - time.Millisecond)
	again := h.refresh(t, first.RefreshToken)
	if again.RefreshToken != second.RefreshToken {
		t.Error("the other tab got another successor")
	}
	h.wantAlive(t, "the other tab", again, true)
	third := h.refresh(t, second.RefreshToken) // both tabs hold it; one moves on
	if late := h.refresh(t, second.RefreshToken); late.RefreshToken != third.RefreshToken {
		t.Error("the tab that lags behind got another successor")
	}
	h.wantAlive(t, "the session", third, true)
}

func TestReuseEndsTheSession(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		h := open(t, d)
		stolen, other := h.register(t, "ada@example.com"), h.login(t, "ada@example.com")
		second := h.refresh(t, stolen.RefreshToken)
		h.at = h.at.Add(10 * time.Second)
		_, err := h.Refresh(t.Context(), stolen.RefreshToken)
		wantCode(t, "the old token after the time of grace", err, apperr.Unauthorized)
		_, err = h.Refresh(t.Context(), second.RefreshToken)
		wantCode(t, "its successor", err, apperr.Unauthorized)
		h.wantAlive(t, "the access token", second, false)
		h.wantAlive(t, "another session of the user", other, true)
	})
}

func TestReuseOfAnOlderTokenEndsTheSession(t *testing.T) {
	h := open(t, dbtest.SQLite(t))
	first := h.register(t, "ada@example.com")
	s := first
	for range 20 {
		h.at = h.at.Add(time.Minute)
		s = h.refresh(t, s.RefreshToken)
	}
	_, err := h.Refresh(t.Context(), first.RefreshToken)
	wantCode(t, "the first token", err, apperr.Unauthorized)
	h.wantAlive(t, "the session", s, false)
}

func TestTwoTabsAtOnceGetTheSameSuccessor(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		h := open(t, d)
		s := h.register(t, "ada@example.com")
		for range 5 {
			h.at = h.at.Add(time.Minute)
			got := make([]auth.Session, 8)
			var wg sync.WaitGroup
			for i := range got {
				wg.Go(func() {
					var err error
					if got[i], err = h.Refresh(t.Context(), s.RefreshToken); err != nil {
						t.Error(err)
					}
				})
			}
			wg.Wait()
			for _, one := range got {
				if one.RefreshToken != got[0].RefreshToken || one.RefreshToken == s.RefreshToken {
					t.Fatal("the tabs got different successors")
				}
			}
			s = got[0]
		}
		h.wantAlive(t, "the session", s, true)
	})
}

func TestRefreshAndLogoutAtOnce(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		h := open(t, d)
		h.register(t, "ada@example.com")
		for range 10 {
			s := h.login(t, "ada@example.com")
			ctx := h.as(t, s)
			var wg sync.WaitGroup
			wg.Go(func() {
				if err := h.Logout(ctx); err != nil {
					t.Error(err)
				}
			})
			for range 4 {
				wg.Go(func() {
					if _, err := h.Refresh(t.Context(), s.RefreshToken); err != nil && apperr.CodeOf(err) != apperr.Unauthorized {
						t.Error(err)
					}
				})
			}
			wg.Wait()
			h.wantAlive(t, "the session", s, false)
		}
	})
}

func TestASessionEndsThoughItIsRefreshed(t *testing.T) {
	const day = 24 * time.Hour
	d := dbtest.SQLite(t)
	h := open(t, d)
	idle, used := h.register(t, "idle@example.com"), h.register(t, "used@example.com")
	h.at = birth.Add(14*day - time.Second)
	used = h.refresh(t, used.RefreshToken)
	h.at = birth.Add(14 * day)
	_, err := h.Refresh(t.Context(), idle.RefreshToken)
	wantCode(t, "idle for 14 days", err, apperr.Unauthorized)
	for h.at.Before(birth.Add(70 * day)) {
		h.at = h.at.Add(13 * day)
		used = h.refresh(t, used.RefreshToken)
	}
	h.at = birth.Add(90*day - time.Second)
	used = h.refresh(t, used.RefreshToken)
	if used.Cookie.MaxAge != 1 {
		t.Errorf("the cookie is kept for %d s, want what is left of the session", used.Cookie.MaxAge)
	}
	h.at = birth.Add(90 * day)
	h.wantAlive(t, "after 90 days", used, false)
	_, err = h.Refresh(t.Context(), used.RefreshToken)
	wantCode(t, "after 90 days", err, apperr.Unauthorized)
	if n := h.count(t, `SELECT COUNT(*) FROM sessions`); n != 0 {
		t.Errorf("%d sessions are left", n)
	}
}

func TestWhatIsNoRefreshToken(t *testing.T) {
	h := open(t, dbtest.SQLite(t))
	s := h.register(t, "ada@example.com")
	good := s.RefreshToken
	for _, token := range []string{
		"", "x", good[:42], good + "A", good + "=", " " + good, good + "\n", strings.Repeat("A", 43), strings.Repeat("A", 10_000), "\x00", s.AccessToken,
		// The last character has two bits that mean nothing: only one spelling is the token.
		good[:42] + map[bool]string{true: "B", false: "C"}[good[42] == 'A'],
	} {
		_, err := h.Refresh(t.Context(), token)
		wantCode(t, token, err, apperr.Unauthorized)
	}
	h.refresh(t, good)
}

func TestOldRefreshTokensAreForgotten(t *testing.T) {
	h := open(t, dbtest.SQLite(t))
	s := h.register(t, "ada@example.com")
	for range auth.KeptTokens + 20 {
		h.at = h.at.Add(time.Minute)
		s = h.refresh(t, s.RefreshToken)
	}
	if n := h.count(t, `SELECT COUNT(*) FROM refresh_tokens`); n != auth.KeptTokens+1 {
		t.Errorf("got %d tokens, want %d used ones and the next", n, auth.KeptTokens)
	}
	h.refresh(t, s.RefreshToken)
}

func TestRefreshWhileTheSecretChanges(t *testing.T) {
	d := dbtest.SQLite(t)
	before := open(t, d)
	after := open(t, d, func(cfg *auth.Config) { cfg.Secret, cfg.PreviousSecret = otherSecret, secret })
	without := open(t, d, func(cfg *auth.Config) { cfg.Secret = otherSecret })
	first := before.register(t, "ada@example.com")
	second := before.refresh(t, first.RefreshToken)
	if again := after.refresh(t, first.RefreshToken); again.RefreshToken != second.RefreshToken {
		t.Error("a node with the new secret gave another successor")
	}
	_, err := without.Refresh(t.Context(), first.RefreshToken)
	wantCode(t, "where the secret is gone", err, apperr.Unauthorized)
	third := without.refresh(t, second.RefreshToken)
	without.wantAlive(t, "the session", third, true)
}
