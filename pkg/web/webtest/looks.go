package webtest

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"masthead/pkg/identity"
)

// SignedIn signs the window in at base with the token of a session.
func SignedIn(base, token string) chromedp.Action {
	return network.SetCookie(identity.CookieName, token).WithURL(base).WithHTTPOnly(true)
}

// State is a page in one of its states.
type State struct {
	Name, Path string
	// Then is what to do on the page, or nil.
	Then chromedp.Action
}

// Look looks at states on a desk and on phones, light and dark: axe finds nothing, nothing reaches beyond the edge, and
// all pictures are there. The first state is looked at most thoroughly.
func Look(t *testing.T, ctx context.Context, base string, states ...State) {
	t.Helper()
	forced := emulation.SetEmulatedMedia().WithFeatures(
		[]*emulation.MediaFeature{{Name: "forced-colors", Value: "active"}})
	for n, s := range states {
		for i, l := range []struct {
			name          string
			window, media chromedp.Action
		}{
			{"1280-light", Desk, Scheme("light")}, {"390-dark", Phone, Scheme("dark")},
			{"320-light", Narrow, Scheme("light")}, {"1280-dark", Desk, Scheme("dark")},
			{"390-forced", Phone, forced},
		} {
			if n > 0 && i > 1 {
				break // its parts have been looked at
			}
			actions := chromedp.Tasks{l.window, l.media, chromedp.Navigate("about:blank"), chromedp.Navigate(base + s.Path)}
			if s.Then != nil {
				actions = append(actions, s.Then)
			}
			var beyond []string
			var pictures bool
			actions = append(actions,
				chromedp.Evaluate(`document.querySelectorAll('img').forEach(i => { i.loading = 'eager' })`, nil),
				Until(`[...document.images].every(i => i.complete)`), chromedp.Evaluate(Beyond, &beyond),
				chromedp.Evaluate(`[...document.images].every(i => i.naturalWidth > 0)`, &pictures))
			if err := Run(ctx, actions); err != nil {
				t.Fatalf("%s, %s: %v", s.Name, l.name, err)
			}
			if len(beyond) > 0 || !pictures {
				t.Errorf("%s, %s: beyond the edge: %v; pictures: %v", s.Name, l.name, beyond, pictures)
			}
			Shoot(t, ctx, fmt.Sprintf("%s-%s.png", s.Name, l.name))
			if i > 1 || i == 1 && n > 0 {
				continue // axe has seen both themes and both layouts
			}
			found, ok := Axe(t, ctx)
			if ok && len(found) > 0 {
				t.Errorf("%s, %s: axe: %s", s.Name, l.name, strings.Join(found, "\n"))
			}
		}
	}
}

// SignIn returns a browser without scripts that is signed in at base with the token of a session.
func SignIn(t testing.TB, base, token string) *Visitor {
	t.Helper()
	v := NewVisitor(t, base)
	v.SetCookie(identity.CookieName, token)
	return v
}

// WantText checks that [Payload] is in a page at least n times, and only as text.
func WantText(t *testing.T, page Page, n int) {
	t.Helper()
	if got := strings.Count(page.Body, "&lt;script&gt;window.hit"); got < n || strings.Contains(page.Body, "<img src=x") ||
		strings.Contains(page.Body, "<script>window.hit") || strings.Contains(page.Body, "<svg onload") {
		t.Errorf("the payload is there %d times, want %d, and nothing of it as markup: %s", got, n, page.Main())
	}
}
