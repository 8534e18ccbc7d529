package sites

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/audit"
	"masthead/pkg/audit/site"
	"masthead/pkg/cleantext"
	"masthead/pkg/db"
	"masthead/pkg/events"
	"masthead/pkg/humanize"
	"masthead/pkg/jobs"
	"masthead/pkg/sitemap"
	"masthead/pkg/weburl"
	"masthead/pkg/wire"
)

const (
	// atOnce is how many sites a node audits at a time. The pages of a site are audited one after the other, at the pace
	// of its host.
	atOnce = 2
	// sliceTime is how long an attempt begins with further pages: other accounts' sites have their turn after it.
	sliceTime = time.Minute
	// runTime bounds an attempt: a slice and its last page, or reading the sitemap.
	runTime  = 3 * time.Minute
	readTime = 90 * time.Second
	// maxTries is how often reading the sitemap, or storing a slice, is tried.
	maxTries = 3
	// A page of a host that asks us to wait is tried pageTries times, with pauses of at most maxPause.
	pageTries = 3
	maxPause  = 30 * time.Second
	// maxError is the maximum length of an error, in characters.
	maxError = 500
)

// fault is a failure in words for its owner. If it is final, another attempt can't succeed.
type fault struct {
	error
	final bool
}

// final reports whether another attempt can't succeed.
func final(err error) bool {
	var known fault
	return errors.As(err, &known) && known.final
}

