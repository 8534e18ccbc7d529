// Package brand owns what a page is known by: reading it, for whoever asks, with all that its signals are worked out
// from. The signals themselves are package scrape's.
package brand

import (
	"context"

	"masthead/pkg/apperr"
	"masthead/pkg/identity"
	"masthead/pkg/scrape"
	"masthead/pkg/weburl"
	"masthead/render/palette"
)

// Service analyses pages. It keeps nothing, and is safe for concurrent use.
type Service struct{ scraper *scrape.Scraper }

// New returns a service that reads pages with scraper.
func New(scraper *scrape.Scraper) *Service { return &Service{scraper} }

// Analysis is what a page is known by.
type Analysis struct {
	// Site is what was read, Signals what came of it.
	Site    scrape.Site
	Signals scrape.Signals
	// Accent is the colour that a dark card of the page has, and Candidates are what it was chosen from, at most
	// [MaxCandidates], the best first.
	Accent     palette.Choice
	Candidates []palette.Ranked
}

// MaxCandidates is how many candidates for the accent are told.
const MaxCandidates = 10

// Options are what whoever asks for an analysis decides.
type Options struct {
	// Owner is the id of the user whose work this is; "" for nobody.
	Owner string
	// Told, unless it is nil, is told the address of what was looked at, by one goroutine at a time.
	Told func(address string)
}

// Analyze reads the page at address for caller.
//
// It fails with BAD_REQUEST for an address that is none or may not be reached, and with UPSTREAM_FAILED when there is
// no page to read. What hangs on the page never fails it.
func (s *Service) Analyze(ctx context.Context, caller identity.Caller, address string) (*Analysis, error) {
	u, err := weburl.Parse(address)
	if err != nil {
		return nil, scrape.PageFault(err)
	}
	return s.Examine(ctx, u, Options{Owner: caller.UserID})
}

// Examine is Analyze for an address that was read.
func (s *Service) Examine(ctx context.Context, u weburl.URL, o Options) (*Analysis, error) {
	need := scrape.Need{Owner: o.Owner, PageEssential: true, Signals: true}
	if o.Told != nil {
		need.Told = func(step scrape.Step) { o.Told(step.URL.String()) }
	}
	a := &Analysis{Site: s.scraper.Scrape(ctx, u, need)}
	if err := a.Site.Fault; err != nil {
		return nil, scrape.PageFault(err)
	}
	if err := ctx.Err(); err != nil {
		return nil, apperr.Wrap(apperr.Unavailable, "Reading the page took too long; try again in a moment.", err)
	}
	a.Signals = scrape.SignalsOf(&a.Site)
	found := scrape.Candidates(a.Site.Colors.Value, true)
	a.Accent = palette.Choose(found, true)
	a.Candidates = palette.Rank(found)
	a.Candidates = a.Candidates[:min(len(a.Candidates), MaxCandidates)]
	return a, nil
}
