package card

import (
	"errors"
	"image"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/fetch"
	"masthead/pkg/picture"
	"masthead/pkg/scrape"
)

// Sides of pictures in pixels, about twice what the largest place on a card needs.
const (
	iconSide = 128
	logoSide = 160
	// MinIconSide is the minimum side of an icon that is drawn.
	MinIconSide = 32
	// photoSide is for the largest card, and portraitSide for a portrait on one.
	photoSide    = 1600
	portraitSide = 640
)

// need returns what a card needs. With a title in the request the page is optional; a requested logo is essential,
// since a card without it would be wrong.
func (r Request) need() scrape.Need {
	if r.Kind == IconSet {
		need := iconsNeed(r)
		need.Owner = r.Own.Owner
		return need
	}
	need := scrape.Need{
		NoPage: r.Own.NoPage, Owner: r.Own.Owner,
		PageEssential: r.Content.Title == "",
		Icon: scrape.IconNeed{
			Side: iconSide, MinSide: MinIconSide, First: r.parsed.favicon, Data: r.Own.Icon, Reuse: !r.Own.Fresh,
		},
		Colors:     r.Style.Accent == "" || r.AI != nil && !r.AI.Override,
		Stylesheet: r.Style.Accent == "", // one more request, only for pages that would get the default accent
	}
	photo, portrait := r.Shows()
	if photo {
		need.PhotoSide, need.PhotoTime = photoSide, r.Own.PhotoTime
	}
	if portrait {
		need.PortraitSide = portraitSide
	}
	if r.Style.Logo != nil {
		need.Pictures = []scrape.PictureNeed{{
			URL: r.parsed.logo, Data: r.Own.Logo, Width: 4 * logoSide, Height: logoSide, Essential: true,
		}}
	}
	return need
}

// missing returns the error if a site lacks something without which there is no card.
func missing(site *scrape.Result) error {
	switch err := site.Fault; {
	case err != nil && len(site.Pictures) > 0 && errors.Is(site.Pictures[0].Err, err):
		return logoFault(err)
	case err != nil:
		return scrape.PageFault(err)
	}
	for _, err := range []error{
		site.Page.Err, site.Icon.Err, site.Manifest.Err, site.Stylesheet.Err, site.Photo.Err, site.Portrait.Err,
	} {
		if apperr.CodeOf(err) == apperr.Unavailable {
			return err // results that are stored for long must not lack a part because the server was busy
		}
	}
	if err := missingIcons(site); err != nil {
		return err
	}
	err := site.Page.Err
	if err == nil || errors.Is(err, fetch.ErrRefused) || apperr.CodeOf(err) == apperr.UpstreamFailed {
		return nil
	}
	return err // a title in the request doesn't help: a fault of ours, or a timeout
}

// logoFault says that the logo isn't available, and why.
func logoFault(err error) error {
	var unusable *scrape.PictureError
	var known *apperr.Error
	var fault *apperr.Error
	switch {
	case errors.As(err, &unusable) && picture.Transient(err):
		fault = apperr.Wrap(apperr.Unavailable, "The logo cannot be read now. Try again in a moment.", err)
		fault.RetryAfter = 2 * time.Second
		return fault
	case errors.As(err, &unusable):
		fault = apperr.Wrap(apperr.UpstreamFailed, "The logo cannot be used: "+picture.Unusable(err)+".", err)
	case errors.As(err, &known) && known.Code != apperr.Internal:
		fault = apperr.Wrap(known.Code, "The logo could not be fetched. "+known.Detail, err)
	default:
		return err
	}
	fault.Fields = []apperr.Field{{Pointer: "/style/logo/url", Detail: fault.Detail}}
	return fault
}

// Everything returns what all cards and the icon set of a page need together, for a caller that draws several of them
// from one reading.
func Everything() scrape.Need {
	return scrape.Need{
		PageEssential: true, Icons: true, Colors: true, Stylesheet: true,
		Icon:      scrape.IconNeed{Side: iconSide, MinSide: MinIconSide, Reuse: true},
		PhotoSide: photoSide, PortraitSide: portraitSide,
	}
}

// FitLogo scales a logo to the size that cards need.
func FitLogo(logo *image.NRGBA) *image.NRGBA { return picture.Contain(logo, 4*logoSide, logoSide) }
