package projects

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/cleantext"
	"masthead/pkg/cursor"
	"masthead/pkg/db"
	"masthead/pkg/events"
	"masthead/pkg/fetch"
	"masthead/pkg/identity"
	"masthead/pkg/jobs"
	"masthead/pkg/weburl"
)

// This file finds out whether the domains of projects respond: a job for each project requests the first page of each
// of its domains when it is added, and once a day. A domain that responded counts as failing after maxFailures in a
// row.

const (
	// checksPerRun is how many domains an attempt checks; what is left is the next job's.
	checksPerRun = 10
	checksTime   = 4 * time.Minute // an attempt: a request may take 20 s
	checksAtOnce = 2               // on a node
	// checkAge is how old a check must be for another one, but after a failure.
	checkAge    = 12 * time.Hour
	maxFailures = 3
	retryPause  = 10 * time.Minute
	maxDetail   = 300 // characters
)

// DomainState is the verdict on a domain.
type DomainState string

// The verdicts. Covered domains are subdomains of another one of the project, and Unchecked ones IP addresses and
// localhost: neither is requested.
const (
	DomainWaiting        DomainState = "WAITING"
	DomainReachable      DomainState = "REACHABLE"
	DomainCovered        DomainState = "COVERED"
	DomainUnchecked      DomainState = "UNCHECKED"
	DomainRedirected     DomainState = "REDIRECTED"
	DomainBadCertificate DomainState = "BAD_CERTIFICATE"
	DomainFailed         DomainState = "ERROR"
	DomainUnreachable    DomainState = "UNREACHABLE"
)

// failing reports whether cards of the domain's pages can't be drawn.
func (s DomainState) failing() bool {
	return s == DomainBadCertificate || s == DomainFailed || s == DomainUnreachable
}

// DomainCheck is what is known of a domain.
type DomainCheck struct {
	Domain string      `json:"-"`
	State  DomainState `json:"state"`
	// Detail says why, as a sentence; "" for a domain that responds.
	Detail string `json:"detail,omitempty"`
	// At is when it was requested last; zero if it wasn't.
	At time.Time `json:"at,omitzero"`
	// Failures is how many requests in a row failed.
	Failures int `json:"failures,omitempty"`
}

// due reports whether a domain is to be requested.
func (c DomainCheck) due(now time.Time) bool {
	if c.Failures > 0 && c.Failures < maxFailures {
		return now.Sub(c.At) >= retryPause
	}
	return now.Sub(c.At) >= checkAge
}

// after returns the check that follows c, given what a request found.
func (c DomainCheck) after(found DomainCheck) DomainCheck {
	if !found.State.failing() {
		return found
	}
	found.Failures = min(c.Failures+1, maxFailures)
	if found.Failures < maxFailures && (c.State == DomainReachable || c.State == DomainRedirected) {
		found.State, found.Detail = c.State, c.Detail // it may be a fault of a moment
	}
	return found
}

// CheckDomains has the domains of projects checked, as jobs of w with requests of f.
func (s *Service) CheckDomains(w *jobs.Worker, f *fetch.Client) {
	c := &checker{store: s.store, fetch: f, now: s.clock}
	c.queue = w.Handle("domains", jobs.Work{
		Do: c.run, AtOnce: checksAtOnce, Time: checksTime, Attempts: 1 << 30, Pause: jobs.Pauses(retryPause, time.Hour),
	})
	events.ProjectChanged.Within(s.events, func(ctx context.Context, tx *db.Tx, e events.Event, p events.Project) error {
		return c.queue.Wake(ctx, tx, e.OwnerID, p.ProjectId, nil)
	})
}

// clock is the present time, also after [Service.SetNow].
func (s *Service) clock() time.Time { return s.now() }

type checker struct {
	store store
	fetch *fetch.Client
	queue *jobs.Queue
	now   func() time.Time
}

// run checks the domains of a project, as a job whose key is its ID.
func (c *checker) run(ctx context.Context, j *jobs.Job) (jobs.Result, error) {
	p, known, err := c.store.checked(ctx, j.Key)
	if apperr.CodeOf(err) == apperr.NotFound {
		return nil, nil //nolint:nilnil // it was deleted
	}
	if err != nil {
		return nil, err
	}
	begun, checks, left := c.now(), map[string]DomainCheck{}, 0
	for _, domain := range p.Domains {
		check := known[domain]
		if p.Closed || kindOf(domain, p.Domains) != DomainWaiting || !check.due(begun) {
			if check.State != "" {
				checks[domain] = check
			}
			continue
		}
		if left++; left <= checksPerRun {
			found, err := c.check(ctx, p.OwnerID, domain, p.Domains)
			if err != nil {
				return nil, err
			}
			check = check.after(found)
		}
		if check.State != "" {
			checks[domain] = check
		}
	}
	return func(ctx context.Context, tx *db.Tx) error {
		return c.end(ctx, tx, p, begun, checks, left > checksPerRun)
	}, nil
}

