package images_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"masthead/pkg/ai/fakeai"
	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
)

// pathOf is the address of the picture of a page, with further parameters such as "v=2".
func (s *ogService) pathOf(page string, more ...string) string {
	return "/og/" + s.publicID + "?" + strings.Join(append([]string{"url=" + url.QueryEscape(page)}, more...), "&")
}

// known asks for addresses until the index knows them.
func (s *ogService) known(paths ...string) {
	for _, path := range paths {
		for range 3 {
			s.Get(path).Want(http.StatusOK)
		}
	}
}

// TestServing_pageAtHandIsAnsweredLikeTheRest compares responses of the index with those of the ordinary way, which an
// address in an unusual spelling takes.
func TestServing_pageAtHandIsAnsweredLikeTheRest(t *testing.T) {
	t.Parallel()
	apptest.OnBoth(t, func(t *testing.T, plain *apptest.Service) {
		s := onDomain(plain)
		usual := s.pathOf(s.Site.At("/page/one"))
		unusual := fmt.Sprintf("/og/%%%X%s", s.publicID[0], strings.TrimPrefix(usual, "/og/"+s.publicID[:1]))
		s.known(usual)
		for _, prefix := range []string{"", "/api"} {
			ordinary := s.Get(prefix + unusual).Want(http.StatusOK)
			tag := ordinary.Header.Get("ETag")
			got := s.Get(prefix + usual).Want(http.StatusOK)
			sameHeaders(t, prefix, ofPicture(got), ofPicture(ordinary))
			if !bytes.Equal(got.Body, ordinary.Body) || len(got.Body) == 0 {
				t.Errorf("got %d other bytes, want %d", len(got.Body), len(ordinary.Body))
			}
			with := apptest.Header("If-None-Match", tag)
			sameHeaders(t, "304", ofPicture(s.Get(prefix+usual, with).Want(http.StatusNotModified)),
				ofPicture(s.Get(prefix+unusual, with).Want(http.StatusNotModified)))
			sameHeaders(t, "HEAD", ofPicture(s.Send(http.MethodHead, prefix+usual, nil).Want(http.StatusOK)),
				ofPicture(s.Send(http.MethodHead, prefix+unusual, nil).Want(http.StatusOK)))
		}
		s.Get(usual+"&dark=maybe").WantProblem(http.StatusBadRequest, "BAD_REQUEST")
		s.Get(usual+"&v=1&v=2").WantProblem(http.StatusBadRequest, "BAD_REQUEST")
		long := strings.Repeat("x=y&", 500) + usual[strings.Index(usual, "url="):]
		s.Get("/og/" + s.publicID + "?" + long).Want(http.StatusOK)
		if got := s.Site.Pages.Load(); got != 1 {
			t.Errorf("the page was read %d times, want once", got)
		}
	})
}

// TestServing_pagesAtHandAreCounted fills the window of a plan with what the index answers.
func TestServing_pagesAtHandAreCounted(t *testing.T) {
	t.Parallel()
	s := onDomain(apptest.StartSignedIn(t, func(c *app.Config) { c.Billing.FreeRPM = 8 }))
	path := s.pathOf(s.Site.At("/page/one"))
	for i := range 8 {
		got := s.Get(path).Want(http.StatusOK).Header
		if got.Get("X-RateLimit-Limit") != "8" || got.Get("X-RateLimit-Remaining") != fmt.Sprint(7-i) {
			t.Errorf("request %d: got %v, want 8 and %d left", i+1, got, 7-i)
		}
	}
	s.Get(path).WantProblem(http.StatusTooManyRequests, "RATE_LIMITED")
	// The same address in another spelling is in the same window.
	s.Get(fmt.Sprintf("/og/%%%X%s", s.publicID[0], strings.TrimPrefix(path, "/og/"+s.publicID[:1]))).
		WantProblem(http.StatusTooManyRequests, "RATE_LIMITED")
	s.Get(path, apptest.Header("User-Agent", "Twitterbot/1.0")).Want(http.StatusOK)
}

