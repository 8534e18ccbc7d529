package backup

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"masthead/pkg/blob"
	"masthead/pkg/db"
	"masthead/pkg/installation"
)

// sqliteCopy is a copy of an SQLite file. It implements [snapshot].
type sqliteCopy struct {
	path string
	pool *sql.DB
}

// copySQLite copies the database of cfg to path, which must end in the name of a database file. The service may write
// meanwhile. Source: https://sqlite.org/lang_vacuum.html#vacuuminto.
func copySQLite(ctx context.Context, cfg db.Config, path string) (c *sqliteCopy, err error) {
	live, err := cfg.OpenRaw("")
	if err != nil {
		return nil, err
	}
	_, err = live.ExecContext(ctx, `VACUUM INTO ?`, path)
	if err = errors.Join(err, live.Close()); err != nil {
		return nil, fmt.Errorf("copy the database: %w", err)
	}
	c = &sqliteCopy{path: path}
	if c.pool, err = (db.Config{Dir: filepath.Dir(path)}).OpenRaw(""); err != nil {
		return nil, err
	}
	for _, table := range transient {
		if _, err := c.pool.ExecContext(ctx, `DELETE FROM `+table); err != nil { //nolint:gosec // a constant
			return nil, errors.Join(fmt.Errorf("copy the database: %w", err), c.close())
		}
	}
	return c, nil
}

func (c *sqliteCopy) dialect() db.Dialect { return db.SQLite }

func (c *sqliteCopy) close() error { return c.pool.Close() }

func (c *sqliteCopy) describe(ctx context.Context, m *Manifest) error {
	return describe(ctx, c.pool, m)
}

// querier is a pool or a transaction.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

func describe(ctx context.Context, q querier, m *Manifest) error {
	if err := q.QueryRowContext(ctx, `SELECT count(*) FROM files`).Scan(&m.Files); err != nil {
		return fmt.Errorf("count the files: %w", err)
	}
	id, err := installationOf(ctx, q)
	m.Installation = id
	return err
}

// installationOf returns the ID of the installation in a database, or "".
func installationOf(ctx context.Context, q querier) (id string, err error) {
	err = q.QueryRowContext(ctx, `SELECT id FROM installation`).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read the id of the installation: %w", err)
	}
	return id, nil
}

func (c *sqliteCopy) dump(_ context.Context, a *writer, told func()) (err error) {
	f, err := os.Open(c.path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	sum := sha256.New()
	size, err := io.Copy(sum, f)
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err == nil {
		err = a.entry(databaseName, size, hex.EncodeToString(sum.Sum(nil)), io.LimitReader(f, size))
	}
	told()
	return err
}

func (c *sqliteCopy) eachFile(ctx context.Context, do func(ledgerFile) error) error {
	return eachFile(ctx, c.pool, do)
}

func eachFile(ctx context.Context, q querier, do func(ledgerFile) error) (err error) {
	rows, err := q.QueryContext(ctx, filesQuery)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var f ledgerFile
		if err := rows.Scan(&f.Digest, &f.File, &f.Kind, &f.Referenced); err != nil {
			return err
		}
		if !(blob.Name{Digest: f.Digest, File: f.File}).Valid() {
			continue // no store has such a file
		}
		if err := do(f); err != nil {
			return err
		}
	}
	return rows.Err()
}

// sqliteTarget replaces an SQLite file. It implements [target].
type sqliteTarget struct {
	cfg     db.Config
	staged  db.Config // the new file
	exists  bool
	got     bool
	lock    *installation.Lock
	stageAt string
}

