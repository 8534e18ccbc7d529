package app_test

import (
	"net/http"

	"masthead/pkg/app/apptest"
)

var _ = contract(map[string]map[int]contractCase{
	"listTemplates": {
		200: anonymous("GET", "/templates?kind=og", nil),
		304: current("/templates?kind=og"),
		400: anonymous("GET", "/templates?kind=icon", nil),
	},
	"getTemplate": {
		200: anonymous("GET", "/templates/editorial", nil),
		304: current("/templates/editorial"),
		400: anonymous("GET", "/templates/editorial?kind=og", nil),
		404: anonymous("GET", "/templates/no-such-template", nil),
	},
	"getTemplateSample": {
		200: anonymous("GET", "/templates/editorial/sample", nil),
		304: current("/templates/editorial/sample"),
		400: anonymous("GET", "/templates/editorial/sample?dark=maybe", nil),
		404: anonymous("GET", "/templates/no-such-template/sample", nil),
	},
})

// current asks a second time, with the validator of the first response.
func current(path string) contractCase {
	return func(h *apptest.Service, prefix string) *apptest.Response {
		tag := h.Get(path).Want(http.StatusOK).Header.Get("ETag")
		return h.Get(prefix+path, apptest.Header("If-None-Match", tag))
	}
}
