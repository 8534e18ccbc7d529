package moduletest_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
)

func TestValidation_badRequestIsTold(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	good := `"url": "` + h.Site.At("/page/one") + `", "projectId": "` + h.Project + `"`
	with := func(more string) string { return `{` + good + `, ` + more + `}` }
	long := strings.Repeat("x", 501)
	for _, c := range []struct {
		name, body      string
		pointer, detail string // pointer is "-" where the fault is of the body as a whole
	}{
		{"no JSON", `{"url": `, "-",
			"The body is not valid JSON: at line 1, column 9 there is the end of the body, which is incomplete."},
		{"a comma too many", `{"url": 1,}`, "-",
			"The body is not valid JSON: at line 1, column 11 there is '}' where a name in double quotes should " +
				"begin."},
		{"no colon", "{\n  \"url\" 1}", "-",
			"The body is not valid JSON: at line 2, column 9 there is '1' where a colon should follow the name."},
		{"no comma", "{\n  \"url\": \"é\" \"kind\": 1}", "-",
			"The body is not valid JSON: at line 2, column 14 there is a double quote where a comma or } should " +
				"follow."},
		{"no comma in a list", `{"a": [1 2]}`, "-",
			"The body is not valid JSON: at line 1, column 10 there is '2' where a comma or ] should follow."},
		{"a line break in a string", "{\"a\": \"b\n\"}", "-", "The body is not valid JSON: at line 1, column 9 " +
			"there is " +
			"a line break inside a string, where it must be escaped."},
		{"a bad escape", `{"a": "\x"}`, "-",
			"The body is not valid JSON: at line 1, column 9 there is 'x' inside an escape of a string."},
		{"a bad number", `{"a": 1.e}`, "-", "The body is not valid JSON: at line 1, column 9 there is 'e' where a " +
			"digit " +
			"should follow the decimal point."},
		{"a bad word", `{"a": nul}`, "-", "The body is not valid JSON: at line 1, column 10 there is '}'."},
		{"nothing", ``, "-", "The body is empty; send a JSON object."},
		{"two values", `{` + good + `} {}`, "-", fmt.Sprintf(
			"The body must be one JSON value, but '{' follows it at line 1, column %d.", len(good)+4)},
		{"a member twice", "{\n" + good + `, "kind": "og", "kind": "blog_hero"}`, "-", fmt.Sprintf(
			`The body has "kind" twice in one object, the second time before line 2, column %d; send it once.`,
			len(good)+23)},
		{"too deep", strings.Repeat(`{"a":`, 40) + `1` + strings.Repeat(`}`, 40), "-",
			"The body is nested deeper than 32 at line 1, column 161."},
		{"an array", `[]`, "", "The body must be an object."},
		{"null", `null`, "", "The body must be an object, not null."},
		{"not UTF-8", with("\"content\": {\"title\": \"caf\xe9\"}"), "-",
			fmt.Sprintf("The body is not valid JSON: at line 1, column %d there is a byte that is not UTF-8.",
				len(good)+29)},
		{"no url", `{"projectId": "` + h.Project + `"}`, "/url", "url is required."},
		{"bad UUID", `{"url": "https://example.com/", "projectId": "1"}`, "/projectId",
			`projectId must be a UUID such as 0199e0a6-5f5e-7cc1-9a51-3f0d8f2b7c11, not "1".`},
		{"unknown field", with(`"colour": "red"`), "/colour",
			"colour is unknown; the body takes ai, content, data, force, kind, projectId, size, sizes, style, " +
				"template and url."},
		{"unknown field of style", with(`"style": {"colour": "red"}`), "/style/colour",
			"style.colour is unknown; style takes accent, aspectRatio, dark, font and logo."},
		{"unknown field with signs", with(`"style": {"a/b~\"c": "red"}`), `/style/a~1b~0"c`,
			`style.a/b~"c is unknown; style takes accent, aspectRatio, dark, font and logo.`},
		{"bad accent", with(`"style": {"accent": "red"}`), "/style/accent",
			`style.accent must be a color of six hexadecimal digits such as #0F766E, not "red".`},
		{"bad font", with(`"style": {"font": "comic-sans"}`), "/style/font",
			`style.font must be one of inter, plus-jakarta-sans, space-grotesk, jetbrains-mono, noto-sans or ` +
				`instrument-serif, not "comic-sans".`},
		{"dark in words", with(`"style": {"dark": "yes"}`), "/style/dark",
			`style.dark must be true or false, not "yes".`},
		{"a list of styles", with(`"style": [1]`), "/style", "style must be an object, not a list."},
		{"logo without url", with(`"style": {"logo": {}}`), "/style/logo/url", "style.logo.url is required."},
		{"ai in words", with(`"ai": "yes"`), "/ai", `ai must be true, false or an object, not "yes".`},
		{"ai as a number", with(`"ai": 3`), "/ai", `ai must be true, false or an object, not 3.`},
		{"unknown model", with(`"ai": {"model": "ultra"}`), "/ai/model",
			`ai.model must be standard or pro, not "ultra".`},
		{"long prompt", with(`"ai": {"prompt": "` + long + `"}`), "/ai/prompt",
			"ai.prompt must have at most 500 characters, not 501."},
		{"unknown field of ai", with(`"ai": {"modell": "pro"}`), "/ai/modell",
			"ai.modell is unknown; ai takes from, model, override and prompt."},
		{"bad kind", with(`"kind": "poster"`), "/kind",
			`kind must be one of og, blog_hero, icon_set or custom, not "poster".`},
		{"no title", with(`"content": {"title": ""}`), "/content/title", "content.title must not be empty."},
		{"bad date", with(`"content": {"date": "soon"}`), "/content/date",
			`content.date must be a date such as 2026-03-12 or a time such as 2026-03-12T09:30:00Z, not "soon".`},
		{"no address", `{"url": 5, "projectId": "` + h.Project + `"}`, "/url",
			"url must be an http or https address such as https://example.com/page, not 5."},
		{"javascript", `{"url": "javascript:alert(1)", "projectId": "` + h.Project + `"}`, "/url",
			`url must be an http or https address such as https://example.com/page, not "javascript:alert(1)".`},
		{"user and password", `{"url": "https://a:b@example.com/", "projectId": "` + h.Project + `"}`, "/url",
			"url is not valid: the address must not contain a user name or password."},
		{"long address", `{"url": "https://example.com/` + strings.Repeat("a", 2100) + `", "projectId": "` + h.Project +
			`"}`, "/url",
			"url must have at most 2048 characters, not 2120."},
		{"two faults", `{"projectId": 7}`, "/projectId",
			"projectId must be a UUID such as 0199e0a6-5f5e-7cc1-9a51-3f0d8f2b7c11, not 7 (and 1 more: see errors)."},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := h.With(t)
			a := h.Post("/images/generate", c.body, apptest.Bearer(h.Key)).WantProblem(http.StatusBadRequest,
				"BAD_REQUEST")
			if a.Text("detail") != c.detail {
				t.Errorf("got %s, want %s", a.Text("detail"), c.detail)
			}
			if got := a.Value("errors.0.pointer"); c.pointer == "-" && got != nil || c.pointer != "-" &&
				got != c.pointer {
				t.Errorf("got pointer %v, want %q", got, c.pointer)
			}
		})
	}
	if n := h.Site.Pages.Load(); n != 0 {
		t.Errorf("%d pages were fetched for requests that are not valid", n)
	}
}

