package fetch_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"masthead/pkg/fetch"
)

// counting serves files of these lengths by path, and counts the requests for each.
func counting(t *testing.T, sizes map[string]int) (base string, requests func(path string) int) {
	t.Helper()
	var mu sync.Mutex
	seen := map[string]int{}
	addr := serve(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		seen[r.URL.Path]++
		n := seen[r.URL.Path]
		mu.Unlock()
		size, ok := sizes[r.URL.Path]
		switch {
		case !ok:
			http.NotFound(w, r)
		case size < 0 && n == 1:
			w.WriteHeader(http.StatusTooManyRequests)
		default:
			w.Header().Set("Content-Length", strconv.Itoa(max(size, 1)))
			_, _ = w.Write(bytes.Repeat([]byte("x"), max(size, 1)))
		}
	})
	return "http://" + addr, func(path string) int {
		mu.Lock()
		defer mu.Unlock()
		return seen[path]
	}
}

func TestKept_eachIsRequestedOnce(t *testing.T) {
	base, requests := counting(t, map[string]int{
		"/icon.png": 5000, "/robots.txt": 10, "/": 10, "/share.png": 400_000, "/busy.png": -1, "/large.png": 2_000_000,
	})
	c := client(t, fetch.Config{AllowHosts: []string{strings.TrimPrefix(base, "http://")}, Kept: fetch.NewKept()})
	for _, test := range []struct {
		path      string
		resources []fetch.Resource
		want      int
	}{
		{"/icon.png", []fetch.Resource{fetch.Icon, fetch.Icon, fetch.Image, fetch.AuditImage, fetch.SVG}, 1},
		{"/robots.txt", []fetch.Resource{fetch.Robots, fetch.Robots}, 1},
		{"/none.png", []fetch.Resource{fetch.Icon, fetch.Icon}, 1},
		{"/", []fetch.Resource{fetch.Page, fetch.Page}, 2},
		// Only the beginning of a picture is kept when it is measured; to be decoded it is read once more.
		{"/share.png", []fetch.Resource{fetch.AuditImage, fetch.AuditImage, fetch.Image, fetch.Image, fetch.AuditImage}, 2},
		{"/busy.png", []fetch.Resource{fetch.Icon, fetch.Icon, fetch.Icon}, 2},
		// It is too large for an icon, which no second request changes, and not for an image.
		{"/large.png", []fetch.Resource{fetch.Icon, fetch.Icon, fetch.Image, fetch.Image}, 2},
	} {
		for i, resource := range test.resources {
			got, err := get(t, c, base+test.path, resource)
			switch {
			case test.path == "/large.png" && resource == fetch.Icon:
				wantUpstream(t, err, "is larger than")
			case err != nil:
				t.Errorf("%s, request %d: %v", test.path, i, err)
			case test.path == "/share.png" && got.Size != 400_000,
				resource == fetch.AuditImage && len(got.Body) > 256<<10:
				t.Errorf("%s, request %d: got %d bytes of %d", test.path, i, len(got.Body), got.Size)
			}
		}
		if got := requests(test.path); got != test.want {
			t.Errorf("%s: got %d requests, want %d", test.path, got, test.want)
		}
	}
}

func TestKept_manyAtOnce_shareOneRequest(t *testing.T) {
	var requests atomic.Int32
	asked, answer := make(chan struct{}, 1), make(chan struct{})
	addr := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		asked <- struct{}{}
		<-answer
		_, _ = w.Write([]byte("robots"))
	})
	c := client(t, fetch.Config{AllowHosts: []string{addr}, Kept: fetch.NewKept()})
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if got, err := get(t, c, "http://"+addr+"/robots.txt", fetch.Robots); err != nil || string(got.Body) != "robots" {
				t.Errorf("got %v, %v", got, err)
			}
		})
	}
	<-asked
	close(answer)
	all.Wait()
	if got := requests.Load(); got != 1 {
		t.Errorf("got %d requests, want 1", got)
	}
}

// TestKept_firstIsCancelled_othersFetch ends the job that is fetching while another waits for what it fetches.
func TestKept_firstIsCancelled_othersFetch(t *testing.T) {
	var requests atomic.Int32
	asked := make(chan struct{}, 2)
	addr := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		if requests.Add(1) == 1 {
			<-r.Context().Done()
			return
		}
		_, _ = w.Write([]byte("icon"))
	})
	c := client(t, fetch.Config{AllowHosts: []string{addr}, Kept: fetch.NewKept()})
	u := mustURL(t, "http://"+addr+"/icon.png")
	ctx, cancel := context.WithCancel(t.Context())
	job, done := c.NewJob(ctx)
	defer done()
	var all sync.WaitGroup
	all.Go(func() {
		if _, err := job.Get(ctx, u, fetch.Icon); err == nil {
			t.Error("a cancelled job got an icon")
		}
	})
	<-asked
	all.Go(func() {
		if got, err := get(t, c, u.String(), fetch.Icon); err != nil || string(got.Body) != "icon" {
			t.Errorf("got %v, %v, want the icon", got, err)
		}
	})
	cancel()
	all.Wait()
}

// TestKept_otherClient_judgesForItself shares what is kept between clients that may reach different hosts.
func TestKept_otherClient_judgesForItself(t *testing.T) {
	base, requests := counting(t, map[string]int{"/icon.png": 10})
	addr, kept := strings.TrimPrefix(base, "http://"), fetch.NewKept()
	may := client(t, fetch.Config{AllowHosts: []string{addr}, Kept: kept})
	also := client(t, fetch.Config{AllowHosts: []string{addr}, Kept: kept})
	mayNot := client(t, fetch.Config{Kept: kept})
	_, err := get(t, mayNot, base+"/icon.png", fetch.Icon)
	wantRefused(t, "first", err)
	mustGet(t, may, base+"/icon.png", fetch.Icon)
	mustGet(t, also, base+"/icon.png", fetch.Icon)
	_, err = get(t, mayNot, base+"/icon.png", fetch.Icon)
	wantRefused(t, "a kept response", err)
	if got := requests("/icon.png"); got != 1 {
		t.Errorf("got %d requests, want 1", got)
	}
}

// TestKept_isBounded fetches more than is kept.
func TestKept_isBounded(t *testing.T) {
	sizes := map[string]int{}
	for i := range 20 {
		sizes[fmt.Sprintf("/%d.png", i)] = 4_000_000
	}
	base, requests := counting(t, sizes)
	kept := fetch.NewKept()
	c := client(t, fetch.Config{AllowHosts: []string{strings.TrimPrefix(base, "http://")}, Kept: kept})
	for i := range 20 {
		mustGet(t, c, fmt.Sprintf("%s/%d.png", base, i), fetch.Image)
	}
	if got := kept.Bytes(); got > 64<<20 || got < 60<<20 {
		t.Errorf("got %d bytes, want most of 64 MiB and no more", got)
	}
	mustGet(t, c, base+"/19.png", fetch.Image)
	mustGet(t, c, base+"/0.png", fetch.Image)
	if first, last := requests("/0.png"), requests("/19.png"); first != 2 || last != 1 {
		t.Errorf("got %d requests for the oldest and %d for the newest, want 2 and 1", first, last)
	}
	for i := range 11_000 {
		_, _ = kept.Hold(mustURL(t, fmt.Sprintf("https://site.example/%d", i)))
	}
	if got := kept.Len(); got != 10_000 {
		t.Errorf("got %d entries, want 10000", got)
	}
	if got := kept.Bytes(); got > 64<<20 || got < 0 {
		t.Errorf("got %d bytes of what is kept", got)
	}
}
