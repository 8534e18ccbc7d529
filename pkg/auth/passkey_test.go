package auth_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/auth"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/mfa"
	"masthead/pkg/mfa/mfatest"
)

const origin = "https://cards.example.com"

func withDomain(c *auth.Config) { c.BaseURL = origin }

// newOptions begins to add a passkey in a session.
func (f *fixture) newOptions(t *testing.T, s auth.Session) []byte {
	t.Helper()
	options, err := f.AddPasskeyOptions(t.Context(), f.as(t, s))
	if err != nil {
		t.Fatal(err)
	}
	return options
}

// signInOptions begins to sign in with a passkey.
func (f *fixture) signInOptions(t *testing.T) []byte {
	t.Helper()
	options, err := f.PasskeyOptions()
	if err != nil {
		t.Fatal(err)
	}
	return options
}

// withPasskey adds a passkey in a session.
func (f *fixture) withPasskey(t *testing.T, s auth.Session) (d *mfatest.Device, recovery []string) {
	t.Helper()
	d = mfatest.New(origin)
	_, recovery, err := f.AddPasskey(t.Context(), f.as(t, s), "", d.Create(f.newOptions(t, s)))
	if err != nil {
		t.Fatal(err)
	}
	return d, recovery
}

func (f *fixture) usePasskey(t *testing.T, credential []byte) (auth.Session, error) {
	t.Helper()
	return f.LoginWithPasskey(t.Context(), from("192.0.2.7"), credential)
}

func TestPasskey_replacesPasswordAndSecondFactor(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d, withDomain, func(c *auth.Config) { c.AdminFactor = true })
		mine, other := f.register(t, "ada@example.com"), f.login(t, "ada@example.com")
		device, recovery := f.withPasskey(t, mine)
		if len(recovery) != 10 {
			t.Errorf("got %d recovery codes with the first factor, want 10", len(recovery))
		}
		f.wantAlive(t, "this session", mine, true)
		f.wantAlive(t, "another session", other, false)
		if err := f.as(t, mine).RequireAdmin(); err != nil {
			t.Errorf("an admin in the session that added it: %v", err)
		}
		f.at = f.at.Add(time.Hour)
		s, err := f.usePasskey(t, device.Sign(f.signInOptions(t)))
		if err != nil {
			t.Fatal(err)
		}
		if s.User.Email != "ada@example.com" {
			t.Errorf("signed in as %s", s.User.Email)
		}
		if err := f.as(t, s).RequireAdmin(); err != nil {
			t.Errorf("an admin who signed in with it: %v", err)
		}
		_, err = f.signIn(t, "")
		wantFactor(t, "the password alone", err)
		if _, err := f.signIn(t, recovery[0]); err != nil {
			t.Errorf("the password with a recovery code: %v", err)
		}
		_, again := f.withPasskey(t, s)
		if again != nil {
			t.Errorf("got recovery codes with the second passkey, which would end the first ones")
		}
		list, err := f.Passkeys(t.Context(), f.as(t, s))
		if err != nil || len(list) != 2 || !list[0].LastUsed.Equal(f.at) || !list[1].LastUsed.IsZero() ||
			list[0].Name != "Passkey" {
			t.Errorf("got %+v, %v", list, err)
		}
		if err := f.RemovePasskey(t.Context(), f.as(t, s), list[0].ID); err != nil {
			t.Fatal(err)
		}
		_, err = f.usePasskey(t, device.Sign(f.signInOptions(t)))
		wantCode(t, "a removed passkey", err, apperr.Unauthorized)
		_, err = f.signIn(t, "")
		wantFactor(t, "the password alone beside another passkey", err)
		if err := f.RemovePasskey(t.Context(), f.as(t, s), list[1].ID); err != nil {
			t.Fatal(err)
		}
		if _, err := f.signIn(t, ""); err != nil {
			t.Errorf("the password after the last passkey: %v", err)
		}
		if n := f.count(t, `SELECT COUNT(*) FROM recovery_codes`); n != 0 {
			t.Errorf("%d recovery codes are left without a factor", n)
		}
	})
}

