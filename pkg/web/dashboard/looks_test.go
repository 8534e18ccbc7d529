package dashboard_test

import (
	"testing"

	"github.com/chromedp/chromedp"

	"masthead/pkg/app/apptest"
	"masthead/pkg/web/webtest"
)

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
	if err := webtest.Run(ctx, webtest.SignedIn(h.Base, empty.Access)); err != nil {
		t.Fatal(err)
	}
	webtest.Look(t, ctx, h.Base, webtest.State{Name: "keys-empty", Path: "/dashboard/keys"})
	if err := webtest.Run(ctx, webtest.SignedIn(h.Base, me.Access)); err != nil {
		t.Fatal(err)
	}
	webtest.Look(t, ctx, h.Base, webtest.State{Name: "keys", Path: "/dashboard/keys"},
		webtest.State{Name: "keys-revoke", Path: "/dashboard/keys?revoke=" + id},
		webtest.State{Name: "keys-error", Path: "/dashboard/keys", Then: chromedp.Tasks{
			chromedp.Click(`[value=create]`, chromedp.ByQuery), webtest.Visible("#name[aria-invalid]"),
		}},
		webtest.State{Name: "keys-secret", Path: "/dashboard/keys", Then: chromedp.Tasks{
			chromedp.SendKeys("#name", "Docs site\r"), webtest.Visible("dialog"),
		}},
		webtest.State{Name: "menus", Path: "/dashboard/keys?done=revoked", Then: chromedp.Evaluate(
			`document.querySelectorAll('details').forEach(d => { d.open = true })`, nil)},
		webtest.State{Name: "missing", Path: "/dashboard/keys?cursor=x"},
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
	err := webtest.Run(ctx, webtest.SignedIn(h.Base, me.Access), chromedp.Navigate(h.Base+"/dashboard/keys"),
		chromedp.KeyEvent("/"), webtest.Focused("address"),
		chromedp.SendKeys("#name", webtest.Payload+"\r"), webtest.Visible("dialog"),
		chromedp.Evaluate(`document.querySelector('dialog').matches(':modal')`, &modal),
		chromedp.KeyEvent("\x1b"), webtest.Until(`document.activeElement.matches('[data-leave]')`),
		webtest.Key('\r'), webtest.Until(`location.search === '?done=saved'`),
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
	err = webtest.Run(ctx, webtest.SignedIn(base, me.Access), chromedp.Navigate(base+"/dashboard/keys"),
		chromedp.SendKeys("#name", "Another\r"), webtest.Visible("dialog"),
		chromedp.Click("[data-leave]", chromedp.ByQuery), webtest.Until(`location.search === '?done=saved'`),
		chromedp.Click(`a[href="/dashboard/keys?revoke=`+id+`"]`, chromedp.ByQuery), webtest.Visible(".ask"),
		chromedp.Click(`.ask [value=revoke]`, chromedp.ByQuery), webtest.Until(`location.search === '?done=revoked'`))
	if err != nil {
		t.Errorf("without scripts: %v", err)
	}
}
