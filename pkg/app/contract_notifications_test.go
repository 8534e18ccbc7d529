package app_test

import (
	"net/http"
	"slices"

	"masthead/pkg/app/apptest"
)

// told is the id of a notification of the harness's account: another plan, of which it is told.
func told(h *apptest.Service) string {
	id, plans := h.ID(h.Session), []string{"free", "plus"}
	list := func() *apptest.Response {
		return h.Get("/notifications?limit=1", apptest.Bearer(h.Session.Access)).Want(http.StatusOK)
	}
	before := list().Text("items.0.id")
	user, err := h.App.Users.ByID(h.T().Context(), id)
	if err != nil {
		h.T().Fatal(err)
	}
	if _, err := h.App.Users.SetPlan(h.T().Context(), id, plans[1-slices.Index(plans, user.Plan)]); err != nil {
		h.T().Fatal(err)
	}
	apptest.WaitFor(h.T(), "the notification", func() bool { return list().Text("items.0.id") != before })
	return list().Text("items.0.id")
}

const (
	toRead  = "/notifications/read"
	toWhich = "/notifications/preferences"
)

var _ = contract(map[string]map[int]contractCase{
	"listNotifications": {
		200: func(h *apptest.Service, prefix string) *apptest.Response {
			told(h)
			return h.Get(prefix+"/notifications?limit=1", apptest.Bearer(h.Session.Access))
		},
		400: asUser("GET", "/notifications?limit=0", nil),
		401: anonymous("GET", "/notifications", nil),
	},
	"readNotifications": {
		204: func(h *apptest.Service, prefix string) *apptest.Response {
			return h.Post(prefix+toRead, map[string]any{"id": told(h)}, apptest.Bearer(h.Session.Access))
		},
		400: asUser("POST", toRead, map[string]any{"id": "x"}),
		401: anonymous("POST", toRead, someBody),
		403: crossSite("POST", toRead, someBody),
		404: asUser("POST", toRead, map[string]any{"id": apptest.Nobody}),
		413: asUser("POST", toRead, tooLong),
		415: asUser("POST", toRead, someBody, asText),
	},
	"getPreferences": {
		200: asUser("GET", toWhich, nil),
		400: asUser("GET", toWhich+"?kind=quota_reached", nil),
		401: anonymous("GET", toWhich, nil),
	},
	"putPreferences": {
		200: asUser("PUT", toWhich, map[string]any{"items": []any{map[string]any{"kind": "watch_worse", "mail": true}}}),
		400: asUser("PUT", toWhich, map[string]any{"items": []any{map[string]any{"kind": "new_sign_in", "mail": false}}}),
		401: anonymous("PUT", toWhich, someBody),
		403: crossSite("PUT", toWhich, map[string]any{"items": []any{map[string]any{"kind": "watch_worse"}}}),
		413: asUser("PUT", toWhich, tooLong),
		415: asUser("PUT", toWhich, someBody, asText),
	},
})
