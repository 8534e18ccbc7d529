package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	goversion "go/version"
	"image/png"
	"io"
	"log"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/app/demo"
	"masthead/pkg/auth"
	"masthead/pkg/base62"
	"masthead/pkg/fetch"
	"masthead/pkg/picture/svg"
	"masthead/pkg/server"
	"masthead/pkg/testenv"
)

// TestServeDemo_printedCurlDrawsAnImage starts the demo as `serve --demo` does, sends the printed curl's request, and
// starts it again.
func TestServeDemo_printedCurlDrawsAnImage(t *testing.T) {
	dir := t.TempDir()
	first := startDemo(t, dir)
	var image struct{ ID, ImageURL string }
	first.draw(t, &image)
	response, err := http.Get(image.ImageURL)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if card, err := png.Decode(response.Body); err != nil || card.Bounds().Dx() != 1200 {
		t.Errorf("the card: %v", err)
	}
	first.body = strings.Replace(first.body, "{", `{"ai": true, `, 1)
	var over struct {
		AI struct{ FellBack *bool }
	}
	first.draw(t, &over)
	if over.AI.FellBack == nil || *over.AI.FellBack {
		t.Errorf("with AI: got %+v, want a picture", over)
	}
	first.body = strings.Replace(first.body, `"ai": true, `, "", 1)
	for _, page := range demo.Pages {
		if !strings.Contains(first.greeting, page.Path) {
			t.Errorf("the greeting does not name %s:\n%s", page.Path, first.greeting)
		}
	}
	info, err := os.Stat(filepath.Join(dir, "demo.json"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("demo.json: %v, %v, want mode 0600", info, err)
	}
	first.stop(t)

	second := startDemo(t, dir)
	defer second.stop(t)
	if second.key != first.key || second.body != first.body {
		t.Errorf("a second start prints another key or page:\n%s\n%s", first.greeting, second.greeting)
	}
	var again struct {
		ID     string
		Cached bool
	}
	second.draw(t, &again)
	if again.ID != image.ID || !again.Cached {
		t.Errorf("got %+v, want the image of the first start", again)
	}
}

// keepLogger gives the logger back that serving replaces.
func keepLogger(t *testing.T) {
	t.Helper()
	before := slog.Default()
	t.Cleanup(func() {
		slog.SetDefault(before)
		log.SetOutput(os.Stderr) // which a service that ran has taken for itself
	})
}

// runningDemo is a demo that runs in this process.
type runningDemo struct {
	greeting, address, key, body string
	cancel                       context.CancelFunc
	ended                        chan error
}

var printedCurl = regexp.MustCompile(`curl -s (\S+) \\\s+-H 'Authorization: Bearer (\S+)' .*\\\s+-d '(.*)'`)

func startDemo(t *testing.T, dir string) *runningDemo {
	t.Helper()
	return startDemoWith(t, dir, os.Stderr, "error", nil)
}

// startDemoWith starts a demo that logs to a file and may fetch from further addresses.
func startDemoWith(t *testing.T, dir string, logFile *os.File, level string, allow []string) *runningDemo {
	t.Helper()
	keepLogger(t)
	ctx, cancel := context.WithCancel(t.Context())
	d := &runningDemo{cancel: cancel, ended: make(chan error, 1)}
	command := &serveCommand{Config: app.Config{
		Storage: app.Storage{DataDir: dir}, Server: server.Config{Addr: "127.0.0.1:0", AuthRPM: 20},
		Auth: auth.Config{Registration: "open"}, Fetch: fetch.Config{Allow: allow},
		SVG: svg.Config{Dir: testenv.CacheDir()},
	}, Log: logConfig{Level: level}, Demo: true}
	read, write := io.Pipe()
	go func() { d.ended <- command.run(ctx, write, logFile) }()
	greeting := make([]byte, 1<<16)
	n, err := read.Read(greeting)
	if err != nil {
		t.Fatal(err)
	}
	d.greeting = string(greeting[:n])
	m := printedCurl.FindStringSubmatch(d.greeting)
	if m == nil {
		t.Fatalf("no curl in the greeting:\n%s", d.greeting)
	}
	d.address, d.key, d.body = m[1], m[2], m[3]
	return d
}

func (d *runningDemo) draw(t *testing.T, into any) {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, d.address, strings.NewReader(d.body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+d.key)
	r.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Fatalf("got %s", response.Status)
	}
	if err := json.NewDecoder(response.Body).Decode(into); err != nil {
		t.Fatal(err)
	}
}

func (d *runningDemo) stop(t *testing.T) {
	t.Helper()
	d.cancel()
	if err := <-d.ended; err != nil {
		t.Errorf("the end of the demo: %v", err)
	}
}

