package page_test

import (
	"net/url"
	"testing"

	"masthead/pkg/page"
)

var manifestURL = &url.URL{Scheme: "https", Host: "example.com", Path: "/app/site.webmanifest"}

func TestParseManifest_usable_givesNamesColorsIcons(t *testing.T) {
	m, err := page.ParseManifest([]byte(`{"name": " The  App ", "short_name": "App", "theme_color": "#0f766e", "background_color": 7, "icons": [
		{"src": "small.png", "sizes": "48x48"}, {"src": "/huge.png", "sizes": "1024x1024"}, {"src": "big.png", "sizes": "512x512", "type": "image/png"},
		{"src": "mask.png", "sizes": "512x512", "purpose": "maskable"}, {"src": "both.png", "sizes": "192x192", "purpose": "maskable any"},
		{"src": "javascript:alert(1)"}, {"src": "data:image/png;base64,AA"}, "no icon", {"sizes": "1x1"}, {"src": 3}]}`), manifestURL)
	if err != nil {
		t.Fatal(err)
	}
	if m.Name != "The App" || m.ShortName != "App" || m.ThemeColor != "#0f766e" || m.BackgroundColor != "" {
		t.Errorf("got %+v", m)
	}
	want := []string{"https://example.com/app/big.png", "https://example.com/app/both.png",
		"https://example.com/app/small.png", "https://example.com/huge.png"}
	if len(m.Icons) != len(want) {
		t.Fatalf("got %d icons, want %d: %+v", len(m.Icons), len(want), m.Icons)
	}
	for i, icon := range m.Icons {
		if icon.URL != want[i] {
			t.Errorf("icon %d: got %s, want %s", i, icon.URL, want[i])
		}
	}
	if len(m.Maskable) != 1 || m.Maskable[0].URL != "https://example.com/app/mask.png" ||
		m.Maskable[0].Purpose != "maskable" || m.Icons[0].Purpose != "any" || m.Icons[1].Purpose != "any" {
		t.Errorf("got %+v and %+v, want the purposes told apart", m.Icons, m.Maskable)
	}
	for _, text := range []string{``, `[]`, `"x"`, `{`, `null x`} {
		if _, err := page.ParseManifest([]byte(text), manifestURL); err == nil {
			t.Errorf("%q is no manifest", text)
		}
	}
}

func FuzzManifest(f *testing.F) {
	f.Add([]byte(`{"name": "App", "theme_color": "#fff", "icons": [{"src": "a.png", "sizes": "1x1 2x2", "purpose": "any"}]}`))
	f.Add([]byte(`{"icons": [[], {}, null, {"src": "//x/y"}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := page.ParseManifest(text, manifestURL)
		if err != nil {
			return
		}
		for _, icon := range m.Icons {
			if u, err := url.Parse(icon.URL); err != nil || (u.Scheme != "http" && u.Scheme != "https") {
				t.Errorf("got icon %q", icon.URL)
			}
		}
	})
}
