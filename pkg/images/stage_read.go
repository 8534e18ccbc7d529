package images

import (
	"context"

	"masthead/pkg/card"
	"masthead/pkg/scrape"
	"masthead/pkg/weburl"
	"masthead/pkg/worker"
)

// read finds out what there is to draw: it has the page scraped with its icon and the logo.
func (s *Service) read(ctx context.Context, j *job) error {
	need := card.NeedOf(j.request)
	need.Owner = j.caller.UserID
	site, err := s.scrape(ctx, j.key, j.request.Page(), need)
	if err == nil {
		err = card.Missing(site)
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
	if j.request.Kind == card.IconSet {
		j.icons, j.page = card.ComposeIcons(j.request, &site)
		j.unused = card.UnusedIcons(&site)
		if card.TooSlow(&site) {
			j.lacks = lacksSVG
		}
		return nil
	}
	j.toDraw, j.page = card.Compose(j.request, site)
	if j.request.AI != nil {
		j.about = card.AboutOf(&site, j.page)
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
