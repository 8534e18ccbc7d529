package blob

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"masthead/pkg/tracing"
)

const tempPrefix = ".writing-"

// Disk stores files in a folder with 256 subfolders, one for each pair of leading hexadecimal digits of the digest.
// It is safe for concurrent use, and several nodes may share the folder.
type Disk struct {
	dir string
	// folders are the subfolders that are known to exist on disk.
	folders sync.Map
	room    *room
}

// Config says where files are stored.
type Config struct {
	// Dir is the folder.
	Dir string `kong:"-"`
	// Name distinguishes the stores of a program in metrics: "images" (the default) or "audits".
	Name string `kong:"-"`
	// Space returns the free disk space; nil asks the file system.
	Space Space `kong:"-"`
}

// OpenDisk opens the folder of cfg, creates it if it is missing, and deletes the leftovers of interrupted writes.
func OpenDisk(cfg Config) (*Disk, error) {
	dir := cfg.Dir
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("create the picture folder: %w", err)
	}
	left, err := filepath.Glob(filepath.Join(escapeGlob(dir), "??", tempPrefix+"*"))
	if err != nil {
		return nil, fmt.Errorf("look for interrupted writes: %w", err)
	}
	for _, path := range left {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("remove an interrupted write: %w", err)
		}
	}
	if cfg.Space == nil {
		cfg.Space = spaceOf
	}
	r := &room{dir: dir, space: cfg.Space, now: time.Now}
	r.metrics = newMetrics(cmp.Or(cfg.Name, "images"), func() float64 {
		_ = r.check() // fills the cached value
		r.mu.Lock()
		defer r.mu.Unlock()
		return float64(r.free)
	})
	return &Disk{dir: dir, room: r}, nil
}

// Room implements [Store].
func (d *Disk) Room(context.Context) error { return d.room.check() }

// escapeGlob escapes path so that a glob pattern matches it literally.
func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

func (d *Disk) path(n Name) string {
	return filepath.Join(d.dir, n.Digest[:2], n.Digest+"."+n.File)
}

// Put implements [Store].
func (d *Disk) Put(ctx context.Context, n Name, data []byte) (err error) {
	_, span := tracing.Start(ctx, "store put")
	span.Number("masthead.bytes", len(data))
	defer func() { span.End(err) }()
	if !n.Valid() {
		return n.Refused()
	}
	if err := d.room.refuse(); err != nil {
		return err
	}
	path := d.path(n)
	folder := filepath.Dir(path)
	err = d.write(folder, path, data)
	if errors.Is(err, fs.ErrNotExist) {
		// The folder changed concurrently: the subfolder was removed, or another node opened the folder and deleted
		// the temporary file as the leftover of an interrupted write.
		d.folders.Delete(folder)
		err = d.write(folder, path, data)
	}
	return err
}

func (d *Disk) write(folder, path string, data []byte) error {
	if err := d.makeFolder(folder); err != nil {
		return err
	}
	if err := writeWhole(folder, path, data); err != nil {
		return fault("write picture", err)
	}
	return nil
}

func (d *Disk) makeFolder(folder string) error {
	if _, known := d.folders.Load(folder); known {
		return nil
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fault("create a picture folder", err)
	}
	if err := syncFolder(d.dir); err != nil {
		return fmt.Errorf("create a picture folder: %w", err)
	}
	d.folders.Store(folder, true)
	return nil
}

// writeWhole writes to a temporary file in the same folder, flushes and renames it, so that the file is always either
// complete or missing.
func writeWhole(folder, path string, data []byte) (err error) {
	f, err := os.CreateTemp(folder, tempPrefix)
	if err != nil {
		return err
	}
	temporary := true
	defer func() {
		if temporary {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err = os.Rename(f.Name(), path); err != nil {
		return err
	}
	// From here on there is no temporary file to remove.
	temporary = false
	return syncFolder(folder)
}

func syncFolder(folder string) error {
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// Get implements [Store]. The bytes may be given to [Recycle].
func (d *Disk) Get(ctx context.Context, n Name) (data []byte, err error) {
	_, span := tracing.Start(ctx, "store get")
	defer func() { span.Number("masthead.bytes", len(data)); span.End(err) }()
	if !n.Valid() {
		return nil, ErrNotFound
	}
	data, err = readFile(d.path(n))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNotFound
	}
	if errors.Is(err, syscall.EIO) || errors.Is(err, syscall.EBADMSG) {
		return nil, fmt.Errorf("read picture: %w: %w", ErrDamaged, err)
	}
	if err != nil {
		return nil, fault("read picture", err)
	}
	return data, nil
}

// List implements [Store].
func (d *Disk) List(_ context.Context, prefix string) (names []Name, err error) {
	entries, err := os.ReadDir(filepath.Join(d.dir, prefix))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fault("list pictures", err)
	}
	for _, e := range entries {
		digest, file, _ := strings.Cut(e.Name(), ".")
		if n := (Name{Digest: digest, File: file}); n.Valid() && strings.HasPrefix(digest, prefix) {
			names = append(names, n)
		}
	}
	return names, nil
}

// Stat implements [Store].
func (d *Disk) Stat(_ context.Context, n Name) (size int64, err error) {
	if !n.Valid() {
		return 0, ErrNotFound
	}
	info, err := os.Stat(d.path(n))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, ErrNotFound
	}
	if err != nil {
		return 0, fmt.Errorf("look for picture: %w", err)
	}
	return info.Size(), nil
}

// Delete implements [Store].
func (d *Disk) Delete(_ context.Context, n Name) error {
	if !n.Valid() {
		return nil
	}
	if err := os.Remove(d.path(n)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("delete picture: %w", err)
	}
	return nil
}
