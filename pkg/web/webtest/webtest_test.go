package webtest_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/chromedp/chromedp"

	"masthead/pkg/web/webtest"
)

func TestMain(m *testing.M) { webtest.Main(m) }

// TestRun_replaced clicks on a button that a script replaces hundreds of times a second, as pages do that redraw a part
// of themselves: at first and after each click, for a while. A busy machine can't click on one that always changes.
func TestRun_replaced(t *testing.T) {
	t.Parallel()
	ctx, ok := webtest.Browser(t)
	if !ok {
		return
	}
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<!doctype html><title>Replaced</title><div id="box"></div><script>
			let clicks = 0, fresh = 0
			const replace = () => { box.innerHTML = '<button onmousedown="clicks++; fresh = 0">Click</button>' }
			replace(); setInterval(() => { if (fresh++ % 200 < 60) replace() }, 3)</script>`))
	}))
	t.Cleanup(page.Close)
	actions := []chromedp.Action{chromedp.Navigate(page.URL)}
	for range 6 {
		actions = append(actions, chromedp.Click("button", chromedp.ByQuery))
	}
	var clicks int
	if err := webtest.Run(ctx, append(actions, chromedp.Evaluate(`clicks`, &clicks))...); err != nil {
		t.Fatal(err)
	}
	if clicks == 0 {
		t.Error("no click arrived")
	}
}
