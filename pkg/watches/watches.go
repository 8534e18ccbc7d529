// Package watches audits pages of accounts again and again, and tells their owners what changed.
//
//   - run.go is the audit of one page, as a job under the id of the watch, which enqueues the next one in its result.
//   - sitemap.go reads a watched sitemap, as a job too, and adds and removes its pages, which are watches themselves.
//   - compare.go finds what is wrong with a page in a report, and what changed since the last one.
//   - words.go says it.
//   - badge.go draws the badge.
//
// What is promised: each change that the owner is told of ([events.WatchWorse], [events.WatchRecovered]) is told once,
// since the transaction that ends the job compares, stores and publishes. An attempt that was interrupted after its
// report was stored is repeated with that report. What was wrong in the first report isn't told, nor is its end.
package watches

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/audit"
	"masthead/pkg/base62"
	"masthead/pkg/billing"
	"masthead/pkg/cursor"
	"masthead/pkg/db"
	"masthead/pkg/events"
	"masthead/pkg/humanize"
	"masthead/pkg/identity"
	"masthead/pkg/jobs"
	"masthead/pkg/projects"
	"masthead/pkg/undo"
	"masthead/pkg/users"
	"masthead/pkg/weburl"
)

const (
	// keptFor is how long audits and findings that are over are kept.
	keptFor = 400 * 24 * time.Hour
	// publicIDLength is the length of the id of a badge: 130 bits.
	publicIDLength = 22
	// maxFindings is how many findings a history shows, maxProblems how many a watch does.
	maxFindings, maxProblems = 200, 100
)

// Every is how often a page is audited.
type Every string

// The periods.
const (
	Day  Every = billing.EveryDay
	Week Every = billing.EveryWeek
)

func (e Every) period() time.Duration {
	if e == Day {
		return 24 * time.Hour
	}
	return 7 * 24 * time.Hour
}

// Kind is what is watched.
type Kind string

// The kinds.
const (
	Page    Kind = "page"
	Sitemap Kind = "sitemap"
)

// Watch is a page that is watched, or a sitemap.
type Watch struct {
	ID, PublicID, OwnerID string
	Kind                  Kind
	// ProjectID is "" for a page of no project, SitemapID for one that is watched by itself.
	ProjectID, SitemapID string
	URL                  string
	Every                Every
	// Paused means that the owner's plan has no room for it.
	Paused bool
	// Gone means that its sitemap no longer lists it. Only this package sees such a page.
	Gone bool
	// ReportID, Score and Letter are those of the latest report; Letter is "" before the first. For a sitemap they are
	// the average of its pages, without a report.
	ReportID, Letter string
	Score            int
	// Listed is how many pages a sitemap lists, 0 before it was read; Watched how many are watched with it; and Note what
	// was left out, as sentences.
	Listed, Watched int
	Note            string
	// Error is why the latest audit failed; "" if it didn't.
	Error string
	// Problems are what is wrong now.
	Problems []Finding
	// Scores are the latest ones, newest first, if a [Filter] asked for them.
	Scores               []Score
	LastAt, NextAt       time.Time // LastAt is zero before the first audit
	CreatedAt, UpdatedAt time.Time
}

// Score is that of an audit.
type Score struct {
	At     time.Time
	Score  int
	Letter string
}

// Finding is what a page lost points for, or what else is wrong with it.
type Finding struct {
	// Subject is a rule of audits, or one of the subjects of this package.
	Subject  string
	Severity string // error, warning or info
	// Told reports whether the owner was told of it.
	Told  bool
	Since time.Time
	Until time.Time // zero while it is open

	id      string
	words   words
	changed bool // since it was stored
}

// Run is an audit of a page.
type Run struct {
	ID string
	At time.Time
	// ReportID is "", and Error isn't, if the page couldn't be loaded.
	ReportID, Letter, Error string
	Score                   int
	// Changes since the audit before, as sentences.
	Changes []string
}

// New is what a new watch is created with.
type New struct {
	Kind           Kind // "" is Page
	URL, ProjectID string
	Every          Every // "" is Week
}

// Auditor audits pages; an [audit.Service].
type Auditor interface {
	Create(ctx context.Context, caller identity.Caller, r audit.Request) (*audit.Record, error)
}

