package db

import (
	"context"
	"sync/atomic"
	"time"
)

// deadline is the time limit of work on the database, in addition to the end of its context. This package reads nothing
// else from contexts: the [DB] determines how a statement runs.
type deadline struct {
	// background means that each statement has listTime and doesn't count for the breaker.
	background bool
	// spent is the time used by a request so far, in nanoseconds; nil if the work doesn't belong to a request.
	spent *atomic.Int64
}

type deadlineKey struct{}

// deadlineOf returns the deadline in ctx. With the zero deadline each statement has its own time limit.
func deadlineOf(ctx context.Context) deadline {
	d, _ := ctx.Value(deadlineKey{}).(*deadline)
	if d == nil {
		return deadline{}
	}
	return *d
}

// ForRequest returns ctx for one request: all its statements together have the time limit of one statement, or of one
// list if they are lists. So a slow database doesn't delay a request by the sum of its statements. A request made by
// background work remains background work.
func ForRequest(ctx context.Context) context.Context {
	d := &deadline{background: deadlineOf(ctx).background, spent: new(atomic.Int64)}
	return context.WithValue(ctx, deadlineKey{}, d)
}

// Detached returns ctx for work that must be done even if its request is canceled: it isn't canceled with the request
// and doesn't use up the request's time. The caller must bound it.
func Detached(ctx context.Context) context.Context {
	d := &deadline{background: deadlineOf(ctx).background}
	return context.WithValue(context.WithoutCancel(ctx), deadlineKey{}, d)
}

// InBackground returns ctx for work that no caller waits for. Its statements have more time, and since their failures
// don't show whether callers are served, the breaker ignores them.
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

// spend adds the time since began to the time used.
func (d deadline) spend(began time.Time) {
	if d.spent != nil {
		d.spent.Add(int64(time.Since(began)))
	}
}
