// Package billing has the table of plans and their limits, and looks up the plan of an account.
package billing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/hashicorp/golang-lru/v2/simplelru"

	"masthead/pkg/apperr"
	"masthead/pkg/db"
	"masthead/pkg/events"
	"masthead/pkg/users"
)

const (
	// usualFresh is how long the plan of an account is cached.
	usualFresh = 10 * time.Second
	// maxRemembered bounds the number of cached accounts.
	maxRemembered = 100_000
	// staleQueue is the length of the queue of accounts whose plan must be reloaded. Further accounts are queued by
	// later requests.
	staleQueue = 256
	// maxRPM bounds the settings.
	maxRPM = 10_000_000
)

// Config has the operator's settings for the plans.
type Config struct {
	FreeRPM int64 `name:"rpm-free" env:"MASTHEAD_RPM_FREE" default:"20" help:"Requests per minute of an account on the Free plan."`
	PlusRPM int64 `name:"rpm-plus" env:"MASTHEAD_RPM_PLUS" default:"100" help:"Requests per minute of an account on the Plus plan."`
	ProRPM  int64 `name:"rpm-pro" env:"MASTHEAD_RPM_PRO" default:"500" help:"Requests per minute of an account on the Pro plan."`

	FreeAnalyses int64 `name:"analyses-free" env:"MASTHEAD_ANALYSES_FREE" default:"20" help:"Audits per month that a model analyzes for an account on the Free plan."`
	PlusAnalyses int64 `name:"analyses-plus" env:"MASTHEAD_ANALYSES_PLUS" default:"200" help:"Audits per month that a model analyzes for an account on the Plus plan."`
	ProAnalyses  int64 `name:"analyses-pro" env:"MASTHEAD_ANALYSES_PRO" default:"2000" help:"Audits per month that a model analyzes for an account on the Pro plan."`

	FreeWebhooks int64 `name:"webhooks-free" env:"MASTHEAD_WEBHOOKS_FREE" default:"1" help:"Webhooks of an account on the Free plan."`
	PlusWebhooks int64 `name:"webhooks-plus" env:"MASTHEAD_WEBHOOKS_PLUS" default:"10" help:"Webhooks of an account on the Plus plan."`
	ProWebhooks  int64 `name:"webhooks-pro" env:"MASTHEAD_WEBHOOKS_PRO" default:"50" help:"Webhooks of an account on the Pro plan."`

	FreeWatches int64 `name:"watches-free" env:"MASTHEAD_WATCHES_FREE" default:"3" help:"Watched pages of an account on the Free plan."`
	PlusWatches int64 `name:"watches-plus" env:"MASTHEAD_WATCHES_PLUS" default:"50" help:"Watched pages of an account on the Plus plan."`
	ProWatches  int64 `name:"watches-pro" env:"MASTHEAD_WATCHES_PRO" default:"500" help:"Watched pages of an account on the Pro plan."`

	FreeSitePages int64 `name:"site-pages-free" env:"MASTHEAD_SITE_PAGES_FREE" default:"25" help:"Pages of a site that are audited together for an account on the Free plan."`
	PlusSitePages int64 `name:"site-pages-plus" env:"MASTHEAD_SITE_PAGES_PLUS" default:"500" help:"Pages of a site that are audited together for an account on the Plus plan."`
	ProSitePages  int64 `name:"site-pages-pro" env:"MASTHEAD_SITE_PAGES_PRO" default:"5000" help:"Pages of a site that are audited together for an account on the Pro plan."`

	FreeAssets int64 `name:"assets-free" env:"MASTHEAD_ASSETS_FREE" default:"10" placeholder:"MB" help:"Uploaded pictures of an account on the Free plan, in MB."`
	PlusAssets int64 `name:"assets-plus" env:"MASTHEAD_ASSETS_PLUS" default:"500" placeholder:"MB" help:"Uploaded pictures of an account on the Plus plan, in MB."`
	ProAssets  int64 `name:"assets-pro" env:"MASTHEAD_ASSETS_PRO" default:"5000" placeholder:"MB" help:"Uploaded pictures of an account on the Pro plan, in MB."`

	FreeBatches int64 `name:"batches-free" env:"MASTHEAD_BATCHES_FREE" default:"100" help:"Waiting requests of batches of an account on the Free plan."`
	PlusBatches int64 `name:"batches-plus" env:"MASTHEAD_BATCHES_PLUS" default:"5000" help:"Waiting requests of batches of an account on the Plus plan."`
	ProBatches  int64 `name:"batches-pro" env:"MASTHEAD_BATCHES_PRO" default:"50000" help:"Waiting requests of batches of an account on the Pro plan."`

	FreeDesigns int64 `name:"designs-free" env:"MASTHEAD_DESIGNS_FREE" default:"1" help:"Own designs of an account on the Free plan."`
	PlusDesigns int64 `name:"designs-plus" env:"MASTHEAD_DESIGNS_PLUS" default:"20" help:"Own designs of an account on the Plus plan."`
	ProDesigns  int64 `name:"designs-pro" env:"MASTHEAD_DESIGNS_PRO" default:"200" help:"Own designs of an account on the Pro plan."`

	// Fresh is how long the plan of an account is cached; 0 means 10 s.
	Fresh time.Duration `kong:"-"`
	// Periods are those that accounts can buy plans by, "month" or "year", by the names of plans; nil if they can't.
	Periods map[string][]string `kong:"-"`
}

