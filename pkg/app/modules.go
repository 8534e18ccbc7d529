package app

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/time/rate"

	"masthead/gen"
	"masthead/pkg/admin"
	"masthead/pkg/ai"
	"masthead/pkg/apikeys"
	"masthead/pkg/assets"
	"masthead/pkg/audit"
	"masthead/pkg/auditlog"
	"masthead/pkg/auth"
	"masthead/pkg/batches"
	"masthead/pkg/billing"
	"masthead/pkg/brand"
	"masthead/pkg/crawlers"
	"masthead/pkg/db"
	"masthead/pkg/designs"
	"masthead/pkg/events"
	"masthead/pkg/export"
	"masthead/pkg/fetch"
	"masthead/pkg/files"
	"masthead/pkg/idempotency"
	"masthead/pkg/images"
	"masthead/pkg/images/outdate"
	"masthead/pkg/jobs"
	"masthead/pkg/lease"
	"masthead/pkg/limit"
	"masthead/pkg/mail"
	"masthead/pkg/maintenance"
	"masthead/pkg/notifications"
	"masthead/pkg/oidc"
	"masthead/pkg/opinion"
	"masthead/pkg/payments"
	"masthead/pkg/picture"
	"masthead/pkg/picture/svg"
	"masthead/pkg/projects"
	"masthead/pkg/scrape"
	"masthead/pkg/sitemap"
	"masthead/pkg/sites"
	"masthead/pkg/templates"
	"masthead/pkg/tickets"
	"masthead/pkg/tracing"
	"masthead/pkg/usage"
	"masthead/pkg/users"
	"masthead/pkg/watches"
	"masthead/pkg/webhooks"
	"masthead/pkg/weburl"
	"masthead/pkg/worker"
)

// This file is the one list of the modules: how each is made, its operations, its metrics, and its work in the
// background.

// Accounts are the modules that know who there is and what is theirs: what a command beside a running service needs
// too.
type Accounts struct {
	DB       *db.DB
	Users    *users.Service
	Auth     *auth.Service
	Projects *projects.Service
	Keys     *apikeys.Service

	Mail     *mail.Service
	Payments *payments.Service
	Events   *events.Bus
	// Notifications and Webhooks are among them since commands publish events too, and so must know who subscribes.
	Notifications *notifications.Service
	Webhooks      *webhooks.Service
	Billing       *billing.Service

	fetch       *fetch.Client
	tracer      *tracing.Tracer
	auditlog    *auditlog.Log
	jobs        *jobs.Worker
	maintenance *maintenance.Mode
	outdater    *outdate.Outdater
}

// newAccounts makes the modules of accounts on d.
func newAccounts(cfg Config, d *db.DB) (*Accounts, error) {
	tracer, err := tracing.Open(context.Background(), cfg.Tracing) // it has no end but its Close
	if err != nil {
		return nil, err
	}
	a := &Accounts{
		DB: d, auditlog: auditlog.New(d), Events: events.NewBus(), jobs: jobs.NewWorker(d, cfg.JobsEvery, tracer),
		maintenance: maintenance.New(d), tracer: tracer,
	}
	a.Mail = mail.New(cfg.Mail, d, a.jobs, auth.Links{}, a.auditlog)
	a.Notifications = notifications.New(d, a.Events, a.jobs, a.Mail)
	a.Users = users.New(d, a.auditlog, a.Events)
	cfg.Payments.BaseURL = cfg.Server.Public()
	a.Payments = payments.New(cfg.Payments, payments.Deps{DB: d, Users: a.Users, Events: a.Events, Jobs: a.jobs})
	if cfg.Fetch.ContactURL == "" && cfg.Server.Addr != "" { // a command has no server, and fetches nothing
		cfg.Fetch.ContactURL = cfg.Server.Public()
	}
	cfg.Fetch.Local = cfg.Server.Loopback()
	if a.fetch, err = fetch.New(cfg.Fetch, refusals(a.auditlog)); err != nil {
		return nil, err
	}
	a.Auth, err = auth.New(cfg.Auth, auth.Deps{
		DB: d, Users: a.Users, AuditLog: a.auditlog, Events: a.Events, Mail: a.Mail, Subscriptions: a.Payments,
		Provider: cfg.provider(a.fetch), Writable: a.maintenance.Refuse,
	})
	if err != nil {
		return nil, err
	}
	a.outdater = outdate.New(d, a.jobs, a.Events)
	a.Projects = projects.New(d, a.auditlog, a.Events, a.outdater.BrandChanged)
	a.Projects.CheckDomains(a.jobs, a.fetch)
	a.Keys = apikeys.New(d, a.Projects, a.auditlog, a.Events)
	cfg.Billing.Periods = a.Payments.Periods()
	a.Billing = billing.New(cfg.Billing, a.Users, a.Events)
	a.Webhooks = webhooks.NewService(cfg.Webhooks, webhooks.Deps{
		DB: d, Users: a.Users, Projects: a.Projects, Plans: a.Billing, Events: a.Events, Jobs: a.jobs, Fetch: a.fetch,
		AuditLog: a.auditlog,
	})
	return a, nil
}

