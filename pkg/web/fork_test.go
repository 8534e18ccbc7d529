package web_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"masthead/pkg/app/apptest"
	"masthead/pkg/web/webtest"
	"masthead/render/design/start"
)

// TestFork_fromTheSheetToTheEditor has a visitor without an account: the last place of the playground's sheet leads
// past registering to the editor, with the selected design as a document of their own.
func TestFork_fromTheSheetToTheEditor(t *testing.T) {
	t.Parallel()
	ctx, ok := browser(t)
	if !ok {
		return
	}
	h := apptest.Start(t)
	want, ok := start.Document("editorial")
	if !ok {
		t.Fatal("there is no document of the design")
	}
	for name, base := range map[string]string{"with scripts": h.Base, "without": withoutScripts(t, h.Base)} {
		t.Run(name, func(t *testing.T) {
			var title, source, project string
			err := webtest.Run(ctx, desk, network.ClearBrowserCookies(),
				chromedp.Navigate(base+"/try"),
				chromedp.SendKeys("#url", h.Site.At("/page/one")),
				chromedp.Click(".field .box button:not(.bar *)", chromedp.ByQuery),
				chromedp.WaitVisible(".sheet", chromedp.ByQuery),
				chromedp.Click(".fork a", chromedp.ByQuery), webtest.Arrived("/sign-in"),
				chromedp.Click(`main a[href^="/register"]`, chromedp.ByQuery), webtest.Arrived("/register"),
				chromedp.SendKeys("#email", fmt.Sprintf("fork%v@example.com", base == h.Base)),
				chromedp.SendKeys("#password", apptest.Password),
				chromedp.Click(`main form .filled`, chromedp.ByQuery), webtest.Arrived("/dashboard/designs"),
				chromedp.WaitVisible(`[name=from][value=editorial]:checked + img`, chromedp.ByQuery),
				chromedp.Value("#projectName", &project),
			)
			if err != nil {
				t.Fatal(err)
			}
			shoot(t, ctx, fmt.Sprintf("fork-%v.png", base == h.Base))
			err = webtest.Run(ctx, chromedp.Click(`#new .filled`, chromedp.ByQuery),
				webtest.Until(`location.pathname.startsWith('/dashboard/designs/')`),
				chromedp.Text("h1", &title), chromedp.Value(`textarea[name=html]`, &source))
			if err != nil {
				t.Fatal(err)
			}
			if project != "My site" || !strings.Contains(title, "Editorial") ||
				strings.TrimSpace(strings.ReplaceAll(source, "\r\n", "\n")) != strings.TrimSpace(want) {
				t.Errorf("in the project %q, %q with the document %.200q, want that of Editorial", project, title, source)
			}
		})
	}
}