// Deps are what a [Service] needs.
type Deps struct {
	DB       *db.DB
	Users    *users.Service
	Projects *projects.Service
	Plans    *billing.Service
	Audits   Auditor
	Sitemaps Sitemaps
	Events   *events.Bus
	Jobs     *jobs.Worker
	// Base is the public address of the service, without a trailing slash.
	Base string
}

// Service has the watches. It is safe for concurrent use.
type Service struct {
	store     store
	deps      Deps
	queue     *jobs.Queue
	deletions *undo.Deletions
	now       func() time.Time
	readTime  time.Duration // bounds reading a sitemap with all that it links to
}

// NewService returns a service, which audits pages as jobs of deps.Jobs.
func NewService(deps Deps) *Service {
	s := &Service{store: store{deps.DB}, deps: deps, now: time.Now, readTime: readTime}
	s.queue = deps.Jobs.Handle("watch", jobs.Work{
		Do: s.run, AtOnce: atOnce, Time: runTime, Attempts: 1 << 30, Pause: jobs.Pauses(5*time.Minute, 30*time.Minute),
	})
	s.deletions = s.newDeletions(deps.Jobs)
	deps.Plans.Limited(overLimit)
	return s
}

// Create watches a page, or those of a sitemap, for the caller. BadRequest for an invalid address, TierLocked for more
// pages than the plan allows, or more often, NotFound for a project of others.
func (s *Service) Create(ctx context.Context, caller identity.Caller, n New) (Watch, error) {
	u, err := weburl.Parse(n.URL)
	if err != nil {
		var known *apperr.Error
		if errors.As(err, &known) {
			return Watch{}, apperr.Invalid("/url", known.Detail)
		}
		return Watch{}, err
	}
	if n.ProjectID == "" {
		n.ProjectID = caller.KeyProjectID
	}
	if n.ProjectID != "" {
		if _, err := s.deps.Projects.Get(ctx, caller, n.ProjectID); err != nil {
			return Watch{}, err
		}
	}
	plan, err := s.deps.Plans.PlanOf(ctx, caller.UserID)
	if err != nil {
		return Watch{}, err
	}
	n.Kind, n.Every = cmp.Or(n.Kind, Page), cmp.Or(n.Every, Week)
	if err := allowed(plan, n.Every); err != nil {
		return Watch{}, err
	}
	now := db.Moment(s.now())
	made := Watch{
		ID: db.NewID(), Kind: n.Kind, PublicID: base62.Random(publicIDLength), OwnerID: caller.UserID,
		ProjectID: n.ProjectID, URL: u.String(), Every: n.Every, NextAt: now, CreatedAt: now, UpdatedAt: now,
	}
	err = s.store.insert(ctx, made, plan, func(ctx context.Context, tx *db.Tx) error {
		return s.queue.Enqueue(ctx, tx, made.OwnerID, made.ID, nil)
	})
	return made, err
}

// allowed returns TierLocked for a period that a plan doesn't include.
func allowed(plan billing.Plan, e Every) error {
	if e == Day && plan.WatchEvery != billing.EveryDay {
		return apperr.New(apperr.TierLocked,
			"The plan "+humanize.Capital(plan.Name)+" audits pages weekly. Change the plan for daily audits.")
	}
	return nil
}

// within is how often a page is audited with a plan, also one that is smaller than when it was asked for.
func within(e Every, plan billing.Plan) Every {
	if allowed(plan, e) != nil {
		return Week
	}
	return e
}

// get returns a watch of the caller, or NotFound.
func (s *Service) get(ctx context.Context, caller identity.Caller, id string) (Watch, error) {
	w, err := s.store.get(ctx, caller, id)
	if err != nil {
		return Watch{}, err
	}
	one := []Watch{w}
	err = s.complete(ctx, caller.UserID, one)
	return one[0], err
}

// errOfSitemap is for what only the sitemap of a page can do.
var errOfSitemap = apperr.New(apperr.Conflict,
	"The page is watched with a sitemap, and can only be changed or deleted with it.")

