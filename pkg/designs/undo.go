package designs

import (
	"context"
	"fmt"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/db"
	"masthead/pkg/identity"
	"masthead/pkg/jobs"
	"masthead/pkg/undo"
)

// This file deletes designs in a way that can be taken back: a marked design is in no list and not found, and requests
// that name its slug are drawn with it until then.

func (s *Service) newDeletions(w *jobs.Worker) *undo.Deletions {
	u := undo.New(s.store.db, w, undo.Kind{
		Name: "design", Table: "designs", Returns: "project_id",
		Deleted: func(of []string) {
			for _, projectID := range of {
				s.changed(projectID, "")
			}
		},
	})
	u.Now = func() time.Time { return s.now() }
	return u
}

// DeleteLater marks a design of the caller, to be deleted in a minute, or returns NOT_FOUND. [Service.Undelete] takes
// that back.
func (s *Service) DeleteLater(ctx context.Context, caller identity.Caller, id string) error {
	return s.store.db.InTx(ctx, func(tx *db.Tx) error {
		marked, err := s.deletions.Mark(ctx, tx, caller.UserID, `id = ? AND (CAST(? AS TEXT) = '' OR project_id = ?)`,
			id, caller.KeyProjectID, caller.KeyProjectID)
		if err == nil && len(marked) == 0 {
			err = apperr.New(apperr.NotFound, noDesign)
		}
		return err
	})
}

// Undelete takes back [Service.DeleteLater] and returns the design: NOT_FOUND for one that isn't marked or is deleted
// already, TIER_LOCKED if the plan has no room for it any more.
func (s *Service) Undelete(ctx context.Context, caller identity.Caller, id string) (Document, error) {
	plan, err := s.plans.PlanOf(ctx, caller.UserID)
	if err != nil {
		return Document{}, err
	}
	err = s.store.db.InTx(ctx, func(tx *db.Tx) error {
		if err := lockAccount(ctx, tx, caller.UserID); err != nil {
			return err
		}
		back, err := s.deletions.Unmark(ctx, tx, caller.UserID, `id = ? AND (CAST(? AS TEXT) = '' OR project_id = ?)`,
			id, caller.KeyProjectID, caller.KeyProjectID)
		if err != nil {
			return err
		}
		if len(back) == 0 {
			return apperr.New(apperr.NotFound, "There is no design with this id whose deletion can be taken back.")
		}
		var all int
		err = tx.Get(ctx, &all, `SELECT COUNT(*) FROM designs WHERE owner_id = ? AND deleting_at IS NULL`, caller.UserID)
		if err != nil {
			return fmt.Errorf("count the designs of account %s: %w", caller.UserID, err)
		}
		if all > plan.Designs {
			return noRoom(plan)
		}
		return nil
	})
	if err != nil {
		return Document{}, err
	}
	return s.store.get(ctx, caller, id, 0)
}
