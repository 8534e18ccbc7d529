package checks

import (
	"strings"

	"github.com/rivo/uniseg"

	"masthead/pkg/audit/rule"
	"masthead/pkg/humanize"
	"masthead/pkg/picture"
	"masthead/pkg/platform"
)

var twitterImage = rule.Rule{
	ID: "twitter-image", Category: rule.Twitter, Severity: rule.Error, Weight: 14, Title: "Card image",
	Sources: []rule.Source{rule.X},
	When:    "twitter:image, or else og:image, is an http or https address.",
	Fix:     "Add twitter:image or og:image with the address of a picture.",
	Check: func(f *rule.Facts) rule.Verdict {
		if image := f.ImageOfX(); image != nil {
			return f.Pass("X uses the image from %s: %s.", image.Tag, f.Show(image.URL))
		}
		return f.Fail("There is neither a usable twitter:image nor og:image.").Hides(rule.OnX).
			Fix("Add og:image, which X also uses, or a twitter:image of its own.")
	},
	Apply: func(f *rule.Facts) {
		const sample = "https://images.example/card.jpg"
		f.TaggedX = &rule.ShareImage{Written: sample, URL: sample, Tag: "twitter:image", File: rule.GoodFile()}
		f.TwitterAlt = rule.SampleTitle
	},
}

var twitterImageReachable = rule.Rule{
	ID: "twitter-image-reachable", Category: rule.Twitter, Severity: rule.Error, Weight: 7, Title: "Card image loads",
	Needs: "twitter-image", Sources: []rule.Source{rule.X},
	When: "The image that X uses loads with status 200 within 8 s and 3 redirects, and is a picture.",
	Fix:  "Serve the image with status 200 to Twitterbot.",
	Check: func(f *rule.Facts) rule.Verdict {
		return loads(f, f.ImageOfX(), "Twitterbot").Hides(f.Refusing(f.ImageOfX(), rule.OnX, platform.ByFault))
	},
	Apply: func(f *rule.Facts) { fixLoads(f, f.ImageOfX()) },
}

var twitterImageURL = rule.Rule{
	ID: "twitter-image-url", Category: rule.Twitter, Severity: rule.Warning, Weight: 3, Title: "Card image URL",
	Needs: "twitter-image", Sources: []rule.Source{rule.X},
	When: "The address is a full one, with https://. Half the points with http://, unless it is on localhost as the " +
		"page is.",
	Fix: "Use a full https:// address.",
	Check: func(f *rule.Facts) rule.Verdict {
		image := f.ImageOfX()
		v := f.Fail("%s is written as “%s”, which is not a full address.", image.Tag, f.Show(image.Written))
		switch rule.FormOf(image.Written) {
		case rule.AbsoluteHTTPS:
			return f.Pass("%s is a full https address.", image.Tag)
		case rule.AbsoluteHTTP:
			if f.Loopback && rule.OnLoopback(image.URL) {
				return f.Pass("%s is a full address on localhost, which needs no https.", image.Tag)
			}
			v = f.Found(0.5, "%s is an unencrypted address: %s.", image.Tag, f.Show(image.Written))
		}
		address := image.URL
		if !strings.HasPrefix(address, "https:") {
			address = image.File.Final
		}
		code := ""
		switch {
		case !strings.HasPrefix(address, "https:"):
		case image.Tag == "og:image":
			code = f.GroupOf(image, address, f.OGAlt)
		default:
			code = f.Address("name", image.Tag, address)
		}
		return v.Fix("Use a full https:// address in %s (it is “%s”):", image.Tag, f.Show(image.Written)).Paste(code)
	},
	Apply: func(f *rule.Facts) {
		if f.TaggedX != nil {
			f.FixAddress(&f.TaggedX)
		} else {
			f.FixAddress(&f.OG)
		}
	},
}

var twitterImageDimensions = rule.Rule{
	ID: "twitter-image-dimensions", Category: rule.Twitter, Severity: rule.Error, Weight: 6,
	Title: "Card image dimensions",
	Needs: "twitter-image-reachable", Sources: []rule.Source{rule.X},
	When: "At least 600x314 pixels, for a summary card 144x144. Half the points (a warning) from 300x157 on a large " +
		"card. No side above 4096.",
	Fix: "summary_large_image accepts 300x157 to 4096x4096 pixels, best 1200x630; summary accepts 144x144 to 4096x4096.",
	Check: func(f *rule.Facts) rule.Verdict {
		w, h := f.ImageOfX().File.Facts.Width, f.ImageOfX().File.Facts.Height
		summary := f.CardOfX() == "summary"
		v := f.Fail("The card image is %dx%d; X accepts 300x157 to 4096x4096, best 1200x630.", w, h)
		switch {
		case w > cardMost || h > cardMost:
			v = f.Fail("The card image is %dx%d; X accepts no side above 4096.", w, h)
		case summary && w >= cardSummary && h >= cardSummary, !summary && w >= cardWidth && h >= cardHeight:
			return f.Pass("The card image is %dx%d.", w, h)
		case summary:
			v = f.Fail("The card image is %dx%d; a summary card needs at least 144x144.", w, h)
		case w >= cardLeastWidth && h >= cardLeastHeight:
			v = f.Found(0.5, "The card image is %dx%d; X shows it, but small ones look blurred (best 1200x630).", w, h).
				As(rule.Warning)
		}
		return v.Fix("Use an image of %dx%d pixels (it is %dx%d): summary_large_image accepts 300x157 to 4096x4096, summary "+
			"144x144 to 4096x4096.", rule.BestWidth, rule.BestHeight, w, h).
			Hides(f.Refusing(f.ImageOfX(), rule.OnX, platform.BySize) | f.Refusing(f.ImageOfX(), rule.OnX, platform.BySide))
	},
	Apply: func(f *rule.Facts) { f.FixFile(f.ImageOfX(), bestSize) },
}

