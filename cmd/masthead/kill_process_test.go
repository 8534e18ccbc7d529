//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"masthead/pkg/app/apptest"
	"masthead/pkg/app/demo"
	"masthead/pkg/testenv"
)

// asProgram, when it is set in the environment, makes this test's own program the one that is tested: it is started
// again and killed.
const asProgram = "TEST_RUNS_AS_MASTHEAD"

func TestMain(m *testing.M) {
	switch {
	case os.Getenv(asProgram) != "" && os.Getenv(spins) != "":
		os.Exit(serveSpinning())
	case os.Getenv(asProgram) != "":
		main()
	}
	if tool := os.Getenv(asTool); tool != "" {
		os.Exit(standIn(tool, os.Args[1:]))
	}
	os.Exit(m.Run())
}

// process is a masthead of its own: `serve --demo` on a data folder that outlives it.
type process struct {
	t    *testing.T
	cmd  *exec.Cmd
	base string
	// project and key are those of the demo.
	project, key string
	out, log     output
	client       *http.Client
	ended        chan struct{} // closed when the process is gone; then cmd.ProcessState says how
}

// launch starts a process that may fetch from site; settings are more variables for it, such as "NAME=value".
func launch(t *testing.T, dir string, site *changingSite, settings ...string) *process {
	t.Helper()
	file, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return launchFile(t, file, dir, site, settings...)
}

// launchFile is launch for a program in a file, such as an older one.
func launchFile(t *testing.T, file, dir string, site *changingSite, settings ...string) *process {
	t.Helper()
	shareCompiled(t, dir)
	p := &process{t: t, cmd: exec.Command(file, "serve", "--demo", "--data-dir", dir), ended: make(chan struct{}),
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 32}, Timeout: 30 * time.Second}}
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, "MASTHEAD_") {
			p.cmd.Env = append(p.cmd.Env, entry)
		}
	}
	p.cmd.Env = append(p.cmd.Env, asProgram+"=1", "MASTHEAD_ADDR=127.0.0.1:0", "MASTHEAD_RPM_FREE=1000000",
		"MASTHEAD_FETCH_ALLOW="+apptest.Allowed(site.Listener.Addr().String()))
	p.cmd.Env = append(p.cmd.Env, settings...)
	p.cmd.Stdout, p.cmd.Stderr = &p.out, &p.log
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(p.ended)
		_ = p.cmd.Wait() // how it ended is in ProcessState
	}()
	t.Cleanup(func() {
		p.signal(syscall.SIGKILL)
		p.wait()
		p.client.CloseIdleConnections()
	})
	return p
}

// shareCompiled lets a service on a data folder use the compiled engine of all tests: compiling takes 4 s of CPU.
func shareCompiled(t *testing.T, dir string) {
	t.Helper()
	shared := testenv.CacheDir()
	if shared == "" {
		return
	}
	err := errors.Join(os.MkdirAll(shared, 0o700), os.MkdirAll(dir, 0o700))
	if err == nil {
		err = os.Symlink(shared, filepath.Join(dir, "cache"))
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		t.Fatal(err)
	}
}

// open launches a process and waits until it has said where it listens.
func open(t *testing.T, dir string, site *changingSite, settings ...string) *process {
	t.Helper()
	p := launch(t, dir, site, settings...)
	p.listens(dir)
	return p
}

// listens waits until the process has said where it listens, and reads its account in the data folder.
func (p *process) listens(dir string) {
	t := p.t
	t.Helper()
	apptest.WaitFor(t, "the process to listen", func() bool {
		select {
		case <-p.ended:
			t.Fatalf("the process ended at its start: %v\n%s", p.cmd.ProcessState, p.log.String())
		default:
		}
		_, after, said := strings.Cut(p.out.String(), "Masthead is listening on ")
		base, _, whole := strings.Cut(after, "\n")
		p.base = base
		return said && whole
	})
	kept, err := os.ReadFile(filepath.Join(dir, demo.FileName))
	if err != nil {
		t.Fatal(err)
	}
	var d demo.Account
	if err := json.Unmarshal(kept, &d); err != nil {
		t.Fatal(err)
	}
	p.project, p.key = d.ProjectID, d.Key
}