func (cfg Config) openSQLiteTarget() (t *sqliteTarget, err error) {
	t = &sqliteTarget{cfg: cfg.Database}
	if t.lock, err = installation.Acquire(cfg.Dir); err != nil {
		return nil, err
	}
	left, err := filepath.Glob(filepath.Join(escapeGlob(cfg.Dir), stagePrefix+"*")) // of a restore that was killed
	for _, path := range left {
		err = errors.Join(err, os.RemoveAll(path))
	}
	if err == nil {
		t.stageAt, err = os.MkdirTemp(cfg.Dir, stagePrefix+"*")
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("prepare the restore: %w", err), t.close())
	}
	t.staged = db.Config{Dir: t.stageAt}
	info, err := os.Stat(t.cfg.File())
	t.exists = err == nil && info.Size() > 0
	return t, nil
}

// stagePrefix is the prefix of the folder, in the data folder, of a database that is being restored.
const stagePrefix = ".restoring-"

func (t *sqliteTarget) dialect() db.Dialect { return db.SQLite }

func (t *sqliteTarget) close() error {
	err := t.lock.Release()
	if t.stageAt != "" {
		err = errors.Join(err, os.RemoveAll(t.stageAt))
	}
	return err
}

// current returns the ID of the installation that is there. A file that can't be read has none.
func (t *sqliteTarget) current(ctx context.Context) (id string, exists bool, err error) {
	if !t.exists {
		return "", false, nil
	}
	pool, err := t.cfg.OpenRaw("")
	if err != nil {
		return "", true, err
	}
	id, _ = installationOf(ctx, pool)
	return id, true, pool.Close()
}

func (t *sqliteTarget) begin(context.Context, Manifest) error { return nil }

func (t *sqliteTarget) take(_ context.Context, e *entry) error {
	f, err := os.OpenFile(t.staged.File(), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, e.content)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	t.got = true
	return nil
}

func (t *sqliteTarget) finish(ctx context.Context, m Manifest, id string) error {
	if !t.got {
		return damaged("it has no database")
	}
	schema, err := db.ReadSchema(ctx, t.staged)
	if err != nil {
		return damaged("its database: %v", err)
	}
	if len(schema.Newer()) > 0 {
		return newerSchema(m, schema)
	}
	pool, err := t.staged.OpenRaw("")
	if err != nil {
		return err
	}
	var found string
	err = pool.QueryRowContext(ctx, `PRAGMA integrity_check(1)`).Scan(&found)
	if err == nil && found != "ok" {
		err = errors.New(found)
	}
	if err == nil && id != m.Installation {
		_, err = pool.ExecContext(ctx, `UPDATE installation SET id = ?`, id)
	}
	if err = errors.Join(err, pool.Close()); err != nil {
		return damaged("its database: %v", err)
	}
	return syncFile(t.staged.File())
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// commit renames the new file over the old one. The old one's journal must be gone by then: SQLite would apply it to
// the new file.
func (t *sqliteTarget) commit(ctx context.Context) error {
	if t.exists {
		if err := t.retire(ctx); err != nil {
			return err
		}
	}
	if err := os.Rename(t.staged.File(), t.cfg.File()); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(t.cfg.File()))
}

// retire merges the old file's journal into it, which fails while another process uses it. A file that SQLite can't
// read is moved aside with its journal.
func (t *sqliteTarget) retire(ctx context.Context) error {
	pool, err := t.cfg.OpenRaw("")
	if err != nil {
		return err
	}
	var mode string
	err = pool.QueryRowContext(ctx, `PRAGMA journal_mode = DELETE`).Scan(&mode)
	if err == nil && mode != "delete" {
		err = errors.New("another process uses it")
	}
	err = errors.Join(err, pool.Close())
	if err == nil {
		return nil
	}
	if db.IsBusy(err) || mode != "" {
		return fmt.Errorf("the database in the data folder is in use: end the other commands of masthead, and try again "+
			"(%w)", err)
	}
	aside := ".damaged-" + time.Now().UTC().Format("20060102T150405")
	for _, suffix := range []string{"", "-wal", "-shm"} {
		err := os.Rename(t.cfg.File()+suffix, t.cfg.File()+aside+suffix)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("move the damaged database aside: %w", err)
		}
	}
	return nil
}