var twitterImageFileSize = rule.Rule{
	ID: "twitter-image-file-size", Category: rule.Twitter, Severity: rule.Error, Weight: 3, Title: "Card image file size",
	Needs: "twitter-image-reachable", Sources: []rule.Source{rule.X},
	When: "The file has at most 5 MB.",
	Fix:  "Compress it below 5 MB.",
	Check: func(f *rule.Facts) rule.Verdict {
		size := f.ImageOfX().File.Size
		if f.ImageOfX().File.AtLeast && size <= bytesX {
			return rule.Unchecked(noLength)
		}
		if size <= bytesX {
			return f.Pass("The card image has %s.", humanize.Bytes(size))
		}
		return f.Fail("The card image has %s; X accepts at most 5 MB.", humanize.Bytes(size)).
			Fix("Compress the card image below 5 MB (it has %s).", humanize.Bytes(size)).
			Hides(f.Refusing(f.ImageOfX(), rule.OnX, platform.ByBytes))
	},
	Apply: func(f *rule.Facts) {
		f.FixFile(f.ImageOfX(), func(file *rule.File) { file.Size, file.AtLeast = min(file.Size, bytesX), false })
	},
}

var twitterImageFormat = rule.Rule{
	ID: "twitter-image-format", Category: rule.Twitter, Severity: rule.Error, Weight: 4, Title: "Card image format",
	Needs: "twitter-image-reachable", Sources: []rule.Source{rule.X},
	When: "The file's actual format is JPEG, PNG, WebP or GIF (of which only the first frame is shown).",
	Fix:  "Use JPG, PNG, WEBP or GIF; X does not show SVG.",
	Check: func(f *rule.Facts) rule.Verdict {
		facts := &f.ImageOfX().File.Facts
		name := strings.ToUpper(facts.Format.String())
		switch facts.Format {
		case picture.GIF:
			if facts.Animated == picture.Yes {
				return f.Pass("The card image is an animated GIF; only the first frame is shown.")
			}
			return f.Pass("The card image is a GIF.")
		case picture.JPEG, picture.PNG, picture.WebP:
			return f.Pass("The card image is a %s.", name)
		}
		return f.Fail("The card image is a file of type %s, which X does not show.", name).
			Fix("Use a JPG, PNG, WEBP or GIF (it is %s).", name).
			Hides(f.Refusing(f.ImageOfX(), rule.OnX, platform.ByFormat))
	},
	Apply: func(f *rule.Facts) {
		f.FixFile(f.ImageOfX(), func(file *rule.File) { file.Facts.Format, file.ContentType = picture.JPEG, "image/jpeg" })
	},
}

var twitterImageAlt = rule.Rule{
	ID: "twitter-image-alt", Category: rule.Twitter, Severity: rule.Warning, Weight: 3,
	Title: "Card image alternative text",
	Needs: "twitter-image", Sources: []rule.Source{rule.X},
	When: "twitter:image:alt has 3 to 420 characters; for the Open Graph image, og:image:alt is enough, whose rule " +
		"reports that neither is there.",
	Fix: "Add twitter:image:alt with at most 420 characters.",
	Check: func(f *rule.Facts) rule.Verdict {
		tag, text := "twitter:image:alt", f.TwitterAlt
		if text == "" && showsOG(f) {
			if tag, text = "og:image:alt", f.OGAlt; alt(f, tag, text).Credit < 1 {
				return rule.Verdict{State: rule.Blocked}
			}
		}
		n := uniseg.GraphemeClusterCount(text)
		v := f.Fail("There is no twitter:image:alt, so people who cannot see the image get no description.")
		switch {
		case n >= altLeast && n <= altMost:
			return f.Pass("%s is “%s”.", tag, f.Show(text))
		case text != "":
			v = f.Fail("%s has %s; %d to %d are good.", tag, humanize.Count(n, "character"), altLeast, altMost)
		}
		return v.Fix("Describe what the image shows in twitter:image:alt, in at most %d characters.", altMost)
	},
	Apply: func(f *rule.Facts) { f.TwitterAlt = rule.SampleTitle },
}

// showsOG reports whether X shows the Open Graph picture, by a tag of its own or without.
func showsOG(f *rule.Facts) bool {
	return f.OG != nil && (f.TaggedX == nil || f.TaggedX.URL == f.OG.URL)
}
