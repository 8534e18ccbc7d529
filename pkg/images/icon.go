package images

import (
	"slices"
	"strconv"
	"strings"

	"masthead/pkg/page"
)

const (
	// maxIcons is how many icons are tried. Source: security requirements, "Outbound requests".
	maxIcons = 5
	// minMarkSide is the least side, in pixels, of an icon that is drawn as a mark. Source: the design briefs, "Slots".
	minMarkSide = 32
)

// iconCandidates returns the addresses of the page's icons, the one to try first in front: the request's own, then those that say
// they are large enough by size, then those that do not say, then what every site may have.
func iconCandidates(p *page.Page, own string) []string {
	type candidate struct {
		address string
		rank    int // less is better
	}
	var all []candidate
	if own != "" {
		all = append(all, candidate{own, -1})
	}
	if p != nil {
		for _, icon := range p.Icons {
			if rank, ok := iconRank(icon); ok {
				all = append(all, candidate{icon.URL, rank})
			}
		}
		if p.Metadata.Favicon != "" && !isSVG(p.Metadata.Favicon, "") {
			all = append(all, candidate{p.Metadata.Favicon, 9000})
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return a.rank - b.rank })
	var addresses []string
	for _, c := range all {
		if !slices.Contains(addresses, c.address) && len(addresses) < maxIcons {
			addresses = append(addresses, c.address)
		}
	}
	return addresses
}

// iconRank orders icons by how well they fill a mark: the smallest that is large enough first, then the largest of the others.
func iconRank(icon page.Icon) (rank int, ok bool) {
	if icon.URL == "" || icon.Rel == "mask-icon" || icon.Rel == "fluid-icon" || isSVG(icon.URL, icon.Type) {
		return 0, false
	}
	side := 0
	for size := range strings.FieldsSeq(strings.ToLower(icon.Sizes)) {
		w, h, _ := strings.Cut(size, "x")
		width, err1 := strconv.Atoi(w)
		height, err2 := strconv.Atoi(h)
		if err1 == nil && err2 == nil && width > 0 && height > 0 && width < 10_000 {
			side = max(side, min(width, height))
		}
	}
	touch := strings.HasPrefix(icon.Rel, "apple-touch-icon")
	switch {
	case side == 0 && touch:
		return 180, true // what a touch icon without a size is as a rule
	case side == 0:
		return 8000, true
	case side >= markSide:
		return side, true
	}
	return 8000 - side, true
}

// isSVG says whether an icon is of the format that cannot be decoded yet.
func isSVG(address, mimeType string) bool {
	path, _, _ := strings.Cut(address, "?")
	return strings.HasPrefix(mimeType, "image/svg") || strings.HasSuffix(strings.ToLower(path), ".svg")
}
