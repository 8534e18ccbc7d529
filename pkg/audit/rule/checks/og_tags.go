package checks

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"masthead/pkg/audit/rule"
	"masthead/pkg/page"
)

var (
	ogTypeName = regexp.MustCompile(`^(website|article|book|profile|product|product\.(item|group)|business\.business|` +
		`place|(music|video)\.[a-z_]+|[a-z0-9_-]+:[a-z0-9_.-]+)$`)
	localeForm = regexp.MustCompile(`^[a-z]{2,3}_[A-Z]{2}$`)
	hostForm   = regexp.MustCompile(`(?i)^(www\.)?[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}/?$`)
)

var ogType = rule.Rule{
	ID: "og-type", Category: rule.OG, Severity: rule.Warning, Weight: 2, Title: "Open Graph type",
	Sources: []rule.Source{rule.OGP},
	When: "og:type is website, article, book, profile, product, place, one of music.* or video.*, or namespace:type. " +
		"Half the points for another text.",
	Fix: "Add og:type: website, or article for a post.",
	Check: func(f *rule.Facts) rule.Verdict {
		v := f.Fail("There is no og:type.")
		switch {
		case f.OGType == "":
		case ogTypeName.MatchString(strings.ToLower(f.OGType)):
			return f.Pass("og:type is “%s”.", f.Show(f.OGType))
		default:
			v = f.Found(0.5, "og:type is “%s”, which is not a known type.", f.Show(f.OGType))
		}
		return v.Fix("Set og:type to website, or to article for a post:").Paste(f.Property("og:type", f.OwnType()))
	},
	Apply: func(f *rule.Facts) { f.OGType, f.HasOG = "website", true },
}

var ogSiteName = rule.Rule{
	ID: "og-site-name", Category: rule.OG, Severity: rule.Warning, Weight: 2, Title: "Site name",
	Sources: []rule.Source{rule.OGP, rule.DC},
	When: "og:site_name is a name of at most 60 characters. Half the points for an address or the page's host name, " +
		"unless the page says elsewhere that this is its name.",
	Fix:   "Add og:site_name; Discord and Slack print it above the title.",
	Alone: true, Tags: true,
	Check: func(f *rule.Facts) rule.Verdict {
		name := f.Page.Meta.Get("og:site_name")
		v := f.Fail("There is no og:site_name.")
		switch n := f.Columns(name); {
		case name == "":
		case rule.FormOf(name) != rule.Relative || isHost(f, name) && !isNamed(f, name):
			v = f.Found(0.5, "og:site_name is “%s”, which is an address, not a name.", f.Show(name))
		case n > rule.SiteNameMost:
			v = f.Fail("og:site_name has %s; 60 are enough for a name.", f.Length(name))
		default:
			return f.Pass("og:site_name is “%s”.", f.Show(name))
		}
		return v.Fix("Set og:site_name to the name of the site, in at most %d characters; Discord and Slack print it above "+
			"the title:", rule.SiteNameMost).Paste(f.Filled("property", "og:site_name", ownSiteName(f)))
	},
	Apply: func(f *rule.Facts) { f.HasOG = true },
}

// isNamed reports whether the page says elsewhere that this is the name of its site.
func isNamed(f *rule.Facts, name string) bool {
	return slices.ContainsFunc(siteNames(f), func(other string) bool { return strings.EqualFold(other, name) })
}

// siteNames returns the names of the site that the page says elsewhere.
func siteNames(f *rule.Facts) []string {
	names := []string{f.Page.Meta.Get("application-name"), f.Page.Meta.Get("apple-mobile-web-app-title")}
	for _, n := range f.Page.Nodes() {
		switch {
		case n.HasType("WebSite"), n.HasType("Organization"), n.HasType("NewsMediaOrganization"):
			names = append(names, n.Get("name").String())
		default:
			names = append(names, f.Page.Follow(n.Get("publisher")).Get("name").String())
		}
	}
	return names
}

// ownSiteName returns the name of the site that the page says elsewhere and that can be its og:site_name, or "".
func ownSiteName(f *rule.Facts) string {
	for _, name := range siteNames(f) {
		name = f.Said(name)
		if n := f.Columns(name); n > 0 && n <= rule.SiteNameMost && rule.FormOf(name) == rule.Relative {
			return name
		}
	}
	return ""
}

// taggedSiteName returns the page's og:site_name if it is a name, or "".
func taggedSiteName(f *rule.Facts) string {
	name := f.Said(f.Page.Meta.Get("og:site_name"))
	if rule.FormOf(name) != rule.Relative || isHost(f, name) || f.Columns(name) > rule.SiteNameMost {
		return ""
	}
	return name
}

// isHost reports whether a site's name is its own host name, or begins with www. A name such as Node.js only looks like
// one.
func isHost(f *rule.Facts, name string) bool {
	lower := strings.TrimSuffix(strings.ToLower(name), "/")
	own := strings.TrimPrefix(strings.ToLower(f.Page.URL.Hostname()), "www.")
	return hostForm.MatchString(lower) && (strings.HasPrefix(lower, "www.") || lower == own)
}

