package images

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"masthead/pkg/blob"
	"masthead/pkg/db"
)

// The life of a file. It is written, and the transaction that keeps the image then makes its row: the file is named.
// One that has a row already is claimed before it is written, with a moment until which no sweep takes it (keep_until),
// and naming takes that moment away. When its last image goes, a trigger makes it the sweep's at once, and when another
// file takes its place, after an hour. A sweep first dooms the row, which only works for a file that nobody names or is
// about to name, then deletes the file, then the row; a doomed file cannot be claimed or named.
//
// Between the writing and the naming another image may have named the file, lost it again to a sweep, and a third job
// may have claimed it anew without having written it yet. So each row has a life, which ends when a sweep may have
// deleted the file: a claimed file is named only in the life that it was written in. One without a claim is named where
// it has no row, or an image names it, whose file is there; and is looked for after that, since the row that it had
// meanwhile may have gone with it. So a file that an image names is there, and one that nobody names has a row by which
// it is found, but where a program was killed, or lost its database, before the naming: that one the scrub finds.

// byName orders rows of files, so that two transactions which lock several of them never wait for each other.
func byName(a, b blob.Name) int {
	return cmp.Or(strings.Compare(a.Digest, b.Digest), strings.Compare(a.File, b.File))
}

// claim notes files that are about to be written, and may have a row; no sweep takes them before the given moment. It
// returns the lives of their rows; a file that a sweep is deleting has none. One that is doomed for longer than any
// sweep takes was by a clock that has gone back since, and is free. A file whose claim is lost in a power cut is found
// by the scrub.
func (s store) claim(
	ctx context.Context, names []blob.Name, now, until db.Millis,
) (lives map[blob.Name]string, err error) {
	names = slices.SortedFunc(slices.Values(names), byName)
	life := db.NewID()
	var args []any
	for _, n := range names {
		args = append(args, n.Digest, n.File, until, life)
	}
	var rows []struct {
		blob.Name
		Life string `db:"life"`
	}
	err = s.db.Regenerable().SelectWrite(ctx, &rows, `INSERT INTO files (digest, name, keep_until, life)
		VALUES (?, ?, ?, ?)`+strings.Repeat(`, (?, ?, ?, ?)`, len(names)-1)+`
		ON CONFLICT (digest, name) DO UPDATE SET keep_until = excluded.keep_until, doomed_until = NULL,
			life = CASE WHEN files.doomed_until IS NULL THEN files.life ELSE excluded.life END
		WHERE files.doomed_until IS NULL OR files.doomed_until < ? OR files.doomed_until > ?
		RETURNING digest, name, life`, append(args, now, millis(now.Add(2*doomTime)))...)
	if err != nil {
		return nil, fmt.Errorf("claim files: %w", err)
	}
	lives = map[blob.Name]string{}
	for _, r := range rows {
		lives[r.Name] = r.Life
	}
	return lives, nil
}

func filesOf(ctx context.Context, tx *db.Tx, imageID string) (files []File, err error) {
	err = tx.Select(ctx, &files, `SELECT name, digest, content_type, width, height, size_bytes FROM image_files
		WHERE image_id = ? ORDER BY position`, imageID)
	if err != nil {
		return nil, fmt.Errorf("find the files of an image: %w", err)
	}
	return files, nil
}

// holdFiles takes the moment away from the files that are to be named, and gives the old ones theirs: an outdated file
// stays longer than others.
func holdFiles(ctx context.Context, tx *db.Tx, files, old []File, now db.Millis) error {
	fresh := map[blob.Name]File{}
	for _, f := range files {
		fresh[f.blobName()] = f
	}
	var rows []blob.Name
	for _, f := range slices.Concat(files, old) {
		rows = append(rows, f.blobName())
	}
	slices.SortFunc(rows, byName)
	for _, n := range slices.Compact(rows) {
		f, named := fresh[n]
		if !named {
			if _, err := tx.Exec(ctx, `UPDATE files
				SET keep_until = CASE WHEN outdated_of IS NULL THEN CAST(? AS BIGINT) ELSE CAST(? AS BIGINT) END
				WHERE digest = ? AND name = ? AND doomed_until IS NULL`,
				millis(now.Add(keepTime)), millis(now.Add(outdatedTime)), n.Digest, n.File); err != nil {
				return fmt.Errorf("keep a file that is replaced: %w", err)
			}
			continue
		}
		touched, err := nameFile(ctx, tx, f)
		if err != nil {
			return fmt.Errorf("name a file: %w", err)
		}
		if touched == 0 {
			return errFileGone
		}
	}
	return nil
}