// withDefaults fills in missing settings.
func (c Config) withDefaults() Config {
	for _, f := range []struct {
		value *int64
		usual int64
	}{
		{&c.FreeRPM, 20}, {&c.PlusRPM, 100}, {&c.ProRPM, 500},
		{&c.FreeAnalyses, 20}, {&c.PlusAnalyses, 200}, {&c.ProAnalyses, 2000},
		{&c.FreeWebhooks, 1}, {&c.PlusWebhooks, 10}, {&c.ProWebhooks, 50},
		{&c.FreeWatches, 3}, {&c.PlusWatches, 50}, {&c.ProWatches, 500},
		{&c.FreeSitePages, 25}, {&c.PlusSitePages, 500}, {&c.ProSitePages, 5000},
		{&c.FreeAssets, 10}, {&c.PlusAssets, 500}, {&c.ProAssets, 5000},
		{&c.FreeBatches, 100}, {&c.PlusBatches, 5000}, {&c.ProBatches, 50_000},
		{&c.FreeDesigns, 1}, {&c.PlusDesigns, 20}, {&c.ProDesigns, 200},
	} {
		*f.value = cmp.Or(*f.value, f.usual)
	}
	c.Fresh = cmp.Or(c.Fresh, usualFresh)
	return c
}

// Validate reports all invalid settings by variable name.
func (c Config) Validate() error {
	var errs []error
	for _, f := range []struct {
		name  string
		value int64
	}{
		{"RPM_FREE", c.FreeRPM}, {"RPM_PLUS", c.PlusRPM}, {"RPM_PRO", c.ProRPM},
		{"ANALYSES_FREE", c.FreeAnalyses}, {"ANALYSES_PLUS", c.PlusAnalyses}, {"ANALYSES_PRO", c.ProAnalyses},
		{"WEBHOOKS_FREE", c.FreeWebhooks}, {"WEBHOOKS_PLUS", c.PlusWebhooks}, {"WEBHOOKS_PRO", c.ProWebhooks},
		{"WATCHES_FREE", c.FreeWatches}, {"WATCHES_PLUS", c.PlusWatches}, {"WATCHES_PRO", c.ProWatches},
		{"SITE_PAGES_FREE", c.FreeSitePages}, {"SITE_PAGES_PLUS", c.PlusSitePages}, {"SITE_PAGES_PRO", c.ProSitePages},
		{"ASSETS_FREE", c.FreeAssets}, {"ASSETS_PLUS", c.PlusAssets}, {"ASSETS_PRO", c.ProAssets},
		{"BATCHES_FREE", c.FreeBatches}, {"BATCHES_PLUS", c.PlusBatches}, {"BATCHES_PRO", c.ProBatches},
		{"DESIGNS_FREE", c.FreeDesigns}, {"DESIGNS_PLUS", c.PlusDesigns}, {"DESIGNS_PRO", c.ProDesigns},
	} {
		if f.value < 0 || f.value > maxRPM {
			errs = append(errs, fmt.Errorf("MASTHEAD_%s must be from 1 to %d, not %d", f.name, maxRPM, f.value))
		}
	}
	return errors.Join(errs...)
}

// Service looks up plans. It is safe for concurrent use.
type Service struct {
	plans   []Plan
	periods map[string][]string // see [Config.Periods]
	users   *users.Service
	known   simplelru.LRUCache[string, cachedPlan]
	// changes counts the changes of accounts. What was read before one isn't remembered after it.
	changes atomic.Int64
	keep    sync.Mutex    // held to change known and changes together
	fresh   time.Duration // how long a plan is cached
	stale   chan string   // accounts whose plan Run reloads
	now     func() time.Time
}

