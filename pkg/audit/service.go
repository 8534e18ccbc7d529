package audit

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/billing"
	"masthead/pkg/blob"
	"masthead/pkg/cursor"
	"masthead/pkg/db"
	"masthead/pkg/events"
	"masthead/pkg/fair"
	"masthead/pkg/fetch"
	"masthead/pkg/files"
	"masthead/pkg/identity"
	"masthead/pkg/lease"
	"masthead/pkg/scrape"
	"masthead/pkg/weburl"
)

// Config says how long reports are kept.
type Config struct {
	Days      int `name:"audit-days" env:"MASTHEAD_AUDIT_DAYS" default:"30" help:"Days after which reports of anonymous callers are deleted, with their pictures."`
	PictureMB int `name:"audit-pictures" env:"MASTHEAD_AUDIT_PICTURES" default:"2000" placeholder:"MB" help:"Disk space for the pictures of such reports, in MB. Above it the oldest are deleted."`
}

// withDefaults fills in what was left out.
func (c Config) withDefaults() Config {
	if c.Days == 0 {
		c.Days = 30
	}
	if c.PictureMB == 0 {
		c.PictureMB = 2000
	}
	return c
}

// Validate reports what is wrong, naming the variables.
func (c Config) Validate() error {
	var faults []error
	if c.Days < 0 || c.Days > 3650 {
		faults = append(faults, fmt.Errorf("MASTHEAD_AUDIT_DAYS must be from 1 to 3650, not %d", c.Days))
	}
	if c.PictureMB < 0 || c.PictureMB > 10_000_000 {
		faults = append(faults, fmt.Errorf("MASTHEAD_AUDIT_PICTURES must be from 1 to 10000000, not %d", c.PictureMB))
	}
	return errors.Join(faults...)
}

// Deps are what the service stands on.
type Deps struct {
	DB      *db.DB
	Scraper *scrape.Scraper
	// Files is the ledger of stored files, Pictures where those of reports are.
	Files    *files.Ledger
	Pictures blob.Store
	Plans    *billing.Service
	// Base is the public address of the service, without a slash at its end.
	Base   string
	Events *events.Bus // may be nil
	// Analyst analyses reports; nil where there is none.
	Analyst Analyst
}

// Service keeps reports. It is safe for concurrent use, on many nodes over one database.
type Service struct {
	cfg      Config
	store    store
	scraper  *scrape.Scraper
	pictures blob.Store
	files    *files.Store
	plans    *billing.Service
	base     string
	analyst  Analyst
	events   *events.Bus
	encoding *fair.Pool   // slots for encoding pictures
	runs     runs         // of anonymous callers
	leases   *lease.Table // nil when this process is the only one with its database
	metrics  *metrics
	now      func() time.Time
}

// newEncoding returns slots for encoding pictures, for which owners take turns. A report takes some 10 ms.
func newEncoding(slots int) *fair.Pool {
	return fair.NewPool(fair.Limits{Slots: slots, OwnerSlots: slots, Queue: 512, OwnerQueue: 256, Wait: 20 * time.Second})
}

// New returns the service of the reports in deps.DB.
func New(cfg Config, deps Deps) *Service {
	s := &Service{
		cfg: cfg.withDefaults(), store: store{deps.DB}, scraper: deps.Scraper, pictures: deps.Pictures, plans: deps.Plans,
		base: deps.Base, analyst: deps.Analyst, events: deps.Events, encoding: newEncoding(runtime.GOMAXPROCS(0)),
		now:     time.Now,
		metrics: newMetrics(),
	}
	s.files = deps.Files.Register(files.Kind{Name: "report", Blobs: deps.Pictures, References: `SELECT f.digest, f.name,
		f.audit_id AS owner, a.public_id AS scope, f.size FROM audit_files f JOIN audits a ON a.id = f.audit_id`})
	if deps.DB.Dialect() == db.Postgres {
		s.leases = lease.New(deps.DB, leaseTime)
	}
	return s
}

// maxReports is how many reports an account has: the oldest goes for a new one. It bounds the disk that an account can
// fill.
const maxReports = 1000

// Request is an audit to be made.
type Request struct {
	URL string
	// IncludeAI asks for an analysis; of a caller who is not signed in it is ignored.
	IncludeAI bool
	// Progress, unless it is nil, is told what happened so far.
	Progress func(Progress)
}

