package fetch

import (
	"context"
	"errors"
	"fmt"
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

// mustEnter takes a turn at host.
func mustEnter(t *testing.T, p *hostLimiter, host string) (leave func()) {
	t.Helper()
	leave, err := p.enter(t.Context(), host)
	if err != nil {
		t.Fatalf("enter %s: %v", host, err)
	}
	return leave
}

func TestHostLimiter_rate_burstThenSustained(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, start := newHostLimiter(4, 2, 16), time.Now()
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
		p := newHostLimiter(4, 1000, 1000)
		var running, most atomic.Int32
		for range 20 {
			go func() {
				leave, err := p.enter(t.Context(), "a.example")
				if err != nil {
					t.Error(err)
					return
				}
				most.Store(max(most.Load(), running.Add(1)))
				time.Sleep(time.Second) // of the bubble's clock
				running.Add(-1)
				leave()
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
		p := newHostLimiter(4, 0.1, 1)
		mustEnter(t, p, "a.example")()
		start := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		_, err := p.enter(ctx, "a.example")
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
		p, start := newHostLimiter(4, 2, 16), time.Now()
		mustEnter(t, p, "a.example")()
		p.rest("a.example", 3*time.Second)
		p.rest("a.example", time.Second) // asks for less, changes nothing
		p.rest("unknown.example", time.Hour)
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		if _, err := p.enter(ctx, "a.example"); !errors.Is(err, ErrUpstream) || time.Since(start) != 0 {
			t.Errorf("got %v after %v, want an upstream fault at once: more than half the time would be lost", err,
				time.Since(start))
		}
		mustEnter(t, p, "a.example")()
		if took := time.Since(start); took != 3*time.Second {
			t.Errorf("took %v, want 3 s", took)
		}
		p.rest("a.example", time.Hour)
		mustEnter(t, p, "a.example")()
		if took := time.Since(start); took != 3*time.Second+maxPause {
			t.Errorf("took %v, want no pause beyond %v", took, maxPause)
		}
	})
}

func TestHostLimiter_cancelled_returnsTheCancellation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newHostLimiter(1, 2, 16)
		leave := mustEnter(t, p, "a.example")
		ctx, cancel := context.WithCancel(t.Context())
		go func() { time.Sleep(time.Second); cancel() }()
		if _, err := p.enter(ctx, "a.example"); !errors.Is(err, context.Canceled) || errors.Is(err, ErrUpstream) {
			t.Errorf("got %v, want the cancellation", err)
		}
		leave()
		mustEnter(t, p, "a.example")()
	})
}

// TestHostLimiter_fullTable_keepsHostsInUse fills the table: those in use stay and the longest idle go.
func TestHostLimiter_fullTable_keepsHostsInUse(t *testing.T) {
	l := newHostLimiter(4, 2, 1)
	leave := mustEnter(t, l, "busy.example")
	busy := l.find("busy.example")
	for i := range 2 * maxIdleHosts {
		mustEnter(t, l, fmt.Sprintf("%d.example", i))()
	}
	if l.idle.Len() != maxIdleHosts || len(l.busy) != 1 {
		t.Errorf("got %d idle and %d busy hosts, want %d and 1", l.idle.Len(), len(l.busy), maxIdleHosts)
	}
	if l.find("busy.example") != busy {
		t.Error("a host in use was forgotten")
	}
	if l.find(fmt.Sprintf("%d.example", 2*maxIdleHosts-1)) == nil || l.find("0.example") != nil {
		t.Error("the latest host was forgotten, or the first was not")
	}
	leave()
	if len(l.busy) != 0 || l.find("busy.example") != busy {
		t.Errorf("got %d busy hosts, want the one that was left idle and remembered", len(l.busy))
	}
	for _, turns := range l.idle.Values() {
		if turns.users != 0 || len(turns.slots) != 0 {
			t.Fatalf("%s is still in use", turns.host)
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
