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
	turns               *fair.Pool

	mu   sync.Mutex
	ends spacing

	refused atomic.Int64 // for metrics alone
}

// newPool returns a pool with workers of its own.
func newPool(workers int) *pool {
	return newPoolOn(worker.New(worker.Config{Name: card.DrawStage, Workers: workers}))
}

// newPoolOn returns a pool whose images are drawn by the workers of drawing.
func newPoolOn(drawing *worker.Pool) *pool {
	p := &pool{workers: drawing.Workers(), drawing: drawing}
	p.ownerPlaces = 2*p.workers + 4
	p.places = 2 * p.ownerPlaces
	p.turns = fair.NewPool(fair.Limits{
		Slots: p.places, OwnerSlots: p.ownerPlaces, Queue: maxQueue, OwnerQueue: maxQueue, Displace: true,
	})
	return p
}

// admit refuses a making of owner whose turn would come too late, or when too many workers are lost, before anything is
// done for it. What others have filled the queue with is not ahead of an owner who has little in it.
func (p *pool) admit(owner string) error {
	if err := p.drawing.Usable(); err != nil {
		return err
	}
	if p.turns.Ahead(owner) < p.open() {
		return nil
	}
	return p.refuse(owner)
}

// each is how long each making delays those behind it; 0 as long as it isn't known.
func (p *pool) each() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ends.each
}

// open is how many may be ahead of another for it to begin.
func (p *pool) open() int {
	each := p.each()
	if each == 0 {
		return max(openQueue, 2*p.places)
	}
	return max(min(int(queueTime/each), openQueue), slowQueue, 2*p.places)
}

// busy says whether all workers have something to do.
func (p *pool) busy() bool { return p.drawing.Running() >= p.workers }

// queued is how many makings there are.
func (p *pool) queued() int { return p.turns.Len() }

// join waits until it is the turn of a making of owner, which has a place until the function returned is called. Only
// when the queue filled while the page was read is it refused, or sent away later for one whose turn is before, and
// not one that must not be cut.
func (p *pool) join(ctx context.Context, owner string, uncut bool) (leave func(), err error) {
	enter := p.turns.Enter
	if uncut {
		enter = p.turns.EnterAnyway
	}
	left, err := enter(ctx, owner)
	if errors.Is(err, fair.ErrFull) {
		return nil, p.refuse(owner)
	}
	if err != nil {
		return nil, err
	}
	return func() {
		left()
		p.mu.Lock()
		defer p.mu.Unlock()
		p.ends.ended(time.Now(), p.turns.Len() >= p.workers)
	}, nil
}

// refuse is the error for a making of owner too many.
func (p *pool) refuse(owner string) error {
	p.refused.Add(1)
	wait := time.Duration(p.turns.Ahead(owner)) * p.each()
	e := apperr.Wrap(apperr.Unavailable, "Too many pictures are waiting; try again in a moment.", errQueueFull)
	e.RetryAfter = time.Duration(max(math.Ceil(wait.Seconds()), 1)) * time.Second
	return e
}

var errQueueFull = errors.New("the queue is full")
