package rule

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"masthead/pkg/cleantext"
	"masthead/pkg/platform"
	"masthead/pkg/scrape"
)

// maxTag is the maximum length of tags in [Shared], in characters. No platform shows as much.
const maxTag = 1000

// sharedTags are the meta elements that platforms read.
var sharedTags = []string{
	"og:title", "og:description", "og:site_name", "og:image", "og:image:url", "og:image:secure_url",
	"twitter:card", "twitter:title", "twitter:description", "twitter:image", "twitter:image:src", "description",
}

// Shared returns what platforms read from a site, for [platform.Show]. The site must have its page; for pictures that
// weren't fetched the declared sizes are used.
func Shared(site *scrape.Site) platform.Page {
	return newFacts(site, time.Time{}, newMemo()).sharedPage()
}

// Shared is [Shared] of the judged site.
func (j *Judgment) Shared() platform.Page { return j.facts.sharedPage() }

func (f *facts) sharedPage() platform.Page {
	shared := platform.Page{
		URL: cleantext.Clean(f.final, 2048), Host: f.page.URL.Hostname(), Status: f.doc.Status, Card: f.cardOfX(),
		Blocked: f.blocked(pathOf(f.page.URL)),
	}
	for i := range f.page.Meta {
		pair := &f.page.Meta[i]
		first := !slices.ContainsFunc(shared.Tags, func(t platform.Tag) bool { return t.Key == pair.Key })
		if first && slices.Contains(sharedTags, pair.Key) {
			shared.Tags = append(shared.Tags,
				platform.Tag{Key: pair.Key, Value: cleantext.Clean(pair.Value, maxTag), End: pair.End})
		}
	}
	if len(f.titles) > 0 {
		shared.Tags = append(shared.Tags, platform.Tag{Key: "title", Value: cleantext.Clean(f.titles[0], maxTag)})
	}
	if f.og != nil {
		shared.Pictures = append(shared.Pictures, f.shared(f.og, "og:image"))
	}
	if f.tagged != nil {
		shared.Pictures = append(shared.Pictures, f.shared(f.tagged, "twitter:image"))
	}
	return shared
}

// shared returns what platforms find about a picture.
func (f *facts) shared(image *shareImage, tag string) platform.Picture {
	found := platform.Picture{
		Tag: tag, URL: image.url, Fault: image.file.fault, Width: positive(image.width), Height: positive(image.height),
	}
	if image.file.measured() {
		facts := &image.file.facts
		found.Width, found.Height, found.Bytes = facts.Width, facts.Height, image.file.size
		found.Format = facts.Format.String()
	}
	if u, err := url.Parse(image.url); err == nil && strings.EqualFold(u.Host, f.page.URL.Host) {
		found.Blocked = f.blocked(pathOf(u))
	}
	return found
}

// blocked returns the product tokens of the crawlers that robots.txt excludes from a path.
func (f *facts) blocked(path string) []string {
	if f.site.Robots.State != scrape.Got {
		return nil
	}
	var blocked []string
	for _, token := range platform.Tokens() {
		if allowed, _ := f.site.Robots.Value.Allows(token, path); !allowed {
			blocked = append(blocked, token)
		}
	}
	return blocked
}
