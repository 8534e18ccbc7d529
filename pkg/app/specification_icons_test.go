package app_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	_ "image/png"
	"net/http"
	"slices"
	"testing"

	"masthead/pkg/app/apptest"
)

// The sentences of the specification about icon sets.

// setAssets are the assets of an icon set, with their sides in pixels.
var setAssets = []struct {
	name string
	side int
}{
	{"favicon-16.png", 16}, {"favicon-32.png", 32}, {"favicon-48.png", 48},
	{"apple-touch-icon.png", 180}, {"icon-192.png", 192}, {"icon-512.png", 512},
}

// Source: the specification, "Generate response (image record)" and "What the service does".
func TestSpecification_iconSet(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Service) {
		says(t, "kind is one of og, blog_hero, icon_set, default og.")
		set := s.Generate("/page/icons", look{"kind": "icon_set"}).Want(http.StatusOK)
		if set.Text("kind") != "icon_set" || set.Value("cached") != false || set.Value("generationMs") == nil {
			t.Errorf("got %s", set.Body)
		}

		says(t, "An icon_set response lists its six assets.", "Asset item: name, url, width, height, sizeBytes.")
		assets, _ := set.Value("assets").([]any)
		if len(assets) != len(setAssets) {
			t.Fatalf("got %d assets: %s", len(assets), set.Body)
		}
		for i, want := range setAssets {
			at := fmt.Sprintf("assets.%d.", i)
			file := s.Get(set.Path(at + "url")).Want(http.StatusOK)
			config, format, err := image.DecodeConfig(bytes.NewReader(file.Body))
			if err != nil || format != "png" || config.Width != want.side || config.Height != want.side {
				t.Errorf("%s: got a %s of %d x %d, %v", want.name, format, config.Width, config.Height, err)
			}
			if set.Text(at+"name") != want.name || set.Value(at+"width") != float64(want.side) ||
				set.Value(at+"height") != float64(want.side) || set.Value(at+"sizeBytes") != float64(len(file.Body)) {
				t.Errorf("asset %d: got %v", i, assets[i])
			}
		}

		says(t, "imageUrl is the CDN URL of the image, for icon_set the 512 px render.")
		if got := set.Text("imageUrl"); got != set.Text("assets.5.url") {
			t.Errorf("imageUrl: got %s, want %s", got, set.Text("assets.5.url"))
		}

		says(t, "For kind icon_set, template and style are ignored.")
		if set.Value("template") != nil || set.Value("style") != nil {
			t.Errorf("got template %v and style %v", set.Value("template"), set.Value("style"))
		}
		same := s.Generate("/page/icons", look{
			"kind": "icon_set", "template": "none-of-ours", "style": map[string]any{"accent": "#123456", "dark": false},
		}).Want(http.StatusOK)
		if same.Text("id") != set.Text("id") || same.Value("cached") != true {
			t.Errorf("with template and style: got %s", same.Body)
		}
	})
}

// Source: the specification, "What the service does", 2: icon sets are derived from brand signals of the page (existing
// favicon, theme-color, inferred palette).
func TestSpecification_iconSetIsOfThePagesBrand(t *testing.T) {
	s := apptest.StartSignedIn(t)
	says(t, "Icon sets are derived from brand signals of the page (favicon, theme-color, palette).")
	set := s.Generate("/page/brand", look{"kind": "icon_set"}).Want(http.StatusOK)
	if got := set.Text("source.palette.accent"); got != "#0F766E" {
		t.Errorf("got the accent %s, want the theme colour", got)
	}
	if got := set.Text("source.favicon"); got != s.Site.At("/icon.png") {
		t.Errorf("got the favicon %s, want that of the page", got)
	}
	img, _, err := image.Decode(bytes.NewReader(s.Get(set.Path("imageUrl")).Body))
	if err != nil {
		t.Fatal(err)
	}
	if r, g, b, _ := img.At(256, 256).RGBA(); r>>8 < 250 || g>>8 < 250 || b>>8 < 250 {
		t.Errorf("in the middle: got %v, want the white of the page's icon", img.At(256, 256))
	}
}

// Source: the specification, "Icon bundle (zip)" and "GET {base_url}/api/images/{id}/download".
func TestSpecification_iconBundle(t *testing.T) {
	s := apptest.StartSignedIn(t)
	set := s.Generate("/page/bundle", look{"kind": "icon_set"}).Want(http.StatusOK)
	path := "/api/images/" + set.Text("id") + "/download"
	says(t, "Auth: JWT access token as a bearer value.")
	s.Get(path).WantProblem(http.StatusUnauthorized, "UNAUTHORIZED")
	bundle := s.Get(path, apptest.Bearer(s.Session.Access)).Want(http.StatusOK)

	says(t, "A .zip with every asset of the image and a site.webmanifest.")
	archive, err := zip.NewReader(bytes.NewReader(bundle.Body), int64(len(bundle.Body)))
	if err != nil || bundle.Header.Get("Content-Type") != "application/zip" {
		t.Fatalf("got %s, %v", bundle.Header.Get("Content-Type"), err)
	}
	var names, want []string
	for _, f := range archive.File {
		names = append(names, f.Name)
	}
	for _, a := range setAssets {
		want = append(want, a.name)
	}
	if want = append(want, "site.webmanifest"); !slices.Equal(names, want) {
		t.Errorf("got %v, want %v", names, want)
	}

	says(t, "The manifest references the 192 and 512 sizes, for installable web apps.")
	file, err := archive.Open("site.webmanifest")
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Name  string `json:"name"`
		Icons []struct{ Src, Sizes string }
	}
	if err := json.NewDecoder(file).Decode(&manifest); err != nil || manifest.Name != "Testland" ||
		len(manifest.Icons) != 2 || manifest.Icons[0].Sizes != "192x192" || manifest.Icons[1].Sizes != "512x512" {
		t.Errorf("got %+v, %v", manifest, err)
	}
	for _, icon := range manifest.Icons {
		if !slices.Contains(names, icon.Src) {
			t.Errorf("the manifest names %s, which the archive does not have", icon.Src)
		}
	}
}
