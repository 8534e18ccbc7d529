package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"
)

// TestHostLimiter_bytesUsedUp_waitsForTheNextMinute has one request read all that may be read of a site; the next one
// waits until the minute is over.
func TestHostLimiter_bytesUsedUp_waitsForTheNextMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, start := newHostLimiter(Limits{HostParallel: 4, HostRate: 2, HostBurst: 16, HostBytes: 1000}, true), time.Now()
		one, err := l.enter(t.Context(), aHost, request{owner: "anna"})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Second)
		if err := one.spend(999); err != nil {
			t.Errorf("got %v, want no error below the budget", err)
		}
		if err := one.spend(1); !errors.Is(err, ErrTooOften) {
			t.Errorf("got %v, want that the budget is used up", err)
		}
		one.leave()
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		if _, err := l.enter(ctx, aHost, request{owner: "anna"}); !errors.Is(err, ErrTooOften) {
			t.Errorf("got %v, want that the budget is used up", err)
		}
		mustEnter(t, l, "a.example")()
		if took := time.Since(start); took != 10*time.Second+time.Minute {
			t.Errorf("the next one came after %v, want a minute after the first byte", took)
		}
	})
}

// TestHostLimiter_strangersWaitForAnAddress_ownersPass has a stranger wait for the rate of an address while an owner
// asks the same host.
func TestHostLimiter_strangersWaitForAnAddress_ownersPass(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limits := Limits{HostParallel: 4, HostRate: 1, HostBurst: 8, HostBytes: 1 << 20, StrangerBytes: 1 << 20,
			AddressTimes: 1, NetworkTimes: 30}
		l, start := newHostLimiter(limits, true), time.Now()
		shared := named("other.example")
		shared.addrs = []netip.Addr{netip.MustParseAddr("93.184.216.34")}
		for range 8 {
			turn, err := l.enter(t.Context(), shared, request{})
			if err != nil {
				t.Fatal(err)
			}
			turn.leave()
		}
		shared.host, shared.domain = "a.example", "a.example"
		var waited time.Duration
		go func() {
			turn, err := l.enter(t.Context(), shared, request{})
			if err != nil {
				t.Error(err)
				return
			}
			waited = time.Since(start)
			turn.leave()
		}()
		synctest.Wait()
		turn, err := l.enter(t.Context(), shared, request{owner: "anna"})
		if err != nil || time.Since(start) != 0 {
			t.Fatalf("got %v after %v, want the owner's turn at once", err, time.Since(start))
		}
		turn.leave()
		time.Sleep(time.Minute)
		synctest.Wait()
		if waited < time.Second || waited > time.Second+time.Millisecond {
			t.Errorf("the stranger waited %v, want a second", waited)
		}
		if len(l.busy) != 0 || l.waiting != 0 {
			t.Errorf("got %d busy sites and %d who wait, want none", len(l.busy), l.waiting)
		}
	})
}

// TestHostLimiter_restOfOneHost_leavesOthersOfItsDomain has one host of a domain ask for a pause, and take all turns
// that a host has: the others are asked all the same.
func TestHostLimiter_restOfOneHost_leavesOthersOfItsDomain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, start := newHostLimiter(Limits{HostParallel: 1, HostRate: 2, HostBurst: 16}, false), time.Now()
		host := func(name string) destination { return destination{host: name, domain: "example.com"} }
		if _, err := l.enter(t.Context(), host("slow.example.com"), request{}); err != nil {
			t.Fatal(err)
		}
		go func() { _, _ = l.enter(t.Context(), host("slow.example.com"), request{}) }()
		synctest.Wait()
		l.rest(host("resting.example.com"), 10*time.Second)
		turn, err := l.enter(t.Context(), host("www.example.com"), request{})
		if err != nil || time.Since(start) != 0 {
			t.Fatalf("got %v after %v, want a turn at once", err, time.Since(start))
		}
		turn.leave()
		if turn, err = l.enter(t.Context(), host("resting.example.com"), request{}); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(start); took != 10*time.Second {
			t.Errorf("the host that rests was asked after %v, want 10 s", took)
		}
		turn.leave()
		if hosts := l.find(host("").site()).hosts; len(hosts) != 1 {
			t.Errorf("got %d hosts remembered, want the one that runs", len(hosts))
		}
	})
}

// TestStrangers_fullTable_forgetsTheLeastRecentlyUsed fills the table of strangers' budgets beyond its bound.
func TestStrangers_fullTable_forgetsTheLeastRecentlyUsed(t *testing.T) {
	s := newStrangers(Limits{}.withDefaults())
	domain := func(i int) *budget { return s.of(destination{domain: fmt.Sprint(i, ".example")})[0] }
	first, second := domain(0), domain(1)
	for i := 2; i <= maxBudgets; i++ {
		if domain(0) != first {
			t.Fatalf("a budget in use was forgotten for the %dth", i)
		}
		domain(i)
	}
	if s.known.Len() != maxBudgets || maxBudgets > 100_000 {
		t.Errorf("got %d budgets, want %d, at most 100,000", s.known.Len(), maxBudgets)
	}
	if domain(1) == second {
		t.Error("the least recently used was kept")
	}
}
