package rule

import (
	"net/url"
	"slices"
	"strings"

	"masthead/pkg/cleantext"
	"masthead/pkg/humanize"
	"masthead/pkg/scrape"
)

// previewers are the crawlers of link previews, by their product tokens. Source: FB, LI, SL; the others as observed.
var previewers = [...]string{
	"facebookexternalhit", "LinkedInBot", "Slackbot-LinkExpanding", "Discordbot", "TelegramBot", "WhatsApp",
}

var _ = register(Rule{
	ID: "og-crawlers-allowed", Category: OG, Severity: Error, Weight: 8, Title: "Link-preview crawlers allowed",
	Sources: []Source{FB, LI, SL},
	When: "robots.txt lets facebookexternalhit, LinkedInBot, Slackbot-LinkExpanding, Discordbot, TelegramBot and " +
		"WhatsApp fetch the page and, on the same host, its share image. Each counts as much as the others, and half where " +
		"only the image is blocked; half the points (a warning) when robots.txt does not respond.",
	Fix: "Allow these crawlers in robots.txt; a crawler that is blocked shows a bare link.",
	check: func(f *facts) verdict {
		if v, settled := f.robots(); settled {
			return v
		}
		paths := f.robotsPaths(f.og)
		bare, imageless := f.blockedFrom(paths[:1], previewers[:]), f.blockedFrom(paths[1:], previewers[:])
		imageless = slices.DeleteFunc(imageless, func(agent string) bool { return slices.Contains(bare, agent) })
		blocked := append(slices.Clip(bare), imageless...)
		var parts []string
		if len(bare) > 0 {
			parts = append(parts, "blocks "+list(bare)+" from the page, so they show a bare link")
		}
		if len(imageless) > 0 {
			parts = append(parts, "blocks "+list(imageless)+" from the image, so they show none")
		}
		if len(parts) == 0 {
			return f.pass("robots.txt allows the crawlers of link previews.")
		}
		lost := float64(len(bare)) + float64(len(imageless))/2
		return f.found(1-lost/float64(len(previewers)), "robots.txt %s.", strings.Join(parts, ", and ")).
			fix("Allow this page and its image in robots.txt for %s:", f.followers(blocked...)).
			paste(f.allowing(paths, blocked...)).hides(asking(blocked))
	},
	apply: func(f *facts) { f.fixRobots(f.robotsPaths(f.og), previewers[:]...) },
})

// blockedFrom returns which crawlers robots.txt, which responded, excludes from one of the paths.
func (f *facts) blockedFrom(paths, agents []string) (blocked []string) {
	for _, agent := range agents {
		if slices.ContainsFunc(paths, func(path string) bool {
			allowed, _ := f.site.Robots.Value.Allows(agent, path)
			return !allowed
		}) {
			blocked = append(blocked, agent)
		}
	}
	return blocked
}

// followers names crawlers by the groups of robots.txt that they follow now: `all crawlers that follow "User-agent: *",
// among them TelegramBot`.
func (f *facts) followers(agents ...string) string {
	var named, general []string
	for _, agent := range agents {
		if f.site.Robots.Value.Group(agent) == "*" {
			general = append(general, agent)
		} else {
			named = append(named, agent)
		}
	}
	if len(general) > 0 {
		named = append(named, "the crawlers without a group of their own (User-agent: *), such as "+humanize.And(general))
	}
	return humanize.And(named)
}

// allowing returns the lines at the end of robots.txt that allow crawlers to fetch paths: in the groups that they
// follow now, so that their other rules still hold. "" if that isn't enough because a rule that blocks them is longer.
func (f *facts) allowing(paths []string, agents ...string) string {
	robots := &f.site.Robots.Value
	var groups []string
	for _, agent := range agents {
		if group := robots.Group(agent); !slices.Contains(groups, group) {
			groups = append(groups, group)
		}
	}
	lines := ""
	for _, group := range groups {
		lines += "User-agent: " + group + "\n"
	}
	for _, path := range slices.Compact(slices.Clone(paths)) {
		lines += "Allow: " + cleantext.Clean(path, 2048) + "\n"
	}
	after := *f.site
	after.Robots.Value = robots.With("\n" + lines)
	if len((&facts{site: &after}).blockedFrom(paths, agents)) > 0 {
		return ""
	}
	return strings.TrimSuffix(lines, "\n")
}