// cachedPlan is the plan of an account as of a point in time.
type cachedPlan struct {
	plan string
	at   time.Time
}

// New returns a service for the plans of the accounts in u. It follows [events.AccountChanged].
func New(cfg Config, u *users.Service, b *events.Bus) *Service {
	known, err := lru.New[string, cachedPlan](maxRemembered)
	if err != nil {
		panic(err) // it fails only for an invalid size
	}
	cfg = cfg.withDefaults()
	s := &Service{
		plans: plans(cfg), periods: cfg.Periods, users: u, known: known, fresh: cfg.Fresh,
		stale: make(chan string, staleQueue), now: time.Now,
	}
	events.AccountChanged.Notify(b, func(_ events.Event, a events.Account) {
		s.keep.Lock()
		s.changes.Add(1)
		s.known.Remove(a.UserId)
		s.keep.Unlock()
		s.readAgain(a.UserId)
	})
	return s
}

// Plans returns all plans, smallest first.
func (s *Service) Plans() []Plan { return s.plans }

// Plan returns the plan with a name, or Free if the name is unknown or empty.
func (s *Service) Plan(name string) Plan {
	for _, p := range s.plans {
		if p.Name == name {
			return p
		}
	}
	return s.plans[0]
}

// Limited adds a limit of the plans: of returns what of an account a plan has no room for, as [users.Limit] does. The
// module that owns what is limited calls it when it is constructed.
func (s *Service) Limited(of func(ctx context.Context, tx *db.Tx, accountID string, p Plan) ([]string, error)) {
	s.users.Limited(func(ctx context.Context, tx *db.Tx, accountID, plan string) ([]string, error) {
		return of(ctx, tx, accountID, s.Plan(plan))
	})
}

// RequestsPerMinute returns the rate limit of a plan, or that of Free if the name is unknown.
func (s *Service) RequestsPerMinute(plan string) int64 { return s.Plan(plan).RequestsPerMinute }

// PlanOf returns the plan of an account, cached for at most 10 s, or NotFound if there is no such account. While the
// database is unavailable, cached plans remain valid.
func (s *Service) PlanOf(ctx context.Context, userID string) (Plan, error) {
	now := s.now()
	// Setting the clock back must not extend the life of an entry.
	last, ok := s.known.Get(userID)
	if ok && now.Sub(last.at).Abs() < s.fresh {
		return s.Plan(last.plan), nil
	}
	changes := s.changes.Load()
	user, err := s.users.ByID(ctx, userID)
	if ok && err != nil && apperr.CodeOf(err) != apperr.NotFound {
		return s.Plan(last.plan), nil
	}
	if err != nil {
		s.known.Remove(userID) // the account was deleted
		return Plan{}, err
	}
	s.remember(userID, cachedPlan{user.Plan, now}, changes)
	return s.Plan(user.Plan), nil
}

// remember caches a plan that was read after so many changes of accounts, unless there have been more since.
func (s *Service) remember(userID string, r cachedPlan, changes int64) {
	s.keep.Lock()
	defer s.keep.Unlock()
	if s.changes.Load() == changes {
		s.known.Add(userID, r)
	}
}

// LastPlanOf is like [Service.PlanOf] but doesn't wait for the database if the plan is cached: it returns an expired
// entry as it is, and [Service.Run] reloads it.
func (s *Service) LastPlanOf(ctx context.Context, userID string) (Plan, error) {
	last, ok := s.known.Get(userID)
	if !ok {
		return s.PlanOf(db.ForRequest(ctx), userID) // requests for cached pictures have no time yet
	}
	if s.now().Sub(last.at).Abs() >= s.fresh {
		s.readAgain(userID)
	}
	return s.Plan(last.plan), nil
}

func (s *Service) readAgain(userID string) {
	select {
	case s.stale <- userID:
	default: // the next request queues it again
	}
}

// Run reloads expired plans until ctx ends, and ends gifts and paid plans whose time is over.
func (s *Service) Run(ctx context.Context) {
	each := time.NewTicker(time.Minute)
	defer each.Stop()
	for {
		select {
		case <-each.C:
			if err := s.users.EndPlans(ctx); err != nil && ctx.Err() == nil {
				slog.ErrorContext(ctx, "plans not ended", "err", err)
			}
		case <-ctx.Done():
			return
		case userID := <-s.stale:
			_, _ = s.PlanOf(ctx, userID) // on an error the entry stays, and the next request queues it again
		}
	}
}
