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
type Counts struct {
	AI           int64 `db:"ai"`
	Drawn        int64 `db:"drawn"`
	GenerateHits int64 `db:"generate_hits"`
	PublicHits   int64 `db:"public_hits"`
}

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

// OfProject is the usage of one project. ID is "" for what was counted before projects were, and Name is "" for a
// deleted project.
type OfProject struct {
	ID, Name string
	Counts
}

// OfKey is the usage of one API key. ID is "" for /og and for what was done without a key, and Name is "" for a deleted
// key.
type OfKey struct {
	ID, Name string
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
	Days     []Day       // days with usage, in order
	Kinds    []OfKind    // kinds with usage, in order
	Projects []OfProject // projects with usage, by name
	Keys     []OfKey     // keys with usage, by name
}

// Report returns the usage of the caller's account in a month, such as "2026-11", or in the current month for "". It
// returns BAD_REQUEST if month is invalid.
func (s *Service) Report(ctx context.Context, caller identity.Caller, month string) (Report, error) {
	present := MonthOf(s.now())
	month, err := s.month(month)
	if err != nil {
		return Report{}, err
	}
	plan, err := s.plans.PlanOf(ctx, caller.UserID)
	if err != nil {
		if apperr.CodeOf(err) == apperr.NotFound {
			err = identity.Gone(err)
		}
		return Report{}, err
	}
	s.flushOf(ctx, caller.UserID)
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
	return r, s.sums(ctx, caller.UserID, &r)
}

// sums fills in what an account used in the month of r.
func (s *Service) sums(ctx context.Context, ownerID string, r *Report) error {
	used, err := s.store.used(ctx, ownerID, r.Month, byDayAndKind)
	if err != nil {
		return err
	}
	r.sum(used)
	if used, err = s.store.used(ctx, ownerID, r.Month, byProjectAndKey); err != nil {
		return err
	}
	names, err := s.store.names(ctx, ownerID)
	if err != nil {
		return err
	}
	r.sumSources(used, names)
	return nil
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
		r.Total.add(u.Counts)
		in(days, u.Day).add(u.Counts)
		if u.Kind != "" {
			in(kinds, u.Kind).add(u.Counts)
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

// sumSources fills in the usage by project and by key.
func (r *Report) sumSources(used []usedRow, names map[string]string) {
	projects, keys := map[string]Counts{}, map[string]Counts{}
	for _, u := range used {
		project, key := projects[u.ProjectID], keys[u.KeyID]
		project.add(u.Counts)
		key.add(u.Counts)
		projects[u.ProjectID], keys[u.KeyID] = project, key
	}
	for id, c := range projects {
		r.Projects = append(r.Projects, OfProject{id, names[id], c})
	}
	for id, c := range keys {
		r.Keys = append(r.Keys, OfKey{id, names[id], c})
	}
	slices.SortFunc(r.Projects, func(a, b OfProject) int { return byName(a.Name, b.Name, a.ID, b.ID) })
	slices.SortFunc(r.Keys, func(a, b OfKey) int { return byName(a.Name, b.Name, a.ID, b.ID) })
}

// byName orders by name and then by ID. What has no name comes after it, and what has no ID last.
func byName(a, b, idA, idB string) int {
	rank := func(name, id string) int {
		switch {
		case name != "":
			return 0
		case id != "":
			return 1
		default:
			return 2
		}
	}
	return cmp.Or(cmp.Compare(rank(a, idA), rank(b, idB)), cmp.Compare(a, b), cmp.Compare(idA, idB))
}

// Row is the usage of a day from one source. The names are "" for what is deleted or has no ID.
type Row struct {
	Day          string // in UTC, such as "2026-11-21"
	Project, Key string
	Source
	Counts
}

// Rows returns the usage of the caller's account in a month by day, project, key and kind, in this order and at most
// 100,000 of the former and of AI pictures. It returns BAD_REQUEST if month is invalid.
func (s *Service) Rows(ctx context.Context, caller identity.Caller, month string) (rows []Row, err error) {
	if month, err = s.month(month); err != nil {
		return nil, err
	}
	s.flushOf(ctx, caller.UserID)
	used, err := s.store.used(ctx, caller.UserID, month, byAll)
	if err != nil {
		return nil, err
	}
	names, err := s.store.names(ctx, caller.UserID)
	if err != nil {
		return nil, err
	}
	for _, u := range used {
		rows = append(rows, Row{u.Day, names[u.ProjectID], names[u.KeyID], u.Source, u.Counts})
	}
	return rows, nil
}

// month returns a month, the current one for "", or BAD_REQUEST.
func (s *Service) month(month string) (string, error) {
	month = cmp.Or(month, MonthOf(s.now()))
	if _, err := time.Parse("2006-01", month); err != nil {
		return "", apperr.Invalid("query.month", "month must be a month such as 2026-11.")
	}
	return month, nil
}

// monthBounds returns the start of a month and of the next one.
func monthBounds(month string) (from, to time.Time, err error) {
	from, err = time.Parse("2006-01", month)
	if err != nil {
		return from, to, fmt.Errorf("read the month %q: %w", month, err)
	}
	return from, from.AddDate(0, 1, 0), nil
}
