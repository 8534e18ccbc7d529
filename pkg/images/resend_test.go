package images_test

import (
	"maps"
	"net/http"
	"testing"

	"masthead/pkg/app/apptest"
)

// A record's style goes into the next request as it stands, with its nulls, and means the same image.
func TestGenerate_styleOfARecordMeansTheSameImage(t *testing.T) {
	s := apptest.StartSignedIn(t)
	logo := map[string]any{"url": s.Site.At("/icon.png")}
	for name, more := range map[string]map[string]any{
		"defaults": {},
		"accent":   {"style": map[string]any{"accent": "#0F766E", "dark": false}},
		"font":     {"style": map[string]any{"font": "space-grotesk"}},
		"logo":     {"style": map[string]any{"logo": logo}},
		"corner": {"style": map[string]any{"logo": map[string]any{"url": s.Site.At("/icon.png"),
			"position": "bottom-right"}}},
		"hero":       {"kind": "blog_hero"},
		"hero 16:10": {"kind": "blog_hero", "style": map[string]any{"aspectRatio": "16:10", "logo": logo}},
		"other":      {"template": "poster", "content": map[string]any{"title": "Given"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := s.With(t)
			first := s.Generate("/page/paste", more).Want(http.StatusOK)
			again := maps.Clone(more)
			again["style"] = first.Value("style")
			second := s.Generate("/page/paste", again).Want(http.StatusOK)
			if second.Text("id") != first.Text("id") || second.Value("cached") != true {
				t.Errorf("style %v: got image %s, cached %v, want %s, true", again["style"], second.Text("id"),
					second.Value("cached"), first.Text("id"))
			}
		})
	}
}

// Null stands for a field that is left out, in every field that may be left out.
func TestGenerate_nullIsAsIfLeftOut(t *testing.T) {
	s := apptest.StartSignedIn(t)
	first := s.Generate("/page/null", nil).Want(http.StatusOK)
	icon := s.Site.At("/icon.png")
	plainLogo := map[string]any{"logo": map[string]any{"url": icon}}
	withLogo := s.Generate("/page/null", map[string]any{"style": plainLogo}).Want(http.StatusOK)
	withAI := s.Generate("/page/null", map[string]any{"ai": true}).Want(http.StatusOK)
	for name, c := range map[string]struct {
		more map[string]any
		same *apptest.Response
	}{
		"at the top": {map[string]any{
			"kind": nil, "template": nil, "style": nil, "ai": nil, "force": nil, "content": nil,
		}, first},
		"in the style": {map[string]any{"style": map[string]any{
			"accent": nil, "dark": nil, "font": nil, "logo": nil, "aspectRatio": nil,
		}}, first},
		"in the content": {map[string]any{"content": map[string]any{
			"title": nil, "description": nil, "siteName": nil, "eyebrow": nil, "author": nil, "date": nil, "favicon": nil,
		}}, first},
		"in the logo": {
			map[string]any{"style": map[string]any{"logo": map[string]any{"url": icon, "position": nil}}}, withLogo,
		},
		"in ai": {map[string]any{"ai": map[string]any{"model": nil, "prompt": nil, "override": nil}}, withAI},
	} {
		t.Run(name, func(t *testing.T) {
			got := s.With(t).Generate("/page/null", c.more).Want(http.StatusOK)
			if got.Text("id") != c.same.Text("id") || got.Value("cached") != true {
				t.Errorf("got image %s, cached %v, want %s, true", got.Text("id"), got.Value("cached"), c.same.Text("id"))
			}
		})
	}
}
