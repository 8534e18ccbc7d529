package images_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"masthead/pkg/app/apptest"
	"masthead/pkg/testenv"
)

// crowded sends the same request 1 000 times at once, and lets the page answer when all of them are under way; the
// limits of the service are out of the way.
func crowded(
	t *testing.T, s *apptest.Service, send func(apptest.RequestOption) *apptest.Response,
) []*apptest.Response {
	t.Helper()
	crowd := testenv.Crowd(1000)
	hold := make(chan struct{})
	s.Site.Hold.Store(&hold)
	answers := make([]*apptest.Response, crowd)
	var sent atomic.Int64
	var asking sync.WaitGroup
	for i := range answers {
		asking.Go(func() { answers[i] = send(counted(&sent)) })
	}
	apptest.WaitFor(t, "all requests to be sent", func() bool {
		return sent.Load() == int64(crowd) && s.Site.Pages.Load() > 0
	})
	time.Sleep(300 * time.Millisecond) // those that arrive later find the picture, which is checked too
	close(hold)
	asking.Wait()
	return answers
}

// wantOneMade fails the test when the page was read, or a picture drawn, more often than once.
func wantOneMade(t *testing.T, s *apptest.Service) {
	t.Helper()
	if n := s.Site.Pages.Load(); n != 1 {
		t.Errorf("the page was read %d times, want once", n)
	}
	if err := s.App.Usage.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	usage := s.Get("/usage", apptest.Bearer(s.Session.Access)).Want(http.StatusOK)
	if drawn := usage.Value("total.drawn"); drawn != 1.0 {
		t.Errorf("%v pictures were drawn, want one", drawn)
	}
}

// 1 000 concurrent identical cold requests: one fetch of the page, one render, 1 000 equal answers.
func TestGenerate_1000AtOnceAreOneRender(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Service) {
		answers := crowded(t, s, func(o apptest.RequestOption) *apptest.Response { return s.Generate("/page/crowd", nil, o) })
		first := answers[0].Want(http.StatusOK)
		for _, a := range answers {
			a.Want(http.StatusOK)
			late := a.Value("cached") == true // on a busy machine some arrive when the picture is there
			if a.Text("id") != first.Text("id") || a.Text("imageUrl") != first.Text("imageUrl") ||
				late != (a.Value("generationMs") == nil) {
				t.Fatalf("got %s, want the record of all, drawn now", a.Body)
			}
		}
		wantOneMade(t, s)
	})
}

func TestOG_1000AtOnceAreOneRender(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, plain *apptest.Service) {
		s := onDomain(plain)
		answers := crowded(t, plain, func(o apptest.RequestOption) *apptest.Response {
			return s.Get(fmt.Sprintf("/og/%s?url=%s", s.publicID, s.Site.At("/page/crowd")), o)
		})
		first := answers[0].Want(http.StatusOK)
		for _, a := range answers {
			if a.Want(http.StatusOK); !bytes.Equal(a.Body, first.Body) || a.Header.Get("X-Masthead-Fallback") != "" ||
				!strings.Contains(a.Header.Get("Cache-Control"), "immutable") {
				t.Fatalf("got another picture, with %v", a.Header)
			}
		}
		wantOneMade(t, plain)
	})
}
