package limit

import (
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// How long a breaker is open: firstOpen, doubled each time up to maxOpen. Source: security requirements, "Limits and
// quotas".
const (
	firstOpen = time.Minute
	maxOpen   = 15 * time.Minute
)

// Breaker refuses those who go beyond what any use of the service needs, by key: an address, whatever it says that it
// is. Closed, it counts requests, and apart from them misses, which are those that cost a drawing. One too many in a
// minute opens it: every request of the key is refused for a minute. Then the key is on trial for one window: going
// beyond again opens the breaker for twice as long, up to 15 minutes; keeping within closes it. It is safe for
// concurrent use.
type Breaker struct {
	requests, misses int64
	now              func() time.Time

	mu   sync.Mutex
	keys *simplelru.LRU[string, *circuit]
}

// circuit is the breaker of one key.
type circuit struct {
	ends             time.Time // of the window
	requests, misses int64     // in it
	openUntil        time.Time
	opened           int // how often without keeping within for a window between
}

// NewBreaker returns a breaker that takes a number of requests and of misses in each minute.
func NewBreaker(requests, misses int64) *Breaker { return newBreaker(requests, misses, maxKeys) }

func newBreaker(requests, misses int64, most int) *Breaker {
	keys, err := simplelru.NewLRU[string, *circuit](most, nil)
	if err != nil {
		panic(err) // it fails for a bad size alone
	}
	return &Breaker{requests: requests, misses: misses, now: time.Now, keys: keys}
}

// Take counts one request of key.
func (b *Breaker) Take(key string) Result { return b.count(key, 1, 0) }

// TakeMiss counts one miss of key, whose request was counted before.
func (b *Breaker) TakeMiss(key string) Result { return b.count(key, 0, 1) }

// Peek says what a request of key would be told, and counts nothing.
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
		if c.requests > b.requests || c.misses > b.misses {
			c.openUntil = now.Add(min(maxOpen, firstOpen<<min(c.opened, 4)))
			c.opened++
		}
	}
	return c.result(now, b.requests)
}

func (c *circuit) open(now time.Time) bool { return now.Before(c.openUntil) }

// turn begins a new window where the last one has ended.
func (c *circuit) turn(now time.Time) {
	if c.open(now) || now.Before(c.ends) && c.ends.After(c.openUntil) {
		return
	}
	// A window that began after the breaker was open, and has ended without opening it, is a trial that was passed.
	if c.opened > 0 && c.ends.After(c.openUntil) {
		c.opened = 0
	}
	c.ends, c.requests, c.misses = now.Add(untilEnd(now, window)), 0, 0
}

func (c *circuit) result(now time.Time, most int64) Result {
	if c.open(now) {
		return Result{Limit: most, Reset: c.openUntil, Reached: true}
	}
	return Result{Limit: most, Remaining: most - c.requests, Reset: c.ends}
}
