// Package sites audits whole sites for accounts: the pages that a sitemap lists, as many as the account's plan allows.
//
//   - run.go reads the sitemap and audits the pages, as a job that goes on in slices of a minute.
//   - store.go keeps each page as soon as it was audited, so that an interrupted audit continues behind it.
//
// What the pages say together is computed once, when the last page is audited; see [site.Of].
package sites

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"masthead/pkg/apperr"
	"masthead/pkg/audit"
	"masthead/pkg/audit/site"
	"masthead/pkg/billing"
	"masthead/pkg/cursor"
	"masthead/pkg/db"
	"masthead/pkg/events"
	"masthead/pkg/fetch"
	"masthead/pkg/humanize"
	"masthead/pkg/identity"
	"masthead/pkg/jobs"
	"masthead/pkg/sitemap"
	"masthead/pkg/users"
	"masthead/pkg/weburl"
)

// Limits of an account's audits of sites.
const (
	// MaxSites is how many are kept: a new one replaces the oldest that is over.
	MaxSites = 20
	// maxUnfinished is how many may wait or run.
	maxUnfinished = 5
	// keptFor is how long they are kept.
	keptFor = 90 * 24 * time.Hour
	// maxPictureBytes is the maximum size of the small pictures of a site. Pages after it have none.
	maxPictureBytes = 12_000_000
)

// State is how far an audit is.
type State string

// The states.
const (
	Waiting State = "WAITING" // its sitemap wasn't read yet
	Running State = "RUNNING"
	Ready   State = "READY"
	Failed  State = "FAILED"
)

// Audit is an audit of a site: its progress, and what its pages say together.
type Audit struct {
	ID, OwnerID, URL string
	// ProjectID is the project of the key that began it, or "".
	ProjectID string
	State     State
	// Error is why it failed, as a sentence; "" if it didn't.
	Error string
	// Limit is how many pages are audited at most, Listed how many there are to audit; Read and Unread are those that
	// were, with a report and without one. Note is what was left out, as sentences.
	Limit, Listed, Read, Unread int
	Note                        string
	// Report is what the pages say together, without its pages; nil before it is Ready.
	Report     *site.Report
	CreatedAt  time.Time
	FinishedAt time.Time // zero before it is Ready or Failed
}

// Done reports whether the audit is over.
func (s *Audit) Done() bool { return s.State == Ready || s.State == Failed }

// Auditor audits a page for an account; an [audit.Service].
type Auditor interface {
	ExamineFor(ctx context.Context, ownerID string, u weburl.URL, kept *fetch.Memory) (*audit.Report, error)
}

// Sitemaps reads sitemaps for accounts; see [sitemap.Collect].
type Sitemaps func(
	ctx context.Context, owner string, u weburl.URL, most int, skipped func(weburl.URL, error),
) (sitemap.List, error)

// Deps are what a [Service] needs.
type Deps struct {
	DB       *db.DB
	Users    *users.Service
	Plans    *billing.Service
	Audits   Auditor
	Sitemaps Sitemaps
	Jobs     *jobs.Worker
	Events   *events.Bus // for [events.SiteCompleted]; may be nil
}

// Service has the audits of sites. It is safe for concurrent use.
type Service struct {
	store store
	deps  Deps
	queue *jobs.Queue
	now   func() time.Time
	kept  *siteMemories
	slice time.Duration
}

// New returns a service, which audits as jobs of deps.Jobs.
func New(deps Deps) *Service {
	s := &Service{store: store{deps.DB}, deps: deps, now: time.Now, kept: newSiteMemories(), slice: sliceTime}
	s.queue = deps.Jobs.Handle("site", jobs.Work{
		Do: s.run, Fail: s.fail, Final: final, AtOnce: atOnce, Time: runTime, Attempts: maxTries,
		Pause: jobs.Pauses(10*time.Second, time.Minute),
	})
	return s
}

