package fetch

import (
	"errors"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/sony/gobreaker/v2"
)

// This file owns the breakers: which hosts are not even asked for a while, since they did not answer.

const (
	// maxSilences is how many requests of an owner a host may leave without a byte, with no answer between them.
	maxSilences = 3
	// maxUnreached is how many tries to connect to a host may fail one after the other: three requests, each tried twice.
	maxUnreached = 6
	// breakerTime is how long an open breaker waits before it lets one request on trial.
	breakerTime = 30 * time.Second
	// maxBreakers bounds each table. Who is forgotten is asked again.
	maxBreakers = 4096
)

// outcome is what an exchange says about its host.
type outcome uint8

const (
	unknown   outcome = iota // nothing: it was cancelled, refused, or cut short by the end of the job
	answered                 // a byte came
	silent                   // connected, and no byte came in time
	unreached                // no connection came about
)

var (
	errHostFault    = errors.New("no answer")
	errHostUnjudged = errors.New("an exchange that says nothing about its host")
)

// String is the name of the outcome in metrics.
func (o outcome) String() string { return [...]string{"unknown", "answered", "silent", "unreached"}[o] }

// breakerTable are breakers by a key. One is made when something fails: as long as all goes well the table is empty.
type breakerTable[K comparable] struct {
	known       *lru.Cache[K, *gobreaker.TwoStepCircuitBreaker[struct{}]]
	maxFailures uint32
}

func newBreakerTable[K comparable](maxFailures uint32) breakerTable[K] {
	known, err := lru.New[K, *gobreaker.TwoStepCircuitBreaker[struct{}]](maxBreakers)
	if err != nil {
		panic(err) // for a size below 1 alone
	}
	return breakerTable[K]{known, maxFailures}
}

// open reports whether requests under key are not sent just now.
func (t breakerTable[K]) open(key K) bool {
	b, ok := t.known.Get(key)
	return ok && b.State() == gobreaker.StateOpen
}

// allow reports whether a request may be sent. done is told how it ended: nil, errHostFault or errHostUnjudged.
func (t breakerTable[K]) allow(key K) (done func(error), ok bool) {
	if b, known := t.known.Get(key); known {
		done, err := b.Allow()
		return done, err == nil
	}
	return func(end error) { t.note(key, end) }, true
}

// note counts the end of a request that was sent when there was no breaker.
func (t breakerTable[K]) note(key K, end error) {
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

// breakers are those of a client. It is safe for concurrent use.
//
// A host that accepts connections and says nothing is closed to the owner who asked alone: by what that owner asks for
// it may be silent, and answer others. A host that cannot even be connected to is closed to all.
type breakers struct {
	silence breakerTable[request]
	reach   breakerTable[string]
}

func newBreakers() *breakers {
	return &breakers{newBreakerTable[request](maxSilences), newBreakerTable[string](maxUnreached)}
}

// open reports whether r would not be sent just now, since the host is closed to its owner or to all.
func (b *breakers) open(r request) (toOwner, toAll bool) {
	return b.silence.open(r), b.reach.open(r.host)
}

// allow reports whether r may be sent. done is told its outcome.
func (b *breakers) allow(r request) (done func(outcome), ok bool) {
	reached, ok := b.reach.allow(r.host)
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

// known is how many breakers there are, open or not.
func (b *breakers) known() int { return b.silence.known.Len() + b.reach.known.Len() }

// endsOf is what each outcome means to the breaker of the host and to that of the owner.
var endsOf = [...]struct{ reached, heard error }{
	unknown:   {errHostUnjudged, errHostUnjudged},
	answered:  {nil, nil},
	silent:    {nil, errHostFault},
	unreached: {errHostFault, errHostUnjudged},
}

// errHostSilent is for a request that is not sent, since its host has not answered of late.
func errHostSilent(host string) error {
	return upstreamBusy(host+" has not answered of late; it is asked again in a while.", errClosed, breakerTime)
}
