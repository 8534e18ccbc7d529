package images

import (
	"context"
	"fmt"

	"masthead/pkg/db"
)

// maxVariants is how many pictures of one page are kept that GET /og has made.
const maxVariants = 50

// dropVariants removes the oldest pictures of a page that GET /og has made, all but most of them, and returns
// their public ids.
func dropVariants(ctx context.Context, tx *db.Tx, projectID, url string, most int) (dropped []string, err error) {
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

// adopt notes that an image was asked for by POST, so that it is no variant any more.
func (s store) adopt(ctx context.Context, id string) error {
	if _, err := s.db.Exec(ctx, `UPDATE images SET variant = FALSE WHERE id = ? AND variant`, id); err != nil {
		return fmt.Errorf("adopt image %s: %w", id, err)
	}
	return nil
}
