package checks

import (
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"masthead/pkg/audit/rule"
	"masthead/pkg/page"
	"masthead/pkg/scrape"
)

var ogImageSingle = rule.Rule{
	ID: "og-image-single", Category: rule.OG, Severity: rule.Warning, Weight: 1,
	Title: "One share image", Needs: "og-image",
	Sources: []rule.Source{rule.OGP, rule.FB},
	When:    "There is one og:image. With several, networks choose differently.",
	Fix:     "Keep one og:image; networks choose among several, each in its own way.",
	Check: func(f *rule.Facts) rule.Verdict {
		var addresses []string
		for i := range f.Page.Images {
			if a := f.Page.Images[i].URL; a != "" && !slices.Contains(addresses, a) {
				addresses = append(addresses, a)
			}
		}
		if len(addresses) < 2 {
			return f.Pass("There is one og:image.")
		}
		others := "the other one"
		if n := len(addresses) - 1; n > 1 {
			others = "the " + strconv.Itoa(n) + " others"
		}
		return f.Fail("The page has %d different og:image; some networks show the first, others the last or the largest.",
			len(addresses)).
			Fix("Keep one og:image with its properties, and remove %s:", others).
			Paste(f.GroupOf(f.OG, f.OG.URL, f.OGAlt))
	},
}

var ogImageSecure = rule.Rule{
	ID: "og-image-secure", Category: rule.OG, Severity: rule.Warning, Weight: 2, Title: "Pictures over HTTPS",
	Sources: []rule.Source{rule.OGP, rule.HTML},
	When: "No picture of an https page is at an http address: neither og:image:secure_url, nor an og:image after the " +
		"first, nor an img element. Not judged for pages over http.",
	Fix: "Serve the pictures over https:// too; browsers warn of others or leave them out.",
	Check: func(f *rule.Facts) rule.Verdict {
		if !f.HTTPS {
			return rule.Inapplicable
		}
		const fix = "Serve the picture over https:// and use that address: %s."
		for i := range f.Page.Images {
			image := &f.Page.Images[i]
			switch secure := image.SecureURL; {
			case strings.HasPrefix(strings.ToLower(secure), "http:"):
				return f.Fail("og:image:secure_url is unencrypted: %s.", f.Show(secure)).Fix(fix, f.Show(secure))
			case i > 0 && strings.HasPrefix(image.URL, "http:"):
				return f.Fail("og:image number %d is unencrypted: %s.", i+1, f.Show(image.URL)).Fix(fix, f.Show(image.URL))
			}
		}
		if b := &f.Page.Body; b.Insecure > 0 {
			return f.Fail("%d of %d pictures in the page are unencrypted, the first is %s.", b.Insecure, b.Pictures,
				f.Show(b.Unencrypted)).Fix(fix, f.Show(b.Unencrypted))
		}
		return f.Pass("No picture of the page is unencrypted.")
	},
}

// logoName matches file names of logos and icons.
var logoName = regexp.MustCompile(`(?i)(^|[^a-z])(logo|logotype|favicon|app-?icon|touch-icon|brandmark)([^a-z]|$)`)

// logoMost is the size in pixels up to which a square picture named like a logo is taken for one.
const logoMost = 600

var ogImageNotLogo = rule.Rule{
	ID: "og-image-not-logo", Category: rule.OG, Severity: rule.Info, Weight: 1, Title: "Share image is more than the logo",
	Needs: "og-image-reachable", Sources: []rule.Source{rule.FB, rule.IND},
	When: "The share image is not the site's icon or logo: neither by its address, which may be that of an icon of the " +
		"web app manifest, nor a picture of the icon's size and length, nor one of at most 600 pixels whose file is named so.",
	Fix: "Share a picture of the page; the logo alone says nothing about it.",
	Check: func(f *rule.Facts) rule.Verdict {
		same, at := logo(f)
		if same == "" {
			return f.Pass("The share image is not the logo.")
		}
		return f.Fail("The share image is %s (%s), so every page of the site looks the same when it is shared.", same,
			f.Show(at)).
			Fix("Share a picture of what the page is about, of %dx%d pixels; a card drawn by Masthead is one.", rule.BestWidth,
				rule.BestHeight)
	},
	Apply: func(f *rule.Facts) { fixLoads(f, f.OG); f.NotLogo = true },
}