// nameFile takes the moment away from a file that was claimed, or gives one that was not its row; it touches none where
// a sweep may have taken the file. What was just drawn is not outdated.
func nameFile(ctx context.Context, tx *db.Tx, f File) (touched int64, err error) {
	if f.claimed {
		return tx.Exec(ctx, `UPDATE files SET keep_until = NULL, outdated_of = NULL
			WHERE digest = ? AND name = ? AND doomed_until IS NULL AND life = ?`, f.Digest, f.Name, f.life)
	}
	return tx.Exec(ctx, `INSERT INTO files (digest, name, life) VALUES (?, ?, ?)
		ON CONFLICT (digest, name) DO UPDATE SET keep_until = NULL, outdated_of = NULL
		WHERE files.keep_until IS NULL AND files.doomed_until IS NULL`, f.Digest, f.Name, db.NewID())
}

// nameFiles gives an image, whose row tx holds, the written files in place of its old ones, which stay for a
// while. [errFileGone] says that a sweep took a file since it was claimed.
func nameFiles(ctx context.Context, tx *db.Tx, imageID string, files, old []File, now db.Millis) error {
	if err := holdFiles(ctx, tx, files, old, now); err != nil {
		return err
	}
	for _, f := range old {
		if slices.ContainsFunc(files, func(other File) bool { return other.Name == f.Name }) {
			continue // it is replaced below
		}
		if _, err := tx.Exec(ctx, `DELETE FROM image_files WHERE image_id = ? AND name = ?`, imageID, f.Name); err != nil {
			return fmt.Errorf("remove a file of an image: %w", err)
		}
	}
	for i, f := range files {
		_, err := tx.Exec(ctx, `INSERT INTO image_files
			(image_id, position, name, digest, content_type, width, height, size_bytes) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (image_id, name) DO UPDATE SET position = excluded.position, digest = excluded.digest,
				content_type = excluded.content_type, width = excluded.width, height = excluded.height,
				size_bytes = excluded.size_bytes`,
			imageID, i, f.Name, f.Digest, f.ContentType, f.Width, f.Height, f.SizeBytes)
		if err != nil {
			return fmt.Errorf("add a file of an image: %w", err)
		}
	}
	return nil
}

// unnamed returns at most limit files that a sweep may look at now.
func (s store) unnamed(ctx context.Context, now db.Millis, limit int) (names []blob.Name, err error) {
	err = s.db.Select(ctx, &names, `SELECT digest, name FROM files
		WHERE keep_until <= ? AND (doomed_until IS NULL OR doomed_until < ?) ORDER BY keep_until LIMIT ?`, now, now, limit)
	if err != nil {
		return nil, fmt.Errorf("look for files that nobody names: %w", err)
	}
	return names, nil
}

// doom marks those of names that nobody names, or is about to name, as being deleted until the given moment, and
// returns them.
func (s store) doom(ctx context.Context, names []blob.Name, now, until db.Millis) (doomed []blob.Name, err error) {
	names = slices.SortedFunc(slices.Values(names), byName)
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		doomed = nil
		for _, n := range names {
			ok, err := doomOne(ctx, tx, n, now, until)
			if err != nil {
				return fmt.Errorf("doom a file: %w", err)
			}
			if ok {
				doomed = append(doomed, n)
			}
		}
		return nil
	})
	return doomed, err
}

// doomOne works in two statements, since the first holds the row and only what the second sees is then certain: an
// image that comes to name the file, or whose end frees it, waits for the row.
func doomOne(ctx context.Context, tx *db.Tx, n blob.Name, now, until db.Millis) (ok bool, err error) {
	held, err := tx.Exec(ctx, `UPDATE files SET doomed_until = ?
		WHERE digest = ? AND name = ? AND keep_until <= ? AND (doomed_until IS NULL OR doomed_until < ?)`,
		until, n.Digest, n.File, now, now)
	if err != nil || held == 0 {
		return false, err
	}
	named, err := tx.Exec(ctx, `UPDATE files SET keep_until = NULL, doomed_until = NULL WHERE digest = ? AND name = ?
		AND EXISTS (SELECT 1 FROM image_files WHERE image_files.digest = files.digest AND image_files.name = files.name)`,
		n.Digest, n.File)
	return named == 0, err
}

// putBack lets a sweep try files again, which could not be deleted, after the given moment. The deleting may have
// worked all the same, so a new life begins.
func (s store) putBack(ctx context.Context, names []blob.Name, doomed, after db.Millis) error {
	life := db.NewID()
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		for _, n := range names {
			if _, err := tx.Exec(ctx, `UPDATE files SET doomed_until = NULL, keep_until = ?, life = ?
				WHERE digest = ? AND name = ? AND doomed_until = ?`, after, life, n.Digest, n.File, doomed); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("put files back that could not be deleted: %w", err)
	}
	return nil
}

// forget removes the rows of files that were deleted, unless their time as doomed ones ran out and somebody has claimed
// them since.
func (s store) forget(ctx context.Context, names []blob.Name, until db.Millis) error {
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		for _, n := range names {
			if _, err := tx.Exec(ctx, `DELETE FROM files WHERE digest = ? AND name = ? AND doomed_until = ?`, n.Digest, n.File,
				until); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("forget deleted files: %w", err)
	}
	return nil
}

func millis(t time.Time) db.Millis { return db.Millis{Time: t} }
