package card

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"masthead/pkg/scrape"
	"masthead/pkg/worker"
	"masthead/render"
	"masthead/render/design"
)

// Time limits of a Maker.
const (
	readTime = 20 * time.Second // the upper bound of a fetching job's limit
	// ReadBound is the maximum time of [Maker.Read]: fetching the page, plus a worker that is still computing then and is
	// abandoned. See [scrape.Scraper.Scrape].
	ReadBound = readTime + worker.DefaultDeadline + 4*time.Second
	// drawTime is how long a picture waits for a worker, mostly behind others in the queue, and also its drawing time
	// afterwards. A drawing that can't be interrupted is abandoned by its worker, and refused from then on.
	drawTime = 10 * time.Second
	// DrawBound is the maximum time of [Maker.Draw].
	DrawBound = drawTime + worker.DefaultDeadline + 4*time.Second
)

// DrawStage is the name of drawing an image in logs and metrics of workers.
const DrawStage = "draw"

// Maker reads pages and draws pictures, each within its time limit and in workers that abandon tasks that don't end. It
// is safe for concurrent use.
type Maker struct {
	scraper *scrape.Scraper
	workers *worker.Pool
	took    prometheus.Observer
	kept    *keptPages
}

// NewMaker returns a maker that reads with scraper and draws with workers. took, if not nil, observes the seconds of
// each drawing.
func NewMaker(scraper *scrape.Scraper, workers *worker.Pool, took prometheus.Observer) *Maker {
	return &Maker{scraper: scraper, workers: workers, took: took}
}

// Make draws the picture for r. If r has a title, its address may be empty. It gets no AI picture.
//
// Errors: BAD_REQUEST for an invalid or refused address, NOT_FOUND for a template, UPSTREAM_FAILED for a page that
// can't be fetched.
func (m *Maker) Make(ctx context.Context, r Request) (Result, error) {
	r.Own.NoPage = r.Kind != IconSet && r.URL == "" && r.Content.Title != ""
	r, err := r.Normalize()
	if err != nil {
		return Result{}, err
	}
	key, err := r.Key("")
	if err != nil {
		return Result{}, err
	}
	site, err := m.Read(ctx, r)
	if err != nil {
		return Result{}, err
	}
	return m.Draw(ctx, key, r.Compose(&site))
}

// Read collects what to draw for a normalized request: the page with its icon, and the logo.
func (m *Maker) Read(ctx context.Context, r Request) (scrape.Result, error) {
	site, ok := m.kept.find(r)
	if !ok {
		site = m.scraper.Scrape(ctx, r.parsed.page, r.need())
		if err := missing(&site); err != nil {
			return site, err
		}
		m.kept.keep(r, site)
	}
	if r.Design == nil {
		return site, nil
	}
	return site, m.readDesign(ctx, r, &site)
}

// Draw draws c as soon as a worker is free. See [Composition.Draw].
func (m *Maker) Draw(ctx context.Context, key string, c Composition) (Result, error) {
	d, err := inWorker(ctx, m.workers, key, func(ctx context.Context) (Result, error) {
		if m.took != nil {
			began := time.Now()
			defer func() { m.took.Observe(time.Since(began).Seconds()) }()
		}
		return c.Draw(ctx)
	})
	if err != nil {
		return Result{}, fmt.Errorf("draw %s: %w", cmp.Or(c.request.Template, string(c.request.Kind)), err)
	}
	return d, nil
}

// DrawAddress draws the picture of a normalized request whose page can't be read, from the page's address.
func (m *Maker) DrawAddress(ctx context.Context, key string, r Request) (render.Card, error) {
	r = ofAddress(r)
	r.parsed.further = nil
	c := r.Compose(&scrape.Result{URL: r.parsed.page})
	c.icons.Extras = false
	d, err := inWorker(ctx, m.workers, key, c.Draw)
	var fault *design.Error
	if errors.As(err, &fault) { // one of ours always shows something
		r.Design, r.Template, r.Kind, r.parsed.size = nil, defaultTemplate, OG, OGSize
		d, err = inWorker(ctx, m.workers, key, r.Compose(&scrape.Result{URL: r.parsed.page}).Draw)
	}
	if err != nil {
		return render.Card{}, fmt.Errorf("draw a card of an address: %w", err)
	}
	return d.Picture(), nil
}

// inWorker waits at most drawTime for a worker, which calls draw with a context that ends after drawTime. See
// [worker.Run] for what draw may use. key identifies the drawing.
func inWorker[T any](
	ctx context.Context, workers *worker.Pool, key string, draw func(context.Context) (T, error),
) (drawn T, err error) {
	waiting, cancel := context.WithTimeout(ctx, drawTime)
	err = workers.Take(waiting)
	cancel()
	if err != nil {
		return drawn, err
	}
	work := worker.Work{Stage: DrawStage, Key: func() string { return key }}
	return worker.Run(ctx, workers, work, func(ctx context.Context) (T, error) {
		worker.GrowStack()
		bounded, cancel := context.WithTimeout(ctx, drawTime)
		defer cancel()
		return draw(bounded)
	})
}
