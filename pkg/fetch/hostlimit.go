package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"masthead/pkg/fair"
)

const (
	// maxIdleHosts is the maximum number of remembered hosts without current requests.
	maxIdleHosts = 10_000
	// maxPause is the maximum pause that a response can request for its host: long enough to be polite, and too short for
	// one of its pages to block the host for everyone.
	maxPause = 30 * time.Second
	// maxWaiting and maxOwnerWaiting limit the waiting requests over all hosts, since each takes memory.
	maxWaiting      = 4096
	maxOwnerWaiting = 1024
)

// hostLimiter assigns turns at hosts: to each host a limited number of concurrent requests and, unless it is exempt, to
// each domain a rate with bursts, and a limited number of bytes per minute. Owners who use the same domain take turns.
// It is safe for concurrent use.
type hostLimiter struct {
	limits Limits

	mu sync.Mutex
	// busy are the sites with running or waiting requests, which are never evicted. Their number is bounded by the waiting
	// requests and the slots. idle are the others, of which the longest idle are evicted.
	busy      map[siteKey]*siteTurns
	idle      simplelru.LRUCache[siteKey, *siteTurns]
	strangers *strangers // nil if there are no anonymous callers
	waiting   int
	owners    map[string]int // waiting requests by owner
}

// request is the owner of a request and its host with port.
type request struct{ owner, host string }

// destination is the destination of a request.
type destination struct {
	// host is its name; for an exempt host including its port: on a developer's machine all servers have the same name.
	host string
	// domain is the registrable domain of the host, or the host if it has none or is exempt.
	domain string
	exempt bool
	// addrs are the addresses to which a connection may be tried.
	addrs []netip.Addr
}

// siteKey identifies a site with turns.
type siteKey struct {
	domain string
	exempt bool
}

func (d destination) site() siteKey { return siteKey{d.domain, d.exempt} }

// siteTurns has the waiting, running and recent requests of one site. The limiter's mutex guards it.
type siteTurns struct {
	site     siteKey
	parallel int // per host
	running  int
	hosts    map[string]*hostTurns // those with running requests or a pause
	queue    fair.Queue
	timer    *time.Timer // for the next request if it waits only for time

	budget *budget
	paid   bool // a token was taken for the next request, which may start at nextAt
	nextAt time.Time
}

// hostTurns is one host of a site.
type hostTurns struct {
	running    int
	restsUntil time.Time // requested by the host (Retry-After)
}

// waiting is a waiting request.
type waiting struct {
	host   string // the name
	target string // host and port
	// budgets are the additional budgets of an anonymous request.
	budgets []*budget
}

// waitingOf returns what a queue of a site has a waiter for.
func waitingOf(w *fair.Waiter) waiting { return w.Of.(waiting) }

// turn is the permission for one request. leave ends it, and must be called once the response has been read.
type turn struct {
	limiter *hostLimiter
	site    *siteTurns
	of      waiting
}

func newHostLimiter(limits Limits, withStrangers bool) *hostLimiter {
	idle, err := simplelru.NewLRU[siteKey, *siteTurns](maxIdleHosts, nil)
	if err != nil {
		panic(err) // only for a size below 1
	}
	l := &hostLimiter{limits: limits, busy: map[siteKey]*siteTurns{}, idle: idle, owners: map[string]int{}}
	if withStrangers {
		l.strangers = newStrangers(limits)
	}
	return l
}

// enter waits until the request r may go to d. It fails immediately if its turn would come after ctx's deadline.
func (l *hostLimiter) enter(ctx context.Context, d destination, r request) (*turn, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	turns, w, err := l.join(ctx, d, r)
	if err != nil {
		return nil, err
	}
	select {
	case err = <-w.Ready:
	case <-ctx.Done():
		err = l.giveUp(ctx, turns, w)
	}
	if err != nil {
		return nil, err
	}
	return &turn{l, turns, waitingOf(w)}, nil
}

// join puts r into the queue for d. It may already have left it on return.
func (l *hostLimiter) join(ctx context.Context, d destination, r request) (*siteTurns, *fair.Waiter, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	turns := l.find(d.site())
	if turns == nil {
		turns = l.newTurns(d.site())
	}
	of := waiting{host: d.host, target: r.host}
	if l.strangers != nil && r.owner == "" && !d.exempt {
		of.budgets = l.strangers.of(d)
	}
	if err := turns.turnsAway(ctx, r.owner, of); err != nil {
		return nil, nil, err
	}
	if l.waiting >= maxWaiting || l.owners[r.owner] >= maxOwnerWaiting {
		return nil, nil, errNoPlace()
	}
	w := turns.queue.Push(r.owner, of)
	l.waiting++
	l.owners[r.owner]++
	l.settle(turns)
	return turns, w, nil
}

