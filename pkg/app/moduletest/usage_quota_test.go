package moduletest_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"masthead/pkg/billing"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/events"
	"masthead/pkg/usage"
)

// Decisions: owners are told when 80 and 100 percent of a month's quota are used.
func TestReserve_at80And100Percent_publishesQuotaReached(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		for plan, want := range map[string][]string{
			"free": {"ai_images 100% at 3 of 3"}, // 80% of 3 is 3 as well
			"plus": {"ai_images 80% at 80 of 100", "ai_images 100% at 100 of 100"},
		} {
			t.Run(plan, func(t *testing.T) {
				l := newLedger(t, d, plan)
				defer func() { _, _ = d.Exec(t.Context(), `DELETE FROM users`) }()
				var got []string
				ids := map[string]bool{}
				events.QuotaReached.Notify(l.bus, func(e events.Event, q events.Quota) {
					ids[e.ID] = true
					got = append(got, fmt.Sprintf("%s %d%% at %d of %d", q.Resource, q.Percent, q.Used, q.Limit))
				})
				for i := range 120 {
					r, err := l.Reserve(t.Context(), l.owner, fmt.Sprint(plan, i), false)
					if err == nil {
						l.commit(t, r)
					}
				}
				if !slices.Equal(got, want) {
					t.Errorf("got %v, want %v", got, want)
				}
				if len(ids) != len(want) {
					t.Errorf("got the ids %v, want one for each percentage", ids)
				}
			})
		}
	})
}

// A unit that is given back and taken again reaches the limit again: the event has the same id.
func TestReserve_limitReachedAgain_publishesTheSameEvent(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		l := newLedger(t, d, "free")
		ids, times := map[string]bool{}, 0
		events.QuotaReached.Notify(l.bus, func(e events.Event, _ events.Quota) { ids[e.ID] = true; times++ })
		for _, job := range []string{"a", "b"} {
			l.commit(t, l.reserve(t, job))
		}
		l.release(t, l.reserve(t, "c"))
		l.commit(t, l.reserve(t, "d"))
		if times != 2 || len(ids) != 1 {
			t.Errorf("told %d times with %d ids, want 2 with one", times, len(ids))
		}
	})
}

func TestTakeAnalysis_at80And100Percent_publishesQuotaReached(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		l := newLedger(t, d, "free")
		var got []string
		events.QuotaReached.Notify(l.bus, func(_ events.Event, q events.Quota) {
			got = append(got, fmt.Sprintf("%s %d%% at %d of %d", q.Resource, q.Percent, q.Used, q.Limit))
		})
		for range 12 {
			err := d.InTx(t.Context(), func(tx *db.Tx) error {
				_, err := l.TakeAnalysis(t.Context(), tx, l.owner, billing.Plan{Analyses: 10})
				return err
			})
			if err != nil && !errors.Is(err, usage.ErrQuota) {
				t.Fatal(err)
			}
		}
		if want := []string{"ai_analyses 80% at 8 of 10", "ai_analyses 100% at 10 of 10"}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}
