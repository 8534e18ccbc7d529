package images

import (
	"context"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/db"
	"masthead/pkg/identity"
	"masthead/pkg/jobs"
	"masthead/pkg/undo"
)

// This file deletes images in a way that can be taken back: a marked image is in no list and not found, and it isn't
// the image of its request any more: its cache key is another one, which begins with a mark and its ID.

// newDeletions returns the deletions that can be taken back.
func (s *Service) newDeletions(w *jobs.Worker) *undo.Deletions {
	u := undo.New(s.store.db, w, undo.Kind{
		Name: "image", Table: "images", Returns: "public_id",
		Mark:   `, cache_key = 'deleting ' || id || ' ' || cache_key`,
		Unmark: `, cache_key = SUBSTR(cache_key, LENGTH('deleting ' || id || ' ') + 1)`,
		Deleted: func(publicIDs []string) {
			for _, id := range publicIDs {
				s.memory.index.Forget(id)
			}
			s.files.SweepSoon()
		},
	})
	u.Now = func() time.Time { return s.now() }
	return u
}

// DeleteLater marks one image of the caller, to be deleted in a minute. [Service.Undelete] takes that back.
func (s *Service) DeleteLater(ctx context.Context, caller identity.Caller, id string) error {
	var publicIDs []string
	err := s.store.db.InTx(ctx, func(tx *db.Tx) (err error) {
		publicIDs, err = s.deletions.Mark(ctx, tx, caller.UserID, `id = ?`, id)
		if err == nil && len(publicIDs) == 0 {
			return errNoImage
		}
		return err
	})
	for _, publicID := range publicIDs {
		s.memory.index.Forget(publicID)
	}
	return err
}

// Undelete takes back [Service.DeleteLater]. It returns NOT_FOUND for an image that isn't marked or is deleted already,
// and CONFLICT if the same image was drawn again in the meantime.
func (s *Service) Undelete(ctx context.Context, caller identity.Caller, id string) (Record, error) {
	var publicIDs []string
	err := s.store.db.InTx(ctx, func(tx *db.Tx) (err error) {
		publicIDs, err = s.deletions.Unmark(ctx, tx, caller.UserID, `id = ?`, id)
		if err == nil && len(publicIDs) == 0 {
			return apperr.New(apperr.NotFound, "There is no image with this id whose deletion can be taken back.")
		}
		return err
	})
	if db.IsUnique(err) {
		return Record{}, apperr.Wrap(apperr.Conflict,
			"The image was drawn again after it was deleted. That one stays, with an id of its own.", err)
	}
	if err != nil {
		return Record{}, err
	}
	s.memory.index.Forget(publicIDs[0])
	return s.Get(ctx, caller, id)
}
