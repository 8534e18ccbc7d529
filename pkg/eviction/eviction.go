// Package eviction keeps the pictures that GET /og drew within budgets, by deleting those that nobody has asked for in
// the longest time. A picture that was asked for by POST, or that was paid for, is never deleted.
//
//   - eviction.go: the budgets, and what is deleted
//   - use.go: when each picture was last served
//   - store.go: the SQL
//
// What a round costs depends on what has changed since the one before, and not on how many pictures there are.
package eviction

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"masthead/pkg/clock"
	"masthead/pkg/db"
	"masthead/pkg/lease"
)

const (
	// flushEvery is how often the times of use are written, and evictEvery how often the budgets are compared.
	flushEvery = 10 * time.Second
	evictEvery = time.Minute
	// roundTime bounds one round; the next one goes on.
	roundTime = 50 * time.Second
	// batch is how many pictures one transaction deletes, and settleBatch how many changes it adds up.
	batch       = 100
	settleBatch = 1000
	// scopeBatch is how many accounts or projects beyond their budgets one statement finds.
	scopeBatch = 100
	leaseName  = "eviction of pictures"
	leaseTime  = 30 * time.Second
	megabyte   = 1_000_000
)

// Config has the budgets; 0 means that there is none.
type Config struct {
	TotalMB   int64 `name:"og-budget-mb" env:"MASTHEAD_OG_BUDGET_MB" default:"0" placeholder:"MB" help:"Megabytes of all pictures together that /og drew. Those not asked for in the longest time are deleted, and drawn again when somebody asks. 0 means no limit."`
	AccountMB int64 `name:"og-budget-account-mb" env:"MASTHEAD_OG_BUDGET_ACCOUNT_MB" default:"0" placeholder:"MB" help:"The same for the pictures of each account."`
	ProjectMB int64 `name:"og-budget-project-mb" env:"MASTHEAD_OG_BUDGET_PROJECT_MB" default:"0" placeholder:"MB" help:"The same for the pictures of each project."`
	Days      int64 `name:"og-keep-days" env:"MASTHEAD_OG_KEEP_DAYS" default:"0" placeholder:"DAYS" help:"Days after which pictures that /og drew are deleted if nobody has asked for them. 0 means that they stay."`
}

// Validate reports invalid settings by variable name.
func (c Config) Validate() error {
	var faults []error
	for _, s := range []struct {
		name  string
		value int64
	}{
		{"MASTHEAD_OG_BUDGET_MB", c.TotalMB}, {"MASTHEAD_OG_BUDGET_ACCOUNT_MB", c.AccountMB},
		{"MASTHEAD_OG_BUDGET_PROJECT_MB", c.ProjectMB}, {"MASTHEAD_OG_KEEP_DAYS", c.Days},
	} {
		const most = 1e9 // a petabyte
		if s.value < 0 || s.value > most {
			faults = append(faults,
				fmt.Errorf("%s must be from 0, which means no limit, to %.0f, not %d", s.name, most, s.value))
		}
	}
	return errors.Join(faults...)
}

// Service deletes pictures. It is safe for concurrent use.
type Service struct {
	cfg     Config
	store   store
	leases  *lease.Table // nil when this process is the only one with its database
	deleted func(publicIDs []string)
	used    uses
	clock   clock.Clock
	now     func() time.Time

	evicted *prometheus.CounterVec
}

// New returns a service. deleted is called with the public IDs of deleted images.
func New(cfg Config, d *db.DB, deleted func(publicIDs []string)) *Service {
	s := &Service{
		cfg: cfg, store: store{d}, deleted: deleted, used: uses{noted: map[string]int64{}},
		evicted: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "masthead_images_evicted_total",
			Help: "Pictures of /og that were deleted, by the limit that they were beyond.",
		}, []string{"limit"}),
	}
	s.now = s.clock.Now
	if d.Dialect() == db.Postgres {
		s.leases = lease.New(d, leaseTime)
	}
	return s
}

// Collectors are the metrics of the package.
func (s *Service) Collectors() []prometheus.Collector { return []prometheus.Collector{s.evicted} }

