package scrape

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"image"
	"slices"
	"strings"

	"masthead/pkg/fetch"
	"masthead/pkg/page"
	"masthead/pkg/picture"
	"masthead/pkg/weburl"
	"masthead/render/palette"
)

// maxIcons is the maximum number of icons tried.
const maxIcons = 5

// IconNeed says what the site's icon is needed for.
type IconNeed struct {
	// Side is the side of the square, in pixels, that the icon is scaled to fit; 0 requests no icon.
	Side int
	// MinSide is the minimum shorter side of a usable icon.
	MinSide int
	// First, if not zero, is an icon to try before those of the site, with or without a page.
	First weburl.URL
	// Data, if not nil, is a file to try before all of them.
	Data []byte
	// Reuse allows reusing an icon that was fetched from the same address in the last half minute, if the site permits
	// caching: the pages of a site share one icon.
	Reuse bool
}

// Icon is the site's icon.
type Icon struct {
	// Image is the icon, scaled. It must not be modified. Facts describe the file.
	Image *image.NRGBA
	Facts picture.Facts
	// URL is where the icon was found.
	URL weburl.URL

	clusters []palette.Cluster // the main colors of its pixels, if colors are needed
}

// clusterSide is the size, in pixels, at which colors are counted.
const clusterSide = 64

// icon fetches and decodes the best available icon.
func (sc *scraping) icon(ctx context.Context) (Icon, error) {
	var p *page.Page
	if sc.site.Page.Got() {
		p = sc.site.Page.Value.Page
	}
	fault := errAbsent
	if data := sc.need.Icon.Data; data != nil {
		icon, err := sc.decodeIcon(ctx, data)
		if err == nil {
			return icon, nil
		}
		fault = err
	}
	for _, address := range iconCandidates(p, sc.site.Manifest.Value.Icons, sc.need.Icon) {
		icon, err := sc.tryIcon(ctx, address)
		if err == nil {
			return icon, nil
		}
		fault = err // the last one's: the best of the rest was no better
	}
	return Icon{}, fault
}

var errSmallIcon = errors.New("the icon is too small")

// tryIcon fetches and decodes one icon.
func (sc *scraping) tryIcon(ctx context.Context, address string) (Icon, error) {
	u, err := readLink(address)
	if err != nil {
		return Icon{}, err
	}
	if sc.need.Icon.Reuse {
		if icon, known := sc.recentIcon(u); known {
			return icon, sc.tooSmall(icon)
		}
	}
	resource := fetch.Icon
	if (&page.Icon{URL: address}).SVG() {
		resource = fetch.SVG
	}
	response, err := sc.get(ctx, u, resource)
	if err != nil {
		return Icon{}, err
	}
	icon, err := sc.decodeIcon(ctx, response.Body)
	if err == nil {
		sc.recent.put(u, sha256.Sum256(response.Body), response)
	}
	icon.URL = u
	return icon, err
}

// decodeIcon returns the icon in a file, from the cache or decoded now.
func (sc *scraping) decodeIcon(ctx context.Context, file []byte) (Icon, error) {
	wanted := sc.need.Icon
	key := sc.iconKey(sha256.Sum256(file))
	icon, known := sc.icons.Get(key)
	if !known {
		if err := boundIcon(file); err != nil {
			return Icon{}, err
		}
		img, facts, err := sc.decode(ctx, file, picture.Want{Side: wanted.Side})
		if err != nil {
			return Icon{}, &PictureError{err}
		}
		icon = Icon{Image: picture.Contain(img, wanted.Side, wanted.Side), Facts: facts}
		if sc.need.Colors {
			icon.clusters = palette.Clusters(picture.Contain(img, clusterSide, clusterSide))
		}
		sc.icons.Put(key, icon)
	}
	if err := sc.tooSmall(icon); err != nil {
		return Icon{}, err
	}
	return icon, nil
}

// tooSmall returns an error for an icon below the minimum size.
func (sc *scraping) tooSmall(icon Icon) error {
	if min(icon.Facts.Width, icon.Facts.Height) < sc.need.Icon.MinSide {
		return &PictureError{errSmallIcon}
	}
	return nil
}

// Ranks of icons without a stated size; lower is better. Icons with one rank below unstated.
const (
	rankOwn       = -1
	rankSVG       = 0   // drawn at the exact size
	rankTouch     = 180 // the usual size of a touch icon that doesn't state it
	rankUnstated  = 8000
	rankAnySource = 9000
)

// iconCandidates returns the addresses of the site's icons in the order to try them: the caller's own, SVGs, those that
// state a sufficient size, the largest of the others, those without a stated size, and finally well-known paths. app
// are the icons of the web app manifest; p may be nil.
func iconCandidates(p *page.Page, app []page.Icon, need IconNeed) []string {
	type candidate struct {
		address string
		rank    int
	}
	var all []candidate
	if !need.First.IsZero() {
		all = append(all, candidate{need.First.String(), rankOwn})
	}
	if p != nil {
		for _, icon := range slices.Concat(p.Icons, app) {
			if rank, ok := iconRank(&icon, need.Side); ok {
				all = append(all, candidate{icon.URL, rank})
			}
		}
		if favicon := (page.Icon{URL: p.Metadata.Favicon}); favicon.URL != "" {
			all = append(all, candidate{favicon.URL, rankAnySource})
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(a.rank, b.rank) })
	var addresses []string
	for _, c := range all {
		if !slices.Contains(addresses, c.address) && len(addresses) < maxIcons {
			addresses = append(addresses, c.address)
		}
	}
	return addresses
}

// iconRank ranks icons by how well they fill a square of the wanted side: SVGs first, then the smallest sufficient one,
// then the largest of the others. ok is false for icons that don't represent the site.
func iconRank(icon *page.Icon, wanted int) (rank int, ok bool) {
	if icon.URL == "" || icon.Rel == "mask-icon" || icon.Rel == "fluid-icon" {
		return 0, false
	}
	if icon.SVG() {
		return rankSVG, true
	}
	side := icon.Side()
	switch {
	case side == 0 && strings.HasPrefix(icon.Rel, "apple-touch-icon"):
		return rankTouch, true
	case side == 0:
		return rankUnstated, true
	case side >= wanted:
		return min(side, rankUnstated-1), true
	}
	return rankUnstated - side, true
}
