// Package usage owns what accounts use in a month: the ledgers of AI pictures and of analyses, which the plans meter,
// and counts of what they do not.
//
// A unit is reserved before a provider is asked, kept in the transaction that stores the image, and released when no
// image comes of it. What is only reserved when its lease ends is released by whichever node looks first: a picture is
// stored if and only if its unit is kept, so a unit that is still reserved has no picture, or one whose transaction
// holds the row, which the look waits for.
package usage

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"masthead/pkg/auditlog"
	"masthead/pkg/billing"
	"masthead/pkg/db"
)

// ErrQuota says that the month has no unit left for the account. An error that the plan has no pro model at all is of
// this kind too.
var ErrQuota = errors.New("no AI picture is left this month")

const (
	// reapEvery is how often units are looked for whose lease has ended, and reapTime bounds the looking.
	reapEvery = time.Minute
	reapTime  = 30 * time.Second
	// reapAtOnce bounds the units of one look.
	reapAtOnce = 1000
)

// Config says how long a unit stays reserved.
type Config struct {
	Lease time.Duration `name:"usage-lease" env:"MASTHEAD_USAGE_LEASE" default:"15m" help:"Time after which a reserved unit of the AI quota is released if its picture was never finished."`
}

// defaultLease is how long a unit stays reserved. Source: security requirements, "Limits and quotas".
const defaultLease = 15 * time.Minute

// Validate reports what is wrong, naming the variable.
func (c Config) Validate() error {
	if c.Lease != 0 && (c.Lease < 10*time.Second || c.Lease > 24*time.Hour) {
		return fmt.Errorf("MASTHEAD_USAGE_LEASE must be from 10s to 24h, not %v", c.Lease)
	}
	return nil
}

// Service keeps the ledger. It is safe for concurrent use, on many nodes over one database.
type Service struct {
	store    store
	plans    *billing.Service
	auditlog *auditlog.Log
	lease    time.Duration
	traffic  traffic
	now      func() time.Time
}

// New returns the ledger in d.
func New(cfg Config, d *db.DB, plans *billing.Service, l *auditlog.Log) *Service {
	s := &Service{store: store{d}, plans: plans, auditlog: l, lease: cfg.Lease, now: time.Now}
	if s.lease == 0 {
		s.lease = defaultLease
	}
	return s
}

// Reservation is a unit that waits for its image. One of Commit and Release ends it; of both, the first that is in the
// database. Who loses it to a kill need do nothing: it ends with its lease.
type Reservation struct {
	// Kind is the kind of the image that the unit is for, such as "og", for the account's report. It is set before Commit
	// and may be empty.
	Kind string

	service *Service
	unit    unit
	plan    billing.Plan // of the owner at the reservation
}

// Reserve takes one unit of the owner's month, which is the present one in UTC: [ErrQuota] when none is left, or none
// of the pro model where pro is set. job names the work that the unit is for: a job has one unit however often it is
// tried, restarted or begun on another node, so a new picture needs a new name. At most 255 bytes.
func (s *Service) Reserve(ctx context.Context, ownerID string, job string, pro bool) (*Reservation, error) {
	return s.reserve(ctx, unit{OwnerID: ownerID, Job: job, Pro: pro})
}

// reserve reserves u from now on.
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
		return s.auditlog.RecordIn(ctx, tx, auditlog.QuotaReserved, u.OwnerID, u.subject())
	})
	if err != nil {
		return nil, fmt.Errorf("reserve a unit for %s: %w", u.Job, err)
	}
	return &Reservation{service: s, unit: u, plan: plan}, nil
}

// Commit keeps the unit in the transaction that stores the image, whose end is that of the unit too. A reservation
// whose lease has ended takes its unit again; [ErrQuota] when none is left for that.
func (r *Reservation) Commit(ctx context.Context, tx *db.Tx) error {
	kept, err := keep(ctx, tx, r.unit, r.Kind, r.plan)
	if err != nil {
		return fmt.Errorf("keep the unit of %s: %w", r.unit.Job, err)
	}
	if !kept {
		return nil // it was before
	}
	return r.service.auditlog.RecordIn(ctx, tx, auditlog.QuotaKept, r.unit.OwnerID, r.unit.subject())
}

// Release gives the unit back, unless it is kept or released already.
func (r *Reservation) Release(ctx context.Context) error {
	_, err := r.service.release(ctx, r.unit, db.Millis{})
	return err
}

// release gives a unit back; with expired not zero only when its lease has ended by then.
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

// Reap releases the units whose lease has ended. Those of a transaction that is about to keep them are waited for.
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

// Run reaps, and writes what is counted, until ctx ends.
func (s *Service) Run(ctx context.Context) {
	var flushing sync.WaitGroup
	flushing.Go(func() { s.flushUntil(ctx) })
	defer flushing.Wait()
	for {
		bounded, cancel := context.WithTimeout(ctx, reapTime)
		if err := s.Reap(bounded); err != nil && ctx.Err() == nil {
			slog.ErrorContext(ctx, "reserved units not looked through", "err", err)
		}
		cancel()
		select {
		case <-ctx.Done():
			return
		case <-time.After(reapEvery):
		}
	}
}

// MonthOf returns the calendar month of a moment in UTC, such as "2026-11".
func MonthOf(t time.Time) string { return t.UTC().Format("2006-01") }
