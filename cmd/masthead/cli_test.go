package main

import (
	"bytes"
	"context"
	"encoding/json"
	goversion "go/version"
	"image/png"
	"io"
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
	"masthead/pkg/server"
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
	t.Cleanup(func() { slog.SetDefault(before) })
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
	keepLogger(t)
	ctx, cancel := context.WithCancel(t.Context())
	d := &runningDemo{cancel: cancel, ended: make(chan error, 1)}
	command := &serveCommand{Config: app.Config{
		Storage: app.Storage{DataDir: dir}, Server: server.Config{Addr: "127.0.0.1:0", AuthRPM: 20},
		Auth: auth.Config{Registration: "open"},
	}, Log: logConfig{Level: "error"}, Demo: true}
	read, write := io.Pipe()
	go func() { d.ended <- command.run(ctx, write, os.Stderr) }()
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

// TestKeyCreate_worksBesideARunningService makes an admin and a key on the command line while the service runs, and
// draws with the key.
func TestKeyCreate_worksBesideARunningService(t *testing.T) {
	h := apptest.Start(t)
	store := app.Storage{DataDir: h.Config.DataDir}
	var out bytes.Buffer
	err := (&keyCreateCommand{Storage: store, Project: "Blog", Name: "k"}).run(t.Context(), &out)
	if err == nil || !strings.Contains(err.Error(), "admin create") {
		t.Errorf("without an admin: got %v, want to be told how to make one", err)
	}
	if err := (&adminCreateCommand{Storage: store, Email: "Ada@Example.com"}).run(t.Context(), nil, &out); err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`Password, shown this once: (\S+)`).FindStringSubmatch(out.String())
	if m == nil {
		t.Fatalf("no password in %q", out.String())
	}
	login := h.Post("/auth/login", map[string]any{"email": "ada@example.com", "password": m[1]}).Want(http.StatusOK)
	if login.Text("user.role") != "admin" {
		t.Errorf("got role %q, want admin", login.Text("user.role"))
	}
	keys := regexp.MustCompile(`Project Blog: (\S+)\nKey, shown this once: (\S+)`)
	var projects []string
	for range 2 {
		out.Reset()
		if err := (&keyCreateCommand{Storage: store, Project: "Blog", Name: "k"}).run(t.Context(), &out); err != nil {
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
	if err != nil || !strings.Contains(out.String(), "is admin now") {
		t.Errorf("got %q, %v", out.String(), err)
	}
	out.Reset()
	given := &adminCreateCommand{Storage: store, Email: "bob@example.com", PasswordFile: "-"}
	if err := given.run(t.Context(), strings.NewReader("a password of bob's\n"), &out); err != nil {
		t.Fatal(err)
	}
	const password = "a password of bob's"
	h.Post("/auth/login", map[string]any{"email": "bob@example.com", "password": password}).Want(http.StatusOK)
	if strings.Contains(out.String(), password) {
		t.Error("a given password is printed")
	}
}

func TestCard_needsNoServer(t *testing.T) {
	s := apptest.NewSite(t)
	dir := t.TempDir()
	card := func(c cardCommand) (string, error) {
		t.Helper()
		var report bytes.Buffer
		c.Output = filepath.Join(dir, "card.png")
		c.Kind, c.Font, c.AspectRatio, c.LogoPosition = "og", "inter", "16:9", "top-left"
		if c.Template == "" {
			c.Template = "editorial"
		}
		err := c.run(t.Context(), io.Discard, &report)
		return report.String(), err
	}
	// A host that is named on the command line may be private.
	report, err := card(cardCommand{URL: s.At("/page/one")})
	if err != nil || !strings.Contains(report, "1200x630") || !strings.Contains(report, "Page one") {
		t.Errorf("got %q, %v", report, err)
	}
	f, err := os.Open(filepath.Join(dir, "card.png"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if img, err := png.Decode(f); err != nil || img.Bounds().Dx() != 1200 {
		t.Errorf("the card: %v", err)
	}
	own := cardCommand{Title: "No page at all", Accent: "0F766E", Light: true, Template: "poster"}
	if _, err := card(own); err != nil {
		t.Errorf("a card without a page: %v", err)
	}
	for name, c := range map[string]struct {
		command cardCommand
		want    string
	}{
		"nothing":           {cardCommand{}, "--title"},
		"a redirect inside": {cardCommand{URL: s.At("/redirect?to=http://169.254.169.254/")}, fetch.RefusedDetail},
		"no such template":  {cardCommand{Title: "x", Template: "nope"}, "template"},
		"a bad colour":      {cardCommand{Title: "x", Accent: "red"}, "#4F46E5"},
		"no page there":     {cardCommand{URL: s.At("/gone")}, "410"},
	} {
		if _, err := card(c.command); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want it to say %q", name, err, c.want)
		}
	}
}

func TestReadSecretFiles_fileIsTheValue(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(path, []byte("a secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	set := func(key, value string) error { got[key] = value; return nil }
	if err := readSecretFiles([]string{"MASTHEAD_JWT_SECRET_FILE=" + path, "OTHER_FILE=/nowhere"}, set); err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || got["MASTHEAD_JWT_SECRET"] != "a secret" {
		t.Errorf("got %v", got)
	}
	for _, environ := range [][]string{
		{"MASTHEAD_JWT_SECRET_FILE=/nowhere"}, {"MASTHEAD_JWT_SECRET_FILE=" + path, "MASTHEAD_JWT_SECRET=x"},
	} {
		if err := readSecretFiles(environ, set); err == nil || !strings.Contains(err.Error(), "MASTHEAD_JWT_SECRET_FILE") {
			t.Errorf("%v: got %v, want an error that names the variable", environ, err)
		}
	}
}

func TestDropEmpty_emptyVariableMeansTheDefault(t *testing.T) {
	var unset []string
	err := dropEmpty([]string{"MASTHEAD_LOG_LEVEL=", "MASTHEAD_ADDR=127.0.0.1:1", "OTHER="}, func(key string) error {
		unset = append(unset, key)
		return nil
	})
	if err != nil || len(unset) != 1 || unset[0] != "MASTHEAD_LOG_LEVEL" {
		t.Errorf("got %v, %v", unset, err)
	}
}

func TestServe_wrongSettingNamesItsVariable(t *testing.T) {
	keepLogger(t)
	for _, c := range []struct{ variable, value string }{
		{"MASTHEAD_ADDR", "nonsense"}, {"MASTHEAD_BASE_URL", "ftp://x"}, {"MASTHEAD_CDN_URL", "x"},
		{"MASTHEAD_TRUSTED_PROXIES", "all"},
		{"MASTHEAD_RPM_AUTH", "many"}, {"MASTHEAD_DATABASE_URL", "mysql://x"}, {"MASTHEAD_JWT_SECRET", "short"},
		{"MASTHEAD_REGISTRATION", "maybe"},
		{"MASTHEAD_FETCH_ALLOW", "0.0.0.0/0"}, {"MASTHEAD_RENDER_WORKERS", "-1"},
		{"MASTHEAD_LOG_LEVEL", "loud"}, {"MASTHEAD_LOG_FORMAT", "xml"},
		{"MASTHEAD_DATA_DIR", os.DevNull}, {"MASTHEAD_DATABASE_URL", "postgres://masthead@127.0.0.1:1/masthead"},
	} {
		t.Run(c.variable, func(t *testing.T) {
			t.Setenv("MASTHEAD_ADDR", "127.0.0.1:0")
			t.Setenv("MASTHEAD_JWT_SECRET", base62.Random(48))
			t.Setenv("MASTHEAD_DATA_DIR", t.TempDir())
			t.Setenv(c.variable, c.value)
			if err := execute(t.Context(), []string{"serve"}); err == nil || !strings.Contains(err.Error(), c.variable) {
				t.Errorf("got %v, want an error that names the variable", err)
			}
		})
	}
}

// TestBuild_versionsAreNotOld holds the least versions of what decodes and fetches. Source: security requirements,
// "Decoding".
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
