// Package db opens SQLite or Postgres, migrates the schema, runs transactions, and hides the differences between the
// two dialects. It knows no tables; each module's store.go has its own SQL, written once with ? for both.
package db

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"masthead/pkg/tracing"
)

// Dialect is the kind of database.
type Dialect string

// The dialects.
const (
	SQLite   Dialect = "sqlite"
	Postgres Dialect = "postgres"
)

// Config selects the database to open.
type Config struct {
	// URL is a postgres:// address; empty means the embedded SQLite.
	URL string `name:"database-url" env:"MASTHEAD_DATABASE_URL" placeholder:"postgres://…" help:"Postgres database, shared by all nodes. If empty, an SQLite file in the data folder."`
	// DirectURL means that URL is the address of a pooler, which gives each transaction some connection: sessions keep
	// nothing between two statements then.
	DirectURL string `name:"database-direct-url" env:"MASTHEAD_DATABASE_DIRECT_URL" placeholder:"postgres://…" help:"Address of Postgres itself, if MASTHEAD_DATABASE_URL is that of a pooler that gives connections to transactions, such as PgBouncer. Migrations, backups and restores use it."`
	// Dir is the folder of the SQLite file.
	Dir string `kong:"-"`
}

// Validate reports an invalid setting by variable name.
func (c Config) Validate() error {
	if c.DirectURL != "" && c.URL == "" {
		return errors.New("MASTHEAD_DATABASE_DIRECT_URL is used beside MASTHEAD_DATABASE_URL, the address of a pooler: " +
			"without one, set MASTHEAD_DATABASE_URL alone")
	}
	for _, setting := range []struct{ name, value string }{
		{"MASTHEAD_DATABASE_URL", c.URL}, {"MASTHEAD_DATABASE_DIRECT_URL", c.DirectURL},
	} {
		if setting.value == "" {
			continue
		}
		u, err := url.Parse(setting.value)
		if err != nil || (u.Scheme != "postgres" && u.Scheme != "postgresql") || u.Host == "" {
			return errors.New(setting.name + " must be an address like postgres://user:password@host:5432/name")
		}
	}
	return nil
}

// Pooled reports whether URL is the address of a pooler.
func (c Config) Pooled() bool { return c.DirectURL != "" }

// maintained returns the address of Postgres itself, for work that may take longer than the role of the database
// allows. Connections have the settings.
func (c Config) maintained(settings map[string]string) (string, error) {
	u, err := url.Parse(cmp.Or(c.DirectURL, c.URL))
	if err != nil {
		return "", c.Validate()
	}
	q := u.Query()
	for name := range limits {
		q.Set(name, "0")
	}
	for name, value := range settings {
		q.Set(name, value)
	}
	u.RawQuery = q.Encode()
	return u.String(), nil
}

// DB is an open database with an up-to-date schema. It is safe for concurrent use. Every operation ends within seconds,
// whether or not the database responds: see [gate].
type DB struct {
	dialect Dialect
	config  Config
	// write and read are the same pool on Postgres. SQLite has a single writer connection, so that writers queue here and
	// not for its lock.
	write, read *pool
	how         how
}

// pool has connections, their prepared statements, and the gate before them.
type pool struct {
	*sqlx.DB
	statements *statements
	gate       *gate
	flusher    *flusher // of the SQLite writer
	embedded   bool     // whether it is SQLite
}

func newPool(name string, inner *sqlx.DB, places int, trial func(context.Context) error, settle func()) *pool {
	return &pool{
		DB: inner, statements: newStatements(inner, MaxStatements), gate: newGate(name, places, trial, settle),
	}
}

// with calls run with the prepared statement of query, within most.
func (p *pool) with(
	ctx context.Context, h how, most time.Duration, query string, run func(context.Context, *sqlx.Stmt) error,
) error {
	if err := h.interrupt(query); err != nil {
		return err
	}
	ctx, span := tracing.Start(ctx, "database statement")
	span.Text("db.query.text", query)
	err := p.run(ctx, h, most, func(ctx context.Context) error {
		return p.statements.with(ctx, query, func(s *sqlx.Stmt) error { return run(ctx, s) })
	})
	span.End(withoutAbsent(err))
	return err
}

// withoutAbsent returns err, or nil if it only says that there is no row.
func withoutAbsent(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return err
}

