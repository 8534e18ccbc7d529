package blob

import (
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"syscall"
	"time"

	"masthead/pkg/apperr"
)

// How much must stay free for files to be written. Source: security requirements, "Staying up".
const (
	leastFree     = 256 << 20
	mostFree      = 2 << 30
	freeShare     = 20              // one part of so many of the file system
	roomFresh     = time.Second     // how long an answer of the file system counts
	roomRetry     = time.Minute     // when it makes sense to try again
	filesRetry    = 2 * time.Second // likewise, when too many files are open
	noRoomForMore = "There is too little free disk for new pictures; those that are kept are still served."
)

// ErrNoRoom says that no file may be written, since the disk is nearly full. It is UNAVAILABLE.
var ErrNoRoom = &apperr.Error{Code: apperr.Unavailable, Detail: noRoomForMore, RetryAfter: roomRetry}

// Space returns how many bytes of the file system that a folder is on are free to us, and how many it has.
type Space func(dir string) (free, total uint64, err error)

// room knows whether there is enough free disk.
type room struct {
	dir     string
	space   Space
	metrics *metrics
	now     func() time.Time

	mu      sync.Mutex
	asked   time.Time // when the file system was asked last; zero before
	free    uint64
	lacking bool
}

// check returns [ErrNoRoom] when no file may be written. It asks the file system at most once in a while.
func (r *room) check() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if now := r.now(); r.asked.IsZero() || now.Sub(r.asked).Abs() >= roomFresh {
		r.asked = now
		r.ask()
	}
	if r.lacking {
		return ErrNoRoom
	}
	return nil
}

func (r *room) ask() {
	free, total, err := r.space(r.dir)
	if err != nil {
		if !errors.Is(err, errors.ErrUnsupported) {
			slog.Warn("how much disk is free cannot be told", "err", err)
		}
		r.lacking = false // the file system says so itself when it is full
		return
	}
	r.free = free
	lacking := free < max(leastFree, min(mostFree, total/freeShare))
	if lacking != r.lacking {
		slog.Warn("free disk for pictures", "enough", !lacking, "free_bytes", free, "total_bytes", total)
	}
	r.lacking = lacking
}

// refuse counts a write that is not begun.
func (r *room) refuse() error {
	err := r.check()
	if err != nil {
		r.metrics.refused.Inc()
	}
	return err
}

// fault wraps an error of the file system. What is of the moment is UNAVAILABLE: a full disk, and too many open files.
func fault(doing string, err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		full := apperr.Wrap(ErrNoRoom.Code, ErrNoRoom.Detail, fmt.Errorf("%s: %w", doing, err))
		full.RetryAfter = ErrNoRoom.RetryAfter
		return full
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		many := apperr.Wrap(apperr.Unavailable, "Too many files are open just now.", fmt.Errorf("%s: %w", doing, err))
		many.RetryAfter = filesRetry
		return many
	}
	return fmt.Errorf("%s: %w", doing, err)
}
