package moduletest_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"masthead/gen"
	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/app/demo"
	"masthead/pkg/apperr"
)

func readDocument(t *testing.T) *openapi3.T {
	t.Helper()
	document, err := openapi3.NewLoader().LoadFromData(gen.Document())
	if err != nil {
		t.Fatal(err)
	}
	return document
}

func TestSeed_againIsTheSameAndMakesWhatIsGone(t *testing.T) {
	s := apptest.Start(t)
	seed := func() demo.Account {
		a, err := demo.Seed(t.Context(), s.App.Accounts, s.Config.Storage)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	first := seed()
	if first.ProjectID != demo.ProjectID {
		t.Errorf("got project %s, want the one of the examples", first.ProjectID)
	}
	if again := seed(); again != first {
		t.Errorf("got %+v, want %+v", again, first)
	}
	login := map[string]any{"email": first.Email, "password": first.Password}
	user := apptest.Bearer(s.Post("/auth/login", login).Want(http.StatusOK).Text("accessToken"))
	key := s.Get("/keys", user).Want(http.StatusOK).Text("items.0.id")
	s.Send(http.MethodDelete, "/keys/"+key, nil, user).Want(http.StatusNoContent)
	if again := seed(); again.Key == first.Key || again.ProjectID != first.ProjectID {
		t.Errorf("without its key: got %+v, want another key of the same project", again)
	}
	s.Send(http.MethodDelete, "/projects/"+first.ProjectID, nil, user).Want(http.StatusNoContent)
	if again := seed(); again.ProjectID != first.ProjectID {
		t.Errorf("without its project: got %+v, want it made again", again)
	}
}

// exampleRequest is a request of the document as it stands in /swagger before anybody edits it.
type exampleRequest struct {
	name, method, path string
	header             http.Header
	body               any
	op                 *openapi3.Operation
}

// exampleRequests returns the requests of an operation as /swagger fills them in: with the examples of all parameters,
// and one for each example of its body. There is none for an operation with an id in its path that is made at run time.
func exampleRequests(method, path string, item *openapi3.PathItem, op *openapi3.Operation) []exampleRequest {
	one := exampleRequest{name: op.OperationID, method: method, path: path, header: http.Header{}, op: op}
	query := url.Values{}
	for _, p := range slices.Concat(item.Parameters, op.Parameters) {
		example := p.Value.Example
		if example == nil {
			example = p.Value.Schema.Value.Example
		}
		switch text := fmt.Sprint(example); {
		case example == nil && p.Value.In == "path":
			return nil
		case example == nil:
		case p.Value.In == "path":
			one.path = strings.Replace(one.path, "{"+p.Value.Name+"}", text, 1)
		case p.Value.In == "query":
			query.Set(p.Value.Name, text)
		case p.Value.In == "header":
			one.header.Set(p.Value.Name, text)
		}
	}
	if len(query) > 0 {
		one.path += "?" + query.Encode()
	}
	if op.RequestBody == nil {
		return []exampleRequest{one}
	}
	content := jsonOrRaw(op.RequestBody.Value.Content)
	var all []exampleRequest
	if one.body = content.Example; one.body != nil {
		all = append(all, one)
	}
	for name, example := range content.Examples {
		one.name, one.body = op.OperationID+" "+name, example.Value.Value
		all = append(all, one)
	}
	return all
}

// ofSite is where the examples have the sample pages.
const ofSite = "http://127.0.0.1:" + demo.Port

// openSite serves the sample pages on a free port: others may run a demo beside the tests.
func openSite(t *testing.T) *demo.Samples {
	t.Helper()
	storage := app.Storage{DataDir: t.TempDir()}
	if err := storage.Keep("demo-port", []byte("0\n")); err != nil {
		t.Fatal(err)
	}
	site, err := demo.OpenSite(t.Context(), storage)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(site.Close)
	return site
}

// jsonOrRaw returns the body that a client sends: JSON, or bytes as they are.
func jsonOrRaw(content openapi3.Content) *openapi3.MediaType {
	return cmp.Or(content["application/json"], content["*/*"])
}

// needOwn are the examples that cannot work before something of the caller's own stands in them, as their description
// says, with the status that they have until then. The account of the examples is the last admin of its installation.
var needOwn = map[string]int{
	"refreshSession own": 401, "resetPassword own": 400, "confirmLink own": 400, "deleteMe": 409,
	"confirmEmailChange own": 400, "confirmTotp app": 400, "renewRecoveryCodes": 409, "loginWithPasskey browser": 401,
	"addPasskey browser": 400,
	"createCheckout own": 503, "createPortal": 503, "getSubscription": 503, "receiveStripeEvent own": 503,
	// without Stripe
	"beginProviderSignIn": 404, "finishProviderSignIn": 404, "completeProviderSignIn": 404, // without a provider
}

// TestExamples_workAsTheyStand sends every request of the document to a demo, unedited, as /swagger does.
func TestExamples_workAsTheyStand(t *testing.T) {
	site := openSite(t)
	s := apptest.Start(t, func(c *app.Config) { c.Fetch.Allow = append(c.Fetch.Allow, site.Allowed()) })
	account, err := demo.Seed(t.Context(), s.App.Accounts, s.Config.Storage)
	if err != nil {
		t.Fatal(err)
	}
	var requests []exampleRequest
	for path, item := range readDocument(t).Paths.Map() {
		for method, op := range item.Operations() {
			found := exampleRequests(method, path, item, op)
			if len(found) == 0 && op.RequestBody != nil && !strings.Contains(path, "{") {
				t.Errorf("%s has no example: /swagger makes one up of the schema, which does not work", op.OperationID)
			}
			requests = append(requests, found...)
		}
	}
	// They run in the order of a new account: it registers, uses its password and its project's domains until they
	// change, and deletes things last.
	rank := map[string]int{
		"register": -2, "login": -1, "changePassword": 1, "updateProject": 1, "deleteProject": 2, "deleteMe": 2,
		"logout": 3,
	}
	slices.SortFunc(requests, func(a, b exampleRequest) int {
		return cmp.Or(rank[a.op.OperationID]-rank[b.op.OperationID], strings.Compare(a.name, b.name))
	})

	login := map[string]any{"email": account.Email, "password": account.Password}
	signIn := func() string { return s.Post("/auth/login", login).Want(http.StatusOK).Text("accessToken") }
	ofDemo := signIn()
	ofExample := ""
	sent := map[string]bool{}
	for _, r := range requests {
		credential := ofDemo
		switch {
		case strings.HasPrefix(r.path, "/users/"), strings.HasPrefix(r.path, "/admin/"):
			credential = ofExample
		case r.op.Security != nil && len(*r.op.Security) > 0 && (*r.op.Security)[0]["apiKeyAuth"] != nil:
			credential = account.Key
		}
		if body, ok := r.body.(map[string]any); ok {
			if address, _ := body["url"].(string); strings.HasPrefix(address, ofSite) {
				body["url"] = site.URL(strings.TrimPrefix(address, ofSite))
			}
		}
		path := strings.Replace(r.path, url.QueryEscape(ofSite), url.QueryEscape(site.URL("")), 1)
		response := s.Send(r.method, path, r.body, apptest.Bearer(credential), func(ask *http.Request) {
			maps.Copy(ask.Header, r.header)
		})
		want, own := needOwn[r.name]
		if own && response.Status != want || !own && response.Status >= 300 {
			t.Errorf("%s: got status %d, want success: %s", r.name, response.Status, response.Body)
		}
		if got := response.Header.Get("X-Masthead-Fallback"); got != "" {
			t.Errorf("%s: got a card of the address (%s), want the page's", r.name, got)
		}
		if r.op.OperationID == "login" || r.op.OperationID == "changePassword" {
			if fresh := response.Header.Get("Set-Cookie"); fresh != "" {
				ofExample, _, _ = strings.Cut(strings.TrimPrefix(fresh, "access_token="), ";")
			}
		}
		sent[r.name] = true
	}
	for _, name := range []string{
		"register", "login", "createProject", "updateProject", "createKey all", "createKey one", "generateImage few",
		"generateImage all", "generateImage icons", "analyzePage page", "createAudit page", "createAuditAlias page",
		"previewPage page", "getPublicImage", "getProject", "deleteProject", "deleteMe", "logout", "getTemplateSample",
		"refreshSession own", "resetPassword own", "confirmLink own", "getUsage",
	} {
		if !sent[name] {
			t.Errorf("%s has no example", name)
		}
	}
}

func TestExamples_allFieldsHasAllFields(t *testing.T) {
	content := readDocument(t).Paths.Value("/images/generate").Post.RequestBody.Value.Content["application/json"]
	var compare func(where string, schema *openapi3.Schema, example map[string]any)
	compare = func(where string, schema *openapi3.Schema, example map[string]any) {
		for name, property := range schema.Properties {
			value, given := example[name]
			// ai.from takes the place of the other fields of ai; size and data are for designs of the project, and
			// sizes for several pictures.
			if path := where + "." + name; !given && path != "example.ai.from" && path != "example.size" &&
				path != "example.sizes" && path != "example.data" {
				t.Errorf("%s.%s is missing", where, name)
			}
			if inner, ok := value.(map[string]any); ok {
				field := property.Value
				if len(field.OneOf) > 0 {
					field = field.OneOf[len(field.OneOf)-1].Value
				}
				compare(where+"."+name, field, inner)
			}
		}
	}
	example, _ := content.Examples["all"].Value.Value.(map[string]any)
	compare("example", content.Schema.Value, example)
}

// Every error response has an example with the code, status and title that such an error has.
func TestExamples_problemsAreTrue(t *testing.T) {
	document := readDocument(t)
	byStatus := map[int]apperr.Code{}
	for _, code := range apperr.Codes() {
		byStatus[code.Meaning().Status] = code
	}
	seen := map[string]bool{}
	for path, item := range document.Paths.Map() {
		for method, op := range item.Operations() {
			for text, response := range op.Responses.Map() {
				content := response.Value.Content["application/problem+json"]
				if content == nil {
					continue
				}
				encoded, err := json.Marshal(content.Example)
				var example gen.Problem
				if err == nil {
					err = json.Unmarshal(encoded, &example)
				}
				status := example.Status
				code := byStatus[status]
				if err != nil || text != strconv.Itoa(status) || string(example.Code) != string(code) ||
					example.Title != code.Meaning().Title {
					t.Errorf("%s %s %s: the example is %s, want one of this status as it is answered (%v)", method,
						path, text,
						encoded, err)
				}
				seen[text] = true
			}
		}
	}
	if len(seen) < 10 {
		t.Errorf("looked at the statuses %v alone", slices.Collect(maps.Keys(seen)))
	}
}

func TestExamples_imageIsOneOfTheSchema(t *testing.T) {
	components := readDocument(t).Components
	if err := components.Schemas["Image"].Value.VisitJSON(components.Examples["Image"].Value.Value); err != nil {
		t.Error(err)
	}
}
