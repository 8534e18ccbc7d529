package scrape

import (
	"context"
	"slices"

	"masthead/pkg/page"
)

// This file examines icons that a site has for one purpose, which package render/icon uses for that alone.

// relMask is the relation of a drawing of one color, which Safari shows in the color of the link.
const relMask = "mask-icon"

// maskable examines the manifest's best icon for launchers that crop icons to their own shape.
func (sc *scraping) maskable(ctx context.Context) (IconFile, error) {
	for _, icon := range sc.site.Manifest.Value.Maskable {
		nameData(&icon)
		if icon.URL != "" {
			return sc.iconFile(ctx, icon)
		}
	}
	return IconFile{}, errAbsent
}

// maskIcon examines the page's drawing of one color.
func (sc *scraping) maskIcon(ctx context.Context) (IconFile, error) {
	icons := sc.site.Page.Value.Icons
	i := slices.IndexFunc(icons, func(i page.Icon) bool { return i.Rel == relMask })
	if i < 0 {
		return IconFile{}, errAbsent
	}
	icon := icons[i]
	icon.Type = "image/svg+xml" // it is one whatever the link says
	if nameData(&icon); icon.URL == "" {
		return IconFile{}, errAbsent
	}
	return sc.iconFile(ctx, icon)
}
