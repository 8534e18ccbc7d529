package store

import (
	"context"
	"fmt"

	"masthead/pkg/db"
	"masthead/pkg/eviction"
)

// DropVariants removes the oldest pictures of a page that GET /og has made, all but most of them, and returns
// their public ids.
func DropVariants(ctx context.Context, tx *db.Tx, projectID, url string, most int) (dropped []string, err error) {
	err = tx.Select(ctx, &dropped, `DELETE FROM images WHERE id IN (
		SELECT id FROM images WHERE project_id = ? AND url = ? AND variant
		ORDER BY updated_at DESC, id DESC LIMIT 1000 OFFSET ?)
		RETURNING public_id`,
		projectID, url, most)
	if err != nil {
		return nil, fmt.Errorf("drop old variants: %w", err)
	}
	return dropped, nil
}

// Adopt notes that an image was asked for by POST, so that it is no variant any more.
func (s Store) Adopt(ctx context.Context, id string) error {
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		if _, err := tx.Exec(ctx, `UPDATE images SET variant = FALSE WHERE id = ? AND variant`, id); err != nil {
			return err
		}
		return eviction.Kept(ctx, tx, id)
	})
	if err != nil {
		return fmt.Errorf("adopt image %s: %w", id, err)
	}
	return nil
}

// NoteVariant tells the budgets of a picture that was saved under the fresh id, unless there was one. What was paid for
// is no part of them.
func NoteVariant(ctx context.Context, tx *db.Tx, saved Image, fresh string) error {
	if !saved.Variant || saved.IsAI() {
		if saved.ID == fresh {
			return nil
		}
		return eviction.Kept(ctx, tx, saved.ID)
	}
	var bytes int64
	for _, f := range saved.Files {
		bytes += f.SizeBytes
	}
	return eviction.Stored(ctx, tx, eviction.Variant{
		ImageID: saved.ID, OwnerID: saved.OwnerID, ProjectID: saved.ProjectID, URL: saved.URL, Bytes: bytes,
	}, saved.UpdatedAt.Time)
}
