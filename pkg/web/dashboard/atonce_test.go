package dashboard_test

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"masthead/pkg/app/apptest"
	"masthead/pkg/web/webtest"
)

// TestDashboard_atOnce changes what is saved without a button, and takes a change of a plan back, which without scripts
// has buttons. The keys of the sections work until they are turned off.
func TestDashboard_atOnce(t *testing.T) {
	t.Parallel()
	ctx, ok := webtest.Browser(t)
	if !ok {
		return
	}
	h := apptest.StartSignedIn(t)
	other := h.Register()
	people, row := adminPath+"/people", `#plan-`+h.ID(other)
	ready := webtest.Until(`document.querySelector('[data-htmx-powered]')`)
	plan := func(want string) chromedp.Action {
		return chromedp.ActionFunc(func(context.Context) error {
			apptest.WaitFor(t, "the plan "+want, func() bool {
				return h.Get("/users/me", apptest.Bearer(other.Access)).Text("plan") == want
			})
			return nil
		})
	}
	choose := func(selector, value string) chromedp.Action {
		return chromedp.Evaluate(`(s => { s.focus(); s.value = '`+value+`'
			s.dispatchEvent(new Event('change', { bubbles: true })) })(document.querySelector('`+selector+`'))`, nil)
	}
	err := webtest.Run(ctx, webtest.SignedIn(h.Base, h.Session.Access), chromedp.Navigate(h.Base+people), ready,
		choose(row, "pro"), webtest.Until(`/^Undo, \d+ s left$/.test(document.querySelector('.undo button')?.textContent)`),
		webtest.Until(`document.activeElement.matches('`+row+`')`), plan("pro"),
		chromedp.Click(".undo button", chromedp.ByQuery), webtest.Until(`!document.querySelector('.undo')`), plan("free"),
		// Two changes, the second before the response to the first: the last one holds.
		choose(row, "pro"), choose(row, "plus"), webtest.Until(`document.querySelector('.undo')`), plan("plus"),
		webtest.Until(`document.querySelector('`+row+`').value === 'plus'`))
	if err != nil {
		t.Error(err)
	}
	webtest.Look(t, ctx, h.Base, webtest.State{Name: "people-undo", Path: people, Then: chromedp.Tasks{
		ready, choose(row, "pro"), webtest.Until(`document.querySelector('.undo')`), plan("pro"),
		choose(row, "free"), webtest.Until(`document.querySelector('.undo [name=plan]').value === 'pro'`), plan("free"),
	}})

	const box = `[name="webhook.plan_changed"]`
	var checked bool
	err = webtest.Run(ctx, webtest.Desk, chromedp.Navigate(h.Base+"/dashboard/notifications"), ready,
		chromedp.Evaluate(`document.querySelector('`+box+`').checked`, &checked),
		chromedp.Click(box, chromedp.ByQuery),
		webtest.Until(`document.querySelector('.done')?.textContent.includes('Saved')`))
	if err != nil {
		t.Error(err)
	}
	if now := h.Get("/notifications/preferences", apptest.Bearer(h.Session.Access)); now.Status != http.StatusOK ||
		strings.Contains(preferenceOf(now, "plan_changed"), `"webhook":true`) == checked {
		t.Errorf("checked was %v, and now: %s", checked, now.Body)
	}

	// A button says what takes long.
	err = webtest.Run(ctx, chromedp.Navigate(h.Base+"/dashboard/settings"), ready,
		chromedp.Evaluate(`window.rest = wait(document.querySelector('[value=name]'))`, nil),
		webtest.Until(`document.querySelector('[value=name][aria-busy]')?.textContent === 'Saving'`),
		chromedp.Evaluate(`rest()`, nil),
		webtest.Until(`document.querySelector('[value=name]:not([aria-busy])')?.textContent === 'Save'`))
	if err != nil {
		t.Error(err)
	}

	off := `document.getElementById('single-keys').checked`
	err = webtest.Run(ctx, chromedp.KeyEvent("g"), chromedp.KeyEvent("i"), webtest.Arrived("/dashboard/images"), ready,
		chromedp.KeyEvent("g"), chromedp.KeyEvent("x"), chromedp.KeyEvent("u"), chromedp.KeyEvent("/"),
		webtest.Until(`document.activeElement.id === 'address' && location.pathname === '/dashboard/images'`),
		chromedp.KeyEvent("gu"), webtest.Until(`document.getElementById('address').value.endsWith('gu')`),
		chromedp.Navigate(h.Base+"/dashboard/settings"), webtest.Until(off), chromedp.Click("#single-keys", chromedp.ByQuery),
		chromedp.Navigate(h.Base+"/dashboard/settings"), webtest.Until(`!`+off), chromedp.KeyEvent("gi/"),
		chromedp.Click("#single-keys", chromedp.ByQuery),
		webtest.Until(off+` && location.pathname === '/dashboard/settings'`),
		webtest.Until(`document.activeElement.id === 'single-keys'`),
		chromedp.KeyEvent("gd"), webtest.Arrived("/dashboard/designs"))
	if err != nil {
		t.Error(err)
	}
}

