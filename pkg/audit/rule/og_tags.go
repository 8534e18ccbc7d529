package rule

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/language"

	"masthead/pkg/page"
)

var (
	ogTypeName = regexp.MustCompile(`^(website|article|book|profile|product|product\.(item|group)|business\.business|` +
		`place|(music|video)\.[a-z_]+|[a-z0-9_-]+:[a-z0-9_.-]+)$`)
	localeForm = regexp.MustCompile(`^[a-z]{2,3}_[A-Z]{2}$`)
	hostForm   = regexp.MustCompile(`(?i)^(www\.)?[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}/?$`)
)

var _ = register(Rule{
	ID: "og-type", Category: OG, Severity: Warning, Weight: 2, Title: "Open Graph type", Sources: []Source{OGP},
	When: "og:type is website, article, book, profile, product, place, one of music.* or video.*, or namespace:type. " +
		"Half the points for another text.",
	Fix: "Add og:type: website, or article for a post.",
	check: func(f *facts) verdict {
		v := f.fail("There is no og:type.")
		switch {
		case f.ogType == "":
		case ogTypeName.MatchString(strings.ToLower(f.ogType)):
			return f.pass("og:type is “%s”.", f.show(f.ogType))
		default:
			v = f.found(0.5, "og:type is “%s”, which is not a known type.", f.show(f.ogType))
		}
		return v.fix("Set og:type to website, or to article for a post:").paste(f.property("og:type", f.ownType()))
	},
	apply: func(f *facts) { f.ogType, f.hasOG = "website", true },
})

// ownType returns the og:type that fits the page.
func (f *facts) ownType() string {
	if PageType(f.page) == ArticlePage {
		return "article"
	}
	return "website"
}

var _ = register(Rule{
	ID: "og-site-name", Category: OG, Severity: Warning, Weight: 2, Title: "Site name", Sources: []Source{OGP, DC},
	When: "og:site_name is a name of at most 60 characters. Half the points for an address or the page's host name, " +
		"unless the page says elsewhere that this is its name.",
	Fix:   "Add og:site_name; Discord and Slack print it above the title.",
	alone: true, tags: true,
	check: func(f *facts) verdict {
		name := f.page.Meta.Get("og:site_name")
		v := f.fail("There is no og:site_name.")
		switch n := f.columns(name); {
		case name == "":
		case formOf(name) != relative || f.isHost(name) && !f.isNamed(name):
			v = f.found(0.5, "og:site_name is “%s”, which is an address, not a name.", f.show(name))
		case n > siteNameMost:
			v = f.fail("og:site_name has %s; 60 are enough for a name.", f.length(name))
		default:
			return f.pass("og:site_name is “%s”.", f.show(name))
		}
		return v.fix("Set og:site_name to the name of the site, in at most %d characters; Discord and Slack print it above "+
			"the title:", siteNameMost).paste(f.filled("property", "og:site_name", f.ownSiteName()))
	},
	apply: func(f *facts) { f.hasOG = true },
})

// isNamed reports whether the page says elsewhere that this is the name of its site.
func (f *facts) isNamed(name string) bool {
	return slices.ContainsFunc(f.siteNames(), func(other string) bool { return strings.EqualFold(other, name) })
}

// siteNames returns the names of the site that the page says elsewhere.
func (f *facts) siteNames() []string {
	names := []string{f.page.Meta.Get("application-name"), f.page.Meta.Get("apple-mobile-web-app-title")}
	for _, n := range f.page.Nodes() {
		switch {
		case n.HasType("WebSite"), n.HasType("Organization"), n.HasType("NewsMediaOrganization"):
			names = append(names, n.Get("name").String())
		default:
			names = append(names, f.page.Follow(n.Get("publisher")).Get("name").String())
		}
	}
	return names
}

// ownSiteName returns the name of the site that the page says elsewhere and that can be its og:site_name, or "".
func (f *facts) ownSiteName() string {
	for _, name := range f.siteNames() {
		name = f.said(name)
		if n := f.columns(name); n > 0 && n <= siteNameMost && formOf(name) == relative {
			return name
		}
	}
	return ""
}

// taggedSiteName returns the page's og:site_name if it is a name, or "".
func (f *facts) taggedSiteName() string {
	name := f.said(f.page.Meta.Get("og:site_name"))
	if formOf(name) != relative || f.isHost(name) || f.columns(name) > siteNameMost {
		return ""
	}
	return name
}

// isHost reports whether a site's name is its own host name, or begins with www. A name such as Node.js only looks like
// one.
func (f *facts) isHost(name string) bool {
	lower := strings.TrimSuffix(strings.ToLower(name), "/")
	own := strings.TrimPrefix(strings.ToLower(f.page.URL.Hostname()), "www.")
	return hostForm.MatchString(lower) && (strings.HasPrefix(lower, "www.") || lower == own)
}

