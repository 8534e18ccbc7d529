package ai

import (
	"context"
	"errors"
	"fmt"
	"time"

	"masthead/pkg/db"
)

// This file owns what the installation may spend at its provider: each request is written down with its price before it
// is made, and none is made that would pass the month's ceiling, or that cannot be written down. Source: security
// requirements, "AI analysis".

// ErrCeiling says that the month's ceiling is reached, by errors.Is. The provider was not asked, so it is an error of
// the kind of [ErrProvider] too.
var ErrCeiling = fmt.Errorf("%w: the operator's ceiling for this month is reached", ErrProvider)

// spending is the ledger. A nil one, and a price of 0, bound nothing.
type spending struct {
	db      *db.DB
	ceiling int64 // in cents
	prices  map[Model]int64
	text    int64
	now     func() time.Time
}

// Bound keeps what is spent from now on below the ceiling of cfg, over all nodes of one database.
func (c *Client) Bound(cfg Config, d *db.DB) {
	if c == nil {
		return
	}
	c.spending = &spending{
		db: d, ceiling: cfg.ceiling(), text: cfg.PriceText, now: time.Now,
		prices: map[Model]int64{Standard: cfg.PriceStandard, Pro: cfg.PricePro},
	}
}

// picture spends the price of a picture.
func (s *spending) picture(ctx context.Context, model Model) error {
	if s == nil {
		return nil
	}
	return s.spend(ctx, s.prices[model])
}

// answer spends the price of a text.
func (s *spending) answer(ctx context.Context) error {
	if s == nil {
		return nil
	}
	return s.spend(ctx, s.text)
}

// spend writes cents down, which are gone whatever comes of the request: a provider may charge for a failed one.
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
	return nil
}
