package images

import (
	"slices"
	"strings"

	"masthead/pkg/page"
)

const (
	// maxIcons is how many icons are tried. Source: security requirements, "Outbound requests".
	maxIcons = 5
	// minMarkSide is the least side, in pixels, of an icon that is drawn as a mark. Source: the design briefs, "Slots".
	minMarkSide = 32
)

// Ranks of icons that do not say their size; less is better. What does say it has a rank below unstated.
const (
	rankOwn       = -1
	rankTouch     = 180 // what a touch icon without a size is as a rule
	rankUnstated  = 8000
	rankAnySource = 9000
)

// iconCandidates returns the addresses of the page's icons, the one to try first in front: the request's own, then those that say
// they are large enough, then the largest of the others, then those that do not say, then what every site may have. app are the icons
// of the web app manifest.
func iconCandidates(p *page.Page, app []page.Icon, own string) []string {
	type candidate struct {
		address string
		rank    int
	}
	var all []candidate
	if own != "" {
		all = append(all, candidate{own, rankOwn})
	}
	if p != nil {
		for _, icon := range slices.Concat(p.Icons, app) {
			if rank, ok := iconRank(&icon); ok {
				all = append(all, candidate{icon.URL, rank})
			}
		}
		if favicon := (page.Icon{URL: p.Metadata.Favicon}); favicon.URL != "" && !favicon.SVG() {
			all = append(all, candidate{favicon.URL, rankAnySource})
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

// iconRank orders icons by how well they fill a mark: the smallest that is large enough first, then the largest of the others. ok is
// false for those that cannot be decoded or are no picture of the site.
func iconRank(icon *page.Icon) (rank int, ok bool) {
	if icon.URL == "" || icon.Rel == "mask-icon" || icon.Rel == "fluid-icon" || icon.SVG() {
		return 0, false
	}
	side := icon.Side()
	switch {
	case side == 0 && strings.HasPrefix(icon.Rel, "apple-touch-icon"):
		return rankTouch, true
	case side == 0:
		return rankUnstated, true
	case side >= markSide:
		return min(side, rankUnstated-1), true
	}
	return rankUnstated - side, true
}
