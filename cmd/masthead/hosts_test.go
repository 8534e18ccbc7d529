package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"masthead/cmd/masthead/targets"
	"masthead/pkg/fetch"
	"masthead/pkg/testenv"
	"masthead/pkg/weburl"
)

// readTyped reads a page as if its scheme had not been typed and https came first, and returns where it was read, and
// what was told.
func readTyped(t *testing.T, address string, times int) (readAt weburl.URL, told []string, err error) {
	t.Helper()
	page, err := weburl.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	clients := &targets.Clients{Typed: map[weburl.URL]bool{page: true}}
	clients.Tell = func(format string, args ...any) { told = append(told, fmt.Sprintf(format, args...)) }
	defer clients.Close()
	for range times {
		readAt, err = clients.Read(page, func(client *fetch.Client, page weburl.URL) error {
			job, done := client.NewJob(t.Context())
			defer done()
			response, err := job.Get(t.Context(), page, fetch.Page)
			if err != nil {
				return err
			}
			return response.Err()
		})
	}
	return readAt, told, err
}

func TestRead_schemeThatWasNotTyped_isFound(t *testing.T) {
	var requests atomic.Int32
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		if r.URL.Path == "/gone" {
			w.WriteHeader(http.StatusGone)
		}
	}))
	defer site.Close()
	host := strings.TrimPrefix(site.URL, "http://")
	got, told, err := readTyped(t, "https://"+host+"/a?b", 3)
	if err != nil || got.String() != site.URL+"/a?b" || requests.Load() != 3 {
		t.Errorf("got %s, %v and %d requests, want the page over http", got, err, requests.Load())
	}
	const reason = "Read over http, because nothing responds over https: " +
		"The secure connection"
	if len(told) != 1 || !strings.HasPrefix(told[0], reason) {
		t.Errorf("got told %q, want once over which scheme it is read", told)
	}
	// Who answers is not asked over the other scheme, whatever the answer is.
	if got, told, err = readTyped(t, site.URL+"/gone", 1); err == nil || got.Scheme() != "http" || len(told) > 0 ||
		!strings.Contains(err.Error(), "410") || strings.Contains(err.Error(), "over https") {
		t.Errorf("got %s, %v, told %q, want status 410 over http", got, err, told)
	}
	// 127.0.0.1:1 has no server.
	_, _, err = readTyped(t, "https://127.0.0.1:1/", 1)
	if err == nil || !strings.Contains(err.Error(), "over https: 127.0.0.1 could not be reached. "+
		"Over http: 127.0.0.1 could not be reached.") {
		t.Errorf("got %v, want what failed over each", err)
	}
}

// TestCommands_schemeIsNotTyped wants every command to name what failed over both schemes, and only the typed one if
// there is one.
func TestCommands_schemeIsNotTyped(t *testing.T) {
	testenv.ManyStarts(t)
	dir := t.TempDir()
	for _, command := range []string{"audit", "card", "icons", "preview", "analyze"} {
		masthead(t, dir, "", nil, command, "127.0.0.1:1").want(t, exitFailed, "over http: 127.0.0.1", "Over https: 127.0.0.1")
		got := masthead(t, dir, "", nil, command, "http://127.0.0.1:1")
		got.want(t, exitFailed, "127.0.0.1 could not be reached")
		if strings.Contains(got.report, "ver https") {
			t.Errorf("%s: got %q for a typed scheme", command, got.report)
		}
	}
	masthead(t, dir, "", nil, "audit", "--sitemap", "127.0.0.1:1/s.xml").
		want(t, exitFailed, "over http: 127.0.0.1", "Over https: 127.0.0.1")
}

// TestAudit_pagesThatFail_areListed has pages that cannot be read among others.
func TestAudit_pagesThatFail_areListed(t *testing.T) {
	site := newAuditedSite(t)
	auditPages(t, site.URL+"/private", site.URL+"/tagged", site.URL+"/private?2", "--json").want(t, exitFailed,
		"2 of 3 pages could not be read:\n  "+site.URL+"/private  ", "\n  "+site.URL+"/private?2  ", `"overallScore":`)
}

// TestRun_whatPagesShare_isRequestedOnce audits and draws pages with one icon and one picture.
func TestRun_whatPagesShare_isRequestedOnce(t *testing.T) {
	var mu sync.Mutex
	requests := map[string]int{}
	var icon bytes.Buffer
	writePNG(t, &icon, 200, 105)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		requests[r.URL.Path]++
		mu.Unlock()
		switch r.URL.Path {
		case "/robots.txt":
			http.NotFound(w, r)
		case "/icon.png", "/share.png":
			_, _ = w.Write(icon.Bytes())
		default:
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, `<title>Page %s</title><link rel="icon" href="/icon.png"><meta property="og:image" content="%s">`,
				r.URL.Path, "http://"+r.Host+"/share.png")
		}
	}))
	defer site.Close()
	var list strings.Builder
	for i := range 12 {
		fmt.Fprintf(&list, "%s/%d\n", site.URL, i)
	}
	for command, want := range map[string]map[string]int{
		"audit": {"/0": 1, "/11": 1, "/icon.png": 1, "/share.png": 1, "/robots.txt": 1},
		"card":  {"/0": 1, "/11": 1, "/icon.png": 1},
	} {
		masthead(t, t.TempDir(), list.String(), nil, command, "-").want(t, exitDone)
		mu.Lock()
		for path, n := range want {
			if requests[path] != n {
				t.Errorf("%s: got %d requests for %s, want %d", command, requests[path], path, n)
			}
		}
		clear(requests)
		mu.Unlock()
	}
}

func TestProgress_isShownOnceWorkTakesLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := targets.NewProgress(&out)
		p.Live = true
		p.Say("one")
		time.Sleep(targets.QuietTime - time.Millisecond)
		p.Say("two")
		if p.Mu.Lock(); out.Len() > 0 {
			t.Errorf("got %q before %v", out.String(), targets.QuietTime)
		}
		p.Mu.Unlock()
		time.Sleep(2 * time.Millisecond)
		synctest.Wait()
		p.Tell("a line that stays")
		p.Say(strings.Repeat("x", 100))
		p.Say("")
		p.Say("")
		want := "\r\x1b[Ktwo" + "\r\x1b[K" + "a line that stays\n" +
			"\r\x1b[K" + strings.Repeat("x", targets.LineColumns-1) + "…" + "\r\x1b[K"
		if out.String() != want {
			t.Errorf("got %q, want %q", out.String(), want)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := targets.NewProgress(&out)
		p.Live = true
		p.Say("one")
		p.Say("")
		time.Sleep(2 * targets.QuietTime)
		synctest.Wait()
		if p.Mu.Lock(); out.Len() > 0 {
			t.Errorf("got %q for work that was short", out.String())
		}
		p.Mu.Unlock()
	})
}
