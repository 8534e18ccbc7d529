package db

import "context"

// Brief returns the database for short queries, of few rows that an index finds, which SQLite then runs without
// watchdog goroutines. Its driver and database/sql each start one for a cancelable statement, and both take a
// quarter of a short statement's time. Brief statements, and all statements of a brief transaction, don't start once
// their context has ended, and otherwise run to completion, including the wait for another process's lock. On
// Postgres, which may not respond, the end of the context cancels them as always.
func (d *DB) Brief() *DB {
	brief := *d
	brief.how.brief = true
	return &brief
}

// Regenerable returns the database for writes that the program can repeat, such as those for a picture: on SQLite their
// commit doesn't wait for the disk, which has them within a second. They survive a crash of the program, but may be
// lost in a power failure. Postgres flushes the commits of many transactions at once and always waits.
func (d *DB) Regenerable() *DB {
	relaxed := *d
	relaxed.how.regenerable = true
	return &relaxed
}

// Interrupted returns the database for tests that end a program between two statements: it calls before with each
// statement, and "COMMIT" for each commit. If before returns an error, the statement isn't run and returns that error.
func (d *DB) Interrupted(before func(statement string) error) *DB {
	interrupted := *d
	interrupted.how.before = before
	return &interrupted
}

// how is how the statements of a [DB] run.
type how struct {
	brief, regenerable bool
	before             func(statement string) error // may be nil: see [DB.Interrupted]
}

// interrupt returns the error that takes the place of a statement, or nil.
func (h how) interrupt(statement string) error {
	if h.before == nil {
		return nil
	}
	return h.before(statement)
}

// statement returns the context that a statement runs with.
func (p *pool) statement(ctx context.Context, h how) context.Context {
	if h.brief && p.embedded && ctx.Err() == nil {
		return context.WithoutCancel(ctx)
	}
	return ctx
}
