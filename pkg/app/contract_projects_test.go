package app_test

import (
	"fmt"
	"net/http"

	"masthead/pkg/app/apptest"
)

var _ = contract(map[string]map[int]contractCase{
	"listProjects": {
		200: asUser("GET", "/projects", nil),
		400: asUser("GET", "/projects?cursor=x", nil),
		401: anonymous("GET", "/projects", nil),
	},
	"createProject": {
		201: asUser("POST", "/projects", map[string]any{"name": "New", "domains": []string{"Example.com"}}),
		400: asUser("POST", "/projects", map[string]any{"name": "New", "domains": []string{"co.uk"}}),
		401: anonymous("POST", "/projects", someBody),
		403: crossSite("POST", "/projects", map[string]any{"name": "New"}),
		409: asUser("POST", "/projects", map[string]any{"name": "New", "domains": tooManyDomains()}),
		413: asUser("POST", "/projects", tooLong),
		415: asUser("POST", "/projects", someBody, asText),
		422: mismatched(asUser("POST", "/projects", map[string]any{"name": "New"}, again)),
	},
	"getProject": {
		200: withProjectOf("GET", nil),
		400: asUser("GET", "/projects/1", nil),
		401: anonymous("GET", "/projects/"+apptest.Nobody, nil),
		404: asUser("GET", "/projects/"+apptest.Nobody, nil),
	},
	"updateProject": {
		200: withProjectOf("PATCH", map[string]any{"name": "Renamed"}),
		400: withProjectOf("PATCH", map[string]any{"unknown": true}),
		401: anonymous("PATCH", "/projects/"+apptest.Nobody, someBody),
		403: crossSite("PATCH", "/projects/"+apptest.Nobody, map[string]any{"name": "Renamed"}),
		404: asUser("PATCH", "/projects/"+apptest.Nobody, map[string]any{"name": "Renamed"}),
		409: withProjectOf("PATCH", map[string]any{"domains": tooManyDomains()}),
		413: withProjectOf("PATCH", tooLong),
		415: asUser("PATCH", "/projects/"+apptest.Nobody, someBody, asText),
	},
	"listSigningKeys": {
		200: withKeysOf("GET"),
		400: asUser("GET", "/projects/1/signing-keys", nil),
		401: anonymous("GET", "/projects/"+apptest.Nobody+"/signing-keys", nil),
		404: asUser("GET", "/projects/"+apptest.Nobody+"/signing-keys", nil),
	},
	"createSigningKey": {
		201: withKeysOf("POST"),
		400: asUser("POST", "/projects/1/signing-keys", nil),
		401: anonymous("POST", "/projects/"+apptest.Nobody+"/signing-keys", nil),
		403: crossSite("POST", "/projects/"+apptest.Nobody+"/signing-keys", nil),
		404: asUser("POST", "/projects/"+apptest.Nobody+"/signing-keys", nil),
	},
	"deleteProject": {
		204: withProjectOf("DELETE", nil),
		400: asUser("DELETE", "/projects/1", nil),
		401: anonymous("DELETE", "/projects/"+apptest.Nobody, nil),
		403: crossSite("DELETE", "/projects/"+apptest.Nobody, nil),
		404: asUser("DELETE", "/projects/"+apptest.Nobody, nil),
	},
})

// tooManyDomains are one more than a project may have.
func tooManyDomains() (domains []string) {
	for i := range 101 {
		domains = append(domains, fmt.Sprintf("s%d.example", i))
	}
	return domains
}

func withProjectOf(method string, body any) contractCase {
	return func(h *apptest.Service, prefix string) *apptest.Response {
		return h.Send(method, prefix+"/projects/"+h.NewProject(h.Session), body, apptest.Bearer(h.Session.Access))
	}
}

// withKeysOf asks for the signing keys of a new project, which has one.
func withKeysOf(method string) contractCase {
	return func(h *apptest.Service, prefix string) *apptest.Response {
		me, path := apptest.Bearer(h.Session.Access), prefix+"/projects/"+h.NewProject(h.Session)+"/signing-keys"
		h.Post(path, nil, me).Want(http.StatusCreated)
		return h.Send(method, path, nil, me)
	}
}
