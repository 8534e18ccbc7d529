package images_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"net/http"
	"net/url"
	"testing"

	"masthead/pkg/app/apptest"
)

// flatDesign is a document of one color with the title, and a box in the color of data.
func flatDesign(c string) string {
	return `<style>body{margin:0;background:` + c + `}h1{margin:72px;font:700 84px Inter;color:#fff}i{position:absolute;` +
		`right:0;bottom:0;width:40px;height:40px}</style><h1>{{title}}</h1>{{#data.box}}<i style="background:{{data.box}}">` +
		`</i>{{/data.box}}`
}

// newDesign creates a design in the project of the harness.
func newDesign(h *apptest.Service, slug, html string) (path string) {
	made := h.Post("/designs", map[string]any{"projectId": h.Project, "slug": slug, "html": html},
		apptest.Bearer(h.Session.Access)).Want(http.StatusCreated)
	return "/designs/" + made.Text("id")
}

// pixel returns a pixel of a picture, from its right or bottom side if the coordinate is negative, and its size.
func pixel(t *testing.T, r *apptest.Response, x, y int) (color.NRGBA, image.Point) {
	t.Helper()
	img, _, err := image.Decode(bytes.NewReader(r.Want(http.StatusOK).Body))
	if err != nil {
		t.Fatal(err)
	}
	size := img.Bounds().Size()
	if x < 0 {
		x, y = size.X+x, size.Y+y
	}
	c, _ := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
	return c, size
}

var (
	red, lime, blue = color.NRGBA{255, 0, 0, 255}, color.NRGBA{0, 255, 0, 255}, color.NRGBA{0, 0, 255, 255}
)

func TestDesign_isATemplateOfItsProject(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		newDesign(h, "posts", flatDesign("#f00"))
		with := map[string]any{"template": "posts", "data": map[string]any{"box": "#00ff00", "n": 1}}
		made := h.Generate("/page/one", with).Want(http.StatusOK)
		if made.Text("template") != "posts" || made.Value("cached") != false || made.Value("warnings.0") != nil ||
			made.Text("alt") == "" || made.Text("data.box") != "#00ff00" {
			t.Errorf("got %s", made.Body)
		}
		if c, size := pixel(t, h.Get(made.Path("imageUrl")), 5, 5); c != red || size != image.Pt(1200, 630) {
			t.Errorf("got %v of %v", c, size)
		}
		if c, _ := pixel(t, h.Get(made.Path("imageUrl")), -5, -5); c != lime {
			t.Errorf("the data has %v", c)
		}
		same := map[string]any{"template": "posts", "data": map[string]any{"n": 1, "box": "#00ff00"}}
		if again := h.Generate("/page/one", same).Want(http.StatusOK); again.Text("id") != made.Text("id") ||
			again.Value("cached") != true {
			t.Errorf("the same data in another order: got %s", again.Body)
		}
		if other := h.Generate("/page/one", map[string]any{"template": "posts"}); other.Want(http.StatusOK).Text("id") ==
			made.Text("id") {
			t.Error("other data is the same image")
		}
		custom := map[string]any{"template": "posts", "kind": "custom", "size": map[string]any{"width": 400, "height": 300}}
		square := h.Generate("/page/one", custom).Want(http.StatusOK)
		if _, size := pixel(t, h.Get(square.Path("imageUrl")), 5, 5); size != image.Pt(400, 300) ||
			square.Text("kind") != "custom" || square.Value("width") != 400.0 || square.Value("data") != nil {
			t.Errorf("got %v: %s", size, square.Body)
		}
		for pointer, body := range map[string]map[string]any{
			"/size":       {"template": "posts", "kind": "custom"},
			"/data":       {"template": "posts", "data": map[string]any{"box": string(bytes.Repeat([]byte("x"), 33<<10))}},
			"/template":   {"template": "posts", "data": map[string]any{"box": "red}"}},
			"/size of og": {"template": "posts", "size": map[string]any{"width": 400, "height": 300}},
		} {
			problem := h.Generate("/page/one", body).WantProblem(http.StatusBadRequest, "BAD_REQUEST")
			if got := problem.Text("errors.0.pointer"); got != pointer && got+" of og" != pointer {
				t.Errorf("%s: got %s", pointer, problem.Body)
			}
		}
		h.Generate("/page/one", map[string]any{"template": "nobody"}).WantProblem(http.StatusNotFound, "NOT_FOUND")
		elsewhere := map[string]any{"projectId": h.NewProject(h.Session), "template": "posts"}
		key := apptest.Bearer(h.NewKey(h.Session, ""))
		h.Generate("/page/one", elsewhere, key).WantProblem(http.StatusNotFound, "NOT_FOUND")
	})
}

