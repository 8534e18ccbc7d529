package rule

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/text/language"

	"masthead/pkg/humanize"
	"masthead/pkg/scrape"
)

var hreflangForm = regexp.MustCompile(`(?i)^([a-z]{2,3})(-[a-z]{4})?(-([a-z]{2}|[0-9]{3}))?$`)

// validCode reports whether a code is x-default, or an existing language with an optional existing script and region.
func validCode(code string) bool {
	if strings.EqualFold(code, "x-default") {
		return true
	}
	m := hreflangForm.FindStringSubmatch(code)
	if m == nil || strings.EqualFold(m[4], "uk") { // the United Kingdom is GB
		return false
	}
	tag, err := language.Parse(code)
	if err != nil {
		return false
	}
	_, _, region := tag.Raw()
	return m[4] == "" || region.IsCountry() || region.IsGroup()
}

var _ = register(Rule{
	ID: "seo-hreflang-valid", Category: SEO, Severity: Warning, Weight: 4, Conditional: true,
	Title: "Language versions are valid", Sources: []Source{GS},
	When: "Each hreflang link has a valid code (or x-default) and a full address, and no code occurs with two " +
		"addresses; the set lists the page itself and has an x-default. Points in proportion to the valid ones, minus a quarter " +
		"each without the page itself and without x-default. Not judged without hreflang; on localhost, " +
		"versions on other hosts may be the page itself.",
	Fix: "Correct the codes (en-GB, not en-UK) and addresses, list this page itself and add one x-default.",
	check: func(f *facts) verdict {
		links := f.page.Hreflang
		if len(links) == 0 {
			return inapplicable
		}
		valid, self, fallback := 0, false, false
		addresses := map[string]string{}
		var faults []string
		for i := range links {
			code := strings.ToLower(strings.TrimSpace(links[i].Hreflang))
			address, ok := f.page.Resolve(links[i].Href)
			self = self || ok && (f.isSelf(address) || f.elsewhere(address))
			fallback = fallback || code == "x-default"
			known, twice := addresses[code]
			if !twice {
				addresses[code] = address
			}
			switch {
			case !validCode(code):
				faults = append(faults, "“"+f.show(links[i].Hreflang)+"” is not a valid code")
			case !ok || formOf(links[i].Href) < absoluteHTTP:
				faults = append(faults, "the address of "+f.show(links[i].Hreflang)+" is not a full one")
			case twice && known != address:
				faults = append(faults, f.show(links[i].Hreflang)+" has two addresses")
			default:
				valid++
			}
		}
		credit := float64(valid) / float64(len(links))
		code := ""
		if len(faults) == 0 {
			code = f.missingVersion(self, fallback)
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
			return f.pass("%s, all valid.", humanize.Count(len(links), "language version"))
		}
		return f.found(max(0, credit), "Of %s: %s.", humanize.Count(len(links), "language version"), list(faults)).
			fix("Correct the language versions (%s): use codes like en-GB, not en-UK, and full addresses, list this page "+
				"itself and add one x-default:", list(faults)).paste(code)
	},
})

// isSelf reports whether an address is that of the page: its canonical one or the one it was read from.
func (f *facts) isSelf(address string) bool {
	c := f.comparable(address)
	return c == f.comparable(f.final) || c == f.comparable(f.self())
}

// missingVersion returns the links to paste if the page itself or x-default isn't among the language versions: the page
// by its own language, and as x-default the English version, otherwise the page. "" if the page's language isn't known
// or has another address.
func (f *facts) missingVersion(self, fallback bool) string {
	if f.quiet {
		return ""
	}
	own, lang := f.self(), f.ownLang()
	english := own
	for i := range f.page.Hreflang {
		link := &f.page.Hreflang[i]
		if !self && strings.EqualFold(strings.TrimSpace(link.Hreflang), lang) {
			return ""
		}
		if primary(link.Hreflang) == "en" && english == own {
			english, _ = f.page.Resolve(link.Href)
		}
	}
	var links []string
	version := func(code, address string) {
		links = append(links, `<link rel="alternate" hreflang="`+code+`" href="`+escapedAddress(f.publicly(address))+`">`)
	}
	if own == "" || !self && !validCode(lang) {
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

var _ = register(Rule{
	ID: "seo-hreflang-reciprocal", Category: SEO, Severity: Warning, Weight: 3, Conditional: true,
	Title: "Language versions link back", Sources: []Source{GS},
	When: "Each of the first five language versions has a hreflang link back to this page. Points by the part that " +
		"has. Not judged without hreflang, nor on localhost unless they link back there.",
	Fix:   "Add the return link on the other versions; one-way annotations are ignored.",
	alone: true,
	check: func(f *facts) verdict {
		var lonely []string
		asked := 0
		for i := range f.site.Alternates {
			part := &f.site.Alternates[i]
			if part.State == scrape.NotAsked {
				continue
			}
			asked++
			if !part.Got() || !part.Value.LinksBack {
				lonely = append(lonely, cmp.Or(f.show(part.Value.URL.String()), "a version whose address is unusable"))
			}
		}
		switch {
		case f.loopback && (len(lonely) > 0 || asked < len(f.site.Alternates)):
			return unchecked(f.noPublic())
		case asked == 0:
			return inapplicable
		}
		if len(lonely) == 0 {
			return f.pass("The language versions link back.")
		}
		which := "The language version"
		if asked > 1 {
			which = strconv.Itoa(len(lonely)) + " of " + strconv.Itoa(asked) + " language versions"
		}
		return f.found(1-float64(len(lonely))/float64(asked), "%s %s not link back to this page: %s.", which,
			verb(len(lonely), "does", "do"), list(lonely)).
			fix("Add a hreflang link to this page on %s; one-way annotations are ignored.", list(lonely))
	},
})
