package fetch

import (
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"masthead/pkg/apperr"
)

// sees has an exchange of the owner with the host end so.
func sees(t *testing.T, b *breakers, owner, host string, o outcome) {
	t.Helper()
	done, ok := b.allow(request{owner, host})
	if !ok {
		t.Fatalf("%s may not ask %s", owner, host)
	}
	done(o)
}

// mayAsk reports whether the owner's next request to the host would be sent.
func mayAsk(b *breakers, owner, host string) bool {
	done, ok := b.allow(request{owner, host})
	if ok {
		done(unknown)
	}
	return ok
}

func TestBreakers_threeSilences_closeTheHostToTheirOwner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBreakers()
		for _, o := range []outcome{silent, silent, answered, silent, unknown, silent} {
			sees(t, b, "greedy", "a.example:80", o)
		}
		if !mayAsk(b, "greedy", "a.example:80") {
			t.Error("two silences after an answer: the host is closed")
		}
		sees(t, b, "greedy", "a.example:80", silent)
		if mayAsk(b, "greedy", "a.example:80") {
			t.Error("three silences: the host is still asked")
		}
		if !mayAsk(b, "modest", "a.example:80") || !mayAsk(b, "greedy", "a.example:443") ||
			!mayAsk(b, "greedy", "b.example:80") {
			t.Error("another owner, port or host is closed too")
		}
		time.Sleep(breakerTime + 1)
		trial, ok := b.allow(request{"greedy", "a.example:80"})
		if !ok || mayAsk(b, "greedy", "a.example:80") {
			t.Fatalf("got a trial %v, and another beside it; want one", ok)
		}
		trial(unknown) // it was cancelled: the next one is the trial
		sees(t, b, "greedy", "a.example:80", silent)
		if mayAsk(b, "greedy", "a.example:80") {
			t.Error("after a failed trial the host is asked")
		}
		time.Sleep(breakerTime + 1)
		sees(t, b, "greedy", "a.example:80", answered)
		for range 2 {
			if !mayAsk(b, "greedy", "a.example:80") {
				t.Error("after a good trial the host is closed")
			}
		}
	})
}

func TestBreakers_noConnections_closeTheHostToAll(t *testing.T) {
	b := newBreakers()
	for range maxUnreached - 1 {
		sees(t, b, "one", "a.example:80", unreached)
	}
	sees(t, b, "two", "a.example:80", silent) // which was connected
	for range maxUnreached - 1 {
		sees(t, b, "one", "a.example:80", unreached)
	}
	if !mayAsk(b, "two", "a.example:80") {
		t.Error("too few failures in a row closed the host")
	}
	sees(t, b, "three", "a.example:80", unreached)
	if mayAsk(b, "two", "a.example:80") || !mayAsk(b, "two", "a.example:443") {
		t.Error("want the host closed to all, on that port alone")
	}
}

// TestBreakers_requestsUnderWay_countWhenTheyEnd has many sent before the first fails.
func TestBreakers_requestsUnderWay_countWhenTheyEnd(t *testing.T) {
	b := newBreakers()
	var ends []func(outcome)
	for range 16 {
		done, ok := b.allow(request{"greedy", "a.example:80"})
		if !ok {
			t.Fatal("refused")
		}
		ends = append(ends, done)
	}
	for _, done := range ends[:maxSilences] {
		done(silent)
	}
	if mayAsk(b, "greedy", "a.example:80") {
		t.Error("the host is still asked")
	}
	for _, done := range ends[maxSilences:] {
		done(answered) // of before: they open nothing
	}
	if mayAsk(b, "greedy", "a.example:80") {
		t.Error("answers to requests of before made the host asked again")
	}
}

func TestBreakers_tablesAreBounded(t *testing.T) {
	b := newBreakers()
	for i := range 2 * maxBreakers {
		sees(t, b, "greedy", fmt.Sprintf("%d.example:80", i), silent)
		sees(t, b, "greedy", fmt.Sprintf("%d.example:80", i), unreached)
		sees(t, b, "greedy", fmt.Sprintf("good%d.example:80", i), answered)
	}
	if b.silence.known.Len() != maxBreakers || b.reach.known.Len() != maxBreakers {
		t.Errorf("got %d and %d, want %d", b.silence.known.Len(), b.reach.known.Len(), maxBreakers)
	}
}

// TestExplain_lackOfDescriptors_isOurs holds that a host is not blamed for what we lack.
func TestExplain_lackOfDescriptors_isOurs(t *testing.T) {
	err := &connectError{&net.OpError{Op: "dial", Err: os.NewSyscallError("socket", syscall.EMFILE)}}
	var told *apperr.Error
	if !errors.As(explain(t.Context(), "a.example", err), &told) || told.Code != apperr.Unavailable ||
		told.RetryAfter < time.Second {
		t.Errorf("got %+v, want UNAVAILABLE with Retry-After", told)
	}
	if got := new(watch).outcome(err, true); got != unknown {
		t.Errorf("got %v for the breaker, want unknown", got)
	}
	err = &connectError{&net.OpError{Op: "dial", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}}
	if got := new(watch).outcome(err, true); got != unreached {
		t.Errorf("a refused connection: got %v, want unreached", got)
	}
}
