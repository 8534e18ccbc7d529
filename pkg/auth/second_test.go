package auth_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"masthead/pkg/apperr"
	"masthead/pkg/auth"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/identity"
)

// codeOf returns what an authenticator app with a secret shows at the fixture's time.
func (f *fixture) codeOf(t *testing.T, secret string) string {
	t.Helper()
	code, err := totp.GenerateCode(secret, f.at)
	if err != nil {
		t.Fatal(err)
	}
	return code
}

// withApp sets up an authenticator app in a session, and returns its secret and the recovery codes. The code of the
// fixture's time is used up.
func (f *fixture) withApp(t *testing.T, s auth.Session) (secret string, recovery []string) {
	t.Helper()
	caller := f.as(t, s)
	app, err := f.AddApp(t.Context(), caller)
	if err != nil {
		t.Fatal(err)
	}
	recovery, err = f.ConfirmApp(t.Context(), caller, f.codeOf(t, app.Secret))
	if err != nil {
		t.Fatal(err)
	}
	return app.Secret, recovery
}

// signIn signs in as ada with a code.
func (f *fixture) signIn(t *testing.T, code string) (auth.Session, error) {
	t.Helper()
	return f.Service.Login(t.Context(), from("192.0.2.7"), "ada@example.com", password, code)
}

// wantFactor checks that an error asks for the code, as Unauthorized.
func wantFactor(t *testing.T, what string, err error) {
	t.Helper()
	var fault *apperr.Error
	if !errors.As(err, &fault) || fault.Code != apperr.Unauthorized || len(fault.Fields) != 1 ||
		fault.Fields[0].Pointer != "/code" {
		t.Errorf("%s: got %+v, want Unauthorized about /code", what, err)
	}
}

func TestSecondFactor_isNeededToSignIn(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d)
		mine, other := f.register(t, "ada@example.com"), f.login(t, "ada@example.com")
		caller := f.as(t, mine)
		app, err := f.AddApp(t.Context(), caller)
		if err != nil || !strings.HasPrefix(app.URI, "otpauth://totp/Masthead:ada@example.com?") ||
			!strings.Contains(app.URI, "secret="+app.Secret) {
			t.Fatalf("got %+v, %v", app, err)
		}
		f.login(t, "ada@example.com") // not needed before the first code
		_, err = f.ConfirmApp(t.Context(), caller, "000000")
		wantCode(t, "a wrong first code", err, apperr.BadRequest)
		recovery, err := f.ConfirmApp(t.Context(), caller, f.codeOf(t, app.Secret))
		if err != nil || len(recovery) != 10 {
			t.Fatalf("got %q, %v", recovery, err)
		}
		f.wantAlive(t, "this session", mine, true)
		f.wantAlive(t, "another session", other, false)

		f.at = f.at.Add(time.Minute)
		_, err = f.signIn(t, "")
		wantFactor(t, "no code", err)
		_, err = f.signIn(t, "123456")
		wantFactor(t, "a wrong code", err)
		_, err = f.Service.Login(t.Context(), from("192.0.2.7"), "ada@example.com", "wrong", f.codeOf(t, app.Secret))
		wantCode(t, "a wrong password with the right code", err, apperr.Unauthorized)
		var fault *apperr.Error
		if errors.As(err, &fault); len(fault.Fields) != 0 {
			t.Errorf("a wrong password with the right code: got %+v, which tells that the account has a factor", fault)
		}
		code := f.codeOf(t, app.Secret)
		if _, err := f.signIn(t, code[:3]+" "+code[3:]); err != nil {
			t.Errorf("the right code: %v", err)
		}
		_, err = f.signIn(t, code)
		wantFactor(t, "a code again", err)
		f.at = f.at.Add(30 * time.Second)
		if _, err := f.signIn(t, code); err == nil {
			t.Error("a code again, which is still valid by time: signed in")
		}
	})
}