// provider returns the provider that people sign in with, nil for none.
func (c Config) provider(f *fetch.Client) *oidc.Provider {
	if !c.OIDC.Enabled() {
		return nil
	}
	return oidc.New(c.OIDC, c.Server.Public()+"/auth/oidc/callback", f.Trusted(c.OIDC.Address()))
}

// modules are all modules of a service.
type modules struct {
	*Accounts
	Admin     *admin.Service
	Templates *templates.Service
	Usage     *usage.Service
	Assets    *assets.Service
	Designs   *designs.Service
	Images    *images.Service
	Batches   *batches.Service
	Audits    *audit.Service
	Watches   *watches.Service
	Sites     *sites.Service
	Crawlers  *crawlers.Service
	Exports   *export.Service
	Opinion   *opinion.Service
	Tickets   *tickets.Service
	SVG       *svg.Engine

	Files   *files.Ledger
	blobs   pictureStore
	reports pictureStore // pictures of audits
	exports pictureStore // zips of accounts, in parts
	decoder *picture.Decoder
	scraper *scrape.Scraper
	repeats *idempotency.Keys
	ai      *ai.Client
	limits  *limit.Store
	breaker *limit.Breaker
	drawing *worker.Pool
	hung    *worker.Refusals
}

// newModules makes the modules that are not of accounts, each on those before it.
func newModules(cfg Config, a *Accounts) (*modules, error) {
	m := &modules{
		Accounts: a, Files: files.New(a.DB, time.Now), repeats: idempotency.New(a.DB), hung: worker.NewRefusals(a.DB),
	}
	m.drawing = worker.New(cfg.drawing(m.hung))
	m.Templates = templates.New(cfg.Server.Public(), m.drawing)
	m.Usage = usage.New(cfg.Usage, a.DB, m.Billing, a.auditlog, a.Events)
	var err error
	if m.blobs, err = cfg.openPictures(imagesFolder, cfg.Blob.Space); err != nil {
		return nil, err
	}
	m.newReaders(cfg.Picture, cfg.svg())
	m.ai = ai.Open(cfg.AI, m.fetch, a.DB)
	m.Admin = admin.New(admin.Deps{
		DB: a.DB, Users: a.Users, Auth: a.Auth, Jobs: a.jobs, AuditLog: a.auditlog, Mode: a.maintenance, AI: m.ai,
		Drawn: m.drawn,
	})
	m.limits = limit.Open(cfg.Limits)
	m.breaker = cfg.Server.NewBreaker(m.limits)
	addresses := images.Addresses{Base: cfg.Server.Public(), CDN: cfg.Server.PublicCDN()}
	m.Assets = assets.New(assets.Deps{
		DB: a.DB, Files: m.Files, Blobs: m.blobs, Projects: a.Projects, Plans: m.Billing, Decoder: m.decoder,
		Drawing: m.drawing, Base: addresses.Base, CDN: addresses.CDN,
		FontChanged: []assets.FontHook{a.outdater.FontChanged}, Deleted: []assets.DeleteHook{a.outdater.AssetDeleted},
	})
	cfg.Tickets.Workers.Refusals = m.hung
	m.Tickets = tickets.New(cfg.Tickets, tickets.Deps{
		DB: a.DB, Limits: m.limits, Scraper: m.scraper, Decoder: m.decoder, Drawing: m.drawing,
	})
	m.Designs = designs.New(designs.Deps{
		DB: a.DB, Projects: a.Projects, Plans: m.Billing, Assets: m.Assets, Scraper: m.scraper, SVG: m.SVG,
		Drawing: m.Tickets.Workers(), Activated: []designs.ActivationHook{a.outdater.DesignActivated}, Events: a.Events,
		Jobs: a.jobs,
	})
	m.Images = images.New(cfg.Images, addresses, images.Deps{
		DB: a.DB, Blobs: m.blobs, Files: m.Files, Projects: a.Projects, Scraper: m.scraper, Decoder: m.decoder,
		Limits: m.limits, Breaker: m.breaker, Plans: m.Billing, AuditLog: a.auditlog, Events: a.Events, Usage: m.Usage,
		AI: m.ai, Drawing: m.drawing, Assets: m.Assets, Designs: m.Designs, Jobs: a.jobs,
	})
	m.Batches = batches.NewService(batches.Deps{
		DB: a.DB, Users: a.Users, Projects: a.Projects, Plans: m.Billing, Images: m.Images, Jobs: a.jobs,
		AtOnce: m.drawing.Workers() / 2,
	})
	if err = m.newAudits(cfg); err != nil {
		return nil, err
	}
	if m.exports, err = cfg.openExports(cfg.Blob.Space); err != nil {
		return nil, err
	}
	m.Exports = export.New(export.Deps{
		DB: a.DB, Jobs: a.jobs, Images: m.blobs, Reports: m.reports, Files: m.exports, Events: a.Events,
		Base: cfg.Server.Public(),
	})
	return m, nil
}

