package audit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime"
	"time"

	"golang.org/x/sync/singleflight"

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
	"masthead/pkg/jobs"
	"masthead/pkg/lease"
	"masthead/pkg/scrape"
	"masthead/pkg/undo"
	"masthead/pkg/weburl"
)

// Config configures how long reports are kept.
type Config struct {
	Days      int `name:"audit-days" env:"MASTHEAD_AUDIT_DAYS" default:"30" help:"Days after which reports of anonymous callers are deleted, with their pictures."`
	PictureMB int `name:"audit-pictures" env:"MASTHEAD_AUDIT_PICTURES" default:"2000" placeholder:"MB" help:"Disk space for the pictures of such reports, in MB. Above it the oldest are deleted."`
}

// withDefaults sets the defaults of unset fields.
func (c Config) withDefaults() Config {
	c.Days = cmp.Or(c.Days, 30)
	c.PictureMB = cmp.Or(c.PictureMB, 2000)
	return c
}

// Validate reports invalid settings by variable name.
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

// Deps are the service's dependencies.
type Deps struct {
	DB      *db.DB
	Scraper *scrape.Scraper
	// Files is the ledger of stored files, Pictures the store of reports' pictures.
	Files    *files.Ledger
	Pictures blob.Store
	Plans    *billing.Service
	// Base is the public address of the service, without a trailing slash.
	Base   string
	Events *events.Bus // may be nil
	// Analyst analyzes reports; nil means no analyses.
	Analyst Analyst
	// Jobs delete reports whose deletion could be taken back.
	Jobs *jobs.Worker
}

// Service stores reports. It is safe for concurrent use by many nodes on one database.
type Service struct {
	cfg       Config
	store     store
	scraper   *scrape.Scraper
	pictures  blob.Store
	files     *files.Store
	deletions *undo.Deletions
	plans     *billing.Service
	base      string
	analyst   Analyst
	events    *events.Bus
	encoding  *fair.Pool // slots for encoding pictures
	drawing   singleflight.Group
	runs      runs         // of anonymous callers
	leases    *lease.Table // nil if no other process uses the database
	metrics   *metrics
	now       func() time.Time
}

// newEncoding returns slots for encoding pictures, which owners get in turns. A report takes some 10 ms.
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
	s.deletions = s.newDeletions(deps.Jobs)
	deps.Plans.Limited(s.store.hidden)
	return s
}

// MaxReports is the maximum number of reports per account: a new one replaces the oldest. It limits the disk space of
// an account.
const MaxReports = 1000

// Request is a request for an audit.
type Request struct {
	URL string
	// IncludeAI requests an analysis; it is ignored for anonymous callers.
	IncludeAI bool
	// Progress, if not nil, is called with each step of progress.
	Progress func(Progress)
}

// Record is a stored report.
type Record struct {
	*Report
	// OwnerID is its account, or "" for anonymous callers.
	OwnerID string
	// AI is what the caller may see of the analysis, or nil.
	AI *AI
	// Age is how long ago the page was read. Reused means that the report was made for another request.
	Age    time.Duration
	Reused bool

	id string // of the row
}

// SetNow replaces the clock, for tests.
func (s *Service) SetNow(now func() time.Time) { s.now = now }