// Record is a kept report.
type Record struct {
	*Report
	// OwnerID is the account that it is of; "" for nobody's.
	OwnerID string
	// AI is what whoever asks may see of the analysis; nil for nothing.
	AI *AI
	// Age is how long ago the page was read. Reused says of a report that was asked for that it was made for another
	// request.
	Age    time.Duration
	Reused bool

	id string // of the row
}

// Create audits a page and keeps the report: of the caller, or of nobody when they are anonymous; these may get one
// that is up to half a minute old, see [Service.share]. Errors are those of [Examine], BAD_REQUEST for what is no
// address, and RATE_LIMITED when as much was fetched from the site as may be for a while.
func (s *Service) Create(ctx context.Context, caller identity.Caller, r Request) (*Record, error) {
	u, err := weburl.Parse(r.URL)
	if err != nil {
		return nil, atURL(err)
	}
	if caller.ResourceID != "" { // it may have been made by an attempt at the same request
		made, err := s.store.byID(ctx, caller.UserID, caller.ResourceID)
		if err == nil {
			return s.seenBy(ctx, caller, made)
		}
		if apperr.CodeOf(err) != apperr.NotFound {
			return nil, err
		}
	}
	create := s.create
	if caller.Anonymous() {
		create = s.share
	}
	made, err := create(ctx, caller, u, r)
	if err != nil {
		return nil, err
	}
	return s.seenBy(ctx, caller, made)
}

// create audits a page now and keeps the report.
func (s *Service) create(ctx context.Context, caller identity.Caller, u weburl.URL, r Request) (*record, error) {
	report, site, err := examine(ctx, s.scraper, u, Options{
		Owner: caller.UserID, Show: true, Progress: r.Progress, Now: s.now, encoding: s.encoding,
	})
	s.metrics.examined(report, err)
	if err != nil {
		return nil, atURL(err)
	}
	report.FetchedAt = db.Moment(report.FetchedAt)
	made := &record{Record: Record{Report: report, OwnerID: caller.UserID, id: caller.ResourceID}}
	if made.id == "" {
		made.id = db.NewID()
	}
	kept, err := s.keepPictures(ctx, report)
	if err != nil {
		return nil, err
	}
	if !caller.Anonymous() {
		made.ai = AI{Status: Skipped}
	}
	refer := func(tx *db.Tx) error { return s.files.Refer(ctx, tx, kept.hold, nil) }
	err = s.store.insert(ctx, made, kept.files, refer, func(tx *db.Tx) error {
		if caller.Anonymous() {
			return nil
		}
		err := events.AuditCompleted.Publish(ctx, tx, s.events, made.OwnerID, events.Audit{
			AuditId: made.ID, Url: made.URL, Score: made.Overall.Score,
		})
		if err == nil {
			err = s.compare(ctx, tx, made)
		}
		if err != nil || !r.IncludeAI {
			return err
		}
		return s.begin(ctx, tx, caller, made, site)
	})
	if db.IsForeignKey(err) {
		return nil, identity.Gone(err)
	}
	if err != nil {
		return nil, err
	}
	return made, nil
}

// scoreDrop is how many points a score must lose to be worth an event: less is within what a page changes by itself.
const scoreDrop = 5

// compare publishes [events.ScoreDropped] if the owner's previous report of the same address has a higher score.
func (s *Service) compare(ctx context.Context, tx *db.Tx, made *record) error {
	if !events.ScoreDropped.Wanted(s.events) {
		return nil
	}
	previous, found, err := previousScore(ctx, tx, made)
	if err != nil || !found || made.Overall.Score > previous-scoreDrop {
		return err
	}
	return events.ScoreDropped.Publish(ctx, tx, s.events, made.OwnerID, events.Score{
		AuditId: made.ID, Url: made.URL, Score: made.Overall.Score, PreviousScore: previous,
	})
}

// atURL returns a fault of the address as one of the body's field, and the end of a site's budget as a limit: the site
// did nothing wrong.
func atURL(err error) error {
	var fault *apperr.Error
	if errors.Is(err, fetch.ErrTooOften) && errors.As(err, &fault) {
		limit := apperr.Wrap(apperr.RateLimited, fault.Detail, err)
		limit.RetryAfter = fault.RetryAfter
		return limit
	}
	if errors.As(err, &fault) && fault.Code == apperr.BadRequest && len(fault.Fields) == 0 {
		pointed := *fault
		pointed.Fields = []apperr.Field{{Pointer: "/url", Detail: fault.Detail}}
		return &pointed
	}
	return err
}

