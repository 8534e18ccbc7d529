package auth_test

import (
	"context"
	"errors"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/auditlog"
	"masthead/pkg/auth"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/identity"
	"masthead/pkg/users"
)

const (
	secret   = "kR9vX2mQ7wL4tZ8pB3nF6hJ1cD5gS0aY+E/UiOe="
	password = "correct horse battery staple"
)

var birth = time.Date(2026, 3, 12, 10, 0, 0, 0, time.UTC)

// fixture is a service with cheap hashes and a clock of its own.
type fixture struct {
	*auth.Service
	db    *db.DB
	users *users.Service
	at    time.Time
}

func open(t *testing.T, d *db.DB, change ...func(*auth.Config)) *fixture {
	t.Helper()
	cfg := auth.Config{Secret: secret, Loopback: true}
	for _, set := range change {
		set(&cfg)
	}
	log := auditlog.New(d)
	f := &fixture{db: d, users: users.New(d, log, nil), at: birth}
	s, err := auth.New(cfg, auth.Deps{DB: d, Users: f.users, AuditLog: log})
	if err != nil {
		t.Fatal(err)
	}
	s.UseCheapHashes()
	s.SetNow(func() time.Time { return f.at })
	f.Service = s
	return f
}

func (f *fixture) register(t *testing.T, email string) auth.Session {
	t.Helper()
	s, err := f.Register(t.Context(), identity.Caller{}, auth.NewAccount{Email: email, Password: password})
	if err != nil {
		t.Fatalf("register %s: %v", email, err)
	}
	return s
}

func (f *fixture) login(t *testing.T, email string) auth.Session {
	t.Helper()
	s, err := f.Login(t.Context(), identity.Caller{}, email, password)
	if err != nil {
		t.Fatalf("sign in as %s: %v", email, err)
	}
	return s
}

// Login signs in to an account without a second factor.
func (f *fixture) Login(ctx context.Context, caller identity.Caller, email, password string) (auth.Session, error) {
	return f.Service.Login(ctx, caller, email, password, "")
}

// as returns the holder of an access token as a caller.
func (f *fixture) as(t *testing.T, s auth.Session) identity.Caller {
	t.Helper()
	caller, err := f.AuthenticateBearer(t.Context(), s.AccessToken)
	if err != nil {
		t.Fatalf("authenticate: %v", err)
	}
	return caller
}

// from returns an anonymous caller at an address.
func from(address string) identity.Caller {
	return identity.Caller{Address: netip.MustParseAddr(address)}
}

func (f *fixture) exec(t *testing.T, query string, args ...any) {
	t.Helper()
	if _, err := f.db.Exec(t.Context(), query, args...); err != nil {
		t.Fatal(err)
	}
}

func (f *fixture) count(t *testing.T, query string, args ...any) int {
	t.Helper()
	var n int
	if err := f.db.Get(t.Context(), &n, query, args...); err != nil {
		t.Fatal(err)
	}
	return n
}

func wantCode(t *testing.T, what string, err error, want apperr.Code) {
	t.Helper()
	if err == nil || apperr.CodeOf(err) != want {
		t.Errorf("%s: got %v, want %s", what, err, want)
	}
}

// wantAlive checks that a session authenticates somebody, or nobody.
func (f *fixture) wantAlive(t *testing.T, what string, s auth.Session, alive bool) {
	t.Helper()
	_, err := f.AuthenticateBearer(t.Context(), s.AccessToken)
	if alive && err != nil {
		t.Errorf("%s: got %v, want it to live", what, err)
	}
	if !alive {
		wantCode(t, what, err, apperr.Unauthorized)
	}
}

func TestRegister_signsIn(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d)
		s, err := f.Register(t.Context(), identity.Caller{},
			auth.NewAccount{Email: "Ada@example.com", Password: password, Name: "Ada"})
		if err != nil {
			t.Fatal(err)
		}
		if u := s.User; u.Email != "Ada@example.com" || u.Name != "Ada" || u.Role != users.RoleAdmin ||
			s.ExpiresIn != time.Hour {
			t.Errorf("got %+v", s)
		}
		caller, err := f.AuthenticateBearer(t.Context(), s.AccessToken)
		want := identity.Caller{
			UserID: s.User.ID, SessionID: caller.SessionID, Admin: true, Plan: "free", Via: identity.Bearer,
		}
		if err != nil || caller != want || caller.SessionID == "" {
			t.Errorf("got %+v, %v, want %+v", caller, err, want)
		}
		f.login(t, "ADA@EXAMPLE.com")
	})
}

