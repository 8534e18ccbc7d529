package auth_test

import (
	"sync"
	"testing"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/auth"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/identity"
)

func TestLogoutEndsThatSessionAlone(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		h := open(t, d)
		one, two := h.register(t, "ada@example.com"), h.login(t, "ada@example.com")
		if err := h.Logout(h.as(t, one)); err != nil {
			t.Fatal(err)
		}
		h.wantAlive(t, "the one", one, false)
		h.wantAlive(t, "the other", two, true)
		_, err := h.Refresh(t.Context(), one.RefreshToken)
		wantCode(t, "its refresh token", err, apperr.Unauthorized)
		_, _, err = h.AuthenticateCookie(t.Context(), one.Cookie.Value)
		wantCode(t, "its cookie", err, apperr.Unauthorized)
	})
}

func TestChangingThePasswordEndsAllOtherSessions(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		h := open(t, d)
		mine, other, bobs := h.register(t, "ada@example.com"), h.login(t, "ada@example.com"), h.register(t, "bob@example.com")
		ctx := h.as(t, mine)

		_, err := h.ChangePassword(ctx, "wrong", "another good password")
		wantCode(t, "a wrong current password", err, apperr.Forbidden)
		_, err = h.ChangePassword(ctx, password, "iloveyou")
		wantCode(t, "a common password", err, apperr.BadRequest)
		h.wantAlive(t, "after refusals", other, true)

		cookie, err := h.ChangePassword(ctx, password, "another good password")
		if err != nil {
			t.Fatal(err)
		}
		h.wantAlive(t, "the other session", other, false)
		_, err = h.Refresh(t.Context(), other.RefreshToken)
		wantCode(t, "the other session's refresh token", err, apperr.Unauthorized)
		h.wantAlive(t, "the old access token", mine, false)
		h.wantAlive(t, "somebody else's", bobs, true)
		if caller, renew, err := h.AuthenticateCookie(t.Context(), cookie.Value); err != nil || renew != nil || caller.SessionID != identity.CallerOf(ctx).SessionID {
			t.Errorf("the new cookie: got %+v, %v, %v", caller, renew, err)
		}
		refreshed, err := h.Refresh(t.Context(), mine.RefreshToken)
		if err != nil {
			t.Fatalf("this session's refresh token: %v", err)
		}
		h.wantAlive(t, "this session", refreshed, true)

		_, err = h.Login(t.Context(), "ada@example.com", password)
		wantCode(t, "the old password", err, apperr.Unauthorized)
		if _, err := h.Login(t.Context(), "ada@example.com", "another good password"); err != nil {
			t.Errorf("the new password: %v", err)
		}
	})
}

func TestOneOfManyPasswordChangesAtOnceWins(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		h := open(t, d)
		ctx := h.as(t, h.register(t, "ada@example.com"))
		faults := make([]error, 4) // fewer than are paused
		var wg sync.WaitGroup
		for i := range faults {
			wg.Go(func() { _, faults[i] = h.ChangePassword(ctx, password, "good password "+string(rune('0'+i))) })
		}
		wg.Wait()
		won := 0
		for i, err := range faults {
			if err == nil {
				won++
				if _, err := h.Login(t.Context(), "ada@example.com", "good password "+string(rune('0'+i))); err != nil {
					t.Errorf("the password that won: %v", err)
				}
			} else if apperr.CodeOf(err) != apperr.Forbidden {
				t.Errorf("got %v, want forbidden", err)
			}
		}
		if won != 1 {
			t.Errorf("%d won, want 1", won)
		}
	})
}

func TestChangingThePasswordOfAnEndedSessionClearsItsCookie(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		h := open(t, d)
		ctx := h.as(t, h.register(t, "ada@example.com"))
		if err := h.Logout(ctx); err != nil { // between the middleware and the operation
			t.Fatal(err)
		}
		cookie, err := h.ChangePassword(ctx, password, "another good password")
		if err != nil || cookie.MaxAge >= 0 {
			t.Errorf("got %v, %v, want the cookie cleared", cookie, err)
		}
		if n := h.count(t, `SELECT COUNT(*) FROM sessions`); n != 0 {
			t.Errorf("%d sessions live, want none", n)
		}
	})
}

func TestADisabledAccountStops(t *testing.T) {
	h := open(t, dbtest.SQLite(t))
	ada := h.register(t, "ada@example.com")
	h.exec(t, `UPDATE users SET disabled = ?`, true)
	h.wantAlive(t, "its token", ada, false)
	_, _, err := h.AuthenticateCookie(t.Context(), ada.Cookie.Value)
	wantCode(t, "its cookie", err, apperr.Unauthorized)
	_, err = h.Refresh(t.Context(), ada.RefreshToken)
	wantCode(t, "its refresh token", err, apperr.Unauthorized)
}

func TestTheLeastUsedSessionsEnd(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		h := open(t, d)
		first := h.register(t, "ada@example.com")
		h.at = h.at.Add(time.Second)
		second := h.login(t, "ada@example.com")
		for range auth.MaxSessions - 1 {
			h.at = h.at.Add(time.Second)
			h.login(t, "ada@example.com")
		}
		h.wantAlive(t, "the first", first, false)
		h.wantAlive(t, "the second", second, true)
		if n := h.count(t, `SELECT COUNT(*) FROM sessions`); n != auth.MaxSessions {
			t.Errorf("got %d sessions, want %d", n, auth.MaxSessions)
		}
	})
}

func TestSweepRemovesWhatHasRunOut(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		h := open(t, d)
		old := h.register(t, "ada@example.com")
		if _, err := h.Login(t.Context(), "ada@example.com", "wrong"); err == nil {
			t.Fatal("a wrong password is taken")
		}
		h.at = h.at.Add(14*24*time.Hour - time.Second)
		fresh := h.login(t, "ada@example.com")
		if _, err := h.Login(t.Context(), "bob@example.com", "wrong"); err == nil {
			t.Fatal("a wrong password is taken")
		}
		if err := h.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := h.count(t, `SELECT COUNT(*) FROM sessions`); n != 2 {
			t.Errorf("before it is time: got %d sessions, want 2", n)
		}
		h.at = h.at.Add(2 * time.Second)
		if err := h.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		// Of the failures those of bob are left, by address and alone.
		if s, f := h.count(t, `SELECT COUNT(*) FROM sessions`), h.count(t, `SELECT COUNT(*) FROM login_failures`); s != 1 || f != 2 {
			t.Errorf("got %d sessions and %d counts of failures, want 1 and 2", s, f)
		}
		h.wantAlive(t, "the fresh one", fresh, true)
		_, err := h.Refresh(t.Context(), old.RefreshToken)
		wantCode(t, "the old one", err, apperr.Unauthorized)
	})
}
