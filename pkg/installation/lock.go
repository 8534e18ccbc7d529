package installation

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
)

// LockName is the file in the data folder that the process which serves from it holds. Its text, for people, says who
// that is; it stays when the process is gone, and only the lock counts.
const LockName = "serving"

var (
	errLocked  = errors.New("locked by another process")
	errNoLocks = errors.New("no locks of files here")
)

// maxLockText is how many bytes of the text are shown.
const maxLockText = 200

// Lock is the right to serve from a data folder with an embedded database. Commands that make accounts and keys do
// without.
type Lock struct{ file *os.File }

// Acquire takes the lock of the data folder dir, which is made where it is missing. While another process holds it, the
// error names that one. The lock ends with Release, or with the process, however it ends.
func Acquire(dir string) (*Lock, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("MASTHEAD_DATA_DIR: the folder %s cannot be made: %w", dir, err)
	}
	path := filepath.Join(dir, LockName)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("MASTHEAD_DATA_DIR: the folder %s cannot be used: %w", dir, err)
	}
	switch err := lockFile(f); {
	case err == nil:
		return &Lock{f}, nil
	case errors.Is(err, errNoLocks):
		// Better without a guard than not at all.
		slog.Warn("this file system locks no files: nothing stops a second server on the same database", "folder", dir)
		return &Lock{f}, nil
	case errors.Is(err, errLocked):
		return nil, errors.Join(servedAlready(dir, f), f.Close())
	default:
		return nil, errors.Join(fmt.Errorf("lock %s: %w", path, err), f.Close())
	}
}

func servedAlready(dir string, f *os.File) error {
	text := make([]byte, maxLockText)
	n, _ := f.ReadAt(text, 0) // the text is for people; without it there is the rest of the sentence
	who := strings.TrimSpace(string(text[:n]))
	if who == "" {
		who = "a process that is just starting"
	}
	return fmt.Errorf("MASTHEAD_DATA_DIR: %s is served already, by %s. The embedded database takes one server: "+
		"stop that one, or give this one a folder of its own; many servers take Postgres (MASTHEAD_DATABASE_URL)", dir, who)
}

// Tell writes who holds the lock: this process, which serves at addr. It does nothing for a nil one.
func (l *Lock) Tell(addr string) {
	if l == nil {
		return
	}
	err := l.file.Truncate(0)
	if err == nil {
		_, err = l.file.WriteAt(fmt.Appendf(nil, "process %d at %s\n", os.Getpid(), addr), 0)
	}
	if err != nil {
		slog.Warn("it is not noted who serves from the data folder", "err", err)
	}
}

// Release ends the lock.
func (l *Lock) Release() error {
	// The file stays: were it removed, a process that has just opened it would lock one that nobody else finds.
	if err := errors.Join(l.file.Truncate(0), l.file.Close()); err != nil {
		return fmt.Errorf("release the data folder: %w", err)
	}
	return nil
}