func TestSecondFactor_codesOfNeighboringStepsWork(t *testing.T) {
	f := open(t, dbtest.SQLite(t))
	secret, _ := f.withApp(t, f.register(t, "ada@example.com"))
	at := f.at.Add(time.Hour)
	for _, c := range []struct {
		offset time.Duration
		ok     bool
	}{{-time.Minute, false}, {-30 * time.Second, true}, {0, true}, {30 * time.Second, true}, {time.Minute, false}} {
		f.at = at.Add(c.offset)
		code := f.codeOf(t, secret)
		f.at = at
		if _, err := f.signIn(t, code); (err == nil) != c.ok {
			t.Errorf("the code of %s from now: got %v", c.offset, err)
		}
	}
}

func TestSecondFactor_oneOfManyAtOnceWins(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d)
		secret, recovery := f.withApp(t, f.register(t, "ada@example.com"))
		f.at = f.at.Add(time.Hour)
		for _, code := range []string{f.codeOf(t, secret), recovery[0]} {
			signedIn := 0
			var mu sync.Mutex
			var wg sync.WaitGroup
			for range 4 {
				wg.Go(func() {
					if _, err := f.signIn(t, code); err == nil {
						mu.Lock()
						defer mu.Unlock()
						signedIn++
					}
				})
			}
			wg.Wait()
			if signedIn != 1 {
				t.Errorf("%d signed in with one code, want 1", signedIn)
			}
		}
	})
}

func TestSecondFactor_wrongCodesPause(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d)
		mine := f.register(t, "ada@example.com")
		secret, recovery := f.withApp(t, mine)
		f.at = f.at.Add(time.Hour)
		for i := range 5 {
			_, err := f.Service.Login(t.Context(), from(fmt.Sprintf("192.0.2.%d", i)), "ada@example.com", password, "000000")
			wantFactor(t, "a wrong code", err)
		}
		_, err := f.signIn(t, f.codeOf(t, secret))
		wantCode(t, "the right code after five wrong ones", err, apperr.RateLimited)
		_, err = f.signIn(t, recovery[0])
		wantCode(t, "a recovery code after five wrong ones", err, apperr.RateLimited)
		f.wantAlive(t, "a session that is signed in", mine, true)
		f.at = f.at.Add(15*time.Minute - time.Second)
		_, err = f.signIn(t, f.codeOf(t, secret))
		wantCode(t, "the right code before the time", err, apperr.RateLimited)
		f.at = f.at.Add(time.Second)
		if _, err := f.signIn(t, f.codeOf(t, secret)); err != nil {
			t.Errorf("the right code after the time: %v", err)
		}
	})
}

func TestSecondFactor_recoveryCodesWorkOnce(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d)
		f.withApp(t, f.register(t, "bob@example.com"))
		_, recovery := f.withApp(t, f.register(t, "ada@example.com"))
		f.at = f.at.Add(time.Minute)
		s, err := f.signIn(t, strings.ToUpper(strings.ReplaceAll(recovery[3], "-", "")))
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.signIn(t, recovery[3])
		wantFactor(t, "a recovery code again", err)
		_, err = f.Service.Login(t.Context(), identity.Caller{}, "bob@example.com", password, recovery[4])
		wantFactor(t, "somebody else's", err)
		if factors, err := f.Factors(t.Context(), f.as(t, s)); err != nil || factors.RecoveryCodes != 9 {
			t.Errorf("got %+v, %v, want 9 codes left", factors, err)
		}
		renewed, err := f.RenewRecoveryCodes(t.Context(), f.as(t, s))
		if err != nil || len(renewed) != 10 {
			t.Fatalf("got %q, %v", renewed, err)
		}
		_, err = f.signIn(t, recovery[5])
		wantFactor(t, "an earlier code", err)
		if _, err := f.signIn(t, renewed[0]); err != nil {
			t.Errorf("a new code: %v", err)
		}
		if n := f.count(t, `SELECT COUNT(*) FROM recovery_codes WHERE digest LIKE '%-%'`); n > 0 {
			t.Errorf("%d codes are stored as they are", n)
		}
	})
}

