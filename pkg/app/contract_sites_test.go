package app_test

import (
	"net/http"

	"masthead/pkg/app/apptest"
	"masthead/pkg/db"
)

// aSite is the id of a finished audit of a site of an account, in a project or "".
func aSite(h *apptest.Service, ownerID, projectID string) string {
	id := db.NewID()
	for _, statement := range [][]any{
		{`INSERT INTO sites
				(id, owner_id, project_id, url, state, page_limit, listed, note, report, created_at, finished_at)
			VALUES (?, ?, ?, 'https://one.example/sitemap.xml', 'READY', 25, 2, 'A part.', ?, 1, 2)`,
			id, ownerID, db.OrNull(projectID),
			`{"url": "https://one.example/sitemap.xml", "read": 1, "unread": 1, "overall": {"score": 92, "letter": "A"},
				"letters": [{"letter": "A", "pages": 1}], "findings": [{"id": "site-unique-titles", "title": "Unique titles",
				"severity": "warning", "pass": true, "message": "None."}], "faults": [{"id": "og-image", "category": "og",
				"title": "Share image", "severity": "error", "pages": 1, "gain": 4.9, "fix": "Add one.",
				"examples": [{"url": "https://one.example/", "message": "There is none."}]}]}`},
		{`INSERT INTO site_pages (site_id, url, place, unread, page)
			VALUES (?, 'https://one.example/', '6c000000-0000-0000-0000-000000000001', FALSE, ?)`, id,
			`{"url": "https://one.example/", "finalUrl": "https://one.example/", "status": 200,
				"overall": {"score": 92, "letter": "A"}, "title": "One", "issues": [{"id": "og-image", "severity": "error",
				"message": "There is none."}], "views": [{"platform": "x", "verdict": "No picture"}]}`},
		{`INSERT INTO site_pages (site_id, url, place, unread, page)
			VALUES (?, 'https://one.example/2', 'c9000000-0000-0000-0000-000000000002', TRUE, ?)`, id,
			`{"url": "https://one.example/2", "error": "It took too long."}`},
	} {
		if _, err := h.App.DB.Exec(h.T().Context(), statement[0].(string), statement[1:]...); err != nil {
			h.T().Fatal(err)
		}
	}
	return id
}

const noSite = "/sites/" + apptest.Nobody

// newSite audits a site of an account that has no other.
func newSite(h *apptest.Service, prefix string) *apptest.Response {
	me := h.Register()
	return h.Post(prefix+"/sites", map[string]any{"url": h.Site.At("/sitemap.xml"), "limit": 5}, apptest.Bearer(me.Access))
}

// busySite asks for another audit while five aren't finished.
func busySite(h *apptest.Service, prefix string) *apptest.Response {
	me := h.Register()
	for range 5 {
		id := aSite(h, h.ID(me), "")
		_, err := h.App.DB.Exec(h.T().Context(), `UPDATE sites SET state = 'RUNNING', finished_at = NULL WHERE id = ?`, id)
		if err != nil {
			h.T().Fatal(err)
		}
	}
	return h.Post(prefix+"/sites", map[string]any{"url": "https://one.example/sitemap.xml"}, apptest.Bearer(me.Access))
}

var _ = contract(map[string]map[int]contractCase{
	"listSites": {
		200: func(h *apptest.Service, prefix string) *apptest.Response {
			me := h.Register()
			id := aSite(h, h.ID(me), "")
			list := h.Get(prefix+"/sites", apptest.Bearer(me.Access))
			if got := list.Text("items.0.id"); got != id {
				h.T().Errorf("got %s, want the site %s", list.Body, id)
			}
			return list
		},
		400: asUser("GET", "/sites?limit=0", nil),
		401: anonymous("GET", "/sites", nil),
	},
	"createSite": {
		202: newSite,
		400: asUser("POST", "/sites", map[string]any{"url": "ftp://example.com/"}),
		401: anonymous("POST", "/sites", someBody),
		402: asUser("POST", "/sites", map[string]any{"url": "https://example.com/sitemap.xml", "limit": 26}),
		403: crossSite("POST", "/sites", map[string]any{"url": "https://example.com/sitemap.xml"}),
		409: busySite,
		413: asUser("POST", "/sites", tooLong),
		415: asUser("POST", "/sites", someBody, asText),
		422: mismatched(asUser("POST", "/sites", map[string]any{"url": "https://example.com/sitemap.xml"}, again)),
	},
	"deleteSite": {
		204: func(h *apptest.Service, prefix string) *apptest.Response {
			me := h.Register()
			user := apptest.Bearer(me.Access)
			path := prefix + "/sites/" + aSite(h, h.ID(me), "")
			done := h.Send("DELETE", path, nil, user)
			h.Get(path, user).Want(http.StatusNotFound)
			return done
		},
		400: asUser("DELETE", "/sites/x", nil), 401: anonymous("DELETE", noSite, nil),
		403: crossSite("DELETE", noSite, nil), 404: asUser("DELETE", noSite, nil),
	},
	"getSite": {
		200: func(h *apptest.Service, prefix string) *apptest.Response {
			me := h.Register()
			user := apptest.Bearer(me.Access)
			path := prefix + "/sites/" + aSite(h, h.ID(me), "")
			first := h.Get(path+"?limit=1", user)
			if first.Text("items.0.error") == "" || first.Text("faults.0.id") != "og-image" {
				h.T().Errorf("got %s, want the worst page first", first.Body)
			}
			return h.Get(path+"?limit=1&cursor="+first.Text("nextCursor"), user).Want(http.StatusOK)
		},
		400: asUser("GET", "/sites/x", nil),
		401: anonymous("GET", noSite, nil),
		404: asUser("GET", noSite, nil),
	},
})
