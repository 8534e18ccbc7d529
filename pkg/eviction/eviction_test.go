package eviction_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/eviction"
)

// now is the time of the tests.
var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// shelf is a database with images.
type shelf struct {
	*db.DB
	t *testing.T
	*eviction.Service

	forgotten []string // public IDs
}

func newShelf(t *testing.T, d *db.DB, cfg eviction.Config) *shelf {
	t.Helper()
	s := &shelf{DB: d, t: t}
	s.Service = eviction.New(cfg, d, func(publicIDs []string) { s.forgotten = append(s.forgotten, publicIDs...) })
	s.SetClock(func() time.Time { return now })
	for _, user := range []string{"ann", "bob"} {
		s.must(`INSERT INTO users (id, email, email_key, name, password_hash, role, plan, created_at, updated_at)
			VALUES (?, ?, ?, '', '', 'user', 'free', 0, 0)`, user, user, user)
		for _, project := range []string{user + "-1", user + "-2"} {
			s.must(`INSERT INTO projects (id, public_id, owner_id, name, domains, public_ai, created_at, updated_at)
				VALUES (?, ?, ?, '', '[]', FALSE, 0, 0)`,
				project, project, user)
		}
	}
	return s
}

func (s *shelf) must(query string, args ...any) {
	s.t.Helper()
	if _, err := s.Exec(s.t.Context(), query, args...); err != nil {
		s.t.Fatal(err)
	}
}

// add stores a picture of a page of a project, such as ann-1, which was last served some days ago.
func (s *shelf) add(id, project, page string, megabytes int64, days int) {
	s.t.Helper()
	at := now.AddDate(0, 0, -days)
	s.must(`INSERT INTO images (id, public_id, cache_key, owner_id, project_id, kind, url, template, style, ai, source,
		alt, created_at, updated_at, variant) VALUES (?, ?, ?, ?, ?, 'og', ?, '', '{}', 'null', '{}', '', ?, ?, TRUE)`,
		id, id, id, project[:3], project, page, at.UnixMilli(), at.UnixMilli())
	err := s.InTx(s.t.Context(), func(tx *db.Tx) error {
		return eviction.Stored(s.t.Context(), tx, eviction.Variant{
			ImageID: id, OwnerID: project[:3], ProjectID: project, URL: page, Bytes: megabytes * 1e6,
		}, at)
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

// evict makes a round, and compares the images that are left.
func (s *shelf) evict(want ...string) {
	s.t.Helper()
	var before, left []string
	list := func() (ids []string) {
		if err := s.Select(s.t.Context(), &ids, `SELECT id FROM images ORDER BY id`); err != nil {
			s.t.Fatal(err)
		}
		return ids
	}
	before, s.forgotten = list(), nil
	if err := s.Flush(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
	if err := s.Evict(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
	if left = list(); !slices.Equal(left, want) {
		s.t.Errorf("got %v left, want %v", left, want)
	}
	gone := slices.DeleteFunc(before, func(id string) bool { return slices.Contains(left, id) })
	slices.Sort(s.forgotten)
	if !slices.Equal(gone, s.forgotten) {
		s.t.Errorf("got %v to be forgotten, want %v", s.forgotten, gone)
	}
}

func TestEvict_leastRecentlyUsedGoFirst(t *testing.T) {
	t.Parallel()
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		s := newShelf(t, d, eviction.Config{ProjectMB: 10})
		s.add("a", "ann-1", "/a", 4, 9)
		s.add("b", "ann-1", "/b", 4, 8)
		s.add("c", "ann-1", "/c", 4, 7)
		s.add("d", "ann-2", "/a", 10, 99)
		s.Served("a")
		s.evict("a", "c", "d")
		s.add("e", "ann-1", "/e", 2, 0)
		s.evict("a", "c", "d", "e") // as much as there may be
		s.add("f", "ann-1", "/f", 1, 0)
		s.evict("a", "d", "e", "f")
	})
}

func TestEvict_olderOnesOfAPageGoFirst(t *testing.T) {
	t.Parallel()
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		s := newShelf(t, d, eviction.Config{ProjectMB: 10})
		s.add("a", "ann-1", "/rare", 4, 90)
		s.add("b", "ann-1", "/page", 4, 3)
		s.add("c", "ann-1", "/page", 4, 2)
		s.evict("a", "c")
	})
}

func TestEvict_eachBudgetHasItsOwn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		cfg  eviction.Config
		left []string
	}{
		{"none", eviction.Config{}, []string{"a", "b", "c", "d"}},
		{"project", eviction.Config{ProjectMB: 5}, []string{"b", "c", "d"}},
		{"account", eviction.Config{AccountMB: 9}, []string{"b", "c", "d"}},
		{"installation", eviction.Config{TotalMB: 8}, []string{"b", "d"}},
		{"all", eviction.Config{TotalMB: 8, AccountMB: 4, ProjectMB: 5}, []string{"b", "d"}},
		{"days", eviction.Config{Days: 6}, []string{"b", "c"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dbtest.Run(t, func(t *testing.T, d *db.DB) {
				s := newShelf(t, d, c.cfg)
				s.add("a", "ann-1", "/a", 4, 9)
				s.add("b", "ann-1", "/b", 4, 1)
				s.add("c", "ann-2", "/c", 4, 5)
				s.add("d", "bob-1", "/d", 4, 7)
				if c.name == "installation" || c.name == "all" {
					s.Served("d")
				}
				s.evict(c.left...)
			})
		})
	}
}

