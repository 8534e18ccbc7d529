package webhooks

import (
	"context"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/auditlog"
	"masthead/pkg/db"
	"masthead/pkg/identity"
	"masthead/pkg/jobs"
	"masthead/pkg/undo"
)

// This file deletes webhooks in a way that can be taken back: a marked webhook is in no list and not found, gets no
// events, and what waits for it is kept until then.

func (s *Service) newDeletions(w *jobs.Worker) *undo.Deletions {
	u := undo.New(s.store.db, w, undo.Kind{Name: "webhook", Table: "webhooks", Returns: "id"})
	u.Now = func() time.Time { return s.now() }
	return u
}

// DeleteLater marks a webhook of the caller, to be deleted in a minute, or returns NotFound. [Service.Undelete] takes
// that back.
func (s *Service) DeleteLater(ctx context.Context, caller identity.Caller, id string) error {
	return s.store.db.InTx(ctx, func(tx *db.Tx) error {
		marked, err := s.deletions.Mark(ctx, tx, caller.UserID, `id = ?`, id)
		if err != nil {
			return err
		}
		if len(marked) == 0 {
			return apperr.New(apperr.NotFound, noWebhook)
		}
		return s.deps.AuditLog.RecordIn(ctx, tx, auditlog.WebhookDeleted, caller.UserID, id)
	})
}

// Undelete takes back [Service.DeleteLater] and returns the webhook; what waits for it is sent. NotFound for one that
// isn't marked or is deleted already, TierLocked if the plan has no room for it any more.
func (s *Service) Undelete(ctx context.Context, caller identity.Caller, id string) (Webhook, error) {
	plan, err := s.deps.Plans.PlanOf(ctx, caller.UserID)
	if err != nil {
		return Webhook{}, err
	}
	err = s.store.db.InTx(ctx, func(tx *db.Tx) error {
		if err := lockAccount(ctx, tx, caller.UserID); err != nil {
			return err
		}
		back, err := s.deletions.Unmark(ctx, tx, caller.UserID, `id = ?`, id)
		if err != nil {
			return err
		}
		if len(back) == 0 {
			return apperr.New(apperr.NotFound, "There is no webhook with this id whose deletion can be taken back.")
		}
		count, err := countAll(ctx, tx, caller.UserID)
		if err != nil {
			return err
		}
		if count > plan.Webhooks {
			return full(plan)
		}
		if err := s.deps.AuditLog.RecordIn(ctx, tx, auditlog.WebhookRestored, caller.UserID, id); err != nil {
			return err
		}
		return s.queue.Wake(ctx, tx, id, id, nil)
	})
	if err != nil {
		return Webhook{}, err
	}
	return s.Get(ctx, caller, id)
}
