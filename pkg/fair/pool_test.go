package fair_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"masthead/pkg/fair"
)

// enter takes a slot that must be free.
func enter(t *testing.T, p *fair.Pool, owner string) (leave func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // so that it does not wait
	leave, err := p.Enter(ctx, owner)
	if err != nil {
		t.Fatalf("%s: %v, want a free slot", owner, err)
	}
	return leave
}

// empty fails unless nothing is left in a pool.
func empty(t *testing.T, p *fair.Pool) {
	t.Helper()
	if p.InUse() != 0 || p.Waiting() != 0 || p.Owners() != 0 {
		t.Errorf("%d slots are in use, %d wait, %d owners are remembered, want none", p.InUse(), p.Waiting(), p.Owners())
	}
}

// TestPool_ownersTakeTurns has all wait for one slot, and lists who gets it.
func TestPool_ownersTakeTurns(t *testing.T) {
	for _, c := range []struct{ came, served string }{{"aaab", "abaa"}, {"aaabbc", "abcaba"}, {"cba", "cba"}} {
		synctest.Test(t, func(t *testing.T) {
			p := fair.NewPool(fair.Limits{Slots: 1, OwnerSlots: 1, Queue: 10, OwnerQueue: 10, Wait: time.Hour})
			first := enter(t, p, "first")
			var mu sync.Mutex
			var served strings.Builder
			for _, owner := range c.came {
				go func() {
					leave, err := p.Enter(t.Context(), string(owner))
					if err != nil {
						t.Error(err)
						return
					}
					mu.Lock()
					served.WriteRune(owner)
					mu.Unlock()
					leave()
				}()
				synctest.Wait() // they come one after the other
			}
			if got := p.Waiting(); got != len(c.came) {
				t.Errorf("%d wait, want %d", got, len(c.came))
			}
			first()
			synctest.Wait()
			if got := served.String(); got != c.served {
				t.Errorf("%q came: %q were served, want %q", c.came, got, c.served)
			}
			empty(t, p)
		})
	}
}

// TestPool_ownerSlots_leaveRoomForOthers has one owner hold as many slots as it may: its next waits, and another's does
// not.
func TestPool_ownerSlots_leaveRoomForOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := fair.NewPool(fair.Limits{Slots: 3, OwnerSlots: 2, Queue: 10, OwnerQueue: 10, Wait: time.Hour})
		one, two := enter(t, p, "a"), enter(t, p, "a")
		var third atomic.Bool
		go func() {
			if leave, err := p.Enter(t.Context(), "a"); err == nil {
				third.Store(true)
				leave()
			}
		}()
		synctest.Wait()
		other := enter(t, p, "b")
		other()
		if synctest.Wait(); third.Load() {
			t.Error("a third slot went to an owner that may have two")
		}
		one()
		if synctest.Wait(); !third.Load() {
			t.Error("the owner's next still waits after a slot of its own became free")
		}
		two()
		empty(t, p)
	})
}

// TestPool_bounds has more come than may wait, all in all and of one owner, and none wait longer than it may.
func TestPool_bounds(t *testing.T) {
	for name, c := range map[string]struct {
		limits fair.Limits
		came   string // after the one that holds the slot
		full   int
	}{
		"nobody may wait":    {fair.Limits{Slots: 1, OwnerSlots: 1}, "ab", 2},
		"all in all":         {fair.Limits{Slots: 1, OwnerSlots: 1, Queue: 3, OwnerQueue: 3}, "abcd", 1},
		"of one owner":       {fair.Limits{Slots: 1, OwnerSlots: 1, Queue: 9, OwnerQueue: 2}, "aaaab", 2},
		"of all that may be": {fair.Limits{Slots: 1, OwnerSlots: 1, Queue: 4, OwnerQueue: 2}, "aabb", 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c.limits.Wait = 3 * time.Second
				p := fair.NewPool(c.limits)
				leave := enter(t, p, "first")
				var full, waited atomic.Int64
				began := time.Now()
				for _, owner := range c.came {
					go func() {
						switch _, err := p.Enter(t.Context(), string(owner)); {
						case errors.Is(err, fair.ErrFull) && time.Since(began) == 0:
							full.Add(1)
						case errors.Is(err, fair.ErrWaited) && time.Since(began) == c.limits.Wait:
							waited.Add(1)
						default:
							t.Errorf("%c: got %v after %v", owner, err, time.Since(began))
						}
					}()
					synctest.Wait()
				}
				time.Sleep(c.limits.Wait)
				synctest.Wait()
				if int(full.Load()) != c.full || int(waited.Load()) != len(c.came)-c.full {
					t.Errorf("%d found it full and %d waited in vain, want %d of %d", full.Load(), waited.Load(), c.full, len(c.came))
				}
				leave()
				empty(t, p)
			})
		})
	}
}

