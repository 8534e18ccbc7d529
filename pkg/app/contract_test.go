package app_test

import (
	"fmt"
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

// contractCase sends one request whose response has a certain status. prefix is "" or "/api".
type contractCase func(h *apptest.Service, prefix string) *apptest.Response

// asUser sends a request with the session of the harness.
func asUser(method, path string, body any, more ...apptest.RequestOption) contractCase {
	return func(h *apptest.Service, prefix string) *apptest.Response {
		options := append([]apptest.RequestOption{apptest.Bearer(h.Session.Access)}, more...)
		return h.Send(method, prefix+path, body, options...)
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

// contractCases holds, by operation, a case for each status below 500 that it declares. A service that a case leaves in
// another state is not used by another operation's cases: each operation gets its own.
var contractCases = map[string]map[int]contractCase{}

// contract adds the cases of a module's operations, which stand in a file of their own.
func contract(cases map[string]map[int]contractCase) bool {
	for operation, of := range cases {
		if contractCases[operation] != nil {
			panic("two files have cases of " + operation)
		}
		contractCases[operation] = of
	}
	return true
}

var _ = contract(map[string]map[int]contractCase{
	"getHealth":    {200: anonymous("GET", "/healthz", nil)},
	"getReadiness": {200: anonymous("GET", "/readyz", nil)},
})

// TestContract calls every operation for every status below 500 that it declares, under both prefixes. The harness
// validates each response, headers included, against the document.
func TestContract(t *testing.T) {
	document, err := openapi3.NewLoader().LoadFromData(gen.Document())
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
					if !ok && status == http.StatusTooManyRequests {
						exhaust(t, cases)
						continue
					}
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

// exhaust sends the case of an operation that takes the fewest requests until there were too many, to a service where
// that is soon.
func exhaust(t *testing.T, cases map[int]contractCase) {
	t.Helper()
	h := apptest.StartSignedIn(t, func(s *app.Config) {
		s.Billing.FreeRPM, s.Server.BreakerRPM, s.Server.PreviewRPM, s.Server.DesignsRPM = 10, 10, 10, 10
	})
	for _, status := range []int{404, 400, 401, 200} {
		if send, ok := cases[status]; ok {
			for _, prefix := range []string{"", "/api"} {
				throttled(send)(h, prefix).Want(http.StatusTooManyRequests)
			}
			return
		}
	}
	t.Error("there is no case that can be sent until there were too many")
}

// rpmFor leaves the operations that are counted enough requests for their cases, but not for throttled.
func rpmFor(operation string) int64 {
	switch operation {
	case "register", "refreshSession", "forgotPassword", "resetPassword", "requestLink", "confirmLink", "unsubscribe",
		"confirmEmailChange", "beginProviderSignIn", "finishProviderSignIn", "completeProviderSignIn",
		"getPasskeyOptions", "loginWithPasskey":
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
	document, err := openapi3.NewLoader().LoadFromData(gen.Document())
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
	document, err := openapi3.NewLoader().LoadFromData(gen.Document())
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
