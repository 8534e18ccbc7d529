package db

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"strconv"
	"time"

	"github.com/lib/pq"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"masthead/migrations"
)

// lockTime is how long a statement of a migration waits on Postgres for a table that a node uses. All that nodes ask of
// the table meanwhile waits behind it. It is well below the second after which Postgres looks for deadlocks, so that
// the migration gives way to a node's statement, and is applied again. Source: PostgreSQL documentation, lock_timeout
// in 20.11 Client Connection Defaults, deadlock_timeout in 20.12 Lock Management.
const lockTime = 200 * time.Millisecond

// lockTries is how often migrations are begun while tables are in use: with pauses of half a second, for about five
// minutes.
const lockTries = 450

// migrate applies the missing migrations, each in a transaction, but for indexes of large tables on Postgres, which are
// built while older nodes serve. Nodes that start concurrently on Postgres wait for each other. A migration gives way
// to what older nodes do with its tables, and is applied again.
func (d *DB) migrate(ctx context.Context) (err error) {
	dialect, options, pool := goose.DialectSQLite3, []goose.ProviderOption{}, d.write.DB.DB
	if d.dialect == Postgres {
		dialect = goose.DialectPostgres
		// It uses its own connections: a migration may take longer than any other statement, and so may waiting for another
		// node's, by a lock that a session holds.
		limit := map[string]string{"lock_timeout": strconv.FormatInt(lockTime.Milliseconds(), 10)}
		if pool, err = d.config.openRaw(limit); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, pool.Close()) }()
		locker, err := lock.NewPostgresSessionLocker()
		if err != nil {
			return fmt.Errorf("prepare the migration lock: %w", err)
		}
		options = append(options, goose.WithSessionLocker(locker))
	}
	provider, err := goose.NewProvider(dialect, pool, dialectFS{migrations.FS, d.dialect}, options...)
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	current, known, err := provider.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("read the schema's version: %w", err)
	}
	if current > known {
		return fmt.Errorf("the database has schema %d and this program knows %d: run a newer version of masthead",
			current, known)
	}
	err = again(ctx, lockTries, gaveWay, untilLocked(provider))
	if isLocked(err) {
		err = fmt.Errorf("a table was in use all the time: end what uses it, such as pg_dump (SELECT pid, query "+
			"FROM pg_stat_activity WHERE xact_start < now() - interval '1 minute'), and start again: %w", err)
	}
	if err != nil {
		return fmt.Errorf("migrate the database: %w", err)
	}
	return nil
}

// untilLocked returns a function that applies the missing migrations, up to one that gives way. When ctx ends, its
// error is the last one of those.
func untilLocked(provider *goose.Provider) func(context.Context) error {
	var inUse error
	return func(ctx context.Context) error {
		_, err := provider.Up(ctx)
		switch {
		case gaveWay(err):
			if inUse == nil {
				slog.Info("the database is migrated as soon as older nodes, backups and others leave its tables for a moment")
			}
			inUse = err
		case ctx.Err() != nil && inUse != nil:
			return inUse
		}
		return err
	}
}

// gaveWay reports whether a migration failed only because of what others did with its tables.
func gaveWay(err error) bool { return isConflict(err) || isLocked(err) }

// isLocked reports whether err is from a statement that waited for a table for the whole lockTime. Source: PostgreSQL
// documentation, appendix A, lock_not_available.
func isLocked(err error) bool {
	var p *pq.Error
	return errors.As(err, &p) && p.Code == "55P03"
}

// dialectFS contains the files for both dialects and those of one: the migrator fails if two files have the same
// number.
type dialectFS struct {
	fs.FS
	dialect Dialect
}

// ReadDir implements fs.ReadDirFS, which the migrator uses to find its files.
func (f dialectFS) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(f.FS, name)
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		of := dialectOf(e.Name())
		return of != "" && of != f.dialect
	}), err
}
