package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"masthead/pkg/app/apptest"
	"masthead/pkg/db"
	"masthead/pkg/identity"
	"masthead/pkg/web/webtest"
)

// crawlersOf sets how far reading the page of a report by the names of crawlers is.
func crawlersOf(h *apptest.Service, report, state, fault, lens string) {
	h.T().Helper()
	// At once, since a page that waits may look at any time.
	err := h.App.DB.InTx(h.T().Context(), func(tx *db.Tx) error {
		_, err := tx.Exec(h.T().Context(), `DELETE FROM crawler_reads`)
		if err == nil && state != "" {
			_, err = tx.Exec(h.T().Context(), `INSERT INTO crawler_reads
				(id, owner_id, report_id, host, url, state, error, lens, created_at, finished_at)
				VALUES (?, ?, ?, 'one.example', 'https://one.example/', ?, ?, ?, 1, ?)`, db.NewID(), h.ID(h.Session),
				report, state, fault, db.OrNull(lens), 1)
		}
		return err
	})
	if err != nil {
		h.T().Fatal(err)
	}
}

// view is a view of a lens, as stored.
func view(id, name, access, why, fix string) string {
	return fmt.Sprintf(`{"id": %q, "name": %q, "agent": %v, "access": %q, "why": [%q], "fix": %q}`, id, name,
		strings.HasSuffix(id, "bot"), access, why, fix)
}

var someSeen = `{"views": [` + strings.Join([]string{
	`{"id": "x", "name": "X", "access": "received"}`, `{"id": "slack", "name": "Slack", "access": "received"}`,
	view("facebook", "Facebook", "may differ", "Cloudflare answers with a challenge (status 403) instead of the page.",
		"Cloudflare: add a WAF custom rule “User Agent contains facebookexternalhit”, action Skip."),
	view("gptbot", "GPTBot", "blocked", "The page answers GPTBot with status 403.", "Let GPTBot in."),
	view("claudebot", "ClaudeBot", "blocked", "The page answers ClaudeBot with status 403.", "Let ClaudeBot in."),
	view("mastodon", "Mastodon", "differs", "Its title is “<b>bold</b>”; ours is “A page”.", "Send crawlers the same page."),
}, ",") + `]}`

// TestCrawlers_onTheReport shows every state of the part about crawlers to the owner of a report and to others.
func TestCrawlers_onTheReport(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	owner := apptest.Header("Cookie", "access_token="+h.Session.Access)
	made := h.Post("/audits", map[string]any{"url": h.Site.At("/page/one")}, apptest.Bearer(h.Session.Access))
	id := made.Want(http.StatusOK).Text("id")
	path := "/audit/" + id + "/crawlers"
	for _, c := range []struct {
		name, state, fault, lens string
		owner                    bool
		has, hasNot              []string
	}{
		{"derived", "", "", "", true, []string{"Try all 17 names", "nothing found that keeps them out", `method="post"`}, []string{"data-waits"}},
		{"derived, of another", "", "", "", false, []string{"17 of 17", "signed in"}, []string{"<form", "data-waits"}},
		{"waiting", "WAITING", "", "", true, []string{"The first name is being tried", `data-waits="` + path + `"`, "Reload"}, []string{"<form"}},
		{"running", "RUNNING", "", someSeen, true, []string{"6 of 17 names tried", `width="35.3"`, "GPTBot and ClaudeBot"}, []string{"<form"}},
		{"ready", "READY", "", someSeen, true, []string{"Try all names again", "2 of 6", "X and Slack", "GPTBot and ClaudeBot: blocked.",
			"The same goes for the other by its own name.", "Facebook: may differ.", "AI agents", "&lt;b&gt;"}, []string{"data-waits", "<b>bold"}},
		{"failed", "FAILED", "The page took too long.", "", true, []string{"The page took too long.", "Try all 17 names", "17 of 17"}, nil},
	} {
		crawlersOf(h, id, c.state, c.fault, c.lens)
		var options []apptest.RequestOption
		if c.owner {
			options = append(options, owner)
		}
		part := string(h.Get(path, options...).Want(http.StatusOK).Body)
		whole := string(h.Get("/audit/"+id, options...).Want(http.StatusOK).Body)
		for _, text := range c.has {
			if !strings.Contains(part, text) || !strings.Contains(whole, text) {
				t.Errorf("%s: %q is missing in %s", c.name, text, part)
			}
		}
		for _, text := range c.hasNot {
			if strings.Contains(part, text) {
				t.Errorf("%s: %q is in %s", c.name, text, part)
			}
		}
	}

	visitor := webtest.NewVisitor(t, h.Base)
	if got := visitor.Post(path, nil); got.Status != http.StatusUnauthorized && got.Status != http.StatusNotFound {
		t.Errorf("got %d without a session", got.Status)
	}
	visitor.SetCookie("access_token", h.Session.Access)
	crawlersOf(h, "", "", "", "")
	begun := visitor.Post(path, nil)
	if begun.Status != http.StatusSeeOther || begun.Header.Get("Location") != "/audit/"+id+"#crawlers" {
		t.Errorf("got %d to %q, want 303 to the report", begun.Status, begun.Header.Get("Location"))
	}
	_, err := h.App.DB.Exec(t.Context(), `UPDATE crawler_reads SET state = 'READY', finished_at = created_at`)
	if err != nil {
		t.Fatal(err)
	}
	again := visitor.Post(path, nil)
	if again.Status != http.StatusTooManyRequests || !strings.Contains(again.Body, "Try again in 10 minutes") {
		t.Errorf("got %d, want the report with the reason", again.Status)
	}
}

// TestCrawlers_looks draws the states of the part, and runs axe over them.
func TestCrawlers_looks(t *testing.T) {
	t.Parallel()
	ctx, ok := browser(t)
	if !ok {
		return
	}
	h := apptest.StartSignedIn(t)
	made := h.Post("/audits", map[string]any{"url": h.Site.At("/page/one")}, apptest.Bearer(h.Session.Access))
	id := made.Want(http.StatusOK).Text("id")
	for _, c := range []struct {
		state, fault string
		phone        bool
	}{{"", "", false}, {"RUNNING", "", true}, {"READY", "", false}, {"READY", "", true}, {"FAILED", "The page took too long.", false}} {
		crawlersOf(h, id, c.state, c.fault, someSeen)
		window := chromedp.EmulateViewport(1280, 900)
		if c.phone {
			window = phone
		}
		name := fmt.Sprintf("crawlers-%s-%v", c.state, c.phone)
		err := webtest.Run(ctx, window,
			network.SetCookie(identity.CookieName, h.Session.Access).WithURL(h.Base).WithHTTPOnly(true),
			chromedp.Navigate("about:blank"), chromedp.Navigate(h.Base+"/audit/"+id+"#crawlers"),
			chromedp.WaitVisible("#crawlers", chromedp.ByQuery),
			chromedp.Evaluate(`document.getElementById('crawlers').open = true`, nil),
			chromedp.ScrollIntoView("#crawlers", chromedp.ByQuery),
		)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		shoot(t, ctx, name+".png")
		if found, ok := webtest.Axe(t, ctx); ok && len(found) > 0 {
			t.Errorf("%s: axe found %v", name, found)
		}
		if c.state == "RUNNING" { // the page shows by itself that it is over
			crawlersOf(h, id, "READY", "", someSeen)
			err := webtest.Run(ctx, webtest.Until(`!document.getElementById('crawlers').dataset.waits`),
				webtest.Until(`document.getElementById('crawlers').innerText.includes('Try all names again')`))
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}
