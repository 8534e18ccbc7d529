package jobs

import (
	"hash/fnv"
	"time"

	"masthead/pkg/db"
)

// Spread returns when periodic work is due again after a time: at its own time of the period, at least half a period
// later. Those times are spread over the period by the keys.
func Spread(key string, period time.Duration, after time.Time) time.Time {
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(key)) // never fails
	offset := time.Duration(sum.Sum64() % uint64(period))
	least := after.Add(period / 2)
	at := time.Unix(0, 0).Add(least.Sub(time.Unix(0, 0)).Truncate(period) + offset)
	if at.Before(least) {
		at = at.Add(period)
	}
	return db.Moment(at)
}
