package ai

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"masthead/pkg/db"
)

// This file enforces the operator's spending ceiling. The price of each request is recorded before it is sent. A
// request that would exceed the month's ceiling, or that can't be recorded, is not sent. Source:
// docs/security.md#limits-and-quotas.

// ErrCeiling means that the month's ceiling is reached. No request was sent. It also matches [ErrProvider].
var ErrCeiling = fmt.Errorf("%w: the operator's ceiling for this month is reached", ErrProvider)

// spending is the ledger. A nil *spending and a price of 0 limit nothing.
type spending struct {
	db      *db.DB
	ceiling int64 // in cents
	prices  map[Model]int64
	text    int64
	spent   prometheus.Counter
	now     func() time.Time
}

// newSpending returns the ledger of all nodes that share the database d, with the ceiling of cfg. It is nil without a
// database.
func newSpending(cfg Config, d *db.DB) *spending {
	if d == nil {
		return nil
	}
	return &spending{
		db: d, ceiling: cfg.ceiling(), text: cfg.PriceText, now: time.Now,
		spent: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "masthead_ai_spent_cents_total", Help: "Cents spent on AI by this process, at the prices of the settings.",
		}),
		prices: map[Model]int64{Standard: cfg.PriceStandard, Pro: cfg.PricePro},
	}
}

// picture records the price of a picture.
func (s *spending) picture(ctx context.Context, model Model) error {
	if s == nil {
		return nil
	}
	return s.spend(ctx, s.prices[model])
}

// answer records the price of a text.
func (s *spending) answer(ctx context.Context) error {
	if s == nil {
		return nil
	}
	return s.spend(ctx, s.text)
}

// spend records cents as spent, even if the request then fails: a provider may charge for failed requests.
func (s *spending) spend(ctx context.Context, cents int64) error {
	switch {
	case cents <= 0:
		return nil
	case cents > s.ceiling:
		return ErrCeiling
	}
	rows, err := s.db.Exec(ctx, `INSERT INTO ai_spending (month, cents) VALUES (?, ?)
		ON CONFLICT (month) DO UPDATE SET cents = ai_spending.cents + excluded.cents
		WHERE ai_spending.cents + excluded.cents <= ?`, s.now().UTC().Format("2006-01"), cents, s.ceiling)
	switch {
	case err != nil && ctx.Err() != nil:
		return err
	case err != nil:
		return errors.Join(fmt.Errorf("%w: what it would cost cannot be written down", ErrProvider), err)
	case rows == 0:
		return ErrCeiling
	}
	s.spent.Add(float64(cents))
	return nil
}

// Spent returns what was spent in the present calendar month (UTC), and the ceiling, in cents; both are 0 without AI.
func (c *Client) Spent(ctx context.Context) (cents, ceiling int64, err error) {
	if c == nil || c.spending == nil {
		return 0, 0, nil
	}
	s := c.spending
	err = s.db.Get(ctx, &cents, `SELECT cents FROM ai_spending WHERE month = ?`, s.now().UTC().Format("2006-01"))
	if errors.Is(err, sql.ErrNoRows) {
		return 0, s.ceiling, nil
	}
	if err != nil {
		return 0, 0, fmt.Errorf("read what was spent on AI: %w", err)
	}
	return cents, s.ceiling, nil
}