// TestServing_changesOfAProjectShowAtOnceHere changes what the addresses of a project may show, on the node that shows
// it.
func TestServing_changesOfAProjectShowAtOnceHere(t *testing.T) {
	t.Parallel()
	dbtest.RunConfig(t, func(t *testing.T, cfg db.Config) {
		t.Parallel()
		var title atomic.Pointer[string]
		page := changingPage(t, &title)
		s := onDomain(apptest.StartSignedIn(t, apptest.OnDatabase(cfg), func(c *app.Config) {
			c.Fetch.Allow = append(c.Fetch.Allow, apptest.Allowed(page.Listener.Addr().String()))
		}))
		session := apptest.Bearer(s.Session.Access)
		path := s.pathOf(page.URL)
		draw := func(as string) *apptest.Response {
			title.Store(&as)
			return s.Post("/images/generate", map[string]any{"url": page.URL, "projectId": s.Project, "force": true},
				apptest.Bearer(s.Key)).Want(http.StatusOK)
		}
		for _, as := range []string{"First", "Second", "Third"} {
			want := `"` + strings.Split(draw(as).Text("imageUrl"), "/cdn/")[1][:32] + `"`
			for range 3 {
				if got := s.Get(path).Want(http.StatusOK).Header.Get("ETag"); got != want {
					t.Errorf("%s: got ETag %s, want %s", as, got, want)
				}
			}
		}
		domains := func(list ...string) {
			s.Send(http.MethodPatch, "/projects/"+s.Project, map[string]any{"domains": list}, session).Want(http.StatusOK)
		}
		domains("example.com")
		s.Get(path).WantProblem(http.StatusForbidden, "FORBIDDEN")
		domains("127.0.0.1")
		s.known(path)

		id := draw("Fourth").Text("id")
		s.known(path)
		tag := s.Get(path).Header.Get("ETag")
		s.Send(http.MethodDelete, "/images/"+id, nil, session).Want(http.StatusNoContent)
		fifth := "Fifth"
		title.Store(&fifth)
		if got := s.Get(path).Want(http.StatusOK).Header.Get("ETag"); got == tag {
			t.Error("the picture of a deleted image is shown, want a new one")
		}
		s.known(path)
		s.Send(http.MethodDelete, "/projects/"+s.Project, nil, session).Want(http.StatusNoContent)
		s.Get(path).WantProblem(http.StatusNotFound, "NOT_FOUND")
	})
}

// changingPage serves a page of a title.
func changingPage(t *testing.T, title *atomic.Pointer[string]) *httptest.Server {
	t.Helper()
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte("<!doctype html><title>" + *title.Load() + "</title>")) // the client left
	}))
	t.Cleanup(page.Close)
	return page
}

// TestServing_projectChangesOfOtherNodesShowSoon changes images and projects on one node, and asks another.
func TestServing_projectChangesOfOtherNodesShowSoon(t *testing.T) {
	t.Parallel()
	dbtest.RunPostgres(t, func(t *testing.T, url string) {
		s := onDomain(apptest.StartSignedIn(t, apptest.OnDatabase(db.Config{URL: url})))
		session := apptest.Bearer(s.Session.Access)
		other := &ogService{s.StartNode(), s.publicID}
		soon := func(what, path string, status int) {
			t.Helper()
			began := time.Now()
			apptest.WaitFor(t, what, func() bool { return other.Get(path).Status == status })
			if got := time.Since(began); got > soonEnough {
				t.Errorf("%s: shown after %v, want 2 s", what, got)
			}
		}
		path := s.pathOf(s.Site.At("/page/one"))
		other.known(path)
		read := s.Site.Pages.Load()
		list := s.Get("/images", session).Want(http.StatusOK)
		s.Send(http.MethodDelete, "/images/"+list.Text("items.0.id"), nil, session).Want(http.StatusNoContent)
		began := time.Now()
		apptest.WaitFor(t, "a new picture in the place of the deleted one", func() bool {
			other.Get(path).Want(http.StatusOK)
			return s.Site.Pages.Load() > read
		})
		if got := time.Since(began); got > soonEnough {
			t.Errorf("the deletion showed after %v, want 2 s", got)
		}
		other.known(path)
		s.Send(http.MethodPatch, "/projects/"+s.Project, map[string]any{"domains": []string{"example.com"}}, session).
			Want(http.StatusOK)
		soon("another domain", path, http.StatusForbidden)
		s.Send(http.MethodPatch, "/projects/"+s.Project, map[string]any{"domains": []string{"127.0.0.1"}}, session).
			Want(http.StatusOK)
		soon("the first domain", path, http.StatusOK)
		other.known(path)
		s.Send(http.MethodDelete, "/projects/"+s.Project, nil, session).Want(http.StatusNoContent)
		soon("the end of the project", path, http.StatusNotFound)
	})
}

