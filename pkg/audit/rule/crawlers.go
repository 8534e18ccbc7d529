package rule

import (
	"net/url"
	"slices"
	"strings"

	"masthead/pkg/cleantext"
	"masthead/pkg/scrape"
)

// previewers are the crawlers of link previews, by their product tokens. Source: FB, LI, SL; the others as observed.
var previewers = [...]string{
	"facebookexternalhit", "LinkedInBot", "Slackbot-LinkExpanding", "Discordbot", "TelegramBot", "WhatsApp",
}

var _ = register(Rule{
	ID: "og-crawlers-allowed", Category: OG, Severity: Error, Weight: 3, Title: "Link-preview crawlers allowed",
	Sources: []Source{FB, LI, SL},
	When: "robots.txt lets facebookexternalhit, LinkedInBot, Slackbot-LinkExpanding, Discordbot, TelegramBot and " +
		"WhatsApp fetch the page and, on the same host, its share image. Points in proportion to those that may; half (a " +
		"warning) when robots.txt does not respond.",
	Fix: "Allow these crawlers in robots.txt; a crawler that is blocked shows a bare link.",
	check: func(f *facts) verdict {
		if v, settled := f.robots(); settled {
			return v
		}
		paths := f.robotsPaths()
		var blocked []string
		for _, agent := range previewers {
			for _, path := range paths {
				if allowed, _ := f.site.Robots.Value.Allows(agent, path); !allowed {
					blocked = append(blocked, agent)
					break
				}
			}
		}
		if len(blocked) == 0 {
			return f.pass("robots.txt allows the crawlers of link previews.")
		}
		credit := 1 - float64(len(blocked))/float64(len(previewers))
		return f.found(credit, "robots.txt blocks %s, which then show a bare link.", list(blocked)).
			fix("Allow %s in robots.txt for this page and its image:", list(blocked)).paste(f.allowing(paths, blocked...))
	},
	apply: func(f *facts) { f.fixRobots(previewers[:]...) },
})

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
	after := robots.With("\n" + lines)
	for _, agent := range agents {
		for _, path := range paths {
			if allowed, _ := after.Allows(agent, path); !allowed {
				return ""
			}
		}
	}
	return strings.TrimSuffix(lines, "\n")
}

// robotsPaths returns the paths of the page and, on the same host, of its share image.
func (f *facts) robotsPaths() []string {
	paths := []string{pathOf(f.page.URL)}
	if f.og != nil {
		if u, err := url.Parse(f.og.url); err == nil && strings.EqualFold(u.Host, f.page.URL.Host) {
			paths = append(paths, pathOf(u))
		}
	}
	return paths
}

// fixRobots makes an unresponsive robots.txt respond, and one that blocks one of the crawlers allow what the advice
// says.
func (f *facts) fixRobots(agents ...string) {
	f.robotsFixed = f.site.Robots.State == scrape.Failed || f.site.Robots.State == scrape.Refused
	if f.site.Robots.State != scrape.Got {
		return
	}
	var blocked []string
	paths := f.robotsPaths()[:1]
	if len(agents) > 1 {
		paths = f.robotsPaths()
	}
	for _, agent := range agents {
		for _, path := range paths {
			if allowed, _ := f.site.Robots.Value.Allows(agent, path); !allowed && !slices.Contains(blocked, agent) {
				blocked = append(blocked, agent)
			}
		}
	}
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
	When:    "robots.txt lets Twitterbot fetch the page. Half the points (a warning) when it does not respond.",
	Fix:     "Allow Twitterbot in robots.txt.",
	check: func(f *facts) verdict {
		v, settled := f.robots()
		if settled {
			return v
		}
		allowed, by := f.site.Robots.Value.Allows("Twitterbot", pathOf(f.page.URL))
		if allowed {
			return f.pass("robots.txt allows Twitterbot.")
		}
		return f.fail("robots.txt blocks Twitterbot by line %d: “%s”.", by.Line, f.show(by.String())).
			fix("Allow Twitterbot in robots.txt, or remove line %d:", by.Line).
			paste(f.allowing(f.robotsPaths()[:1], "Twitterbot"))
	},
	apply: func(f *facts) { f.fixRobots("Twitterbot") },
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
			fix("Remove line %d of robots.txt (“%s”), which blocks this page, or allow it for Googlebot:", by.Line,
				f.show(by.String())).paste(f.allowing(f.robotsPaths()[:1], "Googlebot"))
	},
	apply: func(f *facts) { f.fixRobots("Googlebot") },
})
