package checks

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/language"

	"masthead/pkg/audit/rule"
	"masthead/pkg/humanize"
	"masthead/pkg/page"
	"masthead/pkg/picture"
	"masthead/pkg/scrape"
)

var seoLang = rule.Rule{
	ID: "seo-lang", Category: rule.SEO, Severity: rule.Warning, Weight: 2, Title: "Page language",
	Sources: []rule.Source{rule.HTML},
	When:    "The html element has a lang with a valid language tag (BCP 47).",
	Fix:     "Add lang to the html element.",
	Check: func(f *rule.Facts) rule.Verdict {
		v := f.Fail("The html element has no lang.")
		if f.Lang != "" {
			if _, err := language.Parse(f.Lang); err == nil && !strings.Contains(f.Lang, "_") {
				return f.Pass("The language of the page is “%s”.", f.Show(f.Lang))
			}
			v = f.Fail("lang is “%s”, which is not a language tag.", f.Show(f.Lang))
		}
		own := ownLang(f)
		if own == "" {
			return v.Fix("Set the language of the page on the html element, for example <html lang=\"de\">.")
		}
		return v.Fix("Set the language of the page on the html element:").Paste(`<html lang="` + own + `">`)
	},
	Apply: func(f *rule.Facts) { f.Lang = cmp.Or(ownLang(f), "und") },
}

// ownLang returns the language of the page: its lang, if that is or can be read as a language tag, otherwise what the
// page states elsewhere. "" if it states none.
func ownLang(f *rule.Facts) string {
	header, _, _ := strings.Cut(f.Document.Header.Get("Content-Language"), ",")
	for _, said := range [...]string{f.Lang, f.Page.Meta.Get("og:locale"), header, f.Page.Meta.Get("content-language")} {
		said = strings.ReplaceAll(strings.TrimSpace(said), "_", "-")
		if tag, err := language.Parse(said); err == nil && tag != language.Und && len(said) <= maxLanguage {
			return tag.String()
		}
	}
	return ""
}

// maxLanguage is the maximum length of a language tag. Source: BCP 47, 4.4.1.
const maxLanguage = 35

var seoViewport = rule.Rule{
	ID: "seo-viewport", Category: rule.SEO, Severity: rule.Warning, Weight: 2, Title: "Mobile viewport",
	Sources: []rule.Source{rule.GS},
	When: "A meta viewport has width=device-width or initial-scale=1. Half the points when it forbids zooming " +
		"(user-scalable=no, maximum-scale=1).",
	Fix:   "Add a meta viewport with width=device-width, initial-scale=1.",
	Alone: true, Tags: true,
	Check: func(f *rule.Facts) rule.Verdict {
		content := f.Page.Meta.Get("viewport")
		fits, fixed := false, false
		for part := range strings.FieldsFuncSeq(strings.ToLower(content), func(r rune) bool { return r == ',' || r == ';' }) {
			name, value, _ := strings.Cut(part, "=")
			name, value = strings.TrimSpace(name), strings.TrimSpace(value)
			scale, err := strconv.ParseFloat(value, 64)
			one := err == nil && scale == 1
			fits = fits || name == "width" && value == "device-width" || name == "initial-scale" && one
			fixed = fixed || name == "user-scalable" && (value == "no" || value == "0") || name == "maximum-scale" && one
		}
		v := f.Fail("There is no meta viewport, so phones show the desktop layout.")
		switch {
		case content == "":
		case !fits:
			v = f.Fail("The viewport “%s” does not adapt to the width of the screen.", f.Show(content))
		case fixed:
			v = f.Found(0.5, "The viewport “%s” prevents zooming.", f.Show(content))
		default:
			return f.Pass("The page adapts to the width of the screen.")
		}
		return v.Fix("Give the page the width of the screen:").
			Paste(f.Named("viewport", "width=device-width, initial-scale=1"))
	},
}

