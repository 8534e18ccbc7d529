// Package blob owns the files of pictures: writing them whole or not at all, reading, listing and deleting them. It knows no
// record; whoever writes a file sweeps what no record names.
package blob

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"
)

// ErrNotFound says that there is no such file.
var ErrNotFound = errors.New("no such file")

// Name is what a file is kept under: the digest of what it holds and the name that it is served by.
type Name struct {
	// Digest is 64 hexadecimal digits in lower case.
	Digest string
	// File is like og.png.
	File string
}

var (
	digestForm = regexp.MustCompile(`^[0-9a-f]{64}$`)
	fileForm   = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,63}\.[a-z0-9]{1,12}$`)
)

// Valid says whether n can name a file at all. What comes from an address is checked with it before anything is opened.
func (n Name) Valid() bool { return digestForm.MatchString(n.Digest) && fileForm.MatchString(n.File) }

const tempPrefix = ".writing-"

// Disk keeps files in a folder, 256 subfolders by the first two digits of the digest. It is safe for concurrent use, and nodes
// may share the folder.
type Disk struct {
	dir string
	// folders are the subfolders known to exist and to be on disk.
	folders sync.Map
}

// OpenDisk opens the folder dir, makes it where it is missing, and removes what an interrupted write left.
func OpenDisk(dir string) (*Disk, error) {
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
	return &Disk{dir: dir}, nil
}

// escapeGlob makes path match itself alone.
func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

func (d *Disk) path(n Name) string {
	return filepath.Join(d.dir, n.Digest[:2], n.Digest+"."+n.File)
}

// Put writes the file, or leaves the one that is there, since a name stands for its bytes. When it returns nil the file is whole
// and on disk.
func (d *Disk) Put(_ context.Context, n Name, data []byte) error {
	if !n.Valid() {
		return fmt.Errorf("write picture: %q/%q is no name", n.Digest, n.File)
	}
	path := d.path(n)
	if info, err := os.Stat(path); err == nil && info.Size() == int64(len(data)) {
		// The file starts a new hour of grace, so that a sweep which sees no record yet leaves it.
		now := time.Now()
		if err := os.Chtimes(path, now, now); err == nil {
			return nil
		}
	}
	folder := filepath.Dir(path)
	err := d.write(folder, path, data)
	if errors.Is(err, fs.ErrNotExist) {
		// Somebody has tidied up under our hands: the subfolder was removed, or another node has just opened the folder and taken the
		// temporary file for that of an interrupted write.
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
		return fmt.Errorf("write picture: %w", err)
	}
	return nil
}

// Touch makes the file count as written now, so that a sweep leaves it for another while; it is no error when there is none.
func (d *Disk) Touch(_ context.Context, n Name) error {
	if !n.Valid() {
		return nil
	}
	now := time.Now()
	if err := os.Chtimes(d.path(n), now, now); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("touch picture: %w", err)
	}
	return nil
}

func (d *Disk) makeFolder(folder string) error {
	if _, known := d.folders.Load(folder); known {
		return nil
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("make a picture folder: %w", err)
	}
	if err := syncFolder(d.dir); err != nil {
		return fmt.Errorf("make a picture folder: %w", err)
	}
	d.folders.Store(folder, true)
	return nil
}

// writeWhole writes to a temporary name in the same folder, flushes, and renames: at any moment there is the whole file or none.
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

// Get returns the file's bytes and when it was written; [ErrNotFound] when there is none.
func (d *Disk) Get(_ context.Context, n Name) (data []byte, written time.Time, err error) {
	if !n.Valid() {
		return nil, time.Time{}, ErrNotFound
	}
	path := d.path(n)
	data, err = os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, time.Time{}, ErrNotFound
	}
	if err != nil {
		return nil, time.Time{}, fmt.Errorf("read picture: %w", err)
	}
	info, err := os.Stat(path)
	if err != nil {
		return data, time.Time{}, nil //nolint:nilerr // it was deleted just now, and its bytes are at hand
	}
	return data, info.ModTime(), nil
}

// Has says whether the file is there.
func (d *Disk) Has(_ context.Context, n Name) (bool, error) {
	if !n.Valid() {
		return false, nil
	}
	_, err := os.Stat(d.path(n))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look for picture: %w", err)
	}
	return true, nil
}

// Delete removes the file; it is no error when there is none.
func (d *Disk) Delete(_ context.Context, n Name) error {
	if !n.Valid() {
		return nil
	}
	if err := os.Remove(d.path(n)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("delete picture: %w", err)
	}
	return nil
}

// Walk calls fn with each file that was written before the given moment, until fn returns an error.
func (d *Disk) Walk(ctx context.Context, before time.Time, fn func(Name) error) error {
	err := filepath.WalkDir(d.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return nil // deleted while we walk
			}
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		digest, file, ok := strings.Cut(entry.Name(), ".")
		name := Name{Digest: digest, File: file}
		if entry.IsDir() || !ok || !name.Valid() {
			return nil
		}
		info, err := entry.Info()
		if err != nil || !info.ModTime().Before(before) {
			return nil //nolint:nilerr // deleted while we walk
		}
		return fn(name)
	})
	if err != nil {
		return fmt.Errorf("walk the pictures: %w", err)
	}
	return nil
}