// turnsAway returns an error for a request whose turn wouldn't come in time.
func (t *siteTurns) turnsAway(ctx context.Context, owner string, of waiting) error {
	if rest := t.rest(of.host); !fits(ctx, rest) {
		return errResting(of.host, rest)
	}
	now := time.Now()
	rate, bytes := t.untilToken(owner), t.budget.bytesWait(now)
	for _, b := range of.budgets {
		forRequest, forBytes := b.waits(now)
		rate, bytes = max(rate, forRequest), max(bytes, forBytes)
	}
	switch {
	case !comesInTime(ctx, bytes):
		return errTooMuch(of.host, bytes)
	case !comesInTime(ctx, rate):
		return turnedAway(ctx, of.host, rate)
	}
	return nil
}

func (l *hostLimiter) newTurns(site siteKey) *siteTurns {
	turns := &siteTurns{site: site, parallel: l.limits.HostParallel, hosts: map[string]*hostTurns{}}
	if site.exempt {
		turns.parallel, turns.budget = l.limits.exemptParallel(), &budget{}
	} else {
		turns.budget = l.limits.budget(1)
	}
	return turns
}

// giveUp removes w, whose time is over, from the queue.
func (l *hostLimiter) giveUp(ctx context.Context, turns *siteTurns, w *fair.Waiter) error {
	l.mu.Lock()
	waited := turns.queue.Remove(w)
	if waited {
		l.gone(w)
		l.settle(turns)
	}
	l.mu.Unlock()
	if !waited {
		if err := <-w.Ready; err != nil {
			return err
		}
		(&turn{l, turns, waitingOf(w)}).leave()
	}
	return turnedAway(ctx, waitingOf(w).host, time.Second)
}

// leave ends the turn.
func (t *turn) leave() {
	t.limiter.mu.Lock()
	defer t.limiter.mu.Unlock()
	t.site.running--
	t.site.host(t.of.host).running--
	t.limiter.settle(t.site)
}

// spend counts bytes read from the host. The error means that the limit is used up for now.
func (t *turn) spend(n int) error {
	if t.site.site.exempt {
		return nil
	}
	t.limiter.mu.Lock()
	defer t.limiter.mu.Unlock()
	now := time.Now()
	t.site.budget.spend(int64(n), now)
	wait := t.site.budget.bytesWait(now)
	for _, b := range t.of.budgets {
		b.spend(int64(n), now)
		wait = max(wait, b.bytesWait(now))
	}
	if wait > 0 {
		return errTooMuch(t.of.host, wait)
	}
	return nil
}

// dismiss fails the waiting requests of a site that away selects, with err.
func (l *hostLimiter) dismiss(site siteKey, err error, away func(request) bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	turns := l.busy[site]
	if turns == nil {
		return
	}
	for _, w := range turns.queue.Dismiss(func(w *fair.Waiter) bool {
		return away(request{w.Owner, waitingOf(w).target})
	}) {
		l.gone(w)
		w.Ready <- err
	}
	l.settle(turns)
}

// gone counts w as no longer waiting. The mutex is held.
func (l *hostLimiter) gone(w *fair.Waiter) {
	l.waiting--
	if l.owners[w.Owner]--; l.owners[w.Owner] == 0 {
		delete(l.owners, w.Owner)
	}
}

// settle starts the requests that can start, schedules its next call, and stores the site as busy or idle. The mutex is
// held.
func (l *hostLimiter) settle(turns *siteTurns) {
	for turns.queue.Len() > 0 {
		w, pause := turns.next()
		if w != nil {
			pause = turns.pause()
		}
		if pause > 0 {
			l.callLater(turns, pause)
		}
		if w == nil || pause > 0 {
			break
		}
		turns.queue.Serve(w)
		l.gone(w)
		for _, b := range waitingOf(w).budgets {
			if b.requests != nil {
				b.requests.Allow()
			}
		}
		turns.paid = false
		turns.running++
		turns.host(waitingOf(w).host).running++
		w.Ready <- nil
	}
	for name, host := range turns.hosts {
		if host.running == 0 && host.rest() == 0 {
			delete(turns.hosts, name)
		}
	}
	if turns.running > 0 || turns.queue.Len() > 0 {
		l.idle.Remove(turns.site)
		l.busy[turns.site] = turns
		return
	}
	delete(l.busy, turns.site)
	l.idle.Add(turns.site, turns)
}

