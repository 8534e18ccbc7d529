// Package brand analyzes the brand of a page: it reads the page with everything that its signals are derived from.
// Package scrape computes the signals.
package brand

import (
	"context"

	"masthead/pkg/apperr"
	"masthead/pkg/identity"
	"masthead/pkg/scrape"
	"masthead/pkg/weburl"
	"masthead/render/palette"
)

// Service analyzes pages. It stores nothing and is safe for concurrent use.
type Service struct{ scraper *scrape.Scraper }

// New returns a service that reads pages with scraper.
func New(scraper *scrape.Scraper) *Service { return &Service{scraper} }

// Analysis is the result of analyzing a page.
type Analysis struct {
	// Site is what was read; Signals are derived from it.
	Site    scrape.Result
	Signals scrape.Signals
	// Accent is the color that a dark card of the page gets. Candidates are the colors it was chosen from, at most
	// [MaxCandidates], best first.
	Accent     palette.Choice
	Candidates []palette.RankedColor
}

// MaxCandidates is the maximum number of accent candidates returned.
const MaxCandidates = 10

// Options control an analysis.
type Options struct {
	// Owner is the ID of the user on whose behalf the page is read, or "" for none.
	Owner string
	// OnRead, if not nil, is called with the address of each resource that was read, by one goroutine at a time.
	OnRead func(address string)
}

// Analyze reads and analyzes the page at address for caller.
//
// It returns BAD_REQUEST if the address is invalid or must not be fetched, and UPSTREAM_FAILED if the page can't be
// read. Missing resources of the page are not errors.
func (s *Service) Analyze(ctx context.Context, caller identity.Caller, address string) (*Analysis, error) {
	u, err := weburl.Parse(address)
	if err != nil {
		return nil, scrape.PageFault(err)
	}
	return s.Examine(ctx, u, Options{Owner: caller.UserID})
}

// Examine is like Analyze for a parsed address.
func (s *Service) Examine(ctx context.Context, u weburl.URL, o Options) (*Analysis, error) {
	need := scrape.Need{Owner: o.Owner, PageEssential: true, Signals: true}
	if o.OnRead != nil {
		need.OnStep = func(step scrape.Step) { o.OnRead(step.URL.String()) }
	}
	a := &Analysis{Site: s.scraper.Scrape(ctx, u, need)}
	if err := a.Site.Fault; err != nil {
		return nil, scrape.PageFault(err)
	}
	if err := ctx.Err(); err != nil {
		return nil, apperr.Wrap(apperr.Unavailable, "Reading the page took too long. Try again in a moment.", err)
	}
	a.Signals = scrape.SignalsOf(&a.Site)
	found := scrape.Candidates(a.Site.Colors.Value, true)
	a.Accent = palette.Choose(found, true)
	a.Candidates = palette.Rank(found)
	a.Candidates = a.Candidates[:min(len(a.Candidates), MaxCandidates)]
	return a, nil
}