// run calls work, which uses a connection, within most.
func (p *pool) run(ctx context.Context, h how, most time.Duration, work func(context.Context) error) error {
	return p.gate.run(ctx, most, func(ctx context.Context) error {
		if p.flusher == nil {
			return withoutConflict(p.statement(ctx, h), work)
		}
		if err := p.flusher.prepare(ctx, h.regenerable); err != nil {
			return err
		}
		if h.regenerable {
			defer p.flusher.flushSoon()
		}
		return work(p.statement(ctx, h))
	})
}

func (p *pool) close() error {
	p.gate.shut()
	if p.flusher != nil {
		p.flusher.close()
	}
	return p.Close()
}

// reachTime is how long startup waits for a response from Postgres.
const reachTime = 10 * time.Second

// Open opens the database of cfg and applies missing migrations. A schema newer than this program is an error.
func Open(ctx context.Context, cfg Config) (*DB, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	open := openSQLite
	if cfg.URL != "" {
		open = openPostgres
	}
	d, err := open(cfg)
	if err != nil {
		return nil, err
	}
	if cfg.URL != "" {
		if err := d.reach(ctx); err != nil {
			return nil, errors.Join(err, d.Close())
		}
	}
	if err := d.migrate(ctx); err != nil {
		if d.dialect == SQLite {
			err = fmt.Errorf("the database file %s: %w", cfg.File(), err)
		}
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// reach waits for Postgres to respond. If it doesn't, the address is most likely wrong; the driver's errors never
// contain its password.
func (d *DB) reach(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, reachTime)
	defer cancel()
	err := d.Ping(ctx)
	if errors.Is(err, pq.ErrSSLNotSupported) {
		err = errors.New("the database server doesn't offer SSL. If the connection to it is private, add sslmode=disable " +
			"to the address: postgres://…/NAME?sslmode=disable. Otherwise enable SSL on the server")
	}
	if err = explainPooler(err); err != nil {
		return fmt.Errorf("MASTHEAD_DATABASE_URL: %w", err)
	}
	return nil
}

// Reach reports whether the database of cfg responds, without changing it. A missing SQLite file counts as reachable.
func Reach(ctx context.Context, cfg Config) (err error) {
	if err := cfg.Validate(); err != nil {
		return err
	}
	if cfg.URL == "" {
		if _, err := os.Stat(cfg.File()); errors.Is(err, os.ErrNotExist) {
			return nil
		}
		d, err := openSQLite(cfg)
		if err != nil {
			return err
		}
		return errors.Join(d.Ping(ctx), d.Close())
	}
	d, err := openPostgres(cfg)
	if err != nil {
		return err
	}
	return errors.Join(d.reach(ctx), d.Close())
}

func openPostgres(cfg Config) (*DB, error) {
	c, err := newConnector(cfg)
	if err != nil {
		return nil, err
	}
	inner := sqlx.NewDb(sql.OpenDB(c), "postgres")
	places := max(8, 4*runtime.NumCPU())
	// All connections may be idle: new ones after each burst would have to prepare their statements again. One more than
	// there are places, for the health check.
	idle := func() { inner.SetMaxIdleConns(places + 1) }
	inner.SetMaxOpenConns(places + 1)
	inner.SetConnMaxIdleTime(5 * time.Minute)
	idle()
	one := newPool("postgres", inner, places, inner.PingContext, func() {
		inner.SetMaxIdleConns(-1) // the open ones are probably broken
		idle()
	})
	return &DB{dialect: Postgres, config: cfg, write: one, read: one}, nil
}

func openSQLite(cfg Config) (*DB, error) {
	if err := os.MkdirAll(cfg.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the data folder: %w", err)
	}
	// The file contains password hashes, so only its owner may access it, whatever folder it is in; SQLite's other files
	// get the same mode.
	made, err := os.OpenFile(cfg.File(), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("make the database file: %w", err)
	}
	if err := made.Close(); err != nil {
		return nil, fmt.Errorf("make the database file: %w", err)
	}
	file := fileURL(cfg.File())
	// FULL for the single writer unless the flusher changes it: accounts and ledgers must survive a power failure.
	common := fmt.Sprintf("?_pragma=busy_timeout(%d)", busyTime.Milliseconds()) +
		"&_pragma=journal_mode(WAL)&_pragma=foreign_keys(1)&_pragma=synchronous(FULL)"
	write, err := sqlx.Open("sqlite", file+common+"&_txlock=immediate")
	if err != nil {
		return nil, fmt.Errorf("open SQLite: %w", err)
	}
	write.SetMaxOpenConns(1)
	read, err := sqlx.Open("sqlite", file+common+"&_pragma=query_only(1)")
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open SQLite: %w", err), write.Close())
	}
	readers := max(4, runtime.NumCPU())
	read.SetMaxOpenConns(readers + 1)
	read.SetMaxIdleConns(readers + 1)
	nothing := func() {}
	trial := func(ctx context.Context) error { return tryWriting(ctx, write) }
	writer := newPool("sqlite writer", write, 1, trial, nothing)
	writer.flusher = &flusher{writer: write, wal: filepath.Join(cfg.Dir, "masthead.db-wal")}
	reader := newPool("sqlite readers", read, readers, read.PingContext, nothing)
	writer.embedded, reader.embedded = true, true
	return &DB{dialect: SQLite, write: writer, read: reader}, nil
}

