package fetch

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"golang.org/x/time/rate"
)

const (
	// maxIdleHosts bounds the hosts that are remembered while nothing is asked of them.
	maxIdleHosts = 10_000
	// maxPause bounds how long a host is left alone because one of its responses asked for it: long enough to be
	// polite, and too short to shut a host out for everybody by one of its pages.
	maxPause = 30 * time.Second
)

// hostLimiter keeps the requests to one host few: a number at once, and a rate with bursts. It is safe for concurrent
// use.
type hostLimiter struct {
	parallel int
	rate     rate.Limit
	burst    int

	mu sync.Mutex
	// busy are the hosts that somebody asks or waits for: held aside, so that none is forgotten. Their number is
	// bounded by the work that the service takes on. idle are the others, of which the ones that are idle longest are
	// forgotten.
	busy map[string]*hostTurns
	idle *simplelru.LRU[string, *hostTurns]
}

// hostTurns is what one host is asked: those who wait and run, and the requests of late.
type hostTurns struct {
	host   string
	slots  chan struct{}
	bucket *rate.Limiter

	// Under hostLimiter.mu.
	users      int       // those who run or wait
	restsUntil time.Time // the host has asked for it (Retry-After)
}

func newHostLimiter(parallel int, perSecond float64, burst int) *hostLimiter {
	idle, err := simplelru.NewLRU[string, *hostTurns](maxIdleHosts, nil)
	if err != nil {
		panic(err) // for a size below 1 alone
	}
	return &hostLimiter{
		parallel: parallel, rate: rate.Limit(perSecond), burst: burst, busy: make(map[string]*hostTurns), idle: idle,
	}
}

// enter waits until a request may go to host. It fails at once when its turn would come after ctx's deadline. The
// function returned must be called when the response has been read.
func (l *hostLimiter) enter(ctx context.Context, host string) (leave func(), err error) {
	turns, rest := l.join(host)
	defer func() {
		if err != nil {
			l.part(turns)
		}
	}()
	if !fits(ctx, rest) || sleep(ctx, rest) != nil {
		return nil, l.turnedAway(ctx, host, rest)
	}
	select {
	case turns.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, l.turnedAway(ctx, host, time.Second)
	}
	if err := turns.bucket.Wait(ctx); err != nil {
		<-turns.slots
		return nil, l.turnedAway(ctx, host, l.untilToken(turns))
	}
	return func() {
		<-turns.slots
		l.part(turns)
	}, nil
}

// join returns host's turns, which are kept until part, and how long the host wants to be left alone.
func (l *hostLimiter) join(host string) (*hostTurns, time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	turns := l.find(host)
	if turns == nil {
		turns = &hostTurns{host: host, slots: make(chan struct{}, l.parallel), bucket: rate.NewLimiter(l.rate, l.burst)}
	}
	if turns.users == 0 {
		l.idle.Remove(host)
		l.busy[host] = turns
	}
	turns.users++
	return turns, time.Until(turns.restsUntil)
}

// part ends what join began.
func (l *hostLimiter) part(turns *hostTurns) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if turns.users--; turns.users == 0 {
		delete(l.busy, turns.host)
		l.idle.Add(turns.host, turns)
	}
}

// find returns the turns of a host that is remembered, or nil. The mutex is held.
func (l *hostLimiter) find(host string) *hostTurns {
	if turns, ok := l.busy[host]; ok {
		return turns
	}
	turns, _ := l.idle.Peek(host)
	return turns
}

// rest leaves host alone for d, as it has asked, but not longer than maxPause.
func (l *hostLimiter) rest(host string, d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if turns := l.find(host); turns != nil {
		if until := time.Now().Add(min(d, maxPause)); until.After(turns.restsUntil) {
			turns.restsUntil = until
		}
	}
}

// untilToken returns how long the bucket needs for one more request.
func (l *hostLimiter) untilToken(turns *hostTurns) time.Duration {
	missing := 1 - turns.bucket.Tokens()
	return time.Duration(math.Ceil(max(missing, 0)/float64(l.rate))) * time.Second
}

// turnedAway is the error for a request whose turn does not come in time.
func (l *hostLimiter) turnedAway(ctx context.Context, host string, wait time.Duration) error {
	if errors.Is(context.Cause(ctx), context.Canceled) {
		return fmt.Errorf("wait for %s: %w", host, context.Canceled)
	}
	wait = max(wait.Round(time.Second), time.Second)
	return busy(host+" is being fetched too often from here; try again in a moment.", wait)
}

// fits reports whether a pause of d leaves at least half of the time that ctx has left.
func fits(ctx context.Context, d time.Duration) bool {
	deadline, ok := ctx.Deadline()
	return !ok || d <= time.Until(deadline)/2
}

// sleep waits for d, or until ctx ends.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
