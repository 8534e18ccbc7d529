package fetch_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/fetch"
	"masthead/pkg/weburl"
)

// TestMain names proxies that do not exist: whatever heeds them fails.
func TestMain(m *testing.M) {
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"} {
		if err := os.Setenv(name, "http://proxy.invalid:1"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// lookups is a resolver that answers from a table and counts the questions.
type lookups struct {
	mu    sync.Mutex
	table map[string][]string
	asked int
}

func (l *lookups) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked++
	if strings.Contains(host, ".") != strings.HasSuffix(host, ".") {
		return nil, fmt.Errorf("%q would be looked up in the search domains of this machine", host)
	}
	texts, ok := l.table[strings.TrimSuffix(host, ".")]
	if !ok {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	var addrs []netip.Addr
	for _, text := range texts {
		addrs = append(addrs, netip.MustParseAddr(text))
	}
	return addrs, nil
}

// count returns how many questions were asked.
func (l *lookups) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.asked
}

// resolver returns a resolver that knows these hosts: name, address, name, address …
func resolver(pairs ...string) *lookups {
	l := &lookups{table: map[string][]string{}}
	for i := 0; i < len(pairs); i += 2 {
		l.table[pairs[i]] = append(l.table[pairs[i]], pairs[i+1])
	}
	return l
}

// serve starts a server on loopback and returns its "127.0.0.1:port".
func serve(t testing.TB, handler http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	return s.Listener.Addr().String()
}

// client returns a client that may reach the given targets.
func client(t testing.TB, cfg fetch.Config, allow ...string) *fetch.Client {
	t.Helper()
	cfg.Allow = append(cfg.Allow, allow...)
	c, err := fetch.New(cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// offLoopback returns a name for a server of [serve], with its port, whose address is not a loopback one: 0.0.0.0 leads
// to this machine too.
func offLoopback(t testing.TB, addr string) (hostPort string, names *lookups) {
	t.Helper()
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		t.Fatal(err)
	}
	return "paced.example:" + port, resolver("paced.example", "0.0.0.0")
}

// get fetches one URL in a job of its own.
func get(t testing.TB, c *fetch.Client, address string, resource fetch.Resource) (*fetch.Response, error) {
	t.Helper()
	u, err := weburl.Parse(address)
	if err != nil {
		return nil, err
	}
	job, cancel := c.NewJob(t.Context())
	defer cancel()
	return job.Get(t.Context(), u, resource)
}

// mustURL parses an address.
func mustURL(t testing.TB, address string) weburl.URL {
	t.Helper()
	u, err := weburl.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// mustHost parses a host.
func mustHost(t testing.TB, name string) weburl.Host {
	t.Helper()
	h, err := weburl.ParseHost(name)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// mustGet is get for what has to succeed.
func mustGet(t testing.TB, c *fetch.Client, url string, resource fetch.Resource) *fetch.Response {
	t.Helper()
	resp, err := get(t, c, url, resource)
	if err != nil {
		t.Fatalf("get %s: %v", url, err)
	}
	return resp
}

// wantRefused checks that err is the one answer for forbidden targets.
func wantRefused(t testing.TB, what string, err error) {
	t.Helper()
	var e *apperr.Error
	if !errors.Is(err, fetch.ErrRefused) || !errors.As(err, &e) {
		t.Errorf("%s: got %v, want a refusal", what, err)
		return
	}
	if e.Code != apperr.BadRequest || e.Detail != fetch.RefusedDetail || errors.Is(err, fetch.ErrUpstream) {
		t.Errorf("%s: got %s %q, want %s and the one sentence", what, e.Code, e.Detail, apperr.BadRequest)
	}
}

// wantUpstream checks that err blames the other side, in a sentence with the given words, and says nothing of ours.
func wantUpstream(t testing.TB, err error, words string) {
	t.Helper()
	var e *apperr.Error
	if !errors.Is(err, fetch.ErrUpstream) || !errors.As(err, &e) || e.Code != apperr.UpstreamFailed {
		t.Fatalf("got %v, want an upstream fault", err)
	}
	if !strings.Contains(e.Detail, words) {
		t.Errorf("got %q, want a sentence with %q (%v)", e.Detail, words, err)
	}
	for _, internal := range []string{"dial", "tcp", "lookup", "goroutine", "net/http", "context", "EOF"} {
		if strings.Contains(e.Detail, internal) {
			t.Errorf("the sentence %q shows %q", e.Detail, internal)
		}
	}
}

// leaveOut skips the test with a reason, or fails it where nothing may be left out.
func leaveOut(t testing.TB, format string, args ...any) {
	t.Helper()
	if os.Getenv("MASTHEAD_TEST_REQUIRE") == "1" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}

func TestGet_page_arrivesWhole(t *testing.T) {
	addr := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<title>%s?%s</title>", r.URL.Path, r.URL.RawQuery)
	})
	c := client(t, fetch.Config{Resolver: resolver("page.example", "127.0.0.1")}, addr)
	_, port, _ := net.SplitHostPort(addr)

	resp := mustGet(t, c, "http://PAGE.example:"+port+"/a b/./c?q=1 2#top", fetch.Page)
	if got, want := string(resp.Body), "<title>/a b/c?q=1%202</title>"; got != want {
		t.Errorf("body: got %q, want %q", got, want)
	}
	if got, want := resp.URL.String(), "http://page.example:"+port+"/a%20b/c?q=1%202"; got != want {
		t.Errorf("url: got %q, want %q", got, want)
	}
	if resp.Status != 200 || resp.ContentType != "text/html; charset=utf-8" || resp.Size != int64(len(resp.Body)) ||
		resp.Truncated {
		t.Errorf("got status %d, type %q, size %d, truncated %t", resp.Status, resp.ContentType, resp.Size, resp.Truncated)
	}
	if err := resp.Err(); err != nil {
		t.Errorf("Err: got %v, want none", err)
	}
}

func TestGet_errorStatus_keepsBody(t *testing.T) {
	addr := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "90")
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, "gone fishing")
	})
	resp := mustGet(t, client(t, fetch.Config{}, addr), "http://"+addr+"/", fetch.Page)
	if resp.Status != 404 || string(resp.Body) != "gone fishing" {
		t.Errorf("got %d %q", resp.Status, resp.Body)
	}
	wantUpstream(t, resp.Err(), "127.0.0.1 answered with status 404 Not Found.")
	var e *apperr.Error
	if errors.As(resp.Err(), &e); e.RetryAfter.Seconds() != 90 {
		t.Errorf("RetryAfter: got %v, want 90 s", e.RetryAfter)
	}
}

