package db

import (
	"context"
	"sync/atomic"
	"time"
)

// deadline is the time that work on the database has, beside the end of its context. It is all that this package reads
// from a context: how a statement runs is said by the [DB] it is run on.
type deadline struct {
	// background work has listTime for each statement, and doesn't count for the breaker.
	background bool
	// spent is what the work of a request has taken so far, in nanoseconds; nil for work that is no request's.
	spent *atomic.Int64
}

type deadlineKey struct{}

// deadlineOf returns the deadline in ctx. The zero deadline gives each statement its own time.
func deadlineOf(ctx context.Context) deadline {
	d, _ := ctx.Value(deadlineKey{}).(*deadline)
	if d == nil {
		return deadline{}
	}
	return *d
}

// ForRequest returns ctx for one request: everything that is run with it has the time of one statement in total, or of
// one list as far as it is lists. So a slow database doesn't hold a request for the sum of its statements. A request
// that background work makes stays background work.
func ForRequest(ctx context.Context) context.Context {
	d := &deadline{background: deadlineOf(ctx).background, spent: new(atomic.Int64)}
	return context.WithValue(ctx, deadlineKey{}, d)
}

// Detached returns ctx for work that must be done even if its request is canceled: it isn't canceled with the request
// and doesn't use up the request's time. Its caller must bound it.
func Detached(ctx context.Context) context.Context {
	d := &deadline{background: deadlineOf(ctx).background}
	return context.WithValue(context.WithoutCancel(ctx), deadlineKey{}, d)
}

// InBackground returns ctx for work that no caller waits for. Its statements have more time, and since their failures
// say nothing about whether callers are served, the breaker doesn't count them.
func InBackground(ctx context.Context) context.Context {
	return context.WithValue(ctx, deadlineKey{}, &deadline{background: true})
}

// left returns how much of most is left.
func (d deadline) left(most time.Duration) time.Duration {
	switch {
	case d.background:
		return listTime
	case d.spent != nil:
		return most - time.Duration(d.spent.Load())
	}
	return most
}

// spend counts the time since began against the deadline.
func (d deadline) spend(began time.Time) {
	if d.spent != nil {
		d.spent.Add(int64(time.Since(began)))
	}
}
