package app_test

import "masthead/pkg/app/apptest"

// analyzes asks what a page of the test's site is known by.
func analyzes(path string, options ...apptest.RequestOption) contractCase {
	return func(h *apptest.Service, prefix string) *apptest.Response {
		options := append([]apptest.RequestOption{apptest.Bearer(h.Key)}, options...)
		return h.Post(prefix+"/pages/analyze", map[string]any{"url": h.Site.At(path)}, options...)
	}
}

var _ = contract(map[string]map[int]contractCase{
	"analyzePage": {
		200: analyzes("/page/one"),
		400: analyzes("/redirect?to=http://169.254.169.254/"),
		401: anonymous("POST", "/pages/analyze", someBody),
		403: crossSite("POST", "/pages/analyze", map[string]any{"url": "https://example.com/"}),
		413: func(h *apptest.Service, prefix string) *apptest.Response {
			return h.Post(prefix+"/pages/analyze", tooLong, apptest.Bearer(h.Key))
		},
		415: analyzes("/page/one", asText),
	},
})
