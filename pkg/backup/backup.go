// Package backup copies an installation into one archive, while it serves, and restores it. docs/backup.md describes
// the format.
//
//   - backup.go: [Config], and [Write], which writes an archive
//   - restore.go: [Restore], which reads one; until its last step the target stays as it was
//   - archive.go: the archive: entries, their order, checksums and bounds
//   - encrypt.go: archives that are encrypted with a passphrase
//   - sqlite.go, postgres.go: copying and replacing each kind of database
//
// The database is copied first, at one moment; then the files that this copy lists. Files never change, and none is
// deleted meanwhile (see [files.Pause]), so both belong together.
package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"masthead/pkg/blob"
	"masthead/pkg/db"
	"masthead/pkg/files"
	"masthead/pkg/installation"
)

// Config says what is backed up, or restored to.
type Config struct {
	Database db.Config
	// Dir is the data folder.
	Dir string
	// Folders are the folders, in Dir and in archives, of the kinds of files: see [files.Kind].
	Folders map[string]string
	// Reading opens the store of a folder's files for reading alone, and Writing for both.
	Reading, Writing func(folder string) (blob.Store, error)
	// Pictures is where the images are.
	Pictures installation.Place
	// Secrets are the names of files in Dir that are kept with the database, if they exist.
	Secrets []string
	// Version is the program's.
	Version string
	// Progress is told about the bytes and files copied so far, and of how many files; nil for nobody.
	Progress func(Progress)
}

// Progress is the state of a backup or a restore.
type Progress struct {
	Bytes int64
	Files int64
	Of    int64 // files in all; 0 while that is unknown
}

// Summary is what an archive has.
type Summary struct {
	Manifest

	Bytes int64 // of all entries
	Files int64
	Size  int64 // of the archive
	// Lost counts files that something refers to, and that were missing or unreadable on disk.
	Lost int64
}

// Write writes an archive of the installation to the file path, encrypted if passphrase isn't "". The file appears once
// it is complete; it must not exist.
func Write(ctx context.Context, cfg Config, path, passphrase string) (s Summary, err error) {
	if _, err := os.Lstat(path); err == nil {
		return s, fmt.Errorf("%s exists: name a new file", path)
	}
	if err := db.Reach(ctx, cfg.Database); err != nil {
		return s, err
	}
	schema, err := db.ReadSchema(ctx, cfg.Database)
	if err == nil {
		err = backable(schema)
	}
	if err != nil {
		return s, err
	}
	work, err := os.MkdirTemp(filepath.Dir(path), ".masthead-backup-*") // 0700: the copy has secrets
	if err != nil {
		return s, fmt.Errorf("write the backup: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	d, err := db.Open(ctx, cfg.Database)
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	resume, err := files.Pause(ctx, d)
	if err != nil {
		return s, err
	}
	defer resume()
	draft := filepath.Join(work, "archive")
	out, err := os.OpenFile(draft, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return s, fmt.Errorf("write the backup: %w", err)
	}
	s, err = cfg.write(ctx, out, work, schema, passphrase)
	if err = errors.Join(err, out.Sync(), out.Close()); err != nil {
		return s, fmt.Errorf("write the backup: %w", err)
	}
	if info, err := os.Stat(draft); err == nil {
		s.Size = info.Size()
	}
	if err := os.Link(draft, path); err != nil { // unlike a rename, it never replaces a file
		if errors.Is(err, fs.ErrExist) {
			return s, fmt.Errorf("%s exists: name a new file", path)
		}
		if err := os.Rename(draft, path); err != nil { // a file system without links
			return s, fmt.Errorf("write the backup: %w", err)
		}
	}
	return s, syncFolder(filepath.Dir(path))
}

// backable refuses databases of other versions, whose tables this program doesn't know.
func backable(schema db.Schema) error {
	switch {
	case len(schema.Applied) == 0:
		return errors.New("there is nothing to back up: the database has no tables yet. MASTHEAD_DATA_DIR and " +
			"MASTHEAD_DATABASE_URL say where the data is")
	case len(schema.Newer()) > 0:
		return fmt.Errorf("the database has schema %d and this program knows %d: run a newer version of masthead",
			last(schema.Applied), last(schema.Known))
	case len(schema.Missing()) > 0:
		return fmt.Errorf("the database has schema %d and this program needs %d: back it up with the version that "+
			"serves it, or start the service once with this version", last(schema.Applied), last(schema.Known))
	}
	return nil
}

// write writes the archive to out. work is a folder for the copy of an SQLite file.
func (cfg Config) write(
	ctx context.Context, out io.Writer, work string, schema db.Schema, passphrase string,
) (s Summary, err error) {
	sealed, err := seal(out, passphrase)
	if err != nil {
		return s, err
	}
	a := newWriter(sealed)
	copied, err := cfg.snapshot(ctx, work)
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, copied.close()) }()
	s.Manifest = Manifest{
		Format: formatVersion, Masthead: cfg.Version, CreatedAt: db.Moment(time.Now()), Schema: schema.Applied,
		Database: string(copied.dialect()),
	}
	if err := copied.describe(ctx, &s.Manifest); err != nil {
		return s, err
	}
	if err := a.json(manifestName, s.Manifest); err != nil {
		return s, err
	}
	if err := cfg.copySecrets(a); err != nil {
		return s, err
	}
	told := func() {
		if cfg.Progress != nil {
			cfg.Progress(Progress{Bytes: a.written, Files: s.Files, Of: s.Manifest.Files})
		}
	}
	if err := copied.dump(ctx, a, told); err != nil {
		return s, fmt.Errorf("copy the database: %w", err)
	}
	if err := cfg.copyFiles(ctx, copied, a, &s, told); err != nil {
		return s, fmt.Errorf("copy the files: %w", err)
	}
	s.Bytes = a.written
	if err := a.end(s.Lost); err != nil {
		return s, err
	}
	return s, sealed.Close()
}