// robotsPaths returns the paths of the page and, on the same host, of a share image.
func (f *facts) robotsPaths(image *shareImage) []string {
	paths := []string{pathOf(f.page.URL)}
	if image != nil {
		if u, err := url.Parse(image.url); err == nil && strings.EqualFold(u.Host, f.page.URL.Host) {
			paths = append(paths, pathOf(u))
		}
	}
	return paths
}

// fixRobots makes an unresponsive robots.txt respond, and one that blocks crawlers from paths allow what the advice
// says.
func (f *facts) fixRobots(paths []string, agents ...string) {
	f.robotsFixed = f.site.Robots.State == scrape.Failed || f.site.Robots.State == scrape.Refused
	if f.site.Robots.State != scrape.Got {
		return
	}
	blocked := f.blockedFrom(paths, agents)
	site := *f.site
	site.Robots.Value = site.Robots.Value.With("\n" + f.allowing(paths, blocked...))
	f.site = &site
}

// robots settles a rule about robots.txt that doesn't depend on its content.
func (f *facts) robots() (v verdict, settled bool) {
	if f.robotsFixed {
		return f.pass(""), true
	}
	switch f.site.Robots.State {
	case scrape.NotAsked:
		return inapplicable, true
	case scrape.Absent:
		return f.pass("There is no robots.txt, so everything is allowed."), true
	case scrape.Got:
		return verdict{}, false
	}
	return f.found(0.5, "robots.txt did not respond correctly; crawlers may stay away until it does.").as(Warning).
		fix("Serve /robots.txt with status 200 and its rules, or with 404 if there is none."), true
}

var _ = register(Rule{
	ID: "twitter-crawler-allowed", Category: Twitter, Severity: Error, Weight: 4, Title: "X crawler allowed",
	Sources: []Source{X},
	When: "robots.txt lets Twitterbot fetch the page and, on the same host, the image that X uses. Half the points " +
		"where only the image is blocked, and (a warning) when robots.txt does not respond.",
	Fix: "Allow Twitterbot in robots.txt.",
	check: func(f *facts) verdict {
		v, settled := f.robots()
		if settled {
			return v
		}
		paths := f.robotsPaths(f.imageOfX())
		for i, path := range paths {
			allowed, by := f.site.Robots.Value.Allows("Twitterbot", path)
			if allowed {
				continue
			}
			what := [...]string{"the page", "its image"}[i]
			return f.found(0.5*float64(i), "robots.txt blocks Twitterbot from %s by line %d: “%s”.", what, by.Line,
				f.show(by.String())).hides(onX).
				fix("Allow this page and its image in robots.txt for %s, or remove line %d:", f.followers("Twitterbot"), by.Line).
				paste(f.allowing(paths, "Twitterbot"))
		}
		return f.pass("robots.txt allows Twitterbot.")
	},
	apply: func(f *facts) { f.fixRobots(f.robotsPaths(f.imageOfX()), "Twitterbot") },
})

var _ = register(Rule{
	ID: "seo-robots-txt", Category: SEO, Severity: Error, Weight: 5, Title: "Not blocked by robots.txt",
	Sources: []Source{GS, LH},
	When: "robots.txt lets Googlebot fetch the page; without one it may. Half the points (a warning) when it does " +
		"not answer.",
	Fix: "Remove the rule of robots.txt that blocks this page.",
	check: func(f *facts) verdict {
		v, settled := f.robots()
		if settled {
			return v
		}
		allowed, by := f.site.Robots.Value.Allows("Googlebot", pathOf(f.page.URL))
		if allowed {
			return f.pass("robots.txt allows Googlebot.")
		}
		return f.fail("robots.txt blocks Googlebot by line %d: “%s”.", by.Line, f.show(by.String())).
			fix("Remove line %d of robots.txt (“%s”), which blocks this page, or allow it for %s:", by.Line,
				f.show(by.String()), f.followers("Googlebot")).paste(f.allowing(f.robotsPaths(nil), "Googlebot"))
	},
	apply: func(f *facts) { f.fixRobots(f.robotsPaths(nil), "Googlebot") },
})
