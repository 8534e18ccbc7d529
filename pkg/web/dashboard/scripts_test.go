package dashboard_test

import (
	"context"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"masthead/pkg/app/apptest"
	"masthead/pkg/web/webtest"
)

// slow delays every response to the window.
func slow(milliseconds float64) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := network.EmulateNetworkConditionsByRule(false, []*network.Conditions{
			{Latency: milliseconds, DownloadThroughput: -1, UploadThroughput: -1},
		}).Do(ctx)
		return err
	})
}

// TestDashboard_saysWhatTakesLong has a filter with a bar below it, and a button that says what it does and for how
// long, with a bar on what is awaited.
func TestDashboard_saysWhatTakesLong(t *testing.T) {
	t.Parallel()
	ctx, ok := webtest.Browser(t)
	if !ok {
		return
	}
	h := apptest.StartSignedIn(t)
	const bar = `getComputedStyle(document.querySelector('.filter'), '::after').height === '3px'`
	const button = `document.querySelector('[value=create]')`
	var before bool
	var width, busy float64
	err := webtest.Run(ctx, webtest.SignedIn(h.Base, h.Session.Access), webtest.Desk,
		chromedp.Navigate(h.Base+"/dashboard/images"), webtest.Until(`document.querySelector('[data-htmx-powered]')`),
		chromedp.Evaluate(bar, &before), slow(2000),
		chromedp.Click(".filter button", chromedp.ByQuery),
		webtest.Until(`document.querySelector('.filter[aria-busy=true]') && `+bar), slow(0),
		webtest.Until(`!document.querySelector('.filter[aria-busy]')`),

		chromedp.Navigate(h.Base+"/dashboard/keys"), webtest.Until(`document.querySelector('[data-htmx-powered]')`),
		chromedp.SendKeys("#name", "Site build", chromedp.ByQuery),
		chromedp.Evaluate(button+`.offsetWidth`, &width), slow(6000),
		chromedp.Click("[value=create]", chromedp.ByQuery),
		webtest.Until(button+`.textContent === 'Creating' && `+button+`.ariaBusy === 'true'`),
		chromedp.Evaluate(button+`.offsetWidth`, &busy),
		webtest.Until(`document.querySelector('main[aria-busy=true]')`),
		webtest.Until(`/^Creating, [3-9] s$/.test(`+button+`.textContent)`),
		slow(0), webtest.Visible("dialog"), webtest.Until(`!document.querySelector('main[aria-busy]')`))
	if err != nil || before || busy < width {
		t.Errorf("%v; the bar is there at once: %v; the button is %v wide, and then %v", err, before, width, busy)
	}
}

// TestDashboard_menuCloses closes the account menu by Esc, which gives the focus back, and by a click outside.
func TestDashboard_menuCloses(t *testing.T) {
	t.Parallel()
	ctx, ok := webtest.Browser(t)
	if !ok {
		return
	}
	h := apptest.StartSignedIn(t)
	opened := webtest.Until(`document.querySelector('.menu').open`)
	closed := webtest.Until(`!document.querySelector('.menu').open`)
	open := chromedp.Tasks{chromedp.Click(".menu summary", chromedp.ByQuery), opened}
	var inside, focused bool
	err := webtest.Run(ctx, webtest.SignedIn(h.Base, h.Session.Access), webtest.Desk,
		chromedp.Navigate(h.Base+"/dashboard/keys"), open,
		chromedp.Focus(".menu a", chromedp.ByQuery), chromedp.KeyEvent("\x1b"), closed,
		chromedp.Evaluate(`document.activeElement.matches('.menu summary')`, &focused),
		open, chromedp.Evaluate(`document.querySelector('.menu ul').click(), document.querySelector('.menu').open`, &inside),
		chromedp.Click("h1", chromedp.ByQuery), closed)
	if err != nil || !focused || !inside {
		t.Errorf("%v; the focus is back: %v; a click inside leaves it open: %v", err, focused, inside)
	}
}

// TestDashboard_localTimes writes times in the reader's zone; UTC is the title of what is rewritten.
func TestDashboard_localTimes(t *testing.T) {
	t.Parallel()
	ctx, ok := webtest.Browser(t)
	if !ok {
		return
	}
	h := apptest.StartSignedIn(t)
	var local, words []string
	read := func(selector string, into *[]string) chromedp.Action {
		return chromedp.Evaluate(`(t => [t.dateTime, t.textContent, t.title])(document.querySelector('`+selector+`'))`, into)
	}
	err := webtest.Run(ctx, webtest.SignedIn(h.Base, h.Session.Access), webtest.Desk,
		emulation.SetTimezoneOverride("Asia/Kathmandu"), chromedp.Navigate(h.Base+"/"), // 5:45 before UTC
		chromedp.Evaluate(`(() => {
			const t = document.createElement('time')
			t.dateTime = '2026-11-27T21:30:00Z'; t.title = '27 November 2026, 21:30 UTC'; t.textContent = '27 November 2026'
			t.dataset.form = 'date'; t.id = 'local'
			const w = t.cloneNode(); w.removeAttribute('data-form'); w.textContent = '3 minutes ago'; w.id = 'words'
			document.querySelector('main').append(t, w)
			dispatchEvent(new Event('htmx:after:swap')) })()`, nil),
		read("#local", &local), read("#words", &words))
	if err != nil {
		t.Fatal(err)
	}
	if local[1] != "28 November 2026" || local[2] != "27 November 2026, 21:30 UTC" {
		t.Errorf("a date is %q, with the title %q", local[1], local[2])
	}
	if words[1] != "3 minutes ago" || !strings.HasPrefix(words[2], "28 November 2026, 03:15") {
		t.Errorf("words are %q, with the title %q", words[1], words[2])
	}
}
