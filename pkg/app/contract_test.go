package app_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"masthead/gen"
	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/apperr"
)

// contractCase sends one request whose answer has a certain status. prefix is "" or "/api".
type contractCase func(h *apptest.Service, prefix string) *apptest.Response

// asUser sends a request with the session of the harness.
func asUser(method, path string, body any, more ...apptest.RequestOption) contractCase {
	return func(h *apptest.Service, prefix string) *apptest.Response {
		return h.Send(method, prefix+path, body, append([]apptest.RequestOption{apptest.Bearer(h.Session.Access)}, more...)...)
	}
}

// anonymous sends a request without credentials.
func anonymous(method, path string, body any, more ...apptest.RequestOption) contractCase {
	return func(h *apptest.Service, prefix string) *apptest.Response {
		return h.Send(method, prefix+path, body, more...)
	}
}

// elsewhere makes a request a write with the cookie from another site.
func elsewhere(h *apptest.Service) apptest.RequestOption {
	return func(r *http.Request) {
		r.Header.Del("Authorization")
		r.Header.Set("Cookie", "access_token="+h.Session.Access)
		r.Header.Set("Sec-Fetch-Site", "cross-site")
	}
}

func crossSite(method, path string, body any) contractCase {
	return func(h *apptest.Service, prefix string) *apptest.Response {
		return h.Send(method, prefix+path, body, elsewhere(h))
	}
}

var (
	tooLong  = `{"x": "` + strings.Repeat("x", 70<<10) + `"}`
	asText   = apptest.Header("Content-Type", "text/plain")
	someBody = map[string]any{}
)

// withImage sends a request about a fresh image.
func withImage(send func(h *apptest.Service, prefix string, image *apptest.Response) *apptest.Response) contractCase {
	return func(h *apptest.Service, prefix string) *apptest.Response {
		return send(h, prefix, h.Generate("/page/"+strconv.FormatInt(apptest.Serial(), 10), nil).Want(http.StatusOK))
	}
}

// generate asks for an image with the fields of more.
func generates(more map[string]any, options ...apptest.RequestOption) contractCase {
	return func(h *apptest.Service, prefix string) *apptest.Response {
		body := map[string]any{"url": h.Site.At("/page/contract"), "projectId": h.Project}
		maps.Copy(body, more)
		return h.Post(prefix+"/images/generate", body, append([]apptest.RequestOption{apptest.Bearer(h.Key)}, options...)...)
	}
}

func withKeyOf(path string, method string, status ...apptest.RequestOption) contractCase {
	return func(h *apptest.Service, prefix string) *apptest.Response {
		id := h.Post("/keys", map[string]any{"name": "Short-lived"}, apptest.Bearer(h.Session.Access)).Want(http.StatusCreated).Text("id")
		return h.Send(method, prefix+fmt.Sprintf(path, id), nil, append([]apptest.RequestOption{apptest.Bearer(h.Session.Access)}, status...)...)
	}
}

func withProjectOf(method string, body any) contractCase {
	return func(h *apptest.Service, prefix string) *apptest.Response {
		return h.Send(method, prefix+"/projects/"+h.NewProject(h.Session), body, apptest.Bearer(h.Session.Access))
	}
}

// throttled sends the request until it is told to wait.
func throttled(send func(h *apptest.Service, prefix string) *apptest.Response) contractCase {
	return func(h *apptest.Service, prefix string) *apptest.Response {
		var a *apptest.Response
		for range 30 {
			if a = send(h, prefix); a.Status == http.StatusTooManyRequests {
				break
			}
		}
		return a
	}
}

func badLogin(email string) contractCase {
	return anonymous("POST", "/auth/login", map[string]any{"email": email, "password": "not the password"})
}

