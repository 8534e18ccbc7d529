package fetch

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"golang.org/x/time/rate"

	"masthead/pkg/fair"
)

const (
	// maxIdleHosts bounds the hosts that are remembered while nothing is asked of them.
	maxIdleHosts = 10_000
	// maxPause bounds how long a host is left alone because one of its responses asked for it: long enough to be
	// polite, and too short to shut a host out for everybody by one of its pages.
	maxPause = 30 * time.Second
	// maxWaiting and maxOwnerWaiting bound those who wait for the turns of all hosts, since each is memory.
	maxWaiting      = 4096
	maxOwnerWaiting = 1024
)

// hostLimiter gives the turns at hosts: to each only a number at once and, unless it is exempt, at a rate with bursts.
// Owners who ask the same host take turns. It is safe for concurrent use.
type hostLimiter struct {
	parallel, exemptParallel int
	rate                     rate.Limit
	burst                    int

	mu sync.Mutex
	// busy are the hosts that somebody asks or waits for: held aside, so that none is forgotten. Their number is
	// bounded by that of those who wait and of the places. idle are the others, of which the ones that are idle longest
	// are forgotten.
	busy    map[hostKey]*hostTurns
	idle    *simplelru.LRU[hostKey, *hostTurns]
	waiting int
	owners  map[string]int // those who wait, by owner
}

// request says whose a request is, and to which host, with its port, it goes.
type request struct{ owner, host string }

// hostKey is a host that has turns. An exempt one is a host with its port: on a developer's machine all servers have
// one name.
type hostKey struct {
	name   string
	exempt bool
}

// hostTurns is what one host is asked: those who wait and run, and the requests of late. It is under the limiter's
// mutex.
type hostTurns struct {
	host     hostKey
	parallel int
	running  int
	queue    fair.Queue[string] // with the host and port of each
	timer    *time.Timer        // for the next one, where only time keeps it waiting

	bucket     *rate.Limiter // nil for an exempt host
	paid       bool          // a token was taken for the next one, which may go at nextAt
	nextAt     time.Time
	restsUntil time.Time // the host has asked for it (Retry-After)
}

func newHostLimiter(limits Limits) *hostLimiter {
	idle, err := simplelru.NewLRU[hostKey, *hostTurns](maxIdleHosts, nil)
	if err != nil {
		panic(err) // for a size below 1 alone
	}
	return &hostLimiter{
		parallel: limits.HostParallel, exemptParallel: limits.exemptParallel(),
		rate: rate.Limit(limits.HostRate), burst: limits.HostBurst,
		busy: map[hostKey]*hostTurns{}, idle: idle, owners: map[string]int{},
	}
}

// enter waits until the request r may go to host. It fails at once when its turn would come after ctx's deadline.
// The function returned must be called when the response has been read.
func (l *hostLimiter) enter(ctx context.Context, host hostKey, r request) (leave func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	turns, w, err := l.join(ctx, host, r)
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
	return func() { l.part(turns) }, nil
}

// join puts r into the queue for host, from which it may be out already.
func (l *hostLimiter) join(ctx context.Context, host hostKey, r request) (*hostTurns, *fair.Waiter[string], error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	turns := l.find(host)
	if turns == nil {
		turns = l.newTurns(host)
	}
	if rest := turns.rest(); !fits(ctx, rest) {
		return nil, nil, turnedAway(ctx, host, rest)
	}
	if wait := turns.untilToken(r.owner); !comesInTime(ctx, wait) {
		return nil, nil, turnedAway(ctx, host, wait)
	}
	if l.waiting >= maxWaiting || l.owners[r.owner] >= maxOwnerWaiting {
		return nil, nil, errNoPlace()
	}
	w := turns.queue.Push(r.owner, r.host)
	l.waiting++
	l.owners[r.owner]++
	l.settle(turns)
	return turns, w, nil
}

func (l *hostLimiter) newTurns(host hostKey) *hostTurns {
	if host.exempt {
		return &hostTurns{host: host, parallel: l.exemptParallel}
	}
	return &hostTurns{host: host, parallel: l.parallel, bucket: rate.NewLimiter(l.rate, l.burst)}
}

// giveUp ends the waiting of w, whose time is over.
func (l *hostLimiter) giveUp(ctx context.Context, turns *hostTurns, w *fair.Waiter[string]) error {
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
		l.part(turns)
	}
	return turnedAway(ctx, turns.host, time.Second)
}

