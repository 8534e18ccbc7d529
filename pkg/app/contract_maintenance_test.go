package app_test

import (
	"net/http"

	"masthead/pkg/app/apptest"
)

const mode = "/admin/maintenance"

var _ = contract(map[string]map[int]contractCase{
	"getStats": {
		200: asUser("GET", "/admin/stats", nil),
		400: asUser("GET", "/admin/stats?all=true", nil),
		401: anonymous("GET", "/admin/stats", nil),
		403: asOrdinary("GET", "/admin/stats", nil),
	},
	"getMaintenance": {
		200: asUser("GET", mode, nil),
		400: asUser("GET", mode+"?all=true", nil),
		401: anonymous("GET", mode, nil),
		403: asOrdinary("GET", mode, nil),
	},
	"putMaintenance": {
		200: func(h *apptest.Service, prefix string) *apptest.Response {
			begun := map[string]any{"enabled": true, "reason": "We move."}
			h.Send("PUT", mode, begun, apptest.Bearer(h.Session.Access)).Want(http.StatusOK)
			return h.Send("PUT", prefix+mode, map[string]any{"enabled": false}, apptest.Bearer(h.Session.Access))
		},
		400: asUser("PUT", mode, map[string]any{"enabled": "yes"}),
		401: anonymous("PUT", mode, map[string]any{"enabled": false}),
		403: asOrdinary("PUT", mode, map[string]any{"enabled": false}),
		413: asUser("PUT", mode, tooLong),
		415: asUser("PUT", mode, someBody, asText),
	},
})
