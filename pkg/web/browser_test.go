package web_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"masthead/pkg/app/apptest"
	"masthead/pkg/testenv"
)

// chromium is the one browser of all tests of this package.
type chromium struct {
	once sync.Once
	ctx  context.Context
	stop []context.CancelFunc
	err  error
}

var shared chromium

func TestMain(m *testing.M) {
	code := m.Run()
	for _, stop := range shared.stop {
		stop()
	}
	os.Exit(code)
}

// start starts the browser.
func (b *chromium) start(path string) {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox)
	ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
	b.stop = append(b.stop, stop)
	// Lines of the browser that the library does not know are of no interest.
	b.ctx, stop = chromedp.NewContext(ctx, chromedp.WithErrorf(func(string, ...any) {}))
	b.stop = append([]context.CancelFunc{stop}, b.stop...)
	b.err = chromedp.Run(b.ctx)
}

// newWindow opens a window that shares no cookies with others. It is one of its own, since a tab behind another one is
// not drawn, and its scripts wait.
func newWindow(ctx context.Context) (id target.ID, err error) {
	err = chromedp.Run(ctx, chromedp.ActionFunc(func(ctx context.Context) error {
		ctx = cdp.WithExecutor(ctx, chromedp.FromContext(ctx).Browser)
		apart, err := target.CreateBrowserContext().Do(ctx)
		if err != nil {
			return err
		}
		// Whoever sits before a window and clicks is let write to the clipboard; here nobody sits.
		write := &cdpbrowser.PermissionDescriptor{Name: "clipboard-write"}
		err = cdpbrowser.SetPermission(write, cdpbrowser.PermissionSettingGranted).WithBrowserContextID(apart).Do(ctx)
		if err != nil {
			return err
		}
		id, err = target.CreateTarget("about:blank").WithBrowserContextID(apart).WithNewWindow(true).Do(ctx)
		return err
	}))
	return id, err
}

// browser returns a context with a window of the browser that shares nothing with others; ok is false where there is no
// Chromium.
func browser(t *testing.T) (ctx context.Context, ok bool) {
	t.Helper()
	path, ok := testenv.Chromium(t)
	if !ok {
		return nil, false
	}
	turn <- struct{}{}
	t.Cleanup(func() { <-turn })
	shared.once.Do(func() { shared.start(path) })
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	id, err := newWindow(shared.ctx)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := chromedp.NewContext(shared.ctx, chromedp.WithTargetID(id))
	t.Cleanup(stop)
	ctx, stop = context.WithTimeout(ctx, 90*time.Second)
	t.Cleanup(stop)
	if err := chromedp.Run(ctx, desk, emulation.SetFocusEmulationEnabled(true)); err != nil {
		t.Fatal(err)
	}
	return ctx, true
}

// turn is whose tabs run: many would only wait for one another's processors, until their time is over.
var turn = make(chan struct{}, 2)

// Windows of the tests: the width of a phone, of a small one at 400 per cent, and of a desk. Heights are such that most
// of a page is seen.
var (
	phone  = emulation.SetDeviceMetricsOverride(390, 844, 1, true)
	narrow = emulation.SetDeviceMetricsOverride(320, 640, 1, true)
	desk   = emulation.SetDeviceMetricsOverride(1280, 1600, 1, false)
)

// scheme sets the theme that the visitor prefers: "light" or "dark".
func scheme(name string) chromedp.Action {
	return emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: name},
	})
}

// TestPages_policyRefusesNothing loads each page and fails when the browser refuses something that the page needs.
func TestPages_policyRefusesNothing(t *testing.T) {
	t.Parallel()
	ctx, ok := browser(t)
	if !ok {
		return
	}
	h := apptest.Start(t)
	for _, page := range append(ownPages, "/password/reset", "/swagger") {
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

// ownPages are the pages that are made of package ui.
var ownPages = []string{"/", "/audit/example", "/audit/rules", "/audit/platforms", "/audit/0000000000000000000000"}

// TestPages_fitAPhone finds a page that scrolls sideways, or is drawn for a desk and shrunk: on a phone, and at 320
// pixels, which are also a window of 1280 at 400 per cent.
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
		{"reset", "/password/reset", "#send", false},
		{"swagger", "/swagger", "#operations-Images-generateImage", false},
		{"operation", "/swagger#/Images/generateImage", ".responses-table", false},
	} {
		windows := map[float64]chromedp.Action{390: phone}
		if c.narrow {
			windows[320] = narrow
		}
		for width, window := range windows {
			var inner, wide []float64
			var beyond []string
			err := chromedp.Run(ctx, window,
				// Another address of the same document would not load it anew.
				chromedp.Navigate("about:blank"),
				chromedp.Navigate(h.Base+c.path),
				chromedp.WaitVisible(c.ready, chromedp.ByQuery),
				chromedp.Evaluate(`document.querySelectorAll('details').forEach(d => { d.open = true })`, nil),
				chromedp.Evaluate(`[innerWidth]`, &inner),
				chromedp.Evaluate(`[document.documentElement.scrollWidth]`, &wide),
				// What a box scrolls on its own is cut off by it.
				chromedp.Evaluate(`[...document.querySelectorAll('body *')].filter(e => {
					if (e.getBoundingClientRect().right <= innerWidth + 1 || !e.checkVisibility()) return false
					for (let p = e.parentElement; p; p = p.parentElement)
						if (getComputedStyle(p).overflowX !== 'visible') return false
					return true
				}).map(e => e.tagName + '.' + (e.getAttribute('class') || ''))`, &beyond),
			)
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			if inner[0] != width || wide[0] > width || len(beyond) > 0 {
				t.Errorf("%s: is %v px wide in a window of %v, want %v; beyond its edge: %v", c.name, wide, inner, width, beyond)
			}
			shoot(t, ctx, fmt.Sprintf("%s-%.0f.png", c.name, width))
		}
	}
}

// shoot keeps a picture of the whole page among the test's artifacts, for people.
func shoot(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	var shot []byte
	if err := chromedp.Run(ctx, chromedp.FullScreenshot(&shot, 100)); err != nil {
		t.Errorf("screenshot: %v", err)
		return
	}
	if err := os.WriteFile(t.ArtifactDir()+"/"+strings.ReplaceAll(name, "/", "-"), shot, 0o600); err != nil {
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