// newAudits makes what audits pages, also in the background.
func (m *modules) newAudits(cfg Config) (err error) {
	if m.reports, err = cfg.openPictures(auditsFolder, cfg.Blob.Space); err != nil {
		return err
	}
	m.Opinion = opinion.New(cfg.Opinion, opinion.Deps{
		Reports: audit.NewAnalyses(m.DB), Model: m.ai, Plans: m.Billing, Usage: m.Usage, Jobs: m.jobs,
	})
	m.Audits = audit.New(cfg.Audit, audit.Deps{
		DB: m.DB, Scraper: m.scraper, Files: m.Files, Pictures: m.reports, Plans: m.Billing,
		Base: cfg.Server.Public(), Analyst: m.Opinion, Events: m.Events, Jobs: m.jobs,
	})
	m.Watches = watches.NewService(watches.Deps{
		DB: m.DB, Users: m.Users, Projects: m.Projects, Plans: m.Billing, Audits: m.Audits, Events: m.Events, Jobs: m.jobs,
		Sitemaps: m.sitemap, Base: cfg.Server.Public(),
	})
	m.Sites = sites.New(sites.Deps{
		DB: m.DB, Users: m.Users, Plans: m.Billing, Audits: m.Audits, Sitemaps: m.sitemap, Jobs: m.jobs,
		Events: m.Events,
	})
	m.Crawlers = crawlers.New(crawlers.Deps{
		DB: m.DB, Reports: m.Audits, Fetch: m.fetch, Contact: cmp.Or(cfg.Fetch.ContactURL, cfg.Server.Public()), Jobs: m.jobs,
	})
	return nil
}

