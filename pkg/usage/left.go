package usage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// Left reports whether the owner has a unit left this month, of the pro model if pro is set. It reserves nothing: a
// concurrent request may take the unit before Reserve does.
func (s *Service) Left(ctx context.Context, ownerID string, pro bool) (bool, error) {
	plan, err := s.plans.PlanOf(ctx, ownerID)
	if err != nil {
		return false, fmt.Errorf("check the remaining quota: %w", err)
	}
	var used struct {
		Units    int64 `db:"units"`
		ProUnits int64 `db:"pro_units"`
	}
	err = s.store.db.Get(ctx, &used, `SELECT units, pro_units FROM usage_months WHERE owner_id = ? AND month = ?`,
		ownerID, MonthOf(s.now()))
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return false, fmt.Errorf("check the remaining quota: %w", err)
	}
	return used.Units < plan.AIUnits && (!pro || used.ProUnits < plan.ProUnits), nil
}
