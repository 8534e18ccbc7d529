package checks_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"masthead/pkg/audit/rule"
	"masthead/pkg/page"
	"masthead/pkg/picture"
	"masthead/pkg/scrape"
)

// testCase is a page and what a rule says of it.
type testCase struct {
	rule, name string
	change     change
	credit     float64
	severity   rule.Severity
	// says and advises are parts of the message and of the fix.
	says, advises string
	// fixed is the page once the issue is fixed; without it, the perfect one.
	fixed change
	// want is "blocked" or "not applicable" for a rule that is not listed.
	want string
}

// both is two changes in one.
func both(a, b change) change {
	out := change{html: append(slices.Clone(a.html), b.html...), at: a.at + b.at}
	out.site = func(s *scrape.Result) {
		for _, edit := range []func(*scrape.Result){a.site, b.site} {
			if edit != nil {
				edit(s)
			}
		}
	}
	return out
}

func letters(n int) string { return strings.Repeat("ab ", n)[:n-1] + "c" }

const (
	ogTitle = "A page that has all that it should\""
	ogDesc  = "What a page looks like that every rule of an audit is content with.\""
	metaTag = "<meta property=\"og:"
)

// asked is a check that the site was not asked for.
func unasked(edit func(*scrape.Result)) change { return change{site: edit} }

var cases = slices.Concat(textCases, imageCases, tagCases, twitterCases, responseCases, documentCases, dataCases,
	loopbackCases)

var textCases = []testCase{
	{rule: "og-title", name: "only title", change: without(metaTag + "title"), credit: 0.5, severity: rule.Warning, says: "no og:title", advises: `<meta property="og:title" content="A page that has all that it should have">`},
	{rule: "og-title", name: "only title, escaped twice", change: both(without(metaTag+"title"), to("<title>A page that has all that it should", "<title>A page that has all that it should &amp;amp; it&amp;#39;s")), credit: 0.5, severity: rule.Warning, advises: `content="A page that has all that it should &amp; it&#39;s have">`},
	{rule: "og-title", name: "none", change: without(metaTag+"title", "<title>"), says: "bare address", advises: `content="A page">`, fixed: without("<title>")},
	{rule: "og-title-length", name: "61", change: both(to(ogTitle, letters(61)+"\""), with(`<meta name=twitter:title content="Short title">`)), credit: 0.5, severity: rule.Warning, says: "61 characters", advises: "it has 61"},
	{rule: "og-title-length", name: "9", change: to(ogTitle, "Nine char\""), credit: 0.5, severity: rule.Warning, says: "9 characters"},
	{rule: "og-title-length", name: "4", change: to(ogTitle, "Four\""), severity: rule.Warning, says: "4 characters"},
	{rule: "og-title-length", name: "10", change: to(ogTitle, "Ten chars!\""), credit: 1, severity: rule.Warning},
	{rule: "og-title-length", name: "wide", change: to(ogTitle, strings.Repeat("漢", 31)+"\""), credit: 0.5, severity: rule.Warning, says: "31 characters, as wide as 62 Latin ones"},
	{rule: "og-title-length", name: "too long, like the title", change: longTitle(letters(84)), want: "blocked"},
	{rule: "twitter-title-length", name: "too long, like the title", change: longTitle(letters(84)), want: "blocked"},
	{rule: "seo-title-length", name: "too long, like og:title", change: longTitle(letters(84)), credit: 0.3, severity: rule.Warning, says: "The title, which is also og:title, has 84 characters"},
	{rule: "twitter-title-length", name: "too long, like og:title", change: to(ogTitle, letters(84)+"\""), want: "blocked"},
	{rule: "og-title-length", name: "91", change: to(ogTitle, letters(91)+"\""), severity: rule.Warning, says: "91 characters"},
	{rule: "og-title-length", name: "no title", change: without(metaTag+"title", "<title>"), want: "blocked"},
	{rule: "og-title-length", name: "only title", change: without(metaTag + "title"), want: "not applicable"},
	{rule: "og-description", name: "only meta", change: without(metaTag + "description"), credit: 0.4, severity: rule.Warning, says: "no og:description"},
	{rule: "og-description", name: "none", change: without(metaTag+"description", `<meta name="description"`), says: "no meta description", fixed: without(`<meta name="description"`)},
	{rule: "og-description-length", name: "49", change: to(ogDesc, letters(49)+"\""), credit: 0.5, severity: rule.Warning, says: "49 characters"},
	{rule: "og-description-length", name: "29", change: to(ogDesc, letters(29)+"\""), severity: rule.Warning, says: "29 characters"},
	{rule: "og-description-length", name: "201", change: to(ogDesc, letters(201)+"\""), credit: 0.5, severity: rule.Warning, advises: "it has 201"},
	{rule: "og-description-length", name: "301", change: to(ogDesc, letters(301)+"\""), severity: rule.Warning, advises: "it has 301"},
	{rule: "og-description-length", name: "none", change: without(metaTag+"description", `<meta name="description"`), want: "blocked"},
	{rule: "og-description-length", name: "only meta", change: without(metaTag + "description"), want: "not applicable"},
	{rule: "twitter-title", name: "none", change: without(metaTag + "title"), says: "neither", advises: "or og:title", fixed: both(without(metaTag+"title"), with(`<meta name=twitter:title content="A title">`))},
	{rule: "twitter-title", name: "own", change: with(`<meta name=twitter:title content="A title">`), credit: 1, says: "from twitter:title"},
	{rule: "twitter-title-length", name: "71", change: with(`<meta name=twitter:title content="` + letters(71) + `">`), credit: 0.5, severity: rule.Warning, says: "twitter:title has 71", advises: "70 characters"},
	{rule: "twitter-title-length", name: "101", change: with(`<meta name=twitter:title content="` + letters(101) + `">`), severity: rule.Warning},
	{rule: "twitter-title-length", name: "none", change: without(metaTag + "title"), want: "blocked"},
	{rule: "twitter-description", name: "none", change: without(metaTag + "description"), severity: rule.Warning, says: "neither", fixed: both(without(metaTag+"description"), with(`<meta name=twitter:description content="A text">`))},
	{rule: "twitter-description-length", name: "201", change: with(`<meta name=twitter:description content="` + letters(201) + `">`), credit: 0.5, severity: rule.Info, says: "has 201"},
	{rule: "twitter-description-length", name: "301", change: with(`<meta name=twitter:description content="` + letters(301) + `">`), severity: rule.Info},
	{rule: "twitter-description-length", name: "none", change: without(metaTag + "description"), want: "blocked"},
	{rule: "seo-title", name: "none", change: without("<title>"), says: "no title", advises: "<title>A page that has all that it should</title>"},
	{rule: "seo-title", name: "two", change: with("<title>Another title of the page</title>"), credit: 0.5, severity: rule.Warning, says: "2 title"},
	{rule: "seo-title", name: "of a drawing", change: with("<svg><title>Not of the page</title></svg>"), credit: 1},
	{rule: "seo-title-capitals", name: "all", change: longTitle("FORTY CAPITALS WITH SPACES BETWEEN WORDS"), severity: rule.Info, says: "FORTY"},
	{rule: "seo-title-capitals", name: "og:title alone", change: to(ogTitle, "EVERYTHING ABOUT POTTERY\""), severity: rule.Info, says: "POTTERY"},
	{rule: "seo-title-capitals", name: "abbreviations", change: longTitle("NASA, ESA & JAXA 2026 (公式サイト、宇宙開発)"), credit: 1, severity: rule.Info},
	{rule: "seo-title-length", name: "29", change: to("<title>A page that has all that it should have", "<title>"+letters(29)), credit: 0.6, severity: rule.Warning},
	{rule: "seo-title-length", name: "71", change: to("<title>A page that has all that it should have", "<title>"+letters(71)), credit: 0.3, severity: rule.Warning},
	{rule: "seo-title-length", name: "101", change: to("<title>A page that has all that it should have", "<title>"+letters(101)), severity: rule.Warning, advises: "it has 101"},
	{rule: "seo-title-length", name: "none", change: without("<title>"), want: "blocked"},
	{rule: "seo-meta-description", name: "none", change: without(`<meta name="description"`), severity: rule.Warning, advises: `name="description"`},
	{rule: "seo-meta-description", name: "two", change: with(`<meta name=description content="Another one">`), credit: 0.5, severity: rule.Warning, says: "2 different"},
	{rule: "seo-meta-description-length", name: "69", change: to("This page shows what a page looks like that every rule of an audit is content with, from top to end.", letters(69)), credit: 0.6, severity: rule.Warning, says: "69"},
	{rule: "seo-meta-description-length", name: "201", change: to("This page shows what a page looks like that every rule of an audit is content with, from top to end.", letters(201)), severity: rule.Warning},
	{rule: "seo-meta-description-length", name: "none", change: without(`<meta name="description"`), want: "blocked"},
}

