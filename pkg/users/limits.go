package users

import (
	"context"
	"fmt"
	"slices"

	"masthead/pkg/cleantext"
	"masthead/pkg/db"
	"masthead/pkg/events"
)

// This file is what a smaller plan has no room for. Nothing of it is deleted: the module that owns it pauses it while
// the plan is too small.

const (
	// maxPaused bounds what is listed of an account.
	maxPaused = 50
	// maxPausedChars bounds each text.
	maxPausedChars = 200
)

// Limit returns what of an account a plan has no room for, each as a short text such as "2 webhooks over the limit of
// 1". tx only reads.
type Limit func(ctx context.Context, tx *db.Tx, accountID, plan string) (paused []string, err error)

// Limited adds a limit of plans. The module that owns what is limited calls it when it is constructed.
func (s *Service) Limited(l Limit) { s.limits = append(s.limits, l) }

// Downgrade is a plan that is smaller than an account's, and what it has no room for.
type Downgrade struct {
	Plan   string
	Paused []string
}

// Downgrades returns the plans that are smaller than an account's, largest first.
func (s *Service) Downgrades(ctx context.Context, u User) (list []Downgrade, err error) {
	smaller := slices.Clone(planNames[:max(0, slices.Index(planNames, u.Plan))])
	slices.Reverse(smaller)
	if len(smaller) == 0 {
		return nil, nil
	}
	err = s.store.db.InTx(ctx, func(tx *db.Tx) error {
		list = nil
		for _, plan := range smaller {
			paused, err := s.paused(ctx, tx, u.ID, plan)
			if err != nil {
				return err
			}
			list = append(list, Downgrade{plan, paused})
		}
		return nil
	})
	return list, err
}

// paused returns what of an account a plan has no room for, bounded.
func (s *Service) paused(ctx context.Context, tx *db.Tx, id, plan string) (all []string, err error) {
	for _, limit := range s.limits {
		some, err := limit(ctx, tx, id, plan)
		if err != nil {
			return nil, fmt.Errorf("find what plan %s has no room for, of account %s: %w", plan, id, err)
		}
		for _, text := range some {
			all = append(all, cleantext.Clean(text, maxPausedChars))
		}
	}
	return all[:min(len(all), maxPaused)], nil
}

// change returns the data of [events.SubscriptionChanged].
func (s *Service) change(ctx context.Context, tx *db.Tx, id, before, plan string) (events.Subscription, error) {
	data := events.Subscription{Plan: events.PlanName(plan), PreviousPlan: events.PlanName(before)}
	if slices.Index(planNames, plan) > slices.Index(planNames, before) {
		return data, nil
	}
	paused, err := s.paused(ctx, tx, id, plan)
	if len(paused) > 0 {
		data.Paused = &paused
	}
	return data, err
}
