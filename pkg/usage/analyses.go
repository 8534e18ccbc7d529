package usage

import (
	"context"
	"fmt"

	"masthead/pkg/billing"
	"masthead/pkg/db"
)

// This file implements the quota of analyses by a model. A unit is taken in the transaction that requests an
// analysis, and returned in the transaction that records that it won't be made.

// TakeAnalysis takes one analysis from the current month's quota, or returns [ErrQuota] if none is left. It returns
// the month (UTC), to which ReturnAnalysis can return the unit.
func (s *Service) TakeAnalysis(
	ctx context.Context, tx *db.Tx, ownerID string, plan billing.Plan,
) (month string, err error) {
	month = MonthOf(s.now())
	if plan.Analyses < 1 {
		return "", ErrQuota
	}
	rows, err := tx.Exec(ctx, `INSERT INTO usage_analyses (owner_id, month, units) VALUES (?, ?, 1)
		ON CONFLICT (owner_id, month) DO UPDATE SET units = usage_analyses.units + 1 WHERE usage_analyses.units < ?`,
		ownerID, month, plan.Analyses)
	if err != nil {
		return "", fmt.Errorf("take an analysis: %w", err)
	}
	if rows == 0 {
		return "", ErrQuota
	}
	return month, s.announce(ctx, tx, ownerID, month, analyses, plan.Analyses)
}

// ReturnAnalysis returns a unit to its month. Whoever ends the work that took the unit calls it, once.
func (s *Service) ReturnAnalysis(ctx context.Context, tx *db.Tx, ownerID, month string) error {
	_, err := tx.Exec(ctx, `UPDATE usage_analyses SET units = units - 1 WHERE owner_id = ? AND month = ? AND units > 0`,
		ownerID, month)
	if err != nil {
		return fmt.Errorf("return an analysis: %w", err)
	}
	return nil
}
