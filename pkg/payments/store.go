package payments

import (
	"context"
	"errors"
	"fmt"
	"time"

	"masthead/pkg/db"
)

type store struct{ db *db.DB }

// row is an account as stored.
type row struct {
	UserID         string    `db:"user_id"`
	CustomerID     string    `db:"customer_id"`
	Version        int64     `db:"version"`
	ID             string    `db:"subscription_id"`
	Status         string    `db:"status"`
	Plan           string    `db:"plan"`
	Period         string    `db:"billing_period"`
	PeriodEnd      db.Millis `db:"period_end"`
	Ending         bool      `db:"ending"`
	FailedAt       db.Millis `db:"failed_at"`
	CheckoutNumber int64     `db:"checkout_number"`
	CheckoutID     string    `db:"checkout_id"`
	CheckoutPrice  string    `db:"checkout_price"`
}

const columns = `user_id, COALESCE(customer_id, '') AS customer_id, version, subscription_id, status, plan,
	billing_period, period_end, ending, failed_at, checkout_number, checkout_id, checkout_price`

func (r row) account() account {
	return account{
		UserID: r.UserID, CustomerID: r.CustomerID, version: r.Version,
		subscription: subscription{
			ID: r.ID, Status: r.Status, Plan: r.Plan, Period: r.Period, PeriodEnd: r.PeriodEnd.Time, Ending: r.Ending,
			FailedAt: r.FailedAt.Time,
		},
		CheckoutNumber: r.CheckoutNumber, checkoutID: r.CheckoutID, checkoutPrice: r.CheckoutPrice,
	}
}

// find returns the account with a user's or customer's id, or a zero one.
func (s store) find(ctx context.Context, where, id string) (account, error) {
	list, err := db.SelectAs(ctx, s.db, row.account, `SELECT `+columns+` FROM subscriptions WHERE `+where+` = ?`, id)
	if err != nil || len(list) == 0 {
		return account{}, err
	}
	return list[0], nil
}

func (s store) byUser(ctx context.Context, id string) (account, error) {
	return s.find(ctx, "user_id", id)
}

func (s store) byCustomer(ctx context.Context, id string) (account, error) {
	return s.find(ctx, "customer_id", id)
}

// add adds an account without a customer, unless it is there.
func (s store) add(ctx context.Context, userID string, now time.Time) error {
	_, err := s.db.Exec(ctx, `INSERT INTO subscriptions (user_id, read_at) VALUES (?, ?) ON CONFLICT (user_id) DO NOTHING`,
		userID, db.Millis{Time: now})
	return err
}

// setCustomer stores the customer of an account that has none.
func (s store) setCustomer(ctx context.Context, userID, customerID string) error {
	_, err := s.db.Exec(ctx, `UPDATE subscriptions SET customer_id = ? WHERE user_id = ? AND customer_id IS NULL`,
		customerID, userID)
	return err
}

// errOvertaken means that another reading was stored since this one began.
var errOvertaken = errors.New("another reading of the subscription was stored meanwhile")

// save stores a reading that began when the account had the version of a.
func (s store) save(ctx context.Context, tx *db.Tx, a account, now time.Time) error {
	rows, err := tx.Exec(ctx, `UPDATE subscriptions SET version = version + 1, subscription_id = ?, status = ?, plan = ?,
			billing_period = ?, period_end = ?, ending = ?, failed_at = ?, read_at = ?
		WHERE user_id = ? AND version = ?`, a.ID, a.Status, a.Plan, a.Period, db.Millis{Time: a.PeriodEnd}, a.Ending,
		db.Millis{Time: a.FailedAt}, db.Millis{Time: now}, a.UserID, a.version)
	if err == nil && rows == 0 {
		err = errOvertaken
	}
	return err
}

// startCheckout claims the next checkout; ok is false if another was started or stored since a was read.
func (s store) startCheckout(ctx context.Context, a account, priceID string, now time.Time) (ok bool, err error) {
	rows, err := s.db.Exec(ctx, `UPDATE subscriptions SET checkout_number = checkout_number + 1, checkout_id = '',
			checkout_price = ?, checkout_at = ?
		WHERE user_id = ? AND checkout_number = ? AND checkout_id = ? AND (closed_until IS NULL OR closed_until <= ?)`,
		priceID, db.Millis{Time: now}, a.UserID, a.CheckoutNumber, a.checkoutID, db.Millis{Time: now})
	return rows > 0, err
}

// close keeps checkouts from starting until a time, and those that have started from ending. It returns the account as
// it was, or a zero one.
func (s store) close(ctx context.Context, userID string, until time.Time) (a account, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		var rows []row
		err := tx.Select(ctx, &rows, `UPDATE subscriptions SET closed_until = ?, checkout_number = checkout_number + 1
			WHERE user_id = ? RETURNING `+columns, db.Millis{Time: until}, userID)
		if err == nil && len(rows) > 0 {
			a = rows[0].account()
		}
		return err
	})
	return a, err
}

// endCheckout stores the session of a checkout; ok is false if another was started since, or the account was deleted.
func (s store) endCheckout(ctx context.Context, a account, id string) (ok bool, err error) {
	rows, err := s.db.Exec(ctx, `UPDATE subscriptions SET checkout_id = ? WHERE user_id = ? AND checkout_number = ?`,
		id, a.UserID, a.CheckoutNumber)
	return rows > 0, err
}

// event stores the id of an event; fresh is false if it was stored before.
func (s store) event(ctx context.Context, tx *db.Tx, id string, now time.Time) (fresh bool, err error) {
	rows, err := tx.Exec(ctx, `INSERT INTO stripe_events (id, received_at) VALUES (?, ?) ON CONFLICT (id) DO NOTHING`,
		id, db.Millis{Time: now})
	return rows > 0, err
}

// due returns customers that weren't read since before, and whose subscription may have changed: it isn't final, or a
// checkout was started after checkouts, or it wasn't read since rarely: payments of one that is over may still be
// disputed, and operators may make another one at Stripe. It returns 500 at most, those read longest ago first.
func (s store) due(ctx context.Context, before, checkouts, rarely time.Time) (customers []string, err error) {
	err = s.db.Select(ctx, &customers, `SELECT customer_id FROM subscriptions WHERE customer_id IS NOT NULL AND read_at < ?
			AND (status NOT IN ('none', 'canceled', 'incomplete_expired') OR checkout_at > ?
				OR read_at < ?)
		ORDER BY read_at LIMIT 500`, db.Millis{Time: before}, db.Millis{Time: checkouts}, db.Millis{Time: rarely})
	if err != nil {
		return nil, fmt.Errorf("find subscriptions to read: %w", err)
	}
	return customers, nil
}

// forget deletes events that were received before a time.
func (s store) forget(ctx context.Context, before time.Time) error {
	_, err := s.db.Exec(ctx, `DELETE FROM stripe_events WHERE received_at < ?`, db.Millis{Time: before})
	return err
}
