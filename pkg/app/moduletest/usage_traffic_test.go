package moduletest_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"masthead/pkg/identity"
	"masthead/pkg/usage"
)

func (l *ledger) report(t *testing.T, month string) usage.Report {
	t.Helper()
	r, err := l.Report(t.Context(), identity.Caller{UserID: l.owner}, month)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestFlush_manyNodesAddUp(t *testing.T) {
	run(t, func(t *testing.T, l *ledger) {
		nodes := []*usage.Service{l.Service, usage.New(usage.Config{}, l.d, l.plans, l.auditlog, nil)}
		nodes[1].SetNow(func() time.Time { return l.clock })
		var wg sync.WaitGroup
		for _, node := range nodes {
			for range 4 {
				wg.Go(func() {
					for range 25 {
						node.Count(usage.PublicHit, l.owner, usage.Source{Kind: "og"})
						node.Count(usage.Drawn, l.owner, usage.Source{Kind: "blog_hero"})
						node.Count(usage.Drawn, "nobody's",
							usage.Source{Kind: "og"}) // the account was deleted meanwhile
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
		if got, want := l.report(t, november).Total, (usage.Counts{Drawn: 200, PublicHits: 200}); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	})
}

func TestCount_isOfTheDayAndMonthInUTC(t *testing.T) {
	run(t, func(t *testing.T, l *ledger) {
		l.clock = l.clock.In(time.FixedZone("", -5*3600)) // there it is evening still
		l.Count(usage.PublicHit, l.owner, usage.Source{Kind: "og"})
		l.clock = l.clock.Add(20 * time.Minute)
		l.Count(usage.PublicHit, l.owner, usage.Source{Kind: "og"})
		l.Count(usage.GenerateHit, l.owner, usage.Source{Kind: "og"})
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
		l.Count(usage.Drawn, l.owner, usage.Source{Kind: "og"})
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if err := l.Flush(gone); err == nil {
			t.Fatal("it was written by a context that had ended")
		}
		l.Count(usage.Drawn, l.owner, usage.Source{Kind: "og"})
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
		l.Count(usage.PublicHit, l.owner, usage.Source{Kind: "og"})
		stop()
		<-ended
		if got := l.report(t, november).Total.PublicHits; got != 1 {
			t.Errorf("got %d hits written, want 1", got)
		}
	})
}

// What is counted between two writes has a bound: beyond it, accounts that aren't counted yet are left out.
func TestCount_isBounded(t *testing.T) {
	run(t, func(t *testing.T, l *ledger) {
		for i := range 200_000 {
			l.Count(usage.Drawn, fmt.Sprint(i), usage.Source{Kind: "og"})
		}
		l.Count(usage.Drawn, l.owner, usage.Source{Kind: "og"})
		if err := l.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := l.report(t, november).Total.Drawn; got != 0 {
			t.Errorf("%d counted after more than fit, want none", got)
		}
		l.Count(usage.Drawn, l.owner, usage.Source{Kind: "og"})
		if err := l.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := l.report(t, november).Total.Drawn; got != 1 {
			t.Errorf("%d counted after they were written, want 1", got)
		}
	})
}

func BenchmarkCount(b *testing.B) {
	s := &usage.Service{}
	s.SetNow(time.Now)
	for b.Loop() {
		s.Count(usage.PublicHit, "0199e0a6-5f5e-7cc1-9a51-3f0d8f2b7c11",
			usage.Source{ProjectID: "0199e0a6-63b2-7d0e-8c55-93e1f6a4d210", Kind: "og"})
	}
}