// Faults of form and faults of meaning, at all depths, are in one response.
func TestValidation_allFaultsAtOnce(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	for _, c := range []struct{ method, path, body, pointers string }{
		{"POST", "/images/generate", `{"url": "https://a:b@example.com/", "projectId": "x", "kindd": "og", "force": 1,
			"style": {"aspectRatio": "4:3", "foo": 1, "logo": {"position": "x", "url": "ftp://x"}},
			"ai": {"modell": 1, "prompt": 2}, "content": {"title": "", "date": "soon"}}`,
			"/ai/modell /ai/prompt /content/date /content/title /force /kindd /projectId /style/aspectRatio " +
				"/style/foo " +
				"/style/logo/position /style/logo/url /url"},
		{"POST", "/projects", `{"name": " ", "domains": ["com", "example.com", "a/b"]}`, "/name /domains/0 /domains/2"},
		{"PATCH", "/projects/" + h.Project, `{"name": " ", "domains": ["com"]}`, "/name /domains/0"},
	} {
		a := h.Send(c.method, c.path, c.body, apptest.Bearer(h.Session.Access), func(r *http.Request) {
			if c.path == "/images/generate" {
				apptest.Bearer(h.Key)(r)
			}
		}).WantProblem(http.StatusBadRequest, "BAD_REQUEST")
		var pointers []string
		for i := range 30 {
			if p, ok := a.Value(fmt.Sprintf("errors.%d.pointer", i)).(string); ok {
				pointers = append(pointers, p)
			}
		}
		if got := strings.Join(pointers, " "); got != c.pointers {
			t.Errorf("%s %s: got %s, want %s", c.method, c.path, got, c.pointers)
		}
	}
}

