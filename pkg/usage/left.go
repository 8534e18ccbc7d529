package usage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// Left says whether the owner's month has a unit left just now, of the pro model where pro is set. Who wants the unit
// reserves it: until then another may take it.
func (s *Service) Left(ctx context.Context, ownerID string, pro bool) (bool, error) {
	plan, err := s.plans.PlanOf(ctx, ownerID)
	if err != nil {
		return false, fmt.Errorf("look what is left: %w", err)
	}
	var used struct {
		Units    int64 `db:"units"`
		ProUnits int64 `db:"pro_units"`
	}
	err = s.store.db.Get(ctx, &used, `SELECT units, pro_units FROM usage_months WHERE owner_id = ? AND month = ?`,
		ownerID, MonthOf(s.now()))
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return false, fmt.Errorf("look what is left: %w", err)
	}
	return used.Units < plan.AIUnits && (!pro || used.ProUnits < plan.ProUnits), nil
}
