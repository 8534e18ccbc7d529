// Package crawlers reads the pages of reports by the names of all crawlers, as [audit.Look] does, for the owners of the
// reports: in the background, and each host at most once in ten minutes. store.go has what is stored, http.go the
// operations.
package crawlers

import (
	"context"
	"errors"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/audit"
	"masthead/pkg/cleantext"
	"masthead/pkg/db"
	"masthead/pkg/fetch"
	"masthead/pkg/identity"
	"masthead/pkg/jobs"
	"masthead/pkg/weburl"
)

const (
	// hostPause is the time between two readings of pages of a host.
	hostPause = 10 * time.Minute
	// maxUnfinished is how many readings of an account may wait or run.
	maxUnfinished = 5
	// atOnce is how many pages a node reads at a time.
	atOnce = 4
	// runTime bounds an attempt.
	runTime  = 6 * time.Minute
	maxTries = 2
	// maxError is the maximum length of an error, in characters.
	maxError = 500
)

// State is how far a reading is.
type State string

// The states. Derived means that the page wasn't read by names: the lens says what follows from one request.
const (
	Derived State = "DERIVED"
	Waiting State = "WAITING"
	Running State = "RUNNING"
	Ready   State = "READY"
	Failed  State = "FAILED"
)

// Reading is what is known of how crawlers receive the page of a report.
type Reading struct {
	ID, OwnerID string
	// ReportID is the public ID of the report.
	ReportID, Host, URL string
	State               State
	// Error is why it failed, as a sentence; "" if it didn't.
	Error string
	// Lens has the crawlers so far; unless it is Running or Ready, it is the derived one of the report. nil for none.
	Lens                  *audit.Lens
	CreatedAt, FinishedAt time.Time // zero if it wasn't
}

// Reports has the reports; an [audit.Service].
type Reports interface {
	Get(ctx context.Context, caller identity.Caller, id string) (*audit.Record, error)
}

// Deps are what a [Service] needs.
type Deps struct {
	DB      *db.DB
	Reports Reports
	Fetch   *fetch.Client
	// Contact is the address in the User-Agent.
	Contact string
	Jobs    *jobs.Worker
}

// Service has the readings. It is safe for concurrent use.
type Service struct {
	store store
	deps  Deps
	queue *jobs.Queue
	now   func() time.Time
}

// New returns a service, which reads as jobs of deps.Jobs.
func New(deps Deps) *Service {
	s := &Service{store: store{deps.DB}, deps: deps, now: time.Now}
	s.queue = deps.Jobs.Handle("crawlers", jobs.Work{
		Do: s.run, Fail: s.fail, AtOnce: atOnce, Time: runTime, Attempts: maxTries, Pause: jobs.Pauses(10 * time.Second),
	})
	return s
}

// Create begins to read the page of a report of the caller, or returns the reading that runs. NotFound for reports of
// others, RateLimited if a page of the host was read in the last ten minutes, Conflict while five readings of the
// account aren't finished.
func (s *Service) Create(ctx context.Context, caller identity.Caller, reportID string) (Reading, error) {
	report, err := s.deps.Reports.Get(ctx, caller, reportID)
	if err != nil {
		return Reading{}, err
	}
	if report.OwnerID == "" || report.OwnerID != caller.UserID {
		return Reading{}, apperr.New(apperr.NotFound, "You have no report with this id. Pages are read by the names of "+
			"crawlers for the owner of a report alone.")
	}
	u, err := weburl.Parse(report.URL)
	if err != nil {
		return Reading{}, err
	}
	made := Reading{
		ID: db.NewID(), OwnerID: caller.UserID, ReportID: reportID, Host: u.Hostname(), URL: report.URL, State: Waiting,
		Lens: report.Lens, CreatedAt: db.Moment(s.now()),
	}
	running, err := s.store.insert(ctx, made, func(tx *db.Tx) error {
		return s.queue.Enqueue(ctx, tx, made.OwnerID, made.ID, nil)
	})
	switch {
	case db.IsForeignKey(err):
		return Reading{}, identity.Gone(err)
	case err != nil:
		return Reading{}, err
	case running != nil:
		return s.known(*running, report.Lens), nil
	}
	return made, nil
}

// Get returns how crawlers receive the page of a report, for anyone who has its ID; NotFound.
func (s *Service) Get(ctx context.Context, caller identity.Caller, reportID string) (Reading, error) {
	report, err := s.deps.Reports.Get(ctx, caller, reportID)
	if err != nil {
		return Reading{}, err
	}
	found, ok, err := s.store.of(ctx, reportID)
	if err != nil {
		return Reading{}, err
	}
	if !ok {
		found = Reading{ReportID: reportID, URL: report.URL, State: Derived}
	}
	return s.known(found, report.Lens), nil
}

// known fills in the derived lens of a report where a reading has none.
func (s *Service) known(r Reading, derived *audit.Lens) Reading {
	if r.Lens == nil || r.State == Failed {
		r.Lens = derived
	}
	return r
}

// Sweep deletes readings whose reports are gone, once they no longer count for the limit of their host.
func (s *Service) Sweep(ctx context.Context) error {
	return s.store.sweep(ctx, s.now().Add(-hostPause))
}

// run makes an attempt.
func (s *Service) run(ctx context.Context, j *jobs.Job) (jobs.Result, error) {
	of, ok, err := s.store.find(ctx, j.Key)
	if err != nil || !ok || of.ReportID == "" || of.State == Ready || of.State == Failed {
		return nil, err
	}
	u, err := weburl.Parse(of.URL)
	if err != nil {
		return nil, err
	}
	lens, err := audit.Look(ctx, s.deps.Fetch, u, audit.LookOptions{
		Owner: of.OwnerID, Contact: s.deps.Contact,
		Each: func(l *audit.Lens) error { return s.store.progress(ctx, of.ID, l) },
	})
	var known *apperr.Error
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, errGone):
		return nil, nil //nolint:nilnil // its report was deleted
	case errors.As(err, &known) && (known.Code == apperr.UpstreamFailed || known.Code == apperr.BadRequest):
		return s.failed(of.ID, known.Detail), nil
	case err != nil:
		return nil, err
	}
	return func(ctx context.Context, tx *db.Tx) error { return setReady(ctx, tx, of.ID, lens, s.now()) }, nil
}

// failed is the result of a reading that fails for a reason, as a sentence.
func (s *Service) failed(id, reason string) jobs.Result {
	return func(ctx context.Context, tx *db.Tx) error {
		return setFailed(ctx, tx, id, cleantext.Clean(reason, maxError), s.now())
	}
}

// fail is what is written of a job that is given up.
func (s *Service) fail(_ context.Context, j *jobs.Job, err error) jobs.Result {
	reason := "Something went wrong here. Try again later."
	switch {
	case errors.Is(err, jobs.ErrCanceled):
		reason = "This server’s operator canceled it."
	case errors.Is(err, context.DeadlineExceeded):
		reason = "The site took too long to answer all names."
	}
	return s.failed(j.Key, reason)
}
