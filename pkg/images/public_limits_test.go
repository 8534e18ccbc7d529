package images_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
)

// Rule: 60 uncached renders a minute per IP, over it 429 with Retry-After.
func TestOG_addressThatAsksForTooManyNewPictures(t *testing.T) {
	t.Parallel()
	s := onDomain(apptest.StartSignedIn(t, func(c *app.Config) { c.Server.BreakerMisses = 2 }))
	for i := range 2 {
		s.og(s.Site.At("/page/one"), fmt.Sprint("v=", i)).Want(http.StatusOK)
	}
	s.og(s.Site.At("/page/one"), "v=0").Want(http.StatusOK) // is kept
	crawler := apptest.Header("User-Agent", "Twitterbot/1.0")
	got := s.Get("/og/"+s.publicID+"?v=3&url="+s.Site.At("/page/one"), crawler).
		WantProblem(http.StatusTooManyRequests, "RATE_LIMITED")
	if got.Header.Get("Retry-After") == "" {
		t.Error("got no Retry-After")
	}
}

// Rule: a project draws at most 10 times its plan's limit of misses a minute over all addresses; over it, the fallback
// card.
func TestOG_projectThatAsksForTooManyNewPictures(t *testing.T) {
	t.Parallel()
	s := onDomain(apptest.StartSignedIn(t, func(c *app.Config) { c.Billing.FreeRPM = 5 }))
	crawler := apptest.Header("User-Agent", "Slackbot 1.0")
	ask := func(v int) *apptest.Response {
		return s.Get(fmt.Sprintf("/og/%s?v=%d&url=%s", s.publicID, v, s.Site.At("/page/one")), crawler).Want(http.StatusOK)
	}
	for i := range 50 {
		if got := ask(i).Header.Get("X-Masthead-Fallback"); got != "" {
			t.Fatalf("picture %d: got X-Masthead-Fallback %q, want none", i+1, got)
		}
	}
	over := ask(50)
	if over.Header.Get("X-Masthead-Fallback") != "busy" || over.Header.Get("Cache-Control") != forMinutes {
		t.Errorf("got %v, want the fallback card for minutes", over.Header)
	}
	if got := ask(7).Header.Get("X-Masthead-Fallback"); got != "" {
		t.Errorf("a kept picture: got X-Masthead-Fallback %q, want none", got)
	}
	if got := s.Site.Pages.Load(); got != 50 {
		t.Errorf("the page was read %d times, want 50", got)
	}
}

// Rule: what a stranger sends is counted by their address and the project, and takes nothing from the owner's own
// window.
func TestOG_strangersSpendNothingOfTheOwners(t *testing.T) {
	t.Parallel()
	s := onDomain(apptest.StartSignedIn(t, func(c *app.Config) { c.Billing.FreeRPM = 10 }))
	s.og(s.Site.At("/page/one")).Want(http.StatusOK)
	for range 9 {
		s.og(s.Site.At("/page/one")).Want(http.StatusOK)
	}
	s.og(s.Site.At("/page/one")).WantProblem(http.StatusTooManyRequests, "RATE_LIMITED")
	s.Generate("/page/one", nil).Want(http.StatusOK)
}

// Crawlers that come to a cold page together cost one drawing, so they count as one.
func TestOG_whoJoinsADrawingMissesNothing(t *testing.T) {
	t.Parallel()
	s := onDomain(apptest.StartSignedIn(t, func(c *app.Config) { c.Server.BreakerMisses = 1 }))
	hold := make(chan struct{})
	s.Site.Hold.Store(&hold)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() { s.og(s.Site.At("/page/one")).Want(http.StatusOK) })
	}
	apptest.WaitFor(t, "the page", func() bool { return s.Site.Pages.Load() > 0 })
	close(hold)
	wg.Wait()
	if got := s.Site.Pages.Load(); got != 1 {
		t.Errorf("the page was read %d times, want once", got)
	}
	s.og(s.Site.At("/page/two")).WantProblem(http.StatusTooManyRequests, "RATE_LIMITED")
}
