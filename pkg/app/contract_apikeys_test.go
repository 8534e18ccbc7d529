package app_test

import (
	"fmt"
	"net/http"

	"masthead/pkg/app/apptest"
)

var _ = contract(map[string]map[int]contractCase{
	"listKeys": {
		200: asUser("GET", "/keys?limit=1", nil),
		400: asUser("GET", "/keys?limit=101", nil),
		401: anonymous("GET", "/keys", nil),
	},
	"createKey": {
		201: asUser("POST", "/keys", map[string]any{"name": "New"}),
		400: asUser("POST", "/keys", map[string]any{"name": ""}),
		401: anonymous("POST", "/keys", someBody),
		403: crossSite("POST", "/keys", map[string]any{"name": "New"}),
		404: asUser("POST", "/keys", map[string]any{"name": "New", "projectId": apptest.Nobody}),
		413: asUser("POST", "/keys", tooLong),
		415: asUser("POST", "/keys", someBody, asText),
	},
	"deleteKey": {
		204: withKeyOf("/keys/%s", "DELETE"),
		400: asUser("DELETE", "/keys/1", nil),
		401: anonymous("DELETE", "/keys/"+apptest.Nobody, nil),
		403: crossSite("DELETE", "/keys/"+apptest.Nobody, nil),
		404: asUser("DELETE", "/keys/"+apptest.Nobody, nil),
	},
	"rotateKey": {
		201: withKeyOf("/keys/%s/rotate", "POST"),
		400: asUser("POST", "/keys/1/rotate", nil),
		401: anonymous("POST", "/keys/"+apptest.Nobody+"/rotate", nil),
		403: crossSite("POST", "/keys/"+apptest.Nobody+"/rotate", nil),
		404: asUser("POST", "/keys/"+apptest.Nobody+"/rotate", nil),
	},
})

// withKeyOf sends a request about a fresh key.
func withKeyOf(path string, method string) contractCase {
	return func(h *apptest.Service, prefix string) *apptest.Response {
		user := apptest.Bearer(h.Session.Access)
		id := h.Post("/keys", map[string]any{"name": "Short-lived"}, user).Want(http.StatusCreated).Text("id")
		return h.Send(method, prefix+fmt.Sprintf(path, id), nil, user)
	}
}
