package backup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"masthead/pkg/blob"
	"masthead/pkg/db"
	"masthead/pkg/installation"
)

// ErrNotEmpty means that the target of a restore has data, which only replace lets it replace.
var ErrNotEmpty = errors.New("there is an installation already")

// target is the database that is restored to. Until commit, it stays as it was.
type target interface {
	dialect() db.Dialect
	// current returns the ID of the installation that is there, "" for none, and whether there are tables.
	current(ctx context.Context) (id string, exists bool, err error)
	begin(ctx context.Context, m Manifest) error
	// take stores an entry of the database.
	take(ctx context.Context, e *entry) error
	// finish checks the new database, and gives the installation the ID id.
	finish(ctx context.Context, m Manifest, id string) error
	// commit replaces the old database with the new one, completely or not at all.
	commit(ctx context.Context) error
	// close removes what wasn't committed.
	close() error
}

// Restore restores the archive at path. If there is data already, it returns [ErrNotEmpty] unless replace is set; then
// the data is replaced.
//
// The files are added to the folders first: their names are digests, so they replace none. Then the database is
// replaced in one step. If the restore fails or is killed before that, the old installation is as it was, besides files
// that it doesn't refer to, which it deletes within a day.
func Restore(ctx context.Context, cfg Config, path, passphrase string, replace bool) (s Summary, err error) {
	in, err := os.Open(path)
	if err != nil {
		return s, fmt.Errorf("read the backup: %w", err)
	}
	defer in.Close()
	if info, err := in.Stat(); err == nil {
		s.Size = info.Size()
	}
	plain, err := unseal(in, passphrase)
	if err != nil {
		return s, err
	}
	r := newReader(plain)
	if s.Manifest, err = r.manifest(); err != nil {
		return s, err
	}
	if err := cfg.accepts(s.Manifest); err != nil {
		return s, err
	}
	t, err := cfg.openTarget(ctx)
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, t.close()) }()
	id, err := cfg.identify(ctx, t, s.Manifest, replace)
	if err != nil {
		return s, err
	}
	err = cfg.restore(ctx, t, r, &s, id)
	return s, err
}

// accepts refuses archives of newer programs and of the other kind of database.
func (cfg Config) accepts(m Manifest) error {
	own := db.SQLite
	if cfg.Database.URL != "" {
		own = db.Postgres
	}
	switch db.Dialect(m.Database) {
	case own:
	case db.SQLite:
		return errors.New("this backup is of the embedded database, and MASTHEAD_DATABASE_URL names a Postgres database: " +
			"restore it without that setting")
	case db.Postgres:
		return errors.New("this backup is of a Postgres database: MASTHEAD_DATABASE_URL must name one to restore it to")
	default:
		return damaged("it is of the unknown database %q", m.Database)
	}
	if !slices.IsSorted(m.Schema) || len(slices.Compact(slices.Clone(m.Schema))) != len(m.Schema) || len(m.Schema) == 0 {
		return damaged("its schema isn't a list of migrations")
	}
	known, err := db.Known(own)
	if err != nil {
		return err
	}
	schema := db.Schema{Applied: m.Schema, Known: known}
	if len(schema.Newer()) > 0 {
		return newerSchema(m, schema)
	}
	return nil
}

func newerSchema(m Manifest, schema db.Schema) error {
	return fmt.Errorf("this backup has schema %d, of masthead %q, and this program knows %d: run a newer version",
		last(schema.Applied), m.Masthead, last(schema.Known))
}

func (cfg Config) openTarget(ctx context.Context) (target, error) {
	if cfg.Database.URL != "" {
		return cfg.openPostgresTarget(ctx)
	}
	return cfg.openSQLiteTarget()
}

