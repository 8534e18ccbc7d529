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
	"masthead/pkg/users"
)

func TestLogout_endsThatSessionAlone(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d)
		one, two := f.register(t, "ada@example.com"), f.login(t, "ada@example.com")
		if err := f.Logout(t.Context(), f.as(t, one)); err != nil {
			t.Fatal(err)
		}
		f.wantAlive(t, "the one", one, false)
		f.wantAlive(t, "the other", two, true)
		_, err := f.Refresh(t.Context(), one.RefreshToken)
		wantCode(t, "its refresh token", err, apperr.Unauthorized)
		_, _, err = f.AuthenticateCookie(t.Context(), one.Cookie.Value)
		wantCode(t, "its cookie", err, apperr.Unauthorized)
	})
}

func TestChangePassword_endsAllOtherSessions(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d)
		mine, other, bobs := f.register(t, "ada@example.com"), f.login(t, "ada@example.com"), f.register(t,
			"bob@example.com")
		caller := f.as(t, mine)

		_, err := f.ChangePassword(t.Context(), caller, "wrong", "another good password")
		wantCode(t, "a wrong current password", err, apperr.Forbidden)
		_, err = f.ChangePassword(t.Context(), caller, password, "iloveyou")
		wantCode(t, "a common password", err, apperr.BadRequest)
		f.wantAlive(t, "after refusals", other, true)

		cookie, err := f.ChangePassword(t.Context(), caller, password, "another good password")
		if err != nil {
			t.Fatal(err)
		}
		f.wantAlive(t, "the other session", other, false)
		_, err = f.Refresh(t.Context(), other.RefreshToken)
		wantCode(t, "the other session's refresh token", err, apperr.Unauthorized)
		f.wantAlive(t, "the old access token", mine, false)
		f.wantAlive(t, "somebody else's", bobs, true)
		if got, renew, err := f.AuthenticateCookie(t.Context(), cookie.Value); err != nil || renew != nil ||
			got.SessionID != caller.SessionID {
			t.Errorf("the new cookie: got %+v, %v, %v", got, renew, err)
		}
		refreshed, err := f.Refresh(t.Context(), mine.RefreshToken)
		if err != nil {
			t.Fatalf("this session's refresh token: %v", err)
		}
		f.wantAlive(t, "this session", refreshed, true)

		_, err = f.Login(t.Context(), identity.Caller{}, "ada@example.com", password)
		wantCode(t, "the old password", err, apperr.Unauthorized)
		if _, err := f.Login(t.Context(), identity.Caller{}, "ada@example.com", "another good password"); err != nil {
			t.Errorf("the new password: %v", err)
		}
	})
}

func TestChangePassword_oneOfManyAtOnceWins(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d)
		caller := f.as(t, f.register(t, "ada@example.com"))
		faults := make([]error, 4) // fewer than are paused
		var wg sync.WaitGroup
		for i := range faults {
			wg.Go(func() {
				_, faults[i] = f.ChangePassword(t.Context(), caller, password, "good password "+string(rune('0'+i)))
			})
		}
		wg.Wait()
		won := 0
		for i, err := range faults {
			if err == nil {
				won++
				if _, err := f.Login(t.Context(), identity.Caller{}, "ada@example.com",
					"good password "+string(rune('0'+i))); err != nil {
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

func TestChangePassword_endedSessionClearsItsCookie(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d)
		caller := f.as(t, f.register(t, "ada@example.com"))
		if err := f.Logout(t.Context(), caller); err != nil { // between the middleware and the operation
			t.Fatal(err)
		}
		cookie, err := f.ChangePassword(t.Context(), caller, password, "another good password")
		if err != nil || cookie.MaxAge >= 0 {
			t.Errorf("got %v, %v, want the cookie cleared", cookie, err)
		}
		if n := f.count(t, `SELECT COUNT(*) FROM sessions`); n != 0 {
			t.Errorf("%d sessions live, want none", n)
		}
	})
}

func TestAuthenticate_disabledAccountIs401(t *testing.T) {
	f := open(t, dbtest.SQLite(t))
	ada := f.register(t, "ada@example.com")
	f.exec(t, `UPDATE users SET disabled = ?`, true)
	f.wantAlive(t, "its token", ada, false)
	_, _, err := f.AuthenticateCookie(t.Context(), ada.Cookie.Value)
	wantCode(t, "its cookie", err, apperr.Unauthorized)
	_, err = f.Refresh(t.Context(), ada.RefreshToken)
	wantCode(t, "its refresh token", err, apperr.Unauthorized)
}

