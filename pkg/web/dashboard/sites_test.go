package dashboard_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"masthead/pkg/app/apptest"
	"masthead/pkg/web/webtest"
)

const sitesPath = "/dashboard/audits/sites"

// auditSite audits the pages of the site with the form, and returns the page of the finished audit.
func auditSite(t *testing.T, v *webtest.Visitor, sitemap string) (path string, page webtest.Page) {
	t.Helper()
	made := v.Post(sitesPath, fields("url", sitemap))
	path = made.Header.Get("Location")
	if made.Status != http.StatusSeeOther || !strings.HasPrefix(path, sitesPath+"/") {
		t.Fatalf("begun: %d to %q %s", made.Status, path, made.Main())
	}
	apptest.WaitFor(t, "the audit of the site", func() bool {
		page = v.Get(path)
		return !strings.Contains(page.Body, "Being audited")
	})
	return path, page
}

func TestSites_fromTheFormToTheReport(t *testing.T) {
	t.Parallel()
	site, allowed := newPages(t)
	h := apptest.StartSignedIn(t, allowed)
	v, other := webtest.SignIn(t, h.Base, h.Session.Access), webtest.SignIn(t, h.Base, h.Register().Access)
	if page := v.Get(sitesPath); !strings.Contains(page.Body, "No audited sites yet") {
		t.Errorf("empty: %s", page.Main())
	}
	wrong := v.Post(sitesPath, fields("url", "ftp://one.example/"))
	if wrong.Status != http.StatusUnprocessableEntity || !strings.Contains(wrong.Body, `aria-invalid="true"`) {
		t.Errorf("a wrong address: %d %s", wrong.Status, wrong.Main())
	}
	path, page := auditSite(t, v, site.URL+"/sitemap.xml")
	for _, want := range []string{"The average of 3 pages", "Worst pages", "Every page when shared", "Full report"} {
		if !strings.Contains(page.Body, want) {
			t.Errorf("the report lacks %q: %s", want, page.Main())
		}
	}
	list := v.Get(sitesPath)
	if !strings.Contains(list.Body, `href="`+path+`"`) || !strings.Contains(list.Body, "3 pages") {
		t.Errorf("the list: %s", list.Main())
	}
	if page := other.Get(path); page.Status != http.StatusNotFound {
		t.Errorf("a site of another account: %d", page.Status)
	}
	if picture := regexp.MustCompile(`src="(` + path + `/picture\?[^"]*)"`).FindStringSubmatch(page.Body); picture != nil {
		at := strings.ReplaceAll(picture[1], "&amp;", "&")
		if got := v.Get(at); got.Status != http.StatusOK || !strings.HasPrefix(got.Header.Get("Content-Type"), "image/") {
			t.Errorf("the picture: %d %s", got.Status, got.Header.Get("Content-Type"))
		}
		if got := other.Get(at); got.Status != http.StatusNotFound {
			t.Errorf("a picture of another account: %d", got.Status)
		}
	}
	_, failed := auditSite(t, v, site.URL+"/none.xml")
	if !strings.Contains(failed.Body, "couldn’t be audited") || !strings.Contains(failed.Body, `role="alert"`) {
		t.Errorf("failed: %s", failed.Main())
	}
	for _, path := range []string{sitesPath + "/x", sitesPath + "/" + apptest.Nobody} {
		if page := v.Get(path); page.Status != http.StatusNotFound {
			t.Errorf("%s: %d", path, page.Status)
		}
	}
}

