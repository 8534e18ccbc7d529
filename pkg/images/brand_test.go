package images_test

import (
	"net/http"
	"testing"

	"masthead/fonts"
	"masthead/pkg/app/apptest"
)

// TestBrand_isAsIfRequested draws an image before and after a project has a brand: accent, logo and fonts. The same
// request is then drawn again, and what a request names takes precedence.
func TestBrand_isAsIfRequested(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		me := apptest.Bearer(h.Session.Access)
		at := "/projects/" + h.Project
		brand := func(values map[string]any) *apptest.Response {
			return h.Send("PATCH", at, map[string]any{"brand": values}, me)
		}
		one := map[string]any{"content": map[string]any{"title": "A title of some words"}}
		plain := h.Generate("/page/brand-none", one).Want(http.StatusOK)
		serif, err := fonts.Find("instrument-serif", 400, false).Data()
		if err != nil {
			t.Fatal(err)
		}
		font := h.Post(at+"/assets", string(serif), me).Want(http.StatusCreated)
		logo := h.Post(at+"/assets", `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>`,
			me).Want(http.StatusCreated)
		if same := h.Generate("/page/brand-none", one).Want(http.StatusOK); same.Value("cached") != true {
			t.Error("a project without a brand has other keys once it has a font")
		}
		for _, wrong := range []map[string]any{
			{"headingFont": "No Such"}, {"logoAssetId": font.Text("id")}, {"accent": "teal"},
		} {
			brand(wrong).WantProblem(http.StatusBadRequest, "BAD_REQUEST")
		}
		set := brand(map[string]any{
			"accent": "#0F766E", "logoAssetId": logo.Text("id"), "logoPosition": "top-right", "headingFont": "Instrument Serif",
		}).Want(http.StatusOK)
		if set.Text("brand.accent") != "#0f766e" || set.Text("brand.headingFont") != "Instrument Serif" ||
			set.Value("brand.textFont") != nil || set.Text("brand.logoAssetId") != logo.Text("id") {
			t.Errorf("the brand is %s", set.Body)
		}
		branded := h.Generate("/page/brand-none", one).Want(http.StatusOK)
		if branded.Value("cached") != false || branded.Text("id") != plain.Text("id") ||
			branded.Text("style.accent") != "#0f766e" || branded.Text("style.logo.position") != "top-right" {
			t.Errorf("with the brand: %s", branded.Body)
		}
		named := h.Generate("/page/brand-none", map[string]any{"content": one["content"], "style": map[string]any{
			"accent": "#ff0000", "font": "inter",
		}}).Want(http.StatusOK)
		if named.Text("style.accent") != "#ff0000" {
			t.Errorf("named: %s", named.Body)
		}
		withFont := h.Get(branded.Path("imageUrl")).Want(http.StatusOK)
		brand(map[string]any{"headingFont": ""}).Want(http.StatusOK)
		without := h.Generate("/page/brand-none", one).Want(http.StatusOK)
		if string(h.Get(without.Path("imageUrl")).Want(http.StatusOK).Body) == string(withFont.Body) {
			t.Error("the font draws nothing else")
		}
		h.Send("DELETE", at+"/assets/"+logo.Text("id"), nil, me).Want(http.StatusNoContent)
		if got := h.Get(at, me).Want(http.StatusOK); got.Value("brand.logoAssetId") != nil {
			t.Errorf("the logo was deleted, and the brand is %s", got.Body)
		}
		h.Generate("/page/brand-other", one).Want(http.StatusOK)
		brand(map[string]any{"accent": ""}).Want(http.StatusOK)
	})
}

// TestDesign_fontsOfItsProject draws a design that names a font before and after the project has it: the image is
// outdated then, and drawn in the font.
func TestDesign_fontsOfItsProject(t *testing.T) {
	h := apptest.StartSignedIn(t)
	me := apptest.Bearer(h.Session.Access)
	if _, err := h.App.Users.SetPlan(t.Context(), h.ID(h.Session), "plus"); err != nil {
		t.Fatal(err)
	}
	newDesign(h, "posts", `<p style="font:200px 'Instrument Serif Own', monospace">{{title}}`)
	with := map[string]any{"template": "posts"}
	before := h.Generate("/page/one", with).Want(http.StatusOK)
	data, err := fonts.Find("plus-jakarta-sans", 400, false).Data()
	if err != nil {
		t.Fatal(err)
	}
	h.Post("/projects/"+h.Project+"/assets", string(data), me).Want(http.StatusCreated)
	if same := h.Generate("/page/one", with).Want(http.StatusOK); same.Value("cached") != true {
		t.Error("a font that the design doesn't name draws it again")
	}
	newDesign(h, "others", `<p style="font:200px 'Plus Jakarta Sans'">{{title}}`)
	first := h.Generate("/page/one", map[string]any{"template": "others"}).Want(http.StatusOK)
	if first.Text("id") == before.Text("id") || first.Value("cached") != false {
		t.Errorf("got %s", first.Body)
	}
}
