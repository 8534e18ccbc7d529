package billing

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/auditlog"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/events"
	"masthead/pkg/users"
)

// The limits of each plan: requests per minute, quotas, models.
func TestPlans_areThoseOfTheSpecification(t *testing.T) {
	s := New(Config{}, nil, nil)
	for _, want := range []struct {
		name            string
		rpm, units, pro int64
		proModel        bool
	}{{Free, 20, 3, 0, false}, {Plus, 100, 100, 0, false}, {Pro, 500, 1000, 300, true}} {
		p := s.Plan(want.name)
		if p.Name != want.name || p.RequestsPerMinute != want.rpm || p.AIUnits != want.units || p.ProUnits != want.pro {
			t.Errorf("%s: got %+v, want %+v", want.name, p, want)
		}
		if !p.Allows(ModelStandard) || p.Allows(ModelPro) != want.proModel {
			t.Errorf("%s has the models %v", want.name, p.Models)
		}
	}
	if got := s.Plan("none of these").Name; got != Free {
		t.Errorf("a plan that there is not: got %s, want that of nobody", got)
	}
}

func TestConfig_Validate(t *testing.T) {
	if err := (Config{FreeRPM: 1, PlusRPM: maxRPM}).Validate(); err != nil {
		t.Error(err)
	}
	for _, bad := range []Config{{FreeRPM: -1}, {PlusRPM: maxRPM + 1}, {ProRPM: -1}} {
		if bad.Validate() == nil {
			t.Errorf("%+v passed", bad)
		}
	}
}

func TestPlanOf_changesWithin10Seconds(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		clock := time.Now()
		node := func() (*Service, *users.Service) {
			bus := events.NewBus()
			people := users.New(d, auditlog.New(d), bus)
			s := New(Config{}, people, bus)
			s.now = func() time.Time { return clock }
			return s, people
		}
		here, people := node()
		there, _ := node()
		user, err := people.Create(t.Context(), users.NewUser{Email: "a@example.com", PasswordHash: "x"})
		if err != nil {
			t.Fatal(err)
		}
		want := func(s *Service, where, plan string) {
			t.Helper()
			if got, err := s.PlanOf(t.Context(), user.ID); err != nil || got.Name != plan {
				t.Errorf("%s: got %q, %v, want %q", where, got.Name, err, plan)
			}
		}
		want(here, "here", Free)
		want(there, "there", Free)
		if _, err := people.SetPlan(t.Context(), user.ID, Pro); err != nil {
			t.Fatal(err)
		}
		want(here, "here, at once", Pro)
		clock = clock.Add(10 * time.Second)
		want(there, "there, after 10 s", Pro)
		clock = clock.Add(-time.Hour)
		if _, err := people.SetPlan(t.Context(), user.ID, Plus); err != nil {
			t.Fatal(err)
		}
		want(there, "there, by a clock that went back", Plus)
		if _, err := people.SetPlan(t.Context(), user.ID, "gold"); apperr.CodeOf(err) != apperr.BadRequest {
			t.Errorf("a plan that there is not: got %v, want BAD_REQUEST", err)
		}
		if _, err := people.SetPlan(t.Context(), db.NewID(), Plus); apperr.CodeOf(err) != apperr.NotFound {
			t.Errorf("nobody's: got %v, want NOT_FOUND", err)
		}
		if _, err := here.PlanOf(t.Context(), db.NewID()); apperr.CodeOf(err) != apperr.NotFound {
			t.Errorf("nobody's: got %v, want NOT_FOUND", err)
		}
	})
}

// TestPlanOf_planReadBeforeAChange_isNotRemembered changes a plan while the one before is being read.
func TestPlanOf_planReadBeforeAChange_isNotRemembered(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		bus := events.NewBus()
		people := users.New(d, auditlog.New(d), bus)
		s := New(Config{}, people, bus)
		user, err := people.Create(t.Context(), users.NewUser{Email: "a@example.com", PasswordHash: "x"})
		if err != nil {
			t.Fatal(err)
		}
		before := s.changes.Load()
		read, err := people.ByID(t.Context(), user.ID)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := people.SetPlan(t.Context(), user.ID, Pro); err != nil {
			t.Fatal(err)
		}
		s.remember(user.ID, cachedPlan{read.Plan, time.Now()}, before)
		if got, err := s.PlanOf(t.Context(), user.ID); err != nil || got.Name != Pro {
			t.Errorf("got %q, %v, want %q", got.Name, err, Pro)
		}
	})
}

// TestLastPlanOf_oldPlanIsReadAgainInTheBackground changes a plan without telling the service, as another node does.
func TestLastPlanOf_oldPlanIsReadAgainInTheBackground(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		people := users.New(d, auditlog.New(d), nil)
		here := New(Config{}, people, nil)
		var ahead atomic.Int64
		here.now = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
		user, err := people.Create(t.Context(), users.NewUser{Email: "a@example.com", PasswordHash: "x"})
		if err != nil {
			t.Fatal(err)
		}
		last := func(want string) {
			t.Helper()
			if got, err := here.LastPlanOf(t.Context(), user.ID); err != nil || got.Name != want {
				t.Errorf("got %q, %v, want %q", got.Name, err, want)
			}
		}
		last(Free)
		if _, err := people.SetPlan(t.Context(), user.ID, Plus); err != nil {
			t.Fatal(err)
		}
		ahead.Store(int64(usualFresh))
		last(Free)
		ctx, end := context.WithCancel(t.Context())
		var ended sync.WaitGroup
		ended.Go(func() { here.Run(ctx) })
		for known, _ := here.known.Peek(user.ID); known.plan != Plus && t.Context().Err() == nil; {
			runtime.Gosched()
			known, _ = here.known.Peek(user.ID)
		}
		end()
		ended.Wait()
		last(Plus)
	})
}
