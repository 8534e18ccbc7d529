// Package apptest starts a whole service for the tests of any package, with a site beside it whose pages it may fetch:
//
//	s := apptest.StartSignedIn(t)
//	s.Generate("/page/one", nil).Want(http.StatusOK)
//
// Every response, errors too, is validated against the service's document.
package apptest

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"masthead/pkg/app"
	"masthead/pkg/auth"
	"masthead/pkg/base62"
	"masthead/pkg/billing"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/fetch"
	"masthead/pkg/picture/svg"
	"masthead/pkg/server"
	"masthead/pkg/testenv"
)

// Password is good for every account of the tests.
const Password = "correct horse battery staple"

// Nobody is an id that no resource has.
const Nobody = "0199e0a6-5f5e-7cc1-9a51-000000000000"

// Service is a service on a loopback port, which ends with the test.
type Service struct {
	// App is what runs, and Config what it was opened with.
	App    *app.App
	Config app.Config
	// Base is its address, without a slash at the end.
	Base string
	// Site is beside the service, which may fetch from it.
	Site *PageServer
	// Session is a signed-in user with the project of the id Project and Key for it; empty unless it came from
	// StartSignedIn.
	Session Session
	Project string
	Key     string
	// Client sends the requests.
	Client *http.Client

	t      testing.TB
	router routers.Router
}

// Session is a user who signed in.
type Session struct{ Access, Refresh, Email, Password string }

// Option changes the configuration of a service before it starts.
type Option func(*app.Config)

// OnDatabase puts the service on a database.
func OnDatabase(cfg db.Config) Option {
	return func(c *app.Config) {
		c.Database = cfg
		if cfg.URL != "" {
			c.Auth.Secret = base62.Random(43) // nodes would have to share it, so the service makes none
		}
	}
}

// prepare sets what is global to the process: the library's decoders, and the log, in which only failing tests would
// be of interest. MASTHEAD_TEST_LOG=1 prints it, with the cause of a 500.
var prepare = sync.OnceFunc(func() {
	log := io.Discard
	if os.Getenv("MASTHEAD_TEST_LOG") == "1" {
		log = os.Stderr
	}
	slog.SetDefault(slog.New(slog.NewTextHandler(log, nil)))
	for _, contentType := range []string{"image/png", "image/jpeg"} {
		openapi3filter.RegisterBodyDecoder(contentType, openapi3filter.FileBodyDecoder)
	}
})

// document is the service's document as a router that finds the operation of a request. The services of the process
// have read it already, which takes 0.15 s of processor time.
var document = sync.OnceValues(func() (routers.Router, error) {
	document, err := server.Document()
	if err != nil {
		return nil, err
	}
	return gorillamux.NewRouter(document)
})

// plenty is a limit that no test reaches which does not mean to.
const plenty = 1_000_000

// Start runs a fresh service. Its limits on requests and on the connections of an address are out of the way.
func Start(t testing.TB, options ...Option) *Service {
	t.Helper()
	s := &Service{t: t, Site: NewSite(t), Client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}
	t.Cleanup(s.Client.CloseIdleConnections)
	s.Config = app.Config{
		Storage: app.Storage{DataDir: t.TempDir()},
		Server: server.Config{
			Addr: "127.0.0.1:0", AuthRPM: 100_000, PreviewRPM: plenty, BreakerRPM: plenty, BreakerMisses: plenty,
			AddressConns: 10_000,
		},
		Billing: billing.Config{FreeRPM: plenty, PlusRPM: plenty, ProRPM: plenty},
		Auth:    auth.Config{Registration: "open", CheapHashes: true},
		Fetch:   fetch.Config{Allow: []string{s.Site.Allowed()}},
		SVG:     svg.Config{Dir: testenv.CacheDir(), Lazy: true, Wait: time.Minute},
	}
	for _, option := range options {
		option(&s.Config)
	}
	if s.Config.Database.URL == "" {
		dbtest.Migrate(t, s.Config.DataDir)
	}
	s.run()
	return s
}

// StartSignedIn is [Start] with a signed-in user, a project and a key for it.
func StartSignedIn(t testing.TB, options ...Option) *Service {
	t.Helper()
	s := Start(t, options...)
	s.Session = s.Register()
	s.Project = s.NewProject(s.Session)
	s.Key = s.NewKey(s.Session, s.Project)
	return s
}

// OnBoth runs a test on the embedded database and, where there is one, on Postgres. The service is as of
// [StartSignedIn].
func OnBoth(t *testing.T, test func(t *testing.T, s *Service), options ...Option) {
	t.Helper()
	dbtest.RunConfig(t, func(t *testing.T, cfg db.Config) {
		test(t, StartSignedIn(t, append([]Option{OnDatabase(cfg)}, options...)...))
	})
}

// StartNode runs another node of the same service: on its database and files, with its site and account.
func (s *Service) StartNode(options ...Option) *Service {
	s.t.Helper()
	node := *s
	node.Config.Server.Addr = "127.0.0.1:0"
	for _, option := range options {
		option(&node.Config)
	}
	node.run()
	return &node
}

// With returns the service for a subtest, which is the one to fail.
func (s *Service) With(t *testing.T) *Service {
	other := *s
	other.t = t
	return &other
}

// run opens and serves until the test ends.
func (s *Service) run() {
	t := s.t
	t.Helper()
	prepare()
	var err error
	if s.router, err = document(); err != nil {
		t.Fatal(err)
	}
	cfg := s.Config
	listener, err := cfg.Listen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s.Base = "http://" + listener.Addr().String()
	if s.App, err = app.Open(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- s.App.Run(ctx, listener) }()
	opened := s.App
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("serve: %v", err)
		}
		if err := opened.Close(); err != nil {
			t.Error(err)
		}
	})
}

var serial atomic.Int64

// Serial returns a number that this process did not see before.
func Serial() int64 { return serial.Add(1) }

// Register makes a fresh account.
func (s *Service) Register() Session {
	s.t.Helper()
	session := Session{Email: fmt.Sprintf("user%d@example.com", Serial()), Password: Password}
	body := map[string]any{"email": session.Email, "password": session.Password}
	r := s.Post("/auth/register", body).Want(http.StatusCreated)
	session.Access, session.Refresh = r.Text("accessToken"), r.Text("refreshToken")
	return session
}

// NewProject makes a project and returns its id.
func (s *Service) NewProject(session Session) string {
	s.t.Helper()
	return s.Post("/projects", map[string]any{"name": "Test"}, Bearer(session.Access)).
		Want(http.StatusCreated).Text("id")
}

// NewKey makes a key for a project, or for all of the user's when project is "", and returns its secret.
func (s *Service) NewKey(session Session, project string) string {
	s.t.Helper()
	body := map[string]any{"name": "Test"}
	if project != "" {
		body["projectId"] = project
	}
	return s.Post("/keys", body, Bearer(session.Access)).Want(http.StatusCreated).Text("secret")
}

// Generate asks for an image of a page of the site, with the fields of more added to the request.
func (s *Service) Generate(path string, more map[string]any, options ...RequestOption) *Response {
	s.t.Helper()
	body := map[string]any{"url": s.Site.At(path), "projectId": s.Project}
	for k, v := range more {
		body[k] = v
	}
	return s.Post("/images/generate", body, append([]RequestOption{Bearer(s.Key)}, options...)...)
}

// WaitFor waits until done says true, and fails the test after half a minute.
func WaitFor(t *testing.T, what string, done func() bool) {
	t.Helper()
	for range 3000 {
		if done() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("waited in vain for %s", what)
}