// logo says which logo the share image is, as part of a sentence, and where that was found, or "".
func logo(f *rule.Facts) (as, at string) {
	if as, at = namedAsLogo(f); as != "" || f.NotLogo {
		return as, at
	}
	width := f.OG.File.Facts.Width
	if width == 0 {
		width = rule.Positive(f.OG.Width)
	}
	u, err := url.Parse(f.OG.URL)
	if err == nil && logoName.MatchString(path.Base(u.Path)) && width > 0 && width <= logoMost {
		return "a logo by its name", path.Base(u.Path)
	}
	return "", ""
}

// withoutQuery returns an address without its query, in which sites have versions of a file.
func withoutQuery(address string) string {
	address, _, _ = strings.Cut(address, "?")
	return address
}

// sameAsIcon reports whether a share image whose address differs from an icon's only in its query can be that icon: an
// image service draws any picture at one path.
func sameAsIcon(f *rule.Facts, address string) bool {
	return address == f.OG.URL || !f.OG.File.Measured() || f.OG.File.Ratio() > squareLow && f.OG.File.Ratio() < squareHigh
}

// namedAsLogo returns what the page otherwise uses its share image as, and its address, or "".
func namedAsLogo(f *rule.Facts) (as, address string) {
	if f.NotLogo {
		return "", ""
	}
	own := f.Comparable(withoutQuery(f.Publicly(f.OG.URL)))
	for i := range f.Page.Icons {
		u, ok := f.Page.Resolve(f.Page.Icons[i].Href)
		if ok && f.Comparable(withoutQuery(f.Publicly(u))) == own && sameAsIcon(f, u) {
			return "the site's icon", u
		}
	}
	for _, icons := range [...][]page.Icon{f.Site.Manifest.Value.Icons, f.Site.Manifest.Value.Maskable} {
		for i := range icons {
			if u := icons[i].URL; f.Comparable(withoutQuery(f.Publicly(u))) == own && sameAsIcon(f, u) {
				return "an icon of the web app manifest", u
			}
		}
	}
	if icon := &f.Site.Favicon.Value; f.Site.Favicon.Got() && f.OG.File.Measured() && icon.Size > 0 &&
		icon.Facts.Width > 0 && !icon.Truncated && icon.Size == f.OG.File.Size && icon.Facts == f.OG.File.Facts {
		return "the same picture as the site's icon", icon.URL.String()
	}
	for _, n := range f.Page.Nodes() {
		for _, node := range []string{"logo", "publisher"} {
			logo := f.Page.Follow(n.Get(node))
			if node == "publisher" {
				logo = f.Page.Follow(logo.Get("logo"))
			}
			for _, text := range []string{logo.String(), logo.Get("url").String(), logo.Get("contentUrl").String()} {
				if u, ok := f.Page.Resolve(text); ok && text != "" && u == f.OG.URL {
					return "the logo in the structured data", u
				}
			}
		}
	}
	return "", ""
}

var ogTitleBrand = rule.Rule{
	ID: "og-title-brand", Category: rule.OG, Severity: rule.Info, Weight: 1,
	Title:   "Open Graph title without the site's name",
	Sources: []rule.Source{rule.WA, rule.OGP},
	When: "og:title doesn't repeat og:site_name before or after a separator, since previews show the name beside it. " +
		"Not judged without both.",
	Fix: "Leave the site's name out of og:title; previews show it beside the title.",
	Check: func(f *rule.Facts) rule.Verdict {
		name := f.Page.Meta.Get("og:site_name")
		if f.OGTitle == "" || name == "" {
			return rule.Inapplicable
		}
		rest, repeats := withoutBrand(f.OGTitle, name)
		if !repeats {
			return f.Pass("og:title doesn't repeat the site's name.")
		}
		code := "" // a title that would be too short needs the author's words
		if n := f.Columns(rest); n >= titleBest && n <= titleFull {
			code = f.Filled("property", "og:title", capitalized(rest, f.OGTitle))
		}
		return f.Fail("og:title repeats the site's name, “%s”, which previews show beside it: “%s”.", f.Show(name),
			f.Show(f.OGTitle)).Fix("Leave the site's name out of og:title:").Paste(code)
	},
	Apply: func(f *rule.Facts) {
		rest, _ := withoutBrand(f.OGTitle, f.Page.Meta.Get("og:site_name"))
		if f.Columns(rest) < titleBest {
			rest = rule.SampleTitle
		}
		if f.TwitterTitle == f.OGTitle {
			f.TwitterTitle = rest
		}
		f.OGTitle = rest
	},
}

