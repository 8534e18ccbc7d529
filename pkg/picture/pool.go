package picture

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"masthead/pkg/worker"
)

// pool runs decodes, which can't be reliably canceled: in workers that are abandoned at their deadline, within a memory
// limit, and so that callers never wait longer than allowed. A lost worker's memory stays reserved, since it is still
// in use.
type pool struct {
	*worker.Pool
	memory int64
	wait   time.Duration
	queue  int64

	bytes   *semaphore.Weighted
	waiting atomic.Int64
}

func newPool(cfg Config) *pool {
	return &pool{
		Pool: worker.New(worker.Config{
			Name: decodeStage, Workers: cfg.Workers, Deadline: cfg.Deadline, Refusals: cfg.Refusals, Begin: cfg.Begin,
		}),
		memory: cfg.MaxBytes, wait: cfg.Wait, queue: int64(cfg.Queue), bytes: semaphore.NewWeighted(cfg.MaxBytes),
	}
}

// decodeStage is the name of decoding in logs and metrics of workers.
const decodeStage = "decode"

// run calls work in a worker and returns its result. data is the file, which is refused for an hour if decoding it
// doesn't finish. cost is the memory that work needs, in bytes; more than the limit fails with [ErrTooLarge]. stop is
// set when nobody waits anymore or the deadline has passed: work should then end as soon as possible. A panic becomes
// an [ErrCorrupt].
func run[T any](
	ctx context.Context, p *pool, data []byte, cost int64, work func(stop *atomic.Bool) (T, error),
) (T, error) {
	var none T
	if cost > p.memory {
		return none, tooLarge("it takes %d MiB to decode, of %d", cost>>20, p.memory>>20)
	}
	key := func() string {
		digest := sha256.Sum256(data)
		return hex.EncodeToString(digest[:])
	}
	if err := p.Hung(ctx, key); err != nil {
		return none, ErrTimeout
	}
	if err := p.acquire(ctx, cost); err != nil {
		return none, err
	}
	value, err := worker.Run(ctx, p.Pool, worker.Work{Stage: decodeStage, Key: key},
		func(ctx context.Context) (T, error) {
			defer p.bytes.Release(cost)
			var stop atomic.Bool
			defer context.AfterFunc(ctx, func() { stop.Store(true) })()
			return recovered(func() (T, error) { return work(&stop) })
		})
	if errors.Is(err, worker.ErrHung) {
		return none, ErrTimeout
	}
	return value, err
}

// acquire takes a worker's slot first and then memory, so that nothing waits for a slot while holding memory.
func (p *pool) acquire(ctx context.Context, cost int64) error {
	if err := lost(p.Usable()); err != nil {
		return err
	}
	if p.waiting.Add(1) > p.queue {
		p.waiting.Add(-1)
		return fmt.Errorf("%w: %d pictures wait already", ErrBusy, p.queue)
	}
	defer p.waiting.Add(-1)
	waited, cancel := context.WithTimeout(ctx, p.wait)
	defer cancel()
	err := lost(p.Take(waited))
	if err == nil {
		if err = p.bytes.Acquire(waited, cost); err == nil {
			if err = lost(p.Usable()); err != nil {
				p.bytes.Release(cost)
			}
		}
		if err != nil {
			p.Return()
		}
	}
	switch {
	case err == nil, errors.Is(err, ErrWorkersLost):
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return fmt.Errorf("%w within %v", ErrBusy, p.wait)
}

// lost classifies an error of the pool.
func lost(err error) error {
	if errors.Is(err, worker.ErrLost) {
		return fmt.Errorf("%w: %w", ErrWorkersLost, err)
	}
	return err
}

// recovered calls f and turns its panic into an error. It can't recover from panics in goroutines that f starts; our
// decoders start none.
func recovered[T any](f func() (T, error)) (value T, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: its decoder failed: %v\n%s", ErrCorrupt, r, debug.Stack())
		}
	}()
	return f()
}
