package iconset

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// This file writes the web app manifest. Source: https://www.w3.org/TR/appmanifest/.

// manifest lists the members in their output order.
type manifest struct {
	Name       string         `json:"name"`
	ShortName  string         `json:"short_name"`
	Icons      []manifestIcon `json:"icons"`
	Theme      string         `json:"theme_color,omitempty"`
	Background string         `json:"background_color"`
	// A member that browsers without it ignore. Source: https://github.com/w3c/manifest/pull/1207.
	Dark *darkColors `json:"color_scheme_dark,omitempty"`
	// Browsers offer to install a site only if its manifest has a display mode. Source: Chromium, "What does it take
	// to be installable?"
	Start   string `json:"start_url"`
	Display string `json:"display"`
}

// darkColors replace those of the manifest on dark screens.
type darkColors struct {
	Theme      string `json:"theme_color"`
	Background string `json:"background_color"`
}

type manifestIcon struct {
	Source  string `json:"src"`
	Sizes   string `json:"sizes"`
	Type    string `json:"type"`
	Purpose string `json:"purpose,omitempty"`
}

// purposes are those of the icons that launchers change.
var purposes = map[string]string{Maskable512: "maskable", Mono512: "monochrome"}

// Manifest returns the web app manifest of a site as JSON. It links to the icons of 192 and 512 pixels, which must be
// in the same folder, and to those of the extras that launchers crop to their own shape or color.
func Manifest(site Site, extras []File) ([]byte, error) {
	m := manifest{
		Name: site.Title(), ShortName: site.shortName(), Theme: site.Theme, Background: site.Background,
		Icons: []manifestIcon{
			{Source: Icon192, Sizes: "192x192", Type: "image/png"}, {Source: Icon512, Sizes: "512x512", Type: "image/png"},
		},
		Start: "/", Display: "standalone",
	}
	for _, f := range extras {
		if purpose := purposes[f.Name]; purpose != "" {
			m.Icons = append(m.Icons, manifestIcon{Source: f.Name, Sizes: "512x512", Type: "image/png", Purpose: purpose})
		}
	}
	if site.DarkTheme != "" {
		m.Dark = &darkColors{site.DarkTheme, site.DarkTheme}
	}
	var b bytes.Buffer
	to := json.NewEncoder(&b)
	to.SetEscapeHTML(false)
	to.SetIndent("", "  ")
	if err := to.Encode(m); err != nil {
		return nil, fmt.Errorf("encode the manifest: %w", err)
	}
	return b.Bytes(), nil
}