func TestRegister_badInputIsRefused(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d)
		f.register(t, "ada@example.com")
		for name, c := range map[string]struct {
			email, password string
			want            apperr.Code
			pointer         string
		}{
			"a taken address":   {"ADA@example.com", password, apperr.Conflict, ""},
			"no address":        {"ada", password, apperr.BadRequest, "/email"},
			"a short password":  {"bob@example.com", "1234567", apperr.BadRequest, "/password"},
			"a long password":   {"bob@example.com", strings.Repeat("x", 257), apperr.BadRequest, "/password"},
			"a common password": {"bob@example.com", "Password", apperr.BadRequest, "/password"},
		} {
			_, err := f.Register(t.Context(), identity.Caller{}, auth.NewAccount{Email: c.email, Password: c.password})
			wantCode(t, name, err, c.want)
			var fault *apperr.Error
			if c.pointer != "" &&
				(!errors.As(err, &fault) || len(fault.Fields) != 1 || fault.Fields[0].Pointer != c.pointer) {
				t.Errorf("%s: got %+v, want it to name %s", name, err, c.pointer)
			}
		}
	})
}

func TestRegister_settingsDecideWhoIsAdmin(t *testing.T) {
	const token, expired = "a set-up token", "an expired set-up token"
	type step struct{ token, want string }
	for name, c := range map[string]struct {
		loopback, closed bool
		steps            []step
	}{
		"on loopback": {true, false, []step{{"", "admin"}, {"", "user"}}},
		"on loopback with a token all the same": {true, false,
			[]step{{"wrong", "403"}, {token, "admin"}, {token, "403"}, {"", "user"}}},
		"for anybody without the token": {false, false,
			[]step{{"", "user"}, {"wrong", "403"}, {expired, "403"}, {token, "admin"}, {token, "403"}}},
		"closed on loopback": {true, true, []step{{"", "admin"}, {"", "403"}}},
		"closed for anybody": {false, true,
			[]step{{"", "403"}, {"wrong", "403"}, {expired, "403"}, {token, "admin"}, {token, "403"}, {"", "403"}}},
	} {
		t.Run(name, func(t *testing.T) {
			f := open(t, dbtest.SQLite(t), func(cfg *auth.Config) {
				cfg.Loopback = c.loopback
				if c.closed {
					cfg.Registration = "closed"
				}
			})
			tokens := map[string]string{"wrong": "wrong", token: f.SetupToken()}
			f.at = f.at.Add(-24 * time.Hour)
			tokens[expired] = f.SetupToken()
			f.at = f.at.Add(24 * time.Hour)
			for i, step := range c.steps {
				s, err := f.Register(t.Context(), identity.Caller{}, auth.NewAccount{
					Email: string(rune('a'+i)) + "@example.com", Password: password, SetupToken: tokens[step.token],
				})
				got := string(s.User.Role)
				if apperr.CodeOf(err) == apperr.Forbidden {
					got = "403"
				} else if err != nil {
					t.Fatal(err)
				}
				if got != step.want {
					t.Errorf("account %d: got %s, want %s", i, got, step.want)
				}
			}
		})
	}
}

func TestCreateAccount_worksThoughRegistrationIsClosed(t *testing.T) {
	d := dbtest.SQLite(t)
	f := open(t, d, func(cfg *auth.Config) { cfg.Registration = "closed" })
	for i, c := range []struct {
		registration users.Registration
		want         users.Role
	}{{users.Seeded, users.RoleUser}, {users.MadeByOperator, users.RoleAdmin}} {
		email := string(rune('a'+i)) + "@example.com"
		if u, err := f.CreateAccount(t.Context(), email, password, "", c.registration); err != nil || u.Role != c.want {
			t.Errorf("got %+v, %v, want %s", u, err, c.want)
		}
		f.login(t, email)
	}
	_, err := f.CreateAccount(t.Context(), "x@example.com", "short", "", users.MadeByOperator)
	wantCode(t, "a short password", err, apperr.BadRequest)
}

func TestRegister_atOnceMakesOneAccountAndOneAdmin(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d)
		var wg sync.WaitGroup
		var mu sync.Mutex
		admins, made, taken := 0, 0, 0
		for i := range 8 {
			wg.Go(func() {
				// Two for each address.
				s, err := f.Register(t.Context(), identity.Caller{},
					auth.NewAccount{Email: string(rune('a'+i/2)) + "@example.com", Password: password})
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err == nil:
					made++
					if s.User.Role == users.RoleAdmin {
						admins++
					}
				case apperr.CodeOf(err) == apperr.Conflict:
					taken++
				default:
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if admins != 1 || made != 4 || taken != 4 {
			t.Errorf("got %d admins, %d made, %d taken, want 1, 4, 4", admins, made, taken)
		}
	})
}