// end stores what was found of a project, and enqueues its next job. Domains that were added meanwhile are due at once.
func (c *checker) end(
	ctx context.Context, tx *db.Tx, p Project, begun time.Time, checks map[string]DomainCheck, more bool,
) error {
	domains, err := storeChecks(ctx, tx, p.ID, checks)
	if err != nil || len(domains) == 0 {
		return err
	}
	at := jobs.Spread(p.ID, 24*time.Hour, begun)
	for _, check := range checks {
		if check.Failures > 0 && check.Failures < maxFailures {
			at = begun.Add(retryPause)
		}
	}
	added := slices.ContainsFunc(domains, func(d string) bool { return !slices.Contains(p.Domains, d) })
	if more || added {
		at = c.now()
	}
	return c.queue.EnqueueAt(ctx, tx, p.OwnerID, p.ID, at, nil)
}

// kindOf returns the state of a domain that isn't requested, or [DomainWaiting].
func kindOf(domain string, all []string) DomainState {
	host, err := weburl.ParseHost(domain)
	if err != nil || host.IsIP() || host.SingleLabel() {
		return DomainUnchecked
	}
	if coveredBy(host, all) != "" {
		return DomainCovered
	}
	return DomainWaiting
}

// coveredBy returns the domain that a host is a subdomain of, or "".
func coveredBy(host weburl.Host, all []string) string {
	for _, other := range all {
		if of, err := weburl.ParseHost(other); err == nil && host != of && host.Within(of) {
			return other
		}
	}
	return ""
}

// check requests the first page of a domain: its beginning, and no more. An error means that nothing was found out.
func (c *checker) check(ctx context.Context, ownerID, domain string, all []string) (DomainCheck, error) {
	u, err := weburl.Parse("https://" + domain + "/")
	if err != nil {
		return DomainCheck{}, err
	}
	job, done := c.fetch.NewJob(ctx)
	defer done()
	job.Owner = ownerID
	response, err := job.GetUntil(ctx, u, fetch.LinkedPage, func([]byte) bool { return true })
	found := DomainCheck{State: DomainReachable, At: db.Moment(c.now())}
	if err == nil {
		host := response.URL.Host()
		err = response.Err()
		if own, _ := weburl.ParseHost(domain); host != own && !host.Within(own) && !slices.Contains(all, host.String()) &&
			coveredBy(host, all) == "" {
			found.State, found.Detail = DomainRedirected, "Its first page redirects to "+host.String()+"."
			return found, nil
		}
	}
	var fault *apperr.Error
	switch {
	case err == nil:
		return found, nil
	case errors.Is(err, fetch.ErrTooOften), !errors.As(err, &fault),
		fault.Code != apperr.UpstreamFailed && fault.Code != apperr.BadRequest:
		return found, fmt.Errorf("check the domain %s: %w", domain, err)
	case fetch.BadCertificate(err):
		found.State = DomainBadCertificate
	case errors.As(err, new(fetch.StatusError)):
		found.State = DomainFailed
	default:
		found.State = DomainUnreachable
	}
	found.Detail = cleantext.Clean(fault.Detail, maxDetail)
	return found, nil
}

// Checks returns what is known of the domains of projects, by the projects' IDs, in the order of the domains.
func (s *Service) Checks(ctx context.Context, of []Project) (map[string][]DomainCheck, error) {
	known, err := s.store.checks(ctx, of)
	if err != nil {
		return nil, err
	}
	all := make(map[string][]DomainCheck, len(of))
	for _, p := range of {
		list := make([]DomainCheck, len(p.Domains))
		for i, domain := range p.Domains {
			list[i] = known[p.ID][domain]
			switch kind := kindOf(domain, p.Domains); {
			case kind == DomainCovered:
				host, _ := weburl.ParseHost(domain)
				list[i] = DomainCheck{State: kind, Detail: "Covered by " + coveredBy(host, p.Domains) + "."}
			case kind == DomainUnchecked:
				list[i] = DomainCheck{State: kind, Detail: "IP addresses and localhost aren’t checked."}
			case list[i].State == "":
				list[i].State = DomainWaiting
			}
			list[i].Domain = domain
		}
		all[p.ID] = list
	}
	return all, nil
}

// ListFailing is [Service.List] for projects with a domain that doesn't respond.
func (s *Service) ListFailing(
	ctx context.Context, caller identity.Caller, p cursor.Page,
) (page []Project, next string, err error) {
	return cursor.List(p, func(p Project) string { return p.ID }, func(before string, limit int) ([]Project, error) {
		return s.store.listFailing(ctx, caller.UserID, before, limit)
	})
}