// run makes an attempt: it reads the sitemap, or audits pages for a slice of time, after which another job continues.
func (s *Service) run(ctx context.Context, j *jobs.Job) (jobs.Result, error) {
	found, ok, err := s.store.find(ctx, j.Key)
	if err != nil || !ok || found.Done() {
		return nil, err
	}
	owner, err := s.deps.Users.ByID(ctx, found.OwnerID)
	if apperr.CodeOf(err) == apperr.NotFound {
		return nil, nil //nolint:nilnil // its audits are gone too
	}
	if err != nil {
		return nil, err
	}
	if owner.Disabled {
		return s.failed(found, "The account is disabled."), nil
	}
	if found.State == Waiting {
		return s.begin(ctx, found)
	}
	left, err := s.store.left(ctx, found.ID)
	if err != nil {
		return nil, err
	}
	end := s.now().Add(s.slice)
	for len(left) > 0 && ctx.Err() == nil && s.now().Before(end) {
		if err := s.audit(ctx, found, left[0]); errors.Is(err, errDeleted) {
			s.kept.forget(found.ID)
			return nil, nil //nolint:nilnil // nothing is left to do
		} else if err != nil {
			return nil, err
		}
		left = left[1:]
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if len(left) > 0 {
		return s.again(found), nil
	}
	return s.finish(ctx, found)
}

// again is the result of an attempt after which another one continues.
func (s *Service) again(of Audit) jobs.Result {
	return func(ctx context.Context, tx *db.Tx) error { return s.queue.Enqueue(ctx, tx, of.OwnerID, of.ID, nil) }
}

// failed is the result of an audit that fails for a reason, as a sentence.
func (s *Service) failed(of Audit, reason string) jobs.Result {
	s.kept.forget(of.ID)
	return func(ctx context.Context, tx *db.Tx) error {
		return s.end(ctx, tx, of.ID, Failed, cleantext.Clean(reason, maxError), nil)
	}
}

// fail is what is written of a job that is given up.
func (s *Service) fail(_ context.Context, j *jobs.Job, err error) jobs.Result {
	reason := "Something went wrong here. Try again later."
	var known fault
	if errors.As(err, &known) {
		reason = known.Error()
	}
	return s.failed(Audit{ID: j.Key}, reason)
}

// begin reads the sitemap.
func (s *Service) begin(ctx context.Context, of Audit) (jobs.Result, error) {
	u, err := weburl.Parse(of.URL)
	if err != nil {
		return nil, err
	}
	bounded, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	skipped := 0
	list, err := s.deps.Sitemaps(bounded, of.OwnerID, u, of.Limit, func(weburl.URL, error) { skipped++ })
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if len(list.Pages) == 0 {
		return nil, fault{errors.New(faultOf(u, list, skipped, err)), isFinal(skipped, err)}
	}
	urls := make([]string, len(list.Pages))
	for i, page := range list.Pages {
		urls[i] = page.String()
	}
	words := note(of, list, skipped > 0 || err != nil)
	return func(ctx context.Context, tx *db.Tx) error {
		if err := setListed(ctx, tx, of.ID, urls, words); err != nil {
			return err
		}
		return s.queue.Enqueue(ctx, tx, of.OwnerID, of.ID, nil)
	}, nil
}

// isFinal reports whether reading a sitemap without pages again can't help: it was read, and is no sitemap or an empty
// one, or it may not be read.
func isFinal(skipped int, err error) bool {
	var known *apperr.Error
	switch {
	case err == nil:
		return skipped == 0
	case errors.As(err, &known):
		return known.Code == apperr.BadRequest
	}
	return !errors.Is(err, context.DeadlineExceeded)
}

// faultOf says why a sitemap has no pages.
func faultOf(u weburl.URL, list sitemap.List, skipped int, err error) string {
	var known *apperr.Error
	switch {
	case errors.As(err, &known):
		return known.Detail
	case errors.Is(err, context.DeadlineExceeded):
		return "Reading the sitemap takes longer than " + humanize.Count(int(readTime.Seconds()), "second") + "."
	case err != nil:
		return "The sitemap couldn't be read: " + strings.TrimSuffix(err.Error(), ".") + "."
	case skipped > 0:
		return "The sitemaps that it links to couldn't be read."
	case list.Elsewhere > 0:
		return fmt.Sprintf("It lists no pages of %s, but of other hosts, such as %s.", u.Hostname(), list.ElsewhereHost)
	}
	return "It lists no pages."
}

// note says what of a sitemap isn't audited; "" if all is.
func note(of Audit, list sitemap.List, partial bool) string {
	var all []string
	if list.More && !partial {
		all = append(all, fmt.Sprintf("It lists more than the %s that are audited.", humanize.Count(of.Limit, "page")))
	}
	if partial {
		all = append(all, "Only a part of it could be read.")
	}
	if list.Elsewhere > 0 {
		all = append(all, fmt.Sprintf("Pages on other hosts, such as %s, are left out.", list.ElsewhereHost))
	}
	return cleantext.Clean(strings.Join(all, " "), maxError)
}

// audit audits a page and stores it. A page that can't be read is stored with the reason; an error is ours.
func (s *Service) audit(ctx context.Context, of Audit, address string) error {
	u, err := weburl.Parse(address)
	if err != nil {
		return err
	}
	r, err := s.patiently(ctx, of, u)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var known *apperr.Error
	if err != nil && (!errors.As(err, &known) || known.Code == apperr.Internal || known.Code == apperr.Unavailable) {
		return err
	}
	if known != nil {
		err = errors.New(known.Detail)
	}
	page := site.PageOf(address, r, err)
	page.Thumb = ""
	var picture []byte
	if r != nil {
		if share := r.Picture(audit.ShareImage); share != nil && share.Shown != nil {
			picture = share.Shown.Data
			page.Thumb = pictureName(share.Shown)
		}
	}
	return s.store.add(ctx, of.ID, page, picture)
}

// patiently audits a page, and tries again if its host asks us to wait.
func (s *Service) patiently(ctx context.Context, of Audit, u weburl.URL) (*audit.Report, error) {
	for try := 1; ; try++ {
		r, err := s.deps.Audits.ExamineFor(ctx, of.OwnerID, u, s.kept.of(of.ID))
		var known *apperr.Error
		if err == nil || !errors.As(err, &known) || known.RetryAfter == 0 || try == pageTries {
			return r, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(min(known.RetryAfter, maxPause)):
		}
	}
}

// finish computes what the pages say together.
func (s *Service) finish(ctx context.Context, of Audit) (jobs.Result, error) {
	pages, err := s.store.all(ctx, of.ID)
	if err != nil {
		return nil, err
	}
	report := site.Of(of.URL, pages)
	s.kept.forget(of.ID)
	return func(ctx context.Context, tx *db.Tx) error { return s.end(ctx, tx, of.ID, Ready, "", report) }, nil
}

// end ends an audit with a report or the reason why it failed, and publishes that.
func (s *Service) end(ctx context.Context, tx *db.Tx, id string, state State, reason string, r *site.Report) error {
	found, ok, err := setDone(ctx, tx, id, state, reason, r, s.now())
	if err != nil || !ok {
		return err
	}
	e := events.Site{
		SiteId: id, Url: found.URL, State: events.SiteState(state), Error: wire.OrNull(reason), Read: found.Read,
		Unread: found.Unread, StartedAt: wire.Moment(found.CreatedAt),
	}
	if r != nil {
		e.Score, e.Grade = &r.Overall.Score, &r.Overall.Letter
	}
	return events.SiteCompleted.Publish(ctx, tx, s.deps.Events, found.OwnerID, e)
}
