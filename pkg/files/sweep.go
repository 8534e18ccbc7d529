package files

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"masthead/pkg/blob"
	"masthead/pkg/db"
	"masthead/pkg/lease"
)

// Times of the sweep.
const (
	// sweepEvery is how often garbage is looked for. That reads one index, and writes nothing when there is none.
	sweepEvery = 5 * time.Second
	// sweepAfterFault is the pause when something went wrong, such as a database that is away; for a file that could not
	// be deleted, before it is tried again.
	sweepAfterFault = time.Minute
	sweepTime       = time.Minute // most of one sweep; the next one goes on
	// markTime is how long a file is marked as being deleted. That is more than deleting it takes, by the clocks of two
	// nodes, so that its next writer writes it after it was deleted.
	markTime   = deleteTime + clockMargin
	deleteTime = 3 * time.Second
	sweepBatch = 100
	sweepLease = "sweep of files" // of the node that sweeps
	// clockMargin is how far apart the clocks of nodes may be.
	clockMargin = 12 * time.Second
	// leaseTime is how long the lease of a killed node lasts.
	leaseTime = clockMargin + 6*time.Second
	// databaseTime bounds a statement that is not to be interrupted by the end of its work.
	databaseTime = 3 * time.Second
)

// MarkTime is how long a killed sweep keeps others from writing the file that it was deleting.
const MarkTime = markTime

// Run sweeps now, soon after SweepSoon, and every while, until ctx ends.
func (l *Ledger) Run(ctx context.Context) {
	for {
		pause := sweepEvery
		if err := l.Sweep(ctx); err != nil && ctx.Err() == nil {
			slog.ErrorContext(ctx, "sweep of the files failed", "err", err)
			pause = sweepAfterFault
		}
		select {
		case <-ctx.Done():
			return
		case <-l.freed:
		case <-time.After(pause):
		}
	}
}

// SweepSoon lets Run sweep now, since files may have lost their references.
func (l *Ledger) SweepSoon() {
	select {
	case l.freed <- struct{}{}:
	default: // it will anyway
	}
}

// Sweep deletes the files that nothing refers to: at once those whose references were deleted, and after an hour those
// that were replaced, or written by a process that was killed before it referred to them. One node sweeps at a time.
func (l *Ledger) Sweep(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, sweepTime)
	defer cancel()
	var faults []error
	for _, s := range l.stores {
		faults = append(faults, s.sweep(ctx))
	}
	return errors.Join(faults...)
}

func (s *Store) sweep(ctx context.Context) error {
	found, err := s.candidates(ctx)
	if err != nil || len(found) == 0 {
		return err
	}
	if s.leases != nil {
		held, err := s.leases.Acquire(ctx, sweepLease)
		if err != nil || held == nil {
			return err
		}
		defer release(ctx, held)
	}
	stuck := 0
	for len(found) > 0 {
		left, err := s.sweepFiles(ctx, found)
		if err != nil {
			return err
		}
		stuck += left
		if found, err = s.candidates(ctx); err != nil {
			return err
		}
	}
	if stuck > 0 {
		return fmt.Errorf("%d files could not be deleted", stuck)
	}
	return nil
}

// release ends a lease; one that cannot be released ends by its time.
func release(ctx context.Context, held *lease.Lease) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), databaseTime)
	defer cancel()
	if err := held.Release(ctx); err != nil {
		slog.WarnContext(ctx, "lease not released", "err", err)
	}
}

// candidates returns a batch of the files that may be garbage.
func (s *Store) candidates(ctx context.Context) (names []blob.Name, err error) {
	now := millis(s.now())
	err = s.db.Select(ctx, &names, `SELECT digest, name FROM files
		WHERE keep_until <= ? AND kind = ? AND (deleting_until IS NULL OR deleting_until < ?)`+unlessPaused+`
		ORDER BY keep_until LIMIT ?`, now, s.kind.Name, now, now, sweepBatch)
	if err != nil {
		return nil, fmt.Errorf("look for garbage: %w", err)
	}
	return names, nil
}

