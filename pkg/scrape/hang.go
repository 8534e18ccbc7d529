package scrape

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"masthead/pkg/weburl"
	"masthead/pkg/worker"
)

// readStage is what logs and metrics of workers call reading a page with everything it refers to.
const readStage = "read"

// settleTime is how long a reading whose context ended may take to return what it has.
const settleTime = 500 * time.Millisecond

// Scrape finds out what need asks for about the page at u. It returns when all parts are settled, an essential part is
// found missing, ctx ends, or the time of a fetching job has passed; whatever was not settled then has failed.
//
// A reading that computes without end, such as a parser with a mistake, is given up after the time of a fetching job
// and the deadline of a worker. It is then refused for an hour on all nodes: [Site.Fault] matches [worker.ErrHung], and
// so does the page's error.
func (s *Scraper) Scrape(ctx context.Context, u weburl.URL, need Need) Site {
	key := func() string { return need.key(u) }
	if err := s.workers.Hung(ctx, key); err != nil {
		return failed(u, need, err)
	}
	sc := &scraping{Scraper: s, need: need, site: &Site{URL: u, Pictures: make([]Part[Picture], len(need.Pictures))}}
	work := worker.Work{Stage: readStage, Key: key, Deadline: s.client.JobTime() + s.workers.Deadline()}
	// When ctx ends, what was settled until then is returned. So the work ends with ctx, and the wait for it a little
	// later, in case the work doesn't notice.
	waiting, leave := context.WithCancel(context.WithoutCancel(ctx))
	defer leave()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(settleTime, leave) })()
	site, err := worker.Watch(waiting, s.workers, work, func(running context.Context) (Site, error) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(running, cancel)()
		return sc.scrape(ctx), nil
	})
	if err != nil {
		sc.told.Lock()
		sc.gone = true
		sc.told.Unlock()
		if ctx.Err() != nil && errors.Is(err, context.Canceled) {
			err = ctx.Err() // left because of it, which may be a deadline
		}
		return failed(u, need, err)
	}
	return site
}

// failed is a site of which nothing is known, because of err.
func failed(u weburl.URL, need Need, err error) Site {
	return Site{
		URL: u, Page: Part[Document]{State: Failed, Err: err}, Pictures: make([]Part[Picture], len(need.Pictures)),
		Fault: err,
	}
}

// key is what is refused when a reading hangs: the page with the pictures that its caller named, so that a picture of
// one caller doesn't keep others from the page.
func (n *Need) key(u weburl.URL) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s %q %q", readStage, u.String(), n.Icon.First.String())
	for _, p := range n.Pictures {
		fmt.Fprintf(h, " %q", p.URL.String())
	}
	return hex.EncodeToString(h.Sum(nil))
}
