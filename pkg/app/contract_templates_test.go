package app_test

import (
	"net/http"

	"masthead/pkg/app/apptest"
)

var _ = contract(map[string]map[int]contractCase{
	"listTemplates": {
		200: anonymous("GET", "/templates?kind=og", nil),
		400: anonymous("GET", "/templates?kind=icon", nil),
	},
	"getTemplate": {
		200: anonymous("GET", "/templates/editorial", nil),
		404: anonymous("GET", "/templates/no-such-template", nil),
	},
	"getTemplateSample": {
		200: anonymous("GET", "/templates/editorial/sample", nil),
		304: func(h *apptest.Service, prefix string) *apptest.Response {
			tag := h.Get("/templates/editorial/sample").Want(http.StatusOK).Header.Get("ETag")
			return h.Get(prefix+"/templates/editorial/sample", apptest.Header("If-None-Match", tag))
		},
		404: anonymous("GET", "/templates/no-such-template/sample", nil),
	},
})