// TestPool_canceledWaiter_losesNoSlot cancels some who wait: the others get their turns.
func TestPool_canceledWaiter_losesNoSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := fair.NewPool(fair.Limits{Slots: 1, OwnerSlots: 1, Queue: 10, OwnerQueue: 10, Wait: time.Hour})
		leave := enter(t, p, "first")
		ctx, cancel := context.WithCancel(t.Context())
		var canceled, served atomic.Int64
		for i := range 6 {
			go func() {
				with := t.Context()
				if i%2 == 0 {
					with = ctx
				}
				leave, err := p.Enter(with, "a")
				switch {
				case err == nil:
					served.Add(1)
					leave()
				case errors.Is(err, context.Canceled):
					canceled.Add(1)
				default:
					t.Error(err)
				}
			}()
			synctest.Wait()
		}
		cancel()
		synctest.Wait()
		leave()
		synctest.Wait()
		if canceled.Load() != 3 || served.Load() != 3 {
			t.Errorf("%d were canceled and %d served, want 3 and 3", canceled.Load(), served.Load())
		}
		empty(t, p)
	})
}

// TestPool_manyAtOnce has slots become free, waits end and contexts be canceled all at the same moments. No more than
// the slots are held at once, by all and by one owner, and none is lost.
func TestPool_manyAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limits := fair.Limits{Slots: 4, OwnerSlots: 3, Queue: 20, OwnerQueue: 12, Wait: 5 * time.Millisecond}
		p := fair.NewPool(limits)
		var held atomic.Int64
		heldBy := map[string]*atomic.Int64{"a": {}, "b": {}, "c": {}}
		var served, full, waited, canceled atomic.Int64
		var all sync.WaitGroup
		for i := range 600 {
			all.Go(func() {
				random := rand.New(rand.NewPCG(uint64(i), 8))
				owner := string("aaabbc"[i%6])
				time.Sleep(time.Duration(random.IntN(100)) * time.Millisecond)
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(1+random.IntN(8))*time.Millisecond)
				defer cancel()
				leave, err := p.Enter(ctx, owner)
				switch {
				case errors.Is(err, fair.ErrFull):
					full.Add(1)
				case errors.Is(err, fair.ErrWaited):
					waited.Add(1)
				case errors.Is(err, context.DeadlineExceeded):
					canceled.Add(1)
				case err != nil:
					t.Error(err)
				default:
					served.Add(1)
					if n := held.Add(1); n > int64(limits.Slots) {
						t.Errorf("%d slots are held", n)
					}
					if n := heldBy[owner].Add(1); n > int64(limits.OwnerSlots) {
						t.Errorf("%s holds %d slots", owner, n)
					}
					time.Sleep(time.Duration(random.IntN(4)) * time.Millisecond)
					held.Add(-1)
					heldBy[owner].Add(-1)
					leave()
				}
			})
		}
		all.Wait()
		for what, n := range map[string]int64{
			"served": served.Load(), "full": full.Load(), "waited": waited.Load(), "canceled": canceled.Load(),
		} {
			if n == 0 {
				t.Errorf("none was %s", what)
			}
		}
		empty(t, p)
	})
}

// TestPool_fullQueue_displacesTheLast has one owner fill the queue: another's request takes the place of its last one,
// if that wasn't to be done anyway.
func TestPool_fullQueue_displacesTheLast(t *testing.T) {
	for name, c := range map[string]struct {
		displace bool
		came     string // after the one that holds the slot; capital letters enter anyway
		full     string // who got ErrFull, in this order
		served   string
	}{
		"refuses the new one":         {false, "aaab", "b", "aaa"},
		"displaces the last":          {true, "aaab", "a", "aba"},
		"refuses who has the most":    {true, "aaba", "a", "aba"},
		"an owner's own are no later": {true, "aaaa", "a", "aaa"},
		"one enters anyway":           {true, "aaaA", "", "aaaA"},
		"and isn't displaced":         {true, "aAAb", "b", "aAA"},
		"but one before it is":        {true, "AaAb", "a", "AbA"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := fair.NewPool(fair.Limits{Slots: 1, OwnerSlots: 1, Queue: 3, OwnerQueue: 3, Displace: c.displace})
				first := enter(t, p, "first")
				var mu sync.Mutex
				var full, served strings.Builder
				for _, who := range c.came {
					go func() {
						owner := strings.ToLower(string(who))
						how := p.Enter
						if owner != string(who) {
							how = p.EnterAnyway
						}
						leave, err := how(t.Context(), owner)
						mu.Lock()
						defer mu.Unlock()
						switch {
						case errors.Is(err, fair.ErrFull):
							full.WriteRune(who)
						case err != nil:
							t.Error(err)
						default:
							served.WriteRune(who)
							leave()
						}
					}()
					synctest.Wait()
				}
				if got, want := p.Len(), 1+len(c.served); got != want {
					t.Errorf("%d hold a slot or wait, want %d", got, want)
				}
				owners := map[rune]bool{}
				for _, owner := range strings.ToLower(c.served) {
					owners[owner] = true
				}
				if got, want := p.Ahead("new"), 1+len(owners); got != want {
					t.Errorf("%d are before another owner's first, want %d", got, want)
				}
				time.Sleep(24 * time.Hour) // without a limit, they wait
				first()
				synctest.Wait()
				if full.String() != c.full || served.String() != c.served {
					t.Errorf("%q were full and %q served, want %q and %q", full.String(), served.String(), c.full, c.served)
				}
				empty(t, p)
			})
		})
	}
}