// next returns the next request whose host has a free turn and whose budgets allow it. Otherwise pause is how long the
// first waiting request must wait if only time holds it up, or 0.
func (t *siteTurns) next() (w *fair.Waiter, pause time.Duration) {
	now := time.Now()
	bytes := t.budget.bytesWait(now)
	w = t.queue.Next(func(w *fair.Waiter) bool {
		if host := t.hosts[waitingOf(w).host]; host != nil && host.running >= t.parallel {
			return false
		}
		wait := max(bytes, t.rest(waitingOf(w).host))
		for _, b := range waitingOf(w).budgets {
			forRequest, forBytes := b.waits(now)
			wait = max(wait, forRequest, forBytes)
		}
		if wait > 0 && (pause == 0 || wait < pause) {
			pause = wait
		}
		return wait == 0
	})
	return w, pause
}

// callLater calls settle for turns after the pause. The mutex is held.
func (l *hostLimiter) callLater(turns *siteTurns, pause time.Duration) {
	if turns.timer != nil {
		turns.timer.Stop()
	}
	turns.timer = time.AfterFunc(pause, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.busy[turns.site] == turns {
			l.settle(turns)
		}
	})
}

// find returns the turns of a remembered site, or nil. The mutex is held.
func (l *hostLimiter) find(site siteKey) *siteTurns {
	if turns, ok := l.busy[site]; ok {
		return turns
	}
	turns, _ := l.idle.Peek(site)
	return turns
}

// all is the number of requests waiting for hosts, hosts the number of hosts with running or waiting requests.
func (l *hostLimiter) all() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.waiting
}

func (l *hostLimiter) hosts() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.busy)
}

// rest pauses requests to the host of d as it requested, but at most for maxPause.
func (l *hostLimiter) rest(d destination, pause time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if turns := l.find(d.site()); turns != nil {
		host := turns.host(d.host)
		if until := time.Now().Add(min(pause, maxPause)); until.After(host.restsUntil) {
			host.restsUntil = until
		}
	}
}

// host returns a host of the site, which is remembered at least until the next [hostLimiter.settle].
func (t *siteTurns) host(name string) *hostTurns {
	host := t.hosts[name]
	if host == nil {
		host = &hostTurns{}
		t.hosts[name] = host
	}
	return host
}

// rest is the remaining pause of a host.
func (t *siteTurns) rest(name string) time.Duration {
	if host := t.hosts[name]; host != nil {
		return host.rest()
	}
	return 0
}

// rest is the remaining pause. It is at most maxPause, even if the clock goes back.
func (t *hostTurns) rest() time.Duration {
	if latest := time.Now().Add(maxPause); t.restsUntil.After(latest) {
		t.restsUntil = latest
	}
	return max(time.Until(t.restsUntil), 0)
}

// pause is how long the rate limit delays the next request. It takes the token for it.
func (t *siteTurns) pause() time.Duration {
	if t.budget.requests != nil && !t.paid {
		now := time.Now()
		t.paid, t.nextAt = true, now.Add(t.budget.requests.ReserveN(now, 1).DelayFrom(now))
	}
	return time.Until(t.nextAt)
}

// untilToken is how long the rate limit delays another request of owner, given the waiting ones.
func (t *siteTurns) untilToken(owner string) time.Duration {
	if t.budget.requests == nil {
		return 0
	}
	tokens := t.budget.requests.Tokens()
	if t.paid {
		tokens++
	}
	missing := float64(t.queue.Ahead(owner)+1) - tokens
	return time.Duration(max(missing, 0) / float64(t.budget.requests.Limit()) * float64(time.Second))
}

// turnedAway is for a request whose turn wouldn't come in time.
func turnedAway(ctx context.Context, host string, wait time.Duration) error {
	if errors.Is(context.Cause(ctx), context.Canceled) {
		return fmt.Errorf("wait for %s: %w", host, context.Canceled)
	}
	return errTooOften(host, wait)
}

// comesInTime reports whether ctx's deadline is after d has passed.
func comesInTime(ctx context.Context, d time.Duration) bool {
	deadline, ok := ctx.Deadline()
	return !ok || d <= time.Until(deadline)
}

// fits reports whether a pause of d leaves at least half of ctx's remaining time.
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
