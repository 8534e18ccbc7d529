package images

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"masthead/pkg/blob"
)

// Times of the sweep.
const (
	// sweepEvery is how often it is looked for files that lost their image; that reads one index, and writes nothing when
	// there are none.
	sweepEvery = 5 * time.Second
	// sweepAfterFault is the pause when something went wrong, such as a database that is away.
	sweepAfterFault = time.Minute
	sweepTime       = time.Minute // most of one sweep; the next one goes on
	// doomTime is how long a file counts as being deleted. That is more than its deleting takes, so that whoever writes it
	// anew then, by a clock that is fast, does so after it was deleted.
	doomTime   = deleteTime + clockMargin
	deleteTime = 5 * time.Second
	sweepBatch = 100
)

// Run sweeps now, soon after an image was deleted, and every while, until ctx ends.
//
// This is the place for a slow check of what files hold, too: it would read them one by one, pass over those whose
// digest is right, and report the others as lost (find then draws them anew).
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
		held, err := s.leases.Acquire(ctx, "sweep of files", sweepTime+clockMargin)
		if err != nil || held == nil {
			return err
		}
		defer s.release(ctx, held)
	}
	for len(found) > 0 {
		if err := s.sweepFiles(ctx, found); err != nil {
			return err
		}
		if found, err = s.store.unnamed(ctx, millis(s.now()), sweepBatch); err != nil {
			return err
		}
	}
	return nil
}

// sweepFiles deletes those of names that nobody names. One that cannot be deleted is tried again when its time as a
// doomed one is over.
func (s *Service) sweepFiles(ctx context.Context, names []blob.Name) error {
	now := s.now()
	until := millis(now.Add(doomTime))
	doomed, err := s.store.doom(ctx, names, millis(now), until)
	if err != nil {
		return err
	}
	bounded, cancel := context.WithTimeout(ctx, deleteTime-s.now().Sub(now))
	defer cancel()
	var gone []blob.Name
	var faults []error
	for _, n := range doomed {
		err := bounded.Err()
		if err == nil {
			err = s.blobs.Delete(bounded, n)
		}
		if err != nil {
			faults = append(faults, err)
			continue
		}
		gone = append(gone, n)
	}
	return errors.Join(append(faults, s.store.forget(ctx, gone, until))...)
}
