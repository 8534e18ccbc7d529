package usage

import (
	"context"
	"fmt"

	"masthead/pkg/billing"
	"masthead/pkg/db"
)

// over returns the quotas of a plan that an account has used up this month. It implements [users.Limit].
func (s *Service) over(
	ctx context.Context, tx *db.Tx, accountID string, plan billing.Plan,
) (paused []string, err error) {
	month := MonthOf(s.now())
	var used struct {
		AI       int64 `db:"ai"`
		Pro      int64 `db:"pro"`
		Analyses int64 `db:"analyses"`
	}
	err = tx.Get(ctx, &used, `SELECT COUNT(*) AS ai, COALESCE(SUM(CASE WHEN pro THEN 1 ELSE 0 END), 0) AS pro,
			(SELECT COALESCE(SUM(units), 0) FROM usage_analyses WHERE owner_id = ? AND month = ?) AS analyses
		FROM usage_units WHERE owner_id = ? AND month = ? AND state <> 'released'`, accountID, month, accountID, month)
	if err != nil {
		return nil, fmt.Errorf("count what account %s has used: %w", accountID, err)
	}
	for _, of := range []struct {
		what        string
		used, limit int64
	}{
		{"AI images", used.AI, plan.AIUnits},
		{"Pro-model images", used.Pro, plan.ProUnits},
		{"AI analyses", used.Analyses, plan.Analyses},
	} {
		if of.used > 0 && of.used >= of.limit {
			paused = append(paused,
				fmt.Sprintf("%s for the rest of %s: %d used, %d included", of.what, month, of.used, of.limit))
		}
	}
	return paused, nil
}