// Create begins to audit the pages of a sitemap for the caller: at most limit, or 0 for as many as the plan allows.
// BadRequest for an invalid address, TierLocked for more pages than the plan allows, Conflict while five others aren't
// finished.
func (s *Service) Create(ctx context.Context, caller identity.Caller, address string, limit int) (Audit, error) {
	u, err := weburl.Parse(address)
	if err != nil {
		var known *apperr.Error
		if errors.As(err, &known) {
			return Audit{}, apperr.Invalid("/url", known.Detail)
		}
		return Audit{}, err
	}
	plan, err := s.deps.Plans.PlanOf(ctx, caller.UserID)
	if err != nil {
		return Audit{}, err
	}
	if limit > plan.SitePages {
		return Audit{}, apperr.New(apperr.TierLocked, fmt.Sprintf(
			"The plan %s audits %s of a site. Change the plan for more.",
			humanize.Capital(plan.Name), humanize.Count(plan.SitePages, "page"),
		))
	}
	made := Audit{
		ID: db.NewID(), OwnerID: caller.UserID, ProjectID: caller.KeyProjectID, URL: u.String(), State: Waiting,
		Limit: cmp.Or(limit, plan.SitePages), CreatedAt: db.Moment(s.now()),
	}
	err = s.store.insert(ctx, made, func(tx *db.Tx) error {
		return s.queue.Enqueue(ctx, tx, made.OwnerID, made.ID, nil)
	})
	if db.IsForeignKey(err) {
		return Audit{}, identity.Gone(err)
	}
	return made, err
}

// Get returns an audit of the caller with a page of its pages, worst first, and the cursor of the next ones; NotFound.
func (s *Service) Get(
	ctx context.Context, caller identity.Caller, id string, p cursor.Page,
) (found Audit, pages []site.Page, next string, err error) {
	if found, err = s.store.get(ctx, caller, id); err != nil {
		return found, nil, "", err
	}
	placed, next, err := cursor.List(p, func(p placedPage) string { return p.Place },
		func(before string, limit int) ([]placedPage, error) { return s.store.pages(ctx, id, before, limit) })
	for i := range placed {
		pages = append(pages, placed[i].Page.V)
	}
	return found, pages, next, err
}

// List returns a page of the caller's audits, newest first, and the cursor of the next page.
func (s *Service) List(
	ctx context.Context, caller identity.Caller, p cursor.Page,
) (page []Audit, next string, err error) {
	return cursor.List(p, func(s Audit) string { return s.ID }, func(before string, limit int) ([]Audit, error) {
		return s.store.list(ctx, caller, before, limit)
	})
}

// Picture returns the small share image of a page, at its address as listed, of an audit of the caller, and its
// Content-Type; NotFound.
func (s *Service) Picture(ctx context.Context, caller identity.Caller, id, page string) ([]byte, string, error) {
	data, name, err := s.store.picture(ctx, caller, id, page)
	if err != nil {
		return nil, "", err
	}
	kind := "image/jpeg"
	if strings.HasSuffix(name, ".png") {
		kind = "image/png"
	}
	return data, kind, nil
}

// Delete deletes an audit of the caller; one that runs ends with its current page. NotFound if there is none.
func (s *Service) Delete(ctx context.Context, caller identity.Caller, id string) error {
	return s.store.delete(ctx, caller, id)
}

// Sweep deletes audits after 90 days.
func (s *Service) Sweep(ctx context.Context) error { return s.store.sweep(ctx, s.now().Add(-keptFor)) }

// siteMemories are the responses that pages of a site share, for the sites that are audited here now.
type siteMemories struct {
	mu    sync.Mutex
	known simplelru.LRUCache[string, *fetch.Memory]
}

// keptBytes is the maximum size of the responses of one site.
const keptBytes = 16 << 20

func newSiteMemories() *siteMemories {
	known, err := simplelru.NewLRU[string, *fetch.Memory](atOnce, nil)
	if err != nil {
		panic(err) // only for a size below 1
	}
	return &siteMemories{known: known}
}

// of returns those of a site.
func (k *siteMemories) of(id string) *fetch.Memory {
	k.mu.Lock()
	defer k.mu.Unlock()
	kept, ok := k.known.Get(id)
	if !ok {
		kept = fetch.NewKeptOf(keptBytes)
		k.known.Add(id, kept)
	}
	return kept
}

// forget drops those of a site whose audit is over.
func (k *siteMemories) forget(id string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.known.Remove(id)
}