func TestLogin_oldestSessionsEnd(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d)
		first := f.register(t, "ada@example.com")
		f.at = f.at.Add(time.Second)
		second := f.login(t, "ada@example.com")
		for range auth.MaxSessions - 1 {
			f.at = f.at.Add(time.Second)
			f.login(t, "ada@example.com")
		}
		f.wantAlive(t, "the first", first, false)
		f.wantAlive(t, "the second", second, true)
		if n := f.count(t, `SELECT COUNT(*) FROM sessions`); n != auth.MaxSessions {
			t.Errorf("got %d sessions, want %d", n, auth.MaxSessions)
		}
	})
}

func TestSweep_removesWhatHasRunOut(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d)
		old := f.register(t, "ada@example.com")
		if _, err := f.Login(t.Context(), identity.Caller{}, "ada@example.com", "wrong"); err == nil {
			t.Fatal("a wrong password is taken")
		}
		f.at = f.at.Add(14*24*time.Hour - time.Second)
		fresh := f.login(t, "ada@example.com")
		if _, err := f.Login(t.Context(), identity.Caller{}, "bob@example.com", "wrong"); err == nil {
			t.Fatal("a wrong password is taken")
		}
		if err := f.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := f.count(t, `SELECT COUNT(*) FROM sessions`); n != 2 {
			t.Errorf("before it is time: got %d sessions, want 2", n)
		}
		f.at = f.at.Add(2 * time.Second)
		if err := f.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		// Of the failures those of bob are left, by address and alone.
		if s, f := f.count(t, `SELECT COUNT(*) FROM sessions`), f.count(t,
			`SELECT COUNT(*) FROM login_failures`); s != 1 || f != 2 {
			t.Errorf("got %d sessions and %d counts of failures, want 1 and 2", s, f)
		}
		f.wantAlive(t, "the fresh one", fresh, true)
		_, err := f.Refresh(t.Context(), old.RefreshToken)
		wantCode(t, "the old one", err, apperr.Unauthorized)
	})
}

// TestLogin_sessionsAtOnceStayUnderTheCap signs in from many places at once.
func TestLogin_sessionsAtOnceStayUnderTheCap(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d)
		f.register(t, "ada@example.com")
		for range auth.MaxSessions - 2 {
			f.login(t, "ada@example.com")
		}
		var work sync.WaitGroup
		for range 4 { // more would have to wait, lest they guess
			work.Go(func() {
				if _, err := f.Login(t.Context(), identity.Caller{}, "ada@example.com", password); err != nil {
					t.Errorf("sign in: %v", err)
				}
			})
		}
		work.Wait()
		if n := f.count(t, `SELECT COUNT(*) FROM sessions`); n != auth.MaxSessions {
			t.Errorf("got %d sessions, want %d", n, auth.MaxSessions)
		}
	})
}

// TestRegister_isWholeOrNotAtAll lets the last step of a registration fail: whoever tries again finds nothing of it.
func TestRegister_isWholeOrNotAtAll(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d)
		f.exec(t, `ALTER TABLE refresh_tokens RENAME TO away`)
		account := auth.NewAccount{Email: "ada@example.com", Password: password}
		if _, err := f.Register(t.Context(), identity.Caller{}, account); err == nil {
			t.Fatal("registered without a session")
		}
		for _, table := range []string{"users", "milestones", "sessions", "audit_events"} {
			if n := f.count(t, `SELECT COUNT(*) FROM `+table); n != 0 {
				t.Errorf("%s: got %d rows, want none", table, n)
			}
		}
		f.exec(t, `ALTER TABLE away RENAME TO refresh_tokens`)
		made := f.register(t, account.Email)
		f.wantAlive(t, "the session", made, true)
		if made.User.Role != users.RoleAdmin {
			t.Errorf("got role %s, want the first account to be admin", made.User.Role)
		}
		if n := f.count(t, `SELECT COUNT(*) FROM audit_events WHERE action = 'register'`); n != 1 {
			t.Errorf("got %d events, want one", n)
		}
	})
}
