package rule

import (
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"masthead/pkg/page"
	"masthead/pkg/scrape"
)

var _ = register(Rule{
	ID: "og-image-single", Category: OG, Severity: Warning, Weight: 1, Title: "One share image", Needs: "og-image",
	Sources: []Source{OGP, FB},
	When:    "There is one og:image. With several, networks choose differently.",
	Fix:     "Keep one og:image; networks choose among several, each in its own way.",
	check: func(f *facts) verdict {
		var addresses []string
		for i := range f.page.Images {
			if a := f.page.Images[i].URL; a != "" && !slices.Contains(addresses, a) {
				addresses = append(addresses, a)
			}
		}
		if len(addresses) < 2 {
			return f.pass("There is one og:image.")
		}
		others := "the other one"
		if n := len(addresses) - 1; n > 1 {
			others = "the " + strconv.Itoa(n) + " others"
		}
		return f.fail("The page has %d different og:image; some networks show the first, others the last or the largest.",
			len(addresses)).
			fix("Keep one og:image with its properties, and remove %s:", others).
			paste(f.groupOf(f.og, f.og.url, f.ogAlt))
	},
})

var _ = register(Rule{
	ID: "og-image-secure", Category: OG, Severity: Warning, Weight: 2, Title: "Pictures over HTTPS",
	Sources: []Source{OGP, HTML},
	When: "No picture of an https page is at an http address: neither og:image:secure_url, nor an og:image after the " +
		"first, nor an img element. Not judged for pages over http.",
	Fix: "Serve the pictures over https:// too; browsers warn of others or leave them out.",
	check: func(f *facts) verdict {
		if !f.https {
			return inapplicable
		}
		const fix = "Serve the picture over https:// and use that address: %s."
		for i := range f.page.Images {
			image := &f.page.Images[i]
			switch secure := image.SecureURL; {
			case strings.HasPrefix(strings.ToLower(secure), "http:"):
				return f.fail("og:image:secure_url is unencrypted: %s.", f.show(secure)).fix(fix, f.show(secure))
			case i > 0 && strings.HasPrefix(image.URL, "http:"):
				return f.fail("og:image number %d is unencrypted: %s.", i+1, f.show(image.URL)).fix(fix, f.show(image.URL))
			}
		}
		if b := &f.page.Body; b.Insecure > 0 {
			return f.fail("%d of %d pictures in the page are unencrypted, the first is %s.", b.Insecure, b.Pictures,
				f.show(b.Unencrypted)).fix(fix, f.show(b.Unencrypted))
		}
		return f.pass("No picture of the page is unencrypted.")
	},
})

// logoName matches file names of logos and icons.
var logoName = regexp.MustCompile(`(?i)(^|[^a-z])(logo|logotype|favicon|app-?icon|touch-icon|brandmark)([^a-z]|$)`)

// logoMost is the size in pixels up to which a square picture named like a logo is taken for one.
const logoMost = 600

var _ = register(Rule{
	ID: "og-image-not-logo", Category: OG, Severity: Info, Weight: 1, Title: "Share image is more than the logo",
	Needs: "og-image-reachable", Sources: []Source{FB, IND},
	When: "The share image is not the site's icon or logo: neither by its address, which may be that of an icon of the " +
		"web app manifest, nor a picture of the icon's size and length, nor one of at most 600 pixels whose file is named so.",
	Fix: "Share a picture of the page; the logo alone says nothing about it.",
	check: func(f *facts) verdict {
		same, at := f.logo()
		if same == "" {
			return f.pass("The share image is not the logo.")
		}
		return f.fail("The share image is %s (%s), so every page of the site looks the same when it is shared.", same,
			f.show(at)).
			fix("Share a picture of what the page is about, of %dx%d pixels; a card drawn by Masthead is one.", bestWidth,
				bestHeight)
	},
	apply: func(f *facts) { f.fixLoads(f.og); f.notLogo = true },
})