// Create audits a page and stores the report: for the caller, or without an owner if they are anonymous. Anonymous
// callers may get a report that is up to half a minute old, see [Service.share]. Errors are those of [Examine],
// BAD_REQUEST for an invalid address, and RATE_LIMITED if the fetching limit of the site is used up.
func (s *Service) Create(ctx context.Context, caller identity.Caller, r Request) (*Record, error) {
	u, err := weburl.Parse(r.URL)
	if err != nil {
		return nil, atURL(err)
	}
	if caller.ResourceID != "" { // an earlier attempt at the same request may have created it
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

// siteThumb is the side of the share images that [Service.ExamineFor] returns, in pixels.
const siteThumb = 400

// ExamineFor examines a page of a site for an account, with its share image in small size, and stores nothing. kept
// caches what the pages of the site share. Errors are those of [Examine].
func (s *Service) ExamineFor(
	ctx context.Context, ownerID string, u weburl.URL, kept *fetch.Memory,
) (*Report, error) {
	report, _, err := examine(ctx, s.scraper, u, Options{
		Owner: ownerID, Thumb: siteThumb, Kept: kept, Now: s.now, encoding: s.encoding,
	})
	s.metrics.examined(report, err)
	return report, err
}

// create audits a page now and stores the report.
func (s *Service) create(ctx context.Context, caller identity.Caller, u weburl.URL, r Request) (*record, error) {
	report, site, err := examine(ctx, s.scraper, u, Options{
		Owner: caller.UserID, Show: true, Progress: r.Progress, Now: s.now, encoding: s.encoding,
		Agents: !caller.Anonymous(), later: true,
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
	if !caller.Anonymous() {
		made.ai = AI{Status: Skipped}
	}
	err = s.keep(ctx, made, func(tx *db.Tx) error {
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

// keep stores a report with its pictures, and what also writes in the same transaction. Pictures that may have been
// deleted since they were written, as by a sweep while the process was suspended, are written again.
func (s *Service) keep(ctx context.Context, made *record, also func(tx *db.Tx) error) error {
	for try := 1; ; try++ {
		stored, err := s.storePictures(ctx, made.Report)
		if err != nil {
			return err
		}
		refer := func(tx *db.Tx) error { return s.files.Refer(ctx, tx, stored.hold, nil) }
		err = s.store.insert(ctx, made, stored.files, refer, also)
		if !errors.Is(err, files.ErrGone) || try == storeTries {
			return err
		}
	}
}

// storeTries is how often the pictures of a report are written.
const storeTries = 3

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

// atURL turns a problem of the address into one of the body's field, and a used-up fetching limit into a rate limit,
// since it isn't the site's fault.
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

// file is a picture being stored.
type file struct {
	blob.Name
	size int
}

// storedPictures are the stored pictures of a report.
type storedPictures struct {
	files []file
	hold  files.Hold
}

// storePictures stores the pictures of a report. One that can't be written isn't shown.
func (s *Service) storePictures(ctx context.Context, r *Report) (storedPictures, error) {
	all := storedPictures{hold: files.Hold{}}
	for i := range r.Pictures {
		shown := r.Pictures[i].Shown
		if shown == nil {
			continue
		}
		shown.Digest = files.Digest(r.ID, shown.Data) // two reports never share a file
		name := blob.Name{Digest: shown.Digest, File: shown.file()}
		hold, err := s.files.Write(ctx, map[blob.Name][]byte{name: shown.Data})
		if hold == nil {
			return storedPictures{}, err // an error of the database
		}
		if err != nil {
			slog.WarnContext(ctx, "picture of a report not stored", "err", err)
			r.Pictures[i].Shown = nil
			continue
		}
		all.files = append(all.files, file{name, len(shown.Data)})
		maps.Copy(all.hold, hold)
	}
	return all, nil
}

// Get returns the report with an ID, as the caller may see it; NotFound if it doesn't exist (anymore).
func (s *Service) Get(ctx context.Context, caller identity.Caller, id string) (*Record, error) {
	found, err := s.store.byPublicID(ctx, id, s.oldest())
	if err != nil {
		return nil, err
	}
	return s.seenBy(ctx, caller, found)
}

// KeptDays is how many days reports of anonymous callers are kept.
func (s *Service) KeptDays() int { return s.cfg.Days }

// oldest is the minimum creation time of an anonymous report that still exists.
func (s *Service) oldest() time.Time { return s.now().AddDate(0, 0, -s.cfg.Days) }

// seenBy returns a report as the caller may see it: the analysis is visible to its owner, and to everyone while the
// owner's plan includes it in the history.
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

// List returns a page of the caller's reports, newest first, and the cursor of the next one, or "" on the last page.
// Analyses are included if the plan has them in the history.
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

// Delete deletes a report of the caller with its pictures; NotFound if there is none.
func (s *Service) Delete(ctx context.Context, caller identity.Caller, id string) error {
	if err := s.store.delete(ctx, caller.UserID, id); err != nil {
		return err
	}
	s.files.SweepSoon()
	return nil
}

// Preview reads the page of an address now and returns what a link to it shows, without storing anything.
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
