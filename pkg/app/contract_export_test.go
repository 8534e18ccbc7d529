package app_test

import (
	"net/http"

	"masthead/pkg/app/apptest"
)

const exports = "/users/me/export"

// anExport is an account and the id of its export, which is ready.
func anExport(h *apptest.Service) (s apptest.Session, id string) {
	s = h.Register()
	id = h.Post(exports, nil, apptest.Bearer(s.Access)).Want(http.StatusAccepted).Text("id")
	apptest.WaitFor(h.T(), "the export", func() bool {
		return h.Get(exports+"/"+id, apptest.Bearer(s.Access)).Text("state") == "READY"
	})
	return s, id
}

var _ = contract(map[string]map[int]contractCase{
	"createExport": {
		202: func(h *apptest.Service, prefix string) *apptest.Response {
			return h.Post(prefix+exports, nil, apptest.Bearer(h.Register().Access))
		},
		400: asUser("POST", exports+"?all=true", nil),
		401: anonymous("POST", exports, nil),
		403: crossSite("POST", exports, nil),
	},
	"getExport": {
		200: func(h *apptest.Service, prefix string) *apptest.Response {
			s, id := anExport(h)
			return h.Get(prefix+exports+"/"+id, apptest.Bearer(s.Access))
		},
		400: asUser("GET", exports+"/one", nil),
		401: anonymous("GET", exports+"/"+apptest.Nobody, nil),
		404: asUser("GET", exports+"/"+apptest.Nobody, nil),
	},
	"downloadExport": {
		200: func(h *apptest.Service, prefix string) *apptest.Response {
			s, id := anExport(h)
			return h.Get(prefix+exports+"/"+id+"/file", apptest.Bearer(s.Access))
		},
		400: asUser("GET", exports+"/one/file", nil),
		401: anonymous("GET", exports+"/"+apptest.Nobody+"/file", nil),
		404: asUser("GET", exports+"/"+apptest.Nobody+"/file", nil),
		409: func(h *apptest.Service, prefix string) *apptest.Response {
			s, id := anExport(h)
			_, err := h.App.DB.Exec(h.T().Context(), `UPDATE exports SET state = 'FAILED' WHERE id = ?`, id)
			if err != nil {
				h.T().Fatal(err)
			}
			return h.Get(prefix+exports+"/"+id+"/file", apptest.Bearer(s.Access))
		},
	},
})