// logo says which logo the share image is, as part of a sentence, and where that was found, or "".
func (f *facts) logo() (as, at string) {
	if as, at = f.namedAsLogo(); as != "" || f.notLogo {
		return as, at
	}
	width := f.og.file.facts.Width
	if width == 0 {
		width = positive(f.og.width)
	}
	u, err := url.Parse(f.og.url)
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
func (f *facts) sameAsIcon(address string) bool {
	return address == f.og.url || !f.og.file.measured() || f.og.file.ratio() > squareLow && f.og.file.ratio() < squareHigh
}

// namedAsLogo returns what the page otherwise uses its share image as, and its address, or "".
func (f *facts) namedAsLogo() (as, address string) {
	if f.notLogo {
		return "", ""
	}
	own := f.comparable(withoutQuery(f.publicly(f.og.url)))
	for i := range f.page.Icons {
		u, ok := f.page.Resolve(f.page.Icons[i].Href)
		if ok && f.comparable(withoutQuery(f.publicly(u))) == own && f.sameAsIcon(u) {
			return "the site's icon", u
		}
	}
	for _, icons := range [...][]page.Icon{f.site.Manifest.Value.Icons, f.site.Manifest.Value.Maskable} {
		for i := range icons {
			if u := icons[i].URL; f.comparable(withoutQuery(f.publicly(u))) == own && f.sameAsIcon(u) {
				return "an icon of the web app manifest", u
			}
		}
	}
	if icon := &f.site.Favicon.Value; f.site.Favicon.Got() && f.og.file.measured() && icon.Size > 0 &&
		icon.Facts.Width > 0 && !icon.Truncated && icon.Size == f.og.file.size && icon.Facts == f.og.file.facts {
		return "the same picture as the site's icon", icon.URL.String()
	}
	for _, n := range f.page.Nodes() {
		for _, node := range []string{"logo", "publisher"} {
			logo := f.page.Follow(n.Get(node))
			if node == "publisher" {
				logo = f.page.Follow(logo.Get("logo"))
			}
			for _, text := range []string{logo.String(), logo.Get("url").String(), logo.Get("contentUrl").String()} {
				if u, ok := f.page.Resolve(text); ok && text != "" && u == f.og.url {
					return "the logo in the structured data", u
				}
			}
		}
	}
	return "", ""
}

var _ = register(Rule{
	ID: "og-title-brand", Category: OG, Severity: Info, Weight: 1, Title: "Open Graph title without the site's name",
	Sources: []Source{WA, OGP},
	When: "og:title doesn't repeat og:site_name before or after a separator, since previews show the name beside it. " +
		"Not judged without both.",
	Fix: "Leave the site's name out of og:title; previews show it beside the title.",
	check: func(f *facts) verdict {
		name := f.page.Meta.Get("og:site_name")
		if f.ogTitle == "" || name == "" {
			return inapplicable
		}
		rest, repeats := withoutBrand(f.ogTitle, name)
		if !repeats {
			return f.pass("og:title doesn't repeat the site's name.")
		}
		code := "" // a title that would be too short needs the author's words
		if n := f.columns(rest); n >= titleBest && n <= titleFull {
			code = f.filled("property", "og:title", capitalized(rest, f.ogTitle))
		}
		return f.fail("og:title repeats the site's name, “%s”, which previews show beside it: “%s”.", f.show(name),
			f.show(f.ogTitle)).fix("Leave the site's name out of og:title:").paste(code)
	},
	apply: func(f *facts) {
		rest, _ := withoutBrand(f.ogTitle, f.page.Meta.Get("og:site_name"))
		if f.columns(rest) < titleBest {
			rest = sampleTitle
		}
		if f.twTitle == f.ogTitle {
			f.twTitle = rest
		}
		f.ogTitle = rest
	},
})

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

var _ = register(Rule{
	ID: "og-theme-color", Category: OG, Severity: Info, Title: "Theme color", Sources: []Source{DC, HTML},
	When:  "There is a meta theme-color.",
	Fix:   "Add theme-color; Discord draws its bar in it, and phones their frame around the page.",
	alone: true, tags: true,
	check: func(f *facts) verdict {
		if len(f.page.Brand.ThemeColors) > 0 || f.page.Meta.Get("theme-color") != "" {
			return f.pass("The page has a theme-color.")
		}
		return f.fail("There is no theme-color.").
			fix("Add <meta name=\"theme-color\"> with the site's color; Discord draws its bar in it, and phones their frame " +
				"around the page.")
	},
})

var _ = register(Rule{
	ID: "og-oembed-alive", Category: OG, Severity: Warning, Weight: 2, Title: "oEmbed answers", Sources: []Source{SL},
	When:  "The oEmbed address that the page names answers with status 200 and JSON or XML. Not judged without one.",
	Fix:   "Repair the oEmbed address, or remove its link; Slack and others ask it before they read the tags.",
	alone: true,
	check: func(f *facts) verdict {
		part := &f.site.OEmbed
		switch part.State {
		case scrape.NotAsked, scrape.Absent:
			return inapplicable
		case scrape.Got:
			return f.pass("The oEmbed address answers.")
		}
		reason := "it could not be fetched"
		switch n := part.Value.Status; {
		case n >= 300:
			reason = "it returned status " + status(n)
		case n > 0:
			reason = "its response is neither JSON nor XML"
		}
		return f.fail("The oEmbed address %s is of no use: %s.", f.show(part.Value.URL.String()), reason).
			fix("Repair %s, or remove its link; Slack and others ask it before they read the tags.",
				f.show(part.Value.URL.String()))
	},
})