func TestLogin_everyFaultIsToldAlike(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d)
		f.register(t, "ada@example.com")
		f.register(t, "disabled@example.com")
		f.exec(t, `UPDATE users SET disabled = ? WHERE email = 'disabled@example.com'`, true)
		var first string
		for i, c := range []struct{ name, email, password string }{
			{"a wrong password", "ada@example.com", "wrong"},
			{"an empty one", "ada@example.com", ""},
			{"a very long one", "ada@example.com", strings.Repeat("x", 100_000)},
			{"another case", "ada@example.com", strings.ToUpper(password)},
			{"space around it", "ada@example.com", " " + password},
			{"no such account", "bob@example.com", password},
			{"no address", "nobody", password},
			{"an empty address", "", password},
			{"a NUL", "ada\x00@example.com", password},
			{"not UTF-8", "ada\xff@example.com", password},
			{"a disabled account", "disabled@example.com", password},
		} {
			_, err := f.Login(t.Context(), from(netip.AddrFrom4([4]byte{192, 0, 2, byte(i)}).String()), c.email,
				c.password)
			wantCode(t, c.name, err, apperr.Unauthorized)
			if first == "" {
				first = err.Error()
			}
			if err.Error() != first {
				t.Errorf("%s: got %q, want %q", c.name, err, first)
			}
		}
	})
}

func TestAuditLog_tellsOfLogins(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d)
		ada := f.register(t, "ada@example.com")
		f.login(t, "ADA@example.com")
		ctx := identity.WithCaller(t.Context(), from("192.0.2.7"))
		for _, email := range []string{"Ada@example.com", "bob@example.com", "no\x00thing"} {
			if _, err := f.Login(ctx, from("192.0.2.7"), email, "wrong"); err == nil {
				t.Fatal("a wrong password is taken")
			}
		}
		if _, err := f.ChangePassword(t.Context(), f.as(t, ada), password, "another good password"); err != nil {
			t.Fatal(err)
		}
		var got []struct {
			Action, Subject, Address string
			Actor                    string `db:"actor_id"`
		}
		if err := d.Select(t.Context(), &got,
			`SELECT action, subject, address, actor_id FROM audit_events ORDER BY id`); err != nil {
			t.Fatal(err)
		}
		var lines []string
		for _, e := range got {
			actor := strings.ReplaceAll(e.Actor, ada.User.ID, "ada")
			lines = append(lines, strings.TrimSpace(strings.Join([]string{e.Action, actor, e.Subject, e.Address}, " ")))
		}
		want := []string{
			"register ada ada@example.com", "login_ok ada ada@example.com", "login_failed  Ada@example.com 192.0.2.7",
			"login_failed  bob@example.com 192.0.2.7", "login_failed   192.0.2.7",
			"password_change ada ada@example.com",
		}
		if strings.Join(lines, "\n") != strings.Join(want, "\n") {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
		}
	})
}

func TestUpdateAccount_newEmailTakesThePassword(t *testing.T) {
	f := open(t, dbtest.SQLite(t))
	ada := f.register(t, "ada@example.com")
	f.register(t, "bob@example.com")
	caller := f.as(t, ada)
	if u, err := f.UpdateAccount(t.Context(), caller, auth.AccountUpdate{Name: new("Ada")}); err != nil ||
		u.Name != "Ada" {
		t.Errorf("a name takes no password: got %+v, %v", u, err)
	}
	for name, c := range map[string]struct {
		update auth.AccountUpdate
		want   apperr.Code
	}{
		"an email without the password": {auth.AccountUpdate{Email: new("ada@example.org")}, apperr.BadRequest},
		"with a wrong one": {auth.AccountUpdate{Email: new("ada@example.org"),
			CurrentPassword: new("wrong")}, apperr.Forbidden},
		"a taken email": {auth.AccountUpdate{Email: new("BOB@example.com"),
			CurrentPassword: new(password)}, apperr.Conflict},
		"no address": {auth.AccountUpdate{Email: new("ada"), CurrentPassword: new(password)},
			apperr.BadRequest},
	} {
		_, err := f.UpdateAccount(t.Context(), caller, c.update)
		wantCode(t, name, err, c.want)
	}
	u, err := f.UpdateAccount(t.Context(), caller,
		auth.AccountUpdate{Email: new("ada@example.org"), CurrentPassword: new(password)})
	if err != nil || u.Email != "ada@example.org" || u.Name != "Ada" {
		t.Errorf("got %+v, %v", u, err)
	}
	f.wantAlive(t, "the session", ada, true)
	f.login(t, "ada@example.org")
}

