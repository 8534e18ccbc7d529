package app_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"masthead/gen"
	"masthead/pkg/app/apptest"
)

// fieldsOf returns the names of a schema's properties in the order of the document.
func fieldsOf(t *testing.T, schema string) []string {
	t.Helper()
	_, block, ok := strings.Cut(string(gen.Document()), "\n    "+schema+":\n")
	if !ok {
		t.Fatalf("the document has no schema %s", schema)
	}
	if end := regexp.MustCompile(`(?m)^ {1,4}\S`).FindStringIndex(block); end != nil {
		block = block[:end[0]]
	}
	var names []string
	for _, line := range regexp.MustCompile(`(?m)^ {8}(\w+):`).FindAllStringSubmatch(block, -1) {
		names = append(names, line[1])
	}
	return names
}

// keysOf returns the names of a JSON object in their order.
func keysOf(t *testing.T, object []byte) []string {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(object))
	if _, err := decoder.Token(); err != nil {
		t.Fatalf("%v: %s", err, object)
	}
	var keys []string
	for decoder.More() {
		key, err := decoder.Token()
		var value json.RawMessage
		if err == nil {
			err = decoder.Decode(&value)
		}
		if err != nil {
			t.Fatalf("%v: %s", err, object)
		}
		name, _ := key.(string)
		keys = append(keys, name)
	}
	return keys
}

func TestAnswers_fieldsStandInTheOrderOfTheDocument(t *testing.T) {
	s := apptest.StartSignedIn(t)
	user := apptest.Bearer(s.Session.Access)
	login := map[string]any{"email": s.Session.Email, "password": s.Session.Password}
	for schema, response := range map[string]*apptest.Response{
		"Image":         s.Generate("/page/order", nil).Want(http.StatusOK),
		"Project":       s.Get("/projects/"+s.Project, user).Want(http.StatusOK),
		"KeyWithSecret": s.Post("/keys", map[string]any{"name": "Order"}, user).Want(http.StatusCreated),
		"User":          s.Get("/users/me", user).Want(http.StatusOK),
		"SessionBody":   s.Post("/auth/login", login).Want(http.StatusOK),
		"ProjectPage":   s.Get("/projects", user).Want(http.StatusOK),
		"Template":      s.Get("/templates/editorial").Want(http.StatusOK),
		"Problem":       s.Get("/projects/1", user).Want(http.StatusBadRequest),
	} {
		documented := fieldsOf(t, schema)
		got := keysOf(t, response.Body)
		want := slices.DeleteFunc(slices.Clone(documented), func(name string) bool { return !slices.Contains(got, name) })
		if len(want) < 2 || !slices.Equal(got, want) {
			t.Errorf("%s: got the fields %v, want %v", schema, got, documented)
		}
		if i := slices.Index(got, "id"); i > 0 {
			t.Errorf("%s: id is field %d, want it first", schema, i+1)
		}
	}
}

func TestAnswers_textStandsAsItIs(t *testing.T) {
	s := apptest.StartSignedIn(t)
	user := apptest.Bearer(s.Session.Access)
	title := map[string]any{"content": map[string]any{"title": "<b> & Söhne"}}
	name := map[string]any{"name": "<Ada & Co>"}
	for what, response := range map[string]*apptest.Response{
		"tags":    s.Generate("/page/tags", title).Want(http.StatusOK),
		"name":    s.Send(http.MethodPatch, "/projects/"+s.Project, name, user).Want(http.StatusOK),
		"problem": s.Post("/projects", map[string]any{"name": "a", "<b>&": 1}, user).Want(http.StatusBadRequest),
	} {
		escaped := bytes.Contains(response.Body, []byte(`\u003`)) || bytes.Contains(response.Body, []byte(`\u0026`))
		if escaped || !bytes.ContainsAny(response.Body, "<&") {
			t.Errorf("%s: got %s, want < and & as they are", what, response.Body)
		}
	}
}

var moment = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`)

// Texts of one length sort as the times do, and programs that cut them at a place get what they mean.
func TestAnswers_momentsHaveThreeDecimals(t *testing.T) {
	s := apptest.StartSignedIn(t)
	user := apptest.Bearer(s.Session.Access)
	s.Generate("/page/moments", nil).Want(http.StatusOK)
	for _, path := range []string{"/projects", "/keys", "/images", "/users/me"} {
		found := regexp.MustCompile(`"\w+At":"([^"]*)"`).FindAllSubmatch(s.Get(path, user).Want(http.StatusOK).Body, -1)
		if len(found) == 0 {
			t.Errorf("%s: got no moments", path)
		}
		for _, m := range found {
			if !moment.Match(m[1]) {
				t.Errorf("%s: got the moment %s, want three decimals and Z", path, m[1])
			}
		}
	}
}

func TestAnswers_madeThingsSayWhere(t *testing.T) {
	s := apptest.StartSignedIn(t)
	user := apptest.Bearer(s.Session.Access)
	project := s.Post("/projects", map[string]any{"name": "Here"}, user).Want(http.StatusCreated)
	if found := s.Get(project.Header.Get("Location"), user).Want(http.StatusOK); found.Text("id") != project.Text("id") {
		t.Errorf("%s is %s, want the project that was made", project.Header.Get("Location"), found.Body)
	}
	key := s.Post("/keys", map[string]any{"name": "Here"}, user).Want(http.StatusCreated)
	rotated := s.Post(key.Header.Get("Location")+"/rotate", nil, user).Want(http.StatusCreated)
	if got := rotated.Header.Get("Location"); got != key.Header.Get("Location") || rotated.Text("id") != key.Text("id") {
		t.Errorf("a rotated key is at %s, want %s", got, key.Header.Get("Location"))
	}
	s.Send(http.MethodDelete, key.Header.Get("Location"), nil, user).Want(http.StatusNoContent)
	login := map[string]any{"email": "where@example.com", "password": apptest.Password}
	account := s.Post("/auth/register", login).Want(http.StatusCreated)
	found := s.Get(account.Header.Get("Location"), apptest.Bearer(account.Text("accessToken"))).Want(http.StatusOK)
	if found.Text("id") != account.Text("user.id") {
		t.Errorf("%s is %s, want the account that was made", account.Header.Get("Location"), found.Body)
	}
}

func TestAnswers_conflictNamesWhatExists(t *testing.T) {
	s := apptest.StartSignedIn(t)
	image := s.Generate("/page/exists", nil).Want(http.StatusOK)
	only := apptest.Header("If-None-Match", "*")
	refused := s.Generate("/page/exists", nil, only).WantProblem(http.StatusConflict, "CONFLICT")
	if got := refused.Text("existingId"); got != image.Text("id") {
		t.Errorf("got existingId %q, want %s", got, image.Text("id"))
	}
	// Whose address it is nobody else's business.
	taken := s.Post("/auth/register", map[string]any{"email": s.Session.Email, "password": apptest.Password})
	if got := taken.WantProblem(http.StatusConflict, "CONFLICT").Value("existingId"); got != nil {
		t.Errorf("a taken address: got existingId %v, want none", got)
	}
}
