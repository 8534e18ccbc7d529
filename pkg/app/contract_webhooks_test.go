package app_test

import (
	"net/http"

	"masthead/pkg/app/apptest"
	"masthead/pkg/db"
)

// aHook is the id of a webhook of an account, whose endpoint is a page of the harness's site.
func aHook(h *apptest.Service, ownerID string) string {
	id := db.NewID()
	_, err := h.App.DB.Exec(h.T().Context(), `INSERT INTO webhooks
			(id, owner_id, url, events, secret, enabled, created_at, updated_at)
		VALUES (?, ?, ?, '["image.created"]', 'whsec_c2VjcmV0', TRUE, 0, 0)`, id, ownerID, h.Site.At("/page/one"))
	if err != nil {
		h.T().Fatal(err)
	}
	return id
}

// hookPath is the path of an operation on a new webhook of the harness's account.
func hookPath(h *apptest.Service, suffix string) string {
	return "/webhooks/" + aHook(h, h.ID(h.Session)) + suffix
}

// aDelivery is the path of a delivery to a new webhook of an account.
func aDelivery(h *apptest.Service, ownerID string) string {
	hook, id := aHook(h, ownerID), db.NewID()
	_, err := h.App.DB.Exec(h.T().Context(), `INSERT INTO webhook_deliveries
			(id, webhook_id, event_id, type, subject, body, state, event_at, created_at, base_at, next_at)
		VALUES (?, ?, ?, 'image.created', 'image', '{}', 'failed', 0, 1, 1, 1)`, id, hook, db.NewID())
	if err != nil {
		h.T().Fatal(err)
	}
	return "/webhooks/" + hook + "/deliveries/" + id
}

// onHook sends a request about a webhook of the account.
func onHook(method, suffix string, body any, more ...apptest.RequestOption) contractCase {
	return func(h *apptest.Service, prefix string) *apptest.Response {
		options := append([]apptest.RequestOption{apptest.Bearer(h.Session.Access)}, more...)
		return h.Send(method, prefix+hookPath(h, suffix), body, options...)
	}
}

// disabled disables the webhooks of the account before a request.
func disabled(c func(h *apptest.Service) string, body any) contractCase {
	return func(h *apptest.Service, prefix string) *apptest.Response {
		path := c(h)
		if _, err := h.App.DB.Exec(h.T().Context(), `UPDATE webhooks SET enabled = FALSE`); err != nil {
			h.T().Fatal(err)
		}
		return h.Post(prefix+path, body, apptest.Bearer(h.Session.Access))
	}
}

func ownDelivery(h *apptest.Service) string { return aDelivery(h, h.ID(h.Session)) }

// deletedHook is the path to take back the deletion of the one webhook of an account.
func deletedHook(h *apptest.Service, access, ownerID string) string {
	if _, err := h.App.DB.Exec(h.T().Context(), `DELETE FROM webhooks WHERE owner_id = ?`, ownerID); err != nil {
		h.T().Fatal(err)
	}
	path := "/webhooks/" + aHook(h, ownerID)
	h.Send("DELETE", path+"?undo=true", nil, apptest.Bearer(access)).Want(http.StatusNoContent)
	return path + "/undelete"
}

const (
	hooks  = "/webhooks"
	noHook = "/webhooks/" + apptest.Nobody
	noSent = noHook + "/deliveries/" + apptest.Nobody
)

var aDay = map[string]any{"from": "2026-11-23T00:00:00Z", "to": "2026-11-24T00:00:00Z"}

func newHook(h *apptest.Service, prefix string) *apptest.Response {
	if _, err := h.App.DB.Exec(h.T().Context(), `DELETE FROM webhooks`); err != nil {
		h.T().Fatal(err)
	}
	return h.Post(prefix+hooks, map[string]any{"url": h.Site.At("/page/one")}, apptest.Bearer(h.Session.Access))
}

// repeats creates the first webhook of the account twice.
func repeats(of func(contractCase) contractCase) contractCase {
	return func(h *apptest.Service, prefix string) *apptest.Response {
		if _, err := h.App.DB.Exec(h.T().Context(), `DELETE FROM webhooks`); err != nil {
			h.T().Fatal(err)
		}
		return of(asUser("POST", hooks, map[string]any{"url": h.Site.At("/page/one")}, again))(h, prefix)
	}
}

// rotatesAgain rotates the secret of one webhook twice.
func rotatesAgain(of func(contractCase) contractCase) contractCase {
	return func(h *apptest.Service, prefix string) *apptest.Response {
		return of(asUser("POST", hookPath(h, "/rotate"), nil, again))(h, prefix)
	}
}

