package moduletest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"masthead/pkg/app/apptest"
	"masthead/render/design"
)

// plain is a document that is of one color but for its title.
func plain(c string) string {
	return `<style>body{margin:0;background:` + c +
		`}</style><h1 style="margin:72px;font:700 84px Inter">{{title}}</h1>`
}

func designsCreate(h *apptest.Service, s apptest.Session, project, slug, html string) *apptest.Response {
	return h.Post("/designs", map[string]any{"projectId": project, "slug": slug, "html": html},
		apptest.Bearer(s.Access))
}

func TestDesigns_versions(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		me, project := apptest.Bearer(h.Session.Access), h.NewProject(h.Session)
		_, err := h.App.Users.SetPlan(t.Context(), h.ID(h.Session), "plus")
		if err != nil {
			t.Fatal(err)
		}
		made := designsCreate(h, h.Session, project, "posts", plain("red")).Want(http.StatusCreated)
		at := "/designs/" + made.Text("id")
		if made.Text("name") != "posts" || made.Value("version") != 1.0 ||
			made.Text("digest") != design.Digest(plain("red")) || made.Header.Get("Location") != at {
			t.Errorf("created %s", made.Body)
		}
		designsCreate(h, h.Session, project, "posts", plain("red")).WantProblem(http.StatusConflict, "CONFLICT")
		put := func(body map[string]any) *apptest.Response { return h.Send("PUT", at, body, me) }
		blue := put(map[string]any{"html": plain("blue"), "baseVersion": 1}).Want(http.StatusOK)
		if blue.Value("version") != 2.0 || blue.Text("html") != plain("blue") {
			t.Errorf("changed to %s", blue.Body)
		}
		put(map[string]any{"html": plain("green"), "baseVersion": 1}).WantProblem(http.StatusConflict, "CONFLICT")
		same := put(map[string]any{"html": plain("blue"), "name": "Our posts"}).Want(http.StatusOK)
		if same.Value("version") != 2.0 || same.Text("name") != "Our posts" {
			t.Errorf("renamed to %s", same.Body)
		}
		put(map[string]any{"html": "<b>\n{{#title}}"}).WantProblem(http.StatusBadRequest, "BAD_REQUEST")
		back := h.Post(at+"/restore", map[string]any{"version": 1}, me).Want(http.StatusOK)
		if back.Value("version") != 1.0 || back.Text("html") != plain("red") {
			t.Errorf("restored %s", back.Body)
		}
		h.Post(at+"/restore", map[string]any{"version": 7}, me).WantProblem(http.StatusNotFound, "NOT_FOUND")
		third := put(map[string]any{"html": plain("green")}).Want(http.StatusOK)
		list := h.Get(at+"/versions", me).Want(http.StatusOK)
		if third.Value("version") != 3.0 || list.Value("items.0.version") != 3.0 || list.Value("items.0.active") != true ||
			list.Value("items.2.active") != false {
			t.Errorf("got %s after %s", list.Body, third.Body)
		}
		if old := h.Get(at+"?version=2", me).Want(http.StatusOK); old.Text("html") != plain("blue") {
			t.Errorf("version 2 is %s", old.Body)
		}
		other := designsCreate(h, h.Session, h.NewProject(h.Session), "posts", plain("red")).Want(http.StatusCreated)
		all, one := h.Get("/designs?limit=1", me), h.Get("/designs?projectId="+project, me)
		if all.Text("items.0.id") != other.Text("id") || all.Value("nextCursor") == nil ||
			one.Text("items.0.id") != made.Text("id") || one.Value("items.1") != nil || one.Value("items.0.html") != nil {
			t.Errorf("listed %s and %s", all.Body, one.Body)
		}
		h.Send("DELETE", at, nil, me).Want(http.StatusNoContent)
		h.Get(at, me).WantProblem(http.StatusNotFound, "NOT_FOUND")
	})
}

