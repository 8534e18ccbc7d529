package audit

import (
	"context"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/db"
	"masthead/pkg/identity"
	"masthead/pkg/jobs"
	"masthead/pkg/undo"
)

// This file deletes reports in a way that can be taken back: a marked report is in no list and not found.

func (s *Service) newDeletions(w *jobs.Worker) *undo.Deletions {
	u := undo.New(s.store.db, w, undo.Kind{
		Name: "report", Table: "audits", Returns: "id", Deleted: func([]string) { s.files.SweepSoon() },
	})
	u.Now = func() time.Time { return s.now() }
	return u
}

// DeleteLater marks a report of the caller, to be deleted in a minute; NotFound if there is none. [Service.Undelete]
// takes that back.
func (s *Service) DeleteLater(ctx context.Context, caller identity.Caller, id string) error {
	return s.store.db.InTx(ctx, func(tx *db.Tx) error {
		marked, err := s.deletions.Mark(ctx, tx, caller.UserID, `public_id = ?`, id)
		if err == nil && len(marked) == 0 {
			return apperr.New(apperr.NotFound, noReport)
		}
		return err
	})
}

// Undelete takes back [Service.DeleteLater]; NotFound for a report that isn't marked or is deleted already.
func (s *Service) Undelete(ctx context.Context, caller identity.Caller, id string) (*Record, error) {
	err := s.store.db.InTx(ctx, func(tx *db.Tx) error {
		back, err := s.deletions.Unmark(ctx, tx, caller.UserID, `public_id = ?`, id)
		if err == nil && len(back) == 0 {
			return apperr.New(apperr.NotFound, "There is no report with this id whose deletion can be taken back.")
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return s.Get(ctx, caller, id)
}
