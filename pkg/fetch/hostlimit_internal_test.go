package fetch

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/weburl"
)

func mustHost(t *testing.T, name string) weburl.Host {
	t.Helper()
	h, err := weburl.ParseHost(name)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// named is a host that is not exempt, and aHost one of them.
func named(name string) destination { return destination{host: name, domain: name} }

// busyServer is one that is exempt.
func busyServer(name string) destination { return destination{host: name, domain: name, exempt: true} }

var aHost = named("a.example")

// mustEnter takes a turn at host.
func mustEnter(t *testing.T, p *hostLimiter, host string) (leave func()) {
	t.Helper()
	turn, err := p.enter(t.Context(), named(host), request{})
	if err != nil {
		t.Fatalf("enter %s: %v", host, err)
	}
	return turn.leave
}

func TestHostLimiter_rate_burstThenSustained(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, start := newHostLimiter(Limits{HostParallel: 4, HostRate: 2, HostBurst: 16}, false), time.Now()
		for range 16 {
			mustEnter(t, p, "a.example")()
		}
		if took := time.Since(start); took != 0 {
			t.Errorf("a burst of 16 took %v, want none", took)
		}
		for range 10 {
			mustEnter(t, p, "a.example")()
		}
		if took := time.Since(start); took != 5*time.Second {
			t.Errorf("10 more took %v, want 5 s", took)
		}
		mustEnter(t, p, "b.example")()
		if took := time.Since(start); took != 5*time.Second {
			t.Error("another host had to wait")
		}
	})
}

func TestHostLimiter_manyAtOnce_fourRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newHostLimiter(Limits{HostParallel: 4, HostRate: 1000, HostBurst: 1000}, false)
		var running, most atomic.Int32
		for range 20 {
			go func() {
				turn, err := p.enter(t.Context(), aHost, request{})
				if err != nil {
					t.Error(err)
					return
				}
				most.Store(max(most.Load(), running.Add(1)))
				time.Sleep(time.Second) // of the bubble's clock
				running.Add(-1)
				turn.leave()
			}()
		}
		synctest.Wait()
		if got := running.Load(); got != 4 {
			t.Errorf("got %d at once, want 4", got)
		}
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if most.Load() != 4 || running.Load() != 0 {
			t.Errorf("got up to %d at once and %d left, want 4 and 0", most.Load(), running.Load())
		}
	})
}

func TestHostLimiter_turnAfterDeadline_turnedAwayAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newHostLimiter(Limits{HostParallel: 4, HostRate: 0.1, HostBurst: 1}, false)
		mustEnter(t, p, "a.example")()
		start := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		_, err := p.enter(ctx, aHost, request{})
		var e *apperr.Error
		if !errors.Is(err, ErrUpstream) || !errors.As(err, &e) || e.RetryAfter != 10*time.Second {
			t.Errorf("got %v, want an upstream fault with 10 s to wait", err)
		}
		if took := time.Since(start); took != 0 {
			t.Errorf("took %v, want an answer at once", took)
		}
	})
}

func TestHostLimiter_retryAfter_leavesHostAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, start := newHostLimiter(Limits{HostParallel: 4, HostRate: 2, HostBurst: 16}, false), time.Now()
		mustEnter(t, p, "a.example")()
		p.rest(aHost, 3*time.Second)
		p.rest(aHost, time.Second) // asks for less, changes nothing
		p.rest(named("unknown.example"), time.Hour)
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		if _, err := p.enter(ctx, aHost, request{}); !errors.Is(err, ErrUpstream) || time.Since(start) != 0 {
			t.Errorf("got %v after %v, want an upstream fault at once: more than half the time would be lost", err,
				time.Since(start))
		}
		mustEnter(t, p, "a.example")()
		if took := time.Since(start); took != 3*time.Second {
			t.Errorf("took %v, want 3 s", took)
		}
		p.rest(aHost, time.Hour)
		mustEnter(t, p, "a.example")()
		if took := time.Since(start); took != 3*time.Second+maxPause {
			t.Errorf("took %v, want no pause beyond %v", took, maxPause)
		}
	})
}

func TestHostLimiter_cancelled_returnsTheCancellation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newHostLimiter(Limits{HostParallel: 1, HostRate: 2, HostBurst: 16}, false)
		leave := mustEnter(t, p, "a.example")
		ctx, cancel := context.WithCancel(t.Context())
		go func() { time.Sleep(time.Second); cancel() }()
		if _, err := p.enter(ctx, aHost, request{}); !errors.Is(err, context.Canceled) || errors.Is(err, ErrUpstream) {
			t.Errorf("got %v, want the cancellation", err)
		}
		leave()
		mustEnter(t, p, "a.example")()
	})
}

// TestHostLimiter_exemptHost_hasMoreAtOnceAndNoRate holds that 16 run at once, and as many after them as there is time.
func TestHostLimiter_exemptHost_hasMoreAtOnceAndNoRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newHostLimiter(Limits{HostParallel: 4, HostRate: 2, HostBurst: 1}, false)
		var running atomic.Int32
		for range 100 {
			go func() {
				turn, err := l.enter(t.Context(), busyServer("127.0.0.1:80"), request{})
				if err != nil {
					t.Error(err)
					return
				}
				running.Add(1)
				time.Sleep(time.Second)
				running.Add(-1)
				turn.leave()
			}()
		}
		for range 6 {
			synctest.Wait()
			if got := running.Load(); got != 16 {
				t.Errorf("got %d at once, want 16", got)
			}
			time.Sleep(time.Second)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if len(l.busy) != 0 || l.waiting != 0 || len(l.owners) != 0 {
			t.Errorf("got %d busy hosts and %d who wait, want none", len(l.busy), l.waiting)
		}
	})
}

