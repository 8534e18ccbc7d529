package app

import (
	"context"

	"masthead/gen"
	"masthead/pkg/apikeys"
	"masthead/pkg/auditlog"
	"masthead/pkg/auth"
	"masthead/pkg/blob"
	"masthead/pkg/db"
	"masthead/pkg/fetch"
	"masthead/pkg/images"
	"masthead/pkg/picture"
	"masthead/pkg/projects"
	"masthead/pkg/templates"
	"masthead/pkg/users"
)

// This file is the one list of the modules: how each is made, its operations, and its work in the background.

// Accounts are the modules that know who there is and what is theirs: what a command beside a running service needs
// too.
type Accounts struct {
	DB       *db.DB
	Users    *users.Service
	Auth     *auth.Service
	Projects *projects.Service
	Keys     *apikeys.Service

	auditlog *auditlog.Log
}

// newAccounts makes the modules of accounts on d.
func newAccounts(cfg auth.Config, d *db.DB) (*Accounts, error) {
	a := &Accounts{DB: d, auditlog: auditlog.New(d)}
	a.Users = users.New(d, a.auditlog)
	var err error
	if a.Auth, err = auth.New(cfg, d, a.Users, a.auditlog); err != nil {
		return nil, err
	}
	a.Projects = projects.New(d)
	a.Keys = apikeys.New(d, a.Projects, a.auditlog)
	return a, nil
}

// modules are all modules of a service.
type modules struct {
	*Accounts
	Templates *templates.Service
	Images    *images.Service

	fetch *fetch.Client
}

// newModules makes the modules that are not of accounts, each on those before it.
func newModules(cfg Config, a *Accounts) (*modules, error) {
	m := &modules{Accounts: a, Templates: templates.New(cfg.Server.Public())}
	if cfg.Fetch.ContactURL == "" {
		cfg.Fetch.ContactURL = cfg.Server.Public()
	}
	onRefused := func(ctx context.Context, host string) { a.auditlog.Record(ctx, auditlog.TargetRefused, "", host) }
	blobs, err := blob.OpenDisk(cfg.pictures())
	if err != nil {
		return nil, err
	}
	if m.fetch, err = fetch.New(cfg.Fetch, onRefused); err != nil {
		return nil, err
	}
	addresses := images.Addresses{Base: cfg.Server.Public(), CDN: cfg.Server.PublicCDN()}
	m.Images = images.New(cfg.Images, addresses, images.Deps{
		DB: a.DB, Blobs: blobs, Projects: a.Projects, Fetch: m.fetch, Decoder: picture.NewDecoder(picture.Config{}),
	})
	return m, nil
}

type (
	apikeysAPI   = apikeys.API
	authAPI      = auth.API
	imagesAPI    = images.API
	projectsAPI  = projects.API
	templatesAPI = templates.API
	usersAPI     = users.API
)

// api is every operation of the service. One that nobody implements, or two modules do, fails to compile here, by name.
type api struct {
	*apikeysAPI
	*authAPI
	*imagesAPI
	*projectsAPI
	*templatesAPI
	*usersAPI
	*health
}

var _ gen.StrictServerInterface = (*api)(nil)

func (m *modules) api(h *health) *api {
	return &api{
		apikeys.NewAPI(m.Keys), auth.NewAPI(m.Auth), images.NewAPI(m.Images), projects.NewAPI(m.Projects),
		templates.NewAPI(m.Templates), users.NewAPI(m.Users), h,
	}
}

// background is what the modules do besides answering. Each runs until its context ends.
func (m *modules) background() []func(context.Context) {
	return []func(context.Context){
		m.Images.Run,
		m.Keys.Run,
		hourly("sessions", m.Auth.Sweep),
		hourly("audit log", m.auditlog.Sweep),
	}
}

// drain is told when the service is to end: from then on nothing begins that must not be cut. It returns when what
// runs of that has ended, or after its own bound.
func (m *modules) drain(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, images.DrainTime)
	defer cancel()
	m.Images.Drain(ctx)
}

// close ends what the modules still do; the database is closed after it.
func (m *modules) close() {
	m.Images.Close()
	m.fetch.Close()
}
