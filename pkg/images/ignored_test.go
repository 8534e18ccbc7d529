package images_test

import (
	"net/http"
	"strings"
	"testing"

	"masthead/pkg/app/apptest"
)

const ignored = "X-Masthead-Ignored"

// A parameter that GET /og doesn't have is named, and the picture is served: as it is drawn, from the database, from
// memory, as 304 and to HEAD, at the address of a project and of an image.
func TestOG_unknownParametersAreServedAndNamed(t *testing.T) {
	t.Parallel()
	s := onDomain(apptest.StartSignedIn(t))
	page := s.Site.At("/page/one")
	named := func(name, want string, a *apptest.Response) {
		t.Helper()
		if got := a.Header.Get(ignored); got != want {
			t.Errorf("%s: %d names %q, want %q", name, a.Status, got, want)
		}
	}
	drawn := s.og(page, "templte=poster").Want(http.StatusOK)
	for range 4 { // the later ones come from memory
		named("kept", "templte", s.og(page, "templte=poster").Want(http.StatusOK))
	}
	named("drawn", "templte", drawn)
	named("304", "templte", s.og(page, "templte=poster", "").Want(http.StatusOK))
	tag := apptest.Header("If-None-Match", drawn.Header.Get("ETag"))
	address := "/og/" + s.publicID + "?templte=poster&url=" + strings.ReplaceAll(page, "/", "%2F")
	s.Get(address).Want(http.StatusOK)
	for range 3 {
		named("304", "templte", s.Get(address, tag).Want(http.StatusNotModified))
		named("HEAD", "templte", s.Send("HEAD", address, nil).Want(http.StatusOK))
	}
	for query, want := range map[string]string{
		"v=2&dark=false":                         "",
		"a=1&b=2&a=3&dark=true":                  "a, b",
		"%61%20b=1&x%0d%0aSet-Cookie=1&a-b_C9=1": "a-b_C9",
		strings.Repeat("n", 65) + "=1&=1&ok":     "ok",
		"a&b&c&d&e&f&g&h&i&j&k&l":                "a, b, c, d, e, f, g, h, i, j",
		"<script>=1&\"=1&utm_source=x":           "utm_source",
	} {
		named(query, want, s.og(page, query).Want(http.StatusOK))
	}
	image := s.Generate("/page/one", nil).Want(http.StatusOK).Text("publicId")
	for range 3 {
		named("image", "templte", s.Get("/og/"+image+"?v=1&templte=x").Want(http.StatusOK))
		named("image", "", s.Get("/og/"+image+"?v=1&template=x").Want(http.StatusOK))
	}
}
