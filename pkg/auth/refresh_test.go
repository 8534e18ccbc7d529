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

func (f *fixture) refresh(t *testing.T, token string) auth.Session {
	t.Helper()
	s, err := f.Refresh(t.Context(), token)
	if err != nil {
		t.Fatalf("refresh: %v", err)
	}
	return s
}

func TestRefresh_tokenIsReplaced(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d)
		s := f.register(t, "ada@example.com")
		id, seen := s.User.ID, map[string]bool{s.RefreshToken: true}
		for range 5 {
			f.at = f.at.Add(time.Hour)
			s = f.refresh(t, s.RefreshToken)
			raw, err := base64.RawURLEncoding.DecodeString(s.RefreshToken)
			if seen[s.RefreshToken] || err != nil || len(raw) != 32 || s.User.ID != id ||
				s.Cookie.Value != s.AccessToken {
				t.Fatalf("got %+v, %v", s, err)
			}
			seen[s.RefreshToken] = true
			f.wantAlive(t, "the new access token", s, true)
		}
		if n := f.count(t, `SELECT COUNT(*) FROM sessions`); n != 1 {
			t.Errorf("got %d sessions, want the one", n)
		}
		for token := range seen {
			if n := f.count(t, `SELECT COUNT(*) FROM refresh_tokens WHERE digest = ?`, token); n != 0 {
				t.Error("a token is stored as it is")
			}
		}
	})
}

func TestRefresh_withinTenSecondsOldTokenGetsTheSameSuccessor(t *testing.T) {
	f := open(t, dbtest.SQLite(t))
	first := f.register(t, "ada@example.com")
	second := f.refresh(t, first.RefreshToken)
	f.at = f.at.Add(10*time.Second - time.Millisecond)
	again := f.refresh(t, first.RefreshToken)
	if again.RefreshToken != second.RefreshToken {
		t.Error("the other tab got another successor")
	}
	f.wantAlive(t, "the other tab", again, true)
	third := f.refresh(t, second.RefreshToken) // both tabs hold it; one moves on
	if late := f.refresh(t, second.RefreshToken); late.RefreshToken != third.RefreshToken {
		t.Error("the tab that lags behind got another successor")
	}
	f.wantAlive(t, "the session", third, true)
}

func TestRefresh_reuseEndsTheSession(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d)
		stolen, other := f.register(t, "ada@example.com"), f.login(t, "ada@example.com")
		second := f.refresh(t, stolen.RefreshToken)
		f.at = f.at.Add(10 * time.Second)
		_, err := f.Refresh(t.Context(), stolen.RefreshToken)
		wantCode(t, "the old token after the time of grace", err, apperr.Unauthorized)
		_, err = f.Refresh(t.Context(), second.RefreshToken)
		wantCode(t, "its successor", err, apperr.Unauthorized)
		f.wantAlive(t, "the access token", second, false)
		f.wantAlive(t, "another session of the user", other, true)
	})
}

func TestRefresh_reuseOfAnOlderTokenEndsTheSession(t *testing.T) {
	f := open(t, dbtest.SQLite(t))
	first := f.register(t, "ada@example.com")
	s := first
	for range 20 {
		f.at = f.at.Add(time.Minute)
		s = f.refresh(t, s.RefreshToken)
	}
	_, err := f.Refresh(t.Context(), first.RefreshToken)
	wantCode(t, "the first token", err, apperr.Unauthorized)
	f.wantAlive(t, "the session", s, false)
}

func TestRefresh_twoTabsAtOnceGetTheSameSuccessor(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d)
		s := f.register(t, "ada@example.com")
		for range 5 {
			f.at = f.at.Add(time.Minute)
			got := make([]auth.Session, 8)
			var wg sync.WaitGroup
			for i := range got {
				wg.Go(func() {
					var err error
					if got[i], err = f.Refresh(t.Context(), s.RefreshToken); err != nil {
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
		f.wantAlive(t, "the session", s, true)
	})
}

func TestRefresh_logoutAtOnceWins(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d)
		f.register(t, "ada@example.com")
		for range 10 {
			s := f.login(t, "ada@example.com")
			caller := f.as(t, s)
			var wg sync.WaitGroup
			wg.Go(func() {
				if err := f.Logout(t.Context(), caller); err != nil {
					t.Error(err)
				}
			})
			for range 4 {
				wg.Go(func() {
					if _, err := f.Refresh(t.Context(), s.RefreshToken); err != nil &&
						apperr.CodeOf(err) != apperr.Unauthorized {
						t.Error(err)
					}
				})
			}
			wg.Wait()
			f.wantAlive(t, "the session", s, false)
		}
	})
}

func TestRefresh_sessionEndsAllTheSame(t *testing.T) {
	const day = 24 * time.Hour
	d := dbtest.SQLite(t)
	f := open(t, d)
	idle, used := f.register(t, "idle@example.com"), f.register(t, "used@example.com")
	f.at = birth.Add(14*day - time.Second)
	used = f.refresh(t, used.RefreshToken)
	f.at = birth.Add(14 * day)
	_, err := f.Refresh(t.Context(), idle.RefreshToken)
	wantCode(t, "idle for 14 days", err, apperr.Unauthorized)
	for f.at.Before(birth.Add(70 * day)) {
		f.at = f.at.Add(13 * day)
		used = f.refresh(t, used.RefreshToken)
	}
	f.at = birth.Add(90*day - time.Second)
	used = f.refresh(t, used.RefreshToken)
	if used.Cookie.MaxAge != 1 {
		t.Errorf("the cookie is kept for %d s, want what is left of the session", used.Cookie.MaxAge)
	}
	f.at = birth.Add(90 * day)
	f.wantAlive(t, "after 90 days", used, false)
	_, err = f.Refresh(t.Context(), used.RefreshToken)
	wantCode(t, "after 90 days", err, apperr.Unauthorized)
	if n := f.count(t, `SELECT COUNT(*) FROM sessions`); n != 0 {
		t.Errorf("%d sessions are left", n)
	}
}

func TestRefresh_foreignTextIs401(t *testing.T) {
	f := open(t, dbtest.SQLite(t))
	s := f.register(t, "ada@example.com")
	good := s.RefreshToken
	for _, token := range []string{
		"", "x", good[:42], good + "A", good + "=", " " + good, good + "\n", strings.Repeat("A", 43),
		strings.Repeat("A", 10_000), "\x00", s.AccessToken,
		// The last character has two bits that mean nothing: only one spelling is the token.
		good[:42] + map[bool]string{true: "B", false: "C"}[good[42] == 'A'],
	} {
		_, err := f.Refresh(t.Context(), token)
		wantCode(t, token, err, apperr.Unauthorized)
	}
	f.refresh(t, good)
}

func TestRefresh_oldTokensAreForgotten(t *testing.T) {
	f := open(t, dbtest.SQLite(t))
	s := f.register(t, "ada@example.com")
	for range auth.KeptTokens + 20 {
		f.at = f.at.Add(time.Minute)
		s = f.refresh(t, s.RefreshToken)
	}
	if n := f.count(t, `SELECT COUNT(*) FROM refresh_tokens`); n != auth.KeptTokens+1 {
		t.Errorf("got %d tokens, want %d used ones and the next", n, auth.KeptTokens)
	}
	f.refresh(t, s.RefreshToken)
}

func TestRefresh_secretMayChangeMeanwhile(t *testing.T) {
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
