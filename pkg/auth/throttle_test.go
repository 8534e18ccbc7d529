package auth_test

import (
	"context"
	"errors"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/auth"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
)

// guess tries a wrong password and returns the pause that it is told of; 0 when the password was looked at.
func (h *house) guess(t *testing.T, ctx context.Context, email string) time.Duration {
	t.Helper()
	_, err := h.Login(ctx, email, "wrong")
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

func TestPausesGrow(t *testing.T) {
	for n, want := range []time.Duration{1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300} {
		if got := auth.Pause(int64(n)); got != want*time.Second {
			t.Errorf("after %d: got %v, want %v", n, got, want*time.Second)
		}
	}
	if got := auth.Pause(1 << 40); got != 5*time.Minute {
		t.Errorf("after very many: got %v, want 5 min", got)
	}
}

func TestWrongPasswordsFromOneAddressBringPauses(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		h := open(t, d)
		ada := h.register(t, "ada@example.com")
		ctx := from(t, "192.0.2.7")
		for i := range 5 {
			if wait := h.guess(t, ctx, "ada@example.com"); wait != 0 {
				t.Fatalf("guess %d: a pause of %v", i, wait)
			}
		}
		// From then on one guess after each pause, and the pause is twice as long.
		for _, want := range []time.Duration{1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300} {
			for range 3 { // what is tried in the pause does not make it longer
				if wait := h.guess(t, ctx, "ADA@example.com"); wait != want*time.Second {
					t.Fatalf("got a pause of %v, want %v", wait, want*time.Second)
				}
			}
			_, err := h.Login(ctx, "ada@example.com", password)
			wantCode(t, "the right password in a pause", err, apperr.RateLimited)
			h.at = h.at.Add(want*time.Second - time.Millisecond)
			if wait := h.guess(t, ctx, "ada@example.com"); wait != time.Millisecond {
				t.Fatalf("got a pause of %v, want what is left of it", wait)
			}
			h.at = h.at.Add(time.Millisecond)
			if wait := h.guess(t, ctx, "ada@example.com"); wait != 0 {
				t.Fatalf("after the pause: another of %v", wait)
			}
		}
		h.wantAlive(t, "the session of the one who is guessed at", ada, true)
		if _, err := h.Login(from(t, "192.0.2.8"), "ada@example.com", password); err != nil {
			t.Errorf("from another address: %v", err)
		}
		if wait := h.guess(t, ctx, "bob@example.com"); wait != 0 {
			t.Errorf("another account from that address: a pause of %v", wait)
		}
		h.at = h.at.Add(15 * time.Minute)
		for i := range 5 {
			if wait := h.guess(t, ctx, "ada@example.com"); wait != 0 {
				t.Errorf("guess %d after a quiet quarter of an hour: a pause of %v", i, wait)
			}
		}
	})
}

func TestFailuresCountWithinAQuarterOfAnHour(t *testing.T) {
	d := dbtest.SQLite(t)
	h := open(t, d)
	ctx := from(t, "192.0.2.7")
	for i := range 20 {
		if wait := h.guess(t, ctx, "ada@example.com"); wait != 0 {
			t.Fatalf("guess %d: a pause of %v", i, wait)
		}
		h.at = h.at.Add(4 * time.Minute) // four in a window
	}
}

func TestTheRightPasswordForgives(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		h := open(t, d)
		h.register(t, "ada@example.com")
		ctx := from(t, "192.0.2.7")
		for range 30 {
			for range 4 {
				if wait := h.guess(t, ctx, "ada@example.com"); wait != 0 {
					t.Fatalf("a pause of %v", wait)
				}
			}
			if _, err := h.Login(ctx, "ada@example.com", password); err != nil {
				t.Fatal(err)
			}
			h.at = h.at.Add(2 * time.Minute) // fewer than 50 in a window
		}
		if _, err := h.Login(ctx, "ada@example.com", password); err != nil {
			t.Fatal(err)
		}
		for range 100 {
			if _, err := h.Login(ctx, "ada@example.com", password); err != nil {
				t.Fatalf("many good logins: %v", err)
			}
		}
	})
}

