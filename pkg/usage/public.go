package usage

import (
	"context"
	"fmt"
	"time"

	"masthead/pkg/billing"
	"masthead/pkg/db"
)

// ReservePublic is [Service.Reserve] for a picture that a stranger asks for. At most half of the month's units go to
// those, and of them in a day at most a tenth of the month's, or one: else a page that many share would spend a month
// in an hour. Source: the service's decisions, "Public endpoint".
func (s *Service) ReservePublic(ctx context.Context, ownerID string, job string, pro bool) (*Reservation, error) {
	return s.reserve(ctx, unit{OwnerID: ownerID, Job: job, Pro: pro, Public: true})
}

// LeftPublic is [Service.Left] for pictures that strangers ask for.
func (s *Service) LeftPublic(ctx context.Context, ownerID string, pro bool) (bool, error) {
	left, err := s.Left(ctx, ownerID, pro)
	if err != nil || !left {
		return false, err
	}
	plan, err := s.plans.PlanOf(ctx, ownerID)
	if err != nil {
		return false, fmt.Errorf("look what is left: %w", err)
	}
	now := s.now()
	counted, err := countPublic(ctx, s.store.db, ownerID, MonthOf(now), startOfDay(now))
	if err != nil {
		return false, err
	}
	return !counted.beyond(plan, 1), nil
}

// publicUnits are the units of pictures that strangers have asked for, in a month and in the present day.
type publicUnits struct {
	Month int64 `db:"month_units"`
	Day   int64 `db:"day_units"`
}

// beyond says whether so many more are more than the plan has for strangers.
func (n publicUnits) beyond(plan billing.Plan, more int64) bool {
	return n.Month+more > plan.AIUnits/2 || n.Day+more > max(1, plan.AIUnits/10)
}

// getter is a database, or a transaction in it.
type getter interface {
	Get(ctx context.Context, dest any, query string, args ...any) error
}

// countPublic counts the units of a month, and those since day, that are reserved or kept for strangers.
func countPublic(ctx context.Context, from getter, ownerID, month string, day db.Millis) (n publicUnits, err error) {
	err = from.Get(ctx, &n, `SELECT COUNT(*) AS month_units,
			COALESCE(SUM(CASE WHEN reserved_at >= ? THEN 1 ELSE 0 END), 0) AS day_units
		FROM usage_units WHERE owner_id = ? AND month = ? AND public AND state <> 'released'`, day, ownerID, month)
	if err != nil {
		return n, fmt.Errorf("count the units of strangers: %w", err)
	}
	return n, nil
}

// startOfDay is the beginning of the day of a moment, in UTC.
func startOfDay(t time.Time) db.Millis { return db.Millis{Time: t.UTC().Truncate(24 * time.Hour)} }
