package limit

import (
	"context"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// How long a breaker stays open: firstOpen at first, doubled each time up to maxOpen. Source:
// docs/security.md#limits-and-quotas.
const (
	firstOpen = time.Minute
	maxOpen   = 15 * time.Minute
)

// Breaker blocks keys whose traffic exceeds any legitimate use of the service. A key is a client address, whatever
// User-Agent it sends. While closed, the breaker counts requests and, separately, misses: requests that require
// drawing an image. Exceeding a limit within a minute opens the breaker, which refuses every request of the key for a
// minute. The key is then on trial for one window: exceeding a limit again opens the breaker for twice as long, up to
// 15 minutes; staying within the limits closes it. It is safe for concurrent use.
type Breaker struct {
	requests, misses int64
	now              func() time.Time

	shared *Store // nil for a breaker of this process alone
	name   string // in the shared store, as a prefix of keys

	mu      sync.Mutex
	keys    simplelru.LRUCache[string, *circuit]
	changed map[string]*circuit // with requests that the shared store doesn't know
}

// circuit is the state of one key.
type circuit struct {
	ends             time.Time // end of the window
	requests, misses int64     // in this window
	openUntil        time.Time
	opened           int   // number of times it opened in a row, without a passed trial between them
	fresh            int64 // requests that the shared store doesn't know
}

// NewBreaker returns a breaker that allows the given numbers of requests and misses per minute.
func NewBreaker(requests, misses int64) *Breaker { return newBreaker(requests, misses, maxKeys) }

func newBreaker(requests, misses int64, most int) *Breaker {
	keys, err := simplelru.NewLRU[string, *circuit](most, nil)
	if err != nil {
		panic(err) // it fails only for an invalid size
	}
	return &Breaker{requests: requests, misses: misses, now: time.Now, keys: keys, changed: map[string]*circuit{}}
}

// Breaker is like [NewBreaker]. Breakers of the same name on all nodes count together: requests in memory, and with the
// other nodes ten times a second, and each miss as one step on the server.
func (s *Store) Breaker(name string, requests, misses int64) *Breaker {
	b := NewBreaker(requests, misses)
	if s != nil {
		b.shared, b.name = s, "masthead:"+name+":"
		s.onSync(b.sync)
	}
	return b
}

// Take counts one request of key.
func (b *Breaker) Take(key string) Result { return b.count(key, 1, 0) }

// TakeMiss counts one miss of key. The request itself was counted by Take.
func (b *Breaker) TakeMiss(ctx context.Context, key string) Result {
	if b.shared != nil {
		if r, err := b.takeMissShared(ctx, key); err == nil {
			return r
		}
	}
	return b.count(key, 0, 1)
}

// Peek returns the result that a request of key would get, without counting it.
func (b *Breaker) Peek(key string) Result {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	c, known := b.keys.Get(key)
	if !known {
		return Result{Limit: b.requests, Remaining: b.requests, Reset: now.Add(untilEnd(now, window))}
	}
	c.turn(now)
	return c.result(now, b.requests)
}

func (b *Breaker) count(key string, requests, misses int64) Result {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	c, known := b.keys.Get(key)
	if !known {
		c = &circuit{}
		b.keys.Add(key, c)
	}
	c.turn(now)
	if !c.open(now) {
		c.requests += requests
		c.misses += misses
		mostRequests, mostMisses := b.requests, b.misses
		if b.shared != nil {
			c.fresh += requests
			if _, known := b.changed[key]; known || len(b.changed) < maxKeys {
				b.changed[key] = c
			}
			if !b.shared.Usable() {
				mostRequests, mostMisses = b.shared.share(b.requests), b.shared.share(b.misses)
			}
		}
		if c.requests > mostRequests || c.misses > mostMisses {
			c.openUntil = now.Add(min(maxOpen, firstOpen<<min(c.opened, 4)))
			c.opened++
		}
	}
	return c.result(now, b.requests)
}

func (c *circuit) open(now time.Time) bool { return now.Before(c.openUntil) }

// turn starts a new window if the current one has ended.
func (c *circuit) turn(now time.Time) {
	if c.open(now) || now.Before(c.ends) && c.ends.After(c.openUntil) {
		return
	}
	// A window that started after the breaker was open and ended without opening it is a passed trial.
	if c.opened > 0 && c.ends.After(c.openUntil) {
		c.opened = 0
	}
	c.ends, c.requests, c.misses, c.fresh = now.Add(untilEnd(now, window)), 0, 0, 0
}

func (c *circuit) result(now time.Time, most int64) Result {
	if c.open(now) {
		return Result{Limit: most, Reset: c.openUntil, Reached: true}
	}
	return Result{Limit: most, Remaining: most - c.requests, Reset: c.ends}
}
