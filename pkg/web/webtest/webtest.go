// Package webtest runs the tests of pages in a browser: one Chromium for all tests of a package, with a window of its
// own for each test.
package webtest

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto"
	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"masthead/pkg/installation"
	"masthead/pkg/testenv"
)

// chromium is the one browser of all tests of a package.
type chromium struct {
	once sync.Once
	ctx  context.Context
	stop []context.CancelFunc
	err  error
}

var shared chromium

// Main runs the tests of a package, and then ends the browser.
func Main(m *testing.M) {
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
		// Browsers let pages write to the clipboard after a person's click, which tests don't have.
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

// Browser returns a context with a window of the browser that shares nothing with others; ok is false where there is no
// Chromium.
func Browser(t *testing.T) (ctx context.Context, ok bool) {
	t.Helper()
	path, ok := testenv.Chromium(t)
	if !ok {
		return nil, false
	}
	takeTurn(t)
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
	// The context of the first actions is the window's. It has no limit, so that what the window shows can be read after
	// the test's time.
	if err := chromedp.Run(ctx, Desk, emulation.SetFocusEmulationEnabled(true)); err != nil {
		t.Fatal(err)
	}
	ctx, stop = context.WithTimeout(ctx, 3*time.Minute)
	t.Cleanup(stop)
	return ctx, true
}

// turns is how many windows there are at once, in the tests of all packages together: more would only wait for one
// another's processors, until their time is over.
const turns = 2

// takeTurn waits until a test may open a window, and gives its turn back when the test ends. A turn is a lock that ends
// with the program that holds it, however it ends.
func takeTurn(t *testing.T) {
	t.Helper()
	const longest = 20 * time.Minute
	for start := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		for i := range turns {
			name := fmt.Sprintf("masthead-test-window-%d-%d", os.Getuid(), i) // other users can't open ours
			l, err := installation.Acquire(filepath.Join(os.TempDir(), name))
			if err == nil {
				t.Cleanup(func() { _ = l.Release() })
				return
			}
			if time.Since(start) > longest {
				t.Fatal("wait for the windows of other tests:", err)
			}
		}
	}
}

// Windows of the tests: the width of a phone, of a small one at 400 per cent, and of a desk. Heights are such that most
// of a page is seen.
var (
	Phone  = emulation.SetDeviceMetricsOverride(390, 844, 1, true)
	Narrow = emulation.SetDeviceMetricsOverride(320, 640, 1, true)
	Desk   = emulation.SetDeviceMetricsOverride(1280, 1600, 1, false)
)

// Scheme sets the theme that the visitor prefers: "light" or "dark".
func Scheme(name string) chromedp.Action {
	return emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: name},
	})
}

// Still is a visitor's wish for less motion, with a light theme.
var Still = emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{
	{Name: "prefers-color-scheme", Value: "light"}, {Name: "prefers-reduced-motion", Value: "reduce"},
})

// Moving evaluates to the elements that would move: that have a transition, an animation, or that scroll smoothly.
const Moving = `[...document.querySelectorAll('*')].filter(e => {
	const s = getComputedStyle(e)
	return s.transitionDuration.split(', ').some(d => parseFloat(d) > 0) || s.animationName !== 'none' ||
		s.scrollBehavior === 'smooth'
}).map(e => e.tagName + '.' + (e.getAttribute('class') || ''))`

// Shoot keeps a picture of the whole page among the test's artifacts, for people: nothing unless `go test -artifacts`
// keeps them.
func Shoot(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	if kept := flag.Lookup("test.artifacts"); kept == nil || kept.Value.String() != "true" {
		return
	}
	var shot []byte
	if err := chromedp.Run(ctx, chromedp.FullScreenshot(&shot, 100)); err != nil {
		t.Errorf("screenshot: %v", err)
		return
	}
	if err := os.WriteFile(t.ArtifactDir()+"/"+strings.ReplaceAll(name, "/", "-"), shot, 0o600); err != nil {
		t.Error(err)
	}
}

