package app_test

import (
	"net/http"

	"masthead/pkg/app/apptest"
	"masthead/pkg/base62"
	"masthead/pkg/db"
)

// aWatch is the id of a watched page of an account, with a report, in a project or "".
func aWatch(h *apptest.Service, ownerID, projectID string) string {
	id := db.NewID()
	_, err := h.App.DB.Exec(h.T().Context(), `INSERT INTO watches
			(id, public_id, owner_id, project_id, url, every, score, letter, next_at, created_at, updated_at)
		VALUES (?, ?, ?, ?, ?, 'week', 92, 'A', 1, 1, 1)`, id, base62.Random(22), ownerID, db.OrNull(projectID),
		h.Site.At("/page/one"))
	if err != nil {
		h.T().Fatal(err)
	}
	return id
}

// aSitemap is the id of a watched sitemap of an account that was read, and that of its one page.
func aSitemap(h *apptest.Service, ownerID string) (id, page string) {
	id, page = aWatch(h, ownerID, ""), aWatch(h, ownerID, "")
	for statement, args := range map[string][]any{
		`UPDATE watches SET kind = 'sitemap', listed = 2, note = 'A page is left out.', letter = '' WHERE id = ?`: {id},
		`UPDATE watches SET sitemap_id = ? WHERE id = ?`:                                                          {id, page},
	} {
		if _, err := h.App.DB.Exec(h.T().Context(), statement, args...); err != nil {
			h.T().Fatal(err)
		}
	}
	return id, page
}

// onPageOfSitemap sends a request about a page of a watched sitemap.
func onPageOfSitemap(method string, body any) contractCase {
	return func(h *apptest.Service, prefix string) *apptest.Response {
		onlyWatch(h)
		_, page := aSitemap(h, h.ID(h.Session))
		return h.Send(method, prefix+"/watches/"+page, body, apptest.Bearer(h.Session.Access))
	}
}

// badgeOf is the public id of a watched page.
func badgeOf(h *apptest.Service, id string) (publicID string) {
	if err := h.App.DB.Get(h.T().Context(), &publicID, `SELECT public_id FROM watches WHERE id = ?`, id); err != nil {
		h.T().Fatal(err)
	}
	return publicID
}

// onWatch sends a request about the one watched page of the account.
func onWatch(method, suffix string, body any, more ...apptest.RequestOption) contractCase {
	return func(h *apptest.Service, prefix string) *apptest.Response {
		options := append([]apptest.RequestOption{apptest.Bearer(h.Session.Access)}, more...)
		return h.Send(method, prefix+onlyWatch(h)+suffix, body, options...)
	}
}

// onlyWatch is the path of a watched page of the account, which has no other.
func onlyWatch(h *apptest.Service) string {
	if _, err := h.App.DB.Exec(h.T().Context(), `DELETE FROM watches`); err != nil {
		h.T().Fatal(err)
	}
	return "/watches/" + aWatch(h, h.ID(h.Session), "")
}

// deletedWatch is the path to take back the deletion of the one watched page of an account, in a project or "".
func deletedWatch(h *apptest.Service, access, ownerID, projectID string) string {
	if _, err := h.App.DB.Exec(h.T().Context(), `DELETE FROM watches WHERE owner_id = ?`, ownerID); err != nil {
		h.T().Fatal(err)
	}
	path := "/watches/" + aWatch(h, ownerID, projectID)
	h.Send("DELETE", path+"?undo=true", nil, apptest.Bearer(access)).Want(http.StatusNoContent)
	return path + "/undelete"
}

const (
	watched = "/watches"
	noWatch = "/watches/" + apptest.Nobody
)

func newWatch(h *apptest.Service, prefix string) *apptest.Response {
	onlyWatch(h)
	return h.Post(prefix+watched, map[string]any{"url": h.Site.At("/page/one")}, apptest.Bearer(h.Session.Access))
}

// pausedWatch asks for an audit of a page that the plan has no room for.
func pausedWatch(h *apptest.Service, prefix string) *apptest.Response {
	onlyWatch(h)
	for range 2 {
		aWatch(h, h.ID(h.Session), "")
	}
	last := aWatch(h, h.ID(h.Session), "")
	return h.Post(prefix+"/watches/"+last+"/run", nil, apptest.Bearer(h.Session.Access))
}

func badge(h *apptest.Service) string {
	return "/badge/" + badgeOf(h, aWatch(h, h.ID(h.Session), "")) + "/badge.svg"
}