func TestPasskey_aloneOnThisMachine(t *testing.T) {
	for base, where := range map[string]string{
		"http://127.0.0.1:8080": "http://localhost:8080", "http://localhost:80": "http://localhost:80",
		"http://[::1]:9": "http://localhost:9",
	} {
		f := open(t, dbtest.SQLite(t), func(c *auth.Config) { c.BaseURL = base })
		s := f.register(t, "ada@example.com")
		device := mfatest.New(where)
		if _, _, err := f.AddPasskey(t.Context(), f.as(t, s), "Laptop", device.Create(f.newOptions(t, s))); err != nil {
			t.Errorf("%s: %v", base, err)
		}
		if _, err := f.usePasskey(t, device.Sign(f.signInOptions(t))); err != nil {
			t.Errorf("%s: %v", base, err)
		}
	}
	for _, base := range []string{"https://192.0.2.1", "https://[2001:db8::1]:8080", ""} {
		f := open(t, dbtest.SQLite(t), func(c *auth.Config) { c.BaseURL = base })
		s := f.register(t, "ada@example.com")
		_, err1 := f.AddPasskeyOptions(t.Context(), f.as(t, s))
		_, _, err2 := f.AddPasskey(t.Context(), f.as(t, s), "", []byte("{}"))
		_, err3 := f.PasskeyOptions()
		_, err4 := f.usePasskey(t, []byte("{}"))
		for _, err := range []error{err1, err2, err3, err4} {
			wantCode(t, "without a domain at "+base, err, apperr.Conflict)
		}
	}
}

