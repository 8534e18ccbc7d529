package watches_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/audit"
	"masthead/pkg/auditlog"
	"masthead/pkg/base62"
	"masthead/pkg/billing"
	"masthead/pkg/db"
	"masthead/pkg/events"
	"masthead/pkg/identity"
	"masthead/pkg/jobs"
	"masthead/pkg/projects"
	"masthead/pkg/sitemap"
	"masthead/pkg/users"
	"masthead/pkg/watches"
	"masthead/pkg/weburl"
)

// site is the pages of a test: it stands in for audits and for reading sitemaps. A report is made once for each id, as
// there.
type site struct {
	mu      sync.Mutex
	now     time.Time
	page    func(url string, now time.Time) *audit.Report // nil for a page that is down
	sitemap func(ctx context.Context, now time.Time) (list sitemap.List, skipped int, err error)
	made    map[string]*audit.Record
}

func (s *site) Collect(
	ctx context.Context, _ string, _ weburl.URL, most int, skipped func(weburl.URL, error),
) (sitemap.List, error) {
	list, failed, err := s.sitemap(ctx, s.Now())
	for range failed {
		skipped(weburl.URL{}, err)
	}
	if len(list.Pages) > most {
		list.Pages, list.More = list.Pages[:most], true
	}
	return list, err
}

func (s *site) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

func (s *site) set(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = now
}

func (s *site) Create(_ context.Context, caller identity.Caller, r audit.Request) (*audit.Record, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if made := s.made[caller.ResourceID]; made != nil {
		return made, nil
	}
	report := s.page(r.URL, s.now)
	if report == nil {
		return nil, apperr.New(apperr.UpstreamFailed, "The page answered 503.")
	}
	report.ID, report.URL, report.FetchedAt = base62.Random(22), r.URL, db.Moment(s.now)
	if s.made == nil {
		s.made = map[string]*audit.Record{}
	}
	s.made[caller.ResourceID] = &audit.Record{Report: report}
	return s.made[caller.ResourceID], nil
}

// report returns a report with a score and letter, in which these rules fail as errors.
func report(score int, letter string, failed ...string) *audit.Report {
	r := &audit.Report{
		Overall: audit.Grade{Score: score, Letter: letter},
		Pictures: []audit.PageImage{
			{Kind: audit.ShareImage, Reachable: true, Status: 200}, {Kind: audit.Favicon, Reachable: true, Status: 200},
		},
	}
	for _, id := range failed {
		r.Issues = append(r.Issues, audit.Issue{ID: id, Severity: "error", Title: id, Message: "It fails."})
	}
	return r
}

// without returns the report of a page that lost a picture: status is what its address returns, 0 if the page no longer
// names it.
func without(r *audit.Report, kind audit.PictureKind, status int) *audit.Report {
	for i := range r.Pictures {
		if r.Pictures[i].Kind != kind {
			continue
		}
		r.Pictures[i].Reachable, r.Pictures[i].Status, r.Pictures[i].Fault = false, status, "it isn't there"
		if status == 0 {
			r.Pictures = append(r.Pictures[:i:i], r.Pictures[i+1:]...)
		}
		break
	}
	if kind == audit.ShareImage {
		for _, id := range []string{"og-image-reachable", "twitter-image-reachable"} {
			r.Issues = append(r.Issues, audit.Issue{ID: id, Severity: "error", Title: id})
		}
	}
	return r
}

// node is a process that audits pages.
type node struct {
	db      *db.DB
	worker  *jobs.Worker
	users   *users.Service
	watches *watches.Service
}

// newNode returns a node. A durable subscriber writes what owners are told into the table told.
func newNode(t *testing.T, d *db.DB, pages *site) *node {
	t.Helper()
	return newNodeWith(t, d, pages, events.NewBus(), pages)
}

// newNodeWith is newNode with another auditor, which publishes on the bus.
func newNodeWith(t *testing.T, d *db.DB, pages *site, bus *events.Bus, audits watches.Auditor) *node {
	t.Helper()
	n := &node{db: d, worker: jobs.NewWorker(d, time.Millisecond, nil)}
	n.users = users.New(d, auditlog.New(d), bus)
	n.watches = watches.NewService(watches.Deps{
		DB: d, Users: n.users, Projects: projects.New(d, auditlog.New(d), bus), Audits: audits, Events: bus, Jobs: n.worker,
		Sitemaps: pages.Collect,
		Plans:    billing.New(billing.Config{FreeWatches: 2, PlusWatches: 2000}, n.users, bus),
		Base:     "https://masthead.example",
	})
	n.watches.SetNow(pages.Now)
	to := events.Subscribe(bus, n.worker, "test", events.Delivery{})
	for _, kind := range []events.Type[events.Watch]{events.WatchWorse, events.WatchRecovered} {
		kind.Deliver(to, func(_ context.Context, e events.Event, w events.Watch) (jobs.Result, error) {
			return func(ctx context.Context, tx *db.Tx) error {
				_, err := tx.Exec(ctx, `INSERT INTO told (watch_id, type, problems) VALUES (?, ?, ?)`, w.WatchId, e.Type,
					strings.Join(w.Problems, "\n"))
				return err
			}, nil
		})
	}
	return n
}

func makeTold(t *testing.T, d *db.DB) {
	t.Helper()
	_, err := d.Exec(t.Context(), `CREATE TABLE told (watch_id TEXT NOT NULL, type TEXT NOT NULL, problems TEXT NOT NULL)`)
	if err != nil {
		t.Fatal(err)
	}
}

// account returns an account with a plan.
func (n *node) account(t *testing.T, plan string) identity.Caller {
	t.Helper()
	user, err := n.users.Create(t.Context(), users.NewUser{Email: base62.Random(12) + "@example.com", PasswordHash: "-"})
	if err == nil {
		_, err = n.db.Exec(t.Context(), `UPDATE users SET plan = ? WHERE id = ?`, plan, user.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	return identity.Caller{UserID: user.ID}
}

// idle reports whether no job is due at the time of the pages. Those that are due then, not by the real clock, become
// due.
func idle(t *testing.T, d *db.DB, pages *site) bool {
	t.Helper()
	now := pages.Now().UnixMilli()
	_, err := d.Exec(t.Context(), `UPDATE jobs SET due_at = 0 WHERE holder = '' AND due_at <= ? AND due_at > ?
		AND given_up_at IS NULL`, now, time.Now().UnixMilli())
	var left int
	if err == nil {
		err = d.Get(t.Context(), &left, `SELECT COUNT(*) FROM jobs WHERE holder <> '' OR due_at <= ?`, now)
	}
	return err == nil && left == 0
}

// runUntil runs jobs until done.
func (n *node) runUntil(t *testing.T, done func() bool) {
	t.Helper()
	if done() {
		return
	}
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { n.worker.Run(ctx) })
	for end := time.Now().Add(5 * time.Minute); !done(); {
		if time.Now().After(end) {
			t.Error("nothing ends")
			break
		}
		time.Sleep(2 * time.Millisecond)
	}
	stop()
	running.Wait()
}

// killer ends a node before its nth statement. From then on the database gets nothing of it.
type killer struct {
	mu     sync.Mutex
	left   int
	killed bool
}

var errKilled = errors.New("the process was killed")

func (k *killer) before(statement string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if strings.HasPrefix(statement, "SELECT CAST(? AS TEXT) AS kind") { // looking for jobs is by time
		return nil
	}
	k.left--
	k.killed = k.left <= 0
	if k.killed {
		return errKilled
	}
	return nil
}

func (k *killer) dead() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.killed
}