// file is a picture that is being kept.
type file struct {
	blob.Name
	size int
}

// kept are the pictures of a report that were written.
type kept struct {
	files []file
	hold  files.Hold
}

// keepPictures writes the pictures of a report. One that cannot be written is not shown.
func (s *Service) keepPictures(ctx context.Context, r *Report) (kept, error) {
	all := kept{hold: files.Hold{}}
	for i := range r.Pictures {
		shown := r.Pictures[i].Shown
		if shown == nil {
			continue
		}
		shown.Digest = files.Digest(r.ID, shown.Data) // two reports never share a file
		name := blob.Name{Digest: shown.Digest, File: shown.Name}
		hold, err := s.files.Write(ctx, map[blob.Name][]byte{name: shown.Data})
		if hold == nil {
			return kept{}, err // the database's
		}
		if err != nil {
			slog.WarnContext(ctx, "picture of a report not kept", "err", err)
			r.Pictures[i].Shown = nil
			continue
		}
		all.files = append(all.files, file{name, len(shown.Data)})
		maps.Copy(all.hold, hold)
	}
	return all, nil
}

// Get returns the report of an id, as the caller may see it; NotFound when there is none, or no more.
func (s *Service) Get(ctx context.Context, caller identity.Caller, id string) (*Record, error) {
	found, err := s.store.byPublicID(ctx, id, s.oldest())
	if err != nil {
		return nil, err
	}
	return s.seenBy(ctx, caller, found)
}

// KeptDays is for how many days reports of nobody in particular are kept.
func (s *Service) KeptDays() int { return s.cfg.Days }

// oldest is when a report of nobody must have been made to be there still.
func (s *Service) oldest() time.Time { return s.now().AddDate(0, 0, -s.cfg.Days) }

// seenBy returns a report as the caller may see it: the analysis is for its owner, and for everybody while the owner's
// plan has it in the history.
func (s *Service) seenBy(ctx context.Context, caller identity.Caller, r *record) (*Record, error) {
	seen := r.Record
	seen.Age = max(s.now().Sub(r.FetchedAt), 0)
	if r.OwnerID == "" {
		return &seen, nil
	}
	if caller.UserID != r.OwnerID {
		plan, err := s.plans.PlanOf(ctx, r.OwnerID)
		if err != nil {
			return nil, err
		}
		if !plan.History {
			return &seen, nil
		}
	}
	seen.AI = &r.ai
	return &seen, nil
}

// Summary is a report in a list.
type Summary struct {
	ID, URL, FinalURL, Title string
	FetchedAt                time.Time
	Overall                  Grade
	Categories               Grades
	AI                       AI

	row string
}

// List returns a page of the caller's reports, newest first, and the cursor of the next one; "" on the last page. What
// a model said is there on plans that have it in the history.
func (s *Service) List(
	ctx context.Context, caller identity.Caller, p cursor.Page,
) (page []Summary, next string, err error) {
	plan, err := s.plans.PlanOf(ctx, caller.UserID)
	if err != nil {
		return nil, "", err
	}
	return cursor.List(p, func(r Summary) string { return r.row }, func(before string, limit int) ([]Summary, error) {
		return s.store.list(ctx, caller.UserID, before, limit, plan.History)
	})
}

// Delete removes a report of the caller with its pictures; NotFound when there is none.
func (s *Service) Delete(ctx context.Context, caller identity.Caller, id string) error {
	if err := s.store.delete(ctx, caller.UserID, id); err != nil {
		return err
	}
	s.files.SweepSoon()
	return nil
}

// Preview reads the page of an address now and returns what a link to it shows. Nothing is kept.
func (s *Service) Preview(ctx context.Context, caller identity.Caller, address string) (Metadata, error) {
	u, err := weburl.Parse(address)
	if err != nil {
		return Metadata{}, atURL(err)
	}
	site := s.scraper.Scrape(ctx, u, scrape.Need{Owner: caller.UserID, PageEssential: true})
	if site.Page.Err != nil {
		return Metadata{}, atURL(site.Page.Err)
	}
	return metadataOf(&site.Page.Value.Metadata), nil
}