// tryWriting acquires SQLite's lock and releases it.
func tryWriting(ctx context.Context, d *sqlx.DB) error {
	tx, err := d.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	return tx.Rollback()
}

// Dialect returns the kind of database.
func (d *DB) Dialect() Dialect { return d.dialect }

// Close closes the pools.
func (d *DB) Close() error {
	err := d.write.close()
	if d.read != d.write {
		err = errors.Join(err, d.read.close())
	}
	return err
}

// Ping reports whether the database responds before ctx ends. While a breaker is open, it fails without trying.
func (d *DB) Ping(ctx context.Context) error {
	if d.read.gate.isOpen.Load() || d.write.gate.isOpen.Load() {
		return errOpen
	}
	answered := make(chan error, 1)
	go func() { answered <- d.read.PingContext(ctx) }()
	var err error
	select {
	case err = <-answered:
	case <-ctx.Done(): // abandoned: its own timeout ends it soon
		err = ctx.Err()
	}
	if kindOf(err) == outOfTime {
		err = fmt.Errorf("%w: %w", context.DeadlineExceeded, err)
	}
	if err != nil {
		return fmt.Errorf("reach the database: %w", err)
	}
	return nil
}

// Get reads one row into dest, or returns sql.ErrNoRows.
func (d *DB) Get(ctx context.Context, dest any, query string, args ...any) error {
	return d.read.with(ctx, d.how, answerTime, query, func(ctx context.Context, s *sqlx.Stmt) error {
		return s.GetContext(ctx, dest, args...)
	})
}

// Select reads all rows into dest, a pointer to a slice.
func (d *DB) Select(ctx context.Context, dest any, query string, args ...any) error {
	return d.read.with(ctx, d.how, listTime, query, func(ctx context.Context, s *sqlx.Stmt) error {
		return s.SelectContext(ctx, dest, args...)
	})
}

// SelectAs reads all rows, each into an R, and returns them converted by as.
func SelectAs[R, T any](ctx context.Context, d *DB, as func(R) T, query string, args ...any) ([]T, error) {
	var rows []R
	if err := d.Select(ctx, &rows, query, args...); err != nil {
		return nil, err
	}
	list := make([]T, len(rows))
	for i, r := range rows {
		list[i] = as(r)
	}
	return list, nil
}

// Exec runs a statement that writes and returns the number of affected rows.
func (d *DB) Exec(ctx context.Context, query string, args ...any) (rows int64, err error) {
	err = d.write.with(ctx, d.how, answerTime, query, func(ctx context.Context, s *sqlx.Stmt) (err error) {
		rows, err = affected(s.ExecContext(ctx, args...))
		return err
	})
	return rows, err
}

// GetWrite is like Get for a statement that writes and returns the row, such as INSERT … RETURNING.
func (d *DB) GetWrite(ctx context.Context, dest any, query string, args ...any) error {
	return d.write.with(ctx, d.how, answerTime, query, func(ctx context.Context, s *sqlx.Stmt) error {
		return s.GetContext(ctx, dest, args...)
	})
}

// SelectWrite is like GetWrite for a statement that returns many rows, into a pointer to a slice, whose elements it
// replaces.
func (d *DB) SelectWrite(ctx context.Context, dest any, query string, args ...any) error {
	return d.write.with(ctx, d.how, answerTime, query, func(ctx context.Context, s *sqlx.Stmt) error {
		reflect.ValueOf(dest).Elem().SetZero() // of rows that came before a conflict
		return s.SelectContext(ctx, dest, args...)
	})
}

func affected(result sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// dialectOf returns the dialect of a migration, or "" if it is for both.
func dialectOf(name string) Dialect {
	for _, d := range []Dialect{SQLite, Postgres} {
		if strings.HasSuffix(name, "."+string(d)+".sql") {
			return d
		}
	}
	return ""
}
