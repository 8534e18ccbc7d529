package rule

import (
	"net/url"
	"slices"
	"strings"
)

// BlockedFrom returns which crawlers robots.txt, which responded, excludes from one of the paths.
func (f *Facts) BlockedFrom(paths, agents []string) (blocked []string) {
	for _, agent := range agents {
		if slices.ContainsFunc(paths, func(path string) bool {
			allowed, _ := f.Site.Robots.Value.Allows(agent, path)
			return !allowed
		}) {
			blocked = append(blocked, agent)
		}
	}
	return blocked
}

// RobotsPaths returns the paths of the page and, on the same host, of a share image.
func (f *Facts) RobotsPaths(image *ShareImage) []string {
	paths := []string{PathOf(f.Page.URL)}
	if image != nil {
		if u, err := url.Parse(image.URL); err == nil && strings.EqualFold(u.Host, f.Page.URL.Host) {
			paths = append(paths, PathOf(u))
		}
	}
	return paths
}

// Directive is a directive for search engines and its source.
type Directive struct{ Text, Where string }

// Directives returns the page's directives for all search engines and for Google, in lower case.
func (f *Facts) Directives() []Directive {
	var all []Directive
	for _, name := range [...]string{"robots", "googlebot"} {
		for _, d := range f.Page.Meta.Robots(name) {
			all = append(all, Directive{d, "the meta element " + name})
		}
	}
	for _, line := range f.Document.Header.Values("X-Robots-Tag") {
		for _, d := range robotsHeader(line) {
			all = append(all, Directive{d, "the header X-Robots-Tag"})
		}
	}
	return all
}

// valued are the directives with a value after a colon, as opposed to names of crawlers.
var valued = []string{"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"}

// robotsHeader returns the directives of an X-Robots-Tag for all crawlers and for Google. A name before a colon says
// which crawler the following ones are for.
func robotsHeader(line string) []string {
	var out []string
	ours := true
	for _, part := range strings.Split(strings.ToLower(line), ",") {
		part = strings.TrimSpace(part)
		if name, rest, ok := strings.Cut(part, ":"); ok && !slices.Contains(valued, strings.TrimSpace(name)) &&
			!strings.ContainsAny(strings.TrimSpace(name), " 0123456789") {
			ours = strings.TrimSpace(name) == "googlebot"
			part = strings.TrimSpace(rest)
		}
		if ours && part != "" {
			out = append(out, part)
		}
	}
	return out
}
