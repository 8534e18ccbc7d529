package web_test

import (
	"bytes"
	"fmt"
	"image/png"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/identity"
	"masthead/pkg/web/webtest"
)

// The card in a report has the accent that the analysis of the page finds, from its icon too, and no unfilled template.
func TestReport_cardIsDrawnAsEveryCard(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/page":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = fmt.Fprint(w, `<!doctype html><html lang="en"><head><title>{{ page.title }}</title><link rel="icon" `+
				`href="/icon.svg"><meta name="description" content="${description}"></head><body><h1>A heading</h1></body></html>`)
		case "/icon.svg":
			w.Header().Set("Content-Type", "image/svg+xml")
			_, _ = fmt.Fprint(w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="#15803d" d="M0 0h8v8H0z"/></svg>`)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	t.Cleanup(site.Close)
	h := apptest.StartSignedIn(t, func(c *app.Config) {
		c.Fetch.Allow = append(c.Fetch.Allow, "127.0.0.1/32:"+site.URL[strings.LastIndex(site.URL, ":")+1:])
	})
	user := apptest.Bearer(h.Session.Access)
	page := map[string]any{"url": site.URL + "/page"}
	want := h.Post("/pages/analyze", page, user).Want(http.StatusOK).Text("accent.hex")
	id := h.Post("/audits", page).Want(http.StatusOK).Text("id")
	record, err := h.App.Audits.Get(t.Context(), identity.Caller{}, id)
	if err != nil {
		t.Fatal(err)
	}
	drawn := record.Report.Drawn
	if drawn == nil || drawn.Accent != want || drawn.Title != "A heading" || drawn.Description != "" {
		t.Errorf("got %+v, want the accent %s and the heading", drawn, want)
	}
	// The picture shows it: an editorial card has its accent in the eyebrow's mark and the letter behind the text.
	card, err := png.Decode(bytes.NewReader(h.Get("/audit/" + id + "/masthead-card").Want(http.StatusOK).Body))
	if err != nil {
		t.Fatal(err)
	}
	green, violet := 0, 0
	for y := range card.Bounds().Dy() {
		for x := range card.Bounds().Dx() {
			r, g, b, _ := card.At(x, y).RGBA()
			if g > r+0x1800 && g > b+0x0800 {
				green++
			}
			if b > g+0x1800 && r > g {
				violet++
			}
		}
	}
	if green < 500 || violet > 0 {
		t.Errorf("%d green and %d violet pixels next to a green icon", green, violet)
	}
}

// TestReport_secondViewIsTheFirst compares a page that was just written with one whose fixed parts weren't: for a
// visitor, and for the owner, who sees more.
func TestReport_secondViewIsTheFirst(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	made := h.Post("/audits", map[string]any{"url": h.Site.At("/page/a")}, apptest.Bearer(h.Session.Access))
	path := "/audit/" + made.Want(http.StatusOK).Text("id")
	owner, visitor := webtest.SignIn(t, h.Base, h.Session.Access), webtest.NewVisitor(t, h.Base)
	own := regexp.MustCompile(`nonce="[^"]*"|<span title="[^"]*">[^<]*</span>`)
	page := func(v *webtest.Visitor) string { return own.ReplaceAllString(v.Get(path).Body, "") }
	first := page(visitor)
	if ofOwner := page(owner); ofOwner == first || !strings.Contains(ofOwner, "Try all ") {
		t.Error("the owner's page is a visitor's")
	}
	if second := page(visitor); second != first || strings.Count(first, `class="frame p-`) != 9 ||
		!strings.Contains(first, "checks passed") {
		t.Errorf("got %s, then %s", first, second)
	}
}

// On a phone the row of previews says which of them is shown.
func TestReport_rowOfPreviewsCounts(t *testing.T) {
	t.Parallel()
	ctx, ok := browser(t)
	if !ok {
		return
	}
	h := apptest.Start(t)
	var first, last, wide string
	count := func(into *string) chromedp.Action {
		return chromedp.Evaluate(`document.querySelector('[data-count]').checkVisibility() ?
			document.querySelector('[data-count]').textContent : 'hidden'`, into)
	}
	err := webtest.Run(ctx, phone, chromedp.Navigate(h.Base+"/audit/example"), chromedp.WaitVisible("#frames"),
		count(&first),
		chromedp.Evaluate(`document.getElementById('frames').scrollTo({left: 1e6, behavior: 'instant'})`, nil),
		chromedp.Poll(`document.querySelector('[data-count]').textContent !== '1 of 8'`, nil), count(&last),
		desk, count(&wide))
	if err != nil {
		t.Fatal(err)
	}
	if first != "1 of 8" || last != "8 of 8" || wide != "hidden" {
		t.Errorf("got %q, at the end %q, on a desk %q", first, last, wide)
	}
	err = webtest.Run(ctx, phone, chromedp.ScrollIntoView("#frames"))
	if err != nil {
		t.Fatal(err)
	}
	shoot(t, ctx, "frames-390.png")
}