// Update changes how often a page of the caller is audited, unless every is "". One that is to be audited more often is
// audited at once; a sitemap is read at once and changes its pages. NotFound, TierLocked for a period that the plan
// doesn't include, Conflict for a page of a sitemap.
func (s *Service) Update(ctx context.Context, caller identity.Caller, id string, every Every) (Watch, error) {
	w, err := s.get(ctx, caller, id)
	if err == nil && w.SitemapID != "" {
		return Watch{}, errOfSitemap
	}
	if err != nil || every == "" || every == w.Every {
		return w, err
	}
	plan, err := s.deps.Plans.PlanOf(ctx, caller.UserID)
	if err == nil {
		err = allowed(plan, every)
	}
	if err != nil {
		return Watch{}, err
	}
	err = s.store.db.InTx(ctx, func(tx *db.Tx) error {
		if every == Day || w.Kind == Sitemap {
			if err := s.wake(ctx, tx, w, s.now()); err != nil {
				return err
			}
		}
		return update(ctx, tx, caller, id, every, s.now())
	})
	if err != nil {
		return Watch{}, err
	}
	return s.get(ctx, caller, id)
}

// wake has a watch audited at once. The job comes first, as in the transaction that ends one: so they can't block each
// other.
func (s *Service) wake(ctx context.Context, tx *db.Tx, w Watch, now time.Time) error {
	if err := s.queue.Wake(ctx, tx, w.OwnerID, w.ID, nil); err != nil {
		return err
	}
	_, err := setNext(ctx, tx, w.ID, now)
	return err
}

// Delete deletes a watch of the caller with its history, and a sitemap with its pages. NotFound, or Conflict for a page
// of a sitemap.
func (s *Service) Delete(ctx context.Context, caller identity.Caller, id string) error {
	if err := s.deletable(ctx, caller, id); err != nil {
		return err
	}
	return s.store.delete(ctx, caller, id)
}

// deletable returns the error of deleting a watch of the caller, or nil.
func (s *Service) deletable(ctx context.Context, caller identity.Caller, id string) error {
	w, err := s.store.get(ctx, caller, id)
	if err == nil && w.SitemapID != "" {
		return errOfSitemap
	}
	return err
}

// Run has a page of the caller audited at once, and returns its watch. NotFound, or Conflict if it is paused.
func (s *Service) Run(ctx context.Context, caller identity.Caller, id string) (Watch, error) {
	w, err := s.get(ctx, caller, id)
	if err != nil {
		return Watch{}, err
	}
	if w.Paused {
		return Watch{}, apperr.New(apperr.Conflict,
			"The page is paused, since your plan has no room for it. Delete another one, or change the plan.")
	}
	w.NextAt = db.Moment(s.now())
	err = s.store.db.InTx(ctx, func(tx *db.Tx) error { return s.wake(ctx, tx, w, w.NextAt) })
	return w, err
}

// History returns a page of the audits of a watch of the caller, newest first, the cursor of the next page, and the
// latest findings, open ones first.
func (s *Service) History(
	ctx context.Context, caller identity.Caller, id string, p cursor.Page,
) (page []Run, next string, findings []Finding, err error) {
	if _, err := s.store.get(ctx, caller, id); err != nil {
		return nil, "", nil, err
	}
	page, next, err = cursor.List(p, func(r Run) string { return r.ID }, func(before string, limit int) ([]Run, error) {
		return s.store.runs(ctx, id, before, limit)
	})
	if err == nil {
		findings, err = s.store.findings(ctx, id, maxFindings)
	}
	return page, next, findings, err
}

// BadgeURL is the address of the badge of a watch.
func (s *Service) BadgeURL(w Watch) string {
	return s.deps.Base + "/badge/" + w.PublicID + "/" + badgeName
}

// overLimit returns what of an account a plan has no room for; see [billing.Service.Limited].
func overLimit(ctx context.Context, tx *db.Tx, accountID string, p billing.Plan) ([]string, error) {
	urls, err := beyond(ctx, tx, accountID, p.Watches, maxPaused)
	if err != nil {
		return nil, err
	}
	for i, u := range urls {
		urls[i] = "the watched page " + u
	}
	return urls, nil
}

// maxPaused bounds how many paused pages are named.
const maxPaused = 200

// Sweep deletes audits, and findings that are over, after 400 days, and pages that sitemaps no longer list after 30.
func (s *Service) Sweep(ctx context.Context) error {
	return s.store.sweep(ctx, s.now().Add(-keptFor), s.now().Add(-goneFor))
}

// sinceWords are the words of a finding that began.
func (f Finding) sinceWords(now time.Time) string {
	return fmt.Sprintf("%s since %s%s", f.words.Since, dayOf(f.Since, now), ending(f.words.Detail))
}

// Text says what was found, as a sentence.
func (f Finding) Text(now time.Time) string {
	if f.Until.IsZero() {
		return f.sinceWords(now)
	}
	return f.words.Now + ending(f.words.Detail)
}