func TestGet_request_carriesNothingOfOthers(t *testing.T) {
	var headers []http.Header
	addr := serve(t, func(w http.ResponseWriter, r *http.Request) {
		headers = append(headers, r.Header)
		http.SetCookie(w, &http.Cookie{Name: "session", Value: "secret"})
		if r.URL.Path == "/" {
			http.Redirect(w, r, "/next", http.StatusFound)
		}
	})
	c := client(t, fetch.Config{Version: "1.2", ContactURL: "https://masthead.example/bot"}, addr)
	job, cancel := c.NewJob(t.Context())
	defer cancel()
	job.Language = "de-CH,de;q=0.9"
	resp, err := job.Get(t.Context(), mustURL(t, "http://"+addr+"/"), fetch.Page)
	if err != nil {
		t.Fatal(err)
	}
	if len(headers) != 2 {
		t.Fatalf("got %d requests, want 2", len(headers))
	}
	if got := resp.Header.Get("Set-Cookie"); got != "" {
		t.Errorf("Set-Cookie is handed on: %q", got)
	}
	for _, h := range headers {
		const want = "Mozilla/5.0 (compatible; Masthead/1.2; +https://masthead.example/bot)"
		if got := h.Get("User-Agent"); got != want {
			t.Errorf("User-Agent: got %q, want %q", got, want)
		}
		if h.Get("Accept-Language") != "de-CH,de;q=0.9" || h.Get("Accept-Encoding") != "gzip" || h.Get("Accept") == "" ||
			len(h) != 4 {
			t.Errorf("got headers %v, want four of our own", h)
		}
	}

	job.Language = "en\r\nX-Evil: 1"
	if _, err := job.Get(t.Context(), mustURL(t, "http://"+addr+"/next"), fetch.Page); err != nil {
		t.Fatal(err)
	}
	if got := headers[2].Get("Accept-Language"); got != "en" {
		t.Errorf("Accept-Language: got %q, want en", got)
	}
}

func TestJob_budgetSpent_refusesMore(t *testing.T) {
	var served atomic.Int32
	addr := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if served.Add(1); r.URL.Path == "/from" {
			http.Redirect(w, r, "/to", http.StatusFound)
		}
	})
	c := client(t, fetch.Config{}, addr)
	tests := []struct {
		resource fetch.Resource
		most     int
	}{{fetch.Page, 12}, {fetch.Image, 2}, {fetch.AuditImage, 2}, {fetch.Icon, 7}, {fetch.SVG, 7}, {fetch.Robots, 12}}
	for _, test := range tests {
		job, cancel := c.NewJob(t.Context())
		defer cancel()
		for i := range test.most {
			if _, err := job.Get(t.Context(), mustURL(t, "http://"+addr+"/from"), test.resource); err != nil {
				t.Errorf("resource %d: request %d: %v", test.resource, i+1, err)
			}
		}
		before := served.Load()
		_, err := job.Get(t.Context(), mustURL(t, "http://"+addr+"/to"), test.resource)
		wantUpstream(t, err, "for one page")
		if served.Load() != before {
			t.Errorf("resource %d: a request beyond the budget was made", test.resource)
		}
	}
}

