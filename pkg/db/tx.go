package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jmoiron/sqlx"

	"masthead/pkg/tracing"
)

// Tx is a transaction. It belongs to the goroutine that runs it.
type Tx struct {
	tx      *sqlx.Tx
	dialect Dialect
	pool    *pool
	how     how
	span    tracing.Span
	// unknown are the texts without a prepared statement. Preparing them takes a connection of the pool, which this
	// transaction must not wait for while it holds one: they run unprepared, and are prepared after its end.
	unknown []string
	after   []func()
}

// AfterCommit calls fn once the transaction was committed, or may have been because the response to the commit was
// lost. It is for invalidating data in memory; fn must not block.
func (t *Tx) AfterCommit(fn func()) { t.after = append(t.after, fn) }

// InTx runs fn in a transaction, which is committed if fn returns nil and rolled back if it returns an error or panics.
// On SQLite it holds the write lock from the start, so what fn reads can't change before it writes. All of it has the
// time limit of one operation, whatever the contexts of its statements say.
//
// When Postgres rolls it back because of a deadlock, fn is called again, up to four times in all: it sets each variable
// outside of it anew, and does nothing that a rollback doesn't undo.
func (d *DB) InTx(ctx context.Context, fn func(tx *Tx) error) error {
	ctx, span := tracing.Start(ctx, "database transaction")
	err := d.write.run(ctx, d.how, answerTime, func(ctx context.Context) error { return d.inTx(ctx, span, fn) })
	span.End(withoutAbsent(err))
	return err
}

func (d *DB) inTx(ctx context.Context, span tracing.Span, fn func(tx *Tx) error) (err error) {
	inner, err := d.write.BeginTxx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	done := false
	defer func() {
		if !done {
			err = errors.Join(err, rollback(inner))
		}
	}()
	tx := &Tx{tx: inner, dialect: d.dialect, pool: d.write, how: d.how, span: span}
	if err := fn(tx); err != nil {
		return err
	}
	if err := d.how.interrupt("COMMIT"); err != nil {
		return err
	}
	done = true
	err = inner.Commit()
	for _, fn := range tx.after {
		fn()
	}
	if err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	tx.prepareUnknown(ctx)
	return nil
}

// rollback ends a transaction; one that is already over, or lost with its connection, isn't an error.
func rollback(tx *sqlx.Tx) error {
	if err := tx.Rollback(); err != nil && !errors.Is(err, sql.ErrTxDone) && !errors.Is(err, driver.ErrBadConn) {
		return err
	}
	return nil
}

// prepareUnknown prepares the statements that this transaction lacked for the next one. The transaction is over, so
// errors are ignored.
func (t *Tx) prepareUnknown(ctx context.Context) {
	for _, query := range t.unknown {
		if prepared, err := t.pool.statements.prepare(ctx, query); err == nil {
			t.pool.statements.release(prepared)
		}
	}
}

// Get reads one row into dest, or returns sql.ErrNoRows. The statement may write and return.
func (t *Tx) Get(ctx context.Context, dest any, query string, args ...any) error {
	ctx, err := t.begin(ctx, query)
	if err != nil {
		return err
	}
	if known := t.known(query); known != nil {
		defer t.pool.statements.release(known)
		bound := t.tx.StmtxContext(ctx, known.Stmt) //nolint:sqlclosecheck // the transaction closes what is bound to it
		return bound.GetContext(ctx, dest, args...)
	}
	return t.tx.GetContext(ctx, dest, t.tx.Rebind(query), args...)
}

// Select reads all rows into dest, a pointer to a slice.
func (t *Tx) Select(ctx context.Context, dest any, query string, args ...any) error {
	ctx, err := t.begin(ctx, query)
	if err != nil {
		return err
	}
	if known := t.known(query); known != nil {
		defer t.pool.statements.release(known)
		bound := t.tx.StmtxContext(ctx, known.Stmt) //nolint:sqlclosecheck // the transaction closes what is bound to it
		return bound.SelectContext(ctx, dest, args...)
	}
	return t.tx.SelectContext(ctx, dest, t.tx.Rebind(query), args...)
}

// Exec runs a statement and returns the number of affected rows.
func (t *Tx) Exec(ctx context.Context, query string, args ...any) (rows int64, err error) {
	if ctx, err = t.begin(ctx, query); err != nil {
		return 0, err
	}
	if known := t.known(query); known != nil {
		defer t.pool.statements.release(known)
		return affected(t.tx.StmtxContext(ctx, known.Stmt).ExecContext(ctx, args...))
	}
	return affected(t.tx.ExecContext(ctx, t.tx.Rebind(query), args...))
}

// InsertRows inserts any number of rows with few statements: insert is the part up to VALUES, such as
// `INSERT INTO t (a, b)`. All rows have as many values as there are columns.
func (t *Tx) InsertRows(ctx context.Context, insert string, rows [][]any) error {
	for len(rows) > 0 {
		count := 1 // of three sizes alone, so that there are three statements to prepare
		for _, size := range []int{100, 10} {
			if len(rows) >= size {
				count = size
				break
			}
		}
		row := "(?" + strings.Repeat(", ?", len(rows[0])-1) + ")"
		query := insert + " VALUES " + row + strings.Repeat(", "+row, count-1)
		if _, err := t.Exec(ctx, query, slices.Concat(rows[:count]...)...); err != nil {
			return err
		}
		rows = rows[count:]
	}
	return nil
}

// begin returns the context that a statement runs with.
func (t *Tx) begin(ctx context.Context, query string) (context.Context, error) {
	t.span.Event("statement", "db.query.text", query)
	return t.pool.statement(ctx, t.how), t.how.interrupt(query)
}

// known returns the prepared statement of query, which the caller must release. If there is none yet, it returns nil
// and records the text.
func (t *Tx) known(query string) *statement {
	known := t.pool.statements.known(query)
	if known == nil && !slices.Contains(t.unknown, query) {
		t.unknown = append(t.unknown, query)
	}
	return known
}

// Lock waits until no other transaction holds name, and holds it until this one ends. SQLite runs one transaction at a
// time anyway.
func (t *Tx) Lock(ctx context.Context, name string) error {
	if t.dialect != Postgres {
		return nil
	}
	// A 64-bit hash of the name; two names with the same hash only wait for each other.
	if _, err := t.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtextextended(?, 0))`, name); err != nil {
		return fmt.Errorf("lock %s: %w", name, err)
	}
	return nil
}
