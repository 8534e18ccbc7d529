package users_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/auditlog"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/identity"
	"masthead/pkg/users"
)

func open(d *db.DB) *users.Service { return users.New(d, auditlog.New(d), nil) }

func create(t *testing.T, s *users.Service, email string, registration users.Registration) users.User {
	t.Helper()
	u, err := s.Create(t.Context(),
		users.NewUser{Email: email, PasswordHash: "hash of " + email, Registration: registration})
	if err != nil {
		t.Fatalf("make %s: %v", email, err)
	}
	return u
}

func TestCreate_accountIsFoundAgain(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		s := open(d)
		at := time.Date(2026, 3, 12, 10, 0, 0, 123456789, time.FixedZone("", 3600))
		s.SetNow(func() time.Time { return at })
		made, err := s.Create(t.Context(), users.NewUser{Email: "Ada@Example.com", Name: "  Ada ", PasswordHash: "phc",
			Registration: users.Registered})
		if err != nil {
			t.Fatal(err)
		}
		want := users.User{
			ID: made.ID, Email: "Ada@Example.com", Name: "Ada", Role: users.RoleUser, Plan: "free",
			Gift: users.Grant{Plan: "free"}, Paid: users.Grant{Plan: "free"}, TokenVersion: 1,
			ConfirmedAt: at.UTC().Truncate(time.Millisecond),
			CreatedAt:   at.UTC().Truncate(time.Millisecond), UpdatedAt: at.UTC().Truncate(time.Millisecond),
		}
		if made != want {
			t.Errorf("made %+v, want %+v", made, want)
		}
		for name, find := range map[string]func() (users.User, error){
			"by id":    func() (users.User, error) { return s.ByID(t.Context(), made.ID) },
			"by email": func() (users.User, error) { return s.ByEmail(t.Context(), "ADA@EXAMPLE.COM") },
		} {
			if got, err := find(); err != nil || got != want {
				t.Errorf("%s: got %+v, %v, want %+v", name, got, err, want)
			}
		}
		if _, hash, err := s.Credentials(t.Context(), "ada@example.com"); err != nil || hash != "phc" {
			t.Errorf("credentials: got %q, %v", hash, err)
		}
		for name, find := range map[string]func() error{
			"by id":       func() error { _, err := s.ByID(t.Context(), "nobody"); return err },
			"by email":    func() error { _, err := s.ByEmail(t.Context(), "bob@example.com"); return err },
			"credentials": func() error { _, _, err := s.Credentials(t.Context(), "bob@example.com"); return err },
			"promote":     func() error { _, err := s.Promote(t.Context(), "nobody"); return err },
			"first admin": func() error { _, err := s.FirstAdmin(t.Context()); return err },
		} {
			if err := find(); apperr.CodeOf(err) != apperr.NotFound {
				t.Errorf("%s of nobody: got %v, want not found", name, err)
			}
		}
		nobody := identity.Caller{UserID: "nobody"}
		for name, act := range map[string]func() error{
			"get":    func() error { _, err := s.Get(t.Context(), nobody); return err },
			"hash":   func() error { _, err := s.PasswordHash(t.Context(), nobody); return err },
			"update": func() error { _, err := s.Update(t.Context(), nobody, users.Update{}); return err },
			"delete": func() error { return s.Delete(t.Context(), nobody) },
		} {
			if err := act(); apperr.CodeOf(err) != apperr.Unauthorized {
				t.Errorf("%s by a deleted account: got %v, want unauthorized", name, err)
			}
		}
	})
}

func TestCreate_badInputIsRefused(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		s := open(d)
		create(t, s, "ada@example.com", users.Registered)
		for name, c := range map[string]struct {
			user users.NewUser
			want apperr.Code
		}{
			"the address in other letters": {users.NewUser{Email: "ADA@example.com"}, apperr.Conflict},
			"no address":                   {users.NewUser{Email: "ada"}, apperr.BadRequest},
			"a long name": {users.NewUser{Email: "b@example.com", Name: strings.Repeat("é", 101)},
				apperr.BadRequest},
			"a NUL in the name": {users.NewUser{Email: "b@example.com", Name: "a\x00b"}, apperr.BadRequest},
			"closed": {users.NewUser{Email: "b@example.com",
				Registration: users.RegisteredLocally, AdminOnly: true}, apperr.Forbidden},
		} {
			if _, err := s.Create(t.Context(), c.user); apperr.CodeOf(err) != c.want {
				t.Errorf("%s: got %v, want %s", name, err, c.want)
			}
		}
		if u, err := s.Create(t.Context(),
			users.NewUser{Email: "b@example.com", Name: strings.Repeat("é", 100)}); err != nil {
			t.Errorf("a name of 100 characters: got %+v, %v", u, err)
		}
	})
}

