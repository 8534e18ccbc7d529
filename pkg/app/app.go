// Package app is the whole program as one value: the modules on their database and files, behind one server. It is
// the only package that knows all the others. What a command line adds is in cmd/masthead.
//
//   - app.go: [Open] connects and migrates, [App.Run] serves, [App.Close] ends
//   - modules.go: the one list of the modules: how each is created, its operations, its work in the background
//   - config.go, check.go: all settings, and what `masthead config check` says of them
//   - health.go, metrics.go: what load balancers and monitoring ask for
//   - leave.go: the shutdown and its time limits
//   - contract_*_test.go, matrix_test.go: every operation as the document describes it, by every kind of caller
//
// Package apptest starts a service for the tests of any package; package demo is what `serve --demo` adds.
package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"masthead/pkg/ai"
	"masthead/pkg/audit"
	"masthead/pkg/auth"
	"masthead/pkg/base62"
	"masthead/pkg/db"
	"masthead/pkg/installation"
	"masthead/pkg/monitor"
	"masthead/pkg/server"
	"masthead/pkg/web"
	"masthead/pkg/web/entry"
	"masthead/pkg/web/playground"
)

// App is a service, wired. Its modules are there for the command line and for tests.
type App struct {
	*modules
	cfg     Config
	health  *health
	server  *server.Server
	monitor *monitor.Monitor // nil when nobody is to look
}

