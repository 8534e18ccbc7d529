package images

import (
	"context"
	"errors"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/card"
	"masthead/pkg/fair"
	"masthead/pkg/worker"
)

// Bounds of the makings that have their page: those that wait to be drawn, are drawn, and are kept. Each of these
// stages may be the slowest, so they are counted together. maxQueue: docs/security.md, Availability.
const (
	maxQueue = 256
	// openQueue is how many may be ahead for another to begin: what is left is for those whose pages are being read.
	openQueue = maxQueue * 3 / 4
	// queueTime is how long those ahead should take: with what is behind it, less than clients wait. A queue that takes
	// longer is full, unless it is no longer than slowQueue: a disk that halts for a moment refuses nobody.
	queueTime = time.Second
	slowQueue = maxQueue / 8
)

// pool bounds the makings that have their page, and the drawings that run at once. Owners take turns: a making begins
// to be drawn when it gets one of the places, and the queues behind that, for a worker or for the database's writer,
// are as short as there are places. It is safe for concurrent use.
type pool struct {
	workers int
	drawing *worker.Pool
	// places is how many are drawn and kept at once, half of them at most of one owner: that is enough for all workers,
	// and as many again that write.
	places, ownerPlaces int

	mu    sync.Mutex
	inUse int
	held  map[string]int   // places, by owner
	queue fair.Queue[bool] // with whether each must not be cut
	ends  spacing

	waiting, refused atomic.Int64 // for metrics alone
}

// newPool returns a pool with workers of its own.
func newPool(workers int) *pool {
	return newPoolOn(worker.New(worker.Config{Name: card.DrawStage, Workers: workers}))
}

// newPoolOn returns a pool whose images are drawn by the workers of drawing.
func newPoolOn(drawing *worker.Pool) *pool {
	workers := drawing.Workers()
	ownerPlaces := 2*workers + 4
	return &pool{
		workers: workers, drawing: drawing,
		places: 2 * ownerPlaces, ownerPlaces: ownerPlaces, held: map[string]int{},
	}
}

// admit refuses a making of owner whose turn would come too late, or when too many workers are lost, before anything is
// done for it. What others have filled the queue with is not ahead of an owner who has little in it.
func (p *pool) admit(owner string) error {
	if err := p.drawing.Usable(); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ahead(owner) < p.open() {
		return nil
	}
	return p.refuse(owner)
}

// ahead is how many makings are before the next of owner, if nobody else came. The mutex is held.
func (p *pool) ahead(owner string) int { return p.inUse + p.queue.Ahead(owner) }

// open is how many may be ahead of another for it to begin. The mutex is held.
func (p *pool) open() int {
	if p.ends.each == 0 {
		return max(openQueue, 2*p.places)
	}
	return max(min(int(queueTime/p.ends.each), openQueue), slowQueue, 2*p.places)
}

// busy says whether all workers have something to do.
func (p *pool) busy() bool { return p.drawing.Running() >= p.workers }

// queued is how many makings there are, openNow below how many ahead another begins.
func (p *pool) queued() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.inUse + p.queue.Len()
}

func (p *pool) openNow() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.open()
}

// join waits until it is the turn of a making of owner, which has a place until the function returned is called. Only
// when the queue filled while the page was read is it refused, or sent away later for one whose turn is before, and
// not one that must not be cut.
func (p *pool) join(ctx context.Context, owner string, uncut bool) (leave func(), err error) {
	w, err := p.ask(owner, uncut)
	if err != nil {
		return nil, err
	}
	if w != nil {
		if err := p.wait(ctx, w); err != nil {
			return nil, err
		}
	}
	return func() { p.leave(owner) }, nil
}

// ask gives owner a place, or one in the queue, which is the waiter.
func (p *pool) ask(owner string, uncut bool) (*fair.Waiter[bool], error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.inUse < p.places && p.mayHaveMore(owner) {
		// Who waits though a place is free has as many as an owner may have.
		p.take(owner)
		return nil, nil //nolint:nilnil // no error, and nothing to wait for
	}
	if p.queue.Len() >= maxQueue && !uncut {
		last := p.queue.Displace(owner, func(uncut bool) bool { return !uncut })
		if last == nil {
			return nil, p.refuse(owner)
		}
		last.Ready <- p.refuse(last.Owner)
	}
	return p.queue.Push(owner, uncut), nil
}

// wait waits for w's place.
func (p *pool) wait(ctx context.Context, w *fair.Waiter[bool]) error {
	p.waiting.Add(1)
	defer p.waiting.Add(-1)
	select {
	case err := <-w.Ready:
		return err
	case <-ctx.Done():
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.queue.Remove(w) {
		if err := <-w.Ready; err != nil {
			return err
		}
		p.giveBack(w.Owner)
	}
	return ctx.Err()
}

// leave ends a making of owner.
func (p *pool) leave(owner string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.giveBack(owner)
	p.ends.ended(time.Now(), p.inUse+p.queue.Len() >= p.workers)
}

// giveBack gives a place of owner to the next. The mutex is held.
func (p *pool) giveBack(owner string) {
	p.inUse--
	if p.held[owner]--; p.held[owner] == 0 {
		delete(p.held, owner)
	}
	if next := p.queue.Pop(p.mayHaveMore); next != nil {
		p.take(next.Owner)
		next.Ready <- nil
	}
}

func (p *pool) take(owner string) {
	p.inUse++
	p.held[owner]++
}

func (p *pool) mayHaveMore(owner string) bool { return p.held[owner] < p.ownerPlaces }

// refuse is the error for a making of owner too many. The mutex is held.
func (p *pool) refuse(owner string) error {
	p.refused.Add(1)
	wait := time.Duration(p.ahead(owner)) * p.ends.each
	e := apperr.Wrap(apperr.Unavailable, "Too many pictures are waiting; try again in a moment.", errQueueFull)
	e.RetryAfter = time.Duration(max(math.Ceil(wait.Seconds()), 1)) * time.Second
	return e
}

var errQueueFull = errors.New("the queue is full")