var _ = contract(map[string]map[int]contractCase{
	"undeleteWebhook": {
		200: func(h *apptest.Service, prefix string) *apptest.Response {
			return h.Post(prefix+deletedHook(h, h.Session.Access, h.ID(h.Session)), nil, apptest.Bearer(h.Session.Access))
		},
		400: asUser("POST", "/webhooks/x/undelete", nil), 401: anonymous("POST", noHook+"/undelete", nil),
		402: func(h *apptest.Service, prefix string) *apptest.Response {
			path := deletedHook(h, h.Session.Access, h.ID(h.Session))
			hookPath(h, "")
			return h.Post(prefix+path, nil, apptest.Bearer(h.Session.Access))
		},
		403: crossSite("POST", noHook+"/undelete", nil), 404: asUser("POST", noHook+"/undelete", nil),
	},
	"listWebhooks": {
		200: func(h *apptest.Service, prefix string) *apptest.Response {
			hookPath(h, "")
			return h.Get(prefix+hooks, apptest.Bearer(h.Session.Access))
		},
		400: asUser("GET", hooks+"?limit=0", nil),
		401: anonymous("GET", hooks, nil),
	},
	"createWebhook": {
		200: repeats(twice), 201: newHook, 409: repeats(running), 422: repeats(mismatched),
		400: asUser("POST", hooks, map[string]any{"url": "http://10.0.0.1/"}),
		401: anonymous("POST", hooks, someBody),
		402: func(h *apptest.Service, prefix string) *apptest.Response {
			newHook(h, prefix).Want(http.StatusCreated)
			return h.Post(prefix+hooks, map[string]any{"url": h.Site.At("/page/one")}, apptest.Bearer(h.Session.Access))
		},
		403: crossSite("POST", hooks, map[string]any{"url": "https://example.com"}),
		404: func(h *apptest.Service, prefix string) *apptest.Response {
			return h.Post(prefix+hooks, map[string]any{"url": h.Site.At("/page/one"), "projectId": apptest.Nobody},
				apptest.Bearer(h.Session.Access))
		},
		413: asUser("POST", hooks, tooLong),
		415: asUser("POST", hooks, someBody, asText),
	},
	"getWebhook": {
		200: onHook("GET", "", nil), 400: asUser("GET", "/webhooks/x", nil), 401: anonymous("GET", noHook, nil),
		404: asUser("GET", noHook, nil),
	},
	"updateWebhook": {
		200: onHook("PATCH", "", map[string]any{"enabled": false}),
		400: onHook("PATCH", "", map[string]any{"events": []any{"none"}}),
		401: anonymous("PATCH", noHook, someBody), 403: crossSite("PATCH", noHook, someBody),
		404: asUser("PATCH", noHook, someBody), 413: asUser("PATCH", noHook, tooLong),
		415: asUser("PATCH", noHook, someBody, asText),
	},
	"deleteWebhook": {
		204: onHook("DELETE", "", nil), 400: asUser("DELETE", "/webhooks/x", nil), 401: anonymous("DELETE", noHook, nil),
		403: crossSite("DELETE", noHook, nil), 404: asUser("DELETE", noHook, nil),
	},
	"rotateWebhook": {
		200: rotatesAgain(twice), 409: rotatesAgain(running), 422: rotatesAgain(mismatched),
		201: onHook("POST", "/rotate", nil), 400: asUser("POST", "/webhooks/x/rotate", nil),
		401: anonymous("POST", noHook+"/rotate", nil), 403: crossSite("POST", noHook+"/rotate", nil),
		404: asUser("POST", noHook+"/rotate", nil),
	},
	"testWebhook": {
		202: onHook("POST", "/test", nil), 400: asUser("POST", "/webhooks/x/test", nil),
		401: anonymous("POST", noHook+"/test", nil), 403: crossSite("POST", noHook+"/test", nil),
		404: asUser("POST", noHook+"/test", nil),
	},
	"replayWebhook": {
		202: onHook("POST", "/replay", aDay),
		400: onHook("POST", "/replay", map[string]any{"from": aDay["to"], "to": aDay["from"]}),
		401: anonymous("POST", noHook+"/replay", aDay), 403: crossSite("POST", noHook+"/replay", aDay),
		404: asUser("POST", noHook+"/replay", aDay),
		409: disabled(func(h *apptest.Service) string { return hookPath(h, "/replay") }, aDay),
		413: asUser("POST", noHook+"/replay", tooLong), 415: asUser("POST", noHook+"/replay", aDay, asText),
	},
	"listWebhookDeliveries": {
		200: func(h *apptest.Service, prefix string) *apptest.Response {
			hook := hookPath(h, "")
			h.Post(hook+"/test", nil, apptest.Bearer(h.Session.Access)).Want(http.StatusAccepted)
			return h.Get(prefix+hook+"/deliveries", apptest.Bearer(h.Session.Access))
		},
		400: asUser("GET", noHook+"/deliveries?limit=0", nil), 401: anonymous("GET", noHook+"/deliveries", nil),
		404: asUser("GET", noHook+"/deliveries", nil),
	},
	"getWebhookDelivery": {
		200: func(h *apptest.Service, prefix string) *apptest.Response {
			return h.Get(prefix+ownDelivery(h), apptest.Bearer(h.Session.Access))
		},
		400: asUser("GET", noHook+"/deliveries/x", nil), 401: anonymous("GET", noSent, nil), 404: asUser("GET", noSent, nil),
	},
	"replayWebhookDelivery": {
		202: func(h *apptest.Service, prefix string) *apptest.Response {
			return h.Post(prefix+ownDelivery(h)+"/replay", nil, apptest.Bearer(h.Session.Access))
		},
		400: asUser("POST", noHook+"/deliveries/x/replay", nil), 401: anonymous("POST", noSent+"/replay", nil),
		403: crossSite("POST", noSent+"/replay", nil), 404: asUser("POST", noSent+"/replay", nil),
		409: disabled(func(h *apptest.Service) string { return ownDelivery(h) + "/replay" }, nil),
	},
})
