package dashboard_test

import (
	"net/http"
	"strings"
	"testing"

	"masthead/pkg/app/apptest"
)

// TestImages_ownDesign shows and redraws an image of a design of the project, and what stays after that is deleted.
func TestImages_ownDesign(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	v := signIn(t, h, h.Session)
	bearer := apptest.Bearer(h.Session.Access)
	design := h.Post("/designs", map[string]any{
		"projectId": h.Project, "slug": "posts", "name": "Our <b>posts</b>",
		"html": `<style>body{background:#123}h1{color:#fff;font-size:40px}</style><h1>{{title}} {{data.no}}</h1>`,
	}, bearer).Want(http.StatusCreated).Text("id")
	id := h.Generate("/page/one", map[string]any{
		"template": "posts", "kind": "custom", "size": map[string]any{"width": 400, "height": 300},
		"data": map[string]any{"no": 7},
	}).Want(http.StatusOK).Text("id")
	path := imagesPath + "/" + id
	for _, at := range []string{
		path, imagesPath, "/dashboard", imagesPath + "?template=posts", imagesPath + "?kind=custom",
	} {
		if page := v.Get(at); !strings.Contains(page.Body, "Our &lt;b&gt;posts&lt;/b&gt;") || page.Status != http.StatusOK {
			t.Errorf("%s without the design's name: %d %s", at, page.Status, page.Main())
		}
	}
	page := v.Get(path + "?for=typescript")
	for _, want := range []string{"400×300", "&#34;width&#34;</b>: 400,", "&#34;no&#34;</b>: 7"} {
		if !strings.Contains(page.Body, want) {
			t.Errorf("the image's page has no %q: %s", want, page.Main())
		}
	}
	if strings.Contains(page.Body, `value="cli"`) {
		t.Error("the command line is offered, which doesn't know the design")
	}
	drawn := v.Post(path, fields("do", "redraw"))
	if to := drawn.Header.Get("Location"); drawn.Status != http.StatusSeeOther || to != path+"?done=drawn" {
		t.Errorf("redrawn: %d to %q %s", drawn.Status, to, drawn.Main())
	}
	h.Send(http.MethodDelete, "/designs/"+design, nil, bearer).Want(http.StatusNoContent)
	if page := v.Get(path); page.Status != http.StatusOK || !strings.Contains(page.Body, "posts") {
		t.Errorf("without its design: %d %s", page.Status, page.Main())
	}
	again := v.Post(path, fields("do", "redraw"))
	if again.Status != http.StatusNotFound && again.Status != http.StatusUnprocessableEntity ||
		!strings.Contains(again.Body, "There is no design") {
		t.Errorf("redrawn without its design: %d %s", again.Status, again.Main())
	}
}
