package users

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"masthead/pkg/auditlog"
	"masthead/pkg/db"
	"masthead/pkg/events"
)

// This file determines which plan an account has: the larger of its subscription's and of a gift from the operator, or
// Free. Whatever changes one of these determines the plan again in the same transaction.

// Source is where the plan of an account comes from.
type Source string

// Sources of plans.
const (
	SourceNone         Source = "none" // the plan is Free
	SourceGift         Source = "gift"
	SourceSubscription Source = "subscription"
)

// Grant is a plan until a time; a zero Until means that it doesn't end by itself.
type Grant struct {
	Plan  string
	Until time.Time
}

// at returns the grant as of now: Free if it has ended.
func (g Grant) at(now time.Time) Grant {
	if g.Plan == planFree || !g.Until.IsZero() && !now.Before(g.Until) {
		return Grant{Plan: planFree}
	}
	return g
}

// PlanSource returns where the account's plan comes from, and when it ends by itself, zero if it doesn't.
func (u User) PlanSource() (Source, time.Time) {
	switch u.Plan {
	case planFree:
		return SourceNone, time.Time{}
	case u.Paid.Plan:
		return SourceSubscription, u.Paid.Until
	}
	return SourceGift, u.Gift.Until
}

// plan returns the plan that the grants give, neither of which has ended, and when the first of them ends, zero if none
// does.
func (u User) plan() (plan string, ends time.Time) {
	plan, ends = u.Paid.Plan, u.Paid.Until
	if slices.Index(planNames, u.Gift.Plan) > slices.Index(planNames, plan) {
		plan = u.Gift.Plan
	}
	if ends.IsZero() || !u.Gift.Until.IsZero() && u.Gift.Until.Before(ends) {
		ends = u.Gift.Until
	}
	return plan, ends
}

// SetPaid changes in tx what the account's subscription grants, and returns the account, or NotFound. For the publisher
// of [events.SubscriptionChanged] it is the one way by which payments change a plan.
func (s *Service) SetPaid(ctx context.Context, tx *db.Tx, id string, paid Grant) (User, error) {
	var r row
	err := tx.Get(ctx, &r, `UPDATE users SET paid_plan = ?, paid_until = ? WHERE id = ? RETURNING `+columns,
		paid.Plan, db.Millis{Time: paid.Until}, id)
	if err != nil {
		return User{}, db.Missing(err, noAccount, "set the paid plan of account "+id)
	}
	return s.settle(ctx, tx, r.user())
}

// Payments are what operators should see of an account's payments.
type Payments struct {
	Disputes []string // ids of charges with a dispute that wasn't won
	Refunded int64    // the sum, in the smallest unit of its currency
}

// NotePayments notes in tx what the account's payments are now, for operators: when a dispute or refund was first seen.
// What an operator has reviewed isn't noted again, and a dispute that was won no longer is.
func (s *Service) NotePayments(ctx context.Context, tx *db.Tx, id string, now Payments) error {
	var was struct {
		Disputes   string    `db:"payment_disputes"`
		Refunded   int64     `db:"payment_refunds"`
		DisputedAt db.Millis `db:"payment_disputed_at"`
		RefundedAt db.Millis `db:"payment_refunded_at"`
	}
	err := tx.Get(ctx, &was, `SELECT payment_disputes, payment_refunds, payment_disputed_at, payment_refunded_at
		FROM users WHERE id = ?`, id)
	if err != nil {
		return db.Missing(err, noAccount, "find the payments of account "+id)
	}
	slices.Sort(now.Disputes)
	disputes := strings.Join(now.Disputes, " ")
	if disputes == was.Disputes && now.Refunded == was.Refunded {
		return nil
	}
	seen := strings.Fields(was.Disputes)
	another := slices.ContainsFunc(now.Disputes, func(id string) bool { return !slices.Contains(seen, id) })
	switch {
	case disputes == "":
		was.DisputedAt = db.Millis{}
	case another && was.DisputedAt.IsZero():
		was.DisputedAt.Time = s.now()
	}
	if now.Refunded > was.Refunded && was.RefundedAt.IsZero() {
		was.RefundedAt.Time = s.now()
	}
	_, err = tx.Exec(ctx, `UPDATE users SET payment_disputes = ?, payment_refunds = ?, payment_disputed_at = ?,
		payment_refunded_at = ? WHERE id = ?`, disputes, now.Refunded, was.DisputedAt, was.RefundedAt, id)
	return err
}

// settle determines the plan of an account that tx has locked, and records and publishes a change.
func (s *Service) settle(ctx context.Context, tx *db.Tx, u User) (User, error) {
	before, now := u.Plan, s.now()
	u.Gift, u.Paid = u.Gift.at(now), u.Paid.at(now)
	plan, again := u.plan()
	if plan != before {
		u.UpdatedAt = db.Moment(now)
	}
	_, err := tx.Exec(ctx, `UPDATE users SET plan = ?, plan_until = ?, gift_plan = ?, gift_until = ?, paid_plan = ?,
			paid_until = ?, updated_at = ? WHERE id = ?`, plan, db.Millis{Time: again}, u.Gift.Plan,
		db.Millis{Time: u.Gift.Until}, u.Paid.Plan, db.Millis{Time: u.Paid.Until}, db.Millis{Time: u.UpdatedAt}, u.ID)
	if err != nil {
		return User{}, fmt.Errorf("set the plan of account %s: %w", u.ID, err)
	}
	u.Plan = plan
	if plan == before {
		return u, nil
	}
	if err := s.auditlog.RecordIn(ctx, tx, auditlog.PlanChanged, "", u.ID+": "+before+" -> "+plan); err != nil {
		return User{}, err
	}
	data, err := s.change(ctx, tx, u.ID, before, plan)
	if err != nil {
		return User{}, err
	}
	if err := events.SubscriptionChanged.Publish(ctx, tx, s.events, u.ID, data); err != nil {
		return User{}, err
	}
	return u, events.AccountChanged.Publish(ctx, tx, s.events, u.ID, events.Account{UserId: u.ID})
}

// maxEnded bounds the plans that one run of [Service.EndPlans] ends.
const maxEnded = 500

// EndPlans ends the gifts and paid plans whose time is over, each in its own transaction.
func (s *Service) EndPlans(ctx context.Context) error {
	now := db.Millis{Time: s.now()}
	var ids []string
	err := s.store.db.Select(ctx, &ids, `SELECT id FROM users WHERE plan_until <= ? ORDER BY plan_until LIMIT ?`,
		now, maxEnded)
	if err != nil {
		return fmt.Errorf("find plans that have ended: %w", err)
	}
	for _, id := range ids {
		err := s.store.db.InTx(ctx, func(tx *db.Tx) error {
			var rows []row
			err := tx.Select(ctx, &rows, `UPDATE users SET updated_at = ? WHERE id = ? AND plan_until <= ? RETURNING `+columns,
				now, id, now)
			if err != nil || len(rows) == 0 {
				return err
			}
			_, err = s.settle(ctx, tx, rows[0].user())
			return err
		})
		if err != nil {
			return fmt.Errorf("end the plan of account %s: %w", id, err)
		}
	}
	return nil
}
