package users_test

import (
	"context"
	"testing"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/auditlog"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/events"
	"masthead/pkg/users"
	"masthead/pkg/wire"
)

// TestPlan_isTheLargerOfGiftAndSubscription follows an account whose plan comes from both in turn.
func TestPlan_isTheLargerOfGiftAndSubscription(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		bus := events.NewBus()
		var changes []string
		var paused *[]string
		events.SubscriptionChanged.Notify(bus, func(_ events.Event, data events.Subscription) {
			changes = append(changes, string(data.PreviousPlan)+" -> "+string(data.Plan))
			paused = data.Paused
		})
		people := users.New(d, auditlog.New(d), bus)
		people.Limited(func(_ context.Context, _ *db.Tx, _, plan string) ([]string, error) {
			return map[string][]string{"free": {"2 webhooks", "a design"}, "plus": {"a webhook"}}[plan], nil
		})
		clock := db.Moment(time.Now())
		people.SetNow(func() time.Time { return clock })
		user, err := people.Create(t.Context(), users.NewUser{Email: "a@example.com", PasswordHash: "x"})
		if err != nil {
			t.Fatal(err)
		}
		gift := func(plan string, until time.Time) func() error {
			return func() error {
				_, err := people.Administer(t.Context(), user.ID, users.Administration{Plan: &plan, PlanUntil: until})
				return err
			}
		}
		paid := func(plan string, until time.Time) func() error {
			return func() error {
				return d.InTx(t.Context(), func(tx *db.Tx) error {
					_, err := people.SetPaid(t.Context(), tx, user.ID, users.Grant{Plan: plan, Until: until})
					return err
				})
			}
		}
		wait := func(hours int) func() error {
			return func() error {
				clock = clock.Add(time.Duration(hours) * time.Hour)
				return people.EndPlans(t.Context())
			}
		}
		hour := func(n int) time.Time { return clock.Add(time.Duration(n) * time.Hour) }
		never := time.Time{}
		for _, step := range []struct {
			what   string
			do     func() error
			plan   string
			source users.Source
			until  time.Time
			event  string
		}{
			{"gift", gift("plus", hour(2)), "plus", users.SourceGift, hour(2), "free -> plus"},
			{"an hour later", wait(1), "plus", users.SourceGift, hour(2), ""},
			{"larger subscription", paid("pro", never), "pro", users.SourceSubscription, never, "plus -> pro"},
			{"gift ends unnoticed", wait(1), "pro", users.SourceSubscription, never, ""},
			{"subscription with an end", paid("plus", hour(5)), "plus", users.SourceSubscription, hour(5), "pro -> plus"},
			{"larger gift", gift("pro", hour(9)), "pro", users.SourceGift, hour(9), "plus -> pro"},
			{"gift taken back", gift("free", never), "plus", users.SourceSubscription, hour(5), "pro -> plus"},
			{"end of the subscription", wait(3), "free", users.SourceNone, never, "plus -> free"},
			{"subscription that is over", paid("pro", hour(5)), "free", users.SourceNone, never, ""},
			{"gift without an end", gift("plus", never), "plus", users.SourceGift, never, "free -> plus"},
			{"a year later", wait(366 * 24), "plus", users.SourceGift, never, ""},
		} {
			changes, paused = nil, nil
			if err := step.do(); err != nil {
				t.Fatalf("%s: %v", step.what, err)
			}
			smaller := map[string]int{"pro -> plus": 1, "plus -> free": 2}[step.event]
			if smaller != len(wire.Value(paused)) {
				t.Errorf("%s: %v are paused, want %d", step.what, paused, smaller)
			}
			now, err := people.ByID(t.Context(), user.ID)
			source, until := now.PlanSource()
			if step.event != "" && !now.UpdatedAt.Equal(clock) {
				t.Errorf("%s: changed at %v, want %v", step.what, now.UpdatedAt, clock)
			}
			if err != nil || now.Plan != step.plan || source != step.source || !until.Equal(step.until) {
				t.Errorf("%s: got %s from %s until %v, %v; want %s from %s until %v", step.what, now.Plan, source, until, err,
					step.plan, step.source, step.until)
			}
			event := ""
			if len(changes) > 0 {
				event = changes[0]
			}
			if len(changes) > 1 || event != step.event {
				t.Errorf("%s: got the events %v, want %q", step.what, changes, step.event)
			}
		}
		for what, bad := range map[string]func() error{
			"end in the past": gift("plus", clock), "end of nothing": gift("free", hour(1000)),
		} {
			if err := bad(); apperr.CodeOf(err) != apperr.BadRequest {
				t.Errorf("%s: got %v, want BAD_REQUEST", what, err)
			}
		}
	})
}