// Run runs actions in the window of ctx, one after the other. An action whose element a script replaced between its
// being found and its use is run again: nothing was done to it yet, and a person would use the new one.
func Run(ctx context.Context, actions ...chromedp.Action) error {
	for _, action := range actions {
		if tasks, ok := action.(chromedp.Tasks); ok {
			if err := Run(ctx, tasks...); err != nil {
				return err
			}
			continue
		}
		err := chromedp.Run(ctx, action)
		for replaced(err) && ctx.Err() == nil {
			err = chromedp.Run(ctx, action)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// replaced reports whether the browser no longer has the element that an action found.
func replaced(err error) bool {
	var refused *cdproto.Error
	return errors.As(err, &refused) && slices.ContainsFunc([]string{
		"Could not find node with given id", "No node with given id found", "Node is detached from document",
		"Node with given id does not belong to the document",
	}, func(message string) bool { return strings.Contains(refused.Message, message) })
}

// Awaited lets an evaluation wait for a promise.
func Awaited(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }

// Fill gives a field another value. React takes one only through the setter of the element's own class.
func Fill(selector, value string) chromedp.Action {
	return chromedp.Evaluate(fmt.Sprintf(`(field => {
		Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value').set.call(field, %q)
		field.dispatchEvent(new Event('input', {bubbles: true}))
	})(document.querySelector(%q))`, value, selector), nil)
}

// WithoutScripts returns the address of a server before the one at base, whose pages may run no script.
func WithoutScripts(t *testing.T, base string) string {
	t.Helper()
	target, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	scripts := regexp.MustCompile(`script-src [^;]*`)
	proxy := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Host = r.In.Host
		},
		ModifyResponse: func(r *http.Response) error {
			policy := r.Header.Get("Content-Security-Policy")
			r.Header.Set("Content-Security-Policy", scripts.ReplaceAllString(policy, "script-src 'none'"))
			return nil
		},
	})
	t.Cleanup(proxy.Close)
	return proxy.URL
}

// Axe returns what axe-core finds wrong with the page in the window, once colors have changed to what they will be. ok
// is false where there is no axe-core.
func Axe(t *testing.T, ctx context.Context) (found []string, ok bool) {
	t.Helper()
	file, ok := testenv.Axe(t)
	if !ok {
		return nil, false
	}
	script, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	err = chromedp.Run(ctx,
		Until(`document.getAnimations().every(a => !(a instanceof CSSTransition) || a.playState !== 'running')`),
		chromedp.Evaluate(string(script), nil),
		chromedp.Evaluate(`axe.run().then(r => r.violations.flatMap(v => v.nodes.map(n => v.id + ': ' + n.html)))`,
			&found, chromedp.EvalAsValue, Awaited),
	)
	if err != nil {
		t.Fatal(err)
	}
	return found, true
}

// Beyond evaluates to the elements that reach beyond the right edge of the page, apart from those in a box that scrolls
// on its own. On a phone the window is no measure: it widens with what is too wide.
const Beyond = `[...document.querySelectorAll('body *')].filter(e => {
	if (e.getBoundingClientRect().right <= document.documentElement.clientWidth + 1 || !e.checkVisibility()) return false
	for (let p = e.parentElement; p; p = p.parentElement)
		if (getComputedStyle(p).overflowX !== 'visible') return false
	return true
}).map(e => e.tagName + '.' + (e.getAttribute('class') || ''))`

// Fields builds the content of a form from names and values.
func Fields(pairs ...string) url.Values {
	v := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		v.Add(pairs[i], pairs[i+1])
	}
	return v
}

// Page is a response to a browser without scripts.
type Page struct {
	Status int
	Header http.Header
	Body   string
}

// Visitor is a browser without scripts: it keeps cookies, and doesn't follow redirects.
type Visitor struct {
	t      testing.TB
	base   string
	client *http.Client
}

// NewVisitor returns a visitor of the service at base.
func NewVisitor(t testing.TB, base string) *Visitor {
	t.Helper()
	jar, _ := cookiejar.New(nil) // never fails
	client := &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	t.Cleanup(client.CloseIdleConnections)
	return &Visitor{t: t, base: base, client: client}
}

// With returns the visitor for a subtest, which is the one to fail.
func (v *Visitor) With(t *testing.T) *Visitor { return &Visitor{t, v.base, v.client} }

// Cookie returns the value of a cookie, or "".
func (v *Visitor) Cookie(name string) string {
	u, err := url.Parse(v.base)
	if err != nil {
		v.t.Fatal(err)
	}
	for _, c := range v.client.Jar.Cookies(u) {
		if c.Name == name {
			return c.Value
		}
	}
	return ""
}

// SetCookie puts a cookie into the browser.
func (v *Visitor) SetCookie(name, value string) {
	u, err := url.Parse(v.base)
	if err != nil {
		v.t.Fatal(err)
	}
	//nolint:gosec // it goes to a test on loopback, over http
	v.client.Jar.SetCookies(u, []*http.Cookie{{Name: name, Value: value, Path: "/"}})
}