func TestValidation_badParameterIsTold(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	for _, c := range []struct{ path, pointer, detail string }{
		{"/images?limit=2&limit=3", "query.limit", "limit must be given once, not 2 times."},
		{"/images?kind=og&kind=og", "query.kind", "kind must be given once, not 2 times."},
		{"/images?query=%00", "query.query", "query must be text in UTF-8, without null characters."},
		{"/images?query=a%ff", "query.query", "query must be text in UTF-8, without null characters."},
		{"/images?limit=x", "query.limit", `limit must be a whole number, not "x".`},
		{"/images?limit=1.5", "query.limit", `limit must be a whole number, not "1.5".`},
		{"/images?limit=0", "query.limit", "limit must be from 1 to 100, not 0."},
		{"/images?limit=101", "query.limit", "limit must be from 1 to 100, not 101."},
		{"/images?limit=", "query.limit", "limit must not be empty: give a value, or leave it out."},
		{"/images?kind=x", "query.kind", `kind must be one of og, blog_hero, icon_set or custom, not "x".`},
		{"/images?projectId=1", "query.projectId",
			`projectId must be a UUID such as 0199e0a6-5f5e-7cc1-9a51-3f0d8f2b7c11, not "1".`},
		{"/images/1", "path.imageId", `imageId must be a UUID such as 0199e0a6-5f5e-7cc1-9a51-3f0d8f2b7c11, not "1".`},
		{"/images/%31", "path.imageId",
			`imageId must be a UUID such as 0199e0a6-5f5e-7cc1-9a51-3f0d8f2b7c11, not "1".`},
		{"/images/a%2Fb", "path.imageId",
			`imageId must be a UUID such as 0199e0a6-5f5e-7cc1-9a51-3f0d8f2b7c11, not "a/b".`},
		{"/images?page=2", "query.page",
			"page is not a parameter; this operation takes cursor, kind, limit, projectId, query and template."},
		{"/images?b=1&a=2", "query.a",
			"a is not a parameter; this operation takes cursor, kind, limit, projectId, query and template (and 1 " +
				"more: see errors)."},
		{"/images?og_live_abc=1", "query.og_live_abc",
			"A name in the query is not a parameter; this operation takes cursor, kind, limit, projectId, query " +
				"and template."},
		{"/users/me?x=1", "query.x", "x is not a parameter; this operation takes no query parameters."},
		{"/usage?month=1999-01", "query.month",
			`month must be a month from 2000-01 to 2099-12, such as 2026-11, not "1999-01".`},
		{"/images?cursor=x", "query.cursor",
			"This cursor is not valid: send the nextCursor of the previous page, or leave it out."},
		{"/images?cursor=" + strings.Repeat("x", 300), "query.cursor",
			"cursor must have at most 200 characters, not 300."},
	} {
		a := h.Get(c.path, apptest.Bearer(h.Session.Access)).WantProblem(http.StatusBadRequest, "BAD_REQUEST")
		if a.Text("detail") != c.detail || a.Text("errors.0.pointer") != c.pointer {
			t.Errorf("%s: got %s at %s, want %s at %s", c.path, a.Text("detail"), a.Text("errors.0.pointer"), c.detail,
				c.pointer)
		}
	}
}

