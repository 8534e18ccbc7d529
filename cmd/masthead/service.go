package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"masthead/pkg/apikeys"
	"masthead/pkg/auditlog"
	"masthead/pkg/auth"
	"masthead/pkg/blob"
	"masthead/pkg/db"
	"masthead/pkg/fetch"
	"masthead/pkg/images"
	"masthead/pkg/picture"
	"masthead/pkg/projects"
	"masthead/pkg/server"
	"masthead/pkg/templates"
	"masthead/pkg/users"
	"masthead/pkg/web"
)

// accounts is the part of the service that the command line needs too: who there is and what is theirs.
type accounts struct {
	db       *db.DB
	auditlog *auditlog.Log
	users    *users.Service
	auth     *auth.Service
	projects *projects.Service
	keys     *apikeys.Service
}

// openAccounts opens the database and the modules of accounts.
func openAccounts(ctx context.Context, store db.Config, cfg auth.Config) (*accounts, error) {
	d, err := db.Open(ctx, store)
	if err != nil {
		return nil, err
	}
	a := &accounts{db: d, auditlog: auditlog.New(d)}
	a.users = users.New(d, a.auditlog)
	if a.auth, err = auth.New(cfg, d, a.users, a.auditlog); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	a.projects = projects.New(d)
	a.keys = apikeys.New(d, a.projects, a.auditlog)
	return a, nil
}

// service is the whole program, wired.
type service struct {
	*accounts
	fetch  *fetch.Client
	images *images.Service
	server *server.Server
}

// newService wires the service. cfg.Server.Addr is the address that it really listens on.
func newService(ctx context.Context, cfg settings) (*service, error) {
	if err := cfg.prepare(); err != nil {
		return nil, err
	}
	secret, err := cfg.signingSecret()
	if err != nil {
		return nil, err
	}
	cfg.Auth.Secret, cfg.Auth.Loopback = secret, cfg.Server.Loopback()
	cfg.Auth.SecureCookie = strings.HasPrefix(cfg.Server.Public(), "https://")
	blobs, err := blob.OpenDisk(filepath.Join(cfg.DataDir, "images"))
	if err != nil {
		return nil, err
	}
	a, err := openAccounts(ctx, cfg.database(), cfg.Auth)
	if err != nil {
		return nil, err
	}
	s := &service{accounts: a}
	if err := s.wire(cfg, blobs); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *service) wire(cfg settings, blobs *blob.Disk) (err error) {
	cfg.Fetch.Version = version
	if cfg.Fetch.ContactURL == "" {
		cfg.Fetch.ContactURL = cfg.Server.Public()
	}
	cfg.Fetch.OnRefused = func(ctx context.Context, host string) { s.auditlog.Record(ctx, auditlog.TargetRefused, "", host) }
	if s.fetch, err = fetch.New(cfg.Fetch); err != nil {
		return err
	}
	s.images = images.New(cfg.Images, images.Addresses{Base: cfg.Server.Public(), CDN: cfg.Server.PublicCDN()}, images.Deps{
		DB: s.db, Blobs: blobs, Projects: s.projects, Fetch: s.fetch, Decoder: picture.NewDecoder(picture.Config{}),
	})
	s.users.OnDelete(s.images.DropOwner)
	pages, err := web.New(cfg.Server.Public())
	if err != nil {
		return err
	}
	s.server, err = server.New(cfg.Server, server.Deps{
		APIKeys: apikeys.NewAPI(s.keys), Auth: auth.NewAPI(s.auth), Images: images.NewAPI(s.images), Projects: projects.NewAPI(s.projects),
		Templates: templates.NewAPI(templates.New(cfg.Server.Public())), Users: users.NewAPI(s.users),
		Keys: s.keys, Sessions: s.auth, Ready: s.db.Ping, Pages: pages.Register,
	})
	return err
}

// background runs what the service does besides answering, until ctx ends; it returns when all of it has ended.
func (s *service) background(ctx context.Context) {
	var work sync.WaitGroup
	defer work.Wait()
	work.Go(func() { s.images.Run(ctx) })
	work.Go(func() { s.keys.Run(ctx) })
	for name, sweep := range map[string]func(context.Context) error{"sessions": s.auth.Sweep, "audit log": s.auditlog.Sweep} {
		work.Go(func() {
			for {
				if err := sweep(ctx); err != nil && ctx.Err() == nil {
					slog.ErrorContext(ctx, "sweep failed", "of", name, "err", err)
				}
				select {
				case <-ctx.Done():
					return
				case <-time.After(time.Hour):
				}
			}
		})
	}
}

func (s *service) close() error {
	if s.images != nil {
		s.images.Close()
	}
	if s.fetch != nil {
		s.fetch.Close()
	}
	if err := s.db.Close(); err != nil {
		return fmt.Errorf("close the database: %w", err)
	}
	return nil
}