// TestServe_secondOnTheEmbeddedDatabaseStops starts a second server on the folder of one that runs; commands work
// beside it.
func TestServe_secondOnTheEmbeddedDatabaseStops(t *testing.T) {
	dir := t.TempDir()
	first := startDemo(t, dir)
	second := &serveCommand{Config: app.Config{
		Storage: app.Storage{DataDir: dir}, Server: server.Config{Addr: "127.0.0.1:0", AuthRPM: 20},
		Auth: auth.Config{Registration: "open"},
	}, Log: logConfig{Level: "error"}}
	address := strings.TrimSuffix(strings.TrimPrefix(first.address, "http://"), "/images/generate")
	err := second.run(t.Context(), io.Discard, os.Stderr)
	if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("process %d at %s", os.Getpid(), address)) {
		t.Errorf("got %v, want it to name process and address of the first", err)
	}
	var out bytes.Buffer
	store := app.Storage{DataDir: dir}
	if err := (&adminCreateCommand{Storage: store, Email: "ada@example.com"}).run(t.Context(), nil, &out); err != nil {
		t.Errorf("admin create: %v", err)
	}
	if err := keyForBlog(store).run(t.Context(), &out); err != nil {
		t.Errorf("key create: %v", err)
	}
	first.draw(t, new(struct{}))
	first.stop(t)
	startDemo(t, dir).stop(t)
}

func TestServeDemo_otherThanLoopbackIsRefused(t *testing.T) {
	keepLogger(t)
	command := &serveCommand{Config: app.Config{
		Storage: app.Storage{DataDir: t.TempDir()}, Server: server.Config{Addr: "0.0.0.0:0", AuthRPM: 20},
	}, Log: logConfig{Level: "error"}, Demo: true}
	err := command.run(t.Context(), io.Discard, os.Stderr)
	if err == nil || !strings.Contains(err.Error(), "MASTHEAD_ADDR") {
		t.Errorf("got %v, want a refusal that names MASTHEAD_ADDR", err)
	}
}

// TestAdminPlan_isKnownToTheServiceThatRuns gives an account a plan while the service runs.
func TestAdminPlan_isKnownToTheServiceThatRuns(t *testing.T) {
	h := apptest.StartSignedIn(t)
	give := func(email, plan string) (string, error) {
		var out bytes.Buffer
		err := (&adminPlanCommand{
			oneAccount: oneAccount{Storage: app.Storage{DataDir: h.Config.DataDir}, Email: email}, Plan: plan,
		}).run(t.Context(), &out)
		return out.String(), err
	}
	told, err := give(strings.ToUpper(h.Session.Email), "pro")
	if want := h.Session.Email + " is now on the plan pro.\n"; err != nil || told != want {
		t.Fatalf("got %q, %v, want %q", told, err, want)
	}
	if got := h.Get("/users/me", apptest.Bearer(h.Session.Access)).Want(http.StatusOK).Text("plan"); got != "pro" {
		t.Errorf("got the plan %s, want pro", got)
	}
	if _, err := give(h.Session.Email, "gold"); err == nil || !strings.Contains(err.Error(), "free, plus, pro") {
		t.Errorf("a plan that there is not: got %v, want to be told which there are", err)
	}
	if _, err := give("nobody@example.com", "pro"); err == nil || !strings.Contains(err.Error(), "no account") {
		t.Errorf("an account that there is not: got %v", err)
	}
}

// TestKeyCreate_worksBesideARunningService makes an admin and a key on the command line while the service runs, and
// draws with the key.
func TestKeyCreate_worksBesideARunningService(t *testing.T) {
	h := apptest.Start(t)
	store := app.Storage{DataDir: h.Config.DataDir}
	var out bytes.Buffer
	err := keyForBlog(store).run(t.Context(), &out)
	if err == nil || !strings.Contains(err.Error(), "admin create") {
		t.Errorf("without an admin: got %v, want to be told how to make one", err)
	}
	if err := (&adminCreateCommand{Storage: store, Email: "Ada@Example.com"}).run(t.Context(), nil, &out); err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`Password, shown only once: (\S+)`).FindStringSubmatch(out.String())
	if m == nil {
		t.Fatalf("no password in %q", out.String())
	}
	login := h.Post("/auth/login", map[string]any{"email": "ada@example.com", "password": m[1]}).Want(http.StatusOK)
	if login.Text("user.role") != "admin" {
		t.Errorf("got role %q, want admin", login.Text("user.role"))
	}
	keys := regexp.MustCompile(`Project Blog: (\S+)\nKey, shown only once: (\S+)`)
	var projects []string
	for range 2 {
		out.Reset()
		if err := keyForBlog(store).run(t.Context(), &out); err != nil {
			t.Fatal(err)
		}
		m := keys.FindStringSubmatch(out.String())
		if m == nil {
			t.Fatalf("no key in %q", out.String())
		}
		projects = append(projects, m[1])
		h.Project, h.Key = m[1], m[2]
	}
	if projects[0] != projects[1] {
		t.Error("a second key made a second project")
	}
	h.Generate("/page/one", nil).Want(http.StatusOK)

	// An account that is there becomes admin; a password can be given.
	user := h.Register()
	out.Reset()
	err = (&adminCreateCommand{Storage: store, Email: user.Email}).run(t.Context(), nil, &out)
	if err != nil || !strings.Contains(out.String(), "is an admin now") {
		t.Errorf("got %q, %v", out.String(), err)
	}
	out.Reset()
	given := &adminCreateCommand{
		Storage: store, Email: "bob@example.com", passwordFile: passwordFile{PasswordFile: "-"},
	}
	if err := given.run(t.Context(), strings.NewReader("a password of bob's\n"), &out); err != nil {
		t.Fatal(err)
	}
	const password = "a password of bob's"
	h.Post("/auth/login", map[string]any{"email": "bob@example.com", "password": password}).Want(http.StatusOK)
	if strings.Contains(out.String(), password) {
		t.Error("a given password is printed")
	}
}