// longTitle is another title, of both kinds.
func longTitle(text string) change {
	return to("<title>A page that has all that it should have", "<title>"+text, ogTitle, text+"\"")
}

func format(format picture.Format, contentType string) change {
	return shared(func(i *scrape.ShareImage) { i.Facts.Format, i.ContentType = format, contentType })
}

func size(n int64) change { return shared(func(i *scrape.ShareImage) { i.Size = n }) }

// declared is a share image of another size, which the page declares.
func declared(w, h string, edit func(*scrape.ShareImage)) change {
	tags := to(`height" content="630"`, `height" content="`+h+`"`, `width" content="1200"`, `width" content="`+w+`"`)
	return both(tags, shared(edit))
}

// asIcon makes the share image the same file as the icon.
var asIcon = change{site: func(s *scrape.Result) {
	s.Favicon.Value.Facts, s.Favicon.Value.Size = s.ShareImages[0].Value.Facts, s.ShareImages[0].Value.Size
}}

// manifested is a share image of a width beside an icon in the web app manifest.
func manifested(icon string, width int) change {
	listed := change{site: func(s *scrape.Result) {
		s.Manifest = scrape.Part[page.Manifest]{State: scrape.Got, Value: page.Manifest{Icons: []page.Icon{{URL: icon}}}}
	}}
	if width == 1200 {
		return listed
	}
	size := strconv.Itoa(width)
	return both(declared(size, size, sized(width, width)), listed)
}

var noImage = without(metaTag + `image" `)

// bestDeclared is the page of declared once its picture has the best size: what it declares is then wrong.
func bestDeclared(w, h string) change { return declared(w, h, func(*scrape.ShareImage) {}) }

