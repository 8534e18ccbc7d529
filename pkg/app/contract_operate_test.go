package app_test

import (
	"math"

	"masthead/pkg/app/apptest"
	"masthead/pkg/db"
)

// aJob is the id of a job that was given up, of a kind that no worker does.
func aJob(h *apptest.Service) string {
	id := db.NewID()
	_, err := h.App.DB.Exec(h.T().Context(), `INSERT INTO jobs (id, kind, key, payload, attempts, due_at, holder, owner,
			turn, last_error, given_up_at) VALUES (?, 'test', ?, '{}', 3, ?, '', '', 0, 'the reason', 1795520000000)`,
		id, id, int64(math.MaxInt64))
	if err != nil {
		h.T().Fatal(err)
	}
	return id
}

// onJob sends a request about a job as the admin.
func onJob(verb string, job func(*apptest.Service) string) contractCase {
	return func(h *apptest.Service, prefix string) *apptest.Response {
		return h.Post(prefix+"/admin/jobs/"+job(h)+"/"+verb, nil, apptest.Bearer(h.Session.Access))
	}
}

func noJob(*apptest.Service) string { return apptest.Nobody }

var _ = contract(map[string]map[int]contractCase{
	"listJobs": {
		200: func(h *apptest.Service, prefix string) *apptest.Response {
			aJob(h)
			return h.Get(prefix+"/admin/jobs?givenUp=true&kind=test", apptest.Bearer(h.Session.Access))
		},
		400: asUser("GET", "/admin/jobs?limit=0", nil),
		401: anonymous("GET", "/admin/jobs", nil),
		403: asOrdinary("GET", "/admin/jobs", nil),
	},
	"retryJob": {
		204: onJob("retry", aJob),
		400: onJob("retry", func(*apptest.Service) string { return "one" }),
		401: anonymous("POST", "/admin/jobs/"+apptest.Nobody+"/retry", nil),
		403: asOrdinary("POST", "/admin/jobs/"+apptest.Nobody+"/retry", nil),
		404: onJob("retry", noJob),
		409: onJob("retry", func(h *apptest.Service) string {
			id := aJob(h)
			onJob("retry", func(*apptest.Service) string { return id })(h, "")
			return id
		}),
	},
	"cancelJob": {
		204: onJob("cancel", aJob),
		400: onJob("cancel", func(*apptest.Service) string { return "one" }),
		401: anonymous("POST", "/admin/jobs/"+apptest.Nobody+"/cancel", nil),
		403: asOrdinary("POST", "/admin/jobs/"+apptest.Nobody+"/cancel", nil),
		404: onJob("cancel", noJob),
	},
	"listAuditLog": {
		200: asUser("GET", "/admin/audit-log?action=register&from=2026-01-01T00:00:00Z", nil),
		400: asUser("GET", "/admin/audit-log?from=yesterday", nil),
		401: anonymous("GET", "/admin/audit-log", nil),
		403: asOrdinary("GET", "/admin/audit-log", nil),
	},
	"listFailedSignIns": {
		200: func(h *apptest.Service, prefix string) *apptest.Response {
			h.Post("/auth/login", map[string]any{"email": "nobody@example.com", "password": "wrong"})
			return h.Get(prefix+"/admin/failed-sign-ins", apptest.Bearer(h.Session.Access))
		},
		400: asUser("GET", "/admin/failed-sign-ins?hours=721", nil),
		401: anonymous("GET", "/admin/failed-sign-ins", nil),
		403: asOrdinary("GET", "/admin/failed-sign-ins", nil),
	},
})