func TestJob_manyRequests_runFourAtOnce(t *testing.T) {
	var mu sync.Mutex
	running, most := 0, 0
	change := func(by int) (now int) {
		mu.Lock()
		defer mu.Unlock()
		running += by
		most = max(most, running)
		return running
	}
	four, release := make(chan struct{}), make(chan struct{})
	var once sync.Once
	addr := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/probe" {
			return
		}
		defer change(-1)
		if change(1) == 4 {
			once.Do(func() { close(four) })
		}
		<-release
	})
	c := client(t, fetch.Config{}, addr)
	job, cancel := c.NewJob(t.Context())
	defer cancel()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, err := job.Get(t.Context(), mustURL(t, "http://"+addr+"/"), fetch.Page); err != nil {
				t.Error(err)
			}
		})
	}
	<-four
	for range 10 { // time enough for a fifth, were it let through
		mustGet(t, c, "http://"+addr+"/probe", fetch.Page)
	}
	close(release)
	wg.Wait()
	if most != 4 {
		t.Errorf("got %d at once, want 4", most)
	}
}

func TestJob_deadline_endsItsRequests(t *testing.T) {
	addr := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			<-r.Context().Done()
		}
	})
	job, cancel := client(t, fetch.Config{Limits: fetch.Limits{JobTime: 200 * time.Millisecond}}, addr).NewJob(t.Context())
	defer cancel()
	if _, err := job.Get(t.Context(), mustURL(t, "http://"+addr+"/"), fetch.Page); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		_, err := job.Get(t.Context(), mustURL(t, "http://"+addr+"/slow"), fetch.Page)
		wantUpstream(t, err, "did not respond in time.")
	}
	ctx, cancelCall := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancelCall()
	_, err := job.Get(ctx, mustURL(t, "http://"+addr+"/slow"), fetch.Page)
	wantUpstream(t, err, "did not respond in time.")
}

func TestGet_cancelled_returnsTheCancellation(t *testing.T) {
	arrived := make(chan struct{}, 2)
	addr := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		<-r.Context().Done()
	})
	c := client(t, fetch.Config{}, addr)

	job, cancelJob := c.NewJob(t.Context())
	go func() { <-arrived; cancelJob() }()
	_, err := job.Get(t.Context(), mustURL(t, "http://"+addr+"/"), fetch.Page)
	if !errors.Is(err, context.Canceled) || errors.Is(err, fetch.ErrUpstream) {
		t.Errorf("job cancelled: got %v", err)
	}

	job, cancelJob = c.NewJob(t.Context())
	defer cancelJob()
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-arrived; cancel() }()
	_, err = job.Get(ctx, mustURL(t, "http://"+addr+"/"), fetch.Page)
	if !errors.Is(err, context.Canceled) || errors.Is(err, fetch.ErrUpstream) {
		t.Errorf("call cancelled: got %v", err)
	}
}

func TestGet_refusal_reachesTheAuditLog(t *testing.T) {
	victim := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("the victim was reached") })
	addr := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://user.internal/?token=secret", http.StatusFound)
	})
	var hosts []string
	c, err := fetch.New(fetch.Config{
		Resolver: resolver("evil.example", "10.0.0.1", "user.internal", "10.0.0.1"), Allow: []string{addr},
	}, func(_ context.Context, host string) { hosts = append(hosts, host) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	for _, url := range []string{
		"http://" + victim + "/?token=secret", "http://evil.example/?token=secret", "http://0x7f000001:80?token=secret",
		"http://" + addr,
	} {
		_, err := get(t, c, url, fetch.Page)
		wantRefused(t, url, err)
	}
	if got, want := strings.Join(hosts, " "), "127.0.0.1 evil.example 0x7f000001 user.internal"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func BenchmarkGet(b *testing.B) {
	page := strings.Repeat("<p>a page of 32 KB</p>\n", 32<<10/23)
	addr := serve(b, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, page)
	})
	c := client(b, fetch.Config{}, addr)
	b.ReportAllocs()
	b.SetBytes(int64(len(page)))
	for b.Loop() {
		mustGet(b, c, "http://"+addr+"/", fetch.Page)
	}
}