var imageCases = []testCase{
	{rule: "og-image", name: "none", change: without(metaTag+`image" `, metaTag+"image:width", metaTag+"image:height", metaTag+"image:alt"), says: "no og:image", advises: `<meta property="og:image" content="https://www.example.com/masthead-card.png">`},
	{rule: "og-image", name: "unusable", change: to(`content="https://www.example.com/share.jpg"`, `content="data:image/png;base64,xx"`), says: "data:image"},
	{rule: "og-image-reachable", name: "404", change: failing(errUpstream, 404), says: "status 404", advises: "status 404"},
	{rule: "og-image-reachable", name: "silent", change: failing(errUpstream, 0), says: "did not respond in time"},
	{rule: "og-image-reachable", name: "no picture", change: failing(&scrape.PictureError{Cause: picture.ErrUnknown}, 200), says: "is not a picture (Content-Type “image/jpeg”)"},
	{rule: "og-image-reachable", name: "not 200", change: shared(func(i *scrape.ShareImage) { i.Status = 203 }), says: "203"},
	{rule: "og-image-reachable", name: "icon", change: format(picture.ICO, "image/x-icon"), says: "ICO"},
	{rule: "og-image-reachable", name: "ignored parameters",
		change: shared(func(i *scrape.ShareImage) { i.Ignored = "templte, drak" }),
		credit: 0.5, severity: rule.Warning, says: "without effect: templte, drak", advises: "Correct the names"},
	{rule: "og-image-reachable", name: "refused",
		change: change{site: func(s *scrape.Result) { s.ShareImages[0].State = scrape.Refused }}, says: "public"},
	{rule: "og-image-reachable", name: "not asked",
		change: unasked(func(s *scrape.Result) { s.ShareImages = nil }), want: "not applicable"},
	{rule: "og-image-reachable", name: "no image", change: noImage, want: "blocked"},
	{rule: "og-image-absolute-url", name: "relative", change: to(`content="https://www.example.com/share.jpg"`, `content="/share.jpg"`), says: "/share.jpg", advises: `content="https://www.example.com/share.jpg"`, fixed: change{}},
	{rule: "og-image-absolute-url", name: "without scheme", change: to(`content="https://www.example.com/share.jpg"`, `content="//www.example.com/share.jpg"`), credit: 0.5, severity: rule.Warning},
	{rule: "og-image-absolute-url", name: "no image", change: noImage, want: "blocked"},
	{rule: "og-image-https", name: "http", change: to(`content="https://www.example.com/share.jpg"`, `content="http://www.example.com/share.jpg"`), severity: rule.Warning, says: "unencrypted"},
	{rule: "og-image-https", name: "http that redirects", change: both(to(`content="https://www.example.com/share.jpg"`, `content="http://www.example.com/share.jpg"`), shared(func(i *scrape.ShareImage) { i.Final = address(&testing.B{}, "https://www.example.com/share.jpg") })), severity: rule.Warning, advises: `content="https://www.example.com/share.jpg"`},
	{rule: "og-image-https", name: "secure_url", change: to(`<meta property="og:image" content="https://www.example.com/share.jpg">`, `<meta property="og:image" content="http://www.example.com/share.jpg"><meta property="og:image:secure_url" content="https://www.example.com/share.jpg">`), credit: 1, severity: rule.Warning},
	{rule: "og-image-https", name: "no image", change: noImage, want: "blocked"},
	{rule: "og-image-dimensions", name: "1200x627", change: declared("1200", "627", sized(1200, 627)), credit: 1},
	{rule: "og-image-dimensions", name: "800x418", change: declared("800", "418", sized(800, 418)), credit: 0.6, severity: rule.Warning, says: "og:image is 800x418; large cards need at least 1200x630", advises: "it is 800x418", fixed: bestDeclared("800", "418")},
	{rule: "og-image-dimensions", name: "400x210", change: declared("400", "210", sized(400, 210)), credit: 0.25, severity: rule.Warning, fixed: bestDeclared("400", "210")},
	{rule: "og-image-dimensions", name: "191x100", change: declared("191", "100", sized(191, 100)), says: "191x100", fixed: bestDeclared("191", "100")},
	{rule: "og-image-dimensions", name: "svg", change: format(picture.SVG, "image/svg+xml"), says: "SVG"},
	{rule: "og-image-dimensions", name: "does not load", change: failing(errUpstream, 404), want: "blocked"},
	{rule: "og-image-aspect-ratio", name: "1.7", change: declared("1200", "706", sized(1200, 706)), credit: 0.5, severity: rule.Warning, says: "1.70"},
	{rule: "og-image-aspect-ratio", name: "square", change: declared("1200", "1200", sized(1200, 1200)), credit: 0.5, severity: rule.Warning},
	{rule: "og-image-aspect-ratio", name: "high", change: declared("1200", "1800", sized(1200, 1800)), severity: rule.Warning, says: "0.67", fixed: bestDeclared("1200", "1800")},
	{rule: "og-image-aspect-ratio", name: "banner", change: declared("3600", "700", sized(3600, 700)), severity: rule.Error, says: "WhatsApp", fixed: bestDeclared("3600", "700")},
	{rule: "og-image-aspect-ratio", name: "does not load", change: failing(errUpstream, 404), want: "blocked"},
	{rule: "og-image-file-size", name: "600 KB", change: size(600_000), credit: 1, severity: rule.Warning, says: "300 KB or less is safe"},
	{rule: "og-image-file-size", name: "1 MB", change: size(1_200_000), credit: 0.5, severity: rule.Warning, says: "1.2 MB", advises: "300 KB"},
	{rule: "og-image-file-size", name: "6 MB", change: size(6_000_000), credit: 0.2, severity: rule.Warning},
	{rule: "og-image-file-size", name: "9 MB", change: shared(func(i *scrape.ShareImage) { i.Size, i.Truncated = 8_000_001, true }), severity: rule.Error, says: "at least 8 MB"},
	{rule: "og-image-file-size", name: "more than 5 MB of unknown length", change: shared(func(i *scrape.ShareImage) { i.Size, i.Truncated = 5<<20+1, true }), credit: 0.2, severity: rule.Warning, says: "at least 5.2 MB"},
	{rule: "og-image-file-size", name: "unknown length", change: shared(func(i *scrape.ShareImage) { i.Size, i.Truncated = 16<<10, true }), want: "not applicable"},
	{rule: "og-image-file-size", name: "does not load", change: failing(errUpstream, 404), want: "blocked"},
	{rule: "og-image-format", name: "webp", change: format(picture.WebP, "image/webp"), credit: 0.75, severity: rule.Warning, says: "WEBP, which LinkedIn"},
	{rule: "og-image-format", name: "gif", change: format(picture.GIF, "image/gif"), credit: 0.75, severity: rule.Info, says: "GIF"},
	{rule: "og-image-format", name: "avif", change: format(picture.AVIF, "image/avif"), credit: 0.25, severity: rule.Warning},
	{rule: "og-image-format", name: "svg", change: format(picture.SVG, "image/svg+xml"), says: "SVG", fixed: change{}},
	{rule: "og-image-format", name: "sent as text", change: format(picture.PNG, "text/plain"), credit: 0.5, severity: rule.Warning, says: "text/plain"},
	{rule: "og-image-format", name: "does not load", change: failing(errUpstream, 404), want: "blocked"},
	{rule: "og-image-declared-size", name: "none", change: without(metaTag+"image:width", metaTag+"image:height"), severity: rule.Warning, advises: "<meta property=\"og:image:width\" content=\"1200\">\n<meta property=\"og:image:height\" content=\"630\">"},
	{rule: "og-image-declared-size", name: "one", change: without(metaTag + "image:width"), credit: 0.5, severity: rule.Warning},
	{rule: "og-image-declared-size", name: "wrong", change: to(`height" content="630"`, `height" content="600"`), credit: 0.25, severity: rule.Warning, says: "1200x600"},
	{rule: "og-image-declared-size", name: "within 2 %", change: to(`height" content="630"`, `height" content="620"`), credit: 1, severity: rule.Warning},
	{rule: "og-image-declared-size", name: "not measured", change: failing(errUpstream, 404), credit: 1, severity: rule.Warning},
	{rule: "og-image-declared-size", name: "no image", change: noImage, want: "blocked"},
	{rule: "og-image-alt", name: "none", change: without(metaTag + "image:alt"), severity: rule.Warning, advises: "420"},
	{rule: "og-image-alt", name: "file", change: both(to("A drawing of a page", "IMG_1.jpg"), with(`<meta name=twitter:image:alt content="A page">`)), severity: rule.Warning, says: "IMG_1.jpg"},
	{rule: "og-image-alt", name: "long", change: to("A drawing of a page", letters(421)), severity: rule.Warning, says: "421"},
	{rule: "og-image-alt", name: "no image", change: noImage, want: "blocked"},
}