// withSite gives an account audits of a site: one that is finished, with hostile texts, and one that runs.
func withSite(t *testing.T, h *apptest.Service, owner string) (ready, running string) {
	t.Helper()
	ids := []string{"01900000-0000-7000-8000-000000000001", "01900000-0000-7000-8000-000000000002"}
	report := `{"url": "https://one.example/sitemap.xml", "read": 3, "unread": 1, "overall": {"score": 74, "letter": "C"},
		"categories": {"og": {"score": 70}, "twitter": {"score": 61}, "seo": {"score": 88}},
		"letters": [{"letter": "A", "pages": 1}, {"letter": "D", "pages": 2}],
		"findings": [{"id": "site-unique-titles", "title": "Unique titles", "severity": "warning",
			"message": "2 of 3 pages have the same title as another page.", "fix": "Give each page a title (` + "`title`" + `).",
			"groups": [{"value": "Home", "count": 2, "urls": ["https://one.example/", "https://one.example/two"]}]}],
		"faults": [{"id": "og-image", "category": "og", "title": "Share image", "severity": "error", "pages": 2, "gain": 12.4,
			"fix": "Add og:image with the address of a JPEG or PNG of 1200x630 pixels.",
			"examples": [{"url": "https://one.example/two", "message": "There is no og:image."}]}]}`
	for i, state := range []string{"READY", "RUNNING"} {
		finished := any(2)
		if state == "RUNNING" {
			finished = nil
		}
		_, err := h.App.DB.Exec(t.Context(), `INSERT INTO sites (id, owner_id, url, state, page_limit, listed, note, report,
			created_at, finished_at) VALUES (?, ?, 'https://one.example/sitemap.xml', ?, 25, 12, ?, ?, 1, ?)`,
			ids[i], owner, state, "Pages on other hosts, such as two.example, are left out.",
			map[bool]any{true: report}[state == "READY"], finished)
		if err != nil {
			t.Fatal(err)
		}
		for n, place := range []string{"c9", "88", "8c", "6c"} {
			page := fmt.Sprintf(`{"url": "https://one.example/%d", "finalUrl": "https://one.example/%[1]d", "status": 200,
				"overall": {"score": %d, "letter": "D"}, "title": "A page about the number %[1]d",
				"issues": [{"id": "og-image", "severity": "error", "message": "There is no og:image."}],
				"views": [{"platform": "x", "verdict": "No picture"}, {"platform": "slack", "verdict": "Whole"}]}`, n, 64+n)
			if n == 0 {
				page = `{"url": "https://one.example/0", "error": "The page took longer than 10 seconds."}`
			}
			_, err := h.App.DB.Exec(t.Context(), `INSERT INTO site_pages (site_id, url, place, unread, page)
				VALUES (?, ?, ?, ?, ?)`, ids[i], fmt.Sprintf("https://one.example/%d", n),
				place+"000000-0000-0000-0000-000000000000", n == 0, page)
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	return ids[0], ids[1]
}

// TestSites_canBeStopped deletes one audit that runs and one that is over, after asking.
func TestSites_canBeStopped(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	v := webtest.SignIn(t, h.Base, h.Session.Access)
	ready, running := withSite(t, h, h.ID(h.Session))
	for id, button := range map[string]string{ready: "Delete it", running: "Stop and delete it"} {
		path := sitesPath + "/" + id
		if page := v.Get(path); !strings.Contains(page.Body, `href="`+path+`?delete#delete"`) {
			t.Errorf("%s: no link that asks", button)
		}
		if page := v.Get(path + "?delete"); !strings.Contains(page.Body, button+"</button>") {
			t.Errorf("no button %q", button)
		}
		for range 2 {
			gone := v.Post(path, fields())
			if gone.Status != http.StatusSeeOther || gone.Header.Get("Location") != sitesPath {
				t.Errorf("%s: %d to %q", button, gone.Status, gone.Header.Get("Location"))
			}
		}
		if page := v.Get(path); page.Status != http.StatusNotFound {
			t.Errorf("%s: the audit is still there: %d", button, page.Status)
		}
	}
}

func TestSites_looks(t *testing.T) {
	t.Parallel()
	ctx, ok := webtest.Browser(t)
	if !ok {
		return
	}
	h := apptest.StartSignedIn(t)
	empty := h.Register()
	if err := webtest.Run(ctx, webtest.SignedIn(h.Base, empty.Access)); err != nil {
		t.Fatal(err)
	}
	webtest.Look(t, ctx, h.Base, webtest.State{Name: "sites-empty", Path: sitesPath})
	ready, running := withSite(t, h, h.ID(h.Session))
	if err := webtest.Run(ctx, webtest.SignedIn(h.Base, h.Session.Access)); err != nil {
		t.Fatal(err)
	}
	webtest.Look(t, ctx, h.Base, webtest.State{Name: "site", Path: sitesPath + "/" + ready},
		webtest.State{Name: "site-running", Path: sitesPath + "/" + running}, webtest.State{Name: "sites", Path: sitesPath})
}
