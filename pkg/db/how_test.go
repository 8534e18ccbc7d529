package db_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
)

// endless is a statement that goes on for seconds, unless it is interrupted.
const endless = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000)
	SELECT count(*) FROM n`

// TestBrief_statementRunsToItsEnd holds that a caller who leaves interrupts what is not brief, and nothing that is.
func TestBrief_statementRunsToItsEnd(t *testing.T) {
	t.Parallel()
	d := dbtest.SQLite(t)
	for _, ask := range map[string]func(d *db.DB, ctx context.Context, dest any) error{
		"alone": func(d *db.DB, ctx context.Context, dest any) error { return d.Get(ctx, dest, endless) },
		"in a transaction": func(d *db.DB, ctx context.Context, dest any) error {
			return d.InTx(ctx, func(tx *db.Tx) error { return tx.Get(ctx, dest, endless) })
		},
	} {
		leaving := func() context.Context {
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
			t.Cleanup(cancel)
			return ctx
		}
		var count int
		if err := ask(d, leaving(), &count); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %d, %v, want the end of the caller's time", count, err)
		}
		if err := ask(d.Brief(), leaving(), &count); err != nil || count != 1000000 {
			t.Errorf("got %d, %v, want the brief statement's count", count, err)
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if err := ask(d.Brief(), ended, &count); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want nothing asked for a caller who has left", err)
		}
	}
}
