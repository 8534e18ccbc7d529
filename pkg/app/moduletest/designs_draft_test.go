package moduletest_test

import (
	"net/http"
	"strings"
	"testing"

	"masthead/pkg/app/apptest"
	"masthead/pkg/card"
	"masthead/render/design/start"
)

// TestDraft saves drafts in two windows: a window may replace its own revisions, and of others' only what it has
// loaded.
func TestDraft(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		me, other := apptest.Bearer(h.Session.Access), h.Register()
		made := designsCreate(h, h.Session, h.NewProject(h.Session), "posts", plain("red")).Want(http.StatusCreated)
		at := "/designs/" + made.Text("id") + "/draft"
		put := func(window string, revision any, html string) *apptest.Response {
			return h.Send("PUT", at, map[string]any{
				"html": html, "url": "https://northlane.dev/", "baseVersion": 1, "window": window, "revision": revision,
			}, me)
		}
		h.Get(at, me).WantProblem(http.StatusNotFound, "NOT_FOUND")
		first := put("one", 0, "<b>\x00").Want(http.StatusOK)
		if first.Value("revision") != 1.0 || first.Text("html") != "<b>\uFFFD" || first.Text("url") == "" {
			t.Errorf("saved %s", first.Body)
		}
		put("one", 0, "<i>").Want(http.StatusOK) // its own
		put("two", 1, "<u>").WantProblem(http.StatusConflict, "CONFLICT")
		put("two", 2, "<u>").Want(http.StatusOK)
		put("one", 2, "<i>").WantProblem(http.StatusConflict, "CONFLICT")
		put("one", nil, "").Want(http.StatusOK)
		if got := h.Get(at, me); got.Value("revision") != 4.0 || got.Text("html") != "" {
			t.Errorf("got %s", got.Body)
		}
		large := put("one", nil, strings.Repeat("ä", 200_000)).WantProblem(http.StatusBadRequest, "BAD_REQUEST")
		if large.Text("errors.0.pointer") != "/html" {
			t.Errorf("a large one: %s", large.Body)
		}
		h.Get(at, apptest.Bearer(other.Access)).WantProblem(http.StatusNotFound, "NOT_FOUND")
		h.Send("DELETE", at, nil, me).Want(http.StatusNoContent)
		h.Get(at, me).WantProblem(http.StatusNotFound, "NOT_FOUND")
	})
}

// TestCheck measures cards of documents that are right and wrong.
func TestCheck(t *testing.T) {
	h := apptest.StartSignedIn(t)
	me := apptest.Bearer(h.Session.Access)
	editorial, _ := start.Document("editorial")
	made := designsCreate(h, h.Session, h.NewProject(h.Session), "posts", editorial).Want(http.StatusCreated)
	check := func(body map[string]any) *apptest.Response {
		return h.Post("/designs/"+made.Text("id")+"/check", body, me).Want(http.StatusOK)
	}
	for _, text := range card.TestTexts() {
		got := check(map[string]any{"text": text.ID})
		contrast, _ := got.Value("contrast").(float64)
		if got.Value("drawn") != true || got.Value("findings.0") != nil || contrast < 4.3 || got.Value("title") == nil {
			t.Errorf("%s: %s", text.ID, got.Body)
		}
	}
	right := check(map[string]any{})
	if !strings.Contains(string(right.Body), `"name":"title","value":"`) || right.Value("facts.0.used") != true {
		t.Errorf("the facts: %s", right.Body)
	}
	for name, c := range map[string]struct {
		html, code, message string
		drawn               bool
	}{
		"unclosed": {"<p>\n\n{{#title}}", "broken", "", false},
		"slow": {"<body style='margin:0'>" + strings.Repeat("<div style='position:absolute;inset:0;"+
			"backdrop-filter:blur(90px);background:#0001'></div>", 1500), "broken", "more than a second", false},
		"mistyped": {"<body style='padding:80px'>{{title}}\n {{ siteNam }}", "unknown-tag",
			"did you mean {{siteName}}?", true},
		"faint": {"<body style='background:#fff;padding:80px'>\n<h1 style='color:#eee'>{{title}}", "contrast", "",
			true},
	} {
		got := check(map[string]any{"html": c.html})
		if got.Value("drawn") != c.drawn || got.Text("findings.0.code") != c.code ||
			!strings.Contains(got.Text("findings.0.message"), c.message) {
			t.Errorf("%s: %s", name, got.Body)
		}
		if name == "mistyped" && (got.Value("findings.0.line") != 2.0 || got.Value("findings.0.column") != 5.0 ||
			got.Text("findings.0.suggestion") != "siteName") {
			t.Errorf("%s is at another place: %s", name, got.Body)
		}
	}
	// What repeats a part of a text isn't one, and a number isn't found within another.
	const day = "<body style='padding:80px'><b>{{initial}}</b><h1>{{title}}</h1><p>{{readingTime}}</p>"
	short := check(map[string]any{"html": day, "content": map[string]any{"title": "In 2025 at 25"}})
	facts := string(short.Body)
	if strings.Contains(facts, `"name":"initial"`) || !strings.Contains(facts, `"name":"title"`) {
		t.Errorf("the facts: %s", short.Body)
	}
	// A page is read once for what is measured and what is drawn.
	address := h.Site.At("/page/kept")
	check(map[string]any{"url": address})
	h.Post("/designs/preview", map[string]any{
		"projectId": made.Text("projectId"), "designId": made.Text("id"), "url": address,
	}, me).Want(http.StatusOK)
	if n := h.Site.Pages.Load(); n != 1 {
		t.Errorf("the page was read %d times, want once", n)
	}
	// The same texts are drawn.
	preview := h.Post("/designs/preview", map[string]any{
		"projectId": made.Text("projectId"), "designId": made.Text("id"), "text": "japanese",
	}, me)
	preview.Want(http.StatusOK)
}
