package store

import (
	"context"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/db"
	"masthead/pkg/jobs"
	"masthead/pkg/undo"
)

// Deletions delete images in a way that can be taken back: a marked image is in no list and not found, and it isn't the
// image of its request any more: its cache key is another one, which begins with a mark and its ID.
type Deletions struct {
	store Store
	kind  *undo.Deletions
}

// Deletions returns the deletions that can be taken back, whose jobs are done by w. deleted is told the public IDs of
// images that are gone for good.
func (s Store) Deletions(w *jobs.Worker, now func() time.Time, deleted func(publicIDs []string)) *Deletions {
	kind := undo.New(s.db, w, undo.Kind{
		Name: "image", Table: "images", Returns: "public_id",
		Mark:    `, cache_key = 'deleting ' || id || ' ' || cache_key`,
		Unmark:  `, cache_key = SUBSTR(cache_key, LENGTH('deleting ' || id || ' ') + 1)`,
		Deleted: deleted,
	})
	kind.Now = now
	return &Deletions{s, kind}
}

// Mark marks an image of an owner, to be deleted in a minute, and returns its public ID; NOT_FOUND without one. With
// any other error too, what it returned may be marked.
func (d *Deletions) Mark(ctx context.Context, ownerID, id string) (publicID string, err error) {
	return d.one(ctx, d.kind.Mark, ownerID, id, ErrNoImage)
}

// Unmark takes back [Deletions.Mark], and returns the public ID. It returns NOT_FOUND for an image that isn't marked or
// is deleted already, and CONFLICT if the same image was drawn again in the meantime.
func (d *Deletions) Unmark(ctx context.Context, ownerID, id string) (publicID string, err error) {
	publicID, err = d.one(ctx, d.kind.Unmark, ownerID, id,
		apperr.New(apperr.NotFound, "There is no image with this id whose deletion can be taken back."))
	if db.IsUnique(err) {
		err = apperr.Wrap(apperr.Conflict,
			"The image was drawn again after it was deleted. That one stays, with an id of its own.", err)
	}
	return publicID, err
}

// one marks or unmarks an image of an owner in a transaction, and returns its public ID; none without one.
func (d *Deletions) one(
	ctx context.Context, change func(_ context.Context, _ *db.Tx, ownerID, where string, args ...any) ([]string, error),
	ownerID, id string, none error,
) (publicID string, err error) {
	err = d.store.db.InTx(ctx, func(tx *db.Tx) error {
		publicIDs, err := change(ctx, tx, ownerID, `id = ?`, id)
		if err != nil {
			return err
		}
		if len(publicIDs) == 0 {
			return none
		}
		publicID = publicIDs[0]
		return nil
	})
	return publicID, err
}