// TestSecondFactor_isNotWeakenedWithoutIt: what removes a factor, or can't be undone, takes a session that gave both
// factors lately.
func TestSecondFactor_isNotWeakenedWithoutIt(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d)
		f.register(t, "root@example.com") // so that ada isn't the last admin
		mine := f.register(t, "ada@example.com")
		secret, recovery := f.withApp(t, mine)
		weaken := map[string]func(identity.Caller) error{
			"remove the app": func(c identity.Caller) error { return f.RemoveApp(t.Context(), c) },
			"renew the recovery codes": func(c identity.Caller) error {
				_, err := f.RenewRecoveryCodes(t.Context(), c)
				return err
			},
			"delete the account": func(c identity.Caller) error { return f.DeleteAccount(t.Context(), c) },
		}
		_, err := f.AddApp(t.Context(), f.as(t, mine))
		wantCode(t, "another app beside the first", err, apperr.Conflict)
		f.at = f.at.Add(11 * time.Minute)
		for what, do := range weaken {
			wantCode(t, what+" in an old session", do(f.as(t, mine)), apperr.Forbidden)
		}
		// Changing the password confirms the password alone.
		if _, err := f.ChangePassword(t.Context(), f.as(t, mine), password, "another good password"); err != nil {
			t.Fatal(err)
		}
		s, err := f.Refresh(t.Context(), mine.RefreshToken)
		if err != nil {
			t.Fatal(err)
		}
		for what, do := range weaken {
			wantCode(t, what+" after the password alone", do(f.as(t, s)), apperr.Forbidden)
		}
		s, err = f.Service.Login(t.Context(), identity.Caller{}, "ada@example.com", "another good password", recovery[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := f.RemoveApp(t.Context(), f.as(t, s)); err != nil {
			t.Fatal(err)
		}
		if _, err = f.Login(t.Context(), identity.Caller{}, "ada@example.com", "another good password"); err != nil {
			t.Errorf("the password alone, without a second factor: %v", err)
		}
		if n := f.count(t, `SELECT COUNT(*) FROM recovery_codes`); n != 0 {
			t.Errorf("%d recovery codes are left without a factor", n)
		}
		_, err = f.ConfirmApp(t.Context(), f.as(t, s), f.codeOf(t, secret))
		wantCode(t, "the removed app", err, apperr.Conflict)
	})
}

func TestSecondFactor_setUpEndsAfterAnHour(t *testing.T) {
	f := open(t, dbtest.SQLite(t))
	f.register(t, "ada@example.com")
	app, err := f.AddApp(t.Context(), f.as(t, f.login(t, "ada@example.com")))
	if err != nil {
		t.Fatal(err)
	}
	f.at = f.at.Add(time.Hour)
	_, err = f.ConfirmApp(t.Context(), f.as(t, f.login(t, "ada@example.com")), f.codeOf(t, app.Secret))
	wantCode(t, "a secret of an hour ago", err, apperr.Conflict)
}

func TestSecondFactor_canBeRequiredOfAdmins(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d, func(c *auth.Config) { c.AdminFactor = true })
		s := f.register(t, "ada@example.com")
		caller := f.as(t, s)
		wantCode(t, "an admin without a factor", caller.RequireAdmin(), apperr.Forbidden)
		secret, _ := f.withApp(t, s)
		if err := f.as(t, s).RequireAdmin(); err != nil {
			t.Errorf("in the session that set it up: %v", err)
		}
		f.at = f.at.Add(time.Minute)
		with, err := f.signIn(t, f.codeOf(t, secret))
		if err != nil {
			t.Fatal(err)
		}
		if err := f.as(t, with).RequireAdmin(); err != nil {
			t.Errorf("in a session with it: %v", err)
		}
		ordinary := f.as(t, f.register(t, "bob@example.com"))
		if err := ordinary.RequireAdmin(); err == nil || strings.Contains(err.Error(), "second factor") {
			t.Errorf("an ordinary account: got %v", err)
		}
	})
}

func TestRemoveFactors_letsTheOwnerInWithThePassword(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d)
		s := f.register(t, "ada@example.com")
		f.withApp(t, s)
		if err := f.RemoveFactors(t.Context(), s.User); err != nil {
			t.Fatal(err)
		}
		f.login(t, "ada@example.com")
	})
}
