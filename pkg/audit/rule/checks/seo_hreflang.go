package checks

import (
	"cmp"
	"strconv"
	"strings"

	"masthead/pkg/audit/rule"
	"masthead/pkg/humanize"
	"masthead/pkg/scrape"
)

var seoHreflangValid = rule.Rule{
	ID: "seo-hreflang-valid", Category: rule.SEO, Severity: rule.Warning, Weight: 4, Conditional: true,
	Title: "Language versions are valid", Sources: []rule.Source{rule.GS},
	When: "Each hreflang link has a valid code (or x-default) and a full address, and no code occurs with two " +
		"addresses; the set lists the page itself and has an x-default. Points in proportion to the valid ones, minus a quarter " +
		"each without the page itself and without x-default. Not judged without hreflang; on localhost, " +
		"versions on other hosts may be the page itself.",
	Fix: "Correct the codes (en-GB, not en-UK) and addresses, list this page itself and add one x-default.",
	Check: func(f *rule.Facts) rule.Verdict {
		links := f.Page.Hreflang
		if len(links) == 0 {
			return rule.Inapplicable
		}
		valid, self, fallback := 0, false, false
		addresses := map[string]string{}
		var faults []string
		for i := range links {
			code := strings.ToLower(strings.TrimSpace(links[i].Hreflang))
			address, ok := f.Page.Resolve(links[i].Href)
			self = self || ok && (f.IsSelf(address) || f.Elsewhere(address))
			fallback = fallback || code == "x-default"
			known, twice := addresses[code]
			if !twice {
				addresses[code] = address
			}
			switch {
			case !rule.ValidCode(code):
				faults = append(faults, "“"+f.Show(links[i].Hreflang)+"” is not a valid code")
			case !ok || rule.FormOf(links[i].Href) < rule.AbsoluteHTTP:
				faults = append(faults, "the address of "+f.Show(links[i].Hreflang)+" is not a full one")
			case twice && known != address:
				faults = append(faults, f.Show(links[i].Hreflang)+" has two addresses")
			default:
				valid++
			}
		}
		credit := float64(valid) / float64(len(links))
		code := ""
		if len(faults) == 0 {
			code = missingVersion(f, self, fallback)
		}
		if !self {
			credit -= 0.25
			faults = append(faults, "the page itself is not listed")
		}
		if !fallback {
			credit -= 0.25
			faults = append(faults, "there is no x-default")
		}
		if len(faults) == 0 {
			return f.Pass("%s, all valid.", humanize.Count(len(links), "language version"))
		}
		return f.Found(max(0, credit), "Of %s: %s.", humanize.Count(len(links), "language version"), rule.List(faults)).
			Fix("Correct the language versions (%s): use codes like en-GB, not en-UK, and full addresses, list this page "+
				"itself and add one x-default:", rule.List(faults)).Paste(code)
	},
}

// missingVersion returns the links to paste if the page itself or x-default isn't among the language versions: the page
// by its own language, and as x-default the English version, otherwise the page. "" if the page's language isn't known
// or has another address.
func missingVersion(f *rule.Facts, self, fallback bool) string {
	if f.Quiet {
		return ""
	}
	own, lang := f.Self(), ownLang(f)
	english := own
	for i := range f.Page.Hreflang {
		link := &f.Page.Hreflang[i]
		if !self && strings.EqualFold(strings.TrimSpace(link.Hreflang), lang) {
			return ""
		}
		if rule.Primary(link.Hreflang) == "en" && english == own {
			english, _ = f.Page.Resolve(link.Href)
		}
	}
	var links []string
	version := func(code, address string) {
		links = append(links, `<link rel="alternate" hreflang="`+code+`" href="`+
			rule.EscapedAddress(f.Publicly(address))+`">`)
	}
	if own == "" || !self && !rule.ValidCode(lang) {
		return ""
	}
	if !self {
		version(lang, own)
	}
	if !fallback {
		version("x-default", cmp.Or(english, own))
	}
	return strings.Join(links, "\n")
}

var seoHreflangReciprocal = rule.Rule{
	ID: "seo-hreflang-reciprocal", Category: rule.SEO, Severity: rule.Warning, Weight: 3, Conditional: true,
	Title: "Language versions link back", Sources: []rule.Source{rule.GS},
	When: "Each of the first five language versions has a hreflang link back to this page. Points by the part that " +
		"has. Not judged without hreflang, nor on localhost unless they link back there.",
	Fix:   "Add the return link on the other versions; one-way annotations are ignored.",
	Alone: true,
	Check: func(f *rule.Facts) rule.Verdict {
		var lonely []string
		asked := 0
		for i := range f.Site.Alternates {
			part := &f.Site.Alternates[i]
			if part.State == scrape.NotAsked {
				continue
			}
			asked++
			if !part.Got() || !part.Value.LinksBack {
				lonely = append(lonely, cmp.Or(f.Show(part.Value.URL.String()), "a version whose address is unusable"))
			}
		}
		switch {
		case f.Loopback && (len(lonely) > 0 || asked < len(f.Site.Alternates)):
			return rule.Unchecked(f.NoPublic())
		case asked == 0:
			return rule.Inapplicable
		}
		if len(lonely) == 0 {
			return f.Pass("The language versions link back.")
		}
		which := "The language version"
		if asked > 1 {
			which = strconv.Itoa(len(lonely)) + " of " + strconv.Itoa(asked) + " language versions"
		}
		return f.Found(1-float64(len(lonely))/float64(asked), "%s %s not link back to this page: %s.", which,
			rule.Verb(len(lonely), "does", "do"), rule.List(lonely)).
			Fix("Add a hreflang link to this page on %s; one-way annotations are ignored.", rule.List(lonely))
	},
}