// part ends a turn.
func (l *hostLimiter) part(turns *hostTurns) {
	l.mu.Lock()
	defer l.mu.Unlock()
	turns.running--
	l.settle(turns)
}

// dismiss ends the waiting for host of all whom away names, with err.
func (l *hostLimiter) dismiss(host hostKey, err error, away func(request) bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	turns := l.busy[host]
	if turns == nil {
		return
	}
	for _, w := range turns.queue.Dismiss(func(w *fair.Waiter[string]) bool { return away(request{w.Owner, w.Of}) }) {
		l.gone(w)
		w.Ready <- err
	}
	l.settle(turns)
}

// gone counts w as one who waits no more. The mutex is held.
func (l *hostLimiter) gone(w *fair.Waiter[string]) {
	l.waiting--
	if l.owners[w.Owner]--; l.owners[w.Owner] == 0 {
		delete(l.owners, w.Owner)
	}
}

// settle gives the turns that can be given, has itself called when there will be more, and remembers the host as what
// it is then. The mutex is held.
func (l *hostLimiter) settle(turns *hostTurns) {
	for turns.queue.Len() > 0 && turns.running < turns.parallel {
		if pause := turns.pause(); pause > 0 {
			l.callLater(turns, pause)
			break
		}
		w := turns.queue.Pop(fair.Anybody)
		l.gone(w)
		turns.paid = false
		turns.running++
		w.Ready <- nil
	}
	if turns.running > 0 || turns.queue.Len() > 0 {
		l.idle.Remove(turns.host)
		l.busy[turns.host] = turns
		return
	}
	delete(l.busy, turns.host)
	l.idle.Add(turns.host, turns)
}

// callLater settles turns after the pause. The mutex is held.
func (l *hostLimiter) callLater(turns *hostTurns, pause time.Duration) {
	if turns.timer != nil {
		turns.timer.Stop()
	}
	turns.timer = time.AfterFunc(pause, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.busy[turns.host] == turns {
			l.settle(turns)
		}
	})
}

// find returns the turns of a host that is remembered, or nil. The mutex is held.
func (l *hostLimiter) find(host hostKey) *hostTurns {
	if turns, ok := l.busy[host]; ok {
		return turns
	}
	turns, _ := l.idle.Peek(host)
	return turns
}

// all is how many wait for hosts, hosts how many hosts are asked or waited for.
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

// rest leaves host alone for d, as it has asked, but not longer than maxPause.
func (l *hostLimiter) rest(host hostKey, d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if turns := l.find(host); turns != nil {
		if until := time.Now().Add(min(d, maxPause)); until.After(turns.restsUntil) {
			turns.restsUntil = until
		}
	}
}

// rest is how long the host wants to be left alone. Even by a clock that goes back it ends within maxPause.
func (t *hostTurns) rest() time.Duration {
	if latest := time.Now().Add(maxPause); t.restsUntil.After(latest) {
		t.restsUntil = latest
	}
	return max(time.Until(t.restsUntil), 0)
}

// pause is how long the next one has to wait, for the host's rest and the rate. It takes the token for it.
func (t *hostTurns) pause() time.Duration {
	if t.bucket != nil && !t.paid {
		now := time.Now()
		t.paid, t.nextAt = true, now.Add(t.bucket.ReserveN(now, 1).DelayFrom(now))
	}
	return max(t.rest(), time.Until(t.nextAt))
}

// untilToken is how long the rate has another request of owner wait, by who waits now.
func (t *hostTurns) untilToken(owner string) time.Duration {
	if t.bucket == nil {
		return 0
	}
	tokens := t.bucket.Tokens()
	if t.paid {
		tokens++
	}
	missing := float64(t.queue.Ahead(owner)+1) - tokens
	return time.Duration(max(missing, 0) / float64(t.bucket.Limit()) * float64(time.Second))
}

// turnedAway is the error for a request whose turn does not come in time.
func turnedAway(ctx context.Context, host hostKey, wait time.Duration) error {
	if errors.Is(context.Cause(ctx), context.Canceled) {
		return fmt.Errorf("wait for %s: %w", host.name, context.Canceled)
	}
	return upstreamBusy(host.name+" is being fetched too often from here; try again in a moment.", ErrUpstream, wait)
}

// comesInTime reports whether what comes after d comes before ctx's deadline.
func comesInTime(ctx context.Context, d time.Duration) bool {
	deadline, ok := ctx.Deadline()
	return !ok || d <= time.Until(deadline)
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