// separators are what sites put between a title and their name.
const separators = "|-–—:·•»«/~‖｜"

// withoutBrand returns a title without the name of its site at its end or beginning, and whether it had one there.
func withoutBrand(title, name string) (rest string, repeats bool) {
	lower, brand := strings.ToLower(title), strings.ToLower(name)
	if len(lower) != len(title) || len(brand) != len(name) {
		return title, false // letters whose cases have different lengths
	}
	if cut, ok := strings.CutSuffix(lower, brand); ok {
		kept := strings.TrimRight(title[:len(cut)], " \u00a0")
		if trimmed := strings.TrimRight(kept, separators); trimmed != kept && strings.TrimSpace(trimmed) != "" {
			return strings.TrimSpace(trimmed), true
		}
	}
	if cut, ok := strings.CutPrefix(lower, brand); ok {
		kept := strings.TrimLeft(title[len(title)-len(cut):], " \u00a0")
		if trimmed := strings.TrimLeft(kept, separators); trimmed != kept && strings.TrimSpace(trimmed) != "" {
			return strings.TrimSpace(trimmed), true
		}
	}
	return title, false
}

// capitalized returns what is left of a title with a capital if the title began with one: the name was its first word.
// A word that has capitals of its own, such as iPhone, stays.
func capitalized(rest, title string) string {
	first, size := utf8.DecodeRuneInString(rest)
	began, _ := utf8.DecodeRuneInString(title)
	word, _, _ := strings.Cut(rest, " ")
	if !unicode.IsUpper(began) || word != strings.ToLower(word) {
		return rest
	}
	return string(unicode.ToTitle(first)) + rest[size:]
}

var ogThemeColor = rule.Rule{
	ID: "og-theme-color", Category: rule.OG, Severity: rule.Info, Title: "Theme color",
	Sources: []rule.Source{rule.DC, rule.HTML},
	When:    "There is a meta theme-color.",
	Fix:     "Add theme-color; Discord draws its bar in it, and phones their frame around the page.",
	Alone:   true, Tags: true,
	Check: func(f *rule.Facts) rule.Verdict {
		if len(f.Page.Brand.ThemeColors) > 0 || f.Page.Meta.Get("theme-color") != "" {
			return f.Pass("The page has a theme-color.")
		}
		return f.Fail("There is no theme-color.").
			Fix("Add <meta name=\"theme-color\"> with the site's color; Discord draws its bar in it, and phones their frame " +
				"around the page.")
	},
}

var ogOembedAlive = rule.Rule{
	ID: "og-oembed-alive", Category: rule.OG, Severity: rule.Warning, Weight: 2, Title: "oEmbed answers",
	Sources: []rule.Source{rule.SL},
	When:    "The oEmbed address that the page names answers with status 200 and JSON or XML. Not judged without one.",
	Fix:     "Repair the oEmbed address, or remove its link; Slack and others ask it before they read the tags.",
	Alone:   true,
	Check: func(f *rule.Facts) rule.Verdict {
		part := &f.Site.OEmbed
		switch part.State {
		case scrape.NotAsked, scrape.Absent:
			return rule.Inapplicable
		case scrape.Got:
			return f.Pass("The oEmbed address answers.")
		}
		reason := "it could not be fetched"
		switch n := part.Value.Status; {
		case n >= 300:
			reason = "it returned status " + rule.Status(n)
		case n > 0:
			reason = "its response is neither JSON nor XML"
		}
		return f.Fail("The oEmbed address %s is of no use: %s.", f.Show(part.Value.URL.String()), reason).
			Fix("Repair %s, or remove its link; Slack and others ask it before they read the tags.",
				f.Show(part.Value.URL.String()))
	},
}
