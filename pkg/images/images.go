// Package images keeps the pictures that package card draws: it draws each once, however many callers ask, and has the
// records, the files that they name, and the public addresses.
//
//   - images.go: the Service and what it stands on; list, get and delete
//   - generate.go: [Service.Generate], the stages of making an image from top to bottom: request.go and stage_*.go;
//     stage.go has the job that goes through them
//   - share.go: one task for all callers, on one node and on many, which outlives them: see package task
//   - public*.go: GET /og for a project's pages, what it may spend, and what it shows of a page that can't be read
//   - serve.go: files and images as they are served; memory.go: what is in memory
//   - reuse.go: AI pictures for other images
//   - design.go: images of the projects' own designs, and what follows when another version becomes the active one
//   - record.go, download.go: images as callers see them
//   - remake.go, redraw.go: files that are lost, damaged or outdated, made again
//   - http.go: the operations
//
// Packages of their own are what knows nothing of drawing:
//
//   - store: the SQL; versions: earlier pictures, and restoring them; follow: keeping right what is in memory
//   - outdate: marking images that show something which has changed; uses: the queue of those that are to be redrawn
//   - task: the queue of drawings; robot: which crawlers have nothing drawn; address: signed addresses
package images

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"masthead/pkg/ai"
	"masthead/pkg/assets"
	"masthead/pkg/auditlog"
	"masthead/pkg/billing"
	"masthead/pkg/blob"
	"masthead/pkg/card"
	"masthead/pkg/clock"
	"masthead/pkg/cursor"
	"masthead/pkg/db"
	"masthead/pkg/designs"
	"masthead/pkg/events"
	"masthead/pkg/eviction"
	"masthead/pkg/files"
	"masthead/pkg/identity"
	"masthead/pkg/imagecache"
	"masthead/pkg/images/follow"
	"masthead/pkg/images/robot"
	"masthead/pkg/images/store"
	"masthead/pkg/images/task"
	"masthead/pkg/images/uses"
	"masthead/pkg/images/versions"
	"masthead/pkg/jobs"
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
	// PublicPhotoTime is how long GET /og waits for the page's own picture once the page was read; 0 is 1.5 s.
	PublicPhotoTime time.Duration `name:"photo-public-time" env:"MASTHEAD_PHOTO_PUBLIC_TIME" default:"1500ms" help:"How long /og waits for the page's own picture. A card without it is drawn again with it in the background."`
	// UnknownBots is what GET /og does for crawlers of search engines and AI; "" is draw. Previews are parts of the user
	// agents of those that make previews, beside the ones that package platform knows.
	UnknownBots string   `name:"og-unknown-bots" env:"MASTHEAD_OG_UNKNOWN_BOTS" default:"draw" help:"What /og does for crawlers of search engines and AI: draw, or store-only: they get what is stored, otherwise the site's card, and never have a page's picture drawn."`
	Previews    []string `kong:"-"`

	Eviction eviction.Config `embed:""`
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
	if c.PublicPhotoTime < 0 || c.PublicPhotoTime > publicTime {
		faults = append(faults,
			fmt.Errorf("MASTHEAD_PHOTO_PUBLIC_TIME must be up to %v, not %v", publicTime, c.PublicPhotoTime))
	}
	faults = append(faults, robot.Validate(c.UnknownBots), c.Eviction.Validate())
	return errors.Join(faults...)
}

func (c Config) publicPhotoTime() time.Duration {
	return cmp.Or(c.PublicPhotoTime, photoPatience)
}

func (c Config) publicAITime() time.Duration {
	return cmp.Or(c.PublicAITime, publicPatience)
}

// Addresses are the public base addresses that go into records, without a slash at the end.
type Addresses struct {
	Base, CDN string
}

// Service draws and keeps images. It is safe for concurrent use. Close ends what it still draws.
type Service struct {
	cfg       Config
	addresses Addresses
	store     store.Store
	db        *db.DB // for what belongs to no image
	blobs     blob.Store
	projects  *projects.Service
	uploads   *assets.Service
	designs   *designs.Service // nil for none
	usage     *usage.Service
	plans     *billing.Service
	auditlog  *auditlog.Log
	events    *events.Bus
	leases    *lease.Table // nil when this process is the only one with its database

	maker       *card.Maker
	backgrounds backgrounds
	workers     *task.Queue // drawings
	tasks       task.Group
	keepings    atomic.Uint64 // how many images were kept, new ones and others
	strangers   strangers
	robots      robot.Robots
	memory      memory
	follower    *follow.Follower // keeps memory right

	files     *files.Store
	deletions *store.Deletions
	versions  *versions.Versions
	evictions *eviction.Service
	losses    *losses
	redraws   *uses.Queue

	metrics *metrics
	clock   clock.Clock
	now     func() time.Time
}