var seoFavicon = rule.Rule{
	ID: "seo-favicon", Category: rule.SEO, Severity: rule.Warning, Weight: 2, Title: "Favicon",
	Sources: []rule.Source{rule.GS},
	When: "The favicon loads and is a square image of at least 48 pixels, or an SVG. 60 % of the points from 16 " +
		"pixels, half when it is not square.",
	Fix:   "Provide a square icon of at least 48x48 pixels by a link with rel=icon; Google uses nothing below 8x8.",
	Alone: true,
	Check: func(f *rule.Facts) rule.Verdict {
		if f.Site.Favicon.State == scrape.NotAsked {
			return rule.Inapplicable
		}
		icon := rule.FileOf(&f.Site.Favicon)
		if f.Site.Favicon.Got() && icon.Facts.Format == picture.ICO && f.Site.Favicon.Value.Status == 200 {
			icon.Fault = ""
		}
		w, h := icon.Facts.Width, icon.Facts.Height
		v := f.Fail("The favicon is %dx%d pixels.", w, h)
		switch {
		case icon.Fault != "":
			v = f.Fail("The favicon does not load: %s.", icon.Fault)
		case icon.Facts.Format == picture.SVG:
			return f.Pass("The favicon is an SVG.")
		case w != h:
			v = f.Found(0.5, "The favicon is %dx%d pixels, not square.", w, h)
		case w >= faviconBest:
			return f.Pass("The favicon is %dx%d pixels.", w, h)
		case w >= faviconLeast:
			v.Credit = 0.6
		}
		return v.Fix("Provide a square icon of at least %dx%d pixels with <link rel=\"icon\" href=\"…\">; Google uses "+
			"nothing below 8x8.", faviconBest, faviconBest)
	},
}

var seoServerRendered = rule.Rule{
	ID: "seo-server-rendered", Category: rule.SEO, Severity: rule.Warning, Weight: 3, Title: "Content without JavaScript",
	Sources: []rule.Source{rule.AP, rule.IND},
	When: "The HTML as served shows at least 200 characters of text, or as much of them as is as wide: 100 Chinese or " +
		"Japanese ones.",
	Fix: "Render the main content on the server; preview crawlers do not run scripts.",
	Check: func(f *rule.Facts) rule.Verdict {
		n := f.Page.TextChars + f.MoreText
		if enoughText(f) {
			return f.Pass("The page shows %d characters without scripts.", n)
		}
		return f.Fail("Without scripts the page shows %s; at least 200 are expected.", humanize.Count(n, "character")).
			Fix("Render the main content on the server (%s found, at least %d expected); preview crawlers do not run scripts.",
				humanize.Count(n, "character"), rule.TextLeast)
	},
}

// enoughText reports whether the page shows enough text without scripts.
func enoughText(f *rule.Facts) bool {
	return f.Page.TextChars+f.Page.WideChars+f.MoreText >= rule.TextLeast
}

var seoHeadIntegrity = rule.Rule{
	ID: "seo-head-integrity", Category: rule.SEO, Severity: rule.Warning, Weight: 2, Title: "Head is not cut short",
	Sources: []rule.Source{rule.HTML, rule.GS},
	When: "No element that is not allowed in the head ends it before its last meta, canonical or hreflang element: " +
		"none of those is in the body of the parsed document.",
	Fix: "Move elements that do not belong there out of the head: everything after them is read as body and ignored.",
	Check: func(f *rule.Facts) rule.Verdict {
		lost := firstLost(f)
		if lost == "" {
			return f.Pass("Nothing ends the head early.")
		}
		stray := f.Page.Head.Stray
		switch stray {
		case "":
			return f.Fail("%s is in the body, where crawlers ignore it.", lost).
				Fix("Move %s, and all similar ones, into the head.", lost)
		case "#text":
			stray = "text"
		default:
			stray = "<" + f.Show(stray) + ">"
		}
		return f.Fail("A stray %s ends the head, so %s is read as body.", stray, lost).
			Fix("Move the stray %s out of the head: everything after it is read as body and ignored.", stray)
	},
	Apply: func(f *rule.Facts) {
		f.HeadFixed = true
		f.Canonicals = slices.Clone(f.Canonicals)
		for i := range f.Canonicals {
			f.Canonicals[i].InHead = !f.Canonicals[i].InHeader
		}
	},
}

// headPrefixes are the prefixes of properties that belong in the head. Other properties, and itemprop, are structured
// data, which may also be in the body.
var headPrefixes = []string{"og:", "twitter:", "article:", "fb:", "al:", "product:", "book:", "profile:"}

// firstLost describes the first element of the head that is in the body, or "".
func firstLost(f *rule.Facts) string {
	if f.HeadFixed {
		return ""
	}
	for i := range f.Page.Meta {
		pair := &f.Page.Meta[i]
		ofHead := pair.Attr == page.ByName
		for _, prefix := range headPrefixes {
			ofHead = ofHead || pair.Attr == page.ByProperty && strings.HasPrefix(pair.Key, prefix)
		}
		if ofHead && !pair.InHead {
			return "the meta element " + f.Show(pair.Key)
		}
	}
	for i := range f.Canonicals {
		if c := &f.Canonicals[i]; !c.InHead && !c.InHeader {
			return "the canonical link"
		}
	}
	for i := range f.Page.Hreflang {
		if !f.Page.Hreflang[i].InHead {
			return "the hreflang link " + f.Show(f.Page.Hreflang[i].Hreflang)
		}
	}
	return ""
}
