package app_test

import (
	"net/http"

	"masthead/pkg/app/apptest"
	"masthead/pkg/db"
)

// noAudit is an id that no report has.
const noAudit = "0000000000000000000000"

var _ = contract(map[string]map[int]contractCase{
	"createAudit":      creations("/audits"),
	"createAuditAlias": creations("/audit"),
	"listAudits": {
		200: withAudit(func(h *apptest.Service, prefix, _ string) *apptest.Response {
			return h.Get(prefix+"/audits", apptest.Bearer(h.Session.Access))
		}),
		400: asUser("GET", "/audits?limit=0", nil),
		401: anonymous("GET", "/audits", nil),
	},
	"getAudit": {
		200: withAudit(func(h *apptest.Service, prefix, id string) *apptest.Response {
			return h.Get(prefix + "/audits/" + id)
		}),
		400: anonymous("GET", "/audits/1", nil),
		401: anonymous("GET", "/audits/"+noAudit, nil, apptest.Bearer("nonsense")),
		404: anonymous("GET", "/audits/"+noAudit, nil),
	},
	"deleteAudit": {
		204: withAudit(func(h *apptest.Service, prefix, id string) *apptest.Response {
			return h.Send("DELETE", prefix+"/audits/"+id, nil, apptest.Bearer(h.Session.Access))
		}),
		400: asUser("DELETE", "/audits/1", nil),
		401: anonymous("DELETE", "/audits/"+noAudit, nil),
		403: crossSite("DELETE", "/audits/"+noAudit, nil),
		404: asUser("DELETE", "/audits/"+noAudit, nil),
	},
	"getCrawlers": {
		200: withAudit(func(h *apptest.Service, prefix, id string) *apptest.Response {
			got := h.Get(prefix + "/audits/" + id + "/crawlers")
			if got.Text("state") != "DERIVED" || got.Text("crawlers.16.access") != "RECEIVED" {
				h.T().Errorf("got %s, want 17 derived views", got.Body)
			}
			return got
		}),
		400: anonymous("GET", "/audits/1/crawlers", nil),
		401: anonymous("GET", "/audits/"+noAudit+"/crawlers", nil, apptest.Bearer("nonsense")),
		404: anonymous("GET", "/audits/"+noAudit+"/crawlers", nil),
	},
	"readAsCrawlers": {
		202: withAudit(func(h *apptest.Service, prefix, id string) *apptest.Response {
			if _, err := h.App.DB.Exec(h.T().Context(), `DELETE FROM crawler_reads`); err != nil {
				h.T().Fatal(err)
			}
			return h.Post(prefix+"/audits/"+id+"/crawlers", nil, apptest.Bearer(h.Session.Access))
		}),
		400: asUser("POST", "/audits/1/crawlers", nil),
		401: anonymous("POST", "/audits/"+noAudit+"/crawlers", nil),
		403: crossSite("POST", "/audits/"+noAudit+"/crawlers", nil),
		404: asUser("POST", "/audits/"+noAudit+"/crawlers", nil),
		409: withAudit(func(h *apptest.Service, prefix, id string) *apptest.Response {
			_, err := h.App.DB.Exec(h.T().Context(), `DELETE FROM crawler_reads`)
			for range 5 {
				if err == nil {
					_, err = h.App.DB.Exec(h.T().Context(), `INSERT INTO crawler_reads (id, owner_id, host, url, state, created_at)
						VALUES (?, ?, 'one.example', 'https://one.example/', 'WAITING', 1)`, db.NewID(), h.ID(h.Session))
				}
			}
			if err != nil {
				h.T().Fatal(err)
			}
			return h.Post(prefix+"/audits/"+id+"/crawlers", nil, apptest.Bearer(h.Session.Access))
		}),
	},
	"undeleteAudit": {
		200: withAudit(func(h *apptest.Service, prefix, id string) *apptest.Response {
			user := apptest.Bearer(h.Session.Access)
			h.Send("DELETE", "/audits/"+id+"?undo=true", nil, user).Want(http.StatusNoContent)
			return h.Post(prefix+"/audits/"+id+"/undelete", nil, user)
		}),
		400: asUser("POST", "/audits/1/undelete", nil),
		401: anonymous("POST", "/audits/"+noAudit+"/undelete", nil),
		403: crossSite("POST", "/audits/"+noAudit+"/undelete", nil),
		404: asUser("POST", "/audits/"+noAudit+"/undelete", nil),
	},
	"previewPage": {
		200: previews("/page/preview"),
		400: asUser("POST", "/audits/preview", map[string]any{"url": "https://user:secret@example.com/"}),
		401: anonymous("POST", "/audits/preview", someBody),
		403: crossSite("POST", "/audits/preview", map[string]any{"url": "https://example.com/"}),
		413: asUser("POST", "/audits/preview", tooLong),
		415: asUser("POST", "/audits/preview", someBody, asText),
	},
})

// creations are the cases of an address that audits pages.
func creations(path string) map[int]contractCase {
	audits := func(more ...apptest.RequestOption) contractCase {
		return func(h *apptest.Service, prefix string) *apptest.Response {
			options := append([]apptest.RequestOption{apptest.Bearer(h.Session.Access)}, more...)
			return h.Post(prefix+path, map[string]any{"url": h.Site.At("/page/audit")}, options...)
		}
	}
	return map[int]contractCase{
		200: func(h *apptest.Service, prefix string) *apptest.Response {
			withAI := map[string]any{"url": h.Site.At("/page/audit"), "includeAi": true}
			h.Post(prefix+path, withAI, apptest.Bearer(h.Session.Access)).Want(http.StatusOK)
			return audits()(h, prefix)
		},
		400: anonymous("POST", path, map[string]any{"url": "http://10.0.0.1/"}),
		401: anonymous("POST", path, map[string]any{"url": "https://example.com/"}, apptest.Bearer("nonsense")),
		409: running(audits(again)),
		413: anonymous("POST", path, tooLong),
		415: anonymous("POST", path, someBody, asText),
		422: mismatched(audits(again)),
	}
}

// withAudit sends a request about a report of the signed-in user.
func withAudit(send func(h *apptest.Service, prefix, id string) *apptest.Response) contractCase {
	return func(h *apptest.Service, prefix string) *apptest.Response {
		made := h.Post("/audits", map[string]any{"url": h.Site.At("/page/audit")}, apptest.Bearer(h.Session.Access))
		return send(h, prefix, made.Want(http.StatusOK).Text("id"))
	}
}

// previews asks for the preview of a page of the site.
func previews(path string) contractCase {
	return func(h *apptest.Service, prefix string) *apptest.Response {
		return h.Post(prefix+"/audits/preview", map[string]any{"url": h.Site.At(path)}, apptest.Bearer(h.Session.Access))
	}
}