// Get gets a page. headers are names and values.
func (v *Visitor) Get(path string, headers ...string) Page { return v.send("GET", path, nil, headers) }

// Post sends a form as a page of the service does. fields are names and values, headers further headers by name.
func (v *Visitor) Post(path string, fields url.Values, headers ...string) Page {
	return v.send("POST", path, fields, append([]string{"Sec-Fetch-Site", "same-origin", "Origin", v.base}, headers...))
}

// Upload sends a form with a file, whose name and content are given, in the field "file".
func (v *Visitor) Upload(path string, fields url.Values, name, content string) Page {
	v.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for field := range fields {
		_ = form.WriteField(field, fields.Get(field)) // memory takes it
	}
	part, err := form.CreateFormFile("file", name)
	if err == nil {
		_, err = io.WriteString(part, content)
	}
	if err = errors.Join(err, form.Close()); err != nil {
		v.t.Fatal(err)
	}
	return v.sendBody("POST", path, &body, []string{
		"Content-Type", form.FormDataContentType(), "Sec-Fetch-Site", "same-origin", "Origin", v.base,
	})
}

func (v *Visitor) send(method, path string, fields url.Values, headers []string) Page {
	v.t.Helper()
	if fields != nil {
		headers = append([]string{"Content-Type", "application/x-www-form-urlencoded"}, headers...)
	}
	return v.sendBody(method, path, strings.NewReader(fields.Encode()), headers)
}

func (v *Visitor) sendBody(method, path string, content io.Reader, headers []string) Page {
	v.t.Helper()
	r, err := http.NewRequestWithContext(v.t.Context(), method, v.base+path, content)
	if err != nil {
		v.t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := v.client.Do(r)
	if err != nil {
		v.t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	page := Page{response.StatusCode, response.Header, string(body)}
	found := styled.FindString(page.Body)
	if found != "" && strings.HasPrefix(page.Header.Get("Content-Type"), "text/html") {
		v.t.Errorf("%s %s has %s", method, path, found)
	}
	return page
}

// Private reports what a page lacks that keeps it private: caching, framing, or a strict policy; "" for nothing.
func (p Page) Private() string {
	policy := p.Header.Get("Content-Security-Policy")
	switch {
	case p.Header.Get("Cache-Control") != "no-store":
		return "it may be cached: " + p.Header.Get("Cache-Control")
	case !strings.Contains(policy, "default-src 'none'"), !strings.Contains(policy, "frame-ancestors 'none'"),
		!strings.Contains(policy, "base-uri 'none'"), strings.Contains(policy, "unsafe-"):
		return "its policy is " + policy
	}
	return ""
}

// styled finds style attributes and inline handlers, which no page has: its policy would ignore them.
var styled = regexp.MustCompile(`<[a-z][^<>]*\s(style|on[a-z]+)=["'][^>]*`)

// Payload is what must be shown as text wherever a page says it.
const Payload = `"'><img src=x onerror="window.hit=1"><script>window.hit=1</script><svg onload=window.hit=1>{{7*7}}`

// Main returns the main part of the page, for the messages of tests.
func (p Page) Main() string {
	_, main, _ := strings.Cut(p.Body, "<main")
	main, _, _ = strings.Cut(main, "</main>")
	return main
}

// Until waits until a condition, an expression of JavaScript, is true in the window, whichever page it shows by then.
func Until(condition string) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		for {
			var met bool
			err := chromedp.Run(ctx, chromedp.Evaluate(`document.readyState === 'complete' && !!(`+condition+`)`, &met))
			if err == nil && met {
				return nil
			}
			select {
			case <-ctx.Done():
				return fmt.Errorf("wait for %s: %w", condition, errors.Join(err, ctx.Err()))
			case <-time.After(50 * time.Millisecond): // a page that is being left gives no answer
			}
		}
	})
}

// Visible waits for an element that is visible, see [Until].
func Visible(selector string) chromedp.Action {
	return Until(fmt.Sprintf(`document.querySelector(%q)?.checkVisibility()`, selector))
}

// Focused waits until the element with an ID has the focus, which browsers set some time after loading.
func Focused(id string) chromedp.Action {
	return Until(fmt.Sprintf(`document.activeElement.id === %q`, id))
}

// Arrived waits until the window shows the page of a path, see [Until].
func Arrived(path string) chromedp.Action {
	return Until(fmt.Sprintf(`location.pathname === %q`, path))
}
