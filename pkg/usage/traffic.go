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

// This file counts what no plan meters. It is counted in memory and written once a minute: a count that a killed node
// loses costs nobody anything.

const (
	// flushEvery is how often counts are written, and flushTime bounds the writing.
	flushEvery = time.Minute
	flushTime  = 30 * time.Second
	// maxCounts bounds the counts that wait, while the database is away too; beyond, new ones are not begun.
	maxCounts = 100_000
)

// Traffic is a kind of thing that is counted.
type Traffic int

// What is counted, each once for an image.
const (
	// Drawn is an image that was drawn and kept.
	Drawn Traffic = iota
	// GenerateHit is a kept image that POST /images/generate returned.
	GenerateHit
	// PublicHit is an answer of /og.
	PublicHit

	traffics // how many there are
)

// place is what counts are kept by.
type place struct{ ownerID, day, kind string }

// counts are numbers of each traffic.
type counts [traffics]int64

// traffic is what waits to be written.
type traffic struct {
	mu      sync.Mutex
	waiting map[place]*counts
	// day is the name of the day that began at begins, which is found out once.
	day    string
	begins time.Time
}

// Count counts one of what for an account, and the kind of the image. A nil service counts nothing.
func (s *Service) Count(what Traffic, ownerID, kind string) {
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
	t.add(place{ownerID, t.day, kind}, what, 1)
}

// add counts n more of what at a place.
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

// take takes what waits, in an order in which two nodes that write at the same time do not wait for each other.
func (t *traffic) take() (places []place, taken map[place]*counts) {
	t.mu.Lock()
	defer t.mu.Unlock()
	taken, t.waiting = t.waiting, nil
	places = slices.SortedFunc(maps.Keys(taken), func(a, b place) int {
		return cmp.Or(cmp.Compare(a.ownerID, b.ownerID), cmp.Compare(a.day, b.day), cmp.Compare(a.kind, b.kind))
	})
	return places, taken
}

// giveBack has what was taken wait again.
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

// Flush writes what was counted. What cannot be written is kept for the next time.
func (s *Service) Flush(ctx context.Context) error {
	places, taken := s.traffic.take()
	for part := range slices.Chunk(places, writtenAtOnce) {
		if err := s.store.addTraffic(ctx, part, taken); err != nil {
			i := slices.Index(places, part[0])
			s.traffic.giveBack(places[i:], taken)
			return err
		}
	}
	return nil
}

// writtenAtOnce bounds the rows of one transaction: others wait for it.
const writtenAtOnce = 200

// flushUntil writes what was counted once a minute until ctx ends, and then once more.
func (s *Service) flushUntil(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
		case <-time.After(flushEvery):
		}
		bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushTime)
		if err := s.Flush(bounded); err != nil {
			slog.WarnContext(ctx, "usage not written; it is tried again", "err", err)
		}
		cancel()
		if ctx.Err() != nil {
			return
		}
	}
}

// dayOf returns the day of a moment in UTC, such as "2026-11-21".
func dayOf(t time.Time) string { return t.UTC().Format(time.DateOnly) }