// identify returns the ID that the restored installation gets: that of the folder of pictures, which can't change in
// the same step as the database, otherwise that of the database that is replaced, or of the archive.
func (cfg Config) identify(ctx context.Context, t target, m Manifest, replace bool) (id string, err error) {
	old, exists, err := t.current(ctx)
	if err != nil {
		return "", fmt.Errorf("look at what is there: %w", err)
	}
	marker, err := cfg.Pictures.Read(ctx)
	if err != nil {
		return "", err
	}
	if (exists || marker != "") && !replace {
		return "", ErrNotEmpty
	}
	for _, id := range []string{marker, old, m.Installation} {
		if id != "" {
			return id, nil
		}
	}
	return "", nil
}

// restore reads the entries after the manifest.
func (cfg Config) restore(ctx context.Context, t target, r *reader, s *Summary, id string) error {
	if err := t.begin(ctx, s.Manifest); err != nil {
		return err
	}
	stores := map[string]blob.Store{}
	secrets := map[string][]byte{}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		e, err := r.next()
		if err != nil {
			return err
		}
		if e == nil {
			break
		}
		if err := cfg.take(ctx, t, e, stores, secrets); err != nil {
			return err
		}
		if e.kind == fileEntry {
			s.Files++
		}
		if s.Bytes = r.read; cfg.Progress != nil {
			cfg.Progress(Progress{Bytes: r.read, Files: s.Files, Of: s.Manifest.Files})
		}
	}
	s.Lost = r.end.Lost
	if err := t.finish(ctx, s.Manifest, id); err != nil {
		return err
	}
	if id != "" {
		if err := installation.Mark(ctx, cfg.Pictures, id); err != nil {
			return err
		}
	}
	if err := t.commit(ctx); err != nil {
		return fmt.Errorf("replace the database: %w", err)
	}
	for name, secret := range secrets {
		if err := writeSecret(filepath.Join(cfg.Dir, name), secret); err != nil {
			return fmt.Errorf("the data is restored, but not %s: %w", name, err)
		}
	}
	return nil
}

// take stores an entry: one of the database or a file in the target, and a secret in secrets.
func (cfg Config) take(
	ctx context.Context, t target, e *entry, stores map[string]blob.Store, secrets map[string][]byte,
) error {
	switch e.kind {
	case secretEntry:
		if !slices.Contains(cfg.Secrets, e.file) {
			return damaged("it has the unknown file %q", e.name)
		}
		var err error
		secrets[e.file], err = e.whole()
		return err
	case databaseEntry, tableEntry:
		if (e.kind == databaseEntry) != (t.dialect() == db.SQLite) {
			return damaged("%q is of another database than the rest", e.name)
		}
		if err := t.take(ctx, e); err != nil {
			return fmt.Errorf("restore the database: %w", err)
		}
	case fileEntry:
		if err := cfg.restoreFile(ctx, stores, e); err != nil {
			return fmt.Errorf("restore the files: %w", err)
		}
	default:
		return damaged("%q is in the wrong place", e.name)
	}
	return nil
}

// restoreFile adds a file to its folder. One that is there has the same content, since its name is a digest; a damaged
// one is found by the service.
func (cfg Config) restoreFile(ctx context.Context, stores map[string]blob.Store, e *entry) error {
	store := stores[e.folder]
	if store == nil {
		known := false
		for _, folder := range cfg.Folders {
			known = known || folder == e.folder
		}
		if !known {
			return damaged("it has a file %q", e.name)
		}
		var err error
		if store, err = cfg.Writing(e.folder); err != nil {
			return err
		}
		stores[e.folder] = store
	}
	data, err := e.whole()
	if err != nil {
		return err
	}
	name := blob.Name{Digest: e.digest, File: e.file}
	if size, err := store.Stat(ctx, name); err == nil && size == e.size {
		return nil
	}
	return store.Put(ctx, name, data)
}

// writeSecret writes a file that only its owner can read, completely or not at all. What a restore that was killed left
// of it has the same name, so that the next one overwrites it.
func writeSecret(path string, data []byte) error {
	f, err := os.OpenFile(
		filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".writing"), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return syncFolder(filepath.Dir(path))
}

// escapeGlob escapes path so that a glob pattern matches it literally.
func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
