package checks

import (
	"slices"
	"strings"

	"masthead/pkg/audit/rule"
	"masthead/pkg/cleantext"
	"masthead/pkg/humanize"
	"masthead/pkg/scrape"
)

// previewers are the crawlers of link previews, by their product tokens. Source: FB, LI, SL; the others as observed.
var previewers = [...]string{
	"facebookexternalhit", "LinkedInBot", "Slackbot-LinkExpanding", "Discordbot", "TelegramBot", "WhatsApp",
}

var ogCrawlersAllowed = rule.Rule{
	ID: "og-crawlers-allowed", Category: rule.OG, Severity: rule.Error, Weight: 8, Title: "Link-preview crawlers allowed",
	Sources: []rule.Source{rule.FB, rule.LI, rule.SL},
	When: "robots.txt lets facebookexternalhit, LinkedInBot, Slackbot-LinkExpanding, Discordbot, TelegramBot and " +
		"WhatsApp fetch the page and, on the same host, its share image. Each counts as much as the others, and half where " +
		"only the image is blocked; half the points (a warning) when robots.txt does not respond.",
	Fix: "Allow these crawlers in robots.txt; a crawler that is blocked shows a bare link.",
	Check: func(f *rule.Facts) rule.Verdict {
		if v, settled := robots(f); settled {
			return v
		}
		paths := f.RobotsPaths(f.OG)
		bare, imageless := f.BlockedFrom(paths[:1], previewers[:]), f.BlockedFrom(paths[1:], previewers[:])
		imageless = slices.DeleteFunc(imageless, func(agent string) bool { return slices.Contains(bare, agent) })
		blocked := append(slices.Clip(bare), imageless...)
		var parts []string
		if len(bare) > 0 {
			parts = append(parts, "blocks "+rule.List(bare)+" from the page, so they show a bare link")
		}
		if len(imageless) > 0 {
			parts = append(parts, "blocks "+rule.List(imageless)+" from the image, so they show none")
		}
		if len(parts) == 0 {
			return f.Pass("robots.txt allows the crawlers of link previews.")
		}
		lost := float64(len(bare)) + float64(len(imageless))/2
		return f.Found(1-lost/float64(len(previewers)), "robots.txt %s.", strings.Join(parts, ", and ")).
			Fix("Allow this page and its image in robots.txt for %s:", followers(f, blocked...)).
			Paste(allowing(f, paths, blocked...)).Hides(rule.Asking(blocked))
	},
	Apply: func(f *rule.Facts) { fixRobots(f, f.RobotsPaths(f.OG), previewers[:]...) },
}

// followers names crawlers by the groups of robots.txt that they follow now: `all crawlers that follow "User-agent: *",
// among them TelegramBot`.
func followers(f *rule.Facts, agents ...string) string {
	var named, general []string
	for _, agent := range agents {
		if f.Site.Robots.Value.Group(agent) == "*" {
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
func allowing(f *rule.Facts, paths []string, agents ...string) string {
	robots := &f.Site.Robots.Value
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
	after := *f.Site
	after.Robots.Value = robots.With("\n" + lines)
	if len((&rule.Facts{Site: &after}).BlockedFrom(paths, agents)) > 0 {
		return ""
	}
	return strings.TrimSuffix(lines, "\n")
}

// fixRobots makes an unresponsive robots.txt respond, and one that blocks crawlers from paths allow what the advice
// says.
func fixRobots(f *rule.Facts, paths []string, agents ...string) {
	f.RobotsFixed = f.Site.Robots.State == scrape.Failed || f.Site.Robots.State == scrape.Refused
	if f.Site.Robots.State != scrape.Got {
		return
	}
	blocked := f.BlockedFrom(paths, agents)
	site := *f.Site
	site.Robots.Value = site.Robots.Value.With("\n" + allowing(f, paths, blocked...))
	f.Site = &site
}

// robots settles a rule about robots.txt that doesn't depend on its content.
func robots(f *rule.Facts) (v rule.Verdict, settled bool) {
	if f.RobotsFixed {
		return f.Pass(""), true
	}
	switch f.Site.Robots.State {
	case scrape.NotAsked:
		return rule.Inapplicable, true
	case scrape.Absent:
		return f.Pass("There is no robots.txt, so everything is allowed."), true
	case scrape.Got:
		return rule.Verdict{}, false
	}
	return f.Found(0.5, "robots.txt did not respond correctly; crawlers may stay away until it does.").As(rule.Warning).
		Fix("Serve /robots.txt with status 200 and its rules, or with 404 if there is none."), true
}

var twitterCrawlerAllowed = rule.Rule{
	ID: "twitter-crawler-allowed", Category: rule.Twitter, Severity: rule.Error, Weight: 4, Title: "X crawler allowed",
	Sources: []rule.Source{rule.X},
	When: "robots.txt lets Twitterbot fetch the page and, on the same host, the image that X uses. Half the points " +
		"where only the image is blocked, and (a warning) when robots.txt does not respond.",
	Fix: "Allow Twitterbot in robots.txt.",
	Check: func(f *rule.Facts) rule.Verdict {
		v, settled := robots(f)
		if settled {
			return v
		}
		paths := f.RobotsPaths(f.ImageOfX())
		for i, path := range paths {
			allowed, by := f.Site.Robots.Value.Allows("Twitterbot", path)
			if allowed {
				continue
			}
			what := [...]string{"the page", "its image"}[i]
			return f.Found(0.5*float64(i), "robots.txt blocks Twitterbot from %s by line %d: “%s”.", what, by.Line,
				f.Show(by.String())).Hides(rule.OnX).
				Fix("Allow this page and its image in robots.txt for %s, or remove line %d:", followers(f, "Twitterbot"), by.Line).
				Paste(allowing(f, paths, "Twitterbot"))
		}
		return f.Pass("robots.txt allows Twitterbot.")
	},
	Apply: func(f *rule.Facts) { fixRobots(f, f.RobotsPaths(f.ImageOfX()), "Twitterbot") },
}

var seoRobotsTxt = rule.Rule{
	ID: "seo-robots-txt", Category: rule.SEO, Severity: rule.Error, Weight: 5, Title: "Not blocked by robots.txt",
	Sources: []rule.Source{rule.GS, rule.LH},
	When: "robots.txt lets Googlebot fetch the page; without one it may. Half the points (a warning) when it does " +
		"not answer.",
	Fix: "Remove the rule of robots.txt that blocks this page.",
	Check: func(f *rule.Facts) rule.Verdict {
		v, settled := robots(f)
		if settled {
			return v
		}
		allowed, by := f.Site.Robots.Value.Allows("Googlebot", rule.PathOf(f.Page.URL))
		if allowed {
			return f.Pass("robots.txt allows Googlebot.")
		}
		return f.Fail("robots.txt blocks Googlebot by line %d: “%s”.", by.Line, f.Show(by.String())).
			Fix("Remove line %d of robots.txt (“%s”), which blocks this page, or allow it for %s:", by.Line,
				f.Show(by.String()), followers(f, "Googlebot")).Paste(allowing(f, f.RobotsPaths(nil), "Googlebot"))
	},
	Apply: func(f *rule.Facts) { fixRobots(f, f.RobotsPaths(nil), "Googlebot") },
}