// TestPasskey_signsInAsNothingElse checks what must not sign in: all of it gets the same answer.
func TestPasskey_signsInAsNothingElse(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d, withDomain)
		other := open(t, dbtest.SQLite(t), withDomain, func(c *auth.Config) { c.Secret = "P" + secret })
		mine := f.register(t, "ada@example.com")
		bob := f.register(t, "bob@example.com")
		wrong := map[string]func(device, bobs *mfatest.Device) []byte{
			"another origin": func(device, _ *mfatest.Device) []byte {
				device.Origin = "https://cards.example.com.evil.example"
				return device.Sign(f.signInOptions(t))
			},
			"another port": func(device, _ *mfatest.Device) []byte {
				device.Origin = origin + ":8443"
				return device.Sign(f.signInOptions(t))
			},
			"no PIN or finger": func(device, _ *mfatest.Device) []byte {
				device.Flags = mfatest.UserPresent
				return device.Sign(f.signInOptions(t))
			},
			"nobody there": func(device, _ *mfatest.Device) []byte {
				device.Flags = mfatest.UserVerified
				return device.Sign(f.signInOptions(t))
			},
			"another key": func(device, _ *mfatest.Device) []byte {
				device.Key, _ = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
				return device.Sign(f.signInOptions(t))
			},
			"somebody else's handle": func(device, bobs *mfatest.Device) []byte {
				device.User = bobs.User
				return device.Sign(f.signInOptions(t))
			},
			"no handle": func(device, _ *mfatest.Device) []byte {
				device.User = nil
				return device.Sign(f.signInOptions(t))
			},
			"somebody else's credential": func(device, bobs *mfatest.Device) []byte {
				device.ID = bobs.ID
				return device.Sign(f.signInOptions(t))
			},
			"an unknown credential": func(device, _ *mfatest.Device) []byte {
				device.ID = []byte("0123456789abcdef")
				return device.Sign(f.signInOptions(t))
			},
			"a counter that went back": func(device, _ *mfatest.Device) []byte {
				device.Counter = 3
				return device.Sign(f.signInOptions(t))
			},
			"a challenge of another server": func(device, _ *mfatest.Device) []byte {
				return device.Sign(other.signInOptions(t))
			},
			"a challenge for adding": func(device, _ *mfatest.Device) []byte {
				var o map[string]map[string]any
				if err := json.Unmarshal(f.newOptions(t, mine), &o); err != nil {
					t.Fatal(err)
				}
				o["publicKey"]["rpId"] = "cards.example.com"
				o["publicKey"]["user"] = nil
				b, _ := json.Marshal(o)
				return device.Sign(b)
			},
			"a challenge of six minutes ago": func(device, _ *mfatest.Device) []byte {
				o := f.signInOptions(t)
				f.at = f.at.Add(6 * time.Minute)
				return device.Sign(o)
			},
			"a challenge of a clock that was wrong": func(device, _ *mfatest.Device) []byte {
				f.at = f.at.Add(time.Hour)
				o := f.signInOptions(t)
				f.at = f.at.Add(-time.Hour)
				return device.Sign(o)
			},
			"an empty challenge": func(device, _ *mfatest.Device) []byte {
				return device.Sign([]byte(`{"publicKey":{"rpId":"cards.example.com"}}`))
			},
			"a challenge again": func(device, _ *mfatest.Device) []byte {
				o := f.signInOptions(t)
				if _, err := f.usePasskey(t, device.Sign(o)); err != nil {
					t.Fatal(err)
				}
				return device.Sign(o)
			},
			"a disabled account": func(device, _ *mfatest.Device) []byte {
				f.exec(t, `UPDATE users SET disabled = CAST(1 AS BOOLEAN) WHERE id = ?`, mine.User.ID)
				return device.Sign(f.signInOptions(t))
			},
			"too much": func(device, _ *mfatest.Device) []byte {
				b := device.Sign(f.signInOptions(t))
				return append(b[:len(b)-1], `,"more":"`+strings.Repeat("a", 16<<10)+`"}`...)
			},
			"the answer to other options": func(device, _ *mfatest.Device) []byte {
				return device.Create(f.newOptions(t, mine))
			},
			"an empty answer": func(_, _ *mfatest.Device) []byte { return []byte(`{}`) },
			"no JSON":         func(_, _ *mfatest.Device) []byte { return []byte(`[[[`) },
		}
		device, _ := f.withPasskey(t, mine)
		bobs, _ := f.withPasskey(t, bob)
		device.Counter = 10
		if _, err := f.usePasskey(t, device.Sign(f.signInOptions(t))); err != nil { // the server knows the counter now
			t.Fatal(err)
		}
		want := ""
		for what, answer := range wrong {
			f.at = birth
			before, bobsBefore := *device, *bobs
			_, err := f.usePasskey(t, answer(device, bobs))
			wantCode(t, what, err, apperr.Unauthorized)
			var fault *apperr.Error
			if errors.As(err, &fault); want == "" {
				want = fault.Detail
			}
			if fault.Detail != want {
				t.Errorf("%s: got %q, want the same text as for the others", what, fault.Detail)
			}
			counter := device.Counter
			*device, *bobs = before, bobsBefore
			device.Counter = max(counter, before.Counter) + 1
			f.at = birth
			f.exec(t, `UPDATE users SET disabled = CAST(0 AS BOOLEAN)`)
			if _, err := f.usePasskey(t, device.Sign(f.signInOptions(t))); err != nil {
				t.Fatalf("the right answer after %s: %v", what, err)
			}
		}
	})
}