func TestCreate_registrationDecidesWhoIsAdmin(t *testing.T) {
	type step struct {
		registration users.Registration
		adminOnly    bool
		want         string // the role, or "refused"
	}
	for name, steps := range map[string][]step{
		"the first one on loopback": {
			{users.RegisteredLocally, false, "admin"}, {users.RegisteredLocally, false, "user"},
			{users.Registered, false, "user"},
		},
		"a seeded account does not count": {{users.Seeded, false, "user"}, {users.RegisteredLocally, false, "admin"}},
		"not the second one, though the first is ordinary": {
			{users.Registered, false, "user"}, {users.RegisteredLocally, false, "user"},
		},
		"the holder of the token, though not the first": {
			{users.Registered, false, "user"}, {users.RegisteredWithToken, false, "admin"},
			{users.RegisteredWithToken, false, "refused"},
		},
		"an operator's admin is the first": {
			{users.MadeByOperator, false, "admin"}, {users.RegisteredLocally, false, "user"},
			{users.RegisteredWithToken, false, "refused"}, {users.MadeByOperator, false, "admin"},
		},
		"closed on loopback": {
			{users.RegisteredLocally, true, "admin"}, {users.RegisteredLocally, true, "refused"},
			{users.MadeByOperator, false, "admin"},
		},
		"closed to all but the holder of the token": {
			{users.Registered, true, "refused"}, {users.RegisteredWithToken, true, "admin"},
			{users.Registered, true, "refused"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			dbtest.Run(t, func(t *testing.T, d *db.DB) {
				s := open(d)
				for i, step := range steps {
					u, err := s.Create(t.Context(), users.NewUser{
						Email: string(rune('a'+i)) + "@example.com", Registration: step.registration,
						AdminOnly: step.adminOnly,
					})
					got := string(u.Role)
					if apperr.CodeOf(err) == apperr.Forbidden {
						got = "refused"
					} else if err != nil {
						t.Fatal(err)
					}
					if got != step.want {
						t.Errorf("account %d: got %s, want %s", i, got, step.want)
					}
				}
			})
		})
	}
}

func TestPromote_takesTheFirstAdminsPlace(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		s := open(d)
		ada := create(t, s, "ada@example.com", users.Seeded)
		if got, err := s.Promote(t.Context(), ada.ID); err != nil || got.Role != users.RoleAdmin {
			t.Fatalf("got %+v, %v", got, err)
		}
		if got := create(t, s, "bob@example.com", users.RegisteredLocally); got.Role != users.RoleUser {
			t.Errorf("after an operator's promotion the first registered one is %s, want user", got.Role)
		}
		if got, err := s.FirstAdmin(t.Context()); err != nil || got.ID != ada.ID {
			t.Errorf("first admin: got %+v, %v, want ada", got, err)
		}
	})
}

func TestCreate_oneOfManyAtOnceIsAdmin(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		s := open(d)
		var wg sync.WaitGroup
		roles := make(chan users.Role, 8)
		for i := range cap(roles) {
			wg.Go(func() {
				u, err := s.Create(t.Context(),
					users.NewUser{Email: string(rune('a'+i)) + "@example.com", Registration: users.RegisteredLocally})
				if err != nil {
					t.Error(err)
				}
				roles <- u.Role
			})
		}
		wg.Wait()
		close(roles)
		admins := 0
		for role := range roles {
			if role == users.RoleAdmin {
				admins++
			}
		}
		if admins != 1 {
			t.Errorf("got %d admins, want 1", admins)
		}
	})
}

func TestCreate_oneAddressAtOnceIsOneAccount(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		s := open(d)
		var wg sync.WaitGroup
		faults := make(chan error, 8)
		for range cap(faults) {
			wg.Go(func() {
				_, err := s.Create(t.Context(),
					users.NewUser{Email: "ada@example.com", Registration: users.RegisteredLocally})
				faults <- err
			})
		}
		wg.Wait()
		close(faults)
		made := 0
		for err := range faults {
			if err == nil {
				made++
			} else if apperr.CodeOf(err) != apperr.Conflict {
				t.Errorf("got %v, want a conflict", err)
			}
		}
		if made != 1 {
			t.Errorf("%d were made, want 1", made)
		}
		if u, err := s.ByEmail(t.Context(), "ada@example.com"); err != nil || u.Role != users.RoleAdmin {
			t.Errorf("got %+v, %v, want the one account to be admin", u, err)
		}
	})
}