// newReaders makes what reads pictures and pages.
func (m *modules) newReaders(pictures picture.Config, engine svg.Config) {
	m.SVG = svg.New(engine)
	pictures.SVG, pictures.Refusals = m.SVG, m.hung
	m.decoder = picture.NewDecoder(pictures)
	m.scraper = scrape.New(m.fetch, m.decoder, m.drawing)
}

// sitemap reads a sitemap.
func (m *modules) sitemap(
	ctx context.Context, owner string, u weburl.URL, most int, skipped func(weburl.URL, error),
) (sitemap.List, error) {
	return sitemap.Collect(ctx, m.fetch, owner, u, most, skipped)
}

// refusals returns what is called when an address was refused: it writes to the audit log, and tells the operator at
// most once a minute how to open addresses.
func refusals(l *auditlog.Log) func(ctx context.Context, host string) {
	sometimes := &rate.Sometimes{Interval: time.Minute}
	return func(ctx context.Context, host string) {
		l.RecordRefused(ctx, host)
		sometimes.Do(func() {
			slog.WarnContext(ctx, "an address was refused, since it is not on the public web; if it is yours, open it with "+
				"MASTHEAD_FETCH_ALLOW=PREFIX[:PORT], such as 10.1.0.0/16 or 127.0.0.1/32:3000", "host", host)
		})
	}
}

// plans tells the server what accounts may do in a minute.
type plans struct {
	*billing.Service
	images *images.Service
}

// OfPublic implements [server.Plans]. What cannot be found out is nobody's: the operation itself says what is wrong.
func (p plans) OfPublic(ctx context.Context, publicID string) (projectID, plan string) {
	owner, err := p.images.PublicOwner(ctx, publicID)
	if err != nil {
		return "", ""
	}
	return owner.ProjectID, p.OfOwner(ctx, owner.OwnerID)
}

// OfOwner implements [server.Plans].
func (p plans) OfOwner(ctx context.Context, ownerID string) (plan string) {
	of, err := p.LastPlanOf(ctx, ownerID)
	if err != nil {
		return ""
	}
	return of.Name
}

type (
	adminAPI         = admin.API
	apikeysAPI       = apikeys.API
	assetsAPI        = assets.API
	auditAPI         = audit.API
	authAPI          = auth.API
	batchesAPI       = batches.API
	billingAPI       = billing.API
	brandAPI         = brand.API
	crawlersAPI      = crawlers.API
	designsAPI       = designs.API
	exportAPI        = export.API
	imagesAPI        = images.API
	mailAPI          = mail.API
	notificationsAPI = notifications.API
	paymentsAPI      = payments.API
	projectsAPI      = projects.API
	sitesAPI         = sites.API
	templatesAPI     = templates.API
	usageAPI         = usage.API
	usersAPI         = users.API
	watchesAPI       = watches.API
	webhooksAPI      = webhooks.API
)

// api is every operation of the service. One that nobody implements, or two modules do, fails to compile here, by name.
type api struct {
	*adminAPI
	*apikeysAPI
	*assetsAPI
	*auditAPI
	*authAPI
	*batchesAPI
	*billingAPI
	*brandAPI
	*crawlersAPI
	*designsAPI
	*exportAPI
	*imagesAPI
	*mailAPI
	*notificationsAPI
	*paymentsAPI
	*projectsAPI
	*sitesAPI
	*templatesAPI
	*usageAPI
	*usersAPI
	*watchesAPI
	*webhooksAPI
	*health
}

var _ gen.StrictServerInterface = (*api)(nil)

func (m *modules) api(h *health) *api {
	return &api{
		admin.NewAPI(m.Admin), apikeys.NewAPI(m.Keys), assets.NewAPI(m.Assets), audit.NewAPI(m.Audits),
		auth.NewAPI(m.Auth), batches.NewAPI(m.Batches), billing.NewAPI(m.Billing),
		brand.NewAPI(brand.New(m.scraper)), crawlers.NewAPI(m.Crawlers), designs.NewAPI(m.Designs), export.NewAPI(m.Exports),
		images.NewAPI(m.Images), mail.NewAPI(m.Mail), notifications.NewAPI(m.Notifications), payments.NewAPI(m.Payments),
		projects.NewAPI(m.Projects), sites.NewAPI(m.Sites),
		templates.NewAPI(m.Templates), usage.NewAPI(m.Usage), users.NewAPI(m.Users), watches.NewAPI(m.Watches),
		webhooks.NewAPI(m.Webhooks), h,
	}
}

