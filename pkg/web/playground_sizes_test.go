package web_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"masthead/pkg/app/apptest"
	"masthead/pkg/web/webtest"
)

// TestPlayground_sizesByKeyboard chooses a further size with the keyboard, then another look and another design: the
// address, the code and the pictures follow.
func TestPlayground_sizesByKeyboard(t *testing.T) {
	t.Parallel()
	ctx, ok := browser(t)
	if !ok {
		return
	}
	h := apptest.Start(t)
	var address, others string
	var checked bool
	err := webtest.Run(ctx,
		chromedp.Navigate(h.Base+"/"),
		chromedp.SendKeys("#url", h.Site.At("/page/one")),
		chromedp.Click("button[formaction='/try']"),
		drawn,
		chromedp.Focus(`#size-1080x1080`, chromedp.ByQuery), webtest.Key(' '),
		chromedp.Poll(`location.search.includes('sizes=1080x1080')`, nil),
		chromedp.Poll(`[...document.querySelectorAll('[data-use]')].every(a => a.href.includes('sizes=1080x1080'))`, nil),
		chromedp.KeyEvent(kb.Tab), // the link to its file
		chromedp.Poll(`document.activeElement.matches('[download][href*="size=1080x1080"]')`, nil),
		// Its pictures follow another background, and the choice stays.
		chromedp.Click(`label[for="dark-false"]`, chromedp.ByQuery),
		chromedp.Poll(`[...document.querySelectorAll('.formats img')].
			every(i => i.src.includes('dark=false') && i.naturalWidth === 480)`, nil),
		chromedp.Evaluate(`document.getElementById('size-1080x1080').checked`, &checked),
		chromedp.Location(&address),
		// A design without other sizes says so.
		chromedp.Click(`.proof:has([value=horizon])`, chromedp.ByQuery),
		chromedp.Poll(`!document.querySelector('.formats')`, nil),
		chromedp.Text(`.also`, &others, chromedp.ByQuery),
		chromedp.Click(`.proof:has([value=editorial])`, chromedp.ByQuery),
		chromedp.Poll(`document.querySelectorAll('.formats img').length === 5`, nil),
	)
	if err != nil {
		t.Fatal(err)
	}
	if !checked || !strings.Contains(address, "sizes=1080x1080") || !strings.Contains(others, "no other sizes") {
		t.Errorf("checked %v at %s; a design without sizes says %q", checked, address, others)
	}
	if found, ok := webtest.Axe(t, ctx); ok && len(found) > 0 {
		t.Errorf("axe found: %v", found)
	}
}
