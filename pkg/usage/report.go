package usage

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/billing"
	"masthead/pkg/identity"
)

// Units are a month's units: the plan's limit, those reserved or used, those used by stored pictures, and those left.
type Units struct{ Limit, Used, Kept, Left int64 }

// Counts are the numbers of each thing counted. AI counts stored AI pictures.
type Counts struct{ AI, Drawn, GenerateHits, PublicHits int64 }

func (c *Counts) add(o Counts) {
	c.AI += o.AI
	c.Drawn += o.Drawn
	c.GenerateHits += o.GenerateHits
	c.PublicHits += o.PublicHits
}

// Day is the usage on a day in UTC, such as "2026-11-21".
type Day struct {
	Date string
	Counts
}

// OfKind is the usage for one kind of image.
type OfKind struct {
	Kind string
	Counts
}

// Report is the usage of an account in a month.
type Report struct {
	Month string
	Plan  billing.Plan
	// AI counts all AI pictures, Pro those made by the pro model.
	AI, Pro Units
	// Analyses counts audits analyzed by a model. Pending ones count as used. Kept is always 0.
	Analyses Units
	Total    Counts
	Days     []Day    // days with usage, in order
	Kinds    []OfKind // kinds with usage, in order
}

// Report returns the usage of the caller's account in a month, such as "2026-11", or in the current month for "". It
// returns BAD_REQUEST if month is invalid.
func (s *Service) Report(ctx context.Context, caller identity.Caller, month string) (Report, error) {
	present := MonthOf(s.now())
	month = cmp.Or(month, present)
	if _, err := time.Parse("2006-01", month); err != nil {
		return Report{}, apperr.Invalid("query.month", "month must be a month such as 2026-11.")
	}
	plan, err := s.plans.PlanOf(ctx, caller.UserID)
	if err != nil {
		if apperr.CodeOf(err) == apperr.NotFound {
			err = identity.Gone(err)
		}
		return Report{}, err
	}
	r := Report{Month: month, Plan: plan}
	if r.AI, r.Pro, err = s.store.units(ctx, caller.UserID, month); err != nil {
		return Report{}, err
	}
	r.AI.Limit, r.Pro.Limit = plan.AIUnits, plan.ProUnits
	if month >= present {
		r.AI.Left = max(0, r.AI.Limit-r.AI.Used)
		r.Pro.Left = min(r.AI.Left, max(0, r.Pro.Limit-r.Pro.Used))
	}
	if r.Analyses.Used, err = s.store.analyses(ctx, caller.UserID, month); err != nil {
		return Report{}, err
	}
	if r.Analyses.Limit = plan.Analyses; month >= present {
		r.Analyses.Left = max(0, r.Analyses.Limit-r.Analyses.Used)
	}
	used, err := s.store.used(ctx, caller.UserID, month)
	if err != nil {
		return Report{}, err
	}
	r.sum(used)
	return r, nil
}

// sum fills in the totals, by day and by kind.
func (r *Report) sum(used []usedRow) {
	days, kinds := map[string]*Counts{}, map[string]*Counts{}
	in := func(of map[string]*Counts, key string) *Counts {
		if of[key] == nil {
			of[key] = &Counts{}
		}
		return of[key]
	}
	for _, u := range used {
		c := Counts{AI: u.AI, Drawn: u.Drawn, GenerateHits: u.GenerateHits, PublicHits: u.PublicHits}
		r.Total.add(c)
		in(days, u.Day).add(c)
		if u.Kind != "" {
			in(kinds, u.Kind).add(c)
		}
	}
	for date, c := range days {
		r.Days = append(r.Days, Day{date, *c})
	}
	for kind, c := range kinds {
		r.Kinds = append(r.Kinds, OfKind{kind, *c})
	}
	slices.SortFunc(r.Days, func(a, b Day) int { return cmp.Compare(a.Date, b.Date) })
	slices.SortFunc(r.Kinds, func(a, b OfKind) int { return cmp.Compare(a.Kind, b.Kind) })
}

// monthBounds returns the start of a month and of the next one.
func monthBounds(month string) (from, to time.Time, err error) {
	from, err = time.Parse("2006-01", month)
	if err != nil {
		return from, to, fmt.Errorf("read the month %q: %w", month, err)
	}
	return from, from.AddDate(0, 1, 0), nil
}