// TestDesigns_sizes shows the sizes that each version lists, and previews the design in its first.
func TestDesigns_sizes(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		me, project := apptest.Bearer(h.Session.Access), h.NewProject(h.Session)
		document := func(sizes string) string {
			return `<meta name="card-sizes" content="` + sizes + `">` + plain("red")
		}
		made := designsCreate(h, h.Session, project, "posts", plain("red")).Want(http.StatusCreated)
		at := "/designs/" + made.Text("id")
		want := func(r *apptest.Response, at string, sizes ...any) {
			t.Helper()
			got, _ := r.Want(http.StatusOK).Value(at).([]any)
			if !reflect.DeepEqual(got, append([]any{}, sizes...)) {
				t.Errorf("got %v, want %v", got, sizes)
			}
		}
		square, story := map[string]any{"width": 1080.0, "height": 1080.0},
			map[string]any{"width": 1080.0, "height": 1920.0}
		put := h.Send("PUT", at, map[string]any{"html": document("1080x1920 1080x1080")}, me)
		want(put, "sizes", story, square)
		want(h.Get(at, me), "sizes", story, square)
		want(h.Get(at+"?version=1", me), "sizes")
		list := h.Get(at+"/versions", me)
		want(list, "items.0.sizes", story, square)
		want(list, "items.1.sizes")
		want(h.Get("/designs", me), "items.0.sizes", story, square)
		want(h.Post(at+"/restore", map[string]any{"version": 1}, me), "sizes")
		preview := func(body map[string]any) image.Point {
			t.Helper()
			body["projectId"] = project
			r := h.Post("/designs/preview", body, me, apptest.Header("Accept", "image/*")).Want(http.StatusOK)
			drawn, _, err := image.DecodeConfig(bytes.NewReader(r.Body))
			if err != nil {
				t.Fatal(err)
			}
			return image.Pt(drawn.Width, drawn.Height)
		}
		for html, size := range map[string]image.Point{
			plain("red"): {1200, 630}, document("1080x1920 1080x1080"): {1080, 1920},
			document("300x200 1200x630"): {1200, 630},
		} {
			if got := preview(map[string]any{"html": html}); got != size {
				t.Errorf("%s: got %v, want %v", html, got, size)
			}
		}
		designsCreate(h, h.Session, project, "none", document("")).WantProblem(http.StatusBadRequest, "BAD_REQUEST")
	})
}

// TestDesigns_oldVersions keeps the latest 50 and the active one.
func TestDesigns_oldVersions(t *testing.T) {
	h := apptest.StartSignedIn(t)
	me := apptest.Bearer(h.Session.Access)
	made := designsCreate(h, h.Session, h.NewProject(h.Session), "a", plain("red")).Want(http.StatusCreated)
	at := "/designs/" + made.Text("id")
	_, err := h.App.DB.Exec(t.Context(), `INSERT INTO design_versions
		(design_id, version, digest, size, source, created_at)
		SELECT design_id, n.version, digest, size, source, created_at
		FROM design_versions, (WITH RECURSIVE c(version) AS (SELECT 2 UNION ALL SELECT version + 1 FROM c
		WHERE version < 60) SELECT version FROM c) n`)
	if err != nil {
		t.Fatal(err)
	}
	h.Post(at+"/restore", map[string]any{"version": 5}, me).Want(http.StatusOK)
	var list struct{ Items []struct{ Version int } }
	if err := json.Unmarshal(h.Get(at+"/versions", me).Body, &list); err != nil {
		t.Fatal(err)
	}
	if n := len(list.Items); n != 51 || list.Items[0].Version != 60 || list.Items[49].Version != 11 ||
		list.Items[50].Version != 5 {
		t.Errorf("kept %v", list)
	}
}

func TestCreate_faults(t *testing.T) {
	h := apptest.StartSignedIn(t)
	project := h.NewProject(h.Session)
	for name, c := range map[string]struct{ slug, html, pointer, detail string }{
		"built-in":   {"editorial", plain("red"), "/slug", "is that of a template"},
		"auto":       {"auto", plain("red"), "/slug", "is that of a template"},
		"large":      {"big", "<p>" + strings.Repeat("ä", design.MaxBytes/2), "/html", "262147 bytes"},
		"elements":   {"many", "<p>\n" + strings.Repeat("<i></i>", 5001), "/html", "Line 2, column"},
		"unclosed":   {"open", "<p>\n\n{{#title}}", "/html", "Line 3: "},
		"in a style": {"style", "<p style='color:{{title}}'>", "/html", "must be a color or a number"},
		"slow": {"slow", "<body style='margin:0'>" + strings.Repeat("<div style='position:absolute;inset:0;"+
			"backdrop-filter:blur(90px);background:#0001'></div>", 1500), "/html", "more than a second"},
	} {
		got := designsCreate(h, h.Session, project, c.slug, c.html).WantProblem(http.StatusBadRequest, "BAD_REQUEST")
		if got.Text("errors.0.pointer") != c.pointer || !strings.Contains(got.Text("errors.0.detail"), c.detail) {
			t.Errorf("%s: got %s", name, got.Body)
		}
	}
	warned := designsCreate(h, h.Session, project, "warned", "<style>\nb{animation:x "+
		"1s}</style><b>x").Want(http.StatusCreated)
	if warned.Value("warnings.0.line") != 2.0 {
		t.Errorf("got %s", warned.Body)
	}
}

// TestCreate_plan has four requests for the last design of a plan.
func TestCreate_plan(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		s := h.Register()
		project := h.NewProject(s)
		statuses := make(chan int)
		for i := range 4 {
			go func() { statuses <- designsCreate(h, s, project, fmt.Sprint("d", i), plain("red")).Status }()
		}
		got := map[int]int{}
		for range 4 {
			got[<-statuses]++
		}
		if got[http.StatusCreated] != 1 || got[http.StatusPaymentRequired] != 3 {
			t.Errorf("got %v, want one created", got)
		}
	})
}