func (cfg Config) copySecrets(a *writer) error {
	for _, name := range cfg.Secrets {
		secret, err := os.ReadFile(filepath.Join(cfg.Dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = a.bytes(secretsFolder+name, secret)
		}
		if err != nil {
			return fmt.Errorf("copy %s: %w", name, err)
		}
	}
	return nil
}

// copyFiles copies the files that the snapshot lists.
func (cfg Config) copyFiles(ctx context.Context, copied snapshot, a *writer, s *Summary, told func()) error {
	stores := map[string]blob.Store{}
	for kind, folder := range cfg.Folders {
		store, err := cfg.Reading(folder)
		if err != nil {
			return err
		}
		stores[kind] = store
	}
	return copied.eachFile(ctx, func(f ledgerFile) error {
		folder, known := cfg.Folders[f.Kind]
		if !known {
			return fmt.Errorf("the database has files of the kind %q, which this program can't back up", f.Kind)
		}
		data, err := readWhole(ctx, stores[f.Kind], f.Name)
		switch {
		case errors.Is(err, blob.ErrNotFound) && !f.Referenced: // it is being written, or garbage
			return nil
		case errors.Is(err, blob.ErrNotFound), errors.Is(err, errDamaged):
			s.Lost++
			return nil
		case err != nil:
			return err
		}
		s.Files++
		told()
		return a.bytes(folder+"/"+f.Digest[:2]+"/"+f.Digest+"."+f.File, data)
	})
}

var errDamaged = errors.New("the file can't be read, or is larger than any picture")

// readWhole returns the content of a file.
func readWhole(ctx context.Context, store blob.Store, n blob.Name) (data []byte, err error) {
	data, err = store.Get(ctx, n)
	if errors.Is(err, blob.ErrDamaged) || len(data) > maxFile {
		return nil, errors.Join(errDamaged, err)
	}
	return data, err
}

// ledgerFile is a row of the ledger of files.
type ledgerFile struct {
	blob.Name

	Kind string
	// Referenced: an image or a report has the file. Others are being written, or were replaced.
	Referenced bool
}

// snapshot is the database at one moment.
type snapshot interface {
	dialect() db.Dialect
	// describe completes the manifest.
	describe(ctx context.Context, m *Manifest) error
	// dump writes the database's entries.
	dump(ctx context.Context, a *writer, told func()) error
	eachFile(ctx context.Context, do func(ledgerFile) error) error
	close() error
}

func (cfg Config) snapshot(ctx context.Context, work string) (snapshot, error) {
	if cfg.Database.URL == "" {
		return copySQLite(ctx, cfg.Database, filepath.Join(work, databaseName))
	}
	return openPostgres(ctx, cfg.Database)
}

// transient are tables whose rows aren't part of a backup: what is only true of running processes, and exports, whose
// archives expire within a day. Restoring the variants adds up their totals again.
var transient = []string{"sweep_pauses", "exports", "export_parts", "variant_changes", "variant_totals"}

// filesQuery lists the ledger of files.
const filesQuery = `SELECT digest, name, kind, (EXISTS (SELECT 1 FROM image_files i
	WHERE i.digest = files.digest AND i.name = files.name) OR EXISTS (SELECT 1 FROM audit_files a
	WHERE a.digest = files.digest AND a.name = files.name) OR EXISTS (SELECT 1 FROM assets u
	WHERE u.digest = files.digest AND u.name = files.name) OR EXISTS (SELECT 1 FROM image_backgrounds b
	WHERE b.digest = files.digest AND b.name = files.name) OR EXISTS (SELECT 1 FROM image_version_files v
	WHERE v.digest = files.digest AND v.name = files.name)) AS referenced FROM files ORDER BY digest, name`

func last(numbers []int64) int64 {
	if len(numbers) == 0 {
		return 0
	}
	return numbers[len(numbers)-1]
}

func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