// TestServing_whatIsInMemoryAsksTheDatabaseNothing has the plans of owners old at once, which only the background may
// read again.
func TestServing_whatIsInMemoryAsksTheDatabaseNothing(t *testing.T) {
	t.Parallel()
	dbtest.RunConfig(t, func(t *testing.T, cfg db.Config) {
		s := onDomain(apptest.StartSignedIn(t, apptest.OnDatabase(cfg), func(c *app.Config) {
			c.Billing.Fresh = time.Nanosecond
			c.Monitor.Addr = "127.0.0.1:0"
		}))
		made := s.Generate("/page/one", nil)
		paths := []string{s.pathOf(s.Site.At("/page/one")), made.Path("publicUrl"), made.Path("imageUrl")}
		for _, path := range paths { // a crawler makes it known to everybody
			for range 3 {
				s.Get(path, apptest.Header("User-Agent", "Twitterbot/1.0")).Want(http.StatusOK)
			}
		}
		asked := func() (work []string) {
			for line := range strings.Lines(s.Metrics()) {
				if strings.HasPrefix(line, `masthead_db_work_total{for="callers"`) {
					work = append(work, line)
				}
			}
			return work
		}
		var before, after []string
		for range 3 { // what the requests above have begun may end after the first count
			before = asked()
			if len(before) == 0 {
				t.Fatal("there is no masthead_db_work_total")
			}
			for _, path := range paths {
				for range 3 {
					tag := s.Get(path).Want(http.StatusOK).Header.Get("ETag")
					s.Get(path, apptest.Header("If-None-Match", tag)).Want(http.StatusNotModified)
					s.Send(http.MethodHead, path, nil).Want(http.StatusOK)
					s.Send(http.MethodHead, path, nil, apptest.Header("If-None-Match", tag)).Want(http.StatusNotModified)
				}
			}
			if after = asked(); slices.Equal(after, before) {
				return
			}
		}
		t.Errorf("got the work %q, want %q as before", after, before)
	})
}

// TestServing_pagesGoOnWithoutDatabase takes the database away under the addresses of a project.
func TestServing_pagesGoOnWithoutDatabase(t *testing.T) {
	t.Parallel()
	dbtest.RunPostgres(t, func(t *testing.T, url string) {
		for name, harm := range map[string]func(*dbtest.Proxy){
			"stopped": (*dbtest.Proxy).Refuse, "silent": (*dbtest.Proxy).Silence,
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				proxy, err := dbtest.NewProxy(url)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(proxy.Close)
				s := onDomain(apptest.StartSignedIn(t, apptest.OnDatabase(db.Config{URL: proxy.Through(url)})))
				path := s.pathOf(s.Site.At("/page/one"))
				s.known(path)
				tag := s.Get(path).Header.Get("ETag")
				harm(proxy)
				t.Cleanup(func() { _ = proxy.Heal() })
				for range 3 {
					s.Get(path).Want(http.StatusOK)
					s.Get(path, apptest.Header("If-None-Match", tag)).Want(http.StatusNotModified)
					s.Send(http.MethodHead, path, nil).Want(http.StatusOK)
				}
				time.Sleep(2500 * time.Millisecond) // in which the looking for changes fails
				s.Get(path).Want(http.StatusOK)
			})
		}
	})
}

// TestServing_passingCardsAreNotKeptAtHand asks for cards that will be better soon, as often as others are kept.
func TestServing_passingCardsAreNotKeptAtHand(t *testing.T) {
	t.Parallel()
	option, _ := withAI(t, fakeai.Config{})
	s := onDomain(apptest.StartSignedIn(t, option))
	dead, poor := s.pathOf(s.Site.At("/gone")), s.pathOf(s.Site.At("/page/one"), "ai=true", "aiModel=pro")
	for range 4 {
		got := wantCache(t, s.Get(dead), forMinutes).Header.Get("X-Masthead-Fallback")
		if got != "upstream" {
			t.Errorf("a dead page: got X-Masthead-Fallback %q, want upstream", got)
		}
		wantCache(t, s.Get(poor), forMinutes)
	}
	setPlan(t, s.Service, "pro")
	apptest.WaitFor(t, "the plan to be known", func() bool {
		return s.Get(poor).Want(http.StatusOK).Header.Get("Cache-Control") == forever
	})
}