func TestValidation_parameterIsOneSegment(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	h.Get("/sites/"+apptest.Nobody+"/x", apptest.Bearer(h.Session.Access)).WantProblem(http.StatusNotFound, "NOT_FOUND")
	h.Get("/sites/x", apptest.Bearer(h.Session.Access)).WantProblem(http.StatusBadRequest, "BAD_REQUEST")
}

// TestValidation_allFaultsOfAQuery_areToldAtOnce has an unknown parameter, one that is given twice, and bad values.
func TestValidation_allFaultsOfAQuery_areToldAtOnce(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	for path, want := range map[string][]string{
		"/images?pagee=2&limit=x&kind=og&kind=og&projectId=1": {"query.kind", "query.limit", "query.pagee",
			"query.projectId"},
		"/images?limit=1&limit=2&kind=og&kind=og": {"query.kind", "query.limit"},
		"/images/1?x=1": {"path.imageId", "query.x"},
	} {
		a := h.Get(path, apptest.Bearer(h.Session.Access)).WantProblem(http.StatusBadRequest, "BAD_REQUEST")
		var got []string
		all, _ := a.Value("errors").([]any)
		for i := range all {
			got = append(got, a.Text("errors."+strconv.Itoa(i)+".pointer"))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", path, got, want)
		}
	}
	// A body is named beside the query.
	a := h.Post("/audits?x=1", map[string]any{"url": 1}).WantProblem(http.StatusBadRequest, "BAD_REQUEST")
	if !strings.Contains(string(a.Body), `"/url"`) || !strings.Contains(string(a.Body), `"query.x"`) {
		t.Errorf("got %s, want the body's fault and the query's", a.Body)
	}
}

// TestValidation_secretsAreNotRepeated puts secrets where they belong, in a wrong form, and where they do not.
func TestValidation_secretsAreNotRepeated(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	const short = "s3cret!"
	long := strings.Repeat(short, 60)
	for _, c := range []struct{ method, path, body string }{
		{"POST", "/auth/register", `{"email": "a@example.com", "password": "` + short + `"}`},
		{"POST", "/auth/register", `{"email": "a@example.com", "password": "` + long + `"}`},
		{"POST", "/auth/register", `{"email": "a@example.com", "password": ["` + short + `"]}`},
		{"POST", "/auth/register", `{"email": "a@example.com", "password": "correct horse battery", "setupToken": "` +
			long + `"}`},
		{"POST", "/auth/login", `{"email": "a@example.com", "password": {"value": "` + short + `"}}`},
		{"POST", "/auth/login", `{"email": "a@example.com", "password": "` + long + `"}`},
		{"POST", "/auth/login", `{"email": "a@example.com", "passwort": "` + short + `"}`},
		{"POST", "/auth/login", `"` + short + `"`},
		{"POST", "/auth/login", `{"email": "a@example.com", "password": "` + short},
		{"POST", "/auth/refresh", `{"refreshToken": "` + long + `"}`},
		{"POST", "/auth/refresh", `{"refreshToken": ["` + short + `"]}`},
		{"PUT", "/users/me/password", `{"currentPassword": "` + apptest.Password + `", "newPassword": "` + short +
			`"}`},
		{"PUT", "/users/me/password", `{"currentPassword": "` + long + `", "newPassword": ["` + short + `"]}`},
		{"POST", "/keys", `{"name": "New", "projectId": "og_live_` + short + `"}`},
	} {
		a := h.Send(c.method, c.path, c.body, apptest.Bearer(h.Session.Access)).Want(http.StatusBadRequest)
		if strings.Contains(string(a.Body), short) {
			t.Errorf("%s %s with %.120s: the answer repeats the secret: %s", c.method, c.path, c.body, a.Body)
		}
	}
}