// keyForBlog is key create for the first admin's project Blog.
func keyForBlog(store app.Storage) *keyCreateCommand {
	return &keyCreateCommand{ownedStorage: ownedStorage{Storage: store}, Project: "Blog", Name: "k"}
}

func TestServe_wrongSettingNamesItsVariable(t *testing.T) {
	keepLogger(t)
	for _, c := range []struct{ variable, value string }{
		{"MASTHEAD_ADDR", "nonsense"}, {"MASTHEAD_BASE_URL", "ftp://x"}, {"MASTHEAD_CDN_URL", "x"},
		{"MASTHEAD_BASE_URL", "https://example.com/masthead"}, {"MASTHEAD_JWT_SECRET_FILE", "/nowhere"},
		{"MASTHEAD_JWT_SECRT", "x"}, {"MASTHEAD_JWT_SECRET", strings.Repeat("0f1e2d3c4b5a6978", 4)},
		{"MASTHEAD_TRUSTED_PROXIES", "all"},
		{"MASTHEAD_RPM_AUTH", "many"}, {"MASTHEAD_RPM_PRO", "-5"}, {"MASTHEAD_USAGE_LEASE", "1ms"},
		{"MASTHEAD_DATABASE_URL", "mysql://x"}, {"MASTHEAD_JWT_SECRET", "short"},
		{"MASTHEAD_REGISTRATION", "maybe"},
		{"MASTHEAD_FETCH_ALLOW", "0.0.0.0/0"}, {"MASTHEAD_RENDER_WORKERS", "-1"},
		{"MASTHEAD_LOG_LEVEL", "loud"}, {"MASTHEAD_LOG_FORMAT", "xml"},
		{"MASTHEAD_DATA_DIR", os.DevNull}, {"MASTHEAD_DATABASE_URL", "postgres://masthead@127.0.0.1:1/masthead"},
	} {
		t.Run(c.variable, func(t *testing.T) {
			t.Setenv("MASTHEAD_ADDR", "127.0.0.1:0")
			if c.variable != "MASTHEAD_JWT_SECRET_FILE" {
				t.Setenv("MASTHEAD_JWT_SECRET", base62.Random(48))
			}
			t.Setenv("MASTHEAD_DATA_DIR", t.TempDir())
			t.Setenv(c.variable, c.value)
			if err := execute(t.Context(), []string{"serve"}); err == nil || !strings.Contains(err.Error(), c.variable) {
				t.Errorf("got %v, want an error that names the variable", err)
			}
		})
	}
}

// TestBuild_versionsAreNotOld checks the minimum versions of what decodes and fetches. Source:
// docs/security.md#decoding.
func TestBuild_versionsAreNotOld(t *testing.T) {
	least := map[string]string{"golang.org/x/image": "v0.45.0", "golang.org/x/net": "v0.55.0", "go": "v1.26.6"}
	for module, got := range builtWith(t) {
		if want, ok := least[module]; ok {
			delete(least, module)
			// Both kinds of version compare alike once they are spelled alike.
			if goversion.Compare("go"+got[1:], "go"+want[1:]) < 0 {
				t.Errorf("%s is %s, want %s or later", module, got, want)
			}
		}
	}
	if len(least) > 0 {
		t.Errorf("the build information does not name %v", least)
	}
}

// builtWith returns the versions of Go and of all modules in this program.
func builtWith(t *testing.T) map[string]string {
	t.Helper()
	info, ok := debug.ReadBuildInfo()
	if !ok {
		t.Fatal("there is no build information")
	}
	versions := map[string]string{"go": "v" + strings.TrimPrefix(info.GoVersion, "go")}
	for _, dep := range info.Deps {
		versions[dep.Path] = dep.Version
	}
	return versions
}
