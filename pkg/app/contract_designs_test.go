package app_test

import (
	"fmt"
	"net/http"
	"strings"

	"masthead/pkg/app/apptest"
)

// aDesign is a body of POST /designs in a project, each with a slug of its own.
func aDesign(project string) map[string]any {
	return map[string]any{
		"projectId": project, "slug": fmt.Sprint("design-", apptest.Serial()), "html": "<b>{{title}}</b>",
	}
}

// designOf creates a design of an account and returns its path. Its plan has room for many.
func designOf(h *apptest.Service, s apptest.Session, project string) string {
	if _, err := h.App.Users.SetPlan(h.T().Context(), h.ID(s), "pro"); err != nil {
		h.T().Fatal(err)
	}
	return "/designs/" + h.Post("/designs", aDesign(project), apptest.Bearer(s.Access)).Want(http.StatusCreated).Text("id")
}

// deletedDesign creates a design of an account and marks it as deleted. It returns the path that takes that back.
func deletedDesign(h *apptest.Service, s apptest.Session, project string) string {
	h.T().Helper()
	path := designOf(h, s, project)
	h.Send("DELETE", path+"?undo=true", nil, apptest.Bearer(s.Access)).Want(http.StatusNoContent)
	return path + "/undelete"
}

// onDesign sends a request about a design of the harness.
func onDesign(method, suffix string, body any, more ...apptest.RequestOption) contractCase {
	return func(h *apptest.Service, prefix string) *apptest.Response {
		path := designOf(h, h.Session, h.NewProject(h.Session)) + suffix
		options := append([]apptest.RequestOption{apptest.Bearer(h.Session.Access)}, more...)
		return h.Send(method, prefix+path, body, options...)
	}
}

// inProject sends a body that a new project of the harness is put into.
func inProject(path string, body map[string]any) contractCase {
	return func(h *apptest.Service, prefix string) *apptest.Response {
		body["projectId"] = h.NewProject(h.Session)
		return h.Post(prefix+path, body, apptest.Bearer(h.Session.Access))
	}
}

const nobodysDesign = "/designs/" + apptest.Nobody

var veryLong = `{"x": "` + strings.Repeat("x", 1<<20) + `"}`

