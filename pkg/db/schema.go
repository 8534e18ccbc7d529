package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pressly/goose/v3"

	"masthead/migrations"
)

// Schema says which migrations a database has and which ones this program knows, by number, in ascending order.
type Schema struct{ Applied, Known []int64 }

// Missing returns the migrations that this program would apply.
func (s Schema) Missing() []int64 { return without(s.Known, s.Applied) }

// Newer returns the migrations that this program doesn't know: those of a newer version.
func (s Schema) Newer() []int64 { return without(s.Applied, s.Known) }

func without(all, some []int64) (rest []int64) {
	for _, n := range all {
		if !slices.Contains(some, n) {
			rest = append(rest, n)
		}
	}
	return rest
}

// versionsTable is the migrator's table.
const versionsTable = goose.DefaultTablename

// ReadSchema returns the schema of the database of cfg, without changing it. A missing database has no migrations.
func ReadSchema(ctx context.Context, cfg Config) (s Schema, err error) {
	if err := cfg.Validate(); err != nil {
		return s, err
	}
	if cfg.URL == "" {
		if _, err := os.Stat(cfg.File()); errors.Is(err, os.ErrNotExist) {
			s.Known, err = Known(SQLite)
			return s, err
		}
	}
	pool, err := cfg.OpenRaw("")
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, pool.Close()) }()
	if s.Known, err = Known(cfg.Dialect()); err != nil {
		return s, err
	}
	s.Applied, err = applied(ctx, pool, cfg.Dialect())
	return s, err
}

// Known returns the migrations that this program knows, by number, in ascending order.
func Known(dialect Dialect) (numbers []int64, err error) {
	entries, err := dialectFS{migrations.FS, dialect}.ReadDir(".")
	if err != nil {
		return nil, fmt.Errorf("read the migrations: %w", err)
	}
	for _, e := range entries {
		if number, err := goose.NumericComponent(e.Name()); err == nil {
			numbers = append(numbers, number)
		}
	}
	return numbers, nil
}

// Names returns the names of migrations by number, in the order of numbers: those of their files, without an extension.
// Numbers that this program doesn't know are left out.
func Names(dialect Dialect, numbers []int64) (names []string, err error) {
	entries, err := dialectFS{migrations.FS, dialect}.ReadDir(".")
	if err != nil {
		return nil, fmt.Errorf("read the migrations: %w", err)
	}
	for _, e := range entries {
		if number, err := goose.NumericComponent(e.Name()); err == nil && slices.Contains(numbers, number) {
			name, _, _ := strings.Cut(e.Name(), ".")
			names = append(names, name)
		}
	}
	return names, nil
}

// Clock returns the time on the server of the Postgres database of cfg.
func Clock(ctx context.Context, cfg Config) (now time.Time, err error) {
	ctx, cancel := context.WithTimeout(ctx, reachTime)
	defer cancel()
	pool, err := cfg.OpenRaw("")
	if err != nil {
		return now, err
	}
	defer func() { err = errors.Join(err, pool.Close()) }()
	if err := pool.QueryRowContext(ctx, `SELECT clock_timestamp()`).Scan(&now); err != nil {
		return now, fmt.Errorf("read the database's clock: %w", err)
	}
	return now, nil
}

func applied(ctx context.Context, pool *sql.DB, dialect Dialect) (numbers []int64, err error) {
	query := `SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = '` + versionsTable + `'`
	if dialect == Postgres {
		query = `SELECT count(*) FROM pg_tables WHERE schemaname = current_schema() AND tablename = '` + versionsTable + `'`
	}
	var tables int
	if err := pool.QueryRowContext(ctx, query).Scan(&tables); err != nil {
		return nil, fmt.Errorf("read the schema's version: %w", err)
	}
	if tables == 0 {
		return nil, nil
	}
	rows, err := pool.QueryContext(ctx,
		`SELECT version_id FROM `+versionsTable+` WHERE version_id > 0 ORDER BY version_id`)
	if err != nil {
		return nil, fmt.Errorf("read the schema's version: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var number int64
		if err := rows.Scan(&number); err != nil {
			return nil, fmt.Errorf("read the schema's version: %w", err)
		}
		numbers = append(numbers, number)
	}
	return numbers, rows.Err()
}

// Apply applies migrations by number to the empty schema of a Postgres database, in ascending order.
func (c Config) Apply(ctx context.Context, schema string, numbers []int64) (err error) {
	pool, err := c.OpenRaw(schema)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pool.Close()) }()
	provider, err := goose.NewProvider(goose.DialectPostgres, pool, dialectFS{migrations.FS, Postgres})
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	for _, number := range numbers {
		if _, err := provider.ApplyVersion(ctx, number, true); err != nil {
			return fmt.Errorf("apply migration %d: %w", number, err)
		}
	}
	return nil
}

// Dialect returns the kind of database.
func (c Config) Dialect() Dialect {
	if c.URL == "" {
		return SQLite
	}
	return Postgres
}

// File returns the path of the SQLite file.
func (c Config) File() string { return filepath.Join(c.Dir, "masthead.db") }

// OpenRaw opens a pool for maintenance, without migrating, breakers or time limits: copies of whole tables take longer
// than any operation of the service. A pooler isn't used. With a schema, Postgres finds and creates tables in it. It
// must be closed.
func (c Config) OpenRaw(schema string) (pool *sql.DB, err error) {
	if c.URL == "" {
		pool, err = sql.Open("sqlite", fileURL(c.File())+
			fmt.Sprintf("?_pragma=busy_timeout(%d)&_pragma=foreign_keys(1)", busyTime.Milliseconds()))
		if err != nil {
			return nil, fmt.Errorf("open SQLite: %w", err)
		}
		return pool, nil
	}
	settings := map[string]string{}
	if schema != "" {
		settings["search_path"] = schema
	}
	return c.openRaw(settings)
}

// openRaw is OpenRaw on Postgres, with settings for each connection.
func (c Config) openRaw(settings map[string]string) (*sql.DB, error) {
	address, err := c.maintained(settings)
	if err != nil {
		return nil, err
	}
	pool, err := sql.Open("postgres", address)
	if err != nil {
		return nil, fmt.Errorf("open Postgres: %w", err)
	}
	return pool, nil
}

// fileURL returns the address of an SQLite file. The path is escaped, because the folder's name may contain ? or #.
func fileURL(path string) string {
	escaped := (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath()
	return (&url.URL{Scheme: "file", Opaque: escaped}).String()
}