// oEmbed is a page with an oEmbed link and what was found there.
func oEmbed(state scrape.State, status int) change {
	return change{site: func(s *scrape.Result) {
		u := address(&testing.B{}, "https://www.example.com/oembed?url=a")
		s.OEmbed = scrape.Part[scrape.LinkedPage]{State: state, Value: scrape.LinkedPage{URL: u, Final: u, Status: status}}
	}}
}

var tagCases = []testCase{
	{rule: "og-image-single", name: "two", change: with(`<meta property="og:image" content="https://www.example.com/two.jpg">`), severity: rule.Warning, says: "2 different og:image", advises: `content="https://www.example.com/share.jpg"`},
	{rule: "og-image-single", name: "the same twice", change: with(`<meta property="og:image" content="https://www.example.com/share.jpg">`), credit: 1, severity: rule.Warning},
	{rule: "og-image-single", name: "no image", change: noImage, want: "blocked"},
	{rule: "og-image-secure", name: "secure_url", change: to(`<meta property="og:image:width"`, `<meta property="og:image:secure_url" content="http://www.example.com/share.jpg"><meta property="og:image:width"`), severity: rule.Warning, says: "secure_url is unencrypted"},
	{rule: "og-image-secure", name: "a picture of the page", change: to(`<img src="/drawing.png"`, `<img src="http://www.example.com/drawing.png"`), severity: rule.Warning, says: "1 of 1 pictures in the page are unencrypted"},
	{rule: "og-image-secure", name: "a further one", change: with(`<meta property="og:image" content="http://www.example.com/two.jpg">`), severity: rule.Warning, says: "number 2 is unencrypted", fixed: with(`<meta property="og:image" content="https://www.example.com/two.jpg">`)},
	{rule: "og-image-secure", name: "page over http", change: change{at: "http://www.example.com/blog/perfect-page"}, want: "not applicable"},
	{rule: "og-image-not-logo", name: "the icon", change: to(`<link rel="icon" href="/icon.png">`, `<link rel="icon" href="/share.jpg">`), severity: rule.Info, says: "the site's icon (https://www.example.com/share.jpg)"},
	{rule: "og-image-not-logo", name: "the logo", change: to(`"@type": "Organization", "name": "Example"`, `"@type": "Organization", "name": "Example", "logo": {"@type": "ImageObject", "url": "/share.jpg"}`), severity: rule.Info, says: "logo in the structured data"},
	{rule: "og-image-not-logo", name: "by its name", change: both(declared("512", "512", sized(512, 512)), to("https://www.example.com/share.jpg", "https://www.example.com/img/acme-logo.png")), severity: rule.Info, says: "a logo by its name (acme-logo.png)", fixed: bestDeclared("512", "512")},
	{rule: "og-image-not-logo", name: "a large one of that name", change: to("https://www.example.com/share.jpg", "https://www.example.com/img/acme-logo.png"), credit: 1, severity: rule.Info},
	{rule: "og-image-not-logo", name: "the touch icon, with a version", change: both(to("https://www.example.com/share.jpg", "https://www.example.com/touch.png?v=2", `<link rel="icon" href="/icon.png">`, `<link rel="icon" href="/icon.png"><link rel="apple-touch-icon" href="/touch.png">`), declared("512", "512", sized(512, 512))), severity: rule.Info, says: "the site's icon (https://www.example.com/touch.png)", fixed: bestDeclared("512", "512")},
	{rule: "og-image-not-logo", name: "of the manifest", change: manifested("https://www.example.com/share.jpg", 512), severity: rule.Info, says: "an icon of the web app manifest (https://www.example.com/share.jpg)", fixed: bestDeclared("512", "512")},
	{rule: "og-image-not-logo", name: "of an image service", change: manifested("https://www.example.com/share.jpg?icon=1", 1200), credit: 1, severity: rule.Info},
	{rule: "og-image-not-logo", name: "the same file as the icon", change: both(declared("512", "512", sized(512, 512)), asIcon), severity: rule.Info, says: "the same picture as the site's icon", fixed: bestDeclared("512", "512")},
	{rule: "og-image-not-logo", name: "does not load", change: failing(errUpstream, 404), want: "blocked"},
	{rule: "og-title-brand", name: "at the end", change: to(ogTitle, "A page that has all | Example\""), severity: rule.Info, says: "repeats the site's name", advises: `content="A page that has all"`},
	{rule: "og-title-brand", name: "at the beginning", change: to(ogTitle, "example – a page that has all\""), severity: rule.Info, advises: `content="a page that has all"`},
	{rule: "og-title-brand", name: "a brand with a dot and a capital", change: both(to(ogTitle, "Cal.com: scheduling for everybody\""), to("og:site_name\" content=\"Example\"", "og:site_name\" content=\"Cal.com\"")), severity: rule.Info, advises: `content="Scheduling for everybody"`},
	{rule: "og-title-brand", name: "before a word with capitals", change: both(to(ogTitle, "Cal.com: iPhone calendars you like\""), to("og:site_name\" content=\"Example\"", "og:site_name\" content=\"Cal.com\"")), severity: rule.Info, advises: `content="iPhone calendars you like"`},
	{rule: "og-title-brand", name: "too short without", change: to(ogTitle, "About us | Example\""), severity: rule.Info, says: "About us"},
	{rule: "og-title-brand", name: "as a word", change: to(ogTitle, "What we learned from the example\""), credit: 1, severity: rule.Info},
	{rule: "og-title-brand", name: "nothing but the name", change: to(ogTitle, "Example\""), credit: 1, severity: rule.Info},
	{rule: "og-title-brand", name: "no name", change: without(metaTag + "site_name"), want: "not applicable"},
	{rule: "og-theme-color", name: "none", change: to(`<meta name="theme-color" content="#14532d">`, ""), severity: rule.Info, advises: "theme-color"},
	{rule: "og-oembed-alive", name: "404", change: oEmbed(scrape.Failed, 404), severity: rule.Warning, says: "status 404"},
	{rule: "og-oembed-alive", name: "HTML", change: oEmbed(scrape.Failed, 200), severity: rule.Warning, says: "neither JSON nor XML"},
	{rule: "og-oembed-alive", name: "silent", change: oEmbed(scrape.Failed, 0), severity: rule.Warning, says: "could not be fetched"},
	{rule: "og-oembed-alive", name: "answers", change: oEmbed(scrape.Got, 200), credit: 1, severity: rule.Warning},
	{rule: "og-oembed-alive", name: "none", change: oEmbed(scrape.Absent, 0), want: "not applicable"},
	{rule: "og-url", name: "none", change: without(metaTag + "url"), severity: rule.Warning, advises: `content="https://www.example.com/blog/perfect-page"`},
	{rule: "og-url-valid", name: "relative", change: to(`og:url" content="https://www.example.com`, `og:url" content="`), says: "not a full address"},
	{rule: "og-url-valid", name: "fragment", change: to(`perfect-page">
<meta property="og:type`, `perfect-page#a">
<meta property="og:type`), says: "#a"},
	{rule: "og-url-valid", name: "other site", change: to(`og:url" content="https://www.example.com`, `og:url" content="https://example.org`), says: "another site"},
	{rule: "og-url-valid", name: "root", change: to(`og:url" content="https://www.example.com/blog/perfect-page`, `og:url" content="https://www.example.com/`), says: "front page"},
	{rule: "og-url-valid", name: "none", change: without(metaTag + "url"), want: "not applicable"},
	{rule: "og-url-canonical-match", name: "differs", change: to(`og:url" content="https://www.example.com/blog/perfect-page`, `og:url" content="https://www.example.com/other`), severity: rule.Warning, says: "other", advises: `content="https://www.example.com/blog/perfect-page"`},
	{rule: "og-url-canonical-match", name: "same but for tracking", change: to(`og:url" content="https://www.example.com/blog/perfect-page`, `og:url" content="http://example.com/blog/perfect-page/?utm_source=x`), credit: 1, severity: rule.Warning},
	{rule: "og-url-canonical-match", name: "no canonical", change: without(`<link rel="canonical"`), want: "not applicable"},
	{rule: "og-type", name: "none", change: both(without(metaTag+"type"), to("og:locale", "og:locale")), severity: rule.Warning, advises: `content="article"`},
	{rule: "og-type", name: "unknown", change: to(`og:type" content="article"`, `og:type" content="blog post"`), credit: 0.5, severity: rule.Warning, says: "blog post"},
	{rule: "og-type", name: "namespaced", change: to(`og:type" content="article"`, `og:type" content="fitness:course"`), credit: 1, severity: rule.Warning},
	{rule: "og-site-name", name: "none", change: without(metaTag + "site_name"), severity: rule.Warning, advises: "og:site_name"},
	{rule: "og-site-name", name: "host", change: to(`content="Example"`, `content="Example.com"`), credit: 0.5, severity: rule.Warning},
	{rule: "og-site-name", name: "host that is the name", change: both(to(`content="Example"`, `content="Example.com"`), with(`<meta name=application-name content="Example.com">`)), credit: 1, severity: rule.Warning},
	{rule: "og-site-name", name: "URL", change: to(`content="Example"`, `content="https://x.org"`), credit: 0.5, severity: rule.Warning},
	{rule: "og-site-name", name: "name with a dot", change: to(`content="Example"`, `content="Node.js"`), credit: 1, severity: rule.Warning},
	{rule: "og-site-name", name: "long", change: to(`content="Example"`, `content="`+letters(61)+`"`), severity: rule.Warning, says: "61"},
	{rule: "og-locale", name: "form", change: to(`content="en_GB"`, `content="en-gb"`), severity: rule.Info, advises: `content="en_GB"`},
	{rule: "og-locale", name: "other language", change: to(`content="en_GB"`, `content="de_DE"`), severity: rule.Info, says: "de_DE"},
	{rule: "og-locale", name: "absent on a German page", change: both(without(metaTag+"locale"), to(`lang="en-GB">`, `lang="de">`)), severity: rule.Info, advises: `content="de_DE"`, fixed: both(to(`lang="en-GB">`, `lang="de">`), to("en_GB", "de_DE"))},
	{rule: "og-locale", name: "absent on an English page", change: without(metaTag + "locale"), want: "not applicable"},
	{rule: "og-duplicate-tags", name: "two titles", change: with(`<meta property="og:title" content="Another">`), severity: rule.Warning, says: "og:title (2 values)"},
	{rule: "og-duplicate-tags", name: "the same twice", change: with(`<meta property="og:type" content="article">`), credit: 1, severity: rule.Warning},
	{rule: "og-markup", name: "name", change: to(`property="og:type"`, `name="og:type"`), credit: 0.5, severity: rule.Warning, says: "name="},
	{rule: "og-markup", name: "name and late", change: to(`property="og:type"`, `name="og:type"`, `<meta property="og:site_name"`, `<!--`+strings.Repeat("x", 300_000)+`--><meta property="og:site_name"`), severity: rule.Warning, says: "300 KB"},
	{rule: "og-markup", name: "body", change: to(`<meta property="og:site_name" content="Example">`, "", "<h1>", `<meta property="og:site_name" content="Example"><h1>`), want: "blocked"},
	{rule: "og-markup", name: "no tags", change: change{html: withoutAll("og:")}, want: "not applicable"},
	{rule: "og-clean-values", name: "escaped twice", change: to(`content="Example"`, `content="Ex &amp;amp; Co"`), severity: rule.Warning, says: "escaped twice: “Ex &amp; Co”"},
	{rule: "og-clean-values", name: "template", change: to(`content="Example"`, `content="{{ site }}"`), severity: rule.Warning, says: "{{ site }}"},
	{rule: "og-clean-values", name: "title", change: to(ogTitle, "{{ title }}\""), severity: rule.Warning, says: "og:title is “{{ title }}”"},
	{rule: "og-clean-values", name: "title element", change: to("<title>A page that has all that it should have", "<title>undefined"), severity: rule.Warning, says: "The title is “undefined”"},
	{rule: "og-clean-values", name: "of a generator", change: to("<title>A page that has all that it should have", "<title>React App"), severity: rule.Warning, says: "The title is “React App”"},
	{rule: "og-clean-values", name: "description", change: to(ogDesc, "${page.description} and so on until it is long enough\""), severity: rule.Warning, says: "a template left there"},
	{rule: "og-clean-values", name: "HTML", change: to(`content="Example"`, `content="&lt;b&gt;Example&lt;/b&gt;"`), severity: rule.Warning, says: "HTML"},
	{rule: "og-clean-values", name: "title element escaped twice", change: to("<title>A page that has all that it should", "<title>A page that has all that it should &amp;amp; more &amp;mdash; it&amp;#39;s"), severity: rule.Warning, says: "The title is escaped twice: “A page that has all that it should &amp; more &mdash; it&#39;s have”", advises: "<title>A page that has all that it should &amp; more — it&#39;s have</title>"},
	{rule: "og-clean-values", name: "description escaped twice", change: to("This page shows what a page looks like that every rule of an audit is content with, from top to end.", "This page shows what a page looks like that every rule of an audit is content with, fr, &amp;amp; more &amp;mdash; it&amp;#8217;s"), severity: rule.Warning, says: "The meta description is escaped twice", advises: `, &amp; more — it’s">`},
	{rule: "og-clean-values", name: "all escaped twice", change: to("<title>A page that has all that it should", "<title>A page that has all that it should &amp;amp; more", ogTitle, "A page that has it all &amp;hellip;\"", `content="Example"`, `content="Ex &amp;amp; Co"`), severity: rule.Warning, says: "The title, og:title, og:site_name are escaped twice"},
	{rule: "og-clean-values", name: "about markup", change: to("<title>A page that has all that it should", "<title>A page that has all that it should about HTML &amp;amp; co", ogTitle, "What does &amp;nbsp; mean in HTML?\""), credit: 1, severity: rule.Warning},
	{rule: "og-clean-values", name: "an address with parameters", change: to("<title>A page that has all that it should", "<title>A page that has all that it should ?a=1&amp;copy=2"), credit: 1, severity: rule.Warning},
	{rule: "og-clean-values", name: "null", change: to(`content="Example"`, `content="null"`), severity: rule.Warning, says: "null"},
	{rule: "og-crawlers-allowed", name: "two blocked", change: robots("User-agent: LinkedInBot\nUser-agent: WhatsApp\nDisallow: /blog"), credit: 4. / 6, says: "LinkedInBot, WhatsApp", advises: "User-agent: LinkedInBot\nUser-agent: WhatsApp\nAllow: /"},
	{rule: "og-crawlers-allowed", name: "image blocked", change: robots("User-agent: WhatsApp\nDisallow: /share.jpg"), credit: 11. / 12, says: "from the image"},
	{rule: "og-crawlers-allowed", name: "one from the page, one from the image", change: robots("User-agent: LinkedInBot\nDisallow: /\n\nUser-agent: WhatsApp\nDisallow: /share.jpg"), credit: 4.5 / 6, says: "bare link, and blocks WhatsApp"},
	{rule: "og-crawlers-allowed", name: "no robots.txt",
		change: unasked(func(s *scrape.Result) { s.Robots.State = scrape.Absent }), credit: 1},
	{rule: "seo-robots-txt", name: "blocked", change: robots("User-agent: googlebot\n\nDisallow: /*page"), says: "line 3: “Disallow: /*page”", advises: "Allow: /blog/perfect-page"},
	{rule: "seo-robots-txt", name: "not asked",
		change: unasked(func(s *scrape.Result) { s.Robots.State = scrape.NotAsked }), want: "not applicable"},
	{rule: "twitter-crawler-allowed", name: "image blocked", change: robots("User-agent: Twitterbot\nDisallow: /share.jpg"), credit: 0.5, says: "from its image by line 2"},
	{rule: "twitter-crawler-allowed", name: "blocked", change: robots("User-agent: Twitterbot\nDisallow: /"), says: "line 2", advises: "Allow: /"},
}

