package auth_test

import (
	"errors"
	"fmt"
	"net/netip"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/auth"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/identity"
)

// guess tries a wrong password and returns the pause that it is told of; 0 when the password was looked at.
func (f *fixture) guess(t *testing.T, caller identity.Caller, email string) time.Duration {
	t.Helper()
	_, err := f.Login(t.Context(), caller, email, "wrong")
	return pauseOf(t, err)
}

// pauseOf returns the pause of a RateLimited error, and 0 for another refusal.
func pauseOf(t *testing.T, err error) time.Duration {
	t.Helper()
	var fault *apperr.Error
	if !errors.As(err, &fault) {
		t.Fatalf("got %v, want a refusal", err)
	}
	switch fault.Code {
	case apperr.RateLimited:
		if fault.RetryAfter <= 0 {
			t.Errorf("got %+v, want Retry-After", fault)
		}
		return fault.RetryAfter
	case apperr.Unauthorized, apperr.Forbidden:
		return 0
	}
	t.Fatalf("got %v, want a refusal", err)
	return 0
}

func TestPause_growsToItsMaximum(t *testing.T) {
	for n, want := range []time.Duration{1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300} {
		if got := auth.Pause(int64(n)); got != want*time.Second {
			t.Errorf("after %d: got %v, want %v", n, got, want*time.Second)
		}
	}
	if got := auth.Pause(1 << 40); got != 5*time.Minute {
		t.Errorf("after very many: got %v, want 5 min", got)
	}
}

func TestLogin_wrongPasswordsFromOneAddressBringPauses(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d)
		ada := f.register(t, "ada@example.com")
		caller := from("192.0.2.7")
		for i := range 5 {
			if wait := f.guess(t, caller, "ada@example.com"); wait != 0 {
				t.Fatalf("guess %d: a pause of %v", i, wait)
			}
		}
		// From then on one guess after each pause, and the pause is twice as long.
		for _, want := range []time.Duration{1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300} {
			for range 3 { // what is tried in the pause does not make it longer
				if wait := f.guess(t, caller, "ADA@example.com"); wait != want*time.Second {
					t.Fatalf("got a pause of %v, want %v", wait, want*time.Second)
				}
			}
			_, err := f.Login(t.Context(), caller, "ada@example.com", password)
			wantCode(t, "the right password in a pause", err, apperr.RateLimited)
			f.at = f.at.Add(want*time.Second - time.Millisecond)
			if wait := f.guess(t, caller, "ada@example.com"); wait != time.Millisecond {
				t.Fatalf("got a pause of %v, want what is left of it", wait)
			}
			f.at = f.at.Add(time.Millisecond)
			if wait := f.guess(t, caller, "ada@example.com"); wait != 0 {
				t.Fatalf("after the pause: another of %v", wait)
			}
		}
		f.wantAlive(t, "the session of the one who is guessed at", ada, true)
		if _, err := f.Login(t.Context(), from("192.0.2.8"), "ada@example.com", password); err != nil {
			t.Errorf("from another address: %v", err)
		}
		if wait := f.guess(t, caller, "bob@example.com"); wait != 0 {
			t.Errorf("another account from that address: a pause of %v", wait)
		}
		f.at = f.at.Add(15 * time.Minute)
		for i := range 5 {
			if wait := f.guess(t, caller, "ada@example.com"); wait != 0 {
				t.Errorf("guess %d after a quiet quarter of an hour: a pause of %v", i, wait)
			}
		}
	})
}

func TestLogin_failuresCountWithinAQuarterOfAnHour(t *testing.T) {
	d := dbtest.SQLite(t)
	f := open(t, d)
	caller := from("192.0.2.7")
	for i := range 20 {
		if wait := f.guess(t, caller, "ada@example.com"); wait != 0 {
			t.Fatalf("guess %d: a pause of %v", i, wait)
		}
		f.at = f.at.Add(4 * time.Minute) // four in a window
	}
}

