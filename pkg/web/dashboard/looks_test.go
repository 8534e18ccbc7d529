package dashboard_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"masthead/pkg/app/apptest"
	"masthead/pkg/identity"
	"masthead/pkg/web/webtest"
)

// signedIn signs the window in.
func signedIn(base string, who apptest.Session) chromedp.Action {
	return network.SetCookie(identity.CookieName, who.Access).WithURL(base).WithHTTPOnly(true)
}

// state is a page in one of its states.
type state struct {
	name, path string
	// then is what to do on the page, or nil.
	then chromedp.Action
}

// look looks at states on a desk and on phones, light and dark: axe finds nothing, nothing reaches beyond the edge, and
// all pictures are there. The first state is looked at most thoroughly.
func look(t *testing.T, ctx context.Context, base string, states ...state) {
	t.Helper()
	forced := emulation.SetEmulatedMedia().WithFeatures(
		[]*emulation.MediaFeature{{Name: "forced-colors", Value: "active"}})
	for n, s := range states {
		for i, l := range []struct {
			name          string
			window, media chromedp.Action
		}{
			{"1280-light", webtest.Desk, webtest.Scheme("light")}, {"390-dark", webtest.Phone, webtest.Scheme("dark")},
			{"320-light", webtest.Narrow, webtest.Scheme("light")}, {"1280-dark", webtest.Desk, webtest.Scheme("dark")},
			{"390-forced", webtest.Phone, forced},
		} {
			if n > 0 && i > 1 {
				break // its parts have been looked at
			}
			actions := chromedp.Tasks{l.window, l.media, chromedp.Navigate("about:blank"), chromedp.Navigate(base + s.path)}
			if s.then != nil {
				actions = append(actions, s.then)
			}
			var beyond []string
			var pictures bool
			actions = append(actions,
				chromedp.Evaluate(`document.querySelectorAll('img').forEach(i => { i.loading = 'eager' })`, nil),
				webtest.Until(`[...document.images].every(i => i.complete)`), chromedp.Evaluate(webtest.Beyond, &beyond),
				chromedp.Evaluate(`[...document.images].every(i => i.naturalWidth > 0)`, &pictures))
			if err := webtest.Run(ctx, actions); err != nil {
				t.Fatalf("%s, %s: %v", s.name, l.name, err)
			}
			if len(beyond) > 0 || !pictures {
				t.Errorf("%s, %s: beyond the edge: %v; pictures: %v", s.name, l.name, beyond, pictures)
			}
			webtest.Shoot(t, ctx, fmt.Sprintf("%s-%s.png", s.name, l.name))
			if i > 1 || i == 1 && n > 0 {
				continue // axe has seen both themes and both layouts
			}
			found, ok := webtest.Axe(t, ctx)
			if ok && len(found) > 0 {
				t.Errorf("%s, %s: axe: %s", s.name, l.name, strings.Join(found, "\n"))
			}
		}
	}
}

func TestKeys_looks(t *testing.T) {
	t.Parallel()
	ctx, ok := webtest.Browser(t)
	if !ok {
		return
	}
	h := apptest.StartSignedIn(t)
	me, empty := h.Register(), h.Register()
	project := h.NewProject(me)
	for _, name := range []string{"Site build", "Preview bot for the documentation of a quite long name", "Old laptop"} {
		h.Post("/keys", map[string]any{"name": name, "projectId": project}, apptest.Bearer(me.Access)).Want(201)
	}
	id := h.Get("/keys", apptest.Bearer(me.Access)).Text("items.0.id")
	if err := webtest.Run(ctx, signedIn(h.Base, empty)); err != nil {
		t.Fatal(err)
	}
	look(t, ctx, h.Base, state{name: "keys-empty", path: "/dashboard/keys"})
	if err := webtest.Run(ctx, signedIn(h.Base, me)); err != nil {
		t.Fatal(err)
	}
	look(t, ctx, h.Base, state{name: "keys", path: "/dashboard/keys"},
		state{name: "keys-revoke", path: "/dashboard/keys?revoke=" + id},
		state{"keys-error", "/dashboard/keys", chromedp.Tasks{
			chromedp.Click(`[value=create]`, chromedp.ByQuery), webtest.Visible("#name[aria-invalid]"),
		}},
		state{"keys-secret", "/dashboard/keys", chromedp.Tasks{
			chromedp.SendKeys("#name", "Docs site\r"), webtest.Visible("dialog"),
		}},
		state{"menus", "/dashboard/keys?done=revoked", chromedp.Evaluate(
			`document.querySelectorAll('details').forEach(d => { d.open = true })`, nil)},
		state{name: "missing", path: "/dashboard/keys?cursor=x"},
	)
}

// TestKeys_byKeyboard creates a key and saves it by keyboard alone, and once more without scripts.
func TestKeys_byKeyboard(t *testing.T) {
	t.Parallel()
	ctx, ok := webtest.Browser(t)
	if !ok {
		return
	}
	h := apptest.StartSignedIn(t)
	me := h.Register()
	var hit string
	var modal bool
	err := webtest.Run(ctx, signedIn(h.Base, me), chromedp.Navigate(h.Base+"/dashboard/keys"),
		chromedp.KeyEvent("/"), webtest.Focused("address"),
		chromedp.SendKeys("#name", webtest.Payload+"\r"), webtest.Visible("dialog"),
		chromedp.Evaluate(`document.querySelector('dialog').matches(':modal')`, &modal),
		chromedp.KeyEvent("\x1b"), webtest.Until(`document.activeElement.matches('[data-leave]')`),
		chromedp.KeyEvent("\r"), webtest.Until(`location.search === '?done=saved'`),
		chromedp.Evaluate(`String(window.hit)`, &hit))
	if err != nil || !modal || hit != "undefined" {
		t.Errorf("%v; the dialog is modal: %v, the payload ran: %s", err, modal, hit)
	}
	// The row asks, Cancel has the focus, Esc closes.
	id := h.Get("/keys", apptest.Bearer(me.Access)).Text("items.0.id")
	err = webtest.Run(ctx, chromedp.Navigate(h.Base+"/dashboard/keys?revoke="+id),
		webtest.Until(`document.activeElement.textContent === 'Cancel'`), // which browsers focus after loading
		chromedp.KeyEvent("\x1b"), webtest.Until(`location.search === '' && !document.querySelector('.ask')`))
	if err != nil {
		t.Error(err)
	}
	base := webtest.WithoutScripts(t, h.Base)
	err = webtest.Run(ctx, signedIn(base, me), chromedp.Navigate(base+"/dashboard/keys"),
		chromedp.SendKeys("#name", "Another\r"), webtest.Visible("dialog"),
		chromedp.Click("[data-leave]", chromedp.ByQuery), webtest.Until(`location.search === '?done=saved'`),
		chromedp.Click(`a[href="/dashboard/keys?revoke=`+id+`"]`, chromedp.ByQuery), webtest.Visible(".ask"),
		chromedp.Click(`.ask [value=revoke]`, chromedp.ByQuery), webtest.Until(`location.search === '?done=revoked'`))
	if err != nil {
		t.Errorf("without scripts: %v", err)
	}
}
