package web_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/getkin/kin-openapi/openapi3"

	"masthead/gen"
	"masthead/pkg/app/apptest"
	"masthead/pkg/app/demo"
	"masthead/pkg/testenv"
)

// browser returns a context with a headless Chromium; ok is false where there is none.
func browser(t *testing.T) (ctx context.Context, ok bool) {
	t.Helper()
	path, ok := testenv.Chromium(t)
	if !ok {
		return nil, false
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.WindowSize(1280, 1600))
	ctx, stop := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx, chromedp.WithErrorf(t.Logf))
	t.Cleanup(stop)
	ctx, stop = context.WithTimeout(ctx, 90*time.Second)
	t.Cleanup(stop)
	return ctx, true
}

// TestSwagger_uneditedExampleDrawsAnImage does what a newcomer does with a demo: open /swagger, authorize with its key, and draw the
// example's image as it stands.
func TestSwagger_uneditedExampleDrawsAnImage(t *testing.T) {
	t.Parallel()
	ctx, ok := browser(t)
	if !ok {
		return
	}
	h := apptest.Start(t)
	account, err := demo.Seed(ctx, h.App.Accounts, h.Config.Storage)
	if err != nil {
		t.Fatal(err)
	}
	const operation = `#operations-Images-generateImage`
	const scheme = `//div[contains(@class, "auth-container")][.//code[text()="apiKeyAuth"]]`
	var status, answer, locks string
	err = chromedp.Run(ctx,
		chromedp.Navigate(h.Base+"/swagger"),
		chromedp.WaitVisible(operation, chromedp.ByQuery),
		chromedp.Click(`.auth-wrapper .authorize`, chromedp.ByQuery),
		chromedp.WaitVisible(`.modal-ux input[type=text]`, chromedp.ByQuery),
		// Both schemes are there; the key goes into the one of the operation.
		chromedp.Evaluate(`[...document.querySelectorAll('.modal-ux .auth-container h4 code')].
			map(e => e.textContent).sort().join()`, &locks),
		chromedp.SendKeys(scheme+`//input`, account.Key, chromedp.BySearch),
		chromedp.Click(scheme+`//button[contains(@class, "authorize")]`, chromedp.BySearch),
		chromedp.Click(`.modal-ux .btn-done`, chromedp.ByQuery),
		chromedp.Click(operation+` .opblock-summary-control`, chromedp.ByQuery),
		chromedp.WaitVisible(operation+` textarea`, chromedp.ByQuery),
		chromedp.Click(operation+` .execute`, chromedp.ByQuery),
		chromedp.WaitVisible(operation+` .live-responses-table .response-col_status`, chromedp.ByQuery),
		chromedp.Text(operation+` .live-responses-table tbody .response-col_status`, &status, chromedp.ByQuery),
		chromedp.Text(operation+` .live-responses-table tbody .response-col_description`, &answer, chromedp.ByQuery),
	)
	if err != nil {
		t.Fatal(err)
	}
	if locks != "apiKeyAuth (http, Bearer),bearerAuth (http, Bearer)" && locks != "apiKeyAuth,bearerAuth" {
		t.Errorf("schemes: got %q, want both", locks)
	}
	if !strings.HasPrefix(status, "200") || !strings.Contains(answer, "imageUrl") {
		t.Errorf("got status %q: %.500s", status, answer)
	}
	shoot(t, ctx, "swagger.png")
}

// TestSwagger_publicOperationHasNoLock compares the locks of the page with the document.
func TestSwagger_publicOperationHasNoLock(t *testing.T) {
	t.Parallel()
	ctx, ok := browser(t)
	if !ok {
		return
	}
	h := apptest.Start(t)
	var locked, open []string
	const ids = `[...document.querySelectorAll('.opblock')].
		filter(e => !!e.querySelector('.authorization__btn') === %v).map(e => e.id.split('-').pop())`
	err := chromedp.Run(ctx,
		chromedp.Navigate(h.Base+"/swagger"),
		chromedp.WaitVisible(`#operations-Images-generateImage`, chromedp.ByQuery),
		chromedp.Evaluate(fmt.Sprintf(ids, true), &locked),
		chromedp.Evaluate(fmt.Sprintf(ids, false), &open),
	)
	if err != nil {
		t.Fatal(err)
	}
	if len(locked) == 0 || len(open) == 0 {
		t.Fatalf("got %d operations with a lock and %d without", len(locked), len(open))
	}
	document, err := openapi3.NewLoader().LoadFromData(gen.Document)
	if err != nil {
		t.Fatal(err)
	}
	public := map[string]bool{}
	for _, item := range document.Paths.Map() {
		for _, op := range item.Operations() {
			public[op.OperationID] = op.Security != nil && len(*op.Security) == 0
		}
	}
	if len(locked)+len(open) != len(public) {
		t.Errorf("got %d operations, want %d", len(locked)+len(open), len(public))
	}
	for _, id := range locked {
		if public[id] {
			t.Errorf("%s is public and has a lock", id)
		}
	}
	for _, id := range open {
		if !public[id] {
			t.Errorf("%s takes credentials and has no lock", id)
		}
	}
}

// TestPages_policyRefusesNothing loads each page and fails when the browser refuses something that the page needs.
func TestPages_policyRefusesNothing(t *testing.T) {
	t.Parallel()
	ctx, ok := browser(t)
	if !ok {
		return
	}
	h := apptest.Start(t)
	for _, page := range []string{"/", "/swagger"} {
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
		shoot(t, ctx, "page"+strings.ReplaceAll(page, "/", "-")+".png")
	}
}

// shoot keeps a picture of the page among the test's artifacts, for people.
func shoot(t *testing.T, ctx context.Context, name string) { //nolint:revive // t goes first in helpers
	t.Helper()
	var shot []byte
	if err := chromedp.Run(ctx, chromedp.CaptureScreenshot(&shot)); err != nil {
		t.Errorf("screenshot: %v", err)
		return
	}
	if err := os.WriteFile(t.ArtifactDir()+"/"+name, shot, 0o600); err != nil {
		t.Error(err)
	}
}
