package rule

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/language"

	"masthead/pkg/humanize"
	"masthead/pkg/page"
	"masthead/pkg/picture"
	"masthead/pkg/scrape"
)

var _ = register(Rule{
	ID: "seo-lang", Category: SEO, Severity: Warning, Weight: 2, Title: "Page language", Sources: []Source{HTML},
	When: "The html element has a lang with a valid language tag (BCP 47).",
	Fix:  "Add lang to the html element.",
	check: func(f *facts) verdict {
		v := f.fail("The html element has no lang.")
		if f.lang != "" {
			if _, err := language.Parse(f.lang); err == nil && !strings.Contains(f.lang, "_") {
				return f.pass("The language of the page is “%s”.", f.show(f.lang))
			}
			v = f.fail("lang is “%s”, which is not a language tag.", f.show(f.lang))
		}
		own := f.ownLang()
		if own == "" {
			return v.fix("Set the language of the page on the html element, for example <html lang=\"de\">.")
		}
		return v.fix("Set the language of the page on the html element:").paste(`<html lang="` + own + `">`)
	},
	apply: func(f *facts) { f.lang = cmp.Or(f.ownLang(), "und") },
})

// ownLang returns the language of the page: its lang, if that is or can be read as a language tag, otherwise what the
// page states elsewhere. "" if it states none.
func (f *facts) ownLang() string {
	header, _, _ := strings.Cut(f.doc.Header.Get("Content-Language"), ",")
	for _, said := range [...]string{f.lang, f.page.Meta.Get("og:locale"), header, f.page.Meta.Get("content-language")} {
		said = strings.ReplaceAll(strings.TrimSpace(said), "_", "-")
		if tag, err := language.Parse(said); err == nil && tag != language.Und && len(said) <= maxLanguage {
			return tag.String()
		}
	}
	return ""
}

// maxLanguage is the maximum length of a language tag. Source: BCP 47, 4.4.1.
const maxLanguage = 35

var _ = register(Rule{
	ID: "seo-viewport", Category: SEO, Severity: Warning, Weight: 2, Title: "Mobile viewport", Sources: []Source{GS},
	When: "A meta viewport has width=device-width or initial-scale=1. Half the points when it forbids zooming " +
		"(user-scalable=no, maximum-scale=1).",
	Fix:   "Add a meta viewport with width=device-width, initial-scale=1.",
	alone: true, tags: true,
	check: func(f *facts) verdict {
		content := f.page.Meta.Get("viewport")
		fits, fixed := false, false
		for part := range strings.FieldsFuncSeq(strings.ToLower(content), func(r rune) bool { return r == ',' || r == ';' }) {
			name, value, _ := strings.Cut(part, "=")
			name, value = strings.TrimSpace(name), strings.TrimSpace(value)
			scale, err := strconv.ParseFloat(value, 64)
			one := err == nil && scale == 1
			fits = fits || name == "width" && value == "device-width" || name == "initial-scale" && one
			fixed = fixed || name == "user-scalable" && (value == "no" || value == "0") || name == "maximum-scale" && one
		}
		v := f.fail("There is no meta viewport, so phones show the desktop layout.")
		switch {
		case content == "":
		case !fits:
			v = f.fail("The viewport “%s” does not adapt to the width of the screen.", f.show(content))
		case fixed:
			v = f.found(0.5, "The viewport “%s” prevents zooming.", f.show(content))
		default:
			return f.pass("The page adapts to the width of the screen.")
		}
		return v.fix("Give the page the width of the screen:").
			paste(f.named("viewport", "width=device-width, initial-scale=1"))
	},
})