func TestValidation_namesSayWhatIsWrong(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	for name, want := range map[string]string{
		`a\u0007b`:               "name must not contain control characters, such as the U+0007 in it.",
		`   `:                    "name must have at least one visible character.",
		strings.Repeat("x", 101): "name must have at most 100 characters, not 101.",
		``:                       "name must not be empty.",
	} {
		for _, path := range []string{"/projects", "/keys"} {
			a := h.Post(path, `{"name": "`+name+`"}`, apptest.Bearer(h.Session.Access)).WantProblem(
				http.StatusBadRequest, "BAD_REQUEST")
			if a.Text("detail") != want || a.Text("errors.0.pointer") != "/name" {
				t.Errorf("%s, %q: got %s at %s, want %s", path, name, a.Text("detail"), a.Text("errors.0.pointer"),
					want)
			}
		}
	}
	empty := h.Send(http.MethodPatch, "/projects/"+h.Project, `{}`, apptest.Bearer(h.Session.Access)).Want(
		http.StatusBadRequest)
	want := "The body must set at least one of brand, domains, name, publicAi and requireSignature."
	if empty.Text("detail") != want {
		t.Errorf("got %s, want %s", empty.Text("detail"), want)
	}
}

func TestBody_largeOneIs413(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	ten := `{"x": "` + strings.Repeat("x", 10<<20) + `"}`
	key, tooLarge := apptest.Bearer(h.Key), http.StatusRequestEntityTooLarge
	h.Post("/images/generate", ten, key).WantProblem(tooLarge, "PAYLOAD_TOO_LARGE")
	h.Post("/auth/login", ten).WantProblem(tooLarge, "PAYLOAD_TOO_LARGE")
	// Without a length the body is cut off while it is read.
	chunked := func(r *http.Request) { r.ContentLength = -1 }
	hundred := `{"x": "` + strings.Repeat("x", 100<<10) + `"}`
	h.Post("/images/generate", hundred, key, chunked).WantProblem(tooLarge, "PAYLOAD_TOO_LARGE")
}

// TestBody_ofNobodyIsNotLookedAt sends what is wrong in other ways too: without credentials that is never told, and the
// document is not asked.
func TestBody_ofNobodyIsNotLookedAt(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	for what, body := range map[string]string{
		"no JSON": `{"url": `, "too deep": strings.Repeat(`{"a":`, 40), "nothing": ``, "not UTF-8": "{\"\xff\": 1}",
		"unknown field": `{"colour": "red"}`, "large": `{"x": "` + strings.Repeat("x", 10<<20) + `"}`,
	} {
		for _, credential := range []string{"", "Bearer og_live_nothing", "Bearer a.b.c"} {
			options := []apptest.RequestOption{apptest.Header("Authorization", credential)}
			h.Post("/images/generate", body, options...).WantProblem(http.StatusUnauthorized, "UNAUTHORIZED")
			h.Post("/projects", body, append(options, func(r *http.Request) { r.ContentLength = -1 })...).
				WantProblem(http.StatusUnauthorized, "UNAUTHORIZED")
			h.Post("/projects", body, append(options, apptest.Header("Content-Type", "text/plain"))...).
				WantProblem(http.StatusUnauthorized, "UNAUTHORIZED")
		}
		if t.Failed() {
			t.Fatal(what)
		}
	}
	h.Send(http.MethodPatch, "/projects/no-id", `{`).WantProblem(http.StatusUnauthorized, "UNAUTHORIZED")
	h.Get("/images?limit=x").WantProblem(http.StatusUnauthorized, "UNAUTHORIZED")
}