// TestPasskey_isAddedByItsOwnerAlone checks what must not add a passkey to an account.
func TestPasskey_isAddedByItsOwnerAlone(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d, withDomain)
		mine := f.register(t, "ada@example.com")
		second := f.login(t, "ada@example.com")
		bob := f.register(t, "bob@example.com")
		bobs, _ := f.withPasskey(t, bob)
		for what, answer := range map[string]func(*mfatest.Device) []byte{
			"somebody else's options": func(device *mfatest.Device) []byte { return device.Create(f.newOptions(t, bob)) },
			"another session's":       func(device *mfatest.Device) []byte { return device.Create(f.newOptions(t, second)) },
			"options for signing in": func(device *mfatest.Device) []byte {
				o := strings.Replace(string(f.signInOptions(t)), `"rpId":`, `"rp":{"id":"cards.example.com"},"rpId":`, 1)
				return device.Create([]byte(o))
			},
			"another origin": func(device *mfatest.Device) []byte {
				device.Origin = "https://evil.example"
				return device.Create(f.newOptions(t, mine))
			},
			"no PIN or finger": func(device *mfatest.Device) []byte {
				device.Flags = mfatest.UserPresent
				return device.Create(f.newOptions(t, mine))
			},
			"an attestation": func(device *mfatest.Device) []byte {
				device.Format = "tpm"
				return device.Create(f.newOptions(t, mine))
			},
			"old options": func(device *mfatest.Device) []byte {
				o := f.newOptions(t, mine)
				f.at = f.at.Add(5 * time.Minute)
				return device.Create(o)
			},
			"too much": func(device *mfatest.Device) []byte {
				return append(device.Create(f.newOptions(t, mine)), strings.Repeat(" ", 16<<10)...)
			},
			"a signature": func(*mfatest.Device) []byte { return bobs.Sign(f.signInOptions(t)) },
			"nothing":     func(*mfatest.Device) []byte { return nil },
		} {
			f.at = birth
			_, _, err := f.AddPasskey(t.Context(), f.as(t, mine), "", answer(mfatest.New(origin)))
			wantCode(t, what, err, apperr.BadRequest)
		}
		f.at = birth
		_, _, err := f.AddPasskey(t.Context(), f.as(t, mine), "", bobs.Create(f.newOptions(t, mine)))
		wantCode(t, "a credential of somebody else", err, apperr.Conflict)
		list, err := f.Passkeys(t.Context(), f.as(t, bob))
		if err != nil || len(list) != 1 {
			t.Fatalf("got %+v, %v", list, err)
		}
		wantCode(t, "remove somebody else's", f.RemovePasskey(t.Context(), f.as(t, mine), list[0].ID), apperr.NotFound)

		o := f.newOptions(t, mine)
		if _, _, err := f.AddPasskey(t.Context(), f.as(t, mine), "", mfatest.New(origin).Create(o)); err != nil {
			t.Fatal(err)
		}
		_, _, err = f.AddPasskey(t.Context(), f.as(t, mine), "", mfatest.New(origin).Create(o))
		wantCode(t, "options again", err, apperr.BadRequest)
		last := f.newOptions(t, mine)
		for range 19 {
			f.withPasskey(t, mine)
		}
		_, _, err = f.AddPasskey(t.Context(), f.as(t, mine), "", mfatest.New(origin).Create(last))
		wantCode(t, "a twenty-first", err, apperr.Conflict)
		_, err = f.AddPasskeyOptions(t.Context(), f.as(t, mine))
		wantCode(t, "options for it", err, apperr.Conflict)

		f.at = f.at.Add(11 * time.Minute)
		_, err1 := f.AddPasskeyOptions(t.Context(), f.as(t, mine))
		_, _, err2 := f.AddPasskey(t.Context(), f.as(t, mine), "", mfatest.New(origin).Create(last))
		err3 := f.RemovePasskey(t.Context(), f.as(t, mine), list[0].ID)
		for _, err := range []error{err1, err2, err3} {
			wantCode(t, "in a session of long ago", err, apperr.Forbidden)
		}
	})
}

