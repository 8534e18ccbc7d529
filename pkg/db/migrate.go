package db

import (
	"context"
	"fmt"
	"io/fs"
	"slices"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"masthead/migrations"
)

// migrate applies the missing migrations, each in a transaction. Nodes that start together on Postgres wait for each
// other.
func (d *DB) migrate(ctx context.Context) error {
	dialect, options := goose.DialectSQLite3, []goose.ProviderOption{}
	if d.dialect == Postgres {
		dialect = goose.DialectPostgres
		locker, err := lock.NewPostgresSessionLocker()
		if err != nil {
			return fmt.Errorf("prepare the migration lock: %w", err)
		}
		options = append(options, goose.WithSessionLocker(locker))
	}
	provider, err := goose.NewProvider(dialect, d.write.DB, dialectFS{migrations.FS, d.dialect}, options...)
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	current, known, err := provider.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("read the schema's version: %w", err)
	}
	if current > known {
		return fmt.Errorf("the database has schema %d and this program knows %d: start a newer masthead",
			current, known)
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("migrate the database: %w", err)
	}
	return nil
}

// dialectFS shows the files that are common or of one dialect: the migrator stops at two files of one number.
type dialectFS struct {
	fs.FS
	dialect Dialect
}

// ReadDir implements fs.ReadDirFS, which is how the migrator finds its files.
func (f dialectFS) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(f.FS, name)
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		of := dialectOf(e.Name())
		return of != "" && of != f.dialect
	}), err
}