// Open makes the service that cfg describes. cfg.Server.Addr is the address that it really listens on: see
// [Config.Listen]. The service must be closed.
func Open(ctx context.Context, cfg Config) (*App, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if err := cfg.prepare(); err != nil {
		return nil, err
	}
	secret, err := cfg.signingSecret()
	if err != nil {
		return nil, err
	}
	cfg.Leaving = cfg.Leaving.withDefaults()
	cfg.Auth.Secret, cfg.Auth.Loopback = secret, cfg.Server.Loopback()
	cfg.Auth.BaseURL = cfg.Server.Public()
	cfg.Images.Previews = cfg.Server.Crawlers
	cfg.Mail.BaseURL, cfg.Mail.Secret = cfg.Server.Public(), secret
	cfg.Auth.SecureCookie = strings.HasPrefix(cfg.Server.Public(), "https://")
	if err := cfg.reachPictures(ctx); err != nil {
		return nil, err
	}
	accounts, err := openAccounts(ctx, cfg.Storage, cfg)
	if err != nil {
		return nil, err
	}
	if err := checkInstallation(ctx, accounts.DB, cfg.place()); err != nil {
		return nil, errors.Join(err, accounts.Close())
	}
	a := &App{cfg: cfg, health: &health{}}
	if a.modules, err = newModules(cfg, accounts); err != nil {
		return nil, errors.Join(err, accounts.Close())
	}
	a.health.alive, a.health.room = a.DB.Ping, a.blobs.Room
	a.health.limits = func() bool { return cfg.Limits.URL != "" && a.limits.Usable() }
	a.health.pools = []func() error{a.drawing.Usable, a.decoder.Usable}
	err = a.Files.Load(ctx)
	if err == nil {
		err = a.serveModules()
	}
	if err == nil {
		err = a.serveMetrics(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

// checkInstallation makes sure that the pictures in a place are those of the database.
func checkInstallation(ctx context.Context, d *db.DB, place installation.Place) error {
	match, err := installation.Check(ctx, d, place)
	if err == nil && match == installation.Unknown && d.Dialect() == db.Postgres {
		slog.WarnContext(ctx, "this database has been used with other pictures: "+
			"nodes must share one place for them, else each draws what the others have", "place", place.Name())
	}
	return err
}

// serveModules puts the modules and the web pages behind one server.
func (a *App) serveModules() error {
	document, err := server.Document()
	if err != nil {
		return err
	}
	tried := playground.New(a.cfg.Server.Public(), a.Tickets, a.ai.Draws(ai.Standard))
	pages := web.New(web.Deps{
		Base: a.cfg.Server.Public(), Document: document, Audits: a.Audits, Drawing: a.drawing, SitePictures: a.Sites,
		SendsMail: a.Mail.Enabled(), Provider: a.cfg.OIDC.Host(), Registration: a.registration,
		Recent: tried.Recent, Keep: tried.Keep, Components: a.cfg.Components,
		Draws: a.ai.Draws(ai.Standard), Writes: a.ai.Writes(),
	})
	a.server, err = server.New(a.cfg.Server, server.Deps{
		API: a.api(a.health), Pictures: a.Images, Keys: a.Keys, Sessions: a.Auth, Repeats: a.repeats,
		RepeatKeys: a.Auth.RepeatKeys(), Tracer: a.tracer,
		NotFound: pages.NotFound, Refused: pages.Refused,
		Plans: plans{a.Billing, a.Images}, Maintenance: a.maintenance.Refuse, Limits: a.limits,
		Breaker: a.breaker,
		Pages: func(e *echo.Echo, s *server.Server) {
			pages.Register(e, s)
			tried.Register(e, s)
			a.servePictures(e)
		},
	})
	return err
}

// registration reports who can register now.
func (a *App) registration(ctx context.Context) (entry.Registration, error) {
	who, err := a.Auth.Registration(ctx)
	return entry.Registration(who), err
}

// servePictures adds the pictures of reports, which stand beside the pages of the reports.
func (a *App) servePictures(e *echo.Echo) {
	e.GET(audit.ShownRoute, func(c echo.Context) error {
		return a.Audits.ServeShown(c.Response(), c.Request(), c.Param("id"), c.Param("name"))
	})
}

// serveMetrics registers what all count, and opens the operator's listener where there is to be one.
func (a *App) serveMetrics(ctx context.Context) error {
	registry, err := a.metrics()
	if err != nil {
		return err
	}
	a.monitor, err = monitor.Open(ctx, a.cfg.Monitor, registry)
	return err
}

// Operation returns an operation of the document, to be run in-process for the caller in a context. It panics for an
// unknown id.
func (a *App) Operation(id string) *server.Operation { return a.server.Operation(id) }

// MonitorAddr is where metrics and profiles are served; "" when nowhere.
func (a *App) MonitorAddr() string { return a.monitor.Addr() }

// Messages is where the log of package log belongs while the service runs: what net/http says there repeats what
// strangers sent.
func (a *App) Messages() io.Writer { return a.fetch.Messages() }

// Run serves on listener and does the work in the background until ctx ends. Then it leaves: it says that it is not
// ready, finishes what it has, and returns.
func (a *App) Run(ctx context.Context, listener net.Listener) error {
	working, stop := context.WithCancel(context.WithoutCancel(ctx))
	var work sync.WaitGroup
	defer a.leaveBehind(&work)
	defer stop()
	for _, task := range a.background() {
		work.Go(func() { task(working) })
	}
	work.Go(func() { a.monitor.Run(working) })
	failed := make(chan error, 1)
	go func() { failed <- a.server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	a.health.leaving.Store(true)
	pause := leavePause
	if a.cfg.Server.Loopback() {
		pause = 0
	}
	err := leave(working, pause, a.cfg.Leaving.Finish, a.drain, a.server.Shutdown)
	if errors.Is(err, context.Canceled) {
		slog.Warn("requests did not finish; the program ends without them")
		err = nil
	}
	return errors.Join(err, <-failed)
}

// drain is told when the service is to end: from then on nothing begins that must not be cut. It returns when what runs
// of that has ended, or after its own bound.
func (a *App) drain(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, a.cfg.Leaving.Drain)
	defer cancel()
	var draining sync.WaitGroup
	for _, drain := range a.drains() {
		draining.Go(func() { drain(ctx) })
	}
	draining.Wait()
}

// leaveBehind waits for work in the background that was told to end, but not for what does not.
func (a *App) leaveBehind(work *sync.WaitGroup) {
	ctx, cancel := context.WithTimeout(context.Background(), a.cfg.Leaving.Close/2)
	defer cancel()
	if !wait(ctx, work) {
		slog.Error("work in the background does not end; the program ends without it")
	}
}

// sweeps are tasks of which a few run at the same time: all of them at once, as at the start of a node, would take all
// of its connections to the database from requests.
type sweeps chan struct{}

// sweepTurn is the longest time that a sweep keeps others waiting: one that hangs, or waits for another server, goes on
// beside them.
const sweepTurn = 5 * time.Minute

// newSweeps returns sweeps of which two run at the same time.
func newSweeps() sweeps { return make(sweeps, 2) }

// hourly returns a task that does work soon after the start and every hour. What goes wrong is logged; name says of
// what.
func (s sweeps) hourly(name string, work func(context.Context) error) func(context.Context) {
	return func(ctx context.Context) {
		for {
			select {
			case s <- struct{}{}:
			case <-ctx.Done():
				return
			}
			end := sync.OnceFunc(func() { <-s })
			turn := time.AfterFunc(sweepTurn, end)
			err := work(ctx)
			turn.Stop()
			end()
			if err != nil && ctx.Err() == nil {
				slog.ErrorContext(ctx, "sweep failed", "of", name, "err", err)
			}
			if sleep(ctx, time.Hour); ctx.Err() != nil {
				return
			}
		}
	}
}

// Close ends what the service still does and closes its database. It is called after [App.Run] has returned. What does
// not end within its bound, such as a drawing that does not finish, is left to the end of the process.
func (a *App) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), a.cfg.Leaving.Close/2)
	defer cancel()
	a.close(ctx)
	return errors.Join(a.monitor.Close(), a.Accounts.Close())
}

// OpenAccounts opens the accounts for one command, beside a service that may be running. They must be closed.
func OpenAccounts(ctx context.Context, storage Storage) (*Accounts, error) {
	if err := storage.Database.Validate(); err != nil {
		return nil, err
	}
	// No token is signed or read by a command.
	return openAccounts(ctx, storage, Config{Auth: auth.Config{Secret: base62.Random(secretLength)}})
}

func openAccounts(ctx context.Context, storage Storage, cfg Config) (*Accounts, error) {
	d, err := db.Open(ctx, storage.database())
	if err != nil {
		return nil, err
	}
	a, err := newAccounts(cfg, d)
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return a, nil
}

// Close closes the database.
func (a *Accounts) Close() error {
	if err := a.DB.Close(); err != nil {
		return fmt.Errorf("close the database: %w", err)
	}
	return nil
}