func TestLogin_rightPasswordForgives(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d)
		f.register(t, "ada@example.com")
		caller := from("192.0.2.7")
		for range 30 {
			for range 4 {
				if wait := f.guess(t, caller, "ada@example.com"); wait != 0 {
					t.Fatalf("a pause of %v", wait)
				}
			}
			if _, err := f.Login(t.Context(), caller, "ada@example.com", password); err != nil {
				t.Fatal(err)
			}
			f.at = f.at.Add(2 * time.Minute) // fewer than 50 in a window
		}
		if _, err := f.Login(t.Context(), caller, "ada@example.com", password); err != nil {
			t.Fatal(err)
		}
		for range 100 {
			if _, err := f.Login(t.Context(), caller, "ada@example.com", password); err != nil {
				t.Fatalf("many good logins: %v", err)
			}
		}
	})
}

func TestLogin_wrongPasswordsFromManyAddressesBringPauses(t *testing.T) {
	d := dbtest.SQLite(t)
	f := open(t, d)
	f.register(t, "ada@example.com")
	address := netip.MustParseAddr("192.0.2.0")
	for i := range 50 {
		address = address.Next()
		if wait := f.guess(t, from(address.String()), "ada@example.com"); wait != 0 {
			t.Fatalf("guess %d: a pause of %v", i, wait)
		}
	}
	for _, want := range []time.Duration{1, 2, 4} {
		address = address.Next()
		if wait := f.guess(t, from(address.String()), "ada@example.com"); wait != want*time.Second {
			t.Fatalf("got a pause of %v, want %v", wait, want*time.Second)
		}
		f.at = f.at.Add(want * time.Second)
		if wait := f.guess(t, from(address.String()), "ada@example.com"); wait != 0 {
			t.Fatalf("after the pause: another of %v", wait)
		}
	}
	f.at = f.at.Add(8 * time.Second)
	if _, err := f.Login(t.Context(), from("198.51.100.1"), "ada@example.com", password); err != nil {
		t.Fatalf("the right password after the pause: %v", err)
	}
	// It forgave itself alone: the next wrong one brings the next pause.
	f.guess(t, from("198.51.100.2"), "ada@example.com")
	if wait := f.guess(t, from("198.51.100.3"), "ada@example.com"); wait != 16*time.Second {
		t.Errorf("got a pause of %v, want 16s", wait)
	}
}

func TestLogin_addressIsANetworkOfIPv6(t *testing.T) {
	d := dbtest.SQLite(t)
	f := open(t, d)
	for i, address := range []string{"2001:db8:1:2::1", "2001:db8:1:2::2", "2001:db8:1:2:ffff::", "2001:db8:1:2::1",
		"2001:db8:1:2:1::1"} {
		if wait := f.guess(t, from(address), "ada@example.com"); wait != 0 {
			t.Fatalf("guess %d: a pause of %v", i, wait)
		}
	}
	if wait := f.guess(t, from("2001:db8:1:2:3::4"), "ada@example.com"); wait != time.Second {
		t.Errorf("the same /64: got a pause of %v, want 1s", wait)
	}
	if wait := f.guess(t, from("2001:db8:1:3::1"), "ada@example.com"); wait != 0 {
		t.Errorf("another /64: a pause of %v", wait)
	}
	for range 5 {
		f.guess(t, from("::ffff:192.0.2.7"), "bob@example.com")
	}
	if wait := f.guess(t, from("192.0.2.7"), "bob@example.com"); wait != time.Second {
		t.Errorf("IPv4 in IPv6: got a pause of %v, want that of the IPv4 address", wait)
	}
	if wait := f.guess(t, from("::ffff:192.0.2.8"), "bob@example.com"); wait != 0 {
		t.Errorf("another IPv4 in IPv6: a pause of %v", wait)
	}
}

