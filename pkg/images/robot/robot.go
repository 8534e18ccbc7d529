// Package robot tells the crawlers of search engines and of AI, which walk through all addresses of a site, from those
// of social networks, which come when somebody shares a page.
package robot

import (
	"fmt"
	"strings"

	"masthead/pkg/platform"
)

// What GET /og does for the crawlers of search engines and of AI.
const (
	Draw   = "draw"
	Stored = "store-only"
)

// words are in the user agents of crawlers that read whole sites, in lower case. Source: what their operators
// document, such as developers.google.com/search/docs/crawling-indexing/google-common-crawlers and
// platform.openai.com/docs/bots.
var words = []string{
	"bot", "crawl", "spider", "slurp", "archiver", "googleother", "google-", "mediapartners", "bingpreview",
	"yandex", "baidu", "gpt", "claude",
	"perplexity", "meta-external", "facebookcatalog", "cohere", "anthropic", "openai", "scrapy",
}

// Robots tells the crawlers of search engines and AI from the others by what they say of themselves.
type Robots struct {
	storedOnly bool
	previews   []string // parts of the user agents of those that make previews, in lower case
}

// New takes what GET /og does for crawlers, and parts of the user agents of crawlers that the operator names as those
// of social networks.
func New(does string, previews []string) Robots {
	r := Robots{storedOnly: does == Stored}
	for _, v := range platform.Visitors() {
		if !v.Agent {
			r.previews = append(r.previews, v.Token)
		}
	}
	r.previews = append(r.previews, previews...)
	for i, name := range r.previews {
		r.previews[i] = strings.ToLower(strings.TrimSpace(name))
	}
	return r
}

// OnlyStored says whether a client with this user agent gets what is stored, and has nothing drawn.
func (r Robots) OnlyStored(agent string) bool {
	if !r.storedOnly {
		return false
	}
	agent = strings.ReplaceAll(strings.ToLower(agent), "cubot", "") // a make of phones
	return containsAny(agent, words) && !containsAny(agent, r.previews)
}

func containsAny(text string, parts []string) bool {
	for _, part := range parts {
		if part != "" && strings.Contains(text, part) {
			return true
		}
	}
	return false
}

// Validate reports an unknown value of MASTHEAD_OG_UNKNOWN_BOTS.
func Validate(value string) error {
	switch value {
	case "", Draw, Stored:
		return nil
	}
	return fmt.Errorf("MASTHEAD_OG_UNKNOWN_BOTS must be %s or %s, not %q", Draw, Stored, value)
}