// contractCases holds a case for each status below 500 that an operation declares. A harness that a case leaves in
// another state is not used by another operation's cases: each operation gets its own.
var contractCases = map[string]map[int]contractCase{
	"generateImage": {
		200: generates(nil),
		400: generates(map[string]any{"url": "not an address"}),
		401: anonymous("POST", "/images/generate", someBody),
		403: generates(map[string]any{"projectId": apptest.Nobody}),
		404: generates(map[string]any{"template": "no-such-template"}),
		409: func(h *apptest.Service, prefix string) *apptest.Response {
			generates(nil)(h, prefix).Want(http.StatusOK)
			return generates(nil, apptest.Header("If-None-Match", "*"))(h, prefix)
		},
		413: func(h *apptest.Service, prefix string) *apptest.Response {
			return h.Post(prefix+"/images/generate", tooLong, apptest.Bearer(h.Key))
		},
		415: generates(nil, asText),
	},
	"listImages": {
		200: asUser("GET", "/images", nil),
		400: asUser("GET", "/images?limit=0", nil),
		401: anonymous("GET", "/images", nil),
	},
	"getImage": {
		200: withImage(func(h *apptest.Service, prefix string, image *apptest.Response) *apptest.Response {
			return h.Get(prefix+"/images/"+image.Text("id"), apptest.Bearer(h.Session.Access))
		}),
		400: asUser("GET", "/images/1", nil),
		401: anonymous("GET", "/images/"+apptest.Nobody, nil),
		404: asUser("GET", "/images/"+apptest.Nobody, nil),
	},
	"deleteImage": {
		204: withImage(func(h *apptest.Service, prefix string, image *apptest.Response) *apptest.Response {
			return h.Send("DELETE", prefix+"/images/"+image.Text("id"), nil, apptest.Bearer(h.Session.Access))
		}),
		400: asUser("DELETE", "/images/1", nil),
		401: anonymous("DELETE", "/images/"+apptest.Nobody, nil),
		403: crossSite("DELETE", "/images/"+apptest.Nobody, nil),
		404: asUser("DELETE", "/images/"+apptest.Nobody, nil),
	},
	"getPublicImage": {
		200: withImage(func(h *apptest.Service, prefix string, image *apptest.Response) *apptest.Response {
			return h.Get(prefix + image.Path("publicUrl"))
		}),
		304: withImage(func(h *apptest.Service, prefix string, image *apptest.Response) *apptest.Response {
			tag := h.Get(image.Path("publicUrl")).Want(http.StatusOK).Header.Get("ETag")
			return h.Get(prefix+image.Path("publicUrl"), apptest.Header("If-None-Match", tag))
		}),
		404: anonymous("GET", "/og/abcdefghijklmnopqrstuv", nil),
	},
	"getFile": {
		200: withImage(func(h *apptest.Service, prefix string, image *apptest.Response) *apptest.Response {
			return h.Get(prefix + image.Path("imageUrl"))
		}),
		304: withImage(func(h *apptest.Service, prefix string, image *apptest.Response) *apptest.Response {
			tag := h.Get(image.Path("imageUrl")).Want(http.StatusOK).Header.Get("ETag")
			return h.Get(prefix+image.Path("imageUrl"), apptest.Header("If-None-Match", tag))
		}),
		404: anonymous("GET", "/cdn/"+strings.Repeat("0", 64)+"/og.png", nil),
	},
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
		413: asUser("POST", "/projects", tooLong),
		415: asUser("POST", "/projects", someBody, asText),
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
		413: withProjectOf("PATCH", tooLong),
		415: asUser("PATCH", "/projects/"+apptest.Nobody, someBody, asText),
	},
	"deleteProject": {
		204: withProjectOf("DELETE", nil),
		400: asUser("DELETE", "/projects/1", nil),
		401: anonymous("DELETE", "/projects/"+apptest.Nobody, nil),
		403: crossSite("DELETE", "/projects/"+apptest.Nobody, nil),
		404: asUser("DELETE", "/projects/"+apptest.Nobody, nil),
	},
	"listKeys": {
		200: asUser("GET", "/keys?limit=1", nil),
		400: asUser("GET", "/keys?limit=101", nil),
		401: anonymous("GET", "/keys", nil),
	},
	"createKey": {
		201: asUser("POST", "/keys", map[string]any{"name": "New"}),
		400: asUser("POST", "/keys", map[string]any{"name": ""}),
		401: anonymous("POST", "/keys", someBody),
		403: crossSite("POST", "/keys", map[string]any{"name": "New"}),
		404: asUser("POST", "/keys", map[string]any{"name": "New", "projectId": apptest.Nobody}),
		413: asUser("POST", "/keys", tooLong),
		415: asUser("POST", "/keys", someBody, asText),
	},
	"deleteKey": {
		204: withKeyOf("/keys/%s", "DELETE"),
		400: asUser("DELETE", "/keys/1", nil),
		401: anonymous("DELETE", "/keys/"+apptest.Nobody, nil),
		403: crossSite("DELETE", "/keys/"+apptest.Nobody, nil),
		404: asUser("DELETE", "/keys/"+apptest.Nobody, nil),
	},
	"rotateKey": {
		201: withKeyOf("/keys/%s/rotate", "POST"),
		400: asUser("POST", "/keys/1/rotate", nil),
		401: anonymous("POST", "/keys/"+apptest.Nobody+"/rotate", nil),
		403: crossSite("POST", "/keys/"+apptest.Nobody+"/rotate", nil),
		404: asUser("POST", "/keys/"+apptest.Nobody+"/rotate", nil),
	},
	"register": {
		201: func(h *apptest.Service, prefix string) *apptest.Response {
			email := fmt.Sprintf("new%d@example.com", apptest.Serial())
			return h.Post(prefix+"/auth/register", map[string]any{"email": email, "password": apptest.Password, "name": "New"})
		},
		400: anonymous("POST", "/auth/register", map[string]any{"email": "a@example.com", "password": "12345678"}),
		403: anonymous("POST", "/auth/register", map[string]any{"email": "a@example.com", "password": apptest.Password, "setupToken": "wrong"}),
		409: func(h *apptest.Service, prefix string) *apptest.Response {
			return h.Post(prefix+"/auth/register", map[string]any{"email": strings.ToUpper(h.Session.Email), "password": apptest.Password})
		},
		413: anonymous("POST", "/auth/register", tooLong),
		415: anonymous("POST", "/auth/register", someBody, asText),
		429: throttled(anonymous("POST", "/auth/register", someBody)),
	},
	"login": {
		200: func(h *apptest.Service, prefix string) *apptest.Response {
			return h.Post(prefix+"/auth/login", map[string]any{"email": h.Session.Email, "password": h.Session.Password})
		},
		400: anonymous("POST", "/auth/login", map[string]any{"email": 1}),
		401: badLogin("apptest.Nobody@example.com"),
		413: anonymous("POST", "/auth/login", tooLong),
		415: anonymous("POST", "/auth/login", someBody, asText),
		429: throttled(badLogin("throttled@example.com")),
	},
	"refreshSession": {
		200: func(h *apptest.Service, prefix string) *apptest.Response {
			return h.Post(prefix+"/auth/refresh", map[string]any{"refreshToken": h.Register().Refresh})
		},
		400: anonymous("POST", "/auth/refresh", someBody),
		401: anonymous("POST", "/auth/refresh", map[string]any{"refreshToken": "unknown"}),
		413: anonymous("POST", "/auth/refresh", tooLong),
		415: anonymous("POST", "/auth/refresh", someBody, asText),
		429: throttled(anonymous("POST", "/auth/refresh", someBody)),
	},
	"logout": {
		204: func(h *apptest.Service, prefix string) *apptest.Response {
			return h.Post(prefix+"/auth/logout", nil, apptest.Bearer(h.Register().Access))
		},
		401: anonymous("POST", "/auth/logout", nil),
		403: crossSite("POST", "/auth/logout", nil),
	},
	"getMe": {
		200: asUser("GET", "/users/me", nil),
		401: anonymous("GET", "/users/me", nil, apptest.Bearer("a.b.c")),
	},
	"updateMe": {
		200: asUser("PATCH", "/users/me", map[string]any{"name": "Ada"}),
		400: asUser("PATCH", "/users/me", map[string]any{"plan": "pro"}),
		401: anonymous("PATCH", "/users/me", someBody),
		403: crossSite("PATCH", "/users/me", map[string]any{"name": "Ada"}),
		409: func(h *apptest.Service, prefix string) *apptest.Response {
			other := h.Register()
			return h.Send("PATCH", prefix+"/users/me", map[string]any{"email": other.Email, "currentPassword": apptest.Password}, apptest.Bearer(h.Session.Access))
		},
		413: asUser("PATCH", "/users/me", tooLong),
		415: asUser("PATCH", "/users/me", someBody, asText),
		429: throttled(asUser("PATCH", "/users/me", map[string]any{"email": "other@example.com", "currentPassword": "not the password"})),
	},
	"deleteMe": {
		204: func(h *apptest.Service, prefix string) *apptest.Response {
			return h.Send("DELETE", prefix+"/users/me", nil, apptest.Bearer(h.Register().Access))
		},
		401: anonymous("DELETE", "/users/me", nil),
		403: crossSite("DELETE", "/users/me", nil),
	},
	"changePassword": {
		204: func(h *apptest.Service, prefix string) *apptest.Response {
			body := map[string]any{"currentPassword": apptest.Password, "newPassword": "another horse battery staple"}
			return h.Send("PUT", prefix+"/users/me/password", body, apptest.Bearer(h.Register().Access))
		},
		400: asUser("PUT", "/users/me/password", map[string]any{"currentPassword": apptest.Password, "newPassword": "short"}),
		401: anonymous("PUT", "/users/me/password", someBody),
		403: crossSite("PUT", "/users/me/password", map[string]any{"currentPassword": apptest.Password, "newPassword": "another horse battery staple"}),
		413: asUser("PUT", "/users/me/password", tooLong),
		415: asUser("PUT", "/users/me/password", someBody, asText),
		429: throttled(asUser("PUT", "/users/me/password", map[string]any{"currentPassword": "not the password", "newPassword": "another horse battery staple"})),
	},
	"getHealth":    {200: anonymous("GET", "/healthz", nil)},
	"getReadiness": {200: anonymous("GET", "/readyz", nil)},
}

