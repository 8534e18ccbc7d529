package web_test

import (
	"bytes"
	"fmt"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/page"
	"masthead/pkg/web/webtest"
)

// staticSite is a site of one page beside the service, /post, whose head can be changed. At /hook it is told of events.
type staticSite struct {
	*httptest.Server

	head atomic.Pointer[string]
	// signed is set by a signed event of the type webhook.test.
	signed atomic.Bool
}

func newStaticSite(t *testing.T) *staticSite {
	t.Helper()
	s := &staticSite{}
	s.write("")
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/hook" {
			body, _ := io.ReadAll(r.Body) // a request of ours
			s.signed.Store(strings.Contains(string(body), "webhook.test") && r.Header.Get("Webhook-Signature") != "")
			return
		}
		if r.URL.Path != "/post" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprintf(w, `<!doctype html><html lang="en"><head><title>Why we moved our queue</title>
			<meta name="description" content="Six months, one outage, and what we learned.">
			<meta name="theme-color" content="#0F766E">%s</head><body><h1>Why we moved our queue</h1></body></html>`, *s.head.Load())
	}))
	t.Cleanup(s.Close)
	return s
}

// write puts lines into the head of the page.
func (s *staticSite) write(head string) { s.head.Store(&head) }

// TestJourneys_byKeyboard goes from the front page to a card, to an account, to a working snippet in a static page, to
// a key that is used, to an image that is deleted and comes back: by keyboard alone, with scripts and without.
func TestJourneys_byKeyboard(t *testing.T) {
	t.Parallel()
	ctx, ok := browser(t)
	if !ok {
		return
	}
	site := newStaticSite(t)
	h := apptest.Start(t, func(c *app.Config) {
		c.Fetch.Allow = append(c.Fetch.Allow, apptest.Allowed(site.Listener.Addr().String()))
	})
	for name, base := range map[string]string{"with scripts": h.Base, "without": withoutScripts(t, h.Base)} {
		t.Run(name, func(t *testing.T) {
			scripts := base == h.Base
			site.write("")
			k := webtest.NewKeyboard(t, ctx)
			h := h.With(t)
			shot := func(what string) { shoot(t, ctx, fmt.Sprintf("keyboard-%s-%v.png", what, scripts)) }

			// From the front page to a card, and to another look.
			k.Do(desk, network.ClearBrowserCookies(), chromedp.Navigate(base+"/"))
			k.Type("#url", site.URL+"/post")
			k.Press("button[formaction='/try']")
			k.Do(drawn)
			k.Tab(".proof input")
			k.Do(chromedp.KeyEvent(kb.ArrowRight)) // to the next design
			if !scripts {
				k.Press(".sheet + .nojs")
			}
			k.Do(webtest.Until(`location.search.includes('template=')`), drawn)
			shot("card")

			// An account: the card is saved with it, for a project of its site.
			k.Do(chromedp.Evaluate(`document.activeElement.blur()`, nil), chromedp.Reload(), drawn)
			k.Press(".actions .filled")
			k.Do(webtest.Arrived("/register"))
			k.Do(webtest.Focused("email"), chromedp.KeyEvent(fmt.Sprintf("keys%v@example.com", scripts)))
			k.Type("#password", apptest.Password)
			k.Do(webtest.Key('\r'), webtest.Until(`location.pathname.startsWith('/dashboard/images/')`))
			shot("saved")

			// The snippet in the static page works for what reads its head.
			var snippet, path string
			k.Tab(".use a[data-use]")
			k.Do(chromedp.Text(".snippet pre code", &snippet), chromedp.Evaluate(`location.pathname`, &path))
			site.write(snippet)
			wantCard(t, h, site.URL+"/post")

			useKey(t, k, h, shot)

			// Deleted, and back.
			k.Press(`.sections a[href="/dashboard/images"]`)
			k.Do(webtest.Arrived("/dashboard/images"))
			k.Press(fmt.Sprintf(`.tiles h2 a[href=%q]`, path))
			k.Do(webtest.Arrived(path))
			k.Press("[value=delete]")
			k.Do(webtest.Visible(".undo"))
			shot("deleted")
			k.Press(".undo button")
			k.Do(webtest.Until(`location.pathname === ` + fmt.Sprintf("%q", path) + ` && location.search === '?done=restored'`))
			shot("restored")
		})
	}
}

// useKey creates a key, uses it, and sees its secret only once.
func useKey(t *testing.T, k *webtest.Keyboard, h *apptest.Service, shot func(string)) {
	t.Helper()
	var secret, after string
	k.Press(`.sections a[href="/dashboard/keys"]`)
	k.Do(webtest.Arrived("/dashboard/keys"))
	k.Type("#name", "Site build")
	k.Press("[value=create]")
	k.Do(webtest.Visible("dialog"), chromedp.Text("dialog pre code", &secret))
	shot("key")
	k.Press("[data-leave]")
	k.Do(webtest.Until(`location.search === '?done=saved'`),
		chromedp.Evaluate(`document.documentElement.outerHTML`, &after))
	used := h.Get("/images", apptest.Bearer(strings.TrimSpace(secret)))
	if used.Status != http.StatusOK || strings.Contains(after, strings.TrimSpace(secret)) {
		t.Errorf("the key %q: %d; and its secret is still there: %v", secret, used.Status, strings.Contains(after, secret))
	}
}

// wantCard reads a page as a crawler does, and wants its image to be a card.
func wantCard(t *testing.T, h *apptest.Service, address string) {
	t.Helper()
	at, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := h.Client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var body bytes.Buffer
	if _, err := body.ReadFrom(response.Body); err != nil {
		t.Fatal(err)
	}
	image := page.Parse(body.Bytes(), "text/html; charset=utf-8", at).Meta.Get("og:image")
	if !strings.HasPrefix(image, h.Base+"/og/") {
		t.Fatalf("the page's image is %q: %s", image, body.String())
	}
	card, err := png.DecodeConfig(bytes.NewReader(h.Get(strings.TrimPrefix(image, h.Base)).Want(http.StatusOK).Body))
	if err != nil || card.Width != 1200 || card.Height != 630 {
		t.Errorf("the image of the page has %dx%d pixels, %v", card.Width, card.Height, err)
	}
}