func TestWrongPasswordsFromManyAddressesBringPauses(t *testing.T) {
	d := dbtest.SQLite(t)
	h := open(t, d)
	h.register(t, "ada@example.com")
	address := netip.MustParseAddr("192.0.2.0")
	for i := range 50 {
		address = address.Next()
		if wait := h.guess(t, from(t, address.String()), "ada@example.com"); wait != 0 {
			t.Fatalf("guess %d: a pause of %v", i, wait)
		}
	}
	for _, want := range []time.Duration{1, 2, 4} {
		address = address.Next()
		if wait := h.guess(t, from(t, address.String()), "ada@example.com"); wait != want*time.Second {
			t.Fatalf("got a pause of %v, want %v", wait, want*time.Second)
		}
		h.at = h.at.Add(want * time.Second)
		if wait := h.guess(t, from(t, address.String()), "ada@example.com"); wait != 0 {
			t.Fatalf("after the pause: another of %v", wait)
		}
	}
	h.at = h.at.Add(8 * time.Second)
	if _, err := h.Login(from(t, "198.51.100.1"), "ada@example.com", password); err != nil {
		t.Fatalf("the right password after the pause: %v", err)
	}
	// It forgave itself alone: the next wrong one brings the next pause.
	h.guess(t, from(t, "198.51.100.2"), "ada@example.com")
	if wait := h.guess(t, from(t, "198.51.100.3"), "ada@example.com"); wait != 16*time.Second {
		t.Errorf("got a pause of %v, want 16s", wait)
	}
}

func TestAnAddressIsANetworkOfIPv6(t *testing.T) {
	d := dbtest.SQLite(t)
	h := open(t, d)
	for i, address := range []string{"2001:db8:1:2::1", "2001:db8:1:2::2", "2001:db8:1:2:ffff::", "2001:db8:1:2::1", "2001:db8:1:2:1::1"} {
		if wait := h.guess(t, from(t, address), "ada@example.com"); wait != 0 {
			t.Fatalf("guess %d: a pause of %v", i, wait)
		}
	}
	if wait := h.guess(t, from(t, "2001:db8:1:2:3::4"), "ada@example.com"); wait != time.Second {
		t.Errorf("the same /64: got a pause of %v, want 1s", wait)
	}
	if wait := h.guess(t, from(t, "2001:db8:1:3::1"), "ada@example.com"); wait != 0 {
		t.Errorf("another /64: a pause of %v", wait)
	}
	for range 5 {
		h.guess(t, from(t, "::ffff:192.0.2.7"), "bob@example.com")
	}
	if wait := h.guess(t, from(t, "192.0.2.7"), "bob@example.com"); wait != time.Second {
		t.Errorf("IPv4 in IPv6: got a pause of %v, want that of the IPv4 address", wait)
	}
	if wait := h.guess(t, from(t, "::ffff:192.0.2.8"), "bob@example.com"); wait != 0 {
		t.Errorf("another IPv4 in IPv6: a pause of %v", wait)
	}
}

func TestGuessesAtOnceDoNotSlipPastTheCount(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		h := open(t, d)
		h.register(t, "ada@example.com")
		ctx := from(t, "192.0.2.7")
		var wg sync.WaitGroup
		var looked atomic.Int64
		for range 20 {
			wg.Go(func() {
				if _, err := h.Login(ctx, "ada@example.com", "wrong"); apperr.CodeOf(err) == apperr.Unauthorized {
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

func TestGuessingTheCurrentPasswordBringsPauses(t *testing.T) {
	d := dbtest.SQLite(t)
	h := open(t, d)
	ada := h.register(t, "ada@example.com")
	ctx := h.as(t, ada)
	for range 10 { // from outside
		h.guess(t, from(t, "192.0.2.7"), "ada@example.com")
	}
	for i := range 5 {
		var err error
		if i%2 == 0 {
			_, err = h.ChangePassword(ctx, "wrong", "another good password")
		} else {
			_, err = h.UpdateAccount(ctx, auth.AccountUpdate{Email: new("x@example.com"), CurrentPassword: new("wrong")})
		}
		if wait := pauseOf(t, err); wait != 0 {
			t.Fatalf("guess %d: a pause of %v", i, wait)
		}
	}
	_, err := h.ChangePassword(ctx, password, "another good password")
	if wait := pauseOf(t, err); wait != time.Second {
		t.Errorf("got a pause of %v, want 1s", wait)
	}
	h.wantAlive(t, "the session", ada, true)
	h.at = h.at.Add(time.Second)
	if _, err := h.ChangePassword(ctx, password, "another good password"); err != nil {
		t.Errorf("the right password after the pause: %v", err)
	}
}

func TestTheCountsHoldNoAddresses(t *testing.T) {
	h := open(t, dbtest.SQLite(t))
	h.guess(t, from(t, "192.0.2.7"), "ada@example.com")
	if n := h.count(t, `SELECT COUNT(*) FROM login_failures WHERE LENGTH(bucket) = 64 AND bucket NOT LIKE '%ada%'`); n != 2 {
		t.Errorf("got %d digests, want 2", n)
	}
}
