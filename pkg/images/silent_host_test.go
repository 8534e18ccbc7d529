package images_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/testenv"
)

// onLoopback is a resolver by which every name is this machine, at an address that is not exempt as loopback ones are.
type onLoopback struct{}

func (onLoopback) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.IPv4Unspecified()}, nil
}

// silentHost accepts connections and never answers.
type silentHost struct {
	url  string // without a path
	most int    // how many may ask it at once

	now, all atomic.Int64 // requests under way, and in all
}

func (h *silentHost) serve(c net.Conn) {
	defer c.Close()
	h.all.Add(1)
	h.now.Add(1)
	defer h.now.Add(-1)
	silence(c)
}

// silentFor is how long the silent hosts are waited for: above what a page takes on a busy machine.
const silentFor = 4 * time.Second

// withSilentHost starts a service that may fetch from a host that never answers: one that is exempt from the limits of
// hosts, or one that is not.
func withSilentHost(t *testing.T, exempt bool) (*apptest.Service, *silentHost) {
	t.Helper()
	host := &silentHost{most: 4}
	addr := listenRaw(t, host.serve)
	host.url = "http://silent.example" + addr[strings.LastIndexByte(addr, ':'):]
	return apptest.StartSignedIn(t, func(c *app.Config) {
		c.Fetch.Limits.HeaderTime = silentFor
		if exempt {
			host.most, host.url = 16, "http://"+addr
			c.Fetch.Allow = append(c.Fetch.Allow, apptest.Allowed(addr))
			return
		}
		c.Fetch.Resolver = onLoopback{}
		c.Fetch.AllowHosts = []string{strings.TrimPrefix(host.url, "http://")} // which frees of no limit
	}), host
}

// TestGenerate_silentHost_starvesNobody asks for 100 pages of a host that never answers, and for 60 good ones with the
// same key.
func TestGenerate_silentHost_starvesNobody(t *testing.T) {
	testenv.FullSpeed(t)
	for name, exempt := range map[string]bool{"exempt": true, "not exempt": false} {
		t.Run(name, func(t *testing.T) {
			s, host := withSilentHost(t, exempt)
			var work sync.WaitGroup
			for i := range 100 {
				work.Go(func() {
					body := map[string]any{"url": fmt.Sprintf("%s/%d", host.url, i), "projectId": s.Project}
					s.Post("/images/generate", body, apptest.Bearer(s.Key)).WantProblem(http.StatusBadGateway, "UPSTREAM_FAILED")
				})
			}
			apptest.WaitFor(t, "the host to be asked", func() bool { return host.now.Load() > 0 })
			took := make([]time.Duration, 60)
			const clients = 3
			for from := range clients { // each asks for a page when it has the one before, however slow the machine is
				work.Go(func() {
					for i := from; i < len(took); i += clients {
						began := time.Now()
						s.Generate(fmt.Sprintf("/page/%d", i), nil).Want(http.StatusOK)
						took[i] = time.Since(began)
					}
				})
			}
			work.Wait()
			slices.Sort(took)
			t.Logf("median %v, most %v; the silent host was asked %d times", took[len(took)/2], took[len(took)-1],
				host.all.Load())
			if took[len(took)/2] > silentFor/2 || took[len(took)-1] > 2*silentFor {
				t.Errorf("good pages took %v and up to %v: they waited for the silent host", took[len(took)/2], took[len(took)-1])
			}
			// Those who go in the place of the first two that end go before the third ends.
			if got := host.all.Load(); got > int64(host.most+2) {
				t.Errorf("the silent host was asked %d times, want at most %d", got, host.most+2)
			}
		})
	}
}

// TestGenerate_silentHost_isClosedToItsOwnerAlone has an owner find out that a host is silent: the owner's next request
// is not sent any more, another owner's is.
func TestGenerate_silentHost_isClosedToItsOwnerAlone(t *testing.T) {
	s, host := withSilentHost(t, true)
	ask := func(page int, project, key string) *apptest.Response {
		body := map[string]any{"url": fmt.Sprintf("%s/%d", host.url, page), "projectId": project}
		return s.Post("/images/generate", body, apptest.Bearer(key)).WantProblem(http.StatusBadGateway, "UPSTREAM_FAILED")
	}
	var work sync.WaitGroup
	for i := range 3 {
		work.Go(func() { ask(i, s.Project, s.Key) })
	}
	work.Wait()
	if got := host.all.Load(); got != 3 {
		t.Fatalf("the host was asked %d times, want 3", got)
	}
	if got := ask(3, s.Project, s.Key).Text("detail"); !strings.Contains(got, "did not respond to the last requests") {
		t.Errorf("got %q, want that it is not asked just now", got)
	}
	if got := host.all.Load(); got != 3 {
		t.Errorf("the host was asked %d times, want no more than 3", got)
	}
	other := s.Register()
	project := s.NewProject(other)
	ask(4, project, s.NewKey(other, project))
	if got := host.all.Load(); got != 4 {
		t.Errorf("the host was asked %d times, want once more for another owner", got)
	}
}
