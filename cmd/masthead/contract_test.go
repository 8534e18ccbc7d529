package main

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
	"masthead/pkg/apperr"
)

// nobody is an id that no resource has.
const nobody = "0199e0a6-5f5e-7cc1-9a51-3f0d8f2b7c11"

// contractCase sends one request whose answer has a certain status. prefix is "" or "/api".
type contractCase func(h *harness, prefix string) *answer

// asUser sends a request with the session of the harness.
func asUser(method, path string, body any, more ...option) contractCase {
	return func(h *harness, prefix string) *answer {
		return h.send(method, prefix+path, body, append([]option{bearer(h.session.Access)}, more...)...)
	}
}

// anonymous sends a request without credentials.
func anonymous(method, path string, body any, more ...option) contractCase {
	return func(h *harness, prefix string) *answer { return h.send(method, prefix+path, body, more...) }
}

// elsewhere makes a request a write with the cookie from another site.
func elsewhere(h *harness) option {
	return func(r *http.Request) {
		r.Header.Del("Authorization")
		r.Header.Set("Cookie", "access_token="+h.session.Access)
		r.Header.Set("Sec-Fetch-Site", "cross-site")
	}
}

func crossSite(method, path string, body any) contractCase {
	return func(h *harness, prefix string) *answer { return h.send(method, prefix+path, body, elsewhere(h)) }
}

var (
	tooLong  = `{"x": "` + strings.Repeat("x", 70<<10) + `"}`
	asText   = header("Content-Type", "text/plain")
	someBody = map[string]any{}
)

// withImage sends a request about a fresh image.
func withImage(send func(h *harness, prefix string, image *answer) *answer) contractCase {
	return func(h *harness, prefix string) *answer {
		return send(h, prefix, h.generate("/page/"+strconv.FormatInt(serial.Add(1), 10), nil).want(http.StatusOK))
	}
}

// generate asks for an image with the fields of more.
func generates(more map[string]any, options ...option) contractCase {
	return func(h *harness, prefix string) *answer {
		body := map[string]any{"url": h.site.url("/page/contract"), "projectId": h.project}
		maps.Copy(body, more)
		return h.post(prefix+"/images/generate", body, append([]option{bearer(h.key)}, options...)...)
	}
}

func withKeyOf(path string, method string, status ...option) contractCase {
	return func(h *harness, prefix string) *answer {
		id := h.post("/keys", map[string]any{"name": "Short-lived"}, bearer(h.session.Access)).want(http.StatusCreated).text("id")
		return h.send(method, prefix+fmt.Sprintf(path, id), nil, append([]option{bearer(h.session.Access)}, status...)...)
	}
}

func withProjectOf(method string, body any) contractCase {
	return func(h *harness, prefix string) *answer {
		return h.send(method, prefix+"/projects/"+h.newProject(h.session), body, bearer(h.session.Access))
	}
}

// throttled sends the request until it is told to wait.
func throttled(send func(h *harness, prefix string) *answer) contractCase {
	return func(h *harness, prefix string) *answer {
		var a *answer
		for range 30 {
			if a = send(h, prefix); a.status == http.StatusTooManyRequests {
				break
			}
		}
		return a
	}
}

func badLogin(email string) contractCase {
	return anonymous("POST", "/auth/login", map[string]any{"email": email, "password": "not the password"})
}

