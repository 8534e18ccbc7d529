package tickets

import (
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/base62"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/identity"
	"masthead/pkg/weburl"
)

// TestStore_keepsTheNewestTickets stores a thousand tickets, of which a network and all together keep a few.
func TestStore_keepsTheNewestTickets(t *testing.T) {
	t.Parallel()
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		s := store{d}
		page, err := weburl.Parse("https://one.example/")
		if err != nil {
			t.Fatal(err)
		}
		began := time.UnixMilli(1_700_000_000_000)
		count := func(where string, args ...any) (n int) {
			t.Helper()
			if err := d.Get(t.Context(), &n, `SELECT COUNT(*) FROM tickets `+where, args...); err != nil {
				t.Fatal(err)
			}
			return n
		}
		var last string
		for i := range 1000 {
			last = base62.Random(idLength)
			at := began.Add(time.Duration(i) * time.Millisecond)
			ticket := &Ticket{ID: last, network: fmt.Sprintf("198.51.100.%d", i%10), Page: page, CreatedAt: at}
			if err := s.insert(t.Context(), ticket); err != nil {
				t.Fatal(err)
			}
		}
		if n := count(""); n != 10*networkTickets {
			t.Errorf("%d tickets are kept, want %d of each of 10 networks", n, networkTickets)
		}
		if count("WHERE id = ?", last) != 1 || count("WHERE created_at = ?", db.Millis{Time: began}) != 0 {
			t.Error("the oldest are kept, or the newest isn't")
		}
		if err := s.expire(t.Context(), began.Add(lifetime+950*time.Millisecond)); err != nil {
			t.Fatal(err)
		}
		if n := count(""); n != 49 {
			t.Errorf("%d tickets are kept, want the 49 that haven't expired", n)
		}
	})
}

// TestFind_ticketsExpire looks for a ticket after an hour, in memory and in the database.
func TestFind_ticketsExpire(t *testing.T) {
	t.Parallel()
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		page, err := weburl.Parse("https://one.example/")
		if err != nil {
			t.Fatal(err)
		}
		now := time.UnixMilli(1_700_000_000_000)
		s := New(Config{}, Deps{DB: d})
		s.now = func() time.Time { return now }
		caller := identity.Caller{Address: netip.MustParseAddr("198.51.100.1")}
		ticket := &Ticket{ID: base62.Random(idLength), network: caller.Network(), Page: page, CreatedAt: now}
		if err := s.store.insert(t.Context(), ticket); err != nil {
			t.Fatal(err)
		}
		// The node that read it was killed.
		if found, err := s.Find(t.Context(), caller, ticket.ID); err != nil || found.State != Reading {
			t.Fatalf("got %v, %v, want one that is being read", found, err)
		}
		now = now.Add(time.Minute)
		if found, err := s.Find(t.Context(), caller, ticket.ID); err != nil || found.State != Failed {
			t.Fatalf("got %v, %v, want a failed one", found, err)
		}
		ticket.State = Failed
		if err := s.store.save(t.Context(), ticket, nil); err != nil {
			t.Fatal(err)
		}
		for range 2 { // from the database, then from memory
			if _, err := s.Find(t.Context(), caller, ticket.ID); err != nil {
				t.Fatal(err)
			}
		}
		now = now.Add(time.Hour)
		if _, err := s.Find(t.Context(), caller, ticket.ID); apperr.CodeOf(err) != apperr.NotFound {
			t.Errorf("got %v, want NOT_FOUND", err)
		}
	})
}

// TestSave_factsThatExceedTheirRoom_areAFault stores more than is kept of a page: its visitor learns it at once.
func TestSave_factsThatExceedTheirRoom_areAFault(t *testing.T) {
	t.Parallel()
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		s := store{d}
		page, err := weburl.Parse("https://one.example/")
		if err != nil {
			t.Fatal(err)
		}
		ticket := &Ticket{ID: base62.Random(idLength), network: "198.51.100.1", Page: page, CreatedAt: time.Now()}
		if err := s.insert(t.Context(), ticket); err != nil {
			t.Fatal(err)
		}
		ticket.State, ticket.Facts.Texts.Title = Ready, strings.Repeat("x", maxFacts)
		if err := s.save(t.Context(), ticket, map[string][]byte{photoName: {1}}); err != nil {
			t.Fatal(err)
		}
		got, err := s.get(t.Context(), ticket.ID)
		if err != nil || got.State != Failed || got.Facts.Fault.Code != apperr.UpstreamFailed ||
			!strings.Contains(got.Facts.Fault.Detail, "more about itself than can be kept") {
			t.Errorf("got %+v, %v, want a ticket that failed, with the reason", got, err)
		}
	})
}

// FuzzParseChoices: whatever is sent, the choices can be drawn, and their canonical form gives them back.
func FuzzParseChoices(f *testing.F) {
	for _, seed := range []string{
		"", "kind=blog_hero&aspectRatio=16:10&template=cover", "accent=0F766E&dark=false&font=inter",
		"own=%230f766e&accent=123456", "title=%00%ff&date=2026-03-12&logoPosition=none", "kind=icon_set&title=x",
	} {
		f.Add(seed)
	}
	page, err := weburl.Parse("https://one.example/a")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		q, _ := url.ParseQuery(raw)
		c, _ := ParseChoices(q)
		if _, err := c.request(&Ticket{Page: page}, c.Template); err != nil {
			t.Fatalf("%q: %v", raw, err)
		}
		again, err := ParseChoices(c.PageQuery())
		if err != nil {
			t.Fatalf("%q: the canonical form is invalid: %v", raw, err)
		}
		if got, want := again.PageQuery().Encode(), c.PageQuery().Encode(); got != want {
			t.Fatalf("%q: got %s, want %s", raw, got, want)
		}
	})
}
