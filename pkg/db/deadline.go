package db

import (
	"context"
	"sync/atomic"
	"time"
)

// requestTime is the time that a request has for the database, in addition to the end of its context. This package
// reads nothing else from contexts: the [DB] determines how a statement runs.
//
// Work without one is work in the background, which no request waits for: each of its statements has listTime, and
// since their failures don't show whether requests are served, the breaker ignores them.
type requestTime struct {
	shared bool         // all statements together have the time limit of one
	spent  atomic.Int64 // the nanoseconds used by them so far
}

type requestTimeKey struct{}

// requestTimeOf returns the time of the request that ctx belongs to; nil for work in the background.
func requestTimeOf(ctx context.Context) *requestTime {
	t, _ := ctx.Value(requestTimeKey{}).(*requestTime)
	return t
}

// ForRequest returns ctx for one request: all its statements together have the time limit of one statement, or of one
// list if they are lists. So a slow database doesn't delay a request by the sum of its statements.
func ForRequest(ctx context.Context) context.Context {
	return context.WithValue(ctx, requestTimeKey{}, &requestTime{shared: true})
}

// Detached returns ctx for work that must be done even if its request is canceled: it isn't canceled with the request
// and doesn't use up the request's time, since each of its statements has its own. The caller must bound it.
func Detached(ctx context.Context) context.Context {
	detached := context.WithoutCancel(ctx)
	if requestTimeOf(ctx) == nil {
		return detached
	}
	return context.WithValue(detached, requestTimeKey{}, new(requestTime))
}

// left returns how much of most, the time limit of a statement, is left.
func (t *requestTime) left(most time.Duration) time.Duration {
	switch {
	case t == nil:
		return listTime
	case t.shared:
		return most - time.Duration(t.spent.Load())
	}
	return most
}

// spend adds the time since began to the time used.
func (t *requestTime) spend(began time.Time) { t.spent.Add(int64(time.Since(began))) }
