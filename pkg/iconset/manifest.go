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
	// Browsers offer to install a site only if its manifest has a display mode. Source: Chromium, "What does it take
	// to be installable?"
	Start   string `json:"start_url"`
	Display string `json:"display"`
}

type manifestIcon struct {
	Source  string `json:"src"`
	Sizes   string `json:"sizes"`
	Type    string `json:"type"`
	Purpose string `json:"purpose,omitempty"`
}

// Manifest returns the web app manifest of a site as JSON. It links to the icons of 192 and 512 pixels, which must be
// in the same folder, and, if maskable is set, to the icon that launchers crop to their own shape.
func Manifest(site Site, maskable bool) ([]byte, error) {
	m := manifest{
		Name: site.Title(), ShortName: site.shortName(), Theme: site.Theme, Background: site.Background,
		Icons: []manifestIcon{
			{Source: Icon192, Sizes: "192x192", Type: "image/png"}, {Source: Icon512, Sizes: "512x512", Type: "image/png"},
		},
		Start: "/", Display: "standalone",
	}
	if maskable {
		m.Icons = append(m.Icons,
			manifestIcon{Source: Maskable512, Sizes: "512x512", Type: "image/png", Purpose: "maskable"})
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
