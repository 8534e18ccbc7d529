package audit

import (
	"context"
	"errors"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/audit/rule"
	"masthead/pkg/audit/rule/checks"
	"masthead/pkg/base62"
	"masthead/pkg/fair"
	"masthead/pkg/fetch"
	"masthead/pkg/page"
	"masthead/pkg/scrape"
	"masthead/pkg/weburl"
)

// idLength is the length of a report's ID: 130 bits.
const idLength = 22

// Options are the options of an audit.
type Options struct {
	// Owner is the ID of the user whose work this is, or ""; see fetch.Job.
	Owner string
	// Show requests the pictures themselves, re-encoded: see [Picture.Shown].
	Show bool
	// Thumb, if above 0, requests only the share images, re-encoded to fit a square of that side in pixels.
	Thumb int
	// Agents requests what AI agents look for beside the page, by two more requests.
	Agents bool
	// Kept caches what the pages of a site share, or is nil; see [fetch.Memory].
	Kept *fetch.Memory
	// Progress, if not nil, is called with each step of progress, by one goroutine at a time.
	Progress func(Progress)
	// Now is the clock; nil means the system's.
	Now func() time.Time

	// later, with Show, leaves share images as the site sent them, to be drawn by [Service.ShownFile].
	later    bool
	encoding *fair.Pool // slots for encoding pictures; nil means unlimited
}

// Examine fetches the page at u, judges it by all rules and returns the report without storing it. A page is judged
// whatever its status is, as long as there is an HTML document.
//
// It fails if there is no page to judge: UPSTREAM_FAILED if it can't be fetched or isn't a page, BAD_REQUEST for a
// target that may not be reached. Failures of other resources never fail an audit, only the rules about them, except
// for those due to our own limits: [fetch.ErrTooOften].
func Examine(ctx context.Context, scraper *scrape.Scraper, u weburl.URL, o Options) (*Report, error) {
	report, _, err := examine(ctx, scraper, u, o)
	return report, err
}

// examine is Examine; it also returns the scraped site.
func examine(ctx context.Context, scraper *scrape.Scraper, u weburl.URL, o Options) (*Report, *scrape.Result, error) {
	now := o.Now
	if now == nil {
		now = time.Now
	}
	began := now()
	w := &watcher{tell: o.Progress, now: now, began: began}
	need := scrape.Need{
		Owner: o.Owner, PageEssential: true, AnyStatus: true, ShareImages: true, Robots: true, Favicon: true,
		Canonical: true, Alternates: true, OEmbed: true, Agents: o.Agents, Kept: o.Kept, OnStep: w.step,
	}
	switch {
	case o.Thumb > 0:
		need.ShownSide, need.Shows = o.Thumb, shows
	case o.Show:
		need.ShownSide, need.FaviconSide, need.Shows = shownSide, faviconSide, shows
		if o.later {
			need.ShownLater = maxSource
		}
		need.Colors, need.Stylesheet = true, true // for our own card, as for every card
	}
	site := scraper.Scrape(ctx, u, need)
	if site.Page.Err != nil {
		return nil, nil, site.Page.Err
	}
	if err := tooOften(&site); err != nil {
		return nil, nil, err
	}
	document := &site.Page.Value
	if page.ClassOf(document.Header.Get("Content-Type")) == page.ImageContent {
		return nil, nil, apperr.New(apperr.UpstreamFailed, "This is the address of a picture, not of a web page to audit.")
	}
	fetched := now()
	report := NewReport(&site, began)
	if o.Show || o.Thumb > 0 {
		report.showInTurn(ctx, &site, o)
	}
	report.Timings = w.timings
	report.Timings.Fetched = fetched.Sub(began)
	report.Timings.Total = now().Sub(began)
	w.judged(report)
	return report, &site, nil
}

// tooOften returns the error of a resource that wasn't fetched because of our own limits: a report without it would
// blame the page.
func tooOften(site *scrape.Result) error {
	faults := []error{site.Robots.Err, site.Favicon.Err, site.Canonical.Err}
	for i := range site.ShareImages {
		faults = append(faults, site.ShareImages[i].Err)
	}
	for i := range site.Alternates {
		faults = append(faults, site.Alternates[i].Err)
	}
	for _, err := range faults {
		if errors.Is(err, fetch.ErrTooOften) {
			return err
		}
	}
	return nil
}

// showInTurn encodes the pictures when their owner has a turn. A report whose turn doesn't come has none.
func (r *Report) showInTurn(ctx context.Context, site *scrape.Result, o Options) {
	if o.encoding != nil {
		leave, err := o.encoding.Enter(ctx, o.Owner)
		if err != nil {
			return
		}
		defer leave()
	}
	r.show(site)
}

// NewReport judges a site, whose page must be present, as of the given time. Parts that weren't requested aren't
// judged.
func NewReport(site *scrape.Result, at time.Time) *Report {
	document := &site.Page.Value
	judgment := checks.Set().Judge(site, at)
	judged := judgment.Report()
	r := &Report{
		ID: base62.Random(idLength), URL: site.URL.String(), FinalURL: document.URL.String(), Status: document.Status,
		FetchedAt: at, Size: document.Size, Truncated: document.Truncated || document.Page.Truncated,
		Overall: gradeOf(judged.Overall), Metadata: metadataOf(&document.Metadata), Pictures: picturesOf(site),
		Shared: judgment.Shared(), Patch: patchOf(judgment.Patch()), Issues: make([]Issue, len(judged.Issues)),
		Drawn:    cardContentOf(site),
		Agents:   agentsOf(judgment.Agents()),
		PageType: string(rule.PageType(document.Page)), Discoverability: judgment.Discoverability(),
		Categories: Grades{
			gradeOf(judged.Score(rule.OG)), gradeOf(judged.Score(rule.Twitter)), gradeOf(judged.Score(rule.SEO)),
		},
	}
	r.Lens = derive(site, &r.Shared)
	for _, hop := range document.Redirects {
		r.Redirects = append(r.Redirects, Redirect{hop.URL.String(), hop.Status})
	}
	r.Blocked = judged.Blocked
	for i := range judged.Issues {
		r.Issues[i] = issueOf(&judged.Issues[i])
	}
	for _, n := range judged.NotChecked {
		r.NotChecked = append(r.NotChecked, UncheckedRule{n.ID, string(n.Category), n.Title, n.Reason})
	}
	r.Tags, r.MoreTags = tagsOf(document)
	return r
}

func issueOf(i *rule.Issue) Issue {
	return Issue{
		ID: i.ID, Category: string(i.Category), Severity: i.Severity.String(), Pass: i.Pass, Credit: i.Credit,
		Title: i.Title, Message: i.Message, Advice: i.Advice, Code: i.Code, Gain: i.Gain, Lost: i.Lost,
		With: i.With, Clears: i.Clears,
	}
}

func metadataOf(m *page.Metadata) Metadata {
	return Metadata{
		Title: m.Title, Description: m.Description, Image: m.Image, SiteName: m.SiteName, URL: m.URL, Favicon: m.Favicon,
		TwitterCardType: m.TwitterCardType,
	}
}
