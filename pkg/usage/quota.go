package usage

import (
	"context"
	"fmt"

	"masthead/pkg/db"
	"masthead/pkg/events"
)

// resource is what a plan allows a number of in a month.
type resource struct {
	name  events.QuotaResource
	table string // that counts it, by owner and month
}

var (
	pictures = resource{events.QuotaPictures, "usage_months"}
	analyses = resource{events.QuotaAnalyses, "usage_analyses"}
)

// announce publishes [events.QuotaReached] if the unit that was just taken in tx was the one that reached 80 or 100
// percent of the limit.
func (s *Service) announce(ctx context.Context, tx *db.Tx, ownerID, month string, r resource, limit int64) error {
	if !events.QuotaReached.Wanted(s.events) {
		return nil
	}
	var used int64
	err := tx.Get(ctx, &used, `SELECT units FROM `+r.table+` WHERE owner_id = ? AND month = ?`, ownerID, month)
	if err != nil {
		return fmt.Errorf("read what account %s has used: %w", ownerID, err)
	}
	for _, percent := range []int64{100, 80} {
		if used != (limit*percent+99)/100 {
			continue
		}
		once := fmt.Sprintf("%s %s %d", r.name, month, percent)
		return events.QuotaReached.PublishOnce(ctx, tx, s.events, ownerID, once, events.Quota{
			Resource: r.name, Month: month, Percent: events.QuotaPercent(percent), Used: used, Limit: limit,
		})
	}
	return nil
}
