package usage

import (
	"context"
	"fmt"
	"time"

	"masthead/pkg/billing"
	"masthead/pkg/db"
)

// ReservePublic is like [Service.Reserve] for a picture requested by an anonymous caller. Such pictures can use at
// most half of the month's units, and per day at most a tenth (at least one). Otherwise a widely shared page could
// use up a month's quota in an hour. Source: docs/security.md#limits-and-quotas.
func (s *Service) ReservePublic(ctx context.Context, ownerID string, job string, pro bool) (*Reservation, error) {
	return s.reserve(ctx, unit{OwnerID: ownerID, Job: job, Pro: pro, Public: true})
}

// LeftPublic is like [Service.Left] for pictures requested by anonymous callers.
func (s *Service) LeftPublic(ctx context.Context, ownerID string, pro bool) (bool, error) {
	left, err := s.Left(ctx, ownerID, pro)
	if err != nil || !left {
		return false, err
	}
	plan, err := s.plans.PlanOf(ctx, ownerID)
	if err != nil {
		return false, fmt.Errorf("check the remaining quota: %w", err)
	}
	now := s.now()
	counted, err := countPublic(ctx, s.store.db, ownerID, MonthOf(now), startOfDay(now))
	if err != nil {
		return false, err
	}
	return !counted.beyond(plan, 1), nil
}

// publicUnits counts the units used by anonymous callers, this month and today.
type publicUnits struct {
	Month int64 `db:"month_units"`
	Day   int64 `db:"day_units"`
}

// beyond reports whether more additional units would exceed the plan's limits for anonymous callers.
func (n publicUnits) beyond(plan billing.Plan, more int64) bool {
	return n.Month+more > plan.AIUnits/2 || n.Day+more > max(1, plan.AIUnits/10)
}

// getter is a database or a transaction.
type getter interface {
	Get(ctx context.Context, dest any, query string, args ...any) error
}

// countPublic counts the units reserved or used by anonymous callers, in a month and since day.
func countPublic(ctx context.Context, from getter, ownerID, month string, day db.Millis) (n publicUnits, err error) {
	err = from.Get(ctx, &n, `SELECT COUNT(*) AS month_units,
			COALESCE(SUM(CASE WHEN reserved_at >= ? THEN 1 ELSE 0 END), 0) AS day_units
		FROM usage_units WHERE owner_id = ? AND month = ? AND public AND state <> 'released'`, day, ownerID, month)
	if err != nil {
		return n, fmt.Errorf("count the units of anonymous callers: %w", err)
	}
	return n, nil
}

// startOfDay returns the start of t's day in UTC.
func startOfDay(t time.Time) db.Millis { return db.Millis{Time: t.UTC().Truncate(24 * time.Hour)} }
