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
		200: twice(asUser("POST", "/keys", map[string]any{"name": "New"}, again)),
		201: asUser("POST", "/keys", map[string]any{"name": "New"}),
		400: asUser("POST", "/keys", map[string]any{"name": ""}),
		401: anonymous("POST", "/keys", someBody),
		403: crossSite("POST", "/keys", map[string]any{"name": "New"}),
		404: asUser("POST", "/keys", map[string]any{"name": "New", "projectId": apptest.Nobody}),
		409: withAllKeys,
		413: asUser("POST", "/keys", tooLong),
		415: asUser("POST", "/keys", someBody, asText),
		422: mismatched(asUser("POST", "/keys", map[string]any{"name": "New"}, again)),
	},
	"deleteKey": {
		204: withKeyOf("/keys/%s", "DELETE"),
		400: asUser("DELETE", "/keys/1", nil),
		401: anonymous("DELETE", "/keys/"+apptest.Nobody, nil),
		403: crossSite("DELETE", "/keys/"+apptest.Nobody, nil),
		404: asUser("DELETE", "/keys/"+apptest.Nobody, nil),
	},
	"rotateKey": {
		200: func(h *apptest.Service, prefix string) *apptest.Response {
			id := h.Post("/keys", map[string]any{"name": "Old"}, apptest.Bearer(h.Session.Access)).Want(http.StatusCreated).Text("id")
			return twice(asUser("POST", "/keys/"+id+"/rotate", nil, again))(h, prefix)
		},
		201: withKeyOf("/keys/%s/rotate", "POST"),
		400: asUser("POST", "/keys/1/rotate", nil),
		401: anonymous("POST", "/keys/"+apptest.Nobody+"/rotate", nil),
		403: crossSite("POST", "/keys/"+apptest.Nobody+"/rotate", nil),
		404: asUser("POST", "/keys/"+apptest.Nobody+"/rotate", nil),
		409: func(h *apptest.Service, prefix string) *apptest.Response {
			id := h.Post("/keys", map[string]any{"name": "Old"}, apptest.Bearer(h.Session.Access)).Want(http.StatusCreated).Text("id")
			return running(asUser("POST", "/keys/"+id+"/rotate", nil, again))(h, prefix)
		},
		422: mismatched(withKeyOf("/keys/%s/rotate", "POST", again)),
	},
})

// withAllKeys asks for one more key than a project may have.
func withAllKeys(h *apptest.Service, prefix string) *apptest.Response {
	user := apptest.Bearer(h.Session.Access)
	body := map[string]any{"name": "One of many", "projectId": h.NewProject(h.Session)}
	for range 100 {
		h.Post("/keys", body, user).Want(http.StatusCreated)
	}
	return h.Post(prefix+"/keys", body, user)
}

// withKeyOf sends a request about a fresh key.
func withKeyOf(path string, method string, options ...apptest.RequestOption) contractCase {
	return func(h *apptest.Service, prefix string) *apptest.Response {
		user := apptest.Bearer(h.Session.Access)
		id := h.Post("/keys", map[string]any{"name": "Short-lived"}, user).Want(http.StatusCreated).Text("id")
		return h.Send(method, prefix+fmt.Sprintf(path, id), nil, append([]apptest.RequestOption{user}, options...)...)
	}
}
