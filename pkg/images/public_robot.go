package images

import (
	"context"
	"fmt"
	"strings"

	"masthead/pkg/apperr"
	"masthead/pkg/blob"
	"masthead/pkg/platform"
)

// What GET /og does for the crawlers of search engines and of AI, which walk through all addresses of a site, while the
// crawler of a social network comes when somebody shares a page.
const (
	robotsDraw   = "draw"
	robotsStored = "store-only"
)

// robotWords are in the user agents of crawlers that read whole sites, in lower case. Source: what their operators
// document, such as developers.google.com/search/docs/crawling-indexing/google-common-crawlers and
// platform.openai.com/docs/bots.
var robotWords = []string{
	"bot", "crawl", "spider", "slurp", "archiver", "googleother", "google-", "mediapartners", "bingpreview",
	"yandex", "baidu", "gpt", "claude",
	"perplexity", "meta-external", "facebookcatalog", "cohere", "anthropic", "openai", "scrapy",
}

// robots tells the crawlers of search engines and AI from the others by what they say of themselves.
type robots struct {
	storedOnly bool
	previews   []string // parts of the user agents of those that make previews, in lower case
}

// newRobots takes parts of the user agents of crawlers that the operator names as those of social networks.
func newRobots(cfg Config) robots {
	r := robots{storedOnly: cfg.UnknownBots == robotsStored}
	for _, v := range platform.Visitors() {
		if !v.Agent {
			r.previews = append(r.previews, v.Token)
		}
	}
	r.previews = append(r.previews, cfg.Previews...)
	for i, name := range r.previews {
		r.previews[i] = strings.ToLower(strings.TrimSpace(name))
	}
	return r
}

// onlyStored says whether a client with this user agent gets what is stored, and has nothing drawn.
func (r robots) onlyStored(agent string) bool {
	if !r.storedOnly {
		return false
	}
	agent = strings.ReplaceAll(strings.ToLower(agent), "cubot", "") // a make of phones
	return containsAny(agent, robotWords) && !containsAny(agent, r.previews)
}

func containsAny(text string, parts []string) bool {
	for _, part := range parts {
		if part != "" && strings.Contains(text, part) {
			return true
		}
	}
	return false
}

// validateRobots reports an unknown value of MASTHEAD_OG_UNKNOWN_BOTS.
func validateRobots(value string) error {
	switch value {
	case "", robotsDraw, robotsStored:
		return nil
	}
	return fmt.Errorf("MASTHEAD_OG_UNKNOWN_BOTS must be %s or %s, not %q", robotsDraw, robotsStored, value)
}

// stored answers a crawler that has nothing drawn: with the picture of the page, else with that of the site's home page
// in the same design, else with a card of the site's address, which is remembered for all of the site's pages.
func (s *Service) stored(ctx context.Context, j *job, ifNoneMatch string) (Picture, error) {
	if p, err := s.storedOf(ctx, j, ifNoneMatch); err == nil || !isFault(err) {
		return p, err
	}
	root, err := j.request.Page().Resolve("/")
	if err != nil {
		return Picture{}, err
	}
	home := *j
	home.request.URL = root.String()
	if err := s.normalise(ctx, &home); err != nil {
		return Picture{}, inQuery(err)
	}
	if p, err := s.storedOf(ctx, &home, ifNoneMatch); err == nil || !isFault(err) {
		p.Fallback, p.Short = fallbackRobot, true
		return p, err
	}
	if j.public.project.Closed {
		return Picture{}, apperr.New(apperr.NotFound, "There is no project or image with this public id.")
	}
	home.key += " for robots" // others have the home page drawn
	if card, known, err := s.memory.cards.find(home.key); known || err != nil {
		return card.picture(ifNoneMatch), err
	}
	return s.fallback(ctx, &home, fallbackRobot, ifNoneMatch)
}

// storedOf returns the picture that is stored for a job, as it is; a fault as isFault says if there is none.
func (s *Service) storedOf(ctx context.Context, j *job, ifNoneMatch string) (Picture, error) {
	bounded, cancel := context.WithTimeout(ctx, databaseTime)
	defer cancel()
	found, _, err := s.recall(bounded, j.key)
	if err != nil {
		return Picture{}, err
	}
	if found != nil {
		return s.firstOf(ctx, found.row.CacheImage(), ifNoneMatch)
	}
	if !j.request.mayHaveEarlier() {
		return Picture{}, blob.ErrNotFound
	}
	kept, known, err := s.byBaseKeys(bounded, j.request)
	if err != nil {
		return Picture{}, err
	}
	if !known {
		return Picture{}, blob.ErrNotFound
	}
	p, err := s.firstOf(ctx, kept.CacheImage(), ifNoneMatch)
	p.Short = true // it is of an earlier version of the project's design, or an earlier brand
	return p, err
}