// TestHostLimiter_manyOfOneOwner_anotherIsNext has an owner take all of a host's rate; another comes last and is next.
func TestHostLimiter_manyOfOneOwner_anotherIsNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newHostLimiter(Limits{HostParallel: 4, HostRate: 2, HostBurst: 1}, false)
		var mu sync.Mutex
		var served []string
		enter := func(owner string) {
			turn, err := l.enter(t.Context(), aHost, request{owner: owner})
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			served = append(served, owner)
			mu.Unlock()
			turn.leave()
		}
		for range 20 {
			go enter("greedy")
		}
		synctest.Wait()
		go enter("modest")
		synctest.Wait()
		time.Sleep(time.Minute)
		mu.Lock()
		defer mu.Unlock()
		if len(served) != 21 || served[1] != "modest" && served[2] != "modest" {
			t.Errorf("got %v, want the modest one after two of the greedy ones at most", served)
		}
	})
}

// TestHostLimiter_waitingIsBounded fills the queues: an owner's, then all.
func TestHostLimiter_waitingIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newHostLimiter(Limits{HostParallel: 4, HostRate: 2, HostBurst: 1}, false)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		refused := 0
		for i := range maxOwnerWaiting + 16 + 10 {
			// A host's turns never come.
			go func() {
				_, err := l.enter(ctx, busyServer("silent.example:80"), request{owner: "greedy"})
				if apperr.CodeOf(err) == apperr.Unavailable {
					refused++ // before any other runs: see Wait
				}
			}()
			if i >= maxOwnerWaiting+16 {
				synctest.Wait()
			}
		}
		if refused != 10 || l.waiting != maxOwnerWaiting {
			t.Errorf("got %d refused and %d who wait, want 10 and %d", refused, l.waiting, maxOwnerWaiting)
		}
		if _, err := l.enter(ctx, named("other.example"), request{owner: "modest"}); err != nil {
			t.Errorf("another owner: %v", err)
		}
	})
}

// TestHostLimiter_clockGoesBack_pauseHasItsMaximum gives a host a rest that ends far ahead of the clock.
func TestHostLimiter_clockGoesBack_pauseHasItsMaximum(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, start := newHostLimiter(Limits{HostParallel: 4, HostRate: 2, HostBurst: 16}, false), time.Now()
		mustEnter(t, l, "a.example")()
		l.find(aHost.site()).host(aHost.host).restsUntil = time.Now().Add(24 * time.Hour)
		mustEnter(t, l, "a.example")()
		if took := time.Since(start); took > maxPause {
			t.Errorf("took %v, want at most %v", took, maxPause)
		}
	})
}

// TestHostLimiter_fullTable_keepsHostsInUse fills the table: those in use stay and the longest idle go.
func TestHostLimiter_fullTable_keepsHostsInUse(t *testing.T) {
	l := newHostLimiter(Limits{HostParallel: 4, HostRate: 2, HostBurst: 1}, false)
	leave := mustEnter(t, l, "busy.example")
	busy := l.find(named("busy.example").site())
	for i := range 2 * maxIdleHosts {
		mustEnter(t, l, fmt.Sprintf("%d.example", i))()
	}
	if l.idle.Len() != maxIdleHosts || len(l.busy) != 1 {
		t.Errorf("got %d idle and %d busy hosts, want %d and 1", l.idle.Len(), len(l.busy), maxIdleHosts)
	}
	if l.find(named("busy.example").site()) != busy {
		t.Error("a host in use was forgotten")
	}
	last := named(fmt.Sprintf("%d.example", 2*maxIdleHosts-1))
	if l.find(last.site()) == nil || l.find(named("0.example").site()) != nil {
		t.Error("the latest host was forgotten, or the first was not")
	}
	leave()
	if len(l.busy) != 0 || l.find(named("busy.example").site()) != busy {
		t.Errorf("got %d busy hosts, want the one that was left idle and remembered", len(l.busy))
	}
	for _, turns := range l.idle.Values() {
		if turns.running != 0 || turns.queue.Len() != 0 {
			t.Fatalf("%s is still in use", turns.site.domain)
		}
	}
}

func TestNames_remembered_boundedAndForgotten(t *testing.T) {
	n := newNames(nil, time.Second)
	now := time.Now()
	n.now = func() time.Time { return now }
	for i := range 5 * maxAnswers {
		n.remember(mustHost(t, fmt.Sprintf("%d.example", i)), nil)
	}
	if n.answers.Len() > maxAnswers {
		t.Errorf("got %d answers, want at most %d", n.answers.Len(), maxAnswers)
	}
	addrs, err := n.lookup(t.Context(), mustHost(t, "192.0.2.1"))
	if err != nil || len(addrs) != 1 {
		t.Fatalf("got %v, %v", addrs, err)
	}
	page := mustHost(t, "page.example")
	n.remember(page, addrs)
	if n.remembered(page) == nil {
		t.Error("a fresh answer is not remembered")
	}
	now = now.Add(answerLife)
	if n.remembered(page) != nil {
		t.Error("an old answer is still taken")
	}
}
