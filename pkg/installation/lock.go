package installation

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
)

// LockName is the file in the data folder that the serving process locks. Its text names that process for people. The
// file remains when the process exits; only the lock counts.
const LockName = "serving"

var (
	errLocked  = errors.New("locked by another process")
	errNoLocks = errors.New("file locks are not supported")
)

// maxLockText is the maximum number of bytes of the text to show.
const maxLockText = 200

// Lock is the right to serve from a data folder with an embedded database. Commands that create accounts and keys
// don't need it.
type Lock struct{ file *os.File }

// Acquire locks the data folder dir, creating it if necessary. If another process holds the lock, the error names
// that process. The lock is released by Release or when the process exits for any reason.
func Acquire(dir string) (*Lock, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("MASTHEAD_DATA_DIR: can't create the folder %s: %w", dir, err)
	}
	path := filepath.Join(dir, LockName)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("MASTHEAD_DATA_DIR: can't use the folder %s: %w", dir, err)
	}
	switch err := lockFile(f); {
	case err == nil:
		return &Lock{f}, nil
	case errors.Is(err, errNoLocks):
		// Running without protection is better than not starting.
		slog.Warn("this file system doesn't support locks: nothing prevents a second server on the same database",
			"folder", dir)
		return &Lock{f}, nil
	case errors.Is(err, errLocked):
		return nil, errors.Join(servedAlready(dir, f), f.Close())
	default:
		return nil, errors.Join(fmt.Errorf("lock %s: %w", path, err), f.Close())
	}
}

func servedAlready(dir string, f *os.File) error {
	text := make([]byte, maxLockText)
	n, _ := f.ReadAt(text, 0) // the text is optional: the error works without it
	who := cmp.Or(strings.TrimSpace(string(text[:n])), "a process that is starting")
	return fmt.Errorf("MASTHEAD_DATA_DIR: %s is already served by %s. The embedded database supports one server: "+
		"stop that one, give this one its own folder, or use Postgres (MASTHEAD_DATABASE_URL) for several servers", dir, who)
}

// Tell writes into the lock file that this process serves at addr. It does nothing if l is nil.
func (l *Lock) Tell(addr string) {
	if l == nil {
		return
	}
	err := l.file.Truncate(0)
	if err == nil {
		_, err = l.file.WriteAt(fmt.Appendf(nil, "process %d at %s\n", os.Getpid(), addr), 0)
	}
	if err != nil {
		slog.Warn("can't record which process serves from the data folder", "err", err)
	}
}

// Release releases the lock.
func (l *Lock) Release() error {
	// The file stays. If it were removed, a process that has just opened it would lock a file that no other process
	// finds.
	if err := errors.Join(l.file.Truncate(0), l.file.Close()); err != nil {
		return fmt.Errorf("release the data folder: %w", err)
	}
	return nil
}