// preferenceOf is the part of the preferences about a kind.
func preferenceOf(all *apptest.Response, kind string) string {
	_, rest, _ := strings.Cut(string(all.Body), `"`+kind+`"`)
	of, _, _ := strings.Cut(rest, "}")
	return of
}

// TestDashboard_undoWhereItWas deletes reports and images: what takes it back is where they were.
func TestDashboard_undoWhereItWas(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	v := webtest.SignIn(t, h.Base, h.Session.Access)
	var reports, images []string // the oldest first
	for _, path := range []string{"/page/a", "/page/b", "/page/c"} {
		made := h.Post("/audits", map[string]any{"url": h.Site.At(path)}, apptest.Bearer(h.Session.Access))
		reports = append(reports, made.Want(http.StatusOK).Text("id"))
		images = append(images, h.Generate(path, nil).Want(http.StatusOK).Text("id"))
	}
	if page := v.Get(imagesPath); !strings.Contains(page.Main(), ">3 images<") {
		t.Errorf("the images: %s", page.Main())
	}
	if page := v.Get(reportsPath); !strings.Contains(page.Main(), "All reports, 3<") {
		t.Errorf("the reports: %s", page.Main())
	}
	for i, id := range reports {
		page := v.Get(reportsPath).Main()
		_, form, _ := strings.Cut(page, `name="id" value="`+id+`"`)
		_, place, _ := strings.Cut(form, `name="where" value="`)
		place, _, _ = strings.Cut(place, `"`)
		gone := v.Post(reportsPath, fields("do", "delete", "id", id, "where", place))
		wantAt(t, v.Get(gone.Header.Get("Location")).Main(), i, `class="undo"`, "/audit/", reports)
		v.Post(reportsPath, fields("do", "undo", "id", id))
	}
	for i, id := range images {
		gone := v.Post(imagesPath+"/"+id, fields("do", "delete"))
		wantAt(t, v.Get(gone.Header.Get("Location")).Main(), i, `class="undo"`, imagesPath+"/", images)
		v.Post(imagesPath, fields("id", id))
	}
	// A place that isn't on the page, or was made up: at the top.
	for _, where := range []string{reports[0] + "x", `"><b>`, "x"} {
		query := url.Values{"deleted": {reports[0]}, "where": {where},
			"until": {strconv.FormatInt(time.Now().Add(30*time.Second).UnixMilli(), 10)}}
		page := v.Get(reportsPath + "?" + query.Encode()).Main()
		if strings.Count(page, `class="undo"`) != 1 || strings.Index(page, `class="undo"`) > strings.Index(page, "<table") {
			t.Errorf("%s: %s", where, page)
		}
	}
}

// wantAt wants one undo, between what came after the nth of all, the oldest first, and what came before it: path leads
// to each.
func wantAt(t *testing.T, page string, n int, undo, path string, all []string) {
	t.Helper()
	at := strings.Index(page, undo)
	for i, id := range all {
		if i == n {
			continue
		}
		if other := strings.Index(page, `"`+path+id+`"`); other < 0 || at < 0 || (other < at) != (i > n) {
			t.Errorf("%d of %d: the undo at %d, number %d at %d: %s", n, len(all), at, i, other, page)
		}
	}
}