// Deps are what the service stands on.
type Deps struct {
	DB    *db.DB
	Blobs blob.Store
	// Files is the ledger of the files in Blobs.
	Files    *files.Ledger
	Projects *projects.Service
	// Assets are the uploaded pictures that requests may name.
	Assets *assets.Service
	// Designs are the projects' own.
	Designs  *designs.Service
	Usage    *usage.Service
	AuditLog *auditlog.Log
	Events   *events.Bus // may be nil
	Scraper  *scrape.Scraper
	Decoder  *picture.Decoder
	// Limits count the requests of strangers; a nil one counts in the memory of this process.
	Limits *limit.Store
	// Breaker counts, by address, the new pictures that strangers ask for.
	Breaker *limit.Breaker
	Plans   *billing.Service
	// AI is nil when no provider is configured.
	AI *ai.Client
	// Drawing are the workers that draw; with nil the service has its own.
	Drawing *worker.Pool
	// Jobs delete images whose deletion could be taken back.
	Jobs *jobs.Worker
}

// New returns a service.
func New(cfg Config, addresses Addresses, deps Deps) *Service {
	if deps.Drawing == nil {
		deps.Drawing = worker.New(worker.Config{Name: card.DrawStage, Workers: cfg.Workers})
	}
	m := newMetrics()
	s := &Service{
		cfg: cfg, addresses: addresses, store: store.New(deps.DB), db: deps.DB, blobs: deps.Blobs, projects: deps.Projects,
		uploads: deps.Assets, designs: deps.Designs,
		usage: deps.Usage, plans: deps.Plans, auditlog: deps.AuditLog, events: deps.Events,
		maker:       card.NewMaker(deps.Scraper, deps.Drawing, m.render),
		backgrounds: backgrounds{deps.AI, deps.Decoder},
		workers:     task.NewQueueOn(deps.Drawing), strangers: newStrangers(deps.Limits, deps.Breaker),
		robots: robot.New(cfg.UnknownBots, cfg.Previews),
		memory: newMemory(time.Now),
		losses: newLosses(), redraws: uses.New(), metrics: m,
	}
	s.now = s.clock.Now
	s.files = deps.Files.Register(s.kindOfFiles())
	s.deletions = s.store.Deletions(deps.Jobs, func() time.Time { return s.now() }, s.evicted)
	s.versions = versions.New(versions.Deps{
		Store: s.store, Blobs: s.blobs, Files: s.files, Plans: s.plans, Now: func() time.Time { return s.now() },
		Renew: func(ctx context.Context, publicID string) { s.follower.Renew(ctx, publicID) },
	})
	s.evictions = eviction.New(cfg.Eviction, deps.DB, s.evicted)
	s.memory.files = imagecache.NewFiles(deps.Blobs, s.compareHot)
	if deps.DB.Dialect() == db.Postgres {
		s.leases = lease.New(deps.DB, leaseTime)
	}
	s.follower = follow.New(s.store, s.projects, s.memory.index, s.leases == nil, func() time.Time { return s.now() })
	s.follower.Subscribe(deps.Events)
	return s
}

// List returns a page of the caller's images that f selects, newest first, and the cursor of the next one; "" on the
// last page. A scoped key sees the images of its project alone.
func (s *Service) List(
	ctx context.Context, caller identity.Caller, f store.Filter, p cursor.Page,
) (page []Record, next string, err error) {
	scope := caller.KeyProjectID
	f.ProjectID = cmp.Or(f.ProjectID, scope)
	rows, next, err := cursor.List(p, func(r store.Image) string { return r.ID },
		func(before string, limit int) ([]store.Image, error) {
			if scope != "" && f.ProjectID != scope {
				return nil, nil // as with somebody else's project
			}
			return s.store.List(ctx, caller.UserID, f, before, limit)
		})
	for _, row := range rows {
		page = append(page, s.cached(row))
	}
	return page, next, err
}

