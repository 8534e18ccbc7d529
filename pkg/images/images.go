// Package images owns the pictures of pages: what a request asks for and the key that it is kept under, drawing it once
// however many ask, the records, and the files that they name.
package images

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"masthead/pkg/ai"
	"masthead/pkg/auditlog"
	"masthead/pkg/billing"
	"masthead/pkg/blob"
	"masthead/pkg/card"
	"masthead/pkg/cursor"
	"masthead/pkg/db"
	"masthead/pkg/fetch"
	"masthead/pkg/identity"
	"masthead/pkg/imagecache"
	"masthead/pkg/lease"
	"masthead/pkg/limit"
	"masthead/pkg/picture"
	"masthead/pkg/projects"
	"masthead/pkg/scrape"
	"masthead/pkg/usage"
	"masthead/pkg/worker"
)

// publicIDLength is how many base62 characters the public id of an image has.
const publicIDLength = 22

// Config bounds the drawing.
type Config struct {
	Workers int `name:"render-workers" env:"MASTHEAD_RENDER_WORKERS" default:"0" help:"Pictures drawn at the same time; 0 means one per processor."`
	// PublicAITime is how long GET /og waits for an AI picture; 0 is 8 s.
	PublicAITime time.Duration `name:"ai-public-time" env:"MASTHEAD_AI_PUBLIC_TIME" default:"8s" help:"How long /og waits for an AI picture. One that arrives later is stored for the next request."`
}

// Validate reports what is wrong, naming the variable.
func (c Config) Validate() error {
	var faults []error
	if c.Workers < 0 || c.Workers > 1024 {
		faults = append(faults, fmt.Errorf("MASTHEAD_RENDER_WORKERS must be from 0 to 1024, not %d", c.Workers))
	}
	if c.PublicAITime < 0 || c.PublicAITime > publicTime {
		faults = append(faults, fmt.Errorf("MASTHEAD_AI_PUBLIC_TIME must be up to %v, not %v", publicTime, c.PublicAITime))
	}
	return errors.Join(faults...)
}

func (c Config) publicAITime() time.Duration {
	if c.PublicAITime == 0 {
		return publicPatience
	}
	return c.PublicAITime
}

// Addresses are the public base addresses that go into records, without a slash at the end.
type Addresses struct {
	Base, CDN string
}

// Service draws and keeps images. It is safe for concurrent use. Close ends what it still draws.
type Service struct {
	cfg       Config
	addresses Addresses
	store     store
	blobs     blob.Store
	projects  *projects.Service
	maker     *card.Maker
	decoder   *picture.Decoder
	usage     *usage.Service
	ai        *ai.Client   // nil when it is off
	leases    *lease.Table // nil when this process is the only one with its database
	flight    singleflight.Group
	makings   detached
	workers   *pool      // drawings
	fallbacks *fallbacks // cards of pages that cannot be read
	breaker   *limit.Breaker
	misses    *limit.Window // new pictures of GET /og, by project
	// aiMisses are the AI pictures that an address asks for in a day, rejections the prompts of a project that are
	// rejected.
	aiMisses, rejections *limit.Window
	auditlog             *auditlog.Log
	plans                *billing.Service
	index                *imagecache.Index[*recorded]
	changes              changes
	hot                  *imagecache.Files // nil when the kernel cannot send what the store keeps
	comparing            atomic.Bool       // a file in memory is being compared
	unsure               *unsure
	deleted              chan struct{} // wakes the sweep
	losses               *losses
	outdated             outdated
	redraws              *redraws
	keepings             atomic.Uint64 // images that were kept, new ones and others
	metrics              *metrics
	owners               *owners
	now                  func() time.Time
}

// Deps are what the service stands on.
type Deps struct {
	DB       *db.DB
	Blobs    blob.Store
	Projects *projects.Service
	Usage    *usage.Service
	AuditLog *auditlog.Log
	Fetch    *fetch.Client
	Decoder  *picture.Decoder
	// Breaker counts, by address, the new pictures that strangers ask for.
	Breaker *limit.Breaker
	Plans   *billing.Service
	// AI is nil when no provider is configured.
	AI *ai.Client
	// Drawing are the workers that draw; with nil the service has its own.
	Drawing *worker.Pool
}

// New returns a service.
func New(cfg Config, addresses Addresses, deps Deps) *Service {
	if deps.Drawing == nil {
		deps.Drawing = worker.New(worker.Config{Name: card.DrawStage, Workers: cfg.Workers})
	}
	m := newMetrics()
	s := &Service{
		cfg: cfg, addresses: addresses, store: store{deps.DB}, blobs: deps.Blobs, projects: deps.Projects,
		maker:   card.NewMaker(scrape.New(deps.Fetch, deps.Decoder, deps.Drawing), deps.Drawing, m.render),
		decoder: deps.Decoder, usage: deps.Usage, ai: deps.AI,
		workers: newPoolOn(deps.Drawing), deleted: make(chan struct{}, 1), owners: newOwners(),
		losses: newLosses(), redraws: newRedraws(), metrics: m, now: time.Now, fallbacks: newFallbacks(time.Now),
		breaker: deps.Breaker, misses: limit.NewWindow(), aiMisses: limit.NewDay(), rejections: limit.NewDay(),
		auditlog: deps.AuditLog,
		plans:    deps.Plans, index: imagecache.NewIndex[*recorded](maxIndexed, maxRecords), unsure: newUnsure(),
	}
	if files, ok := deps.Blobs.(blob.Opener); ok {
		s.hot = imagecache.NewFiles(files, s.compareHot)
	}
	if deps.DB.Dialect() == db.Postgres {
		s.leases = lease.New(deps.DB, leaseTime)
	}
	return s
}

// List returns a page of the caller's images, newest first, and the cursor of the next one; "" on the last page.
// projectID and kind narrow it down when they are not empty. A scoped key sees the images of its project alone.
func (s *Service) List(
	ctx context.Context, caller identity.Caller, projectID string, kind card.Kind, p cursor.Page,
) (page []Record, next string, err error) {
	scope := caller.KeyProjectID
	if projectID == "" {
		projectID = scope
	}
	rows, next, err := cursor.List(p, func(r imageRow) string { return r.ID },
		func(before string, limit int) ([]imageRow, error) {
			if scope != "" && projectID != scope {
				return nil, nil // as with somebody else's project
			}
			return s.store.list(ctx, caller.UserID, projectID, kind, before, limit)
		})
	for _, row := range rows {
		page = append(page, s.cached(row))
	}
	return page, next, err
}

// Get returns one image of the caller; with a scoped key one of its project.
func (s *Service) Get(ctx context.Context, caller identity.Caller, id string) (Record, error) {
	row, err := s.store.byID(ctx, caller.UserID, id)
	if err == nil && caller.KeyProjectID != "" && caller.KeyProjectID != row.ProjectID {
		err = errNoImage
	}
	if err != nil {
		return Record{}, err
	}
	s.usedRow(row)
	return s.cached(row), nil
}

// Delete removes one image of the caller; its files go soon after, unless another image names them.
func (s *Service) Delete(ctx context.Context, caller identity.Caller, id string) error {
	publicID, err := s.store.delete(ctx, caller.UserID, id)
	if err != nil {
		return err
	}
	s.index.Forget(publicID)
	s.nudge()
	return nil
}
