package moduletest_test

import (
	"bytes"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"net/http"
	"testing"

	"masthead/pkg/app/apptest"
	"masthead/render"
)

func TestListTemplates_kindLeavesThoseThatDrawIt(t *testing.T) {
	s := apptest.Start(t)
	for _, kind := range []render.Kind{"", render.OG, render.BlogHero} {
		path, want := "/templates", 0
		if kind != "" {
			path += "?kind=" + string(kind)
		}
		for _, info := range render.Templates() {
			if _, ok := render.Lookup(info.Slug, kind); ok || kind == "" {
				want++
			}
		}
		items, _ := s.Get(path).Want(http.StatusOK).Value("items").([]any)
		if len(items) != want {
			t.Errorf("kind %q: got %d templates, want %d", kind, len(items), want)
		}
	}
}

func TestGetTemplateSample_isAPictureThatValidates(t *testing.T) {
	s := apptest.Start(t)
	for _, info := range render.Templates() {
		sample := s.Get(s.Get("/templates/" + info.Slug).Want(http.StatusOK).Path("sampleUrl")).Want(http.StatusOK)
		_, format, err := image.DecodeConfig(bytes.NewReader(sample.Body))
		if got := sample.Header.Get("Content-Type"); err != nil || got != "image/"+format {
			t.Errorf("%s: got a %s as %s (%v)", info.Slug, format, got, err)
		}
		again := s.Get("/templates/"+info.Slug+"/sample", apptest.Header("If-None-Match", sample.Header.Get("ETag")))
		if again.Status != http.StatusNotModified || len(again.Body) != 0 {
			t.Errorf("%s with its ETag: got %d, %d bytes, want 304 and none", info.Slug, again.Status, len(again.Body))
		}
	}
}

// TestGetTemplateSample_isDarkOrLight compares the corners of a card whose ground reaches them.
func TestGetTemplateSample_isDarkOrLight(t *testing.T) {
	s := apptest.Start(t)
	at := "/templates/" + render.DefaultTemplate + "/sample"
	corner := func(query string) (level uint32) {
		t.Helper()
		picture, _, err := image.Decode(bytes.NewReader(s.Get(at + query).Want(http.StatusOK).Body))
		if err != nil {
			t.Fatal(err)
		}
		_, level, _, _ = picture.At(2, 2).RGBA()
		return level >> 8
	}
	if dark, light := corner("?dark=true"), corner("?dark=false"); dark > 80 || light < 200 {
		t.Errorf("the dark sample's corner has the level %d, the light one's %d", dark, light)
	}
	s.Get(at+"?dark=maybe").WantProblem(http.StatusBadRequest, "BAD_REQUEST")
}

func TestGetTemplate_unknownSlugIs404(t *testing.T) {
	s := apptest.Start(t)
	s.Get("/templates/nope").WantProblem(http.StatusNotFound, "NOT_FOUND")
	s.Get("/templates/nope/sample").WantProblem(http.StatusNotFound, "NOT_FOUND")
}
