package page

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"masthead/pkg/cleantext"
)

// Bounds of a web app manifest. Its bytes are the fetcher's limit.
const (
	maxManifestBytes = 512 << 10
	maxManifestIcons = 64
	maxManifestText  = 200
	// preferredIcon is the side, in pixels, up to which larger icons are better. Source: audit rules, C.8.
	preferredIcon = 512
)

// Manifest is what a web app manifest says about the look of a site. Colors are as written; see [ParseColor].
type Manifest struct {
	Name, ShortName, ThemeColor, BackgroundColor string
	// Icons are those for any purpose, the one to take first in front: the largest up to 512 pixels, then the others.
	Icons []Icon
	// Maskable are those that are made to be cut at their edges alone, in the same order.
	Maskable []Icon
}

// ParseManifest reads a web app manifest that was fetched from manifestURL, against which its addresses resolve.
// Members of a wrong type are as if they were absent; it is an error when the text is no JSON object.
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
	_ = json.Unmarshal(members["icons"], &entries) // absent or no list: there are none
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

// manifestText returns a member that is a string; "" for all others.
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

// manifestRank orders icons: less is better.
func manifestRank(icon *Icon) int {
	side := icon.Side()
	if side <= preferredIcon {
		return preferredIcon - side
	}
	return side
}
