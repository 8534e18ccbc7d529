package web_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"masthead/pkg/app/apptest"
	"masthead/pkg/web/webtest"
)

func TestMain(m *testing.M) { webtest.Main(m) }

// The browser of package webtest.
var (
	browser        = webtest.Browser
	phone          = webtest.Phone
	narrow         = webtest.Narrow
	desk           = webtest.Desk
	scheme         = webtest.Scheme
	shoot          = webtest.Shoot
	awaited        = webtest.Awaited
	fill           = webtest.Fill
	withoutScripts = webtest.WithoutScripts
	fields         = webtest.Fields
)

// TestPages_policyRefusesNothing loads each page and fails when the browser refuses something that the page needs.
func TestPages_policyRefusesNothing(t *testing.T) {
	t.Parallel()
	ctx, ok := browser(t)
	if !ok {
		return
	}
	h := apptest.Start(t)
	for _, page := range append(ownPages, "/sign-in", "/register", "/reset", "/swagger") {
		var title string
		var pictures bool
		var refused []string
		err := webtest.Run(ctx,
			chromedp.Navigate(h.Base+page),
			chromedp.Evaluate(`window.refused = []; document.addEventListener('securitypolicyviolation',
				e => refused.push(e.violatedDirective + ' ' + e.blockedURI))`, nil),
			chromedp.Sleep(time.Second),
			chromedp.Title(&title),
			chromedp.Evaluate(`window.refused`, &refused),
			chromedp.Evaluate(`[...document.images].filter(i => i.loading !== 'lazy').
				every(i => i.complete && i.naturalWidth > 0)`, &pictures),
		)
		if err != nil {
			t.Fatal(err)
		}
		if title == "" || !pictures || len(refused) > 0 {
			t.Errorf("%s: title %q, pictures %v, refused %v", page, title, pictures, refused)
		}
	}
}

// ownPages are the pages that are made of package ui.
var ownPages = []string{"/", "/audit/example", "/audit/rules", "/audit/platforms", "/audit/0000000000000000000000"}

// TestPages_fitAPhone finds a page that scrolls sideways, or is drawn for a desk and shrunk: on a phone, and at 320
// pixels, which are also a window of 1280 at 400 per cent. There, nothing moves for those who want less motion.
func TestPages_fitAPhone(t *testing.T) {
	t.Parallel()
	ctx, ok := browser(t)
	if !ok {
		return
	}
	h := apptest.Start(t)
	for _, c := range []struct {
		name, path, ready string
		narrow            bool
	}{
		{"landing", "/", "h1", true},
		{"report", "/audit/example", "h1", true},
		{"rules", "/audit/rules", "h1", true},
		{"platforms", "/audit/platforms", "h1", true},
		{"missing", "/audit/0000000000000000000000", "h1", true},
		{"sign-in", "/sign-in", "h1", true},
		{"register", "/register", "h1", true},
		{"reset", "/reset", "h1", true},
		{"swagger", "/swagger", "#operations-Images-generateImage", false},
		{"operation", "/swagger#/Images/generateImage", ".responses-table", false},
	} {
		windows := map[float64]chromedp.Action{390: phone}
		if c.narrow {
			windows[320] = narrow
		}
		for width, window := range windows {
			var inner, wide []float64
			var beyond, moving []string
			err := webtest.Run(ctx, window, webtest.Still,
				// Another address of the same document would not load it anew.
				chromedp.Navigate("about:blank"),
				chromedp.Navigate(h.Base+c.path),
				chromedp.WaitVisible(c.ready, chromedp.ByQuery),
				chromedp.Evaluate(`document.querySelectorAll('details').forEach(d => { d.open = true })`, nil),
				chromedp.Evaluate(`[innerWidth]`, &inner),
				chromedp.Evaluate(`[document.documentElement.scrollWidth]`, &wide),
				chromedp.Evaluate(webtest.Beyond, &beyond),
				chromedp.Evaluate(webtest.Moving, &moving),
			)
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			if inner[0] != width || wide[0] > width || len(beyond) > 0 {
				t.Errorf("%s: is %v px wide in a window of %v, want %v; beyond its edge: %v",
					c.name, wide, inner, width, beyond)
			}
			if c.narrow && len(moving) > 0 { // the other pages are Swagger UI's
				t.Errorf("%s: moves for those who want less motion: %v", c.name, moving)
			}
			shoot(t, ctx, fmt.Sprintf("%s-%.0f.png", c.name, width))
		}
	}
}