// TestContract calls every operation for every status below 500 that it declares, under both prefixes. The harness
// validates each answer, headers included, against the document.
func TestContract(t *testing.T) {
	document, err := openapi3.NewLoader().LoadFromData(gen.Document)
	if err != nil {
		t.Fatal(err)
	}
	for path, item := range document.Paths.Map() {
		for method, op := range item.Operations() {
			t.Run(op.OperationID, func(t *testing.T) {
				t.Parallel()
				cases := contractCases[op.OperationID]
				statuses := declared(t, op)
				for status := range cases {
					if !slices.Contains(statuses, status) {
						t.Errorf("%s %s does not declare %d, for which there is a case", method, path, status)
					}
				}
				h := apptest.StartSignedIn(t, func(s *app.Config) { s.Server.AuthRPM = rpmFor(op.OperationID) })
				for _, status := range statuses {
					send, ok := cases[status]
					if !ok {
						t.Errorf("%s %s declares %d and has no case", method, path, status)
						continue
					}
					for _, prefix := range []string{"", "/api"} {
						send(h.With(t), prefix).Want(status)
					}
				}
			})
		}
	}
}

// rpmFor leaves the operations that are counted enough requests for their cases, but not for throttled.
func rpmFor(operation string) int64 {
	switch operation {
	case "register", "refreshSession":
		return 24
	}
	return 100_000
}

