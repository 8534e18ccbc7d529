package db

import "context"

// This file owns which statements of SQLite run to their end whatever becomes of their caller.

type briefKey struct{}

// Brief marks ctx as that of statements that touch a few rows by their keys. SQLite's driver would watch over each in a
// goroutine of its own, to interrupt it when ctx ends, which costs a quarter of such a statement's time. These are not
// begun once ctx has ended, and else run to their end, which may have to wait for the lock of another process, as long
// as that is waited for. Postgres, which may not answer, is left by the end of ctx as always.
func Brief(ctx context.Context) context.Context {
	return context.WithValue(ctx, briefKey{}, true)
}

// asked is the context that statements are asked with.
func (p *pool) asked(ctx context.Context) context.Context {
	if marked, _ := ctx.Value(briefKey{}).(bool); marked && p.embedded && ctx.Err() == nil {
		return context.WithoutCancel(ctx)
	}
	return ctx
}
