package app_test

import (
	"maps"
	"net/http"
	"strings"

	"masthead/pkg/app/apptest"
)

const batch = "/images/batch"

// aBatch is a batch of one image for a project, which needs no page.
func aBatch(h *apptest.Service, project string) map[string]any {
	return map[string]any{"requests": []any{map[string]any{
		"url": h.Site.At("/page/one"), "projectId": project, "content": map[string]any{"title": "One"},
	}}}
}

// batches sends a batch of the harness, with more in its one request.
func batches(more map[string]any, options ...apptest.RequestOption) contractCase {
	return func(h *apptest.Service, prefix string) *apptest.Response {
		body := aBatch(h, h.Project)
		request, _ := body["requests"].([]any)[0].(map[string]any)
		maps.Copy(request, more)
		return h.Post(prefix+batch, body, append([]apptest.RequestOption{apptest.Bearer(h.Key)}, options...)...)
	}
}

// batchAt asks for a batch with the key of the harness.
func batchAt(suffix string) contractCase {
	return func(h *apptest.Service, prefix string) *apptest.Response {
		return h.Get(prefix+"/images/batches/"+suffix, apptest.Bearer(h.Key))
	}
}

var _ = contract(map[string]map[int]contractCase{
	"createBatch": {
		202: batches(nil),
		400: batches(map[string]any{"url": 1}),
		401: anonymous("POST", batch, map[string]any{}),
		402: func(h *apptest.Service, prefix string) *apptest.Response {
			one := aBatch(h, h.Project)["requests"].([]any)[0]
			many := make([]any, 101)
			for i := range many {
				many[i] = one
			}
			return h.Post(prefix+batch, map[string]any{"requests": many}, apptest.Bearer(h.Key))
		},
		403: batches(map[string]any{"projectId": apptest.Nobody}),
		409: running(batches(nil, again)),
		413: func(h *apptest.Service, prefix string) *apptest.Response {
			return h.Post(prefix+batch, strings.Repeat(" ", 4<<20+1), apptest.Bearer(h.Key))
		},
		415: batches(nil, asText),
		422: mismatched(batches(nil, again)),
	},
	"getBatch": {
		200: func(h *apptest.Service, prefix string) *apptest.Response {
			return batchAt(batches(nil)(h, prefix).Want(http.StatusAccepted).Text("id"))(h, prefix)
		},
		400: batchAt("1"),
		401: anonymous("GET", "/images/batches/"+apptest.Nobody, nil),
		404: batchAt(apptest.Nobody),
	},
})
