package auth_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/auth"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/identity"
	"masthead/pkg/users"
)

func TestCheckPassword_rulesHold(t *testing.T) {
	for _, c := range []struct {
		password string
		good     bool
	}{
		{"", false},
		{"seven c", false},
		{"eight ch", true},
		{"ééééééé", false}, // characters, not bytes
		{"éééééééé", true},
		{"🔑🔑🔑🔑🔑🔑🔑🔑", true},
		{"   \t\n   ", true},
		{"no digit, no sign", true},
		{"\x00\x01\x02\xff\xfe\x00\x00\x00", true}, // taken exactly as given
		{strings.Repeat("x", 256), true},
		{strings.Repeat("x", 257), false},
		{strings.Repeat("é", 129), false},
		{"password", false},
		{"PassWord", false},
		{"12345678", false},
		{"password ", true},
		{"trustno1", false},
	} {
		if err := auth.Check("/password", c.password); (err == nil) != c.good {
			t.Errorf("%q: got %v, want good %v", c.password, err, c.good)
		}
	}
}

// TestCheckPassword_messageTellsWhatWasCounted has passwords of characters that take more than a byte.
func TestCheckPassword_messageTellsWhatWasCounted(t *testing.T) {
	for password, want := range map[string]string{
		"ééééééé":                 "The password must have at least 8 characters, not 7.",
		"鍵鍵":                      "The password must have at least 8 characters, not 2.",
		strings.Repeat("x", 257):  "at most 256 bytes, not 257; it has 257 characters",
		strings.Repeat("é", 129):  "at most 256 bytes, not 258; it has 129 characters",
		strings.Repeat("🔑", 65):   "at most 256 bytes, not 260; it has 65 characters",
		strings.Repeat("鍵", 1000): "at most 256 bytes, not 3000; it has 1000 characters",
	} {
		if err := auth.Check("/password", password); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: got %v, want %q", password, err, want)
		}
	}
}

func TestCommonPasswords_listIsWhole(t *testing.T) {
	set := auth.CommonPasswords()
	if len(set) != 3000 {
		t.Errorf("got %d, want 3000", len(set))
	}
	for p := range set {
		if len(p) < 8 || p != strings.ToLower(p) || strings.TrimSpace(p) != p {
			t.Errorf("%q is in no form in which a password is looked up", p)
		}
	}
}

func TestHash_costIsStandard(t *testing.T) {
	f := open(t, dbtest.SQLite(t))
	standard, err := auth.New(auth.Config{Secret: secret}, auth.Deps{DB: f.db, Users: f.users})
	if err != nil {
		t.Fatal(err)
	}
	one, err1 := standard.HashOf(t.Context(), password)
	two, err2 := standard.HashOf(t.Context(), password)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(one, "$")
	// 16 bytes of salt and 32 of hash are 22 and 43 characters.
	if !strings.HasPrefix(one, "$argon2id$v=19$m=19456,t=2,p=1$") || len(parts) != 6 || len(parts[4]) != 22 ||
		len(parts[5]) != 43 {
		t.Errorf("got %s", one)
	}
	if one == two {
		t.Error("two hashes of one password are equal")
	}
}

func TestLogin_cheaperHashIsReplaced(t *testing.T) {
	d := dbtest.SQLite(t)
	f := open(t, d)
	ada := f.register(t, "ada@example.com")
	hash := func() string {
		t.Helper()
		hash, err := f.users.PasswordHash(t.Context(), ada.User.Caller())
		if err != nil {
			t.Fatal(err)
		}
		return hash
	}
	cheap := hash()
	f.login(t, "ada@example.com")
	if hash() != cheap {
		t.Error("a hash of the present cost was replaced")
	}
	dear, err := auth.New(auth.Config{Secret: secret}, auth.Deps{DB: d, Users: f.users, AuditLog: f.AuditLog()})
	if err != nil {
		t.Fatal(err)
	}
	_, err = dear.Login(t.Context(), identity.Caller{}, "ada@example.com", "wrong", "")
	if err == nil || hash() != cheap {
		t.Errorf("a failed login: got %v and %s", err, hash())
	}
	for range 2 {
		if _, err := dear.Login(t.Context(), identity.Caller{}, "ada@example.com", password, ""); err != nil {
			t.Fatal(err)
		}
		if got := hash(); !strings.HasPrefix(got, "$argon2id$v=19$m=19456,t=2,p=1$") {
			t.Errorf("got %s, want it at the standard cost", got)
		}
	}
	if n := f.count(t, `SELECT token_version FROM users`); n != 1 {
		t.Errorf("got token version %d, want sessions to go on", n)
	}
}