// Run writes the times of use and deletes what is beyond the budgets, until ctx ends.
func (s *Service) Run(ctx context.Context) {
	var last time.Time
	for {
		select {
		case <-ctx.Done():
			s.flushLast(ctx)
			return
		case <-time.After(flushEvery):
		}
		err := s.Flush(ctx)
		if now := s.now(); now.Sub(last).Abs() >= evictEvery {
			last = now
			err = errors.Join(err, s.Evict(ctx))
		}
		if err != nil && ctx.Err() == nil {
			slog.ErrorContext(ctx, "pictures are not kept within their budgets for now", "err", err)
		}
	}
}

// Evict deletes what is beyond the budgets, and what nobody has asked for in the days of the settings. One node does so
// at a time.
func (s *Service) Evict(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, roundTime)
	defer cancel()
	if s.leases != nil {
		held, err := s.leases.Acquire(ctx, leaseName)
		if err != nil || held == nil {
			return err
		}
		defer func() {
			if err := held.Release(context.WithoutCancel(ctx)); err != nil { // it ends by its time
				slog.WarnContext(ctx, "lease not released", "err", err)
			}
		}()
	}
	err := s.round(ctx)
	if errors.Is(err, context.DeadlineExceeded) { // there is more to do than a round has time for
		return nil
	}
	return err
}

func (s *Service) round(ctx context.Context) error {
	if err := s.store.settle(ctx); err != nil {
		return err
	}
	if s.cfg.Days > 0 {
		before := s.now().Add(-time.Duration(s.cfg.Days) * 24 * time.Hour)
		if err := s.evictUnused(ctx, before); err != nil {
			return err
		}
	}
	for _, b := range []struct {
		budget budget
		mb     int64
	}{{perProject, s.cfg.ProjectMB}, {perAccount, s.cfg.AccountMB}, {perInstallation, s.cfg.TotalMB}} {
		if b.mb == 0 {
			continue
		}
		if err := s.evictBeyond(ctx, b.budget, b.mb*megabyte); err != nil {
			return err
		}
	}
	return nil
}

// evictUnused deletes what was served before a time alone.
func (s *Service) evictUnused(ctx context.Context, before time.Time) error {
	for {
		unused, err := s.store.unused(ctx, before, batch)
		if err != nil || len(unused) == 0 {
			return err
		}
		if err := s.evict(ctx, "days", unused); err != nil {
			return err
		}
	}
}

// evictBeyond deletes from all that have more bytes than their budget allows.
func (s *Service) evictBeyond(ctx context.Context, of budget, most int64) error {
	for {
		beyond, err := s.store.beyond(ctx, of, most, scopeBatch)
		if err != nil || len(beyond) == 0 {
			return err
		}
		left := int64(0)
		for _, one := range beyond {
			if left, err = s.evictFrom(ctx, of, one.ID, one.Bytes-most); err != nil {
				return err
			}
		}
		if err := s.store.settle(ctx); err != nil || left > 0 { // others delete too: the next round counts them
			return err
		}
	}
}

// evictFrom deletes at least that many bytes of an account, a project or all: first those that another picture of the
// same page came after, and of each kind those that were not served for the longest time. It returns how many are left
// because there is nothing else to delete.
func (s *Service) evictFrom(ctx context.Context, of budget, id string, bytes int64) (left int64, err error) {
	for bytes > 0 {
		next, err := s.store.next(ctx, of, id, batch)
		if err != nil || len(next) == 0 {
			return bytes, err
		}
		for i, v := range next {
			if bytes -= v.Bytes; bytes <= 0 {
				next = next[:i+1]
				break
			}
		}
		if err := s.evict(ctx, string(of), next); err != nil {
			return bytes, err
		}
	}
	return 0, nil
}

func (s *Service) evict(ctx context.Context, limit string, variants []variant) error {
	publicIDs, err := s.store.delete(ctx, variants)
	if err != nil {
		return err
	}
	s.evicted.WithLabelValues(limit).Add(float64(len(publicIDs)))
	s.deleted(publicIDs)
	return nil
}