func TestUpdate_changesWhatIsGiven(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		s := open(d)
		ada := create(t, s, "ada@example.com", users.Registered)
		create(t, s, "bob@example.com", users.Registered)
		later := ada.UpdatedAt.Add(time.Hour)
		s.SetNow(func() time.Time { return later })

		want := ada
		want.Name, want.UpdatedAt = "Ada", later
		if got, err := s.Update(t.Context(), ada.Caller(), users.Update{Name: new("Ada")}); err != nil || got != want {
			t.Errorf("name: got %+v, %v, want %+v", got, err, want)
		}
		want.Email = "ADA@example.com"
		if got, err := s.Update(t.Context(), ada.Caller(), users.Update{Email: new("ADA@example.com")}); err != nil ||
			got != want {
			t.Errorf("the own address in other letters: got %+v, %v, want %+v", got, err, want)
		}
		if _, err := s.Update(t.Context(), ada.Caller(),
			users.Update{Email: new("Bob@example.com")}); apperr.CodeOf(err) != apperr.Conflict {
			t.Errorf("a taken address: got %v, want a conflict", err)
		}
		if _, err := s.Update(t.Context(), ada.Caller(),
			users.Update{Email: new("x")}); apperr.CodeOf(err) != apperr.BadRequest {
			t.Errorf("no address: got %v, want it refused", err)
		}
		if _, err := s.Update(t.Context(), ada.Caller(),
			users.Update{Name: new("a\nb")}); apperr.CodeOf(err) != apperr.BadRequest {
			t.Errorf("a bad name: got %v, want it refused", err)
		}
		if got, err := s.ByID(t.Context(), ada.ID); err != nil || got != want {
			t.Errorf("in the end: got %+v, %v, want %+v", got, err, want)
		}
	})
}

func TestChangePassword_staleHashIsRefused(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		s := open(d)
		ada := create(t, s, "ada@example.com", users.Registered)
		is := func(want string) {
			t.Helper()
			if got, err := s.PasswordHash(t.Context(), ada.Caller()); err != nil || got != want {
				t.Errorf("got %q, %v, want %q", got, err, want)
			}
		}
		if err := s.Rehash(t.Context(), ada.ID, "stale", "never"); err != nil {
			t.Error(err)
		}
		is("hash of ada@example.com")
		if err := s.Rehash(t.Context(), ada.ID, "hash of ada@example.com", "stronger"); err != nil {
			t.Error(err)
		}
		is("stronger")
		if _, err := s.ChangePassword(t.Context(), ada.Caller(), "stale",
			"never"); apperr.CodeOf(err) != apperr.Conflict {
			t.Errorf("got %v, want a conflict", err)
		}
		got, err := s.ChangePassword(t.Context(), ada.Caller(), "stronger", "new")
		if err != nil || got.TokenVersion != ada.TokenVersion+1 {
			t.Errorf("got version %d, %v, want it raised", got.TokenVersion, err)
		}
		is("new")
	})
}

func TestAuditLog_tellsOfAccounts(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		s := open(d)
		ada := create(t, s, "ada@example.com", users.Registered)
		if _, err := s.Update(t.Context(), ada.Caller(),
			users.Update{Name: new("Ada"), Email: new("ada@example.org")}); err != nil {
			t.Fatal(err)
		}
		wantEvents := func(want ...string) {
			t.Helper()
			var got []string
			if err := d.Select(t.Context(), &got,
				`SELECT action || ' ' || subject FROM audit_events WHERE actor_id = ? ORDER BY id`, ada.ID); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
		}
		nothing := func(context.Context, *db.Tx, users.User) error { return nil }
		for range 2 { // the second does nothing
			if err := s.Close(t.Context(), ada.Caller(), nothing); err != nil {
				t.Fatal(err)
			}
		}
		wantEvents("register ada@example.com", "email_change ada@example.com -> ada@example.org",
			"account_delete ada@example.org")
		if err := s.Delete(t.Context(), ada.Caller()); err != nil {
			t.Fatal(err)
		}
		if _, err := s.ByID(t.Context(), ada.ID); apperr.CodeOf(err) != apperr.NotFound {
			t.Errorf("got %v, want the account gone", err)
		}
		old, last := auditlog.DigestOf("Ada@example.com"), auditlog.DigestOf("ada@example.org")
		wantEvents("register "+old, "email_change "+old+" -> "+last, "account_delete "+last, "account_purge ")
	})
}

func TestAPI_operationsAnswer(t *testing.T) {
	d := dbtest.SQLite(t)
	s := open(d)
	ada := create(t, s, "ada@example.com", users.RegisteredLocally)
	api := users.NewAPI(s)
	ctx := identity.WithCaller(t.Context(), identity.Caller{UserID: ada.ID})
	got, err := api.GetMe(ctx, gen.GetMeRequestObject{})
	if me, ok := got.(gen.GetMe200JSONResponse); err != nil || !ok || me.Email != "ada@example.com" ||
		me.Role != "admin" || me.Id.String() != ada.ID {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := s.Promote(ctx, create(t, s, "admin@example.com", users.Registered).ID); err != nil {
		t.Fatal(err)
	}
	if err := s.Delete(ctx, ada.Caller()); err != nil {
		t.Fatal(err)
	}
	if _, err := api.GetMe(ctx, gen.GetMeRequestObject{}); apperr.CodeOf(err) != apperr.Unauthorized {
		t.Errorf("of a deleted account: got %v, want unauthorized", err)
	}
}
