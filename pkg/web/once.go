package web

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"masthead/pkg/worker"
)

// drawnOnce is drawn by a worker on first use and stays the same from then on. A failed drawing is retried on the next
// use. It is safe for concurrent use.
type drawnOnce[T any] struct {
	// stage identifies the drawing in logs, metrics and refusals.
	stage   string
	drawing *worker.Pool
	draw    func(context.Context) (T, error)
	kept    atomic.Pointer[T]
	flight  singleflight.Group
}

// waitTime is the maximum time a drawing waits for a worker.
const waitTime = 10 * time.Second

// get returns the drawing. It outlives the request, which may be canceled.
func (o *drawnOnce[T]) get(ctx context.Context) (T, error) {
	if kept := o.kept.Load(); kept != nil {
		return *kept, nil
	}
	drawing := o.flight.DoChan(o.stage, func() (any, error) {
		if kept := o.kept.Load(); kept != nil {
			return *kept, nil
		}
		bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), waitTime+worker.DefaultDeadline)
		defer cancel()
		work := worker.Work{Stage: o.stage, Key: func() string { return o.stage }}
		drawn, err := worker.Do(bounded, o.drawing, work, o.draw)
		if err != nil {
			return drawn, fmt.Errorf("draw the %s: %w", o.stage, err)
		}
		o.kept.Store(&drawn)
		return drawn, nil
	})
	select {
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	case result := <-drawing:
		drawn, _ := result.Val.(T)
		return drawn, result.Err
	}
}
