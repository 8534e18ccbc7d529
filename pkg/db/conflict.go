package db

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/lib/pq"
)

const (
	// conflictTries is how often work is done whose transaction Postgres ends in favor of another.
	conflictTries = 4
	// conflictPause is the longest pause before the second time; it doubles with each one. It is random, so that the two
	// don't meet again.
	conflictPause = 20 * time.Millisecond
	longestPause  = time.Second
)

// withoutConflict calls work, and calls it again when Postgres has undone it because it could not run beside another
// transaction. What is undone has left nothing behind in the database.
func withoutConflict(ctx context.Context, work func(context.Context) error) error {
	return again(ctx, conflictTries, isConflict, work)
}

// again calls work up to the given number of times, until it succeeds, ctx ends or passes doesn't hold for its error.
func again(ctx context.Context, tries int, passes func(error) bool, work func(context.Context) error) error {
	pause := conflictPause
	for try := 1; ; try++ {
		err := work(ctx)
		if try == tries || !passes(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(rand.N(pause)):
		}
		pause = min(2*pause, longestPause)
	}
}

// isConflict reports whether err is from a deadlock or from a transaction that can't be serialized. Source: PostgreSQL
// documentation, 13.5 Serialization Failure Handling.
func isConflict(err error) bool {
	var p *pq.Error
	return errors.As(err, &p) && (p.Code == "40P01" || p.Code == "40001")
}
