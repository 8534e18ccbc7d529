package main

import (
	"context"
	"database/sql"
	"path/filepath"

	_ "modernc.org/sqlite" // the driver for SQLite

	"masthead/tools/bench/rig"
)

// sqliteLock holds the write lock of the database in a process of its own: this one.
func sqliteLock(ctx context.Context, l *lab) ([]row, error) {
	dir := filepath.Join(l.dir, "sqlite-lock")
	s, err := l.open(ctx, rig.Options{Dir: dir}, 1)
	if err != nil {
		return nil, err
	}
	pool, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "masthead.db")+"?_pragma=busy_timeout(10000)")
	if err != nil {
		return nil, err
	}
	l.later(pool.Close)
	holder, err := pool.Conn(ctx)
	if err != nil {
		return nil, err
	}
	l.later(holder.Close)
	do := func(statement string) func() error {
		return func() error {
			_, err := holder.ExecContext(ctx, statement)
			return err
		}
	}
	return s.depend(ctx, fault{
		did: "another process holds the lock of SQLite for 12 s", quick: true,
		begin: do("BEGIN EXCLUSIVE"), heal: do("ROLLBACK"),
	}, s.usual())
}
