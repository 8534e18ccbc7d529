package watches

import (
	"context"
	"errors"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/audit"
	"masthead/pkg/billing"
	"masthead/pkg/cleantext"
	"masthead/pkg/db"
	"masthead/pkg/events"
	"masthead/pkg/fetch"
	"masthead/pkg/identity"
	"masthead/pkg/jobs"
)

const (
	atOnce  = 4 // audits on a node
	runTime = 2 * time.Minute
	// maxTries is how many times a page is tried to load before it counts as down: 35 minutes.
	maxTries = 3
	maxError = 500 // characters
	// busyPause is when a page is tried again whose host gets too many requests of ours.
	busyPause = 5 * time.Minute
)

// outcome is that of an audit.
type outcome struct {
	report *audit.Report // nil if the page couldn't be loaded
	fault  string        // then, why
	at     time.Time
}

// run audits a page, or reads a sitemap, as a job whose key is the id of the watch.
func (s *Service) run(ctx context.Context, j *jobs.Job) (jobs.Result, error) {
	w, ok, err := s.store.find(ctx, j.Key)
	if err != nil || !ok {
		return nil, err
	}
	owner, err := s.deps.Users.ByID(ctx, w.OwnerID)
	if apperr.CodeOf(err) == apperr.NotFound {
		return nil, nil //nolint:nilnil // its watches are gone too
	}
	if err != nil {
		return nil, err
	}
	before, err := s.store.older(ctx, w)
	if err != nil {
		return nil, err
	}
	plan := s.deps.Plans.Plan(owner.Plan)
	if w.Gone || owner.Disabled || before >= plan.Watches {
		return func(ctx context.Context, tx *db.Tx) error { return s.schedule(ctx, tx, w, plan, s.now()) }, nil
	}
	// The report has an id of its own before it is made, so that another attempt finds it.
	runID, err := s.store.begin(ctx, w.ID)
	if err != nil || runID == "" {
		return nil, err
	}
	var end jobs.Result
	var fault string
	if w.Kind == Sitemap {
		got, failed := s.read(ctx, j, w)
		err, fault = failed, got.fault
		end = func(ctx context.Context, tx *db.Tx) error { return s.endReading(ctx, tx, w.ID, runID, plan, got) }
	} else {
		out, failed := s.audit(ctx, j, w, identity.Caller{UserID: w.OwnerID, Plan: owner.Plan, ResourceID: runID})
		err, fault = failed, out.fault
		end = func(ctx context.Context, tx *db.Tx) error { return s.end(ctx, tx, w.ID, runID, plan, out) }
	}
	if errors.Is(err, fetch.ErrTooOften) { // not the page's fault, so it doesn't count as an attempt
		return func(ctx context.Context, tx *db.Tx) error { return s.scheduleAt(ctx, tx, w, s.now().Add(busyPause)) }, nil
	}
	if err != nil && fault != "" && w.LastAt.IsZero() { // it may be mistyped, so its owner is told before all attempts
		return nil, errors.Join(err, s.store.noteFault(ctx, w.ID, fault))
	}
	if err != nil {
		return nil, err
	}
	return end, nil
}

// audit returns the report of a page, or that it can't be loaded. With an error, another attempt may succeed.
func (s *Service) audit(ctx context.Context, j *jobs.Job, w Watch, caller identity.Caller) (outcome, error) {
	made, err := s.deps.Audits.Create(ctx, caller, audit.Request{URL: w.URL})
	if err == nil {
		return outcome{report: made.Report, at: made.FetchedAt}, nil
	}
	var fault *apperr.Error
	if !errors.As(err, &fault) || fault.Code != apperr.UpstreamFailed && fault.Code != apperr.BadRequest {
		return outcome{}, err
	}
	out := outcome{fault: cleantext.Clean(fault.Detail, maxError), at: db.Moment(s.now())}
	if j.Attempt < maxTries {
		return out, err
	}
	return out, nil
}

// schedule enqueues the next audit of a watch, after one at a time.
func (s *Service) schedule(ctx context.Context, tx *db.Tx, w Watch, plan billing.Plan, last time.Time) error {
	return s.scheduleAt(ctx, tx, w, jobs.Spread(w.ID, within(w.Every, plan).period(), last))
}

func (s *Service) scheduleAt(ctx context.Context, tx *db.Tx, w Watch, at time.Time) error {
	at = db.Moment(at)
	there, err := setNext(ctx, tx, w.ID, at)
	if err != nil || !there {
		return err
	}
	return s.queue.EnqueueAt(ctx, tx, w.OwnerID, w.ID, at, nil)
}

// end stores the outcome of an audit, tells what changed, and enqueues the next.
func (s *Service) end(ctx context.Context, tx *db.Tx, id, runID string, plan billing.Plan, out outcome) error {
	w, ok, err := lock(ctx, tx, id)
	if err != nil || !ok {
		return err
	}
	open, err := openFindings(ctx, tx, id)
	if err != nil {
		return err
	}
	c, run := s.outcome(w, open, out)
	run.ID, run.At = runID, out.at
	if err := storeRun(ctx, tx, w, run, c); err != nil {
		return err
	}
	if err := s.tell(ctx, tx, w, run, c); err != nil {
		return err
	}
	return s.schedule(ctx, tx, w, plan, s.now())
}

// outcome compares an audit with the last one.
func (s *Service) outcome(w Watch, open map[string]Finding, out outcome) (changes, Run) {
	if r := out.report; r != nil {
		c := compare(w, w.Letter == "", open, found(r, open), r.Overall.Score, r.Overall.Letter)
		return c, Run{ReportID: r.ID, Score: r.Overall.Score, Letter: r.Overall.Letter, Changes: c.sentences}
	}
	now := []Finding{{Subject: page, Severity: severityError, words: ofPage(out.fault)}}
	for subject, f := range open { // nothing is known of the rest
		if subject != page {
			now = append(now, f)
		}
	}
	c := compare(w, w.Letter == "", open, now, w.Score, w.Letter)
	return c, Run{Error: out.fault, Changes: c.sentences}
}

// tell publishes what the owner is told.
func (s *Service) tell(ctx context.Context, tx *db.Tx, w Watch, run Run, c changes) error {
	data := events.Watch{WatchId: w.ID, Url: w.URL}
	if w.SitemapID != "" {
		data.SitemapId = &w.SitemapID
	}
	if run.ReportID != "" {
		data.AuditId, data.Score, data.Grade = &run.ReportID, &run.Score, &run.Letter
	}
	if w.Letter != "" {
		data.PreviousScore, data.PreviousGrade = &w.Score, &w.Letter
	}
	for _, told := range []struct {
		event    events.Type[events.Watch]
		problems []string
	}{{events.WatchWorse, c.worse}, {events.WatchRecovered, c.better}} {
		if len(told.problems) == 0 {
			continue
		}
		data.Problems = lines(told.problems)
		if err := told.event.Publish(ctx, tx, s.deps.Events, w.OwnerID, data); err != nil {
			return err
		}
	}
	return nil
}