// declared returns the statuses below 500 of an operation, the one that exhausts a limit last.
func declared(t *testing.T, op *openapi3.Operation) []int {
	t.Helper()
	var statuses []int
	for text := range op.Responses.Map() {
		status, err := strconv.Atoi(text)
		if err != nil {
			t.Fatalf("%s declares the status %q; each is declared by itself", op.OperationID, text)
		}
		if status < 500 {
			statuses = append(statuses, status)
		}
	}
	slices.Sort(statuses)
	return statuses
}

func TestContract_everyCaseHasAnOperation(t *testing.T) {
	document, err := openapi3.NewLoader().LoadFromData(gen.Document)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, item := range document.Paths.Map() {
		for _, op := range item.Operations() {
			known[op.OperationID] = true
		}
	}
	for id := range contractCases {
		if !known[id] {
			t.Errorf("there is no operation %s", id)
		}
	}
}

func TestContract_errorCodesAreThoseOfTheTable(t *testing.T) {
	document, err := openapi3.NewLoader().LoadFromData(gen.Document)
	if err != nil {
		t.Fatal(err)
	}
	var described []string
	for _, code := range document.Components.Schemas["ErrorCode"].Value.Enum {
		described = append(described, fmt.Sprint(code))
	}
	slices.Sort(described)
	var known []string
	for _, code := range apperr.Codes() {
		known = append(known, string(code))
	}
	slices.Sort(known)
	if !slices.Equal(described, known) {
		t.Errorf("the document has %v, the table %v", described, known)
	}
}
