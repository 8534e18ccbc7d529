package images

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"masthead/pkg/blob"
)

// Times of the sweep.
const (
	// sweepEvery is how often files that lost their image are looked for. That reads one index, and writes nothing when
	// there are none.
	sweepEvery = 5 * time.Second
	// sweepAfterFault is the pause when something went wrong, such as a database that is away; for a file that could not
	// be deleted, before it is tried again.
	sweepAfterFault = time.Minute
	sweepTime       = time.Minute // most of one sweep; the next one goes on
	// doomTime is how long a file counts as being deleted. That is more than its deleting takes, so that whoever writes it
	// anew then, by a clock that is fast, does so after it was deleted.
	doomTime   = deleteTime + clockMargin
	deleteTime = 3 * time.Second
	sweepBatch = 100
)

// Run sweeps now, soon after an image was deleted, and every while, until ctx ends.
func (s *Service) Run(ctx context.Context) {
	for {
		pause := sweepEvery
		if err := s.Sweep(ctx); err != nil && ctx.Err() == nil {
			slog.ErrorContext(ctx, "sweep of the pictures failed", "err", err)
			pause = sweepAfterFault
		}
		select {
		case <-ctx.Done():
			return
		case <-s.deleted:
		case <-time.After(pause):
		}
	}
}

// nudge lets Run sweep now.
func (s *Service) nudge() {
	select {
	case s.deleted <- struct{}{}:
	default: // it will anyway
	}
}

// Sweep removes the files that no image names: those of deleted images at once, and after an hour those of a job that
// was cut off before its record and those that were replaced. On many nodes, one sweeps at a time.
func (s *Service) Sweep(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, sweepTime)
	defer cancel()
	found, err := s.store.unnamed(ctx, millis(s.now()), sweepBatch)
	if err != nil || len(found) == 0 {
		return err
	}
	if s.leases != nil {
		held, err := s.leases.Acquire(ctx, "sweep of files")
		if err != nil || held == nil {
			return err
		}
		defer s.release(ctx, held)
	}
	stuck := 0
	for len(found) > 0 {
		left, err := s.sweepFiles(ctx, found)
		if err != nil {
			return err
		}
		stuck += left
		if found, err = s.store.unnamed(ctx, millis(s.now()), sweepBatch); err != nil {
			return err
		}
	}
	if stuck > 0 {
		return fmt.Errorf("%d files could not be deleted", stuck)
	}
	return nil
}

// sweepFiles deletes those of names that nobody names, and returns how many of them could not be deleted. Those are put
// back, for a sweep after a while.
func (s *Service) sweepFiles(ctx context.Context, names []blob.Name) (stuck int, err error) {
	now := s.now()
	until := millis(now.Add(doomTime))
	doomed, err := s.store.doom(ctx, names, millis(now), until)
	if err != nil {
		return 0, err
	}
	bounded, cancel := context.WithTimeout(ctx, deleteTime-s.now().Sub(now))
	defer cancel()
	var gone, left []blob.Name
	for _, n := range doomed {
		err := bounded.Err()
		if err == nil {
			err = s.blobs.Delete(bounded, n)
		}
		if err != nil {
			slog.WarnContext(ctx, "file not deleted", "digest", n.Digest, "name", n.File, "err", err)
			left = append(left, n)
			continue
		}
		gone = append(gone, n)
	}
	if err := s.store.forget(ctx, gone, until); err != nil {
		return len(left), err
	}
	for _, n := range gone {
		s.outdated.drop(n.Digest)
	}
	if len(left) == 0 {
		return 0, nil
	}
	return len(left), s.store.putBack(ctx, left, until, millis(s.now().Add(sweepAfterFault)))
}
