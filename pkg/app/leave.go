package app

import (
	"cmp"
	"context"
	"sync"
	"time"
)

// ShutdownLimits limits the shutdown of the program, so that nothing delays it for more than 50 s: neither a request
// nor a drawing that doesn't finish. Zero values mean the defaults. Source: docs/security.md#availability.
type ShutdownLimits struct {
	// Finish is the time for the requests in flight; 25 s by default.
	Finish time.Duration
	// Drain is the time for pictures that must not be cut; 44 s by default. A provider's picture takes up to 25 s.
	Drain time.Duration
	// Close is the time for whatever else is under way, background work and modules each half of it; 5 s by default.
	Close time.Duration
}

func (l ShutdownLimits) withDefaults() ShutdownLimits {
	return ShutdownLimits{
		Finish: cmp.Or(l.Finish, 25*time.Second),
		Drain:  cmp.Or(l.Drain, 44*time.Second),
		Close:  cmp.Or(l.Close, 5*time.Second),
	}
}

const (
	// leavePause is the time between "not ready" and the end of accepting, in which balancers notice. A service on
	// loopback has none.
	leavePause = 2 * time.Second
	// answerWithin is the time to answer with what was drained.
	answerWithin = time.Second
)

// leave shuts down a service that has said that it is not ready, in this order:
//
//   - drain begins at once: no work that must not be cut is started any more, and it waits for such work as is under
//     way, within its own bound;
//   - after the pause, shutdown takes no more connections and finishes the requests in flight: within finish, or for as
//     long as drain takes, since somebody may wait for what it finishes.
//
// The modules and the database are closed by [App.Close] afterwards.
func leave(
	ctx context.Context, pause, finish time.Duration, drain func(context.Context), shutdown func(context.Context) error,
) error {
	drained := make(chan struct{})
	go func() { defer close(drained); drain(ctx) }()
	time.Sleep(pause)
	finishing, cut := context.WithCancel(ctx)
	defer cut()
	go func() {
		defer cut()
		sleep(finishing, finish)
		select {
		case <-drained:
			return
		default:
		}
		select {
		case <-drained:
			sleep(finishing, answerWithin)
		case <-finishing.Done():
		}
	}()
	err := shutdown(finishing)
	<-drained
	return err
}

// sleep waits for a time, or for the end of ctx.
func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// wait waits for work until ctx ends, and reports whether it has ended.
func wait(ctx context.Context, work *sync.WaitGroup) bool {
	ended := make(chan struct{})
	go func() { defer close(ended); work.Wait() }()
	select {
	case <-ended:
		return true
	case <-ctx.Done():
		return false
	}
}
