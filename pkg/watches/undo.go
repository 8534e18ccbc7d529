package watches

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

// This file deletes watches in a way that can be taken back: a marked watch is gone, like a page that its sitemap no
// longer lists, so it is in no list, not found and not audited. A sitemap's pages are marked with it.

func (s *Service) newDeletions(w *jobs.Worker) *undo.Deletions {
	u := undo.New(s.store.db, w, undo.Kind{
		Name: "watch", Table: "watches", Returns: "id", Mark: `, gone_at = ?`, Unmark: `, gone_at = NULL`,
	})
	u.Now = func() time.Time { return s.now() }
	return u
}

// withPages is the condition for a watch and, of a sitemap, its pages, that a key may use.
const withPages = `(id = ? OR sitemap_id = ?) AND (CAST(? AS TEXT) = '' OR project_id = ?)`

func inPages(c identity.Caller, id string) []any {
	return []any{id, id, c.KeyProjectID, c.KeyProjectID}
}

// DeleteLater marks a watch of the caller, to be deleted in a minute, with the errors of [Service.Delete].
// [Service.Undelete] takes that back.
func (s *Service) DeleteLater(ctx context.Context, caller identity.Caller, id string) error {
	if err := s.deletable(ctx, caller, id); err != nil {
		return err
	}
	return s.store.db.InTx(ctx, func(tx *db.Tx) error {
		marked, err := s.deletions.Mark(ctx, tx, caller.UserID, withPages+` AND gone_at IS NULL`, inPages(caller, id)...)
		if err == nil && len(marked) == 0 {
			return apperr.New(apperr.NotFound, noWatch)
		}
		return err
	})
}

// Undelete takes back [Service.DeleteLater] and returns the watch. NotFound for one that isn't marked or is deleted
// already, TierLocked if the plan has no room for it any more.
func (s *Service) Undelete(ctx context.Context, caller identity.Caller, id string) (Watch, error) {
	plan, err := s.deps.Plans.PlanOf(ctx, caller.UserID)
	if err != nil {
		return Watch{}, err
	}
	err = s.store.db.InTx(ctx, func(tx *db.Tx) error {
		if err := lockAccount(ctx, tx, caller.UserID); err != nil {
			return err
		}
		// The jobs come first, as in the transaction that ends one.
		marked, err := markedWatches(ctx, tx, caller, id)
		if err != nil {
			return err
		}
		for _, w := range marked {
			if err := s.queue.EnqueueAt(ctx, tx, w.OwnerID, w.ID, w.NextAt, nil); err != nil {
				return err
			}
		}
		back, err := s.deletions.Unmark(ctx, tx, caller.UserID, withPages, inPages(caller, id)...)
		if err != nil {
			return err
		}
		if len(back) == 0 {
			return apperr.New(apperr.NotFound, "There is no watched page with this id whose deletion can be taken back.")
		}
		most, err := countMost(ctx, tx, caller.UserID, Sitemap)
		if err == nil && most > plan.Watches {
			return full(plan)
		}
		return err
	})
	if err != nil {
		return Watch{}, err
	}
	return s.get(ctx, caller, id)
}

// markedWatches returns a marked watch with its pages.
func markedWatches(ctx context.Context, tx *db.Tx, c identity.Caller, id string) (all []Watch, err error) {
	var rows []row
	err = tx.Select(ctx, &rows, `SELECT `+columns+` FROM watches WHERE owner_id = ? AND deleting_at IS NOT NULL AND `+
		withPages, append([]any{c.UserID}, inPages(c, id)...)...)
	if err != nil {
		return nil, fmt.Errorf("find the deleted watch %s: %w", id, err)
	}
	for _, r := range rows {
		all = append(all, r.watch())
	}
	return all, nil
}