func TestPasskey_oneOfManyAtOnceWins(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d, withDomain)
		mine := f.register(t, "ada@example.com")
		atOnce := func(do func() error) (won int32) {
			var n atomic.Int32
			var wg sync.WaitGroup
			for range 4 {
				wg.Go(func() {
					if do() == nil {
						n.Add(1)
					}
				})
			}
			wg.Wait()
			return n.Load()
		}
		device, caller := mfatest.New(origin), f.as(t, mine)
		made := device.Create(f.newOptions(t, mine))
		if n := atOnce(func() error {
			_, _, err := f.AddPasskey(t.Context(), caller, "", made)
			return err
		}); n != 1 {
			t.Errorf("%d added one passkey, want 1", n)
		}
		signed := device.Sign(f.signInOptions(t))
		if n := atOnce(func() error {
			_, err := f.usePasskey(t, signed)
			return err
		}); n != 1 {
			t.Errorf("%d signed in with one answer, want 1", n)
		}
		// The first factors of an account at once: the recovery codes that one of them returned work.
		bob := f.register(t, "bob@example.com")
		one, two := mfatest.New(origin).Create(f.newOptions(t, bob)), mfatest.New(origin).Create(f.newOptions(t, bob))
		var got [2][]string
		var wg sync.WaitGroup
		for i, made := range [][]byte{one, two} {
			caller := f.as(t, bob)
			wg.Go(func() { _, got[i], _ = f.AddPasskey(t.Context(), caller, "", made) })
		}
		wg.Wait()
		if (got[0] == nil) == (got[1] == nil) {
			t.Errorf("got recovery codes %q, want them once", got)
		}
	})
}

func TestPasskey_worksDuringAChangeOfTheSecret(t *testing.T) {
	d := dbtest.SQLite(t)
	f := open(t, d, withDomain)
	device, _ := f.withPasskey(t, f.register(t, "ada@example.com"))
	options := f.signInOptions(t)
	next := open(t, d, withDomain, func(c *auth.Config) { c.Secret, c.PreviousSecret = "P"+secret, secret })
	if _, err := next.usePasskey(t, device.Sign(options)); err != nil {
		t.Errorf("options of before the change: %v", err)
	}
	if _, err := next.usePasskey(t, device.Sign(next.signInOptions(t))); err != nil {
		t.Errorf("new options: %v", err)
	}
}

func TestSweep_deletesExpiredChallenges(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d, withDomain)
		device, _ := f.withPasskey(t, f.register(t, "ada@example.com"))
		f.at = f.at.Add(4 * time.Minute)
		if _, err := f.usePasskey(t, device.Sign(f.signInOptions(t))); err != nil {
			t.Fatal(err)
		}
		f.at = f.at.Add(2 * time.Minute)
		if err := f.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := f.count(t, `SELECT COUNT(*) FROM passkey_challenges`); n != 1 {
			t.Errorf("%d challenges are left, want that of 2 minutes ago", n)
		}
	})
}

// FuzzPasskey sends anything in place of what a browser returns. Nothing of it may sign in or be added.
func FuzzPasskey(f *testing.F) {
	device := mfatest.New(origin)
	options := []byte(`{"publicKey":{"challenge":"AAAA","rpId":"cards.example.com","rp":{"id":"cards.example.com"}}}`)
	f.Add(device.Create(options))
	f.Add(device.Sign(options))
	f.Add([]byte(`{"response":{"attestationObject":"o2NmbXQ"}}`))
	keys := [][]byte{[]byte(secret)}
	f.Fuzz(func(t *testing.T, credential []byte) {
		s := mfa.New(nil, origin, keys, time.Now) // no database: nothing gets that far
		if _, err := s.UsePasskey(t.Context(), credential); apperr.CodeOf(err) != apperr.Unauthorized {
			t.Errorf("sign in: got %v, want Unauthorized", err)
		}
		_, _, err := s.AddPasskey(t.Context(), mfa.Owner{}, credential, nil)
		if apperr.CodeOf(err) != apperr.BadRequest {
			t.Errorf("add: got %v, want Bad Request", err)
		}
	})
}
