package images

import (
	"context"
	"errors"
	"slices"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/fetch"
	"masthead/pkg/picture"
	"masthead/pkg/picture/svg"
	"masthead/pkg/scrape"
	"masthead/pkg/weburl"
	"masthead/pkg/worker"
	"masthead/render"
)

// Sides of pictures in pixels, about twice what the largest place on a card takes.
const (
	iconSide = 128
	logoSide = 160
	// MinIconSide is the least side of an icon that is drawn. Source: the design briefs, "Slots".
	MinIconSide = 32
	// photoSide is that of the largest card, and portraitSide of a portrait's place on one.
	photoSide    = 1600
	portraitSide = 640
)

// read finds out what there is to draw: it has the page scraped with its icon and the logo.
func (s *Service) read(ctx context.Context, j *job) error {
	need := needOf(j.request)
	need.Owner = j.caller.UserID
	site, err := s.scrape(ctx, j.key, j.request.parsed.page, need)
	if err == nil {
		err = missing(site)
	}
	if err != nil {
		return err
	}
	if j.public != nil && j.public.left(&site) {
		return errLeft
	}
	switch {
	case site.SVGMissed:
		j.lacks = lacksSVG
	case site.Page.Value.Broken:
		j.lacks = lacksPage
	}
	if j.request.Kind == IconSet {
		j.icons, j.page = composeIcons(j.request, &site)
		j.unused = unusedIcons(&site)
		if tooSlow(&site) {
			j.lacks = lacksSVG
		}
		return nil
	}
	j.toDraw, j.page = compose(j.request, site)
	if j.request.AI != nil {
		j.about = aboutOf(&site, j.page)
	}
	return nil
}

// scrape has a page scraped, for at most readTime. Whatever still reads some time after that computes without end, and
// is given up.
func (s *Service) scrape(ctx context.Context, key string, u weburl.URL, need scrape.Need) (scrape.Site, error) {
	work := worker.Work{
		Stage: "read", Key: func() string { return key }, Deadline: readTime + s.workers.drawing.Deadline(),
	}
	return worker.Watch(ctx, s.workers.drawing, work, func(ctx context.Context) (scrape.Site, error) {
		growStack(0)
		bounded, cancel := context.WithTimeout(ctx, readTime)
		defer cancel()
		return s.scraper.Scrape(bounded, u, need), nil
	})
}

// needOf says what a card takes. With a title of the request's own it can do without the page; a logo was asked for,
// so a card without it would be wrong.
func needOf(r Request) scrape.Need {
	if r.Kind == IconSet {
		return iconsNeed(r)
	}
	need := scrape.Need{
		NoPage:        r.noPage,
		PageEssential: r.Content.Title == "",
		Icon: scrape.IconNeed{
			Side: iconSide, MinSide: MinIconSide, First: r.parsed.favicon, Data: r.own.Icon, Lately: !r.Force,
		},
		Colors:     r.Style.Accent == "" || r.AI != nil && !r.AI.Override,
		Stylesheet: r.Style.Accent == "", // one request more, of pages alone that would get the default accent
	}
	if t, ok := render.Lookup(r.Template, render.Kind(r.Kind)); ok && r.AI == nil {
		if slices.Contains(t.Photo, render.Kind(r.Kind)) {
			need.PhotoSide = photoSide
		}
		if t.Portrait {
			need.PortraitSide = portraitSide
		}
	}
	if r.Style.Logo != nil {
		need.Pictures = []scrape.PictureNeed{{
			URL: r.parsed.logo, Data: r.own.Logo, Width: 4 * logoSide, Height: logoSide, Essential: true,
		}}
	}
	return need
}

// missing returns the error for a site without which there is no card.
func missing(site scrape.Site) error {
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
			return err // what is kept long must not lack a part because we were busy for a moment
		}
	}
	if err := missingIcons(&site); err != nil {
		return err
	}
	err := site.Page.Err
	if err == nil || errors.Is(err, fetch.ErrRefused) || apperr.CodeOf(err) == apperr.UpstreamFailed {
		return nil
	}
	return err // nothing that a title of the request's own makes up for: a fault of ours, or the end of the time
}

// logoFault says that the logo cannot be had, and why.
func logoFault(err error) error {
	var unusable *scrape.PictureError
	var known *apperr.Error
	var fault *apperr.Error
	switch {
	case errors.As(err, &unusable) && picture.Transient(err):
		fault = apperr.Wrap(apperr.Unavailable, "The logo cannot be read just now; try again in a moment.", err)
		fault.RetryAfter = 2 * time.Second
		return fault
	case errors.As(err, &unusable):
		fault = apperr.Wrap(apperr.UpstreamFailed, "The logo cannot be used: "+whyUnusable(err)+".", err)
	case errors.As(err, &known) && known.Code != apperr.Internal:
		fault = apperr.Wrap(known.Code, "The logo could not be fetched. "+known.Detail, err)
	default:
		return err
	}
	fault.Fields = []apperr.Field{{Pointer: "/style/logo/url", Detail: fault.Detail}}
	return fault
}

// whyUnusable says in words of ours what is wrong with a picture. What its decoder says goes to the log alone: that may
// be the trace of a panic.
func whyUnusable(err error) string {
	switch {
	case errors.Is(err, svg.ErrUnsupported):
		return "it is an SVG with words, which must be turned into paths"
	case errors.Is(err, picture.ErrUnknown), errors.Is(err, picture.ErrUnsupported):
		return "it is not a PNG, JPEG, GIF, WebP, ICO or SVG picture"
	case errors.Is(err, picture.ErrTooLarge):
		return "it is too large"
	case errors.Is(err, picture.ErrTimeout):
		return "it takes too long to draw"
	case errors.Is(err, picture.ErrNotReady):
		return "the engine that draws SVG was not ready in time; try again in some minutes"
	}
	return picture.Reason(err)
}
