package app

import (
	"context"
	"time"
)

// Times of shutting down. Source: security requirements, "Staying up".
const (
	// leavePause is the time between "not ready" and the end of accepting, in which balancers notice. A service on
	// loopback has none.
	leavePause = 2 * time.Second
	// finishWithin is the time for the requests in flight.
	finishWithin = 25 * time.Second
	// answerWithin is the time to answer with what was drained.
	answerWithin = time.Second
)

// leave shuts down a service that has said that it is not ready, in this order:
//
//   - drain begins at once: no work that must not be cut is started any more, and it waits for such work as is under
//     way, within its own bound;
//   - after the pause, shutdown takes no more connections and finishes the requests in flight: within finishWithin, or
//     for as long as drain takes, since somebody may wait for what it finishes.
//
// The modules and the database are closed by [App.Close] afterwards.
func leave(
	ctx context.Context, pause time.Duration, drain func(context.Context), shutdown func(context.Context) error,
) error {
	drained := make(chan struct{})
	go func() { defer close(drained); drain(ctx) }()
	time.Sleep(pause)
	finishing, cut := context.WithCancel(ctx)
	defer cut()
	go func() {
		defer cut()
		sleep(finishing, finishWithin)
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