// sweepFiles deletes those of names that are garbage, and returns how many of them could not be deleted. Those are
// tried again after a while.
func (s *Store) sweepFiles(ctx context.Context, names []blob.Name) (stuck int, err error) {
	now := s.now()
	until := millis(now.Add(markTime))
	marked, err := s.mark(ctx, names, millis(now), until)
	if err != nil {
		return 0, err
	}
	bounded, cancel := context.WithTimeout(ctx, deleteTime-s.now().Sub(now))
	defer cancel()
	var gone, left []blob.Name
	for _, n := range marked {
		err := bounded.Err()
		if err == nil {
			err = s.kind.Blobs.Delete(bounded, n)
		}
		if err != nil {
			slog.WarnContext(ctx, "file not deleted", "digest", n.Digest, "name", n.File, "err", err)
			left = append(left, n)
			continue
		}
		gone = append(gone, n)
	}
	for _, n := range gone {
		s.outdated.drop(n.Digest)
	}
	s.swept.WithLabelValues(s.kind.Name).Add(float64(len(gone)))
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		for _, n := range gone {
			if _, err := tx.Exec(ctx, `DELETE FROM files WHERE digest = ? AND name = ? AND deleting_until = ?`,
				n.Digest, n.File, until); err != nil {
				return fmt.Errorf("delete the row of a file: %w", err)
			}
		}
		return unmark(ctx, tx, left, until, millis(s.now().Add(sweepAfterFault)))
	})
	return len(left), err
}

// mark marks those of names that nothing refers to as being deleted until the given moment, and returns them.
func (s *Store) mark(ctx context.Context, names []blob.Name, now, until db.Millis) (marked []blob.Name, err error) {
	names = slices.SortedFunc(slices.Values(names), byName)
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		marked = nil
		for _, n := range names {
			ok, err := s.markOne(ctx, tx, n, now, until)
			if err != nil {
				return fmt.Errorf("mark a file: %w", err)
			}
			if ok {
				marked = append(marked, n)
			}
		}
		return nil
	})
	return marked, err
}

// markOne works in two statements: the first locks the row, so that what the second sees is certain. Whatever comes to
// refer to the file, or ceases to, waits for the row.
func (s *Store) markOne(ctx context.Context, tx *db.Tx, n blob.Name, now, until db.Millis) (ok bool, err error) {
	locked, err := tx.Exec(ctx, `UPDATE files SET deleting_until = ?
		WHERE digest = ? AND name = ? AND keep_until <= ? AND (deleting_until IS NULL OR deleting_until < ?)`+unlessPaused,
		until, n.Digest, n.File, now, now, now)
	if err != nil || locked == 0 {
		return false, err
	}
	referred, err := tx.Exec(ctx, `UPDATE files SET keep_until = NULL, deleting_until = NULL
		WHERE digest = ? AND name = ? AND EXISTS (SELECT 1 FROM (`+s.kind.References+`) AS r
			WHERE r.digest = files.digest AND r.name = files.name)`, n.Digest, n.File)
	return referred == 0, err
}

// unmark ends the marks of files that are kept until a moment, if not for longer. Their bytes may have been deleted, so
// the moment must differ from those of their holds.
func unmark(ctx context.Context, tx *db.Tx, names []blob.Name, marked, keep db.Millis) error {
	for _, n := range names {
		if _, err := tx.Exec(ctx, `UPDATE files SET deleting_until = NULL, keep_until = ?
			WHERE digest = ? AND name = ? AND deleting_until = ?`, keep, n.Digest, n.File, marked); err != nil {
			return fmt.Errorf("free a file that was to be deleted: %w", err)
		}
	}
	return nil
}

// Discard deletes a file that is referred to and that does not hold what its digest says, so that it is made again. A
// file that is being written stays, and so does one that was written since it was found damaged.
func (s *Store) Discard(ctx context.Context, n blob.Name, scope string) error {
	now := s.now()
	until, keep := millis(now.Add(markTime)), millis(now.Add(keepTime))
	rows, err := s.db.Exec(ctx, `UPDATE files SET deleting_until = ?, keep_until = ? WHERE digest = ? AND name = ?
		AND keep_until IS NULL AND (deleting_until IS NULL OR deleting_until < ?)`, until, keep, n.Digest, n.File,
		millis(now))
	if err != nil {
		return fmt.Errorf("mark a damaged file: %w", err)
	}
	if rows == 0 {
		return nil
	}
	bounded, cancel := context.WithTimeout(ctx, deleteTime)
	defer cancel()
	if copies, ok := s.kind.Blobs.(blob.Copies); ok {
		copies.Forget(n) // perhaps only the copy is damaged
	}
	data, err := s.kind.Blobs.Get(bounded, n)
	switch {
	case errors.Is(err, blob.ErrNotFound), err == nil && Digest(scope, data) == n.Digest:
		err = nil
	case err == nil, errors.Is(err, blob.ErrDamaged):
		if err = bounded.Err(); err == nil {
			err = s.kind.Blobs.Delete(bounded, n)
		}
	}
	return errors.Join(err, s.db.InTx(ctx, func(tx *db.Tx) error {
		return unmark(ctx, tx, []blob.Name{n}, until, keep)
	}))
}
