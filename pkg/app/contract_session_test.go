package app_test

import (
	"net/http"

	"masthead/pkg/app/apptest"
)

const sessions = "/users/me/sessions"

var _ = contract(map[string]map[int]contractCase{
	"listSessions": {
		200: asUser("GET", sessions, nil),
		400: asUser("GET", sessions+"?all=true", nil),
		401: anonymous("GET", sessions, nil),
	},
	"endOtherSessions": {
		204: asUser("DELETE", sessions, nil),
		400: asUser("DELETE", sessions+"?all=true", nil),
		401: anonymous("DELETE", sessions, nil),
		403: crossSite("DELETE", sessions, nil),
	},
	"endSession": {
		204: func(h *apptest.Service, prefix string) *apptest.Response {
			user := apptest.Bearer(h.Register().Access)
			id := h.Get(sessions, user).Want(http.StatusOK).Text("items.0.id")
			return h.Send("DELETE", prefix+sessions+"/"+id, nil, user)
		},
		400: asUser("DELETE", sessions+"/one", nil),
		401: anonymous("DELETE", sessions+"/"+apptest.Nobody, nil),
		403: crossSite("DELETE", sessions+"/"+apptest.Nobody, nil),
		404: asUser("DELETE", sessions+"/"+apptest.Nobody, nil),
	},
})
