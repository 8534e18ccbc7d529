package task

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"masthead/pkg/apperr"
)

// crowd is tasks of one owner in a bubble of synctest: those that have places, and those that wait.
type crowd struct {
	places chan func()
	errs   chan error
	leave  context.CancelFunc
}

// join has n tasks of the owner join p, and waits until each has a place, or waits, or was refused.
func join(t *testing.T, p *Queue, owner string, n int, uncut bool) *crowd {
	t.Helper()
	c := &crowd{places: make(chan func(), n), errs: make(chan error, n)}
	var ctx context.Context
	ctx, c.leave = context.WithCancel(context.Background())
	t.Cleanup(c.leave)
	for range n {
		go func() {
			leave, err := p.Join(ctx, owner, uncut)
			if err != nil {
				c.errs <- err
				return
			}
			c.places <- leave
		}()
		synctest.Wait() // they come one after the other
	}
	return c
}

// end ends n of the tasks that have places.
func (c *crowd) end(n int) {
	for range n {
		(<-c.places)()
		synctest.Wait()
	}
}

// endAll ends all tasks, the last when those that wait have left.
func (c *crowd) endAll() {
	c.leave()
	synctest.Wait()
	c.end(len(c.places))
}

func wantFull(t *testing.T, what string, err error) {
	t.Helper()
	var e *apperr.Error
	if !errors.As(err, &e) || e.Code != apperr.Unavailable || e.RetryAfter < time.Second || e.RetryAfter > 30*time.Second {
		t.Errorf("%s: got %v, want UNAVAILABLE with Retry-After", what, err)
	}
}

// wantEmpty checks that the pool remembers nobody.
func wantEmpty(t *testing.T, p *Queue) {
	t.Helper()
	if p.Len() != 0 || p.turns.Owners() != 0 {
		t.Errorf("%d tasks of %d owners are left, want none", p.Len(), p.turns.Owners())
	}
}

// TestQueue_floodOfOneOwner_leavesPlacesToOthers has one owner fill the queue: another is admitted and has a place at
// once.
func TestQueue_floodOfOneOwner_leavesPlacesToOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewQueue(2)
		greedy := join(t, p, "greedy", openQueue, false)
		if got := len(greedy.places); got != p.ownerPlaces || p.ownerPlaces != p.places/2 {
			t.Errorf("one owner has %d of %d places, want half", got, p.places)
		}
		wantFull(t, "the greedy one", p.Admit("greedy"))
		for i := range p.ownerPlaces {
			if err := p.Admit("modest"); err != nil {
				t.Fatalf("another with %d: %v", i, err)
			}
			if modest := join(t, p, "modest", 1, false); len(modest.places) != 1 {
				t.Fatalf("another with %d waits", i)
			}
		}
		if err := p.Admit("third"); err != nil {
			t.Errorf("a third: %v", err)
		}
		greedy.end(openQueue)
		if err := p.Admit("greedy"); err != nil {
			t.Errorf("the greedy one, of whom nothing is left: %v", err)
		}
	})
}

// TestQueue_allPlacesTaken_ownersTakeTurns has two owners hold all places and wait for many more: the first of a third
// does not wait for those.
func TestQueue_allPlacesTaken_ownersTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewQueue(2)
		a, b := join(t, p, "a", 100, false), join(t, p, "b", 100, false)
		modest := join(t, p, "modest", 1, false)
		a.end(1)
		b.end(1)
		if len(modest.places) != 0 {
			t.Error("the third was before those who came first")
		}
		a.end(1)
		if len(modest.places) != 1 {
			t.Error("the third still waits after a turn of each other")
		}
		for _, c := range []*crowd{a, b, modest} {
			c.endAll()
		}
		wantEmpty(t, p)
	})
}

// TestQueue_filledMeanwhile_sendsAwayWhoIsLast has the queue fill after tasks were admitted: who has the most in it
// gives way, but for what is paid.
func TestQueue_filledMeanwhile_sendsAwayWhoIsLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewQueue(2)
		a, b := join(t, p, "a", 200, false), join(t, p, "b", MaxQueue+p.places-200, false)
		wantFull(t, "one more of whom has the most", <-join(t, p, "a", 1, false).errs)
		if uncut := join(t, p, "a", 1, true); len(uncut.errs) != 0 {
			t.Errorf("one that must not be cut: %v", <-uncut.errs)
		}
		c := join(t, p, "c", 1, false)
		if len(c.errs) != 0 || len(a.errs) != 1 || len(b.errs) != 0 {
			t.Fatalf("of c %d, a %d and b %d were sent away, want one of a", len(c.errs), len(a.errs), len(b.errs))
		}
		wantFull(t, "the one that was sent away", <-a.errs)
		if got := p.refused.Load(); got != 2 {
			t.Errorf("%d were counted as refused, want 2", got)
		}
	})
}