// Get returns one image of the caller; with a scoped key one of its project.
func (s *Service) Get(ctx context.Context, caller identity.Caller, id string) (Record, error) {
	row, err := s.own(ctx, caller, id)
	if err != nil {
		return Record{}, err
	}
	s.usedRow(row)
	return s.cached(row), nil
}

// own returns one image of the caller; with a scoped key one of its project.
func (s *Service) own(ctx context.Context, caller identity.Caller, id string) (store.Image, error) {
	row, err := s.store.ByID(ctx, caller.UserID, id)
	if err == nil && caller.KeyProjectID != "" && caller.KeyProjectID != row.ProjectID {
		return store.Image{}, store.ErrNoImage
	}
	return row, err
}

// Delete removes one image of the caller; its files go soon after, unless another image names them.
func (s *Service) Delete(ctx context.Context, caller identity.Caller, id string) error {
	publicID, err := s.store.Delete(ctx, caller.UserID, id)
	if err != nil {
		return err
	}
	s.memory.index.Forget(publicID)
	s.files.SweepSoon()
	return nil
}

// DeleteLater marks one image of the caller, to be deleted in a minute. [Service.Undelete] takes that back.
func (s *Service) DeleteLater(ctx context.Context, caller identity.Caller, id string) error {
	publicID, err := s.deletions.Mark(ctx, caller.UserID, id)
	if publicID != "" { // with an error too: it may be committed
		s.memory.index.Forget(publicID)
	}
	return err
}

// Undelete takes back [Service.DeleteLater]. It returns NOT_FOUND for an image that isn't marked or is deleted already,
// and CONFLICT if the same image was drawn again in the meantime.
func (s *Service) Undelete(ctx context.Context, caller identity.Caller, id string) (Record, error) {
	publicID, err := s.deletions.Unmark(ctx, caller.UserID, id)
	if err != nil {
		return Record{}, err
	}
	s.memory.index.Forget(publicID)
	return s.Get(ctx, caller, id)
}

// Versions returns the earlier pictures of an image of the caller, the latest first; with a scoped key of one of its
// project. Each picture is there once, and the present one isn't.
func (s *Service) Versions(ctx context.Context, caller identity.Caller, id string) ([]versions.Version, error) {
	row, err := s.own(ctx, caller, id)
	if err != nil {
		return nil, err
	}
	all, err := s.versions.Of(ctx, row)
	for i := range all {
		all[i].ImageURL = s.fileURL(all[i].Files[0])
	}
	return all, err
}

// Restore makes an earlier picture of an image of the caller its picture again: see [versions.Versions.Restore].
func (s *Service) Restore(ctx context.Context, caller identity.Caller, id string, number int64) (Record, error) {
	row, err := s.versions.Restore(ctx, func() (store.Image, error) { return s.own(ctx, caller, id) }, number)
	if err != nil {
		return Record{}, err
	}
	return s.cached(row), nil
}

// Sweep deletes the versions whose time is up.
func (s *Service) Sweep(ctx context.Context) error { return s.versions.Sweep(ctx) }

// Follow keeps what is in memory in step with the other nodes until ctx ends. A process that is alone with its database
// has none.
func (s *Service) Follow(ctx context.Context) { s.follower.Run(ctx) }

// Evictions keep the pictures that GET /og drew within their budgets.
func (s *Service) Evictions() *eviction.Service { return s.evictions }

// evicted forgets images that the program itself deleted: to keep a budget, or a minute after they were marked.
func (s *Service) evicted(publicIDs []string) {
	for _, id := range publicIDs {
		s.memory.index.Forget(id)
	}
	s.files.SweepSoon()
}

// Drain is called when the program is told to end: from then on no stage begins that must not be cut. It returns when
// those that run have ended and what they gave is kept, or with ctx. Others go on meanwhile, for requests that are
// still answered.
func (s *Service) Drain(ctx context.Context) { s.tasks.Drain(ctx) }

// Close ends all jobs whose callers have left, returns their leases and lets no more begin. It is called when no
// request is answered any more, after Drain, and before the database closes. It waits for the jobs until ctx ends; the
// error then says how many are left.
func (s *Service) Close(ctx context.Context) error { return s.tasks.Close(ctx) }

func millis(t time.Time) db.Millis { return db.Millis{Time: t} }
