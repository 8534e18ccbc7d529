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

// Units are those of a month: what the plan has, what is reserved or kept, what is kept, what can still be used.
type Units struct{ Limit, Used, Kept, Left int64 }

// Counts are what was used of each thing; AI are the pictures kept.
type Counts struct{ AI, Drawn, GenerateHits, PublicHits int64 }

func (c *Counts) add(o Counts) {
	c.AI += o.AI
	c.Drawn += o.Drawn
	c.GenerateHits += o.GenerateHits
	c.PublicHits += o.PublicHits
}

// Day is what was used on a day in UTC, such as "2026-11-21".
type Day struct {
	Date string
	Counts
}

// OfKind is what was used for a kind of image.
type OfKind struct {
	Kind string
	Counts
}

// Report is what an account has used in a month.
type Report struct {
	Month string
	Plan  billing.Plan
	// AI are all AI pictures, Pro those of them that are of the pro model.
	AI, Pro Units
	// Analyses are those that a model makes of audits. One that is waited for is used, but not kept apart.
	Analyses Units
	Total    Counts
	Days     []Day    // with something in them, in their order
	Kinds    []OfKind // likewise
}

// Report returns what the caller's account has used in a month, such as "2026-11"; the present one for "". BAD_REQUEST
// for what is no month.
func (s *Service) Report(ctx context.Context, caller identity.Caller, month string) (Report, error) {
	present := MonthOf(s.now())
	if month == "" {
		month = present
	}
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

// sum fills in what was used in all, by day and by kind.
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

// monthBounds are the first moment of a month and of the next one.
func monthBounds(month string) (from, to time.Time, err error) {
	from, err = time.Parse("2006-01", month)
	if err != nil {
		return from, to, fmt.Errorf("read the month %q: %w", month, err)
	}
	return from, from.AddDate(0, 1, 0), nil
}