var ogLocale = rule.Rule{
	ID: "og-locale", Category: rule.OG, Severity: rule.Info, Title: "Open Graph locale", Sources: []rule.Source{rule.OGP},
	When: "og:locale has the form ll_CC and the language of the page. Not judged when it is absent on an English page: " +
		"en_US is what networks assume.",
	Fix: "Add og:locale in the form ll_CC with the language of the page; networks assume en_US.",
	Check: func(f *rule.Facts) rule.Verdict {
		locale := f.Page.Meta.Get("og:locale")
		own := rule.Primary(f.Lang)
		if locale == "" && own == "en" {
			return rule.Inapplicable
		}
		v := f.Fail("There is no og:locale; networks assume en_US.")
		switch {
		case locale == "":
		case !localeForm.MatchString(locale):
			v = f.Fail("og:locale is “%s”; the form is ll_CC, for example en_GB.", f.Show(locale))
		case own != "" && rule.Primary(locale) != own:
			v = f.Fail("og:locale is “%s”, but the page says its language is “%s”.", f.Show(locale), f.Show(f.Lang))
		default:
			return f.Pass("og:locale is “%s”.", f.Show(locale))
		}
		return v.Fix("Set og:locale to the language of the page in the form ll_CC:").
			Paste(f.Filled("property", "og:locale", ownLocale(f)))
	},
	Apply: func(f *rule.Facts) { f.HasOG = true },
}

// ownLocale returns the locale of the page's language, or the one that og:locale means, or "".
func ownLocale(f *rule.Facts) string {
	if f.Lang != "" {
		if locale := rule.LocaleOf(f.Lang); localeForm.MatchString(locale) && rule.Primary(locale) == rule.Primary(f.Lang) {
			return locale
		}
		return ""
	}
	written := strings.ReplaceAll(f.Page.Meta.Get("og:locale"), "_", "-")
	if locale := rule.LocaleOf(written); localeForm.MatchString(locale) && rule.Primary(locale) == rule.Primary(written) {
		return locale
	}
	return ""
}

// singular are the Open Graph tags that occur once.
var singular = [...]string{"og:title", "og:description", "og:url", "og:type", "og:site_name", "og:locale"}

var ogDuplicateTags = rule.Rule{
	ID: "og-duplicate-tags", Category: rule.OG, Severity: rule.Warning, Weight: 2, Title: "Conflicting Open Graph tags",
	Sources: []rule.Source{rule.OGP},
	When: "None of og:title, og:description, og:url, og:type, og:site_name and og:locale occurs with two different " +
		"values.",
	Fix:   "Keep one of each; networks use the first or the last, so the preview is unpredictable.",
	Alone: true, Tags: true,
	Check: func(f *rule.Facts) rule.Verdict {
		var twice, code []string
		for _, key := range singular {
			values := map[string]bool{}
			for i := range f.Page.Meta {
				if f.Page.Meta[i].Key == key {
					values[f.Page.Meta[i].Value] = true
				}
			}
			if len(values) < 2 {
				continue
			}
			twice = append(twice, key+" ("+strconv.Itoa(len(values))+" values)")
			code = append(code, f.Filled("property", key, f.Page.Meta.Get(key)))
		}
		if len(twice) == 0 {
			return f.Pass("No Open Graph tag contradicts another.")
		}
		return f.Fail("Tags with different values: %s.", rule.List(twice)).
			Fix("Keep one of each (found %s); networks use the first or the last, so the preview is unpredictable:",
				rule.List(twice)).Paste(strings.Join(code, "\n"))
	},
}

var ogMarkup = rule.Rule{
	ID: "og-markup", Category: rule.OG, Severity: rule.Warning, Weight: 2, Title: "Open Graph markup",
	Sources: []rule.Source{rule.OGP, rule.WA},
	When: "Each og: tag uses property=, is in the head of the parsed document, and ends within the first 300 KB of " +
		"the HTML. Half the points for one kind of violation. Not judged without og: tags. Tags outside the head are " +
		"reported by seo-head-integrity.",
	Fix: "Use property= in the head and within the first 300 KB: WhatsApp and others stop reading there.",
	Check: func(f *rule.Facts) rule.Verdict {
		if !f.HasOG {
			return rule.Inapplicable
		}
		byName, outside, late := "", "", ""
		for i := range f.Page.Meta {
			pair := &f.Page.Meta[i]
			if !strings.HasPrefix(pair.Key, "og:") {
				continue
			}
			if pair.Attr != page.ByProperty {
				byName = cmp.Or(byName, pair.Key)
			}
			if !pair.InHead && !f.HeadFixed {
				outside = cmp.Or(outside, pair.Key)
			}
			if pair.End > rule.HeaderRead {
				late = cmp.Or(late, pair.Key)
			}
		}
		// Tags in the body are the finding of seo-head-integrity, which names what put them there.
		if outside != "" && byName == "" && late == "" {
			return rule.Verdict{State: rule.Blocked}
		}
		var kinds []string
		if byName != "" {
			kinds = append(kinds, f.Show(byName)+" is in name= instead of property=")
		}
		if late != "" {
			kinds = append(kinds, f.Show(late)+" comes after the first 300 KB")
		}
		switch len(kinds) {
		case 0:
			return f.Pass("The Open Graph tags are where they belong.")
		case 1:
			return f.Found(0.5, "%s.", kinds[0]).Fix(markupFix, kinds[0]).Hides(f.Unread())
		}
		return f.Fail("%s.", strings.Join(kinds, "; ")).Fix(markupFix, strings.Join(kinds, "; ")).Hides(f.Unread())
	},
}

const markupFix = "Use property= in the head and within the first 300 KB (%s): WhatsApp and others stop reading there."
