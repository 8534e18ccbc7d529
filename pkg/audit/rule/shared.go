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

// MaxTag is the maximum length of tags in [Shared], in characters. No platform shows as much.
const MaxTag = 1000

// sharedTags are the meta elements that platforms read.
var sharedTags = []string{
	"og:title", "og:description", "og:site_name", "og:image", "og:image:url", "og:image:secure_url",
	"twitter:card", "twitter:title", "twitter:description", "twitter:image", "twitter:image:src", "description",
}

// Shared returns what platforms read from a site, for [platform.Show]. The site must have its page; for pictures that
// weren't fetched the declared sizes are used.
func Shared(site *scrape.Result) platform.Page {
	return newFacts(site, time.Time{}, newMemo()).sharedPage()
}

// Shared is [Shared] of the judged site.
func (j *Judgment) Shared() platform.Page { return j.facts.sharedPage() }

func (f *Facts) sharedPage() platform.Page {
	shared := platform.Page{
		URL: cleantext.Clean(f.Final, 2048), Host: f.Page.URL.Hostname(), Status: f.Document.Status, Card: f.CardOfX(),
		Blocked: f.blocked(PathOf(f.Page.URL)),
	}
	for i := range f.Page.Meta {
		pair := &f.Page.Meta[i]
		first := !slices.ContainsFunc(shared.Tags, func(t platform.Tag) bool { return t.Key == pair.Key })
		if first && slices.Contains(sharedTags, pair.Key) {
			shared.Tags = append(shared.Tags,
				platform.Tag{Key: pair.Key, Value: cleantext.Clean(pair.Value, MaxTag), End: pair.End})
		}
	}
	if len(f.Titles) > 0 {
		shared.Tags = append(shared.Tags, platform.Tag{Key: "title", Value: cleantext.Clean(f.Titles[0], MaxTag)})
	}
	if f.OG != nil {
		shared.Pictures = append(shared.Pictures, f.shared(f.OG, "og:image"))
	}
	if f.TaggedX != nil {
		shared.Pictures = append(shared.Pictures, f.shared(f.TaggedX, "twitter:image"))
	}
	return shared
}

// shared returns what platforms find about a picture.
func (f *Facts) shared(image *ShareImage, tag string) platform.ShareImage {
	found := platform.ShareImage{
		Tag: tag, URL: image.URL, Fault: image.File.Fault, Width: Positive(image.Width), Height: Positive(image.Height),
	}
	if image.File.Measured() {
		facts := &image.File.Facts
		found.Width, found.Height, found.Bytes = facts.Width, facts.Height, image.File.Size
		found.Format = facts.Format.String()
	}
	if u, err := url.Parse(image.URL); err == nil && strings.EqualFold(u.Host, f.Page.URL.Host) {
		found.Blocked = f.blocked(PathOf(u))
	}
	return found
}

// blocked returns the product tokens of the crawlers that robots.txt excludes from a path.
func (f *Facts) blocked(path string) []string {
	if f.Site.Robots.State != scrape.Got {
		return nil
	}
	var blocked []string
	for _, token := range platform.Tokens() {
		if allowed, _ := f.Site.Robots.Value.Allows(token, path); !allowed {
			blocked = append(blocked, token)
		}
	}
	return blocked
}
