package app_test

var _ = contract(map[string]map[int]contractCase{
	"listPlans": {
		200: anonymous("GET", "/billing/plans", nil),
		400: anonymous("GET", "/billing/plans?currency=eur", nil),
	},
	"getContents": {
		200: asUser("GET", "/usage/contents", nil),
		400: asUser("GET", "/usage/contents?projectId=x", nil),
		401: anonymous("GET", "/usage/contents", nil),
	},
	"getUsage": {
		200: asUser("GET", "/usage?month=2026-11", nil),
		400: asUser("GET", "/usage?month=2026-13", nil),
		401: anonymous("GET", "/usage", nil),
	},
})
