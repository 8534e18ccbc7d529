package db

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"masthead/migrations"
)

// migrate applies the missing migrations, each in a transaction, but for indexes of large tables on Postgres, which are
// built while older nodes serve. Nodes that start concurrently on Postgres wait for each other. A migration that
// Postgres ends because of a deadlock with a statement of an older node is applied again.
func (d *DB) migrate(ctx context.Context) (err error) {
	dialect, options, pool := goose.DialectSQLite3, []goose.ProviderOption{}, d.write.DB.DB
	if d.dialect == Postgres {
		dialect = goose.DialectPostgres
		// It uses its own connections: a migration may take longer than any other statement, and so may waiting for another
		// node's, by a lock that a session holds.
		if pool, err = d.config.OpenRaw(""); err != nil {
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
	err = withoutConflict(ctx, func(ctx context.Context) error {
		_, err := provider.Up(ctx)
		return err
	})
	if err != nil {
		return fmt.Errorf("migrate the database: %w", err)
	}
	return nil
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
