package usage

import (
	"cmp"
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"
)

// This file counts usage that no plan limits. Counts are kept in memory and written once a minute, and when the account
// reads them; losing some when a node is killed does no harm.

const (
	// flushEvery is how often counts are written; flushTime bounds each write.
	flushEvery = time.Minute
	flushTime  = 30 * time.Second
	// maxCounts bounds the number of pending counters, including while the database is unavailable. Beyond it, new
	// counters are dropped.
	maxCounts = 100_000
)

// Traffic is a kind of event that is counted.
type Traffic int

// Events, each counted once per image.
const (
	// Drawn: an image was drawn and stored.
	Drawn Traffic = iota
	// GenerateHit: POST /images/generate returned a stored image.
	GenerateHit
	// PublicHit: /og returned a response.
	PublicHit

	traffics // number of kinds
)

// Source is where usage comes from. Each part may be empty if it isn't known.
type Source struct {
	ProjectID string `db:"project_id"`
	KeyID     string `db:"key_id"` // of an API key; "" for /og and for what was done without a key
	Kind      string `db:"kind"`   // of the image, such as "og"
}

// place is the key of a counter.
type place struct {
	ownerID, day string
	Source
}

// counts has one number per kind of event.
type counts [traffics]int64

// traffic has the pending counts.
type traffic struct {
	mu      sync.Mutex
	waiting map[place]*counts
	// day is the name of the day that started at begins, cached.
	day    string
	begins time.Time
}

// Count counts one event of an account. It does nothing if s is nil.
func (s *Service) Count(what Traffic, ownerID string, from Source) {
	if s == nil {
		return
	}
	t := &s.traffic
	now := s.now().UTC()
	t.mu.Lock()
	defer t.mu.Unlock()
	if since := now.Sub(t.begins); t.day == "" || since < 0 || since >= 24*time.Hour {
		t.begins = time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
		t.day = dayOf(now)
	}
	t.add(place{ownerID, t.day, from}, what, 1)
}

// add counts n events at a place.
func (t *traffic) add(at place, what Traffic, n int64) {
	c := t.waiting[at]
	if c == nil {
		if len(t.waiting) >= maxCounts {
			return
		}
		if t.waiting == nil {
			t.waiting = map[place]*counts{}
		}
		c = &counts{}
		t.waiting[at] = c
	}
	c[what] += n
}

// take removes and returns the pending counts, those of all accounts for "", sorted so that concurrent writes of two
// nodes can't deadlock.
func (t *traffic) take(ownerID string) (places []place, taken map[place]*counts) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if ownerID == "" {
		taken, t.waiting = t.waiting, nil
	} else {
		taken = map[place]*counts{}
		maps.DeleteFunc(t.waiting, func(at place, c *counts) bool {
			if at.ownerID == ownerID {
				taken[at] = c
			}
			return at.ownerID == ownerID
		})
	}
	places = slices.SortedFunc(maps.Keys(taken), func(a, b place) int {
		return cmp.Or(cmp.Compare(a.ownerID, b.ownerID), cmp.Compare(a.day, b.day),
			cmp.Compare(a.ProjectID, b.ProjectID), cmp.Compare(a.KeyID, b.KeyID), cmp.Compare(a.Kind, b.Kind))
	})
	return places, taken
}

// giveBack adds counts back to the pending ones.
func (t *traffic) giveBack(places []place, taken map[place]*counts) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, at := range places {
		for what, n := range taken[at] {
			if n != 0 {
				t.add(at, Traffic(what), n)
			}
		}
	}
}

// Flush writes the pending counts. Those that can't be written stay pending.
func (s *Service) Flush(ctx context.Context) error { return s.flush(ctx, "") }

// flushOf writes the pending counts of an account before it reads them, so that it sees what it has just done. Counts
// that can't be written are missing from what is read.
func (s *Service) flushOf(ctx context.Context, ownerID string) {
	if err := s.flush(ctx, ownerID); err != nil {
		slog.WarnContext(ctx, "usage not written before it was read, will retry", "err", err)
	}
}

// flush is Flush of an account, and of all for "".
func (s *Service) flush(ctx context.Context, ownerID string) error {
	places, taken := s.traffic.take(ownerID)
	for part := range slices.Chunk(places, writtenAtOnce) {
		if err := s.store.addTraffic(ctx, part, taken); err != nil {
			i := slices.Index(places, part[0])
			s.traffic.giveBack(places[i:], taken)
			return err
		}
	}
	return nil
}

// writtenAtOnce bounds the rows per transaction, because other transactions wait for it.
const writtenAtOnce = 200

// flushUntil writes the counts once a minute until ctx ends, and then once more.
func (s *Service) flushUntil(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
		case <-time.After(flushEvery):
		}
		bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushTime)
		if err := s.Flush(bounded); err != nil {
			slog.WarnContext(ctx, "usage not written, will retry", "err", err)
		}
		cancel()
		if ctx.Err() != nil {
			return
		}
	}
}

// dayOf returns the day of t in UTC, such as "2026-11-21".
func dayOf(t time.Time) string { return t.UTC().Format(time.DateOnly) }
