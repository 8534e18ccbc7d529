package scrape

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"masthead/pkg/tracing"
	"masthead/pkg/weburl"
	"masthead/pkg/worker"
)

// readStage is the name in logs and metrics of reading a page with everything it refers to.
const readStage = "read"

// settleTime is how long a reading may take to return its partial results after its context ends.
const settleTime = 500 * time.Millisecond

// Scrape collects what need asks for about the page at u. It returns when all parts are done, an essential part is
// missing, ctx ends, or the time limit of a fetching job has passed; parts that aren't done by then have failed.
//
// A reading that never ends, for example because of a bug in a parser, is abandoned after the time limit of a fetching
// job plus the deadline of a worker. It is then refused for an hour on all nodes: [Result.Fault] matches
// [worker.ErrHung], and so does the page's error.
func (s *Scraper) Scrape(ctx context.Context, u weburl.URL, need Need) Result {
	ctx, span := tracing.Start(ctx, "read page")
	defer span.End(nil)
	key := func() string { return need.key(u) }
	if err := s.workers.Hung(ctx, key); err != nil {
		return failed(u, need, err)
	}
	sc := &scraping{Scraper: s, need: need, site: &Result{URL: u, Pictures: make([]Part[Picture], len(need.Pictures))}}
	work := worker.Work{Stage: readStage, Key: key, Deadline: s.client.JobTime() + s.workers.Deadline()}
	// When ctx ends, the parts done so far are returned. The work ends with ctx, and the wait for it slightly later, in
	// case the work doesn't notice.
	waiting, leave := context.WithCancel(context.WithoutCancel(ctx))
	defer leave()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(settleTime, leave) })()
	site, err := worker.Watch(waiting, s.workers, work, func(running context.Context) (Result, error) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(running, cancel)()
		return sc.scrape(ctx), nil
	})
	if err != nil {
		sc.steps.Lock()
		sc.ended = true
		sc.steps.Unlock()
		if ctx.Err() != nil && errors.Is(err, context.Canceled) {
			err = ctx.Err() // the reason for leaving, which may be a deadline
		}
		return failed(u, need, err)
	}
	return site
}

// failed returns a site whose parts all failed with err.
func failed(u weburl.URL, need Need, err error) Result {
	return Result{
		URL: u, Page: Part[Document]{State: Failed, Err: err}, Pictures: make([]Part[Picture], len(need.Pictures)),
		Fault: err,
	}
}

// key is what is refused after a hang: the page plus the pictures that the caller named, so that one caller's picture
// doesn't block the page for others.
func (n *Need) key(u weburl.URL) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s %q %q", readStage, u.String(), n.Icon.First.String())
	for _, p := range n.Pictures {
		fmt.Fprintf(h, " %q", p.URL.String())
	}
	return hex.EncodeToString(h.Sum(nil))
}