// signal sends a signal; a process that has ended already takes none.
func (p *process) signal(s syscall.Signal) {
	if err := p.cmd.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		p.t.Errorf("send %v: %v", s, err)
	}
}

func (p *process) wait() *os.ProcessState {
	p.t.Helper()
	apptest.WaitFor(p.t, "the process to end", func() bool {
		select {
		case <-p.ended:
			return true
		default:
			return false
		}
	})
	return p.cmd.ProcessState
}

// accepts says whether somebody takes connections at the process's address.
func (p *process) accepts() bool {
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.base, "http://"))
	if err != nil {
		return false
	}
	_ = conn.Close()
	return true
}

// imageResponse is an image as a response describes it.
type imageResponse struct {
	ID       string `json:"id"`
	ImageURL string `json:"imageUrl"`
	Cached   bool   `json:"cached"`
	AI       *struct {
		FellBack bool   `json:"fellBack"`
		Reason   string `json:"fallbackReason"`
	} `json:"ai"`
}

// file is the digest and name of the picture.
func (k imageResponse) file(t *testing.T) (digest, name string) {
	t.Helper()
	u, err := url.Parse(k.ImageURL)
	if err != nil {
		t.Fatal(err)
	}
	digest, name, _ = strings.Cut(strings.TrimPrefix(u.Path, "/cdn/"), "/")
	return digest, name
}

// order is one request for an image.
type order struct {
	page, title string
	dark, force bool
	ai          bool
	icons       bool // an icon set rather than a card
}

// generate asks for an image. The error is that of the connection, which ends when the process does.
func (p *process) generate(site *changingSite, o order) (k imageResponse, status int, err error) {
	kind := "og"
	if o.icons {
		kind = "icon_set"
	}
	template := "minimal" // which is drawn in a fifth of the time of others
	if o.ai {
		template = "editorial"
	}
	body, err := json.Marshal(map[string]any{
		"url": site.URL + o.page, "projectId": p.project, "force": o.force, "kind": kind, "template": template,
		"style": map[string]any{"dark": o.dark}, "content": map[string]any{"title": o.title}, "ai": o.ai,
	})
	if err != nil {
		return k, 0, err
	}
	r, err := http.NewRequest(http.MethodPost, p.base+"/images/generate", bytes.NewReader(body))
	if err != nil {
		return k, 0, err
	}
	r.Header.Set("Authorization", "Bearer "+p.key)
	r.Header.Set("Content-Type", "application/json")
	response, err := p.client.Do(r)
	if err != nil {
		return k, 0, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return k, 0, err
	}
	if response.StatusCode != http.StatusOK {
		return k, response.StatusCode, nil
	}
	return k, response.StatusCode, json.Unmarshal(text, &k)
}

// get returns the status and the body at a path.
func (p *process) get(path string) (int, []byte) {
	p.t.Helper()
	response, err := p.client.Get(p.base + path)
	if err != nil {
		p.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return response.StatusCode, text
}

// output is what a process wrote, readable while it goes on writing.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// changingSite serves pages that say something else each time, so that a forced drawing gives another picture.
type changingSite struct {
	*httptest.Server
	asked atomic.Int64
	// hold, when it is set, keeps every page back until it is closed.
	hold atomic.Pointer[chan struct{}]
}

func newChangingSite(t *testing.T) *changingSite {
	t.Helper()
	s := &changingSite{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/page/") {
			http.NotFound(w, r)
			return
		}
		n := s.asked.Add(1)
		if hold := s.hold.Load(); hold != nil {
			<-*hold
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>A page</title>
			<meta name="description" content="This page was asked for %d times.">`, n)
	}))
	t.Cleanup(s.Close)
	return s
}