// at returns a pixel of a picture in a response.
func at(t *testing.T, r *apptest.Response, x, y int) color.NRGBA {
	t.Helper()
	img, _, err := image.Decode(bytes.NewReader(r.Body))
	if err != nil {
		t.Fatalf("%v: %.200s", err, r.Body)
	}
	c, _ := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
	return c
}

func designsSquare(t *testing.T, c color.NRGBA) string {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, 9, 9))
	for i := range 81 {
		img.SetNRGBA(i%9, i/9, c)
	}
	var file bytes.Buffer
	if err := png.Encode(&file, img); err != nil {
		t.Fatal(err)
	}
	return file.String()
}

func TestPreview(t *testing.T) {
	h := apptest.StartSignedIn(t)
	me, project := apptest.Bearer(h.Session.Access), h.NewProject(h.Session)
	red := color.NRGBA{200, 0, 0, 255}
	asset := h.Post("/projects/"+project+"/assets?name=brand.png", designsSquare(t, red), me).Want(http.StatusCreated)
	foreign := h.Post("/projects/"+h.NewProject(h.Session)+"/assets?name=other.png", designsSquare(t, red), me).
		Want(http.StatusCreated)
	preview := func(body map[string]any) *apptest.Response {
		body["projectId"] = project
		return h.Post("/designs/preview", body, me)
	}
	box := func(x int, src string) string {
		return fmt.Sprintf(`<img src="%s" style="position:absolute;left:%dpx;top:0;width:50px;height:50px">`, src, x)
	}
	html := "<body style='margin:0;background:{{data.color}}'>" + box(0, asset.Text("url")) + box(100, "brand.png") +
		box(200, h.Site.At("/icon.png")) + box(300, foreign.Text("url")) + box(400, "other.png") +
		box(500, "http://169.254.169.254/x.png") + "{{#author}}" + box(600, "brand.png") + "{{/author}}"
	got := preview(map[string]any{
		"html": html, "size": map[string]any{"width": 800, "height": 200}, "data": map[string]any{"color": "#0000ff"},
		"content": map[string]any{"title": "A", "author": "Ada"},
	}).Want(http.StatusOK)
	if c, _, err := image.DecodeConfig(bytes.NewReader(got.Body)); err != nil || c.Width != 800 || c.Height != 200 {
		t.Errorf("got %v, %v", c, err)
	}
	blue := color.NRGBA{0, 0, 255, 255}
	for x, want := range map[int]color.NRGBA{25: red, 125: red, 625: red, 75: blue, 325: blue, 425: blue, 525: blue} {
		if c := at(t, got, x, 25); c != want {
			t.Errorf("at %d: got %v, want %v", x, c, want)
		}
	}
	if c := at(t, got, 225, 25); c == blue {
		t.Error("the picture of another host isn't drawn")
	}
	// The page, its facts, and warnings about what isn't drawn.
	page := preview(map[string]any{"url": h.Site.At("/page/one"), "html": "<b style='animation:ä 1s'>{{title}}"}).
		Want(http.StatusOK)
	var warnings []struct{ Line, Column int }
	header := page.Header.Get("X-Masthead-Warnings")
	if err := json.Unmarshal([]byte(header), &warnings); err != nil || len(warnings) != 1 || warnings[0].Line != 1 {
		t.Errorf("got the warnings %s, %v", header, err)
	}
	// A stored design and its versions.
	made := designsCreate(h, h.Session, project, "posts", plain("#ff0000")).Want(http.StatusCreated)
	h.Send("PUT", "/designs/"+made.Text("id"), map[string]any{"html": plain("#00ff00")}, me).Want(http.StatusOK)
	for version, want := range map[int]color.NRGBA{1: {255, 0, 0, 255}, 2: {0, 255, 0, 255}} {
		stored := preview(map[string]any{"designId": made.Text("id"), "version": version}).Want(http.StatusOK)
		if c := at(t, stored, 5, 5); c != want {
			t.Errorf("version %d is %v", version, c)
		}
	}
	for name, body := range map[string]map[string]any{
		"/html":      {},
		"/data":      {"html": "x", "data": map[string]any{"x": strings.Repeat("x", 33<<10)}},
		"/html both": {"html": "x", "designId": made.Text("id")},
		"/html tag":  {"html": "<b {{title}}>"},
		"/html data": {"html": "<b style='color:{{data.c}}'>", "data": map[string]any{"c": "red}"}},
		"/url":       {"html": "x", "url": "ftp://example.com"},
	} {
		problem := preview(body).WantProblem(http.StatusBadRequest, "BAD_REQUEST")
		if pointer, _, _ := strings.Cut(name, " "); problem.Text("errors.0.pointer") != pointer {
			t.Errorf("%s: got %s", name, problem.Body)
		}
	}
	preview(map[string]any{"html": "x", "url": h.Site.At("/missing/404")}).
		WantProblem(http.StatusBadGateway, "UPSTREAM_FAILED")
	if list := h.Get("/images", me); list.Value("items.0") != nil {
		t.Errorf("a preview was stored: %s", list.Body)
	}
}
