package page

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"masthead/pkg/cleantext"
)

// Limits of a web app manifest. The fetcher limits its bytes.
const (
	maxManifestBytes = 512 << 10
	maxManifestIcons = 64
	maxManifestText  = 200
	// preferredIcon is the side, in pixels, up to which larger icons are better.
	preferredIcon = 512
)

// Manifest is the part of a web app manifest about the look of a site. Colors are as written; see [ParseColor].
type Manifest struct {
	Name, ShortName, ThemeColor, BackgroundColor string
	// Icons are those for any purpose, best first: the largest of up to 512 pixels, then the others.
	Icons []Icon
	// Maskable are those for masking only, in the same order.
	Maskable []Icon
}

// ParseManifest parses a web app manifest fetched from manifestURL, against which its addresses are resolved. Members
// of the wrong type count as absent. It returns an error if the text isn't a JSON object.
func ParseManifest(text []byte, manifestURL *url.URL) (Manifest, error) {
	if len(text) > maxManifestBytes {
		return Manifest{}, fmt.Errorf("the manifest is longer than %d bytes", maxManifestBytes)
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return Manifest{}, fmt.Errorf("read the manifest: %w", err)
	}
	m := Manifest{
		Name: manifestText(members["name"]), ShortName: manifestText(members["short_name"]),
		ThemeColor: manifestText(members["theme_color"]), BackgroundColor: manifestText(members["background_color"]),
	}
	var entries []json.RawMessage
	_ = json.Unmarshal(members["icons"], &entries) // absent or not a list: no icons
	for _, entry := range entries[:min(len(entries), maxManifestIcons)] {
		icon, ok := manifestIcon(entry, manifestURL)
		switch {
		case ok && icon.Purpose == "any":
			m.Icons = append(m.Icons, icon)
		case ok:
			m.Maskable = append(m.Maskable, icon)
		}
	}
	for _, icons := range [][]Icon{m.Icons, m.Maskable} {
		slices.SortStableFunc(icons, func(a, b Icon) int { return manifestRank(&a) - manifestRank(&b) })
	}
	return m, nil
}

// manifestText returns a member that is a string, otherwise "".
func manifestText(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return cleantext.Clean(s, maxManifestText)
}

func manifestIcon(entry json.RawMessage, base *url.URL) (Icon, bool) {
	var members map[string]json.RawMessage
	if json.Unmarshal(entry, &members) != nil {
		return Icon{}, false
	}
	purpose := "any"
	purposes := strings.Fields(strings.ToLower(manifestText(members["purpose"])))
	if len(purposes) > 0 && !slices.Contains(purposes, "any") {
		if purpose = "maskable"; !slices.Contains(purposes, purpose) {
			return Icon{}, false
		}
	}
	icon := Icon{
		Purpose: purpose,
		Rel:     "manifest", Href: manifestText(members["src"]),
		Sizes: manifestText(members["sizes"]), Type: manifestText(members["type"]),
	}
	if icon.Href == "" || base == nil {
		return Icon{}, false
	}
	u, err := base.Parse(icon.Href)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return Icon{}, false
	}
	icon.URL = u.String()
	return icon, true
}

// manifestRank orders icons: lower is better.
func manifestRank(icon *Icon) int {
	side := icon.Side()
	if side <= preferredIcon {
		return preferredIcon - side
	}
	return side
}