func TestEvict_whatIsAskedForByPostStays(t *testing.T) {
	t.Parallel()
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		s := newShelf(t, d, eviction.Config{ProjectMB: 1})
		s.add("a", "ann-1", "/a", 4, 9)
		s.add("b", "ann-1", "/b", 4, 8)
		if err := s.InTx(t.Context(), func(tx *db.Tx) error { return eviction.Kept(t.Context(), tx, "a") }); err != nil {
			t.Fatal(err)
		}
		s.must(`UPDATE images SET variant = FALSE WHERE id = 'b'`) // by somebody who has no time to say so
		s.evict("a", "b")
		s.evict("a", "b")
	})
}

// TestEvict_totalsFollowEveryChange deletes and changes images in every way, and compares the totals with what is left.
func TestEvict_totalsFollowEveryChange(t *testing.T) {
	t.Parallel()
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		s := newShelf(t, d, eviction.Config{ProjectMB: 1000})
		for i := range 30 {
			s.add(fmt.Sprint(i), []string{"ann-1", "ann-2", "bob-1"}[i%3], fmt.Sprint("/", i), int64(i), i)
		}
		s.must(`DELETE FROM images WHERE id = '5'`)
		s.must(`UPDATE variants SET bytes = 7000000 WHERE image_id = '6'`)
		s.must(`DELETE FROM projects WHERE id = 'ann-2'`)
		s.must(`DELETE FROM users WHERE id = 'bob'`)
		if err := s.Evict(t.Context()); err != nil {
			t.Fatal(err)
		}
		var totals []struct {
			Budget string `db:"budget"`
			ID     string `db:"id"`
			Bytes  int64  `db:"bytes"`
		}
		if err := s.Select(t.Context(), &totals, `SELECT budget, id, bytes FROM variant_totals ORDER BY budget`); err != nil {
			t.Fatal(err)
		}
		const left = (0 + 3 + 7 + 9 + 12 + 15 + 18 + 21 + 24 + 27) * 1e6
		want := []string{"account ann", "installation ", "project ann-1"}
		for i, total := range totals {
			if i >= len(want) || total.Budget+" "+total.ID != want[i] || total.Bytes != left {
				t.Errorf("got %+v, want %d bytes of one project alone", totals, int(left))
				break
			}
		}
		if len(totals) != len(want) {
			t.Errorf("got %d totals, want %d", len(totals), len(want))
		}
	})
}

func TestServed_isWrittenOnceAnHour(t *testing.T) {
	t.Parallel()
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		s := newShelf(t, d, eviction.Config{})
		for i := range 150 { // more than one statement has
			s.add(fmt.Sprint(i), "ann-1", fmt.Sprint("/", i), 1, 30)
		}
		at := now
		s.SetClock(func() time.Time { return at })
		last := func() (least, most int64) {
			t.Helper()
			var found struct {
				Least int64 `db:"least"`
				Most  int64 `db:"most"`
			}
			err := s.Get(t.Context(), &found, `SELECT MIN(served_at) AS least, MAX(served_at) AS most FROM variants`)
			if err != nil {
				t.Fatal(err)
			}
			return found.Least, found.Most
		}
		serve := func(want time.Time) {
			t.Helper()
			for i := range 150 {
				s.Served(fmt.Sprint(i))
			}
			s.Served("somebody else's")
			if err := s.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
			if least, most := last(); least != want.UnixMilli() || most != want.UnixMilli() {
				t.Errorf("got %v to %v, want %v", time.UnixMilli(least), time.UnixMilli(most), want)
			}
		}
		serve(now)
		at = now.Add(59 * time.Minute)
		serve(now)
		at = now.Add(61 * time.Minute)
		serve(at)
	})
}

// TestServed_isBounded serves more pictures than a node remembers.
func TestServed_isBounded(t *testing.T) {
	t.Parallel()
	s := newShelf(t, dbtest.SQLite(t), eviction.Config{})
	for i := range 250_000 {
		s.Served(fmt.Sprint(i))
	}
	if noted, pending := s.Remembered(); noted > 100_000 || pending > 50_000 || pending == 0 {
		t.Errorf("got %d noted and %d pending, want bounds", noted, pending)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Flush(ctx); err == nil {
		t.Error("a database that is away told of no error")
	}
	if _, pending := s.Remembered(); pending != 50_000 {
		t.Errorf("got %d pending after a failure, want all that were", pending)
	}
}

func TestConfig_isValidated(t *testing.T) {
	t.Parallel()
	for _, c := range []eviction.Config{{TotalMB: -1}, {AccountMB: -1}, {ProjectMB: -1}, {Days: -1}, {TotalMB: 2e9}} {
		if c.Validate() == nil {
			t.Errorf("%+v is valid", c)
		}
	}
	if err := (eviction.Config{TotalMB: 450_000, AccountMB: 1, ProjectMB: 1, Days: 365}).Validate(); err != nil {
		t.Error(err)
	}
}

// BenchmarkServed notes a picture that was noted before, as nearly every request does.
func BenchmarkServed(b *testing.B) {
	s := eviction.New(eviction.Config{}, dbtest.SQLite(b), nil)
	for i := range 1000 {
		s.Served(fmt.Sprint(i))
	}
	for b.Loop() {
		s.Served("500")
	}
}
