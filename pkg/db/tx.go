package db

import (
	"context"
	"errors"
	"fmt"

	"github.com/jmoiron/sqlx"
)

// Tx is a transaction. It belongs to the goroutine that runs it.
type Tx struct {
	tx      *sqlx.Tx
	dialect Dialect
}

// InTx runs fn in a transaction, which is committed when fn returns nil and rolled back when it returns an error or panics.
// On SQLite it holds the write lock from its start, so what fn reads cannot change before it writes.
func (d *DB) InTx(ctx context.Context, fn func(tx *Tx) error) (err error) {
	tx, err := d.write.BeginTxx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	done := false
	defer func() {
		if !done {
			err = errors.Join(err, tx.Rollback())
		}
	}()
	if err := fn(&Tx{tx: tx, dialect: d.dialect}); err != nil {
		return err
	}
	done = true
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// Get reads one row into dest; sql.ErrNoRows when there is none. The statement may write and return.
func (t *Tx) Get(ctx context.Context, dest any, query string, args ...any) error {
	return t.tx.GetContext(ctx, dest, t.tx.Rebind(query), args...)
}

// Select reads all rows into dest, a pointer to a slice.
func (t *Tx) Select(ctx context.Context, dest any, query string, args ...any) error {
	return t.tx.SelectContext(ctx, dest, t.tx.Rebind(query), args...)
}

// Exec runs a statement and returns the number of rows that it touched.
func (t *Tx) Exec(ctx context.Context, query string, args ...any) (rows int64, err error) {
	return affected(t.tx.ExecContext(ctx, t.tx.Rebind(query), args...))
}

// Lock waits until no other transaction holds name, and holds it until this one ends. On SQLite a transaction is alone anyway.
func (t *Tx) Lock(ctx context.Context, name string) error {
	if t.dialect != Postgres {
		return nil
	}
	// A 64-bit hash of the name; two names with one hash merely wait for each other.
	if _, err := t.tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, name); err != nil {
		return fmt.Errorf("lock %s: %w", name, err)
	}
	return nil
}
