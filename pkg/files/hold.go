package files

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"masthead/pkg/blob"
	"masthead/pkg/db"
)

// How long files are kept that nothing refers to.
const (
	// keepTime is for a file that is being stored, and for one that was replaced, whose address pages show for a while.
	keepTime = time.Hour
	// outdatedTime is for a replaced file of the older JPEG encoder.
	outdatedTime = 30 * 24 * time.Hour
	// pollEvery is how often a writer looks whether the sweep that is deleting the file has finished.
	pollEvery = 50 * time.Millisecond
)

// ErrGone says that a file may have been deleted since it was written: it must be written again.
var ErrGone = errors.New("the file may have been deleted since it was written")

// Hold is what [Store.Write] has stored: the moment until which no sweep deletes each file. It is also a token: the
// moment in the row changes whenever the bytes may be deleted, so a file whose row still has it was not deleted since.
type Hold map[blob.Name]db.Millis

// Write stores files and holds them for [Refer], for half an hour at least. It waits while a sweep is deleting one of
// them. data stays the caller's.
func (s *Store) Write(ctx context.Context, data map[blob.Name][]byte) (Hold, error) {
	names := slices.SortedFunc(maps.Keys(data), byName)
	hold, err := s.hold(ctx, names)
	if err != nil {
		return nil, err
	}
	if len(names) == 1 { // as nearly always
		return hold, s.kind.Blobs.Put(ctx, names[0], data[names[0]])
	}
	writing, ctx := errgroup.WithContext(ctx)
	for n, file := range data {
		writing.Go(func() error { return s.kind.Blobs.Put(ctx, n, file) })
	}
	return hold, writing.Wait()
}

func (s *Store) hold(ctx context.Context, names []blob.Name) (Hold, error) {
	for {
		hold, err := s.tryHold(ctx, names)
		if err != nil {
			return nil, fmt.Errorf("hold files: %w", err)
		}
		if len(hold) == len(names) {
			return hold, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pollEvery):
		}
	}
}

// tryHold makes or updates the rows of files and returns the holds of those that no sweep is deleting. Writers of one
// file share its hold. A mark that lasts longer than any sweep gives it is of a clock that has gone back since.
func (s *Store) tryHold(ctx context.Context, names []blob.Name) (Hold, error) {
	now := s.now()
	var args []any
	for _, n := range names {
		args = append(args, n.Digest, n.File, s.kind.Name, millis(now.Add(keepTime)))
	}
	var rows []struct {
		blob.Name
		Until db.Millis `db:"keep_until"`
	}
	err := s.db.Brief().Regenerable().SelectWrite(ctx, &rows, `INSERT INTO files (digest, name, kind, keep_until)
		VALUES (?, ?, ?, ?)`+strings.Repeat(`, (?, ?, ?, ?)`, len(names)-1)+`
		ON CONFLICT (digest, name) DO UPDATE SET deleting_until = NULL,
			keep_until = CASE WHEN files.keep_until > ? THEN files.keep_until ELSE excluded.keep_until END
		WHERE files.deleting_until IS NULL OR files.deleting_until < ? OR files.deleting_until > ?
		RETURNING digest, name, keep_until`,
		append(args, millis(now.Add(keepTime/2)), millis(now), millis(now.Add(2*markTime)))...)
	hold := Hold{}
	for _, r := range rows {
		hold[r.Name] = r.Until
	}
	return hold, err
}

// Refer ends the holds of files in tx, the transaction that stores the references to them, and gives the files that
// they replace their time. [ErrGone] rolls tx back: the caller writes the files again.
func (s *Store) Refer(ctx context.Context, tx *db.Tx, hold Hold, replaced []blob.Name) error {
	now := s.now()
	names := slices.SortedFunc(maps.Keys(hold), byName)
	names = append(names, replaced...)
	slices.SortFunc(names, byName)
	for _, n := range slices.Compact(names) {
		until, held := hold[n]
		if !held {
			if _, err := tx.Exec(ctx, `UPDATE files
				SET keep_until = CASE WHEN outdated_of IS NULL THEN CAST(? AS BIGINT) ELSE CAST(? AS BIGINT) END
				WHERE digest = ? AND name = ? AND deleting_until IS NULL`,
				millis(now.Add(keepTime)), millis(now.Add(outdatedTime)), n.Digest, n.File); err != nil {
				return fmt.Errorf("keep a replaced file for a while: %w", err)
			}
			continue
		}
		// Without a moment in its row, the file has a reference, so it is there.
		rows, err := tx.Exec(ctx, `UPDATE files SET keep_until = NULL, outdated_of = NULL
			WHERE digest = ? AND name = ? AND (keep_until = ? OR keep_until IS NULL) AND deleting_until IS NULL`,
			n.Digest, n.File, until)
		if err != nil {
			return fmt.Errorf("end the hold of a file: %w", err)
		}
		if rows == 0 {
			return ErrGone
		}
	}
	return nil
}