// TestQueue_fullOfWhatIsPaid_refuses has nobody in the queue who could give way.
func TestQueue_fullOfWhatIsPaid_refuses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewQueue(2)
		for _, owner := range []string{"a", "b"} {
			paid := join(t, p, owner, MaxQueue/2+p.ownerPlaces+1, true)
			if len(paid.errs) != 0 {
				t.Errorf("one that is paid: %v", <-paid.errs)
			}
		}
		wantFull(t, "one that is not", <-join(t, p, "c", 1, false).errs)
	})
}

// TestQueue_whoLeaves_givesItsPlaceBack ends the waiting of some, one of them just when its place comes.
func TestQueue_whoLeaves_givesItsPlaceBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for range 20 { // either may be seen first
			p := NewQueue(1)
			a := join(t, p, "a", p.ownerPlaces, false)
			gone, stays := join(t, p, "a", 2, false), join(t, p, "a", 1, false)
			leave := <-a.places
			leave()
			gone.leave() // before the first of them has seen its place
			synctest.Wait()
			gone.end(len(gone.places))
			for range len(gone.errs) {
				if err := <-gone.errs; !errors.Is(err, context.Canceled) {
					t.Errorf("got %v, want that it was cancelled", err)
				}
			}
			if len(stays.places) != 1 {
				t.Error("who stayed has no place")
			}
			a.endAll()
			stays.endAll()
			wantEmpty(t, p)
		}
	})
}

// paced has tasks of one owner end one every so often, so many that the pool knows their pace.
func paced(t *testing.T, p *Queue, each time.Duration) {
	t.Helper()
	busy := join(t, p, "busy", p.workers, false)
	for range 10 * spacingWeight {
		one := join(t, p, "paced", 1, false)
		time.Sleep(each)
		one.end(1)
	}
	busy.endAll()
}

// TestQueue_slowMakings_queueIsAsShortAsItsTime lets tasks end one every 25 ms: of an owner those are taken that fit
// into 1 s, and others who have less in the queue are taken still.
func TestQueue_slowMakings_queueIsAsShortAsItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewQueue(2)
		paced(t, p, 25*time.Millisecond)
		join(t, p, "a", 39, false)
		if err := p.Admit("a"); err != nil {
			t.Errorf("with 39 under way: %v", err)
		}
		join(t, p, "a", 61, false) // were admitted at once before
		wantFull(t, "with 100 under way, which take 2.5 s", p.Admit("a"))
		taken := 0
		for ; p.Admit("b") == nil; taken++ {
			join(t, p, "b", 1, false)
		}
		if want := 40 - p.ownerPlaces; taken < want/2 || taken > want { // turns of two
			t.Errorf("%d of another owner were taken, want half of %d and what it has places for", taken, want)
		}
		if err := p.Admit("c"); err != nil {
			t.Errorf("a third: %v", err)
		}
	})
}

// TestQueue_verySlowMakings_someAreTaken lets tasks take so long that hardly one fits into the time.
func TestQueue_verySlowMakings_someAreTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewQueue(2)
		paced(t, p, 900*time.Millisecond)
		join(t, p, "a", slowQueue-1, false)
		if err := p.Admit("a"); err != nil {
			t.Errorf("with %d under way: %v", slowQueue-1, err)
		}
		join(t, p, "a", 1, false)
		err := p.Admit("a")
		wantFull(t, "one more", err)
		if err == nil || !strings.Contains(err.Error(), "Too many pictures") {
			t.Errorf("got %v, want that too many wait", err)
		}
	})
}

// TestQueue_stallAndPauses_areForgotten has the tasks stall once, and pauses in which there are none.
func TestQueue_stallAndPauses_areForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewQueue(2)
		end := func(after time.Duration) {
			one := join(t, p, "a", 1, false)
			time.Sleep(after)
			one.end(1)
		}
		busy := join(t, p, "waiting", 2, false)
		end(time.Hour) // nothing is known of when it could have begun
		end(time.Hour)
		if p.ends.each > maxSpacing {
			t.Errorf("after a stall each takes %v, want no more than %v", p.ends.each, maxSpacing)
		}
		for range 5 * spacingWeight {
			end(10 * time.Millisecond)
		}
		if p.ends.each > 20*time.Millisecond {
			t.Errorf("long after the stall each takes %v, want nearly 10 ms", p.ends.each)
		}
		busy.endAll()
		p = NewQueue(2)
		for range 20 {
			end(10 * time.Second) // alone: the time between them is no work
		}
		if p.ends.each != 0 {
			t.Errorf("tasks one by one have a pace of %v, want none", p.ends.each)
		}
	})
}

// BenchmarkQueue has tasks of eight owners join and leave, alone and in a crowd.
func BenchmarkQueue(b *testing.B) {
	for name, at := range map[string]int{"alone": 1, "crowd": 60} {
		b.Run(name, func(b *testing.B) {
			p := NewQueue(2)
			b.ReportAllocs()
			var tasks sync.WaitGroup
			for i := range at {
				owner := string(rune('a' + i%8))
				tasks.Go(func() {
					for range b.N/at + 1 {
						leave, err := p.Join(b.Context(), owner, false)
						if err != nil {
							b.Error(err)
							return
						}
						leave()
					}
				})
			}
			tasks.Wait()
		})
	}
}