// background is what the modules do besides answering. Each runs until its context ends.
func (m *modules) background() []func(context.Context) {
	sweep := newSweeps()
	return []func(context.Context){
		m.Files.Run,
		m.Files.Scrub,
		m.Images.Follow,
		m.Images.Evictions().Run,
		m.Audits.Run,
		m.jobs.Run,
		m.Mail.Run,
		m.Keys.Run,
		m.Billing.Run,
		m.Usage.Run,
		m.Tickets.Run,
		m.auditlog.Run,
		m.limits.Run,
		sweep.hourly("earlier pictures of images", m.Images.Sweep),
		sweep.hourly("sessions", m.Auth.Sweep),
		sweep.hourly("deleted accounts", m.Users.Purge),
		sweep.hourly("audit log", m.auditlog.Sweep),
		sweep.hourly("answers to repeated requests", m.repeats.Sweep),
		sweep.hourly("work that hung", m.hung.Sweep),
		sweep.hourly("subscriptions", m.Payments.Sweep),
		sweep.hourly("mails", m.Mail.Sweep),
		sweep.hourly("notifications", m.Notifications.Sweep),
		sweep.hourly("exports of accounts", m.Exports.Sweep),
		sweep.hourly("audits of watched pages", m.Watches.Sweep),
		sweep.hourly("audits of sites", m.Sites.Sweep),
		sweep.hourly("readings by names of crawlers", m.Crawlers.Sweep),
		sweep.hourly("deliveries to webhooks", m.Webhooks.Sweep),
		sweep.hourly("batches", m.Batches.Sweep),
		sweep.hourly("given-up jobs", m.jobs.Sweep),
		sweep.hourly("leases", lease.New(m.DB, time.Hour).Sweep),
	}
}

// collectors are the metrics of the modules and tools, each of which has its own in metrics.go.
func (m *modules) collectors() []prometheus.Collector {
	return slices.Concat(
		m.DB.Collectors(),
		m.Auth.Collectors(), m.Mail.Collectors(), m.Payments.Collectors(),
		m.ai.Collectors(), m.Images.Collectors(), m.Audits.Collectors(),
		m.Opinion.Collectors(), m.jobs.Collectors(),
		m.Files.Collectors(), m.blobs.Collectors(), m.reports.Collectors(), m.exports.Collectors(),
		m.decoder.Collectors(), m.drawing.Collectors(),
		m.fetch.Collectors(), m.limits.Collectors(), m.Tickets.Collectors(),
	)
}

// drains are called when the service is to end: from then on nothing begins that must not be cut. Each returns when
// what runs of that has ended, or with its context.
func (m *modules) drains() []func(context.Context) {
	return []func(context.Context){m.jobs.Drain, m.Images.Drain}
}

// close ends what the modules still do, and waits for it until ctx ends; the database is closed after it.
func (m *modules) close(ctx context.Context) {
	if err := m.Images.Close(ctx); err != nil {
		slog.Error("the program ends without them", "err", err)
	}
	m.Tickets.Close(ctx)
	if err := m.limits.Close(); err != nil {
		slog.Warn("the connections to Redis weren't closed", "err", err)
	}
	m.ai.Close()
	m.fetch.Close()
	if err := m.SVG.CloseWithin(ctx); err != nil {
		slog.Error("close the engine for SVG", "err", err)
	}
	if err := m.tracer.Close(ctx); err != nil {
		slog.Warn("the program ends without the last traces", "err", err)
	}
}