func TestLogin_damagedHashIs500(t *testing.T) {
	f := open(t, dbtest.SQLite(t))
	ada := f.register(t, "ada@example.com")
	good, err := f.users.PasswordHash(t.Context(), ada.User.Caller())
	if err != nil {
		t.Fatal(err)
	}
	for _, hash := range []string{
		"x", "$2b$10$abc", strings.Replace(good, "argon2id", "argon2i", 1), strings.Replace(good, "v=19", "v=16", 1),
		strings.Replace(good, "m=8,t=1,p=1", "m=8", 1), strings.Replace(good, "t=1", "t=0", 1),
		strings.Replace(good, "p=1", "p=0", 1),
		strings.Replace(good, "m=8", "m=4000000000", 1), strings.Replace(good, "t=1", "t=4000000000", 1),
		good + "!", good + "$", good[:len(good)-30],
	} {
		f.exec(t, `UPDATE users SET password_hash = ?`, hash)
		_, err := f.Login(t.Context(), identity.Caller{}, "ada@example.com", password)
		wantCode(t, hash, err, apperr.Internal)
		if err != nil && len(hash) > 20 && strings.Contains(err.Error(), hash) {
			t.Errorf("the error shows the hash: %v", err)
		}
	}
	f.exec(t, `UPDATE users SET password_hash = ?`, good)
	f.login(t, "ada@example.com") // none of that counted as a failure
}

func TestHash_fullQueueIs503(t *testing.T) {
	f := open(t, dbtest.SQLite(t))
	synctest.Test(t, func(t *testing.T) {
		// Made here, so that its channel belongs to the bubble.
		s, err := auth.New(auth.Config{Secret: secret}, auth.Deps{DB: f.db, Users: f.users, AuditLog: f.AuditLog()})
		if err != nil {
			t.Fatal(err)
		}
		s.UseCheapHashes()
		create := func() error {
			_, err := s.CreateAccount(t.Context(), "no address", password, "", users.Seeded) // fails after its hash
			return err
		}
		wantCode(t, "with a free place", create(), apperr.BadRequest)

		for range cap(s.Slots()) {
			s.Slots() <- struct{}{}
		}
		start := time.Now()
		err = create()
		wantCode(t, "without a place", err, apperr.Unavailable)
		var busy *apperr.Error
		if waited := time.Since(start); waited != 2*time.Second || !errors.As(err, &busy) ||
			busy.RetryAfter < time.Second {
			t.Errorf("got %+v after %v, want Retry-After after 2 s", err, waited)
		}

		done := make(chan error, auth.HashQueue)
		for range cap(done) {
			go func() { done <- create() }()
		}
		synctest.Wait()
		if n := s.HashesWaiting(); n != auth.HashQueue {
			t.Errorf("%d wait, want %d", n, auth.HashQueue)
		}
		start = time.Now()
		wantCode(t, "with a full queue", create(), apperr.Unavailable)
		if waited := time.Since(start); waited != 0 {
			t.Errorf("with a full queue it takes %v, want no wait", waited)
		}
		<-s.Slots() // one place comes free, for all of them in turn
		for range cap(done) {
			wantCode(t, "whoever waited", <-done, apperr.BadRequest)
		}
		if n := s.HashesWaiting(); n != 0 {
			t.Errorf("in the end %d wait, want none", n)
		}

		s.Slots() <- struct{}{}
		ctx, cancel := context.WithCancel(t.Context())
		go cancel()
		if _, err := s.HashOf(ctx, password); !errors.Is(err, context.Canceled) {
			t.Errorf("a caller who goes away: got %v", err)
		}
	})
}

func TestLogin_unknownAccountCostsAHash(t *testing.T) {
	f := open(t, dbtest.SQLite(t))
	f.register(t, "ada@example.com")
	synctest.Test(t, func(t *testing.T) {
		s, err := auth.New(auth.Config{Secret: secret}, auth.Deps{DB: f.db, Users: f.users, AuditLog: f.AuditLog()})
		if err != nil {
			t.Fatal(err)
		}
		s.UseCheapHashes()
		for range cap(s.Slots()) {
			s.Slots() <- struct{}{}
		}
		for range 8 { // more than are free: a password that nobody looked at is no failure
			for _, email := range []string{"ada@example.com", "nobody@example.com", "no address"} {
				_, err := s.Login(t.Context(), identity.Caller{}, email, password, "")
				wantCode(t, email, err, apperr.Unavailable)
			}
			_, err := s.Register(t.Context(), identity.Caller{}, auth.NewAccount{Email: "ada@example.com", Password: password})
			wantCode(t, "registering a taken address", err, apperr.Unavailable)
		}
	})
	f.login(t, "ada@example.com")
}