var _ = contract(map[string]map[int]contractCase{
	"undeleteWatch": {
		200: func(h *apptest.Service, prefix string) *apptest.Response {
			return h.Post(prefix+deletedWatch(h, h.Session.Access, h.ID(h.Session), ""), nil, apptest.Bearer(h.Session.Access))
		},
		400: asUser("POST", "/watches/x/undelete", nil), 401: anonymous("POST", noWatch+"/undelete", nil),
		402: func(h *apptest.Service, prefix string) *apptest.Response {
			path := deletedWatch(h, h.Session.Access, h.ID(h.Session), "")
			for range 3 {
				aWatch(h, h.ID(h.Session), "")
			}
			return h.Post(prefix+path, nil, apptest.Bearer(h.Session.Access))
		},
		403: crossSite("POST", noWatch+"/undelete", nil), 404: asUser("POST", noWatch+"/undelete", nil),
	},
	"listWatches": {
		200: func(h *apptest.Service, prefix string) *apptest.Response {
			newWatch(h, prefix).Want(http.StatusCreated)
			id, page := aSitemap(h, h.ID(h.Session))
			user := apptest.Bearer(h.Session.Access)
			pages := h.Get(prefix+watched+"?sitemapId="+id, user)
			if got := pages.Text("items.0.id"); got != page || pages.Text("items.0.sitemapId") != id {
				h.T().Errorf("the pages of the sitemap are %s, want %s", pages.Body, page)
			}
			h.Get(prefix+watched+"?problem=load", user).Want(http.StatusOK)
			return h.Get(prefix+watched+"?order=worst&totals=true&scores=2&around="+apptest.Nobody, user)
		},
		400: asUser("GET", watched+"?limit=0", nil),
		401: anonymous("GET", watched, nil),
	},
	"createWatch": {
		201: newWatch,
		400: asUser("POST", watched, map[string]any{"url": "ftp://example.com/"}),
		401: anonymous("POST", watched, someBody),
		402: asUser("POST", watched, map[string]any{"url": "https://example.com/", "every": "day"}),
		403: crossSite("POST", watched, map[string]any{"url": "https://example.com"}),
		404: asUser("POST", watched, map[string]any{"url": "https://example.com", "projectId": apptest.Nobody}),
		409: running(asUser("POST", watched, map[string]any{"url": "https://example.com/"}, again)),
		413: asUser("POST", watched, tooLong),
		415: asUser("POST", watched, someBody, asText),
		422: mismatched(asUser("POST", watched, map[string]any{"url": "https://example.com/"}, again)),
	},
	"updateWatch": {
		409: onPageOfSitemap("PATCH", map[string]any{"every": "week"}),
		200: onWatch("PATCH", "", map[string]any{"every": "week"}),
		400: onWatch("PATCH", "", map[string]any{"every": "year"}),
		401: anonymous("PATCH", noWatch, someBody), 402: onWatch("PATCH", "", map[string]any{"every": "day"}),
		403: crossSite("PATCH", noWatch, someBody), 404: asUser("PATCH", noWatch, someBody),
		413: asUser("PATCH", noWatch, tooLong), 415: asUser("PATCH", noWatch, someBody, asText),
	},
	"deleteWatch": {
		409: onPageOfSitemap("DELETE", nil),
		204: onWatch("DELETE", "", nil), 400: asUser("DELETE", "/watches/x", nil), 401: anonymous("DELETE", noWatch, nil),
		403: crossSite("DELETE", noWatch, nil), 404: asUser("DELETE", noWatch, nil),
	},
	"runWatch": {
		202: onWatch("POST", "/run", nil), 400: asUser("POST", "/watches/x/run", nil),
		401: anonymous("POST", noWatch+"/run", nil), 403: crossSite("POST", noWatch+"/run", nil),
		404: asUser("POST", noWatch+"/run", nil), 409: pausedWatch,
	},
	"getWatchHistory": {
		200: onWatch("GET", "/history", nil), 400: asUser("GET", noWatch+"/history?limit=0", nil),
		401: anonymous("GET", noWatch+"/history", nil), 404: asUser("GET", noWatch+"/history", nil),
	},
	"getBadge": {
		200: func(h *apptest.Service, prefix string) *apptest.Response { return h.Get(prefix + badge(h)) },
		304: func(h *apptest.Service, prefix string) *apptest.Response {
			path := badge(h)
			return h.Get(prefix+path, apptest.Header("If-None-Match", h.Get(path).Header.Get("ETag")))
		},
		404: anonymous("GET", "/badge/0000000000000000000000/badge.svg", nil),
	},
})
