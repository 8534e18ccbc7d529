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
)

const tempPrefix = ".writing-"

// Disk keeps files in a folder, 256 subfolders by the first two digits of the digest. It is safe for concurrent use,
// and nodes may share the folder.
type Disk struct {
	dir string
	// folders are the subfolders known to exist and to be on disk.
	folders sync.Map
	room    *room
}

// Config says where files are kept.
type Config struct {
	// Dir is the folder.
	Dir string `kong:"-"`
	// Name tells stores of one program apart in its metrics: "images", which is also that of "", or "audits".
	Name string `kong:"-"`
	// Space tells how much disk is free; nil asks the file system.
	Space Space `kong:"-"`
}

// OpenDisk opens the folder of cfg, makes it where it is missing, and removes what an interrupted write left.
func OpenDisk(cfg Config) (*Disk, error) {
	dir := cfg.Dir
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the picture folder: %w", err)
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
		_ = r.check() // for what it asks
		r.mu.Lock()
		defer r.mu.Unlock()
		return float64(r.free)
	})
	return &Disk{dir: dir, room: r}, nil
}

// Room implements [Store].
func (d *Disk) Room(context.Context) error { return d.room.check() }

// escapeGlob makes path match itself alone.
func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

func (d *Disk) path(n Name) string {
	return filepath.Join(d.dir, n.Digest[:2], n.Digest+"."+n.File)
}

// Put implements [Store].
func (d *Disk) Put(_ context.Context, n Name, data []byte) error {
	if !n.Valid() {
		return n.refused()
	}
	if err := d.room.refuse(); err != nil {
		return err
	}
	path := d.path(n)
	folder := filepath.Dir(path)
	err := d.write(folder, path, data)
	if errors.Is(err, fs.ErrNotExist) {
		// Somebody has tidied up under our hands: the subfolder was removed, or another node has just opened the folder and
		// taken the temporary file for that of an interrupted write.
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
		return fault("make a picture folder", err)
	}
	if err := syncFolder(d.dir); err != nil {
		return fmt.Errorf("make a picture folder: %w", err)
	}
	d.folders.Store(folder, true)
	return nil
}

// writeWhole writes to a temporary name in the same folder, flushes, and renames: at any moment there is the whole file
// or none.
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
	// From here on there is no temporary file left to remove.
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

// Get implements [Store].
func (d *Disk) Get(_ context.Context, n Name) ([]byte, error) {
	if !n.Valid() {
		return nil, ErrNotFound
	}
	data, err := os.ReadFile(d.path(n))
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
