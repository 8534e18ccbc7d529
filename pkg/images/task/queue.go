package task

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

// Bounds of the tasks that have their page: those that wait to be drawn, are drawn, and are stored. Each of
// these stages may be the slowest, so they are counted together.
const (
	// MaxQueue is how many there are at most. See docs/security.md, Availability.
	MaxQueue = 256
	// openQueue is how many may be ahead for another to begin: what is left is for those whose pages are being read.
	openQueue = MaxQueue * 3 / 4
	// queueTime is how long those ahead should take: with what is behind it, less than clients wait. A queue that takes
	// longer is full, unless it is no longer than slowQueue: a disk that halts for a moment refuses nobody.
	queueTime = time.Second
	slowQueue = MaxQueue / 8
)

// Queue bounds the tasks that have their page, and the drawings that run at once. Owners take turns: a task begins to
// be drawn when it gets one of the places, and the queues behind that, for a worker or for the database's writer,
// are as short as there are places. It is safe for concurrent use.
type Queue struct {
	// Drawing are the workers that draw.
	Drawing *worker.Pool

	workers int
	// places is how many are drawn and stored at once, half of them at most of one owner: that is enough for all workers,
	// and as many again that write.
	places, ownerPlaces int
	turns               *fair.Pool

	mu   sync.Mutex
	ends spacing

	refused atomic.Int64 // for metrics alone
}

// NewQueue returns a queue with workers of its own.
func NewQueue(workers int) *Queue {
	return NewQueueOn(worker.New(worker.Config{Name: card.DrawStage, Workers: workers}))
}

// NewQueueOn returns a queue whose images are drawn by the workers of drawing.
func NewQueueOn(drawing *worker.Pool) *Queue {
	p := &Queue{workers: drawing.Workers(), Drawing: drawing}
	p.ownerPlaces = 2*p.workers + 4
	p.places = 2 * p.ownerPlaces
	p.turns = fair.NewPool(fair.Limits{
		Slots: p.places, OwnerSlots: p.ownerPlaces, Queue: MaxQueue, OwnerQueue: MaxQueue, Displace: true,
	})
	return p
}

// Admit refuses a task of owner whose turn would come too late, or when too many workers are lost, before anything is
// done for it. What others have filled the queue with is not ahead of an owner who has little in it.
func (p *Queue) Admit(owner string) error {
	if err := p.Drawing.Usable(); err != nil {
		return err
	}
	if p.turns.Ahead(owner) < p.Open() {
		return nil
	}
	return p.refuse(owner)
}

// each is how long each task delays those behind it; 0 as long as it isn't known.
func (p *Queue) each() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ends.each
}

// Open returns how many may be ahead of another for it to begin.
func (p *Queue) Open() int {
	each := p.each()
	if each == 0 {
		return max(openQueue, 2*p.places)
	}
	return max(min(int(queueTime/each), openQueue), slowQueue, 2*p.places)
}

// Busy reports whether all workers have something to do.
func (p *Queue) Busy() bool { return p.Drawing.Running() >= p.workers }

// Len returns how many tasks there are.
func (p *Queue) Len() int { return p.turns.Len() }

// Waiting returns how many tasks wait for a place.
func (p *Queue) Waiting() int { return p.turns.Waiting() }

// Refusals returns how many tasks were refused.
func (p *Queue) Refusals() int64 { return p.refused.Load() }

// Join waits until it is the turn of a task of owner, which has a place until the function returned is called. Only
// when the queue filled while the page was read is it refused, or sent away later for one whose turn is before, and
// not one that is shielded.
func (p *Queue) Join(ctx context.Context, owner string, shielded bool) (leave func(), err error) {
	enter := p.turns.Enter
	if shielded {
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

// refuse is the error for a task of owner too many.
func (p *Queue) refuse(owner string) error {
	p.refused.Add(1)
	wait := time.Duration(p.turns.Ahead(owner)) * p.each()
	e := apperr.Wrap(apperr.Unavailable, "Too many pictures are waiting; try again in a moment.", ErrFull)
	e.RetryAfter = time.Duration(max(math.Ceil(wait.Seconds()), 1)) * time.Second
	return e
}

// ErrFull is the cause of a refusal by a full queue.
var ErrFull = errors.New("the queue is full")
