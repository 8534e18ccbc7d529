package web_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/getkin/kin-openapi/openapi3"

	"masthead/gen"
	"masthead/pkg/app/apptest"
	"masthead/pkg/app/demo"
	"masthead/pkg/web/webtest"
)

// TestSwagger_uneditedExampleDrawsAnImage does what a newcomer does with a demo: open /swagger, authorize with its key,
// and draw the image of the example as it stands.
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
	err = webtest.Run(ctx,
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
	err := webtest.Run(ctx,
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
	document, err := openapi3.NewLoader().LoadFromData(gen.Document())
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

// TestSwagger_tryItOutShowsPictures lets each operation that answers with a picture show it: as a blob: address, which
// the policy of the page must allow.
func TestSwagger_tryItOutShowsPictures(t *testing.T) {
	t.Parallel()
	ctx, ok := browser(t)
	if !ok {
		return
	}
	h := apptest.StartSignedIn(t)
	image := h.Generate("/page/shown", nil).Want(http.StatusOK)
	file := strings.Split(strings.TrimPrefix(image.Path("imageUrl"), "/cdn/"), "/")
	if err := webtest.Run(ctx, chromedp.Navigate(h.Base+"/swagger"),
		chromedp.WaitVisible(`#operations-Serving-getFile`, chromedp.ByQuery)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		operation, path string
		values          map[string]string
	}{
		{"Serving-getPublicImage", "/og/{publicId}", map[string]string{"publicId": image.Text("publicId")}},
		{"Serving-getFile", "/cdn/{digest}/{name}", map[string]string{"digest": file[0], "name": file[1]}},
		{"Templates-getTemplateSample", "/templates/{slug}/sample", map[string]string{"slug": "editorial"}},
	} {
		block := "#operations-" + c.operation
		// Blocks unfold and move while they are aimed at, so nothing is clicked by its place.
		press := func(selector string) chromedp.Action {
			return chromedp.Evaluate(fmt.Sprintf(`document.querySelector(%q).click()`, block+selector), nil)
		}
		steps := []chromedp.Action{
			press(` .opblock-summary-control`),
			chromedp.WaitVisible(block+` .execute`, chromedp.ByQuery),
		}
		for name, value := range c.values {
			steps = append(steps,
				fill(fmt.Sprintf(`%s tr[data-param-name=%q] input`, block, name), value),
				// A field waits for more keys before it tells the page.
				chromedp.Poll(fmt.Sprintf(`JSON.stringify(ui.getSystem().specSelectors.parameterValues([%q, 'get'])).
					includes(%q)`, c.path, `"`+value+`"`), nil),
			)
		}
		shown := block + ` .live-responses-table img`
		var size []int
		steps = append(steps,
			press(` .execute`),
			chromedp.WaitReady(shown, chromedp.ByQuery),
			// Each drawing of the page gives it another address, under which it is read anew, so size is asked for until
			// there is one. One that the policy refuses never gets a size.
			chromedp.Poll(fmt.Sprintf(`(i => i?.naturalWidth > 0 && [i.naturalWidth, i.clientHeight])(
				document.querySelector(%q))`, shown), &size, chromedp.WithPollingTimeout(20*time.Second)),
		)
		if err := webtest.Run(ctx, steps...); err != nil {
			t.Fatalf("%s: %v", c.operation, err)
		}
		if size[0] != 1200 || size[1] < 100 {
			t.Errorf("%s: got a picture of %d px, shown %d px high, want 1200 px", c.operation, size[0], size[1])
		}
		shoot(t, ctx, c.operation+".png")
	}
}

func TestSwagger_onlyItsPageMayShowBlobs(t *testing.T) {
	t.Parallel()
	h := apptest.Start(t)
	for path, want := range map[string]bool{"/swagger": true, "/swagger/": true, "/": false, "/templates": false} {
		policy := h.Get(path).Want(http.StatusOK).Header.Get("Content-Security-Policy")
		if got := strings.Contains(policy, "blob:"); got != want {
			t.Errorf("%s: got blob: %v, want %v: %s", path, got, want, policy)
		}
	}
}

// TestSwagger_assetsAreValidated holds that a validator is a quoted string (RFC 9110, 8.8.3), that it is matched as
// one, and that compressed bytes have another.
func TestSwagger_assetsAreValidated(t *testing.T) {
	t.Parallel()
	h := apptest.Start(t)
	const asset = "/swagger/swagger-ui.css"
	plain := h.Get(asset, apptest.Header("Accept-Encoding", "identity")).Want(http.StatusOK)
	packed := h.Get(asset, apptest.Header("Accept-Encoding", "gzip")).Want(http.StatusOK)
	tags := map[string]string{"identity": plain.Header.Get("ETag"), "gzip": packed.Header.Get("ETag")}
	if tags["identity"] == tags["gzip"] || len(packed.Body) >= len(plain.Body) {
		t.Errorf("got the ETags %v for %d and %d bytes, want two", tags, len(plain.Body), len(packed.Body))
	}
	for coding, tag := range tags {
		if !regexp.MustCompile(`^"[^"]+"$`).MatchString(tag) {
			t.Errorf("%s: got ETag %s, want it in quotes", coding, tag)
		}
		for _, sent := range []string{tag, "W/" + tag, `"other", ` + tag} {
			again := h.Get(asset, apptest.Header("Accept-Encoding", coding), apptest.Header("If-None-Match", sent))
			if again.Status != http.StatusNotModified || len(again.Body) > 0 || again.Header.Get("ETag") != tag {
				t.Errorf("%s, If-None-Match %s: got %d with %d bytes, want 304", coding, sent, again.Status,
					len(again.Body))
			}
		}
		other := h.Get(asset, apptest.Header("Accept-Encoding", coding),
			apptest.Header("If-None-Match", `"other"`)).Want(http.StatusOK)
		if other.Header.Get("Cache-Control") != "public, max-age=86400" || len(other.Body) == 0 {
			t.Errorf("%s: got %d bytes with %v, want a day", coding, len(other.Body), other.Header)
		}
	}
}

// TestSwagger_showsLimitsAndHeaders unfolds an operation: it says which bucket it counts in, and what its responses say
// of the window.
func TestSwagger_showsLimitsAndHeaders(t *testing.T) {
	t.Parallel()
	ctx, ok := browser(t)
	if !ok {
		return
	}
	h := apptest.Start(t)
	const operation = `#operations-Images-generateImage`
	var text string
	err := webtest.Run(ctx,
		chromedp.Navigate(h.Base+"/swagger"),
		chromedp.WaitVisible(operation, chromedp.ByQuery),
		chromedp.Click(operation+` .opblock-summary-control`, chromedp.ByQuery),
		chromedp.WaitVisible(operation+` .responses-table`, chromedp.ByQuery),
		chromedp.Text(operation, &text, chromedp.ByQuery),
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"x-rate-bucket", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "Retry-After", "Idempotency-Key",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the operation does not show %s", want)
		}
	}
}