var _ = contract(map[string]map[int]contractCase{
	"listDesigns": {
		200: func(h *apptest.Service, prefix string) *apptest.Response {
			designOf(h, h.Session, h.NewProject(h.Session))
			return h.Get(prefix+"/designs", apptest.Bearer(h.Session.Access))
		},
		400: asUser("GET", "/designs?limit=0", nil),
		401: anonymous("GET", "/designs", nil),
	},
	"createDesign": {
		201: func(h *apptest.Service, prefix string) *apptest.Response {
			project := h.NewProject(h.Session)
			designOf(h, h.Session, project)
			return h.Post(prefix+"/designs", aDesign(project), apptest.Bearer(h.Session.Access))
		},
		400: inProject("/designs", map[string]any{"slug": "auto", "html": "x"}),
		401: anonymous("POST", "/designs", someBody),
		402: func(h *apptest.Service, prefix string) *apptest.Response {
			s := h.Register()
			project := h.NewProject(s)
			h.Post("/designs", aDesign(project), apptest.Bearer(s.Access)).Want(http.StatusCreated)
			return h.Post(prefix+"/designs", aDesign(project), apptest.Bearer(s.Access))
		},
		403: crossSite("POST", "/designs", aDesign(apptest.Nobody)),
		404: asUser("POST", "/designs", aDesign(apptest.Nobody)),
		409: func(h *apptest.Service, prefix string) *apptest.Response {
			project := h.NewProject(h.Session)
			designOf(h, h.Session, project)
			body := aDesign(project)
			h.Post("/designs", body, apptest.Bearer(h.Session.Access)).Want(http.StatusCreated)
			return h.Post(prefix+"/designs", body, apptest.Bearer(h.Session.Access))
		},
		413: asUser("POST", "/designs", veryLong),
		415: asUser("POST", "/designs", someBody, asText),
	},
	"previewDesign": {
		200: inProject("/designs/preview", map[string]any{"html": "<b>{{title}}</b>"}),
		400: inProject("/designs/preview", map[string]any{"html": "<b {{title}}>"}),
		401: anonymous("POST", "/designs/preview", someBody),
		403: crossSite("POST", "/designs/preview", map[string]any{"projectId": apptest.Nobody, "html": "x"}),
		404: asUser("POST", "/designs/preview", map[string]any{"projectId": apptest.Nobody, "html": "x"}),
		413: asUser("POST", "/designs/preview", veryLong),
		415: asUser("POST", "/designs/preview", someBody, asText),
	},
	"getDesign": {
		200: onDesign("GET", "", nil),
		400: asUser("GET", "/designs/1", nil),
		401: anonymous("GET", nobodysDesign, nil),
		404: asUser("GET", nobodysDesign, nil),
	},
	"updateDesign": {
		200: onDesign("PUT", "", map[string]any{"html": "<i>{{title}}</i>"}),
		400: onDesign("PUT", "", map[string]any{"html": "{{#title}}"}),
		401: anonymous("PUT", nobodysDesign, someBody),
		403: crossSite("PUT", nobodysDesign, map[string]any{"name": "New"}),
		404: asUser("PUT", nobodysDesign, map[string]any{"name": "New"}),
		409: onDesign("PUT", "", map[string]any{"name": "New", "baseVersion": 2}),
		413: asUser("PUT", nobodysDesign, veryLong),
		415: asUser("PUT", nobodysDesign, someBody, asText),
	},
	"deleteDesign": {
		204: onDesign("DELETE", "", nil),
		400: asUser("DELETE", "/designs/1", nil),
		401: anonymous("DELETE", nobodysDesign, nil),
		403: crossSite("DELETE", nobodysDesign, nil),
		404: asUser("DELETE", nobodysDesign, nil),
	},
	"undeleteDesign": {
		200: func(h *apptest.Service, prefix string) *apptest.Response {
			path := deletedDesign(h, h.Session, h.NewProject(h.Session))
			return h.Post(prefix+path, nil, apptest.Bearer(h.Session.Access))
		},
		400: asUser("POST", "/designs/1/undelete", nil),
		401: anonymous("POST", nobodysDesign+"/undelete", nil),
		402: func(h *apptest.Service, prefix string) *apptest.Response {
			s := h.Register()
			project := h.NewProject(s)
			path := deletedDesign(h, s, project)
			if _, err := h.App.Users.SetPlan(h.T().Context(), h.ID(s), "free"); err != nil {
				h.T().Fatal(err)
			}
			h.Post("/designs", aDesign(project), apptest.Bearer(s.Access)).Want(http.StatusCreated)
			return h.Post(prefix+path, nil, apptest.Bearer(s.Access))
		},
		403: crossSite("POST", nobodysDesign+"/undelete", nil),
		404: asUser("POST", nobodysDesign+"/undelete", nil),
	},
	"listDesignVersions": {
		200: onDesign("GET", "/versions", nil),
		400: asUser("GET", "/designs/1/versions", nil),
		401: anonymous("GET", nobodysDesign+"/versions", nil),
		404: asUser("GET", nobodysDesign+"/versions", nil),
	},
	"restoreDesign": {
		200: onDesign("POST", "/restore", map[string]any{"version": 1}),
		400: onDesign("POST", "/restore", map[string]any{"version": 0}),
		401: anonymous("POST", nobodysDesign+"/restore", someBody),
		403: crossSite("POST", nobodysDesign+"/restore", map[string]any{"version": 1}),
		404: asUser("POST", nobodysDesign+"/restore", map[string]any{"version": 1}),
		413: asUser("POST", nobodysDesign+"/restore", tooLong),
		415: asUser("POST", nobodysDesign+"/restore", someBody, asText),
	},
	"checkDesign": {
		200: onDesign("POST", "/check", map[string]any{"html": "<b>{{titel}}</b>"}),
		400: onDesign("POST", "/check", map[string]any{"html": ""}),
		401: anonymous("POST", nobodysDesign+"/check", someBody),
		403: crossSite("POST", nobodysDesign+"/check", map[string]any{"text": "word"}),
		404: asUser("POST", nobodysDesign+"/check", map[string]any{"text": "word"}),
		413: asUser("POST", nobodysDesign+"/check", veryLong),
		415: asUser("POST", nobodysDesign+"/check", someBody, asText),
	},
	"getDesignDraft": {
		200: func(h *apptest.Service, prefix string) *apptest.Response {
			path := designOf(h, h.Session, h.NewProject(h.Session)) + "/draft"
			h.Send("PUT", path, aDraft, apptest.Bearer(h.Session.Access)).Want(http.StatusOK)
			return h.Get(prefix+path, apptest.Bearer(h.Session.Access))
		},
		400: asUser("GET", "/designs/1/draft", nil),
		401: anonymous("GET", nobodysDesign+"/draft", nil),
		404: asUser("GET", nobodysDesign+"/draft", nil),
	},
	"putDesignDraft": {
		200: onDesign("PUT", "/draft", aDraft),
		400: onDesign("PUT", "/draft", map[string]any{"html": "", "baseVersion": 1, "window": ""}),
		401: anonymous("PUT", nobodysDesign+"/draft", someBody),
		403: crossSite("PUT", nobodysDesign+"/draft", aDraft),
		404: asUser("PUT", nobodysDesign+"/draft", aDraft),
		409: func(h *apptest.Service, prefix string) *apptest.Response {
			path := designOf(h, h.Session, h.NewProject(h.Session)) + "/draft"
			h.Send("PUT", path, aDraft, apptest.Bearer(h.Session.Access)).Want(http.StatusOK)
			other := map[string]any{"html": "<i>", "baseVersion": 1, "window": "two", "revision": 0}
			return h.Send("PUT", prefix+path, other, apptest.Bearer(h.Session.Access))
		},
		413: asUser("PUT", nobodysDesign+"/draft", veryLong),
		415: asUser("PUT", nobodysDesign+"/draft", someBody, asText),
	},
	"deleteDesignDraft": {
		204: onDesign("DELETE", "/draft", nil),
		400: asUser("DELETE", "/designs/1/draft", nil),
		401: anonymous("DELETE", nobodysDesign+"/draft", nil),
		403: crossSite("DELETE", nobodysDesign+"/draft", nil),
		404: asUser("DELETE", nobodysDesign+"/draft", nil),
	},
})

// aDraft is a draft with a fault.
var aDraft = map[string]any{"html": "<b>{{#title}}", "baseVersion": 1, "window": "one"}
