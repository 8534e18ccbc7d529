// Package usage tracks the monthly usage of accounts: the quotas of AI pictures and analyses, which plans limit, and
// counts of events that they don't.
//
// A unit is reserved before an AI provider is called, committed in the transaction that stores the image, and
// released if no image is stored. Any node releases a reserved unit once its lease has expired. That is safe because
// a picture is stored if and only if its unit is committed: a unit that is still reserved either has no picture, or a
// transaction that is storing one holds its row lock, which the release waits for.
package usage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"masthead/pkg/auditlog"
	"masthead/pkg/billing"
	"masthead/pkg/db"
	"masthead/pkg/events"
)

// ErrQuota means that the account has no unit left this month, or that its plan doesn't include the pro model.
var ErrQuota = errors.New("no AI picture is left this month")

const (
	// reapEvery is how often units with expired leases are searched; reapTime bounds each search.
	reapEvery = time.Minute
	reapTime  = 30 * time.Second
	// reapAtOnce bounds the units per search.
	reapAtOnce = 1000
)

// Config says how long a unit stays reserved.
type Config struct {
	Lease time.Duration `name:"usage-lease" env:"MASTHEAD_USAGE_LEASE" default:"15m" help:"Time after which a reserved unit of the AI quota is released if its picture was never finished."`
}

// defaultLease is how long a unit stays reserved. Source: docs/configuration.md#ai.
const defaultLease = 15 * time.Minute

// Validate reports an invalid setting by variable name.
func (c Config) Validate() error {
	if c.Lease != 0 && (c.Lease < 10*time.Second || c.Lease > 24*time.Hour) {
		return fmt.Errorf("MASTHEAD_USAGE_LEASE must be from 10s to 24h, not %v", c.Lease)
	}
	return nil
}

// Service manages the ledger. It is safe for concurrent use by many nodes on one database.
type Service struct {
	store    store
	plans    *billing.Service
	auditlog *auditlog.Log
	events   *events.Bus
	lease    time.Duration
	traffic  traffic
	now      func() time.Time
}

// New returns the ledger in d.
func New(cfg Config, d *db.DB, plans *billing.Service, l *auditlog.Log, b *events.Bus) *Service {
	s := &Service{store: store{d}, plans: plans, auditlog: l, events: b, lease: cfg.Lease, now: time.Now}
	s.lease = cmp.Or(s.lease, defaultLease)
	plans.Limited(s.over)
	return s
}

// Reservation is a reserved unit. Either Commit or Release ends it; if both are called, the first to reach the
// database counts. A reservation lost in a crash ends when its lease expires.
type Reservation struct {
	// Source is what the unit is for, for the account's report. It must be set before Commit and may be empty.
	Source

	service *Service
	unit    unit
	plan    billing.Plan // the owner's plan when reserving
}

// SetNow replaces the clock, for tests.
func (s *Service) SetNow(now func() time.Time) { s.now = now }

// Reserve reserves one unit of the owner's current month (UTC). It returns [ErrQuota] if none is left, of the pro
// model if pro is set. job identifies the work, in at most 255 bytes. A job has one unit, no matter how often it is
// retried, restarted or moved to another node, so each new picture needs a new name.
func (s *Service) Reserve(ctx context.Context, ownerID string, job string, pro bool) (*Reservation, error) {
	return s.reserve(ctx, unit{OwnerID: ownerID, Job: job, Pro: pro})
}

// reserve reserves u, starting now.
func (s *Service) reserve(ctx context.Context, u unit) (*Reservation, error) {
	plan, err := s.plans.PlanOf(ctx, u.OwnerID)
	if err != nil {
		return nil, fmt.Errorf("reserve a unit: %w", err)
	}
	now := s.now()
	u.Month, u.ReservedAt, u.ExpiresAt = MonthOf(now), db.Millis{Time: now}, db.Millis{Time: now.Add(s.lease)}
	err = s.store.db.InTx(ctx, func(tx *db.Tx) error {
		taken, err := reserve(ctx, tx, &u, plan)
		if err != nil || !taken {
			return err
		}
		if err := s.announce(ctx, tx, u.OwnerID, u.Month, pictures, plan.AIUnits); err != nil {
			return err
		}
		return s.auditlog.RecordIn(ctx, tx, auditlog.QuotaReserved, u.OwnerID, u.subject())
	})
	if err != nil {
		return nil, fmt.Errorf("reserve a unit for %s: %w", u.Job, err)
	}
	return &Reservation{service: s, unit: u, plan: plan}, nil
}

// Commit commits the unit in the transaction that stores the image. If the lease has expired, Commit takes a unit
// again, and returns [ErrQuota] if none is left.
func (r *Reservation) Commit(ctx context.Context, tx *db.Tx) error {
	kept, err := keep(ctx, tx, r.unit, r.Source, r.plan)
	if err != nil {
		return fmt.Errorf("commit the unit of %s: %w", r.unit.Job, err)
	}
	if !kept {
		return nil // already committed
	}
	return r.service.auditlog.RecordIn(ctx, tx, auditlog.QuotaKept, r.unit.OwnerID, r.unit.subject())
}

// Release releases the unit unless it is committed or released.
func (r *Reservation) Release(ctx context.Context) error {
	_, err := r.service.release(ctx, r.unit, db.Millis{})
	return err
}

// release releases a unit. If expired isn't zero, it does so only if the lease ended by then.
func (s *Service) release(ctx context.Context, u unit, expired db.Millis) (released bool, err error) {
	err = s.store.db.InTx(ctx, func(tx *db.Tx) (err error) {
		released, err = release(ctx, tx, u, expired)
		if err != nil || !released {
			return err
		}
		return s.auditlog.RecordIn(ctx, tx, auditlog.QuotaReleased, u.OwnerID, u.subject())
	})
	if err != nil {
		return false, fmt.Errorf("release the unit of %s: %w", u.Job, err)
	}
	return released, nil
}

// Reap releases the units with expired leases. It waits for transactions that are committing them.
func (s *Service) Reap(ctx context.Context) error {
	now := db.Millis{Time: s.now()}
	expired, err := s.store.expired(ctx, now, reapAtOnce)
	if err != nil {
		return err
	}
	var errs []error
	for _, u := range expired {
		if _, err := s.release(ctx, u, now); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// Run reaps units and writes counts until ctx ends.
func (s *Service) Run(ctx context.Context) {
	var flushing sync.WaitGroup
	flushing.Go(func() { s.flushUntil(ctx) })
	defer flushing.Wait()
	for {
		bounded, cancel := context.WithTimeout(ctx, reapTime)
		if err := s.Reap(bounded); err != nil && ctx.Err() == nil {
			slog.ErrorContext(ctx, "search for expired reservations failed", "err", err)
		}
		cancel()
		select {
		case <-ctx.Done():
			return
		case <-time.After(reapEvery):
		}
	}
}

// MonthOf returns the calendar month of t in UTC, such as "2026-11".
func MonthOf(t time.Time) string { return t.UTC().Format("2006-01") }
