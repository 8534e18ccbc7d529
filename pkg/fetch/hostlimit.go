package fetch

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

const (
	// maxHosts bounds the hosts whose requests are remembered.
	maxHosts = 10_000
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

	mu     sync.Mutex
	hosts  map[string]*list.Element // of *hostTurns
	recent *list.List               // most recently used first
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
	return &hostLimiter{
		parallel: parallel, rate: rate.Limit(perSecond), burst: burst,
		hosts: make(map[string]*list.Element), recent: list.New(),
	}
}

// enter waits until a request may go to host. It fails at once when its turn would come after ctx's deadline. The
// function returned must be called when the response has been read.
func (p *hostLimiter) enter(ctx context.Context, host string) (leave func(), err error) {
	o, rest := p.join(host)
	defer func() {
		if err != nil {
			p.part(o)
		}
	}()
	if !fits(ctx, rest) || sleep(ctx, rest) != nil {
		return nil, p.turnedAway(ctx, host, rest)
	}
	select {
	case o.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, p.turnedAway(ctx, host, time.Second)
	}
	if err := o.bucket.Wait(ctx); err != nil {
		<-o.slots
		return nil, p.turnedAway(ctx, host, p.untilToken(o))
	}
	return func() {
		<-o.slots
		p.part(o)
	}, nil
}

// join returns host's turns, kept until part, and how long the host wants to be left alone.
func (p *hostLimiter) join(host string) (*hostTurns, time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	element, ok := p.hosts[host]
	if ok {
		p.recent.MoveToFront(element)
	} else {
		p.makeRoom()
		o := &hostTurns{host: host, slots: make(chan struct{}, p.parallel), bucket: rate.NewLimiter(p.rate, p.burst)}
		element = p.recent.PushFront(o)
		p.hosts[host] = element
	}
	o := element.Value.(*hostTurns)
	o.users++
	return o, time.Until(o.restsUntil)
}

func (p *hostLimiter) part(o *hostTurns) {
	p.mu.Lock()
	defer p.mu.Unlock()
	o.users--
}

// makeRoom forgets the host that has been idle longest, when the table is full. Hosts in use stay; their number is
// bounded by the work that the service takes on.
func (p *hostLimiter) makeRoom() {
	if len(p.hosts) < maxHosts {
		return
	}
	for element := p.recent.Back(); element != nil; element = element.Prev() {
		if o := element.Value.(*hostTurns); o.users == 0 {
			p.recent.Remove(element)
			delete(p.hosts, o.host)
			return
		}
	}
}

// rest leaves host alone for d, as it has asked, but not longer than maxPause.
func (p *hostLimiter) rest(host string, d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if element, ok := p.hosts[host]; ok {
		o := element.Value.(*hostTurns)
		if until := time.Now().Add(min(d, maxPause)); until.After(o.restsUntil) {
			o.restsUntil = until
		}
	}
}

// untilToken returns how long the bucket needs for one more request.
func (p *hostLimiter) untilToken(o *hostTurns) time.Duration {
	missing := 1 - o.bucket.Tokens()
	return time.Duration(math.Ceil(max(missing, 0)/float64(p.rate))) * time.Second
}

// turnedAway is the error for a request whose turn does not come in time.
func (p *hostLimiter) turnedAway(ctx context.Context, host string, wait time.Duration) error {
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