// TestDesign_newVersion replaces the version of a design that stored pictures show.
func TestDesign_newVersion(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		me := apptest.Bearer(h.Session.Access)
		h.Send("PATCH", "/projects/"+h.Project, map[string]any{"domains": []string{"127.0.0.1"}}, me).Want(http.StatusOK)
		project := h.Get("/projects/"+h.Project, me).Text("publicId")
		at := newDesign(h, "posts", flatDesign("#f00"))
		og := fmt.Sprintf("/og/%s?template=posts&url=%s", project, url.QueryEscape(h.Site.At("/page/one")))
		posted := h.Generate("/page/two", map[string]any{"template": "posts"}).Want(http.StatusOK)
		first := h.Get(og).Want(http.StatusOK)
		if c, _ := pixel(t, first, 5, 5); c != red || first.Header.Get("Cache-Control") != forever {
			t.Fatalf("got %v with %s", c, first.Header.Get("Cache-Control"))
		}
		h.Send("PUT", at, map[string]any{"html": flatDesign("#00f")}, me).Want(http.StatusOK)
		for name, path := range map[string]string{"a page": og, "an image": posted.Path("publicUrl")} {
			old := h.Get(path).Want(http.StatusOK)
			if c, _ := pixel(t, old, 5, 5); c == red && old.Header.Get("Cache-Control") != "public, max-age=300" {
				t.Errorf("%s: the old picture is served with %s", name, old.Header.Get("Cache-Control"))
			}
			apptest.WaitFor(t, name+" in the new version", func() bool {
				now := h.Get(path)
				c, _ := pixel(t, now, 5, 5)
				return c == blue && now.Header.Get("Cache-Control") == forever
			})
		}
		now := h.Generate("/page/two", map[string]any{"template": "posts"}).Want(http.StatusOK)
		if now.Text("id") != posted.Text("id") || now.Value("cached") != true || now.Value("warnings.0") != nil {
			t.Errorf("got %s, want the image that was redrawn", now.Body)
		}
		// By POST the active version is drawn at once, in place of the old picture.
		h.Post(at+"/restore", map[string]any{"version": 1}, me).Want(http.StatusOK)
		back := h.Generate("/page/two", map[string]any{"template": "posts"}).Want(http.StatusOK)
		if c, _ := pixel(t, h.Get(back.Path("imageUrl")), 5, 5); c != red || back.Text("id") != posted.Text("id") {
			t.Errorf("got %v: %s", c, back.Body)
		}
		// What was drawn stays when the design is deleted.
		h.Send("DELETE", at, nil, me).Want(http.StatusNoContent)
		h.Get(back.Path("publicUrl")).Want(http.StatusOK)
		h.Get(og).WantProblem(http.StatusBadRequest, "BAD_REQUEST")
	})
}

// TestDesign_public draws a page that can't be read, and another size.
func TestDesign_public(t *testing.T) {
	h := apptest.StartSignedIn(t)
	me := apptest.Bearer(h.Session.Access)
	h.Send("PATCH", "/projects/"+h.Project, map[string]any{"domains": []string{"127.0.0.1"}}, me).Want(http.StatusOK)
	project := h.Get("/projects/"+h.Project, me).Text("publicId")
	newDesign(h, "posts", flatDesign("#f00"))
	og := func(page, more string) *apptest.Response {
		return h.Get(fmt.Sprintf("/og/%s?template=posts&url=%s%s", project, url.QueryEscape(h.Site.At(page)), more))
	}
	small := og("/page/one", "&kind=custom&size=300x200")
	if c, size := pixel(t, small, 5, 5); size != image.Pt(300, 200) || c != red {
		t.Errorf("got %v of %v", c, size)
	}
	dead := og("/missing/404", "")
	if c, _ := pixel(t, dead, 5, 5); c != red || dead.Header.Get("X-Masthead-Fallback") != "upstream" {
		t.Errorf("got %v with %v", c, dead.Header)
	}
	og("/page/one", "&kind=custom&size=100x200").WantProblem(http.StatusBadRequest, "BAD_REQUEST")
	og("/page/one", "&kind=custom").WantProblem(http.StatusBadRequest, "BAD_REQUEST")
}
