package usage

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"masthead/pkg/identity"
)

func (l *ledger) report(t *testing.T, month string) Report {
	t.Helper()
	r, err := l.Report(t.Context(), identity.Caller{UserID: l.owner}, month)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestFlush_manyNodesAddUp(t *testing.T) {
	run(t, func(t *testing.T, l *ledger) {
		nodes := []*Service{l.Service, New(Config{}, l.d, l.plans, l.auditlog, nil)}
		nodes[1].now = l.now
		var wg sync.WaitGroup
		for _, node := range nodes {
			for range 4 {
				wg.Go(func() {
					for range 25 {
						node.Count(PublicHit, l.owner, "og")
						node.Count(Drawn, l.owner, "blog_hero")
						node.Count(Drawn, "nobody's", "og") // the account was deleted meanwhile
					}
					if err := node.Flush(t.Context()); err != nil {
						t.Error(err)
					}
				})
			}
		}
		wg.Wait()
		for _, node := range nodes {
			if err := node.Flush(t.Context()); err != nil {
				t.Error(err)
			}
		}
		if got, want := l.report(t, november).Total, (Counts{Drawn: 200, PublicHits: 200}); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	})
}

func TestCount_isOfTheDayAndMonthInUTC(t *testing.T) {
	run(t, func(t *testing.T, l *ledger) {
		l.clock = l.clock.In(time.FixedZone("", -5*3600)) // there it is evening still
		l.Count(PublicHit, l.owner, "og")
		l.clock = l.clock.Add(20 * time.Minute)
		l.Count(PublicHit, l.owner, "og")
		l.Count(GenerateHit, l.owner, "og")
		if err := l.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		for month, want := range map[string]string{
			november: "[{2026-11-30 {0 0 0 1}}]", december: "[{2026-12-01 {0 0 1 1}}]", "2026-10": "[]",
		} {
			if got := fmt.Sprint(l.report(t, month).Days); got != want {
				t.Errorf("%s: got %s, want %s", month, got, want)
			}
		}
	})
}

func TestFlush_keepsWhatCannotBeWritten(t *testing.T) {
	run(t, func(t *testing.T, l *ledger) {
		l.Count(Drawn, l.owner, "og")
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if err := l.Flush(gone); err == nil {
			t.Fatal("it was written by a context that had ended")
		}
		l.Count(Drawn, l.owner, "og")
		if err := l.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := l.report(t, november).Total.Drawn; got != 2 {
			t.Errorf("got %d drawn, want 2", got)
		}
	})
}

func TestRun_writesAtTheEnd(t *testing.T) {
	run(t, func(t *testing.T, l *ledger) {
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { defer close(ended); l.Run(ctx) }()
		l.Count(PublicHit, l.owner, "og")
		stop()
		<-ended
		if got := l.report(t, november).Total.PublicHits; got != 1 {
			t.Errorf("got %d hits written, want 1", got)
		}
	})
}

func TestCount_isBounded(t *testing.T) {
	s := &Service{now: time.Now}
	for i := range maxCounts + 1000 {
		s.Count(Drawn, fmt.Sprint(i), "og")
	}
	s.Count(Drawn, "7", "og")
	if n := len(s.traffic.waiting); n != maxCounts {
		t.Errorf("got %d counts, want %d", n, maxCounts)
	}
}

func BenchmarkCount(b *testing.B) {
	s := &Service{now: time.Now}
	for b.Loop() {
		s.Count(PublicHit, "0199e0a6-5f5e-7cc1-9a51-3f0d8f2b7c11", "og")
	}
}
