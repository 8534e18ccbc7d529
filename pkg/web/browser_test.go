package web_test

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"masthead/pkg/app/apptest"
	"masthead/pkg/testenv"
)

// browser returns a context with a headless Chromium; ok is false where there is none.
func browser(t *testing.T) (ctx context.Context, ok bool) {
	t.Helper()
	path, ok := testenv.Chromium(t)
	if !ok {
		return nil, false
	}
	turn <- struct{}{}
	t.Cleanup(func() { <-turn })
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox)
	ctx, stop := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx, chromedp.WithErrorf(t.Logf))
	t.Cleanup(stop)
	ctx, stop = context.WithTimeout(ctx, 90*time.Second)
	t.Cleanup(stop)
	if err := chromedp.Run(ctx, desk); err != nil {
		t.Fatal(err)
	}
	return ctx, true
}

// turn is whose browser runs: several would only wait for one another's processors, until their time is over.
var turn = make(chan struct{}, 1)

// Windows of the tests: the width of a small phone, and of a desk. Heights are such that most of a page is seen.
var (
	phone = emulation.SetDeviceMetricsOverride(390, 844, 1, true)
	desk  = emulation.SetDeviceMetricsOverride(1280, 1600, 1, false)
)

// TestPages_policyRefusesNothing loads each page and fails when the browser refuses something that the page needs.
func TestPages_policyRefusesNothing(t *testing.T) {
	t.Parallel()
	ctx, ok := browser(t)
	if !ok {
		return
	}
	h := apptest.Start(t)
	for _, page := range []string{"/", "/swagger"} {
		var title string
		var pictures bool
		var refused []string
		err := chromedp.Run(ctx,
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

// TestPages_fitAPhone finds a page that scrolls sideways, or is drawn for a desk and shrunk.
func TestPages_fitAPhone(t *testing.T) {
	t.Parallel()
	ctx, ok := browser(t)
	if !ok {
		return
	}
	h := apptest.Start(t)
	for _, c := range []struct{ name, path, ready string }{
		{"landing", "/", "h1"},
		{"swagger", "/swagger", "#operations-Images-generateImage"},
		{"operation", "/swagger#/Images/generateImage", ".responses-table"},
	} {
		var inner, wide []float64
		var beyond []string
		err := chromedp.Run(ctx, phone,
			// Another address of the same document would not load it anew.
			chromedp.Navigate("about:blank"),
			chromedp.Navigate(h.Base+c.path),
			chromedp.WaitVisible(c.ready, chromedp.ByQuery),
			chromedp.Evaluate(`[innerWidth]`, &inner),
			chromedp.Evaluate(`[document.documentElement.scrollWidth]`, &wide),
			// What a box scrolls on its own is cut off by it.
			chromedp.Evaluate(`[...document.querySelectorAll('body *')].filter(e => {
				if (e.getBoundingClientRect().right <= innerWidth + 1 || !e.checkVisibility()) return false
				for (let p = e.parentElement; p; p = p.parentElement)
					if (getComputedStyle(p).overflowX !== 'visible') return false
				return true
			}).map(e => e.tagName + '.' + e.className)`, &beyond),
		)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if inner[0] != 390 || wide[0] > 390 || len(beyond) > 0 {
			t.Errorf("%s: is %v px wide in a window of %v, want 390; beyond its edge: %v", c.name, wide, inner, beyond)
		}
		shoot(t, ctx, c.name+"-phone.png")
		if err := chromedp.Run(ctx, desk); err != nil {
			t.Fatal(err)
		}
		shoot(t, ctx, c.name+"-desk.png")
	}
}

// shoot keeps a picture of the page among the test's artifacts, for people.
func shoot(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	var shot []byte
	if err := chromedp.Run(ctx, chromedp.CaptureScreenshot(&shot)); err != nil {
		t.Errorf("screenshot: %v", err)
		return
	}
	if err := os.WriteFile(t.ArtifactDir()+"/"+name, shot, 0o600); err != nil {
		t.Error(err)
	}
}

// awaited lets an evaluation wait for a promise.
func awaited(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }

// fill gives a field another value. React takes one only through the setter of the element's own class.
func fill(selector, value string) chromedp.Action {
	return chromedp.Evaluate(fmt.Sprintf(`(field => {
		Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value').set.call(field, %q)
		field.dispatchEvent(new Event('input', {bubbles: true}))
	})(document.querySelector(%q))`, value, selector), nil)
}