var _ = register(Rule{
	ID: "og-locale", Category: OG, Severity: Info, Title: "Open Graph locale", Sources: []Source{OGP},
	When: "og:locale has the form ll_CC and the language of the page. Not judged when it is absent on an English page: " +
		"en_US is what networks assume.",
	Fix: "Add og:locale in the form ll_CC with the language of the page; networks assume en_US.",
	check: func(f *facts) verdict {
		locale := f.page.Meta.Get("og:locale")
		own := primary(f.lang)
		if locale == "" && own == "en" {
			return inapplicable
		}
		v := f.fail("There is no og:locale; networks assume en_US.")
		switch {
		case locale == "":
		case !localeForm.MatchString(locale):
			v = f.fail("og:locale is “%s”; the form is ll_CC, for example en_GB.", f.show(locale))
		case own != "" && primary(locale) != own:
			v = f.fail("og:locale is “%s”, but the page says its language is “%s”.", f.show(locale), f.show(f.lang))
		default:
			return f.pass("og:locale is “%s”.", f.show(locale))
		}
		return v.fix("Set og:locale to the language of the page in the form ll_CC:").
			paste(f.filled("property", "og:locale", f.ownLocale()))
	},
	apply: func(f *facts) { f.hasOG = true },
})

// ownLocale returns the locale of the page's language, or the one that og:locale means, or "".
func (f *facts) ownLocale() string {
	if f.lang != "" {
		if locale := localeOf(f.lang); localeForm.MatchString(locale) && primary(locale) == primary(f.lang) {
			return locale
		}
		return ""
	}
	written := strings.ReplaceAll(f.page.Meta.Get("og:locale"), "_", "-")
	if locale := localeOf(written); localeForm.MatchString(locale) && primary(locale) == primary(written) {
		return locale
	}
	return ""
}

// primary returns the language of a tag, in lower case.
func primary(tag string) string {
	if i := strings.IndexAny(tag, "-_"); i >= 0 {
		tag = tag[:i]
	}
	return strings.ToLower(strings.TrimSpace(tag))
}

// localeOf converts a language tag to a locale, with the language's main region if it has none.
func localeOf(lang string) string {
	tag, err := language.Parse(lang)
	if err != nil {
		return "en_US"
	}
	base, _ := tag.Base()
	region, _ := tag.Region()
	if !region.IsCountry() {
		return "en_US"
	}
	return base.String() + "_" + region.String()
}

// singular are the Open Graph tags that occur once.
var singular = [...]string{"og:title", "og:description", "og:url", "og:type", "og:site_name", "og:locale"}

var _ = register(Rule{
	ID: "og-duplicate-tags", Category: OG, Severity: Warning, Weight: 2, Title: "Conflicting Open Graph tags",
	Sources: []Source{OGP},
	When: "None of og:title, og:description, og:url, og:type, og:site_name and og:locale occurs with two different " +
		"values.",
	Fix:   "Keep one of each; networks use the first or the last, so the preview is unpredictable.",
	alone: true, tags: true,
	check: func(f *facts) verdict {
		var twice, code []string
		for _, key := range singular {
			values := map[string]bool{}
			for i := range f.page.Meta {
				if f.page.Meta[i].Key == key {
					values[f.page.Meta[i].Value] = true
				}
			}
			if len(values) < 2 {
				continue
			}
			twice = append(twice, key+" ("+strconv.Itoa(len(values))+" values)")
			code = append(code, f.filled("property", key, f.page.Meta.Get(key)))
		}
		if len(twice) == 0 {
			return f.pass("No Open Graph tag contradicts another.")
		}
		return f.fail("Tags with different values: %s.", list(twice)).
			fix("Keep one of each (found %s); networks use the first or the last, so the preview is unpredictable:",
				list(twice)).paste(strings.Join(code, "\n"))
	},
})

var _ = register(Rule{
	ID: "og-markup", Category: OG, Severity: Warning, Weight: 2, Title: "Open Graph markup", Sources: []Source{OGP, WA},
	When: "Each og: tag uses property=, is in the head of the parsed document, and ends within the first 300 KB of " +
		"the HTML. Half the points for one kind of violation. Not judged without og: tags. Tags outside the head are " +
		"reported by seo-head-integrity.",
	Fix: "Use property= in the head and within the first 300 KB: WhatsApp and others stop reading there.",
	check: func(f *facts) verdict {
		if !f.hasOG {
			return inapplicable
		}
		byName, outside, late := "", "", ""
		for i := range f.page.Meta {
			pair := &f.page.Meta[i]
			if !strings.HasPrefix(pair.Key, "og:") {
				continue
			}
			if pair.Attr != page.ByProperty {
				byName = cmp.Or(byName, pair.Key)
			}
			if !pair.InHead && !f.headFixed {
				outside = cmp.Or(outside, pair.Key)
			}
			if pair.End > headerRead {
				late = cmp.Or(late, pair.Key)
			}
		}
		// Tags in the body are the finding of seo-head-integrity, which names what put them there.
		if outside != "" && byName == "" && late == "" {
			return verdict{state: blocked}
		}
		var kinds []string
		if byName != "" {
			kinds = append(kinds, f.show(byName)+" is in name= instead of property=")
		}
		if late != "" {
			kinds = append(kinds, f.show(late)+" comes after the first 300 KB")
		}
		switch len(kinds) {
		case 0:
			return f.pass("The Open Graph tags are where they belong.")
		case 1:
			return f.found(0.5, "%s.", kinds[0]).fix(markupFix, kinds[0]).hides(f.unread())
		}
		return f.fail("%s.", strings.Join(kinds, "; ")).fix(markupFix, strings.Join(kinds, "; ")).hides(f.unread())
	},
})

const markupFix = "Use property= in the head and within the first 300 KB (%s): WhatsApp and others stop reading there."