var _ = register(Rule{
	ID: "seo-favicon", Category: SEO, Severity: Warning, Weight: 2, Title: "Favicon", Sources: []Source{GS},
	When: "The favicon loads and is a square image of at least 48 pixels, or an SVG. 60 % of the points from 16 " +
		"pixels, half when it is not square.",
	Fix:   "Provide a square icon of at least 48x48 pixels by a link with rel=icon; Google uses nothing below 8x8.",
	alone: true,
	check: func(f *facts) verdict {
		if f.site.Favicon.State == scrape.NotAsked {
			return inapplicable
		}
		icon := fileOf(&f.site.Favicon)
		if f.site.Favicon.Got() && icon.facts.Format == picture.ICO && f.site.Favicon.Value.Status == 200 {
			icon.fault = ""
		}
		w, h := icon.facts.Width, icon.facts.Height
		v := f.fail("The favicon is %dx%d pixels.", w, h)
		switch {
		case icon.fault != "":
			v = f.fail("The favicon does not load: %s.", icon.fault)
		case icon.facts.Format == picture.SVG:
			return f.pass("The favicon is an SVG.")
		case w != h:
			v = f.found(0.5, "The favicon is %dx%d pixels, not square.", w, h)
		case w >= faviconBest:
			return f.pass("The favicon is %dx%d pixels.", w, h)
		case w >= faviconLeast:
			v.credit = 0.6
		}
		return v.fix("Provide a square icon of at least %dx%d pixels with <link rel=\"icon\" href=\"…\">; Google uses "+
			"nothing below 8x8.", faviconBest, faviconBest)
	},
})

var _ = register(Rule{
	ID: "seo-server-rendered", Category: SEO, Severity: Warning, Weight: 3, Title: "Content without JavaScript",
	Sources: []Source{AP, IND},
	When: "The HTML as served shows at least 200 characters of text, or as much of them as is as wide: 100 Chinese or " +
		"Japanese ones.",
	Fix: "Render the main content on the server; preview crawlers do not run scripts.",
	check: func(f *facts) verdict {
		n := f.page.TextChars + f.moreText
		if f.enoughText() {
			return f.pass("The page shows %d characters without scripts.", n)
		}
		return f.fail("Without scripts the page shows %s; at least 200 are expected.", humanize.Count(n, "character")).
			fix("Render the main content on the server (%s found, at least %d expected); preview crawlers do not run scripts.",
				humanize.Count(n, "character"), textLeast)
	},
})

// enoughText reports whether the page shows enough text without scripts.
func (f *facts) enoughText() bool { return f.page.TextChars+f.page.WideChars+f.moreText >= textLeast }

var _ = register(Rule{
	ID: "seo-head-integrity", Category: SEO, Severity: Warning, Weight: 2, Title: "Head is not cut short",
	Sources: []Source{HTML, GS},
	When: "No element that is not allowed in the head ends it before its last meta, canonical or hreflang element: " +
		"none of those is in the body of the parsed document.",
	Fix: "Move elements that do not belong there out of the head: everything after them is read as body and ignored.",
	check: func(f *facts) verdict {
		lost := f.firstLost()
		if lost == "" {
			return f.pass("Nothing ends the head early.")
		}
		stray := f.page.Head.Stray
		switch stray {
		case "":
			return f.fail("%s is in the body, where crawlers ignore it.", lost).
				fix("Move %s, and all similar ones, into the head.", lost)
		case "#text":
			stray = "text"
		default:
			stray = "<" + f.show(stray) + ">"
		}
		return f.fail("A stray %s ends the head, so %s is read as body.", stray, lost).
			fix("Move the stray %s out of the head: everything after it is read as body and ignored.", stray)
	},
	apply: func(f *facts) {
		f.headFixed = true
		f.canonicals = slices.Clone(f.canonicals)
		for i := range f.canonicals {
			f.canonicals[i].InHead = !f.canonicals[i].InHeader
		}
	},
})

// headPrefixes are the prefixes of properties that belong in the head. Other properties, and itemprop, are structured
// data, which may also be in the body.
var headPrefixes = []string{"og:", "twitter:", "article:", "fb:", "al:", "product:", "book:", "profile:"}

// firstLost describes the first element of the head that is in the body, or "".
func (f *facts) firstLost() string {
	if f.headFixed {
		return ""
	}
	for i := range f.page.Meta {
		pair := &f.page.Meta[i]
		ofHead := pair.Attr == page.ByName
		for _, prefix := range headPrefixes {
			ofHead = ofHead || pair.Attr == page.ByProperty && strings.HasPrefix(pair.Key, prefix)
		}
		if ofHead && !pair.InHead {
			return "the meta element " + f.show(pair.Key)
		}
	}
	for i := range f.canonicals {
		if c := &f.canonicals[i]; !c.InHead && !c.InHeader {
			return "the canonical link"
		}
	}
	for i := range f.page.Hreflang {
		if !f.page.Hreflang[i].InHead {
			return "the hreflang link " + f.show(f.page.Hreflang[i].Hreflang)
		}
	}
	return ""
}