func TestDeleteAccount_nothingOfItWorks(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d)
		f.register(t, "admin@example.com")
		ada := f.register(t, "ada@example.com")
		caller := f.as(t, ada)
		if err := f.DeleteAccount(t.Context(), caller); err != nil {
			t.Fatal(err)
		}
		f.wantAlive(t, "its token", ada, false)
		_, err := f.Refresh(t.Context(), ada.RefreshToken)
		wantCode(t, "its refresh token", err, apperr.Unauthorized)
		wantCode(t, "again", f.DeleteAccount(t.Context(), caller), apperr.Unauthorized)
		_, err = f.UpdateAccount(t.Context(), caller, auth.AccountUpdate{Name: new("Ada")})
		wantCode(t, "a change", err, apperr.Unauthorized)
		_, err = f.ChangePassword(t.Context(), caller, password, "another good password")
		wantCode(t, "a new password", err, apperr.Unauthorized)
		_, err = f.Register(t.Context(), identity.Caller{}, auth.NewAccount{Email: "ada@example.com", Password: password})
		wantCode(t, "its address", err, apperr.Conflict)
	})
}

func TestDeleteAccount_takesASessionOfTheLast10Minutes(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d)
		f.register(t, "admin@example.com")
		ada := f.register(t, "ada@example.com")
		f.at = f.at.Add(10*time.Minute + time.Second)
		err := f.DeleteAccount(t.Context(), f.as(t, ada))
		wantCode(t, "an old session", err, apperr.Forbidden)
		if err == nil || !strings.Contains(err.Error(), "10 minutes") || !strings.Contains(err.Error(), "POST /auth/login") {
			t.Errorf("got %v, want it to say what to do", err)
		}
		refreshed, err := f.Refresh(t.Context(), ada.RefreshToken)
		if err != nil {
			t.Fatal(err)
		}
		wantCode(t, "a refreshed session", f.DeleteAccount(t.Context(), f.as(t, refreshed)), apperr.Forbidden)
		again := f.login(t, "ada@example.com")
		f.at = f.at.Add(10 * time.Minute)
		if err := f.DeleteAccount(t.Context(), f.as(t, again)); err != nil {
			t.Errorf("a session of 10 minutes: got %v, want it done", err)
		}
		// A change of the password takes the old one, so it confirms the session, and that one alone.
		bob := f.register(t, "bob@example.com")
		f.at = f.at.Add(time.Hour)
		caller := f.as(t, bob)
		if _, err := f.ChangePassword(t.Context(), caller, password, "another good password"); err != nil {
			t.Fatal(err)
		}
		f.at = f.at.Add(10*time.Minute + time.Second)
		wantCode(t, "a change of the password that is over", f.DeleteAccount(t.Context(), caller), apperr.Forbidden)
		f.at = f.at.Add(-time.Second)
		if err := f.DeleteAccount(t.Context(), caller); err != nil {
			t.Errorf("10 minutes after a change of the password: got %v, want it done", err)
		}
	})
}

// A setup token holds on nodes with the same secret and while secrets change, and its end can't be moved.
func TestSetupToken_isOfTheSecretAndItsEnd(t *testing.T) {
	node := func(secret, previous string) *fixture {
		return open(t, dbtest.SQLite(t), func(cfg *auth.Config) {
			cfg.Loopback, cfg.Secret, cfg.PreviousSecret = false, secret, previous
		})
	}
	const other = "pT7wQ2xV9bN4mK8sD3fG6hJ1zC5yR0aE"
	made := node(secret, "").SetupToken()
	until, mac, _ := strings.Cut(made, "-")
	for _, c := range []struct {
		name, token string
		at          *fixture
		admin       bool
	}{
		{"another node", made, node(secret, ""), true},
		{"a node with a newer secret", made, node(other, secret), true},
		{"another installation", made, node(other, ""), false},
		{"a later end", until + "0-" + mac, node(secret, ""), false},
		{"no signature", until + "-", node(secret, ""), false},
		{"no end", "-" + mac, node(secret, ""), false},
		{"a long one", made + strings.Repeat("A", 1000), node(secret, ""), false},
	} {
		s, err := c.at.Register(t.Context(), identity.Caller{}, auth.NewAccount{
			Email: "a@example.com", Password: password, SetupToken: c.token,
		})
		if admin := err == nil && s.User.Role == users.RoleAdmin; admin != c.admin {
			t.Errorf("%s: got %v, %v", c.name, s.User.Role, err)
		}
		if !c.admin {
			wantCode(t, c.name, err, apperr.Forbidden)
		}
	}
}
