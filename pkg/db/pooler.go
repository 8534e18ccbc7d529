package db

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A pooler such as PgBouncer, in transaction mode, gives each transaction any of its few connections to Postgres, so
// that many nodes need no more. What a session keeps is lost: prepared statements, settings, and locks other than those
// of a transaction. Source: pgbouncer.org/features.html.

// explainPooler adds what to do to the error of a pooler whose address was given as that of Postgres.
func explainPooler(err error) error {
	if err == nil || !strings.Contains(err.Error(), "unsupported startup parameter") {
		return err
	}
	return fmt.Errorf("a pooler answers at this address: set MASTHEAD_DATABASE_DIRECT_URL to the address of Postgres "+
		"itself, so that it is used as one (%w)", err)
}

// MissingLimits returns the settings of Postgres, by name, that end what takes too long and that the role of the
// database of cfg lacks, each with the value that it should have: behind a pooler this program can't set them.
func MissingLimits(ctx context.Context, cfg Config) (settings []string, err error) {
	if !cfg.Pooled() {
		return nil, nil
	}
	d, err := openPostgres(cfg)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	for _, name := range slices.Sorted(maps.Keys(limits)) {
		var value string
		if err := d.Get(ctx, &value, `SELECT setting FROM pg_settings WHERE name = ?`, name); err != nil {
			return nil, fmt.Errorf("read the setting %s: %w", name, err)
		}
		if value == "0" {
			settings = append(settings, fmt.Sprintf("%s = '%gs'", name, limits[name].Seconds()))
		}
	}
	return settings, nil
}

// unpreparedStmt is a statement that is sent as a whole each time: behind a pooler, the connection that prepared it may
// be another's the next time.
type unpreparedStmt struct {
	conn  *boundedConn
	query string
}

// Close implements driver.Stmt.
func (unpreparedStmt) Close() error { return nil }

// NumInput implements driver.Stmt: the server counts.
func (unpreparedStmt) NumInput() int { return -1 }

// Exec implements driver.Stmt, whose users prefer ExecContext.
func (unpreparedStmt) Exec([]driver.Value) (driver.Result, error) { return nil, driver.ErrSkip }

// Query implements driver.Stmt, whose users prefer QueryContext.
func (unpreparedStmt) Query([]driver.Value) (driver.Rows, error) { return nil, driver.ErrSkip }

// QueryContext implements driver.StmtQueryContext.
func (s unpreparedStmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	return s.conn.QueryContext(ctx, s.query, args)
}

// ExecContext implements driver.StmtExecContext.
func (s unpreparedStmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	return s.conn.ExecContext(ctx, s.query, args)
}
