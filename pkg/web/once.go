package web

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"masthead/pkg/worker"
)

// drawnOnce is what a worker draws when it is first asked for, and what is the same from then on. A drawing that fails
// is tried again. It is safe for concurrent use.
type drawnOnce[T any] struct {
	// stage names the drawing in logs and metrics, and in refusals.
	stage   string
	drawing *worker.Pool
	draw    func(context.Context) (T, error)
	kept    atomic.Pointer[T]
	flight  singleflight.Group
}

// waitTime is the maximum time a drawing waits for a worker.
const waitTime = 10 * time.Second

// get returns what was drawn. The drawing outlives the request, which may be canceled.
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
