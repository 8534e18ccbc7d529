package fetch

import (
	"errors"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/sony/gobreaker/v2"
)

// This file implements the circuit breakers, which pause requests to hosts that don't respond.

const (
	// maxSilences is how many requests of an owner a host may leave without a byte in a row.
	maxSilences = 3
	// maxUnreached is how many connection attempts to a host may fail in a row: three requests with two attempts each.
	maxUnreached = 6
	// breakerTime is how long an open breaker waits before it lets a trial request through.
	breakerTime = 30 * time.Second
	// maxBreakers is the maximum size of each table. Hosts that are evicted get requests again.
	maxBreakers = 4096
)

// outcome is what an exchange shows about its host.
type outcome uint8

const (
	unknown   outcome = iota // nothing: it was canceled, refused, or interrupted by the end of the job
	answered                 // a byte arrived
	silent                   // connected, but no byte arrived in time
	unreached                // no connection was established
)

var (
	errHostFault    = errors.New("no answer")
	errHostUnjudged = errors.New("an exchange that shows nothing about its host")
)

// String is the name of the outcome in metrics.
func (o outcome) String() string { return [...]string{"unknown", "answered", "silent", "unreached"}[o] }

// breakerTable has breakers by host, or by host and owner. A breaker is created on a failure, so the table is empty
// while all goes well.
type breakerTable struct {
	known interface { // lru.Cache, see package cache
		Get(key request) (hostBreaker, bool)
		PeekOrAdd(key request, b hostBreaker) (before hostBreaker, known, evicted bool)
		Len() int
	}
	maxFailures uint32
}

// hostBreaker is a gobreaker.TwoStepCircuitBreaker.
type hostBreaker interface {
	State() gobreaker.State
	Allow() (done func(error), err error)
}

func newBreakerTable(maxFailures uint32) breakerTable {
	known, err := lru.New[request, hostBreaker](maxBreakers)
	if err != nil {
		panic(err) // only for a size below 1
	}
	return breakerTable{known, maxFailures}
}

// open reports whether requests under key are currently blocked.
func (t breakerTable) open(key request) bool {
	b, ok := t.known.Get(key)
	return ok && b.State() == gobreaker.StateOpen
}

// allow reports whether a request may be sent. The caller passes the outcome to done: nil, errHostFault or
// errHostUnjudged.
func (t breakerTable) allow(key request) (done func(error), ok bool) {
	if b, known := t.known.Get(key); known {
		done, err := b.Allow()
		return done, err == nil
	}
	return func(end error) { t.note(key, end) }, true
}

// note records the end of a request that was sent without a breaker.
func (t breakerTable) note(key request, end error) {
	b, known := t.known.Get(key)
	if !known {
		if !errors.Is(end, errHostFault) {
			return
		}
		b = gobreaker.NewTwoStepCircuitBreaker[struct{}](gobreaker.Settings{
			Timeout:     breakerTime,
			ReadyToTrip: func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= t.maxFailures },
			IsExcluded:  func(err error) bool { return errors.Is(err, errHostUnjudged) },
		})
		if other, known, _ := t.known.PeekOrAdd(key, b); known {
			b = other
		}
	}
	if done, err := b.Allow(); err == nil {
		done(end)
	}
}

// breakers are the breakers of a client. It is safe for concurrent use.
//
// A host that accepts connections and doesn't respond is blocked only for the owner of the requests: it may be silent
// because of what that owner requests, and respond to others. A host that can't be connected to is blocked for
// everyone.
type breakers struct {
	silence breakerTable
	reach   breakerTable // its requests have no owner
}

func newBreakers() *breakers {
	return &breakers{newBreakerTable(maxSilences), newBreakerTable(maxUnreached)}
}

// open reports whether r would be blocked, for its owner or for everyone.
func (b *breakers) open(r request) (toOwner, toAll bool) {
	return b.silence.open(r), b.reach.open(request{host: r.host})
}

// allow reports whether r may be sent. The caller passes the outcome to done.
func (b *breakers) allow(r request) (done func(outcome), ok bool) {
	reached, ok := b.reach.allow(request{host: r.host})
	if !ok {
		return nil, false
	}
	heard, ok := b.silence.allow(r)
	if !ok {
		reached(errHostUnjudged)
		return nil, false
	}
	return func(o outcome) {
		reached(endsOf[o].reached)
		heard(endsOf[o].heard)
	}, true
}

// known is the number of breakers, open or not.
func (b *breakers) known() int { return b.silence.known.Len() + b.reach.known.Len() }

// endsOf maps each outcome to the results for the host's breaker and for the owner's.
var endsOf = [...]struct{ reached, heard error }{
	unknown:   {errHostUnjudged, errHostUnjudged},
	answered:  {nil, nil},
	silent:    {nil, errHostFault},
	unreached: {errHostFault, errHostUnjudged},
}

// errHostSilent is for a request that isn't sent because its host hasn't responded recently.
func errHostSilent(host string) error {
	return upstreamBusy(host+" did not respond to the last requests. Try again in a while.", errClosed, breakerTime)
}
