package images_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"masthead/pkg/app/apptest"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
)

// TestGenerate_64AtOnceAreDrawnOnce holds the page back until all requests are under way: they fetch it once, draw
// once, and get one record.
func TestGenerate_64AtOnceAreDrawnOnce(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		hold := make(chan struct{})
		h.Site.Hold.Store(&hold)
		answers := make([]*apptest.Response, 64)
		var sent atomic.Int64
		var wg sync.WaitGroup
		for i := range answers {
			wg.Go(func() { answers[i] = h.Generate("/page/crowd", nil, counted(&sent)) })
		}
		apptest.WaitFor(t, "all requests to be sent", func() bool {
			return sent.Load() == int64(len(answers)) && h.Site.Pages.Load() > 0
		})
		// The others need a moment to arrive; those that are later than the drawing would get the kept image, which is
		// checked too.
		time.Sleep(300 * time.Millisecond)
		close(hold)
		wg.Wait()
		for _, a := range answers {
			if a.Want(http.StatusOK); a.Text("id") != answers[0].Text("id") || a.Value("cached") != false ||
				a.Value("generationMs") == nil {
				t.Errorf("got %s, want the record of all, drawn now", a.Body)
			}
		}
		if n := h.Site.Pages.Load(); n != 1 {
			t.Errorf("the page was fetched %d times, want once", n)
		}
	})
}

// TestGenerate_twoNodesDrawOnce lets two nodes on one database get the same request at once.
func TestGenerate_twoNodesDrawOnce(t *testing.T) {
	dbtest.RunPostgres(t, func(t *testing.T, url string) {
		one := apptest.StartSignedIn(t, apptest.OnDatabase(db.Config{URL: url}))
		two := one.StartNode()
		drawOnce(t, one, two, nil)
		// The image is kept now; who wants it anew shares too.
		drawOnce(t, one, two, map[string]any{"force": true})
	})
}

// drawOnce sends identical requests to two nodes at once: the page is fetched once, and all get the same new picture.
func drawOnce(t *testing.T, one, two *apptest.Service, more map[string]any) {
	t.Helper()
	before := one.Site.Pages.Load()
	hold := make(chan struct{})
	one.Site.Hold.Store(&hold)
	responses := make([]*apptest.Response, 16)
	var wg sync.WaitGroup
	for i := range responses {
		node := []*apptest.Service{one, two}[i%2]
		wg.Go(func() { responses[i] = node.Generate("/page/nodes", more) })
	}
	apptest.WaitFor(t, "the page to be asked for", func() bool { return one.Site.Pages.Load() > before })
	time.Sleep(300 * time.Millisecond)
	close(hold)
	wg.Wait()
	for _, r := range responses {
		if r.Want(http.StatusOK); r.Text("id") != responses[0].Text("id") || r.Value("cached") != false {
			t.Errorf("got %s, want one record for both nodes", r.Body)
		}
	}
	if n := one.Site.Pages.Load() - before; n != 1 {
		t.Errorf("the page was fetched %d times, want once", n)
	}
}

// TestClose_leasesAreReturned closes the service under a drawing whose caller has left: another node must not wait for
// it.
func TestClose_leasesAreReturned(t *testing.T) {
	t.Parallel()
	dbtest.RunPostgres(t, func(t *testing.T, url string) {
		closingReturnsLeases(t, apptest.StartSignedIn(t, apptest.OnDatabase(db.Config{URL: url})))
	})
}

func closingReturnsLeases(t *testing.T, h *apptest.Service) {
	t.Helper()
	hold := make(chan struct{})
	h.Site.Hold.Store(&hold)
	t.Cleanup(func() { close(hold) })
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan struct{})
	go func() {
		defer close(left)
		body := strings.NewReader(fmt.Sprintf(`{"url": %q, "projectId": %q}`, h.Site.At("/page/held"), h.Project))
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, h.Base+"/images/generate", body)
		if err != nil {
			t.Error(err)
			return
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+h.Key)
		if answer, err := http.DefaultClient.Do(r); err == nil {
			t.Errorf("got %s of a page that is held back", answer.Status)
			_ = answer.Body.Close() // nothing is read of it
		}
	}()
	apptest.WaitFor(t, "the fetch", func() bool { return h.Site.Pages.Load() == 1 })
	leave()
	<-left
	h.App.Images.Close(t.Context())
	var leases int
	if err := h.App.DB.Get(t.Context(), &leases, `SELECT count(*) FROM leases`); err != nil || leases != 0 {
		t.Errorf("got %d leases, %v, want none", leases, err)
	}
	h.Generate("/page/other", nil).WantProblem(http.StatusServiceUnavailable, "UNAVAILABLE")
}

// counted counts a request once it was written whole.
func counted(sent *atomic.Int64) apptest.RequestOption {
	return func(r *http.Request) {
		trace := &httptrace.ClientTrace{WroteRequest: func(httptrace.WroteRequestInfo) { sent.Add(1) }}
		*r = *r.WithContext(httptrace.WithClientTrace(r.Context(), trace))
	}
}