// contractCases holds a case for each status below 500 that an operation declares. A harness that a case leaves in another state is
// not used by another operation's cases: each operation gets its own.
var contractCases = map[string]map[int]contractCase{
	"generateImage": {
		200: generates(nil),
		400: generates(map[string]any{"url": "not an address"}),
		401: anonymous("POST", "/images/generate", someBody),
		403: generates(map[string]any{"projectId": nobody}),
		404: generates(map[string]any{"template": "no-such-template"}),
		409: func(h *harness, prefix string) *answer {
			generates(nil)(h, prefix).want(http.StatusOK)
			return generates(nil, header("If-None-Match", "*"))(h, prefix)
		},
		413: func(h *harness, prefix string) *answer {
			return h.post(prefix+"/images/generate", tooLong, bearer(h.key))
		},
		415: generates(nil, asText),
	},
	"listImages": {
		200: asUser("GET", "/images", nil),
		400: asUser("GET", "/images?limit=0", nil),
		401: anonymous("GET", "/images", nil),
	},
	"getImage": {
		200: withImage(func(h *harness, prefix string, image *answer) *answer {
			return h.get(prefix+"/images/"+image.text("id"), bearer(h.session.Access))
		}),
		400: asUser("GET", "/images/1", nil),
		401: anonymous("GET", "/images/"+nobody, nil),
		404: asUser("GET", "/images/"+nobody, nil),
	},
	"deleteImage": {
		204: withImage(func(h *harness, prefix string, image *answer) *answer {
			return h.send("DELETE", prefix+"/images/"+image.text("id"), nil, bearer(h.session.Access))
		}),
		400: asUser("DELETE", "/images/1", nil),
		401: anonymous("DELETE", "/images/"+nobody, nil),
		403: crossSite("DELETE", "/images/"+nobody, nil),
		404: asUser("DELETE", "/images/"+nobody, nil),
	},
	"getPublicImage": {
		200: withImage(func(h *harness, prefix string, image *answer) *answer { return h.get(prefix + image.path("publicUrl")) }),
		304: withImage(func(h *harness, prefix string, image *answer) *answer {
			tag := h.get(image.path("publicUrl")).want(http.StatusOK).header.Get("ETag")
			return h.get(prefix+image.path("publicUrl"), header("If-None-Match", tag))
		}),
		404: anonymous("GET", "/og/abcdefghijklmnopqrstuv", nil),
	},
	"getFile": {
		200: withImage(func(h *harness, prefix string, image *answer) *answer { return h.get(prefix + image.path("imageUrl")) }),
		304: withImage(func(h *harness, prefix string, image *answer) *answer {
			tag := h.get(image.path("imageUrl")).want(http.StatusOK).header.Get("ETag")
			return h.get(prefix+image.path("imageUrl"), header("If-None-Match", tag))
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
		304: func(h *harness, prefix string) *answer {
			tag := h.get("/templates/editorial/sample").want(http.StatusOK).header.Get("ETag")
			return h.get(prefix+"/templates/editorial/sample", header("If-None-Match", tag))
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
		401: anonymous("GET", "/projects/"+nobody, nil),
		404: asUser("GET", "/projects/"+nobody, nil),
	},
	"updateProject": {
		200: withProjectOf("PATCH", map[string]any{"name": "Renamed"}),
		400: withProjectOf("PATCH", map[string]any{"unknown": true}),
		401: anonymous("PATCH", "/projects/"+nobody, someBody),
		403: crossSite("PATCH", "/projects/"+nobody, map[string]any{"name": "Renamed"}),
		404: asUser("PATCH", "/projects/"+nobody, map[string]any{"name": "Renamed"}),
		413: withProjectOf("PATCH", tooLong),
		415: asUser("PATCH", "/projects/"+nobody, someBody, asText),
	},
	"deleteProject": {
		204: withProjectOf("DELETE", nil),
		400: asUser("DELETE", "/projects/1", nil),
		401: anonymous("DELETE", "/projects/"+nobody, nil),
		403: crossSite("DELETE", "/projects/"+nobody, nil),
		404: asUser("DELETE", "/projects/"+nobody, nil),
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
		404: asUser("POST", "/keys", map[string]any{"name": "New", "projectId": nobody}),
		413: asUser("POST", "/keys", tooLong),
		415: asUser("POST", "/keys", someBody, asText),
	},
	"deleteKey": {
		204: withKeyOf("/keys/%s", "DELETE"),
		400: asUser("DELETE", "/keys/1", nil),
		401: anonymous("DELETE", "/keys/"+nobody, nil),
		403: crossSite("DELETE", "/keys/"+nobody, nil),
		404: asUser("DELETE", "/keys/"+nobody, nil),
	},
	"rotateKey": {
		201: withKeyOf("/keys/%s/rotate", "POST"),
		400: asUser("POST", "/keys/1/rotate", nil),
		401: anonymous("POST", "/keys/"+nobody+"/rotate", nil),
		403: crossSite("POST", "/keys/"+nobody+"/rotate", nil),
		404: asUser("POST", "/keys/"+nobody+"/rotate", nil),
	},
	"register": {
		201: func(h *harness, prefix string) *answer {
			email := fmt.Sprintf("new%d@example.com", serial.Add(1))
			return h.post(prefix+"/auth/register", map[string]any{"email": email, "password": password, "name": "New"})
		},
		400: anonymous("POST", "/auth/register", map[string]any{"email": "a@example.com", "password": "12345678"}),
		403: anonymous("POST", "/auth/register", map[string]any{"email": "a@example.com", "password": password, "setupToken": "wrong"}),
		409: func(h *harness, prefix string) *answer {
			return h.post(prefix+"/auth/register", map[string]any{"email": strings.ToUpper(h.session.Email), "password": password})
		},
		413: anonymous("POST", "/auth/register", tooLong),
		415: anonymous("POST", "/auth/register", someBody, asText),
		429: throttled(anonymous("POST", "/auth/register", someBody)),
	},
	"login": {
		200: func(h *harness, prefix string) *answer {
			return h.post(prefix+"/auth/login", map[string]any{"email": h.session.Email, "password": h.session.Password})
		},
		400: anonymous("POST", "/auth/login", map[string]any{"email": 1}),
		401: badLogin("nobody@example.com"),
		413: anonymous("POST", "/auth/login", tooLong),
		415: anonymous("POST", "/auth/login", someBody, asText),
		429: throttled(badLogin("throttled@example.com")),
	},
	"refreshSession": {
		200: func(h *harness, prefix string) *answer {
			return h.post(prefix+"/auth/refresh", map[string]any{"refreshToken": h.register().Refresh})
		},
		400: anonymous("POST", "/auth/refresh", someBody),
		401: anonymous("POST", "/auth/refresh", map[string]any{"refreshToken": "unknown"}),
		413: anonymous("POST", "/auth/refresh", tooLong),
		415: anonymous("POST", "/auth/refresh", someBody, asText),
		429: throttled(anonymous("POST", "/auth/refresh", someBody)),
	},
	"logout": {
		204: func(h *harness, prefix string) *answer {
			return h.post(prefix+"/auth/logout", nil, bearer(h.register().Access))
		},
		401: anonymous("POST", "/auth/logout", nil),
		403: crossSite("POST", "/auth/logout", nil),
	},
	"getMe": {
		200: asUser("GET", "/users/me", nil),
		401: anonymous("GET", "/users/me", nil, bearer("a.b.c")),
	},
	"updateMe": {
		200: asUser("PATCH", "/users/me", map[string]any{"name": "Ada"}),
		400: asUser("PATCH", "/users/me", map[string]any{"plan": "pro"}),
		401: anonymous("PATCH", "/users/me", someBody),
		403: crossSite("PATCH", "/users/me", map[string]any{"name": "Ada"}),
		409: func(h *harness, prefix string) *answer {
			other := h.register()
			return h.send("PATCH", prefix+"/users/me", map[string]any{"email": other.Email, "currentPassword": password}, bearer(h.session.Access))
		},
		413: asUser("PATCH", "/users/me", tooLong),
		415: asUser("PATCH", "/users/me", someBody, asText),
		429: throttled(asUser("PATCH", "/users/me", map[string]any{"email": "other@example.com", "currentPassword": "not the password"})),
	},
	"deleteMe": {
		204: func(h *harness, prefix string) *answer {
			return h.send("DELETE", prefix+"/users/me", nil, bearer(h.register().Access))
		},
		401: anonymous("DELETE", "/users/me", nil),
		403: crossSite("DELETE", "/users/me", nil),
	},
	"changePassword": {
		204: func(h *harness, prefix string) *answer {
			body := map[string]any{"currentPassword": password, "newPassword": "another horse battery staple"}
			return h.send("PUT", prefix+"/users/me/password", body, bearer(h.register().Access))
		},
		400: asUser("PUT", "/users/me/password", map[string]any{"currentPassword": password, "newPassword": "short"}),
		401: anonymous("PUT", "/users/me/password", someBody),
		403: crossSite("PUT", "/users/me/password", map[string]any{"currentPassword": password, "newPassword": "another horse battery staple"}),
		413: asUser("PUT", "/users/me/password", tooLong),
		415: asUser("PUT", "/users/me/password", someBody, asText),
		429: throttled(asUser("PUT", "/users/me/password", map[string]any{"currentPassword": "not the password", "newPassword": "another horse battery staple"})),
	},
	"getHealth":    {200: anonymous("GET", "/healthz", nil)},
	"getReadiness": {200: anonymous("GET", "/readyz", nil)},
}

// TestContract calls every operation for every status below 500 that it declares, under both prefixes. The harness validates each
// answer, headers included, against the document.
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
				h := withAccount(t, func(s *settings) { s.Server.AuthRPM = rpmFor(op.OperationID) })
				for _, status := range statuses {
					send, ok := cases[status]
					if !ok {
						t.Errorf("%s %s declares %d and has no case", method, path, status)
						continue
					}
					for _, prefix := range []string{"", "/api"} {
						h.t = t
						send(h, prefix).want(status)
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

func TestEveryCaseHasAnOperation(t *testing.T) {
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

func TestErrorCodesAreThoseOfTheDocument(t *testing.T) {
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
