// Package billing owns the plans: the one table of what each allows, and which plan an account has.
package billing

import (
	"context"
	"errors"
	"fmt"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"masthead/pkg/apperr"
	"masthead/pkg/users"
)

const (
	// usualFresh is how long the plan of an account is taken for what it was.
	usualFresh = 10 * time.Second
	// maxRemembered bounds the accounts whose plan is remembered.
	maxRemembered = 100_000
	// staleQueue is how many accounts wait for their plan to be read again; the next one is asked about later.
	staleQueue = 256
	// maxRPM bounds the settings.
	maxRPM = 10_000_000
)

// Config is what an operator may set of the plans.
type Config struct {
	FreeRPM int64 `name:"rpm-free" env:"MASTHEAD_RPM_FREE" default:"20" help:"Requests per minute of an account on the Free plan."`
	PlusRPM int64 `name:"rpm-plus" env:"MASTHEAD_RPM_PLUS" default:"100" help:"Requests per minute of an account on the Plus plan."`
	ProRPM  int64 `name:"rpm-pro" env:"MASTHEAD_RPM_PRO" default:"500" help:"Requests per minute of an account on the Pro plan."`

	FreeAnalyses int64 `name:"analyses-free" env:"MASTHEAD_ANALYSES_FREE" default:"20" help:"Audits per month that a model analyzes for an account on the Free plan."`
	PlusAnalyses int64 `name:"analyses-plus" env:"MASTHEAD_ANALYSES_PLUS" default:"200" help:"Audits per month that a model analyzes for an account on the Plus plan."`
	ProAnalyses  int64 `name:"analyses-pro" env:"MASTHEAD_ANALYSES_PRO" default:"2000" help:"Audits per month that a model analyzes for an account on the Pro plan."`

	// Fresh is how long the plan of an account is taken for what it was; 0 is 10 s.
	Fresh time.Duration `kong:"-"`
}

// withDefaults fills in what was left out.
func (c Config) withDefaults() Config {
	for _, f := range []struct {
		value *int64
		usual int64
	}{
		{&c.FreeRPM, 20}, {&c.PlusRPM, 100}, {&c.ProRPM, 500},
		{&c.FreeAnalyses, 20}, {&c.PlusAnalyses, 200}, {&c.ProAnalyses, 2000},
	} {
		if *f.value == 0 {
			*f.value = f.usual
		}
	}
	if c.Fresh == 0 {
		c.Fresh = usualFresh
	}
	return c
}

// Validate reports everything that is wrong, naming the variables.
func (c Config) Validate() error {
	var errs []error
	for _, f := range []struct {
		name  string
		value int64
	}{
		{"RPM_FREE", c.FreeRPM}, {"RPM_PLUS", c.PlusRPM}, {"RPM_PRO", c.ProRPM},
		{"ANALYSES_FREE", c.FreeAnalyses}, {"ANALYSES_PLUS", c.PlusAnalyses}, {"ANALYSES_PRO", c.ProAnalyses},
	} {
		if f.value < 0 || f.value > maxRPM {
			errs = append(errs, fmt.Errorf("MASTHEAD_%s must be from 1 to %d, not %d", f.name, maxRPM, f.value))
		}
	}
	return errors.Join(errs...)
}

// Service knows the plans. It is safe for concurrent use.
type Service struct {
	plans []Plan
	users *users.Service
	known *lru.Cache[string, remembered]
	fresh time.Duration // how long a plan is taken for what it was
	stale chan string   // accounts whose plan Run reads again
	now   func() time.Time
}

// remembered is the plan of an account as it was at a moment.
type remembered struct {
	plan string
	at   time.Time
}

// New returns the service of the plans of the accounts in u.
func New(cfg Config, u *users.Service) *Service {
	known, err := lru.New[string, remembered](maxRemembered)
	if err != nil {
		panic(err) // it fails for a bad size alone
	}
	cfg = cfg.withDefaults()
	return &Service{
		plans: plans(cfg), users: u, known: known, fresh: cfg.Fresh, stale: make(chan string, staleQueue), now: time.Now,
	}
}

// Plans returns all plans, the least first.
func (s *Service) Plans() []Plan { return s.plans }

// Plan returns the plan of a name; Free for a name that there is not, and so for nobody's.
func (s *Service) Plan(name string) Plan {
	for _, p := range s.plans {
		if p.Name == name {
			return p
		}
	}
	return s.plans[0]
}

// RequestsPerMinute is what the rate window of a plan holds; that of Free for a name that there is not.
func (s *Service) RequestsPerMinute(plan string) int64 { return s.Plan(plan).RequestsPerMinute }

// PlanOf returns the plan of an account, as it was at most 10 s ago; NotFound when there is no such account. While the
// database is away, a plan that is known goes on.
func (s *Service) PlanOf(ctx context.Context, userID string) (Plan, error) {
	now := s.now()
	// A clock that goes back must not keep a plan for longer.
	last, ok := s.known.Get(userID)
	if ok && now.Sub(last.at).Abs() < s.fresh {
		return s.Plan(last.plan), nil
	}
	user, err := s.users.ByID(ctx, userID)
	if ok && err != nil && apperr.CodeOf(err) != apperr.NotFound {
		return s.Plan(last.plan), nil
	}
	if err != nil {
		s.known.Remove(userID) // it was deleted
		return Plan{}, err
	}
	s.known.Add(userID, remembered{user.Plan, now})
	return s.Plan(user.Plan), nil
}

// LastPlanOf is [Service.PlanOf] without waiting for the database once the plan is known: one that is older than 10 s
// is returned as it was, and [Service.Run] reads it again.
func (s *Service) LastPlanOf(ctx context.Context, userID string) (Plan, error) {
	last, ok := s.known.Get(userID)
	if !ok {
		return s.PlanOf(ctx, userID)
	}
	if s.now().Sub(last.at).Abs() >= s.fresh {
		s.readAgain(userID)
	}
	return s.Plan(last.plan), nil
}

func (s *Service) readAgain(userID string) {
	select {
	case s.stale <- userID:
	default: // the next request asks again
	}
}

// Run reads the plans again that were found old, until ctx ends.
func (s *Service) Run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case userID := <-s.stale:
			_, _ = s.PlanOf(ctx, userID) // on a fault the plan stays, and the next request asks again
		}
	}
}

// SetPlan gives an account a plan; BadRequest for one that there is not, NotFound for an account that there is not.
// Other nodes know within 10 s.
func (s *Service) SetPlan(ctx context.Context, userID, plan string) (users.User, error) {
	user, err := s.users.SetPlan(ctx, userID, plan)
	s.Changed(userID)
	return user, err
}

// Changed tells that the plan of an account was changed: it is read again.
func (s *Service) Changed(userID string) {
	s.known.Remove(userID)
	s.readAgain(userID)
}
