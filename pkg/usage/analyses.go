package usage

import (
	"context"
	"fmt"

	"masthead/pkg/billing"
	"masthead/pkg/db"
)

// This file owns the ledger of analyses by a model: a unit is taken in the transaction that asks for one, and given
// back in the one that notes that there will be none.

// TakeAnalysis takes one of the month's analyses that the owner's plan has; [ErrQuota] when all are taken. It returns
// the month, which is the present one in UTC, to give the unit back to.
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
	return month, nil
}

// ReturnAnalysis gives a unit back to its month. It is for who ends the work that took it, once.
func (s *Service) ReturnAnalysis(ctx context.Context, tx *db.Tx, ownerID, month string) error {
	_, err := tx.Exec(ctx, `UPDATE usage_analyses SET units = units - 1 WHERE owner_id = ? AND month = ? AND units > 0`,
		ownerID, month)
	if err != nil {
		return fmt.Errorf("give an analysis back: %w", err)
	}
	return nil
}
