package web_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"masthead/pkg/app/apptest"
)

// TestTry_sizes shows a page in the sizes of a design, chooses two of them without scripts, and saves them.
func TestTry_sizes(t *testing.T) {
	t.Parallel()
	s := apptest.StartSignedIn(t)
	bearer := apptest.Bearer(s.Session.Access)
	path := ticketOf(t, s, s.Site.At("/page/one"))
	page := string(s.Get(path+"?template=editorial", bearer).Want(http.StatusOK).Body)
	for _, of := range []struct {
		size          string
		width, height int
	}{
		{"1080x1080", 480, 480}, {"1080x1350", 480, 600}, {"1080x1920", 480, 853}, {"1500x500", 480, 160},
		{"1584x396", 480, 120},
	} {
		if !strings.Contains(page, `value="`+of.size+`">`) {
			t.Errorf("the page has no %s", of.size)
		}
		at := path + "/editorial.png?dark=false&size=" + of.size
		if w, h := sizeOf(t, s.Get(at+"&w=480").Want(http.StatusOK)); w != of.width || h != of.height {
			t.Errorf("%s: the small drawing has %d×%d", of.size, w, h)
		}
		w, h := sizeOf(t, s.Get(at).Want(http.StatusOK))
		if got := fmt.Sprintf("%dx%d", w, h); got != of.size {
			t.Errorf("%s: the drawing has %s", of.size, got)
		}
		file := s.Get(at + "&download").Want(http.StatusOK).Header.Get("Content-Disposition")
		if !strings.Contains(file, "-editorial-"+of.size+".") {
			t.Errorf("%s: it's saved as %s", of.size, file)
		}
	}
	// Checkboxes of a form, the address that leads back to them, and one that names the sizes in a list.
	for _, query := range []string{"&sizes=1500x500&sizes=1080x1080", "&sizes=1500x500,1080x1080"} {
		chosen := string(s.Get(path+"?template=editorial"+query, bearer).Want(http.StatusOK).Body)
		if strings.Count(chosen, `name="sizes" id="`) != 5 || strings.Count(chosen, `x1080" checked>`) != 1 ||
			strings.Count(chosen, `x500" checked>`) != 1 || !strings.Contains(chosen, "sizes=1500x500%2C1080x1080") {
			t.Errorf("%s: other sizes are chosen", query)
		}
	}
	code := string(s.Get(path+"?template=editorial&sizes=1080x1080&for=curl", bearer).Want(http.StatusOK).Body)
	if plain := string(s.Get(path+"?template=editorial&for=curl", bearer).Body); !strings.Contains(code, "sizes") ||
		strings.Count(code, "1080") <= strings.Count(plain, "1080") {
		t.Error("the code doesn't name the size")
	}
	save := func(form url.Values) *apptest.Response {
		form.Set("do", "save")
		to := s.Post(path, form.Encode(), asForm, bearer).Want(http.StatusSeeOther).Header.Get("Location")
		id, _, _ := strings.Cut(strings.TrimPrefix(to, "/dashboard/images/"), "?")
		return s.Get("/images/"+id, bearer).Want(http.StatusOK)
	}
	saved := save(url.Values{"template": {"editorial"}, "dark": {"false"}, "sizes": {"1500x500", "1080x1080"}})
	if saved.Value("width") != 1200.0 || saved.Value("assets.0.width") != 1080.0 ||
		saved.Value("assets.1.width") != 1500.0 || saved.Value("assets.2") != nil {
		t.Errorf("saved %s", saved.Body)
	}
	file := s.Get(saved.Path("assets.1.url")).Want(http.StatusOK)
	shown := s.Get(path + "/editorial.png?dark=false&size=1500x500").Want(http.StatusOK)
	if !bytes.Equal(file.Body, shown.Body) {
		t.Error("another picture is saved than the one shown")
	}
	// A design without the size, other kinds, and what is no size.
	lacks := url.Values{"template": {"changelog"}, "sizes": {"1584x396"}}
	if got := save(lacks); got.Value("assets") != nil || got.Text("template") != "changelog" {
		t.Errorf("saved %s", got.Body)
	}
	hero := string(s.Get(path + "?kind=blog_hero&sizes=1080x1080").Want(http.StatusOK).Body)
	if strings.Contains(hero, `name="sizes"`) {
		t.Error("a hero has other sizes")
	}
	for _, wrong := range []string{"size=1081x1080", "size=1080x1080&w=1200", "size=x",
		"kind=blog_hero&size=1080x1080"} {
		s.Get(path + "/editorial.png?" + wrong).Want(http.StatusBadRequest)
	}
	s.Get(path + "/changelog.png?size=1584x396").Want(http.StatusBadRequest)
	s.Get(path + "?sizes=1x1" + strings.Repeat(",1x1", 1000)).Want(http.StatusOK)
}
