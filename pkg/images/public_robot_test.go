package images_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
)

// searchBot is the User-Agent of a search engine's crawler.
var searchBot = apptest.Header("User-Agent",
	"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)")

func storeOnly(c *app.Config) { c.Images.UnknownBots = "store-only" }

// TestOG_crawlersOfSearchEnginesGetWhatIsStored walks a site as a search engine does, beside a person and a crawler of
// a network.
func TestOG_crawlersOfSearchEnginesGetWhatIsStored(t *testing.T) {
	t.Parallel()
	s := onDomain(apptest.StartSignedIn(t, storeOnly))
	drawn := s.og(s.Site.At("/page/one")).Want(http.StatusOK)
	stored := wantCache(t, s.get("/page/one", searchBot), forever)
	if !bytes.Equal(stored.Body, drawn.Body) || stored.Header.Get("X-Masthead-Fallback") != "" {
		t.Error("got another picture than the one that is stored")
	}
	card := wantCrawlerCard(t, s.get("/page/0", searchBot))
	for n := range 20 {
		if got := wantCrawlerCard(t, s.get(fmt.Sprint("/page/", n), searchBot)); !bytes.Equal(got.Body, card.Body) {
			t.Errorf("page %d: got another card than that of the site", n)
		}
	}
	s.get("/page/3", searchBot, apptest.Header("If-None-Match", card.Header.Get("ETag"))).Want(http.StatusNotModified)
	if n := s.Site.Pages.Load(); n != 1 {
		t.Errorf("%d pages were read, want the person's alone", n)
	}
	network := apptest.Header("User-Agent", "Mastodon/4.3.0 (http.rb/5.2.0; +https://mastodon.social/) Bot")
	wantCache(t, s.get("/page/3", network), forever)
	home := s.og(s.Site.At("/")).Want(http.StatusOK)
	if got := wantCrawlerCard(t, s.get("/page/4", searchBot)); !bytes.Equal(got.Body, home.Body) {
		t.Error("got another picture than that of the home page, which is stored by now")
	}
	if n := s.Site.Pages.Load(); n != 2 {
		t.Errorf("%d pages were read, want those that the person and the network asked for", n)
	}
}

// TestOG_crawlersDrawByDefault holds the default of MASTHEAD_OG_UNKNOWN_BOTS.
func TestOG_crawlersDrawByDefault(t *testing.T) {
	t.Parallel()
	s := onDomain(apptest.StartSignedIn(t))
	wantCache(t, s.get("/page/one", searchBot), forever)
	if n := s.Site.Pages.Load(); n != 1 {
		t.Errorf("the page was read %d times, want once", n)
	}
}

// TestOG_crawlerHasNothingRedrawn uses an outdated picture as a search engine, then another one as a person: the queue
// of redraws has the order of the uses.
func TestOG_crawlerHasNothingRedrawn(t *testing.T) {
	t.Parallel()
	onOld(t, func(t *testing.T, o *oldService) {
		h := o.start(t, storeOnly)
		unseen, used := o.images[0], o.images[1]
		for range 2 { // the second one from memory
			if got := wantCache(t, h.Get("/og/"+unseen.publicID, searchBot), forMinutes); !bytes.Equal(got.Body, unseen.file) {
				t.Error("got another picture than the old one")
			}
		}
		h.Get("/og/" + used.publicID).Want(http.StatusOK)
		wantRedrawn(t, h, used)
		if n := count(t, h, `SELECT COUNT(*) FROM images WHERE id = ? AND redraw IS NOT NULL`, unseen.id); n != 1 {
			t.Error("the picture that only a search engine has used was redrawn")
		}
	}, oldImage{page: "/page/unseen", jpeg: true}, oldImage{page: "/page/used", jpeg: true})
}

// TestOG_crawlerGetsAnEarlierVersionOfADesign holds that a new version of a project's design has nothing drawn either.
func TestOG_crawlerGetsAnEarlierVersionOfADesign(t *testing.T) {
	t.Parallel()
	s := onDomain(apptest.StartSignedIn(t, storeOnly))
	design := newDesign(s.Service, "posts", flatDesign("#f00"))
	page := s.Site.At("/page/one")
	drawn := s.og(page, "template=posts").Want(http.StatusOK)
	s.Send(http.MethodPut, design, map[string]any{"html": flatDesign("#00f")}, apptest.Bearer(s.Session.Access)).
		Want(http.StatusOK)
	address := "/og/" + s.publicID + "?template=posts&other=1&url=" + url.QueryEscape(page) // not as it is in memory
	got := wantCache(t, s.Get(address, searchBot), forMinutes)
	if !bytes.Equal(got.Body, drawn.Body) || got.Header.Get("X-Masthead-Fallback") != "" {
		t.Errorf("got another picture (fallback %q) than the stored one", got.Header.Get("X-Masthead-Fallback"))
	}
	if n := s.Site.Pages.Load(); n != 1 {
		t.Errorf("the page was read %d times, want once", n)
	}
}

// get asks for the picture of a page of the site.
func (s *ogService) get(page string, options ...apptest.RequestOption) *apptest.Response {
	return s.Get("/og/"+s.publicID+"?url="+url.QueryEscape(s.Site.At(page)), options...)
}

// wantCrawlerCard fails the test unless r is what a crawler gets for a page without a stored picture.
func wantCrawlerCard(t *testing.T, r *apptest.Response) *apptest.Response {
	t.Helper()
	wantCache(t, r, forMinutes)
	if got := r.Header.Get("X-Masthead-Fallback"); got != "crawler" {
		t.Errorf("got X-Masthead-Fallback %q, want crawler", got)
	}
	return r
}
