package card

import (
	"strings"
	"testing"

	"masthead/pkg/iconset"
	"masthead/pkg/scrape"
	"masthead/pkg/weburl"
	"masthead/render/palette"
)

// TestCompose_siteWithoutColors_hasThoseOfItsHost: one site has one color, on every subdomain and port; what the page
// or the request tells comes first.
func TestCompose_siteWithoutColors_hasThoseOfItsHost(t *testing.T) {
	blue := []scrape.Color{{Value: palette.RGB(0x2563EB), Source: palette.Icon, Weight: .65}}
	for name, c := range map[string]struct {
		request        Request
		colors         []scrape.Color
		accent, source string
	}{
		"a domain":        {Request{URL: "https://example.com/"}, nil, palette.Hex(palette.OfHost("example.com")), "host"},
		"a subdomain":     {Request{URL: "https://www.blog.EXAMPLE.com/a"}, nil, palette.Hex(palette.OfHost("example.com")), "host"},
		"a port":          {Request{URL: "http://example.com:8080/"}, nil, palette.Hex(palette.OfHost("example.com")), "host"},
		"a public suffix": {Request{URL: "https://one.github.io/"}, nil, palette.Hex(palette.OfHost("one.github.io")), "host"},
		"another script": {
			Request{URL: "https://bücher.example/"}, nil, palette.Hex(palette.OfHost("xn--bcher-kva.example")), "host",
		},
		"an address": {Request{URL: "http://192.0.2.7/"}, nil, palette.Hex(palette.OfHost("192.0.2.7")), "host"},
		"a name alone": {
			Request{Own: Own{NoPage: true}, Content: Content{Title: "x", SiteName: "Northlane"}}, nil,
			palette.Hex(palette.OfHost("Northlane")), "host",
		},
		"nothing": {
			Request{Own: Own{NoPage: true}, Content: Content{Title: "x"}}, nil, palette.Hex(palette.DefaultAccent), "default",
		},
		"the icon":       {Request{URL: "https://example.com/"}, blue, "#2563EB", "icon"},
		"the caller's":   {Request{URL: "https://example.com/", Style: Style{Accent: "#0f766e"}}, blue, "#0F766E", "style"},
		"of an icon set": {Request{URL: "https://example.com/", Kind: IconSet}, nil, palette.Hex(palette.OfHost("example.com")), "host"},
	} {
		r, err := c.request.Normalize()
		if err != nil {
			t.Fatal(err)
		}
		site := scrape.Result{URL: r.parsed.page}
		if site.Colors.Value = c.colors; c.colors != nil {
			site.Colors.State = scrape.Got
		}
		got := r.Compose(&site)
		if p := got.Page.Palette; p.Accent != c.accent || p.AccentSource != c.source {
			t.Errorf("%s: got %s of %s, want %s of %s", name, p.Accent, p.AccentSource, c.accent, c.source)
		}
		if r.Kind != IconSet && palette.Hex(got.card.Accent) != c.accent {
			t.Errorf("%s: drawn in %s, want %s", name, palette.Hex(got.card.Accent), c.accent)
		}
	}
}

// TestSiteOf_colorOfTheHostIsNoTheme: only a color that the site shows is written into its files.
func TestSiteOf_colorOfTheHostIsNoTheme(t *testing.T) {
	for source, want := range map[palette.Source]string{palette.FromHost: "", palette.Icon: "#0f766e"} {
		p := PageData{SiteName: "Example", Palette: Palette{Accent: "#0f766e", AccentSource: string(source)}}
		site := SiteOf(p, weburl.URL{})
		manifest, err := iconset.Manifest(site, nil)
		links := iconset.Links("/", site, nil)
		if err != nil || site.Theme != want || strings.Contains(string(manifest)+links, "theme") != (want != "") {
			t.Errorf("%s: got the theme %q, %v, %s %s", source, site.Theme, err, manifest, links)
		}
	}
}
