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

// maxIcons is how many icons are tried. Source: security requirements, "Outbound requests".
const maxIcons = 5

// IconNeed says what the site's icon is wanted for.
type IconNeed struct {
	// Side is that of the square, in pixels, that the icon is scaled to fit; 0 asks for no icon.
	Side int
	// MinSide is the least shorter side of an icon that is of use.
	MinSide int
	// First, unless it is zero, is an icon to try before those of the site, with or without a page.
	First weburl.URL
	// Data, unless it is nil, is a file that is tried before all of them.
	Data []byte
	// Lately takes what was at an address half a minute ago, if the site lets us, rather than ask for it again: the
	// pages of a site share one icon.
	Lately bool
}

// Icon is the site's icon.
type Icon struct {
	// Image is the icon, scaled, which nobody may change; Facts are those of the file.
	Image *image.NRGBA
	Facts picture.Facts
	// URL is where the icon was found.
	URL weburl.URL

	clusters []palette.Cluster // the main colours of its pixels, when colours are wanted
}

// clusterSide is the size, in pixels, that colours are looked for at. Source: audit rules, F.3.
const clusterSide = 64

// icon fetches and decodes the best icon that can be had.
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
		fault = err // that of the last one: the best of the rest was no better
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
	if sc.need.Icon.Lately {
		if icon, known := sc.lateIcon(u); known {
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
		sc.lately.put(u, sha256.Sum256(response.Body), response)
	}
	icon.URL = u
	return icon, err
}

// decodeIcon returns the icon in a file: as it was decoded before, or decoded now.
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

// tooSmall returns the error for an icon that is smaller than is of use.
func (sc *scraping) tooSmall(icon Icon) error {
	if min(icon.Facts.Width, icon.Facts.Height) < sc.need.Icon.MinSide {
		return &PictureError{errSmallIcon}
	}
	return nil
}

// Ranks of icons that do not say their size; less is better. What does say it has a rank below unstated.
const (
	rankOwn       = -1
	rankSVG       = 0   // it is drawn at the very size
	rankTouch     = 180 // what a touch icon without a size is as a rule
	rankUnstated  = 8000
	rankAnySource = 9000
)

// iconCandidates returns the addresses of the site's icons, the one to try first in front: the caller's own, then
// SVGs, those that say they are large enough, then the largest of the others, then those that do not say, then what
// every site may have. app are the icons of the web app manifest; p may be nil.
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

// iconRank orders icons by how well they fill a square of the wanted side: SVGs first, then the smallest that is large
// enough, then the largest of the others. ok is false for those that are no picture of the site.
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