func TestLogin_guessesAtOnceAreAllCounted(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d)
		f.register(t, "ada@example.com")
		caller := from("192.0.2.7")
		var wg sync.WaitGroup
		var looked atomic.Int64
		for range 20 {
			wg.Go(func() {
				if _, err := f.Login(t.Context(), caller, "ada@example.com",
					"wrong"); apperr.CodeOf(err) == apperr.Unauthorized {
					looked.Add(1)
				} else if apperr.CodeOf(err) != apperr.RateLimited {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if looked.Load() != 5 {
			t.Errorf("%d passwords were looked at, want 5", looked.Load())
		}
	})
}

func TestChangePassword_guessingBringsPauses(t *testing.T) {
	d := dbtest.SQLite(t)
	f := open(t, d)
	ada := f.register(t, "ada@example.com")
	caller := f.as(t, ada)
	for range 10 { // from outside
		f.guess(t, from("192.0.2.7"), "ada@example.com")
	}
	for i := range 5 {
		var err error
		if i%2 == 0 {
			_, err = f.ChangePassword(t.Context(), caller, "wrong", "another good password")
		} else {
			_, err = f.UpdateAccount(t.Context(), caller,
				auth.AccountUpdate{Email: new("x@example.com"), CurrentPassword: new("wrong")})
		}
		if wait := pauseOf(t, err); wait != 0 {
			t.Fatalf("guess %d: a pause of %v", i, wait)
		}
	}
	_, err := f.ChangePassword(t.Context(), caller, password, "another good password")
	if wait := pauseOf(t, err); wait != time.Second {
		t.Errorf("got a pause of %v, want 1s", wait)
	}
	f.wantAlive(t, "the session", ada, true)
	f.at = f.at.Add(time.Second)
	if _, err := f.ChangePassword(t.Context(), caller, password, "another good password"); err != nil {
		t.Errorf("the right password after the pause: %v", err)
	}
}

func TestLogin_countsHoldNoAddresses(t *testing.T) {
	f := open(t, dbtest.SQLite(t))
	f.guess(t, from("192.0.2.7"), "ada@example.com")
	if n := f.count(t,
		`SELECT COUNT(*) FROM login_failures WHERE LENGTH(bucket) = 64 AND bucket NOT LIKE '%ada%'`); n != 2 {
		t.Errorf("got %d digests, want 2", n)
	}
}

// TestLogin_clockGoesBack_pauseHasItsMaximum sets the clock back by a day during a pause: it is no longer than any.
func TestLogin_clockGoesBack_pauseHasItsMaximum(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d)
		f.register(t, "ada@example.com")
		caller := from("192.0.2.7")
		for range 5 {
			f.guess(t, caller, "ada@example.com")
		}
		f.at = f.at.Add(-24 * time.Hour)
		if wait := f.guess(t, caller, "ada@example.com"); wait != 5*time.Minute {
			t.Errorf("got a pause of %v, want 5 min", wait)
		}
		f.at = f.at.Add(4 * time.Minute)
		if wait := f.guess(t, caller, "ada@example.com"); wait != time.Minute {
			t.Errorf("got a pause of %v 4 min later, want what is left of it", wait)
		}
		f.at = f.at.Add(time.Minute)
		if _, err := f.Login(t.Context(), caller, "ada@example.com", password); err != nil {
			t.Errorf("after the pause: %v", err)
		}
	})
}

// TestThrottle_documentsTellHowItCounts compares POST /auth/login in openapi.yaml, and docs/api.md, with the constants.
func TestThrottle_documentsTellHowItCounts(t *testing.T) {
	document, err := openapi3.NewLoader().LoadFromData(gen.Document())
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	minutes := int(auth.FailureWindow.Minutes())
	want := []string{
		fmt.Sprintf("after %d ", auth.PairFailures), fmt.Sprintf("after %d within %d minutes", auth.AccountFailures, minutes),
		fmt.Sprintf("within %d minutes", minutes), "429 with `Retry-After`",
		fmt.Sprintf("%d second", int(auth.Pause(0).Seconds())),
		fmt.Sprintf("up to %d minutes", int(auth.Pause(1<<40).Minutes())),
	}
	for name, text := range map[string]string{
		"openapi.yaml": document.Paths.Find("/auth/login").Post.Description, "docs/api.md": string(page),
	} {
		text = strings.Join(strings.Fields(text), " ")
		for _, part := range want {
			if !strings.Contains(text, part) {
				t.Errorf("%s does not say %q", name, part)
			}
		}
	}
}
