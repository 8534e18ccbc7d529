package db

import (
	"context"
	"sync/atomic"
	"time"
)

// This file owns the time that one request may spend on the database in all.

type requestKey struct{}

// spending is what a request has spent so far, in nanoseconds.
type spending struct{ spent atomic.Int64 }

// ForRequest returns ctx for one request: all that is asked with it has the time of one statement together, or that of
// a list as far as it is for lists. So a database that answers, but slowly, does not keep a request for the sum of its
// statements.
func ForRequest(ctx context.Context) context.Context {
	return context.WithValue(ctx, requestKey{}, new(spending))
}

// Detached returns ctx for what has to be done whatever becomes of the request: it does not end with the request, and
// is no part of its time. Its user bounds it.
func Detached(ctx context.Context) context.Context {
	return context.WithValue(context.WithoutCancel(ctx), requestKey{}, (*spending)(nil))
}

// remaining is how much of most the request of ctx has left. spend must be called at the end of what is asked.
func remaining(ctx context.Context, most time.Duration) (rest time.Duration, spend func()) {
	s, _ := ctx.Value(requestKey{}).(*spending)
	if s == nil {
		return most, func() {}
	}
	began := time.Now()
	return most - time.Duration(s.spent.Load()), func() { s.spent.Add(int64(time.Since(began))) }
}