// TestBody_refusedOneIsReadBeforeTheAnswer talks like the many clients that read nothing before all is sent.
func TestBody_refusedOneIsReadBeforeTheAnswer(t *testing.T) {
	t.Parallel()
	h := apptest.Start(t)
	body := strings.Repeat("x", 10<<20)
	whole := fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body)
	chunk := fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", len(body), body)
	for want, rest := range map[int]string{
		http.StatusRequestEntityTooLarge: "Content-Type: application/json\r\n" + whole,
		http.StatusUnsupportedMediaType:  "Content-Type: text/plain\r\n" + chunk,
		http.StatusUnauthorized:          "Content-Type: application/json\r\n" + whole,
	} {
		path := "/auth/login"
		if want == http.StatusUnauthorized {
			path = "/images/generate"
		}
		conn, err := net.Dial("tcp", strings.TrimPrefix(h.Base, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := io.WriteString(conn, "POST "+path+" HTTP/1.1\r\nHost: masthead.example\r\n"+rest); err != nil {
			t.Fatalf("%d: %v", want, err)
		}
		if a, err := http.ReadResponse(bufio.NewReader(conn), nil); err != nil || a.StatusCode != want {
			t.Errorf("got %v, %v, want %d", a, err, want)
		}
	}
}

func TestProblem_errorOfTheRouterIsOne(t *testing.T) {
	t.Parallel()
	h := apptest.Start(t)
	h.Get("/healthz?probe=1").Want(http.StatusOK) // supervisors are answered, whatever they add
	h.Get("/readyz?probe=1").Want(http.StatusOK)
	for _, path := range []string{
		"/nowhere", "/api/nowhere", "/api/api/images", "/images/", "/swagger/nowhere.js", "/%2e%2e/",
	} {
		a := h.Get(path).WantProblem(http.StatusNotFound, "NOT_FOUND")
		if got, want := a.Text("requestId"), a.Header.Get("X-Request-Id"); got != want {
			t.Errorf("%s: got request id %s, want that of the header, %s", path, got, want)
		}
	}
	wrong := h.Send("PUT", "/images", nil).WantProblem(http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED")
	if got, want := wrong.Text("detail"), "This address supports GET and HEAD."; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if !strings.Contains(wrong.Header.Get("Allow"), "GET") {
		t.Errorf("got %d %v %s", wrong.Status, wrong.Header, wrong.Body)
	}
	// This address fits the pattern of another operation too, which takes DELETE.
	for _, path := range []string{"/images/generate", "/api/images/generate"} {
		a := h.Send("DELETE", path, nil)
		if a.Status != http.StatusMethodNotAllowed || a.Header.Get("Allow") != "OPTIONS, POST" {
			t.Errorf("%s: got %d and Allow %q", path, a.Status, a.Header.Get("Allow"))
		}
	}
}

func TestHeaders_areThoseOfTheKindOfAnswer(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	api := h.Get("/users/me", apptest.Bearer(h.Session.Access)).Want(http.StatusOK)
	for key, want := range map[string]string{
		"Cache-Control": "no-store", "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
	} {
		if got := api.Header.Get(key); got != want {
			t.Errorf("%s: got %q, want %q", key, got, want)
		}
	}
	picture := h.Get(h.Generate("/page/one", nil).Want(http.StatusOK).Path("publicUrl")).Want(http.StatusOK)
	for key, want := range map[string]string{
		"Cache-Control": "public, max-age=31536000, immutable", "Content-Security-Policy": "default-src 'none'; " +
			"sandbox",
		"Cross-Origin-Resource-Policy": "cross-origin", "Content-Type": "image/png", "Set-Cookie": "", "Vary": "",
	} {
		if got := picture.Header.Get(key); got != want {
			t.Errorf("picture: %s: got %q, want %q", key, got, want)
		}
	}
	missing := h.Get("/og/abcdefghijklmnopqrstuv").Want(http.StatusNotFound)
	if got := missing.Header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("a missing picture: got %q, want no-store", got)
	}
	page := h.Get("/").Want(http.StatusOK)
	policy := page.Header.Get("Content-Security-Policy")
	if !strings.Contains(policy, "'nonce-") || !strings.Contains(policy, "frame-ancestors 'none'") {
		t.Errorf("page: got %q", policy)
	}
	elsewhere := apptest.Header("Origin", "https://elsewhere.example")
	other := h.Get("/users/me", apptest.Bearer(h.Session.Access), elsewhere)
	if other.Header.Get("Access-Control-Allow-Origin") != "" {
		t.Error("another origin may read an account")
	}
}

func TestCookie_writeFromElsewhereIs403(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	cookie := apptest.Header("Cookie", "access_token="+h.Session.Access)
	for name, c := range map[string]struct {
		option apptest.RequestOption
		want   int
	}{
		"a program":           {func(*http.Request) {}, http.StatusCreated},
		"our page":            {apptest.Header("Sec-Fetch-Site", "same-origin"), http.StatusCreated},
		"our origin":          {apptest.Header("Origin", h.Base), http.StatusCreated},
		"another site":        {apptest.Header("Sec-Fetch-Site", "cross-site"), http.StatusForbidden},
		"a sibling":           {apptest.Header("Sec-Fetch-Site", "same-site"), http.StatusForbidden},
		"another origin":      {apptest.Header("Origin", "https://elsewhere.example"), http.StatusForbidden},
		"an opaque origin":    {apptest.Header("Origin", "null"), http.StatusForbidden},
		"another body format": {apptest.Header("Content-Type", "text/plain"), http.StatusUnsupportedMediaType},
	} {
		if a := h.Post("/projects", map[string]any{"name": "New"}, cookie, c.option); a.Status != c.want {
			t.Errorf("%s: got %d, want %d: %s", name, a.Status, c.want, a.Body)
		}
	}
	h.Get("/projects", cookie, apptest.Header("Sec-Fetch-Site", "cross-site")).Want(http.StatusOK)
	// What a proxy in front of us asks for is not ours to judge.
	h.Get("/projects", cookie, apptest.Header("Authorization", "Basic eDp5")).Want(http.StatusOK)
	// A bearer hides the cookie, a bad one too.
	h.Get("/projects", cookie, apptest.Bearer("bad")).WantProblem(http.StatusUnauthorized, "UNAUTHORIZED")
}

func TestRate_signingInIsCountedByAddress(t *testing.T) {
	t.Parallel()
	h := apptest.Start(t, func(s *app.Config) { s.Server.AuthRPM = 3 })
	login := func(options ...apptest.RequestOption) *apptest.Response {
		return h.Post("/auth/login", map[string]any{"email": "a@example.com", "password": "not the password"},
			options...)
	}
	for range 3 {
		login().Want(http.StatusUnauthorized)
	}
	refused := login().WantProblem(http.StatusTooManyRequests, "RATE_LIMITED")
	for key, want := range map[string]string{"X-RateLimit-Limit": "3", "X-RateLimit-Remaining": "0"} {
		if got := refused.Header.Get(key); got != want {
			t.Errorf("%s: got %q, want %q", key, got, want)
		}
	}
	if refused.Header.Get("Retry-After") == "" {
		t.Error("got no Retry-After")
	}
	// Nobody is a trusted proxy, so what a client says of its address does not count.
	login(apptest.Header("X-Forwarded-For", "192.0.2.1")).Want(http.StatusTooManyRequests)
	h.Get("/api/auth/login").Want(http.StatusMethodNotAllowed)
	h.Post("/api/auth/login", map[string]any{}).Want(http.StatusTooManyRequests)
}

func TestRate_trustedProxyTellsTheAddress(t *testing.T) {
	t.Parallel()
	h := apptest.Start(t, func(s *app.Config) {
		s.Server.AuthRPM, s.Server.TrustedProxies = 1, []string{"127.0.0.1", "10.0.0.0/8"}
	})
	login := func(forwarded string) int {
		return h.Post("/auth/login", map[string]any{}, apptest.Header("X-Forwarded-For", forwarded)).Status
	}
	for _, c := range []struct {
		forwarded string
		want      int
	}{
		{"192.0.2.1", http.StatusBadRequest},
		{"192.0.2.1", http.StatusTooManyRequests},
		{"192.0.2.1, 192.0.2.2", http.StatusBadRequest}, // the rightmost that is no proxy
		{"192.0.2.9, 192.0.2.2, 10.1.1.1", http.StatusTooManyRequests},
		{"2001:db8:1:2::1", http.StatusBadRequest},
		{"2001:db8:1:2::2", http.StatusTooManyRequests}, // one /64 is one address
	} {
		if got := login(c.forwarded); got != c.want {
			t.Errorf("%s: got %d, want %d", c.forwarded, got, c.want)
		}
	}
}
