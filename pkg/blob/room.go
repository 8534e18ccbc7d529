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

// Free disk space that must remain. Source: docs/security.md#availability.
const (
	leastFree     = 256 << 20
	mostFree      = 2 << 30
	freeShare     = 20              // 1/20 of the file system
	roomFresh     = time.Second     // how long a measurement is cached
	roomRetry     = time.Minute     // when clients should try again
	filesRetry    = 2 * time.Second // likewise, if too many files are open
	noRoomForMore = "There is too little free disk space for new pictures. Stored pictures are still served."
)

// ErrNoRoom means that the disk is nearly full, so no file may be written. Its code is UNAVAILABLE.
var ErrNoRoom = &apperr.Error{Code: apperr.Unavailable, Detail: noRoomForMore, RetryAfter: roomRetry}

// Space returns the free bytes available to this process and the total size of the file system that contains dir.
type Space func(dir string) (free, total uint64, err error)

// Free returns the free space in dir in bytes, and the free space that must remain: with less, no file is written. The
// error is [errors.ErrUnsupported] where it can't be measured.
func Free(dir string) (free, least uint64, err error) {
	free, total, err := spaceOf(dir)
	return free, leastOf(total), err
}

// leastOf returns the free space that must remain on a file system.
func leastOf(total uint64) uint64 { return max(leastFree, min(mostFree, total/freeShare)) }

// room tracks whether there is enough free disk space.
type room struct {
	dir     string
	space   Space
	metrics *metrics
	now     func() time.Time

	mu      sync.Mutex
	asked   time.Time // time of the last measurement, or zero
	free    uint64
	lacking bool
}

// check returns [ErrNoRoom] if no file may be written. It asks the file system at most once per second.
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
			slog.Warn("can't measure free disk space", "err", err)
		}
		r.lacking = false // writes fail by themselves on a full disk
		return
	}
	r.free = free
	lacking := free < leastOf(total)
	if lacking != r.lacking {
		slog.Warn("free disk space for pictures", "enough", !lacking, "free_bytes", free, "total_bytes", total)
	}
	r.lacking = lacking
}

// refuse counts a write that was refused.
func (r *room) refuse() error {
	err := r.check()
	if err != nil {
		r.metrics.refused.Inc()
	}
	return err
}

// fault wraps an error of the file system. Temporary faults, a full disk and too many open files, become UNAVAILABLE.
func fault(doing string, err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		full := apperr.Wrap(ErrNoRoom.Code, ErrNoRoom.Detail, fmt.Errorf("%s: %w", doing, err))
		full.RetryAfter = ErrNoRoom.RetryAfter
		return full
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		many := apperr.Wrap(apperr.Unavailable, "Too many files are open. Try again in a few seconds.",
			fmt.Errorf("%s: %w", doing, err))
		many.RetryAfter = filesRetry
		return many
	}
	return fmt.Errorf("%s: %w", doing, err)
}