// withoutAll are the lines of the page with a text, to be taken away.
func withoutAll(text string) (pairs []string) {
	for line := range strings.Lines(perfectHTML) {
		if strings.Contains(line, text) {
			pairs = append(pairs, line, "")
		}
	}
	return pairs
}

// card is another card type.
func card(name string) change { return to("summary_large_image", name) }

// ownImage is an image of X's own.
func ownImage(src string, edit func(*scrape.ShareImage)) change {
	return both(with(`<meta name=twitter:image content="`+src+`"><meta name=twitter:image:alt content="A card">`),
		change{site: func(s *scrape.Result) { edit(&s.ShareImages[1].Value) }})
}

func untouched(*scrape.ShareImage) {}

const ownURL = "https://www.example.com/x.jpg"

var playerTags = `<meta name=twitter:player content="https://www.example.com/player"><meta name=twitter:player:width content=1280>` +
	`<meta name=twitter:player:height content=720>`

var twitterCases = []testCase{
	{rule: "twitter-card", name: "by Open Graph", change: without(`<meta name="twitter:card"`), credit: 0.4, severity: rule.Warning, says: "summary", advises: `<meta name="twitter:card" content="summary_large_image">`},
	{rule: "twitter-card", name: "none", change: without(`<meta name="twitter:card"`, metaTag+"type", metaTag+"description"), says: "no twitter:card", fixed: without(metaTag+"type", metaTag+"description")},
	{rule: "twitter-card-valid", name: "unknown", change: card("large"), says: "“large”"},
	{rule: "twitter-card-valid", name: "retired", change: card("photo"), credit: 0.25, says: "retired"},
	{rule: "twitter-card-valid", name: "capitals", change: card("Summary_Large_Image"), credit: 1},
	{rule: "twitter-card-valid", name: "none", change: without(`<meta name="twitter:card"`), want: "not applicable"},
	{rule: "twitter-card-fits-image", name: "wide", change: card("summary"), credit: 0.5, severity: rule.Warning, says: "1200x630", advises: "summary_large_image"},
	{rule: "twitter-card-fits-image", name: "square", change: both(card("summary"), shared(sized(1200, 1200))), credit: 1, severity: rule.Warning},
	{rule: "twitter-card-fits-image", name: "no card", change: both(card("large"), change{html: without(metaTag + "title").html}), want: "blocked"},
	{rule: "twitter-card-fits-image", name: "no image", change: noImage, want: "not applicable"},
	{rule: "twitter-image", name: "none", change: noImage, says: "neither", advises: "og:image, which X also uses", fixed: both(without(metaTag+`image" `), with(`<meta name=twitter:image content="`+ownURL+`"><meta name=twitter:image:alt content="A card">`))},
	{rule: "twitter-image", name: "legacy tag", change: with(`<meta name="twitter:image:src" content="` + ownURL + `">`), credit: 1, says: "twitter:image:src"},
	{rule: "twitter-image-reachable", name: "404", change: both(ownImage(ownURL, untouched),
		change{site: func(s *scrape.Result) {
			s.ShareImages[1].State, s.ShareImages[1].Value.Status = scrape.Failed, 404
		}}), says: "404", advises: "Twitterbot"},
	{rule: "twitter-image-reachable", name: "the same file", change: failing(errUpstream, 403), says: "403"},
	{rule: "twitter-image-reachable", name: "no image", change: noImage, want: "blocked"},
	{rule: "twitter-image-url", name: "http", change: ownImage("http://www.example.com/x.jpg", untouched), credit: 0.5, severity: rule.Warning, advises: "full https:// address"},
	{rule: "twitter-image-url", name: "relative", change: ownImage("/x.jpg", untouched), severity: rule.Warning, says: "/x.jpg"},
	{rule: "twitter-image-url", name: "no image", change: noImage, want: "blocked"},
	{rule: "twitter-image-dimensions", name: "300x157", change: ownImage(ownURL, sized(300, 157)), credit: 0.5, severity: rule.Warning, says: "300x157"},
	{rule: "twitter-image-dimensions", name: "299x157", change: ownImage(ownURL, sized(299, 157)), says: "299x157"},
	{rule: "twitter-image-dimensions", name: "600x314", change: ownImage(ownURL, sized(600, 314)), credit: 1},
	{rule: "twitter-image-dimensions", name: "too large", change: ownImage(ownURL, sized(5000, 2600)), says: "4096"},
	{rule: "twitter-image-dimensions", name: "summary", change: both(card("summary"), ownImage(ownURL, sized(144, 144))), credit: 1},
	{rule: "twitter-image-dimensions", name: "small summary", change: both(card("summary"), ownImage(ownURL, sized(143, 143))), says: "144x144", fixed: card("summary")},
	{rule: "twitter-image-dimensions", name: "does not load", change: failing(errUpstream, 404), want: "blocked"},
	{rule: "twitter-image-file-size", name: "6 MB", change: ownImage(ownURL, func(i *scrape.ShareImage) { i.Size = 6_000_000 }), says: "6 MB", advises: "5 MB"},
	{rule: "twitter-image-file-size", name: "does not load", change: failing(errUpstream, 404), want: "blocked"},
	{rule: "twitter-image-format", name: "svg", change: ownImage(ownURL, func(i *scrape.ShareImage) { i.Facts.Format = picture.SVG }), says: "SVG"},
	{rule: "twitter-image-format", name: "animation", change: ownImage(ownURL, func(i *scrape.ShareImage) {
		i.Facts.Format, i.Facts.Animated = picture.GIF, picture.Yes
	}), credit: 1, says: "first frame"},
	{rule: "twitter-image-format", name: "does not load", change: failing(errUpstream, 404), want: "blocked"},
	{rule: "twitter-image-alt", name: "none", change: both(with(`<meta name=twitter:image content="`+ownURL+`">`), change{}), severity: rule.Warning, advises: "twitter:image:alt"},
	{rule: "twitter-image-alt", name: "long", change: with(`<meta name=twitter:image:alt content="` + letters(421) + `">`), severity: rule.Warning, says: "421"},
	{rule: "twitter-image-alt", name: "no image", change: noImage, want: "blocked"},
	{rule: "twitter-site", name: "none", change: without(`<meta name="twitter:site"`), severity: rule.Warning, advises: "@example"},
	{rule: "twitter-site", name: "without @", change: to(`"@example"`, `"example"`), credit: 0.5, severity: rule.Warning, advises: `content="@example"`},
	{rule: "twitter-site", name: "profile", change: to(`"@example"`, `"https://x.com/example"`), credit: 0.5, severity: rule.Warning, advises: `content="@example"`},
	{rule: "twitter-site", name: "id", change: to(`name="twitter:site" content="@example"`, `name="twitter:site:id" content="123"`), credit: 1, severity: rule.Warning},
	{rule: "twitter-site", name: "no handle", change: to(`"@example"`, `"The Example"`), severity: rule.Warning, says: "not a handle: a handle has no spaces"},
	{rule: "twitter-site", name: "too long", change: to(`"@example"`, `"@example_of_a_long_name"`), severity: rule.Warning, says: "it has 22 characters after the @, and X allows 15"},
	{rule: "twitter-site", name: "another address", change: to(`"@example"`, `"https://example.com/us"`), severity: rule.Warning, says: "not that of a profile on X"},
	{rule: "twitter-site", name: "hyphen", change: to(`"@example"`, `"@my-example"`), severity: rule.Warning, says: "no hyphens"},
	{rule: "twitter-site", name: "other script", change: to(`"@example"`, `"@пример"`), severity: rule.Warning, says: "letters A to Z"},
	{rule: "twitter-site", name: "at alone", change: to(`"@example"`, `"@"`), severity: rule.Warning, says: "no name after"},
	{rule: "twitter-creator", name: "none", change: without(`<meta name="twitter:creator"`), severity: rule.Info, advises: "@example"},
	{rule: "twitter-creator", name: "without @", change: to(`"@author"`, `"author"`), credit: 0.5, severity: rule.Info},
	{rule: "twitter-card-complete", name: "player", change: both(card("player"), with(playerTags)), credit: 1},
	{rule: "twitter-card-complete", name: "bare player", change: card("player"), says: "twitter:player, twitter:player:width, twitter:player:height", fixed: both(card("player"), with(playerTags))},
	{rule: "twitter-card-complete", name: "app", change: both(card("app"), with(`<meta name=twitter:app:id:ipad content=1>`)), credit: 1},
	{rule: "twitter-card-complete", name: "bare app", change: card("app"), says: "twitter:app:id:iphone", fixed: both(card("app"), with(`<meta name=twitter:app:id:ipad content=1>`))},
	{rule: "twitter-card-complete", name: "other card", change: change{}, want: "not applicable"},
}
