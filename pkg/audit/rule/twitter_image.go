package rule

import (
	"strings"

	"github.com/rivo/uniseg"

	"masthead/pkg/humanize"
	"masthead/pkg/picture"
	"masthead/pkg/platform"
)

var _ = register(Rule{
	ID: "twitter-image", Category: Twitter, Severity: Error, Weight: 14, Title: "Card image", Sources: []Source{X},
	When: "twitter:image, or else og:image, is an http or https address.",
	Fix:  "Add twitter:image or og:image with the address of a picture.",
	check: func(f *facts) verdict {
		if image := f.imageOfX(); image != nil {
			return f.pass("X uses the image from %s: %s.", image.tag, f.show(image.url))
		}
		return f.fail("There is neither a usable twitter:image nor og:image.").hides(onX).
			fix("Add og:image, which X also uses, or a twitter:image of its own.")
	},
	apply: func(f *facts) {
		const sample = "https://images.example/card.jpg"
		f.tagged = &shareImage{written: sample, url: sample, tag: "twitter:image", file: goodFile()}
		f.twAlt = sampleTitle
	},
})

var _ = register(Rule{
	ID: "twitter-image-reachable", Category: Twitter, Severity: Error, Weight: 7, Title: "Card image loads",
	Needs: "twitter-image", Sources: []Source{X},
	When: "The image that X uses loads with status 200 within 8 s and 3 redirects, and is a picture.",
	Fix:  "Serve the image with status 200 to Twitterbot.",
	check: func(f *facts) verdict {
		return f.loads(f.imageOfX(), "Twitterbot").hides(f.refusing(f.imageOfX(), onX, platform.ByFault))
	},
	apply: func(f *facts) { f.fixLoads(f.imageOfX()) },
})

var _ = register(Rule{
	ID: "twitter-image-url", Category: Twitter, Severity: Warning, Weight: 3, Title: "Card image URL",
	Needs: "twitter-image", Sources: []Source{X},
	When: "The address is a full one, with https://. Half the points with http://, unless it is on localhost as the " +
		"page is.",
	Fix: "Use a full https:// address.",
	check: func(f *facts) verdict {
		image := f.imageOfX()
		v := f.fail("%s is written as “%s”, which is not a full address.", image.tag, f.show(image.written))
		switch formOf(image.written) {
		case absoluteHTTPS:
			return f.pass("%s is a full https address.", image.tag)
		case absoluteHTTP:
			if f.loopback && onLoopback(image.url) {
				return f.pass("%s is a full address on localhost, which needs no https.", image.tag)
			}
			v = f.found(0.5, "%s is an unencrypted address: %s.", image.tag, f.show(image.written))
		}
		address := image.url
		if !strings.HasPrefix(address, "https:") {
			address = image.file.final
		}
		code := ""
		switch {
		case !strings.HasPrefix(address, "https:"):
		case image.tag == "og:image":
			code = f.groupOf(image, address, f.ogAlt)
		default:
			code = f.address("name", image.tag, address)
		}
		return v.fix("Use a full https:// address in %s (it is “%s”):", image.tag, f.show(image.written)).paste(code)
	},
	apply: func(f *facts) {
		if f.tagged != nil {
			f.fixAddress(&f.tagged)
		} else {
			f.fixAddress(&f.og)
		}
	},
})

var _ = register(Rule{
	ID: "twitter-image-dimensions", Category: Twitter, Severity: Error, Weight: 6, Title: "Card image dimensions",
	Needs: "twitter-image-reachable", Sources: []Source{X},
	When: "At least 600x314 pixels, for a summary card 144x144. Half the points (a warning) from 300x157 on a large " +
		"card. No side above 4096.",
	Fix: "summary_large_image accepts 300x157 to 4096x4096 pixels, best 1200x630; summary accepts 144x144 to 4096x4096.",
	check: func(f *facts) verdict {
		w, h := f.imageOfX().file.facts.Width, f.imageOfX().file.facts.Height
		summary := f.cardOfX() == "summary"
		v := f.fail("The card image is %dx%d; X accepts 300x157 to 4096x4096, best 1200x630.", w, h)
		switch {
		case w > cardMost || h > cardMost:
			v = f.fail("The card image is %dx%d; X accepts no side above 4096.", w, h)
		case summary && w >= cardSummary && h >= cardSummary, !summary && w >= cardWidth && h >= cardHeight:
			return f.pass("The card image is %dx%d.", w, h)
		case summary:
			v = f.fail("The card image is %dx%d; a summary card needs at least 144x144.", w, h)
		case w >= cardLeastWidth && h >= cardLeastHeight:
			v = f.found(0.5, "The card image is %dx%d; X shows it, but small ones look blurred (best 1200x630).", w, h).
				as(Warning)
		}
		return v.fix("Use an image of %dx%d pixels (it is %dx%d): summary_large_image accepts 300x157 to 4096x4096, summary "+
			"144x144 to 4096x4096.", bestWidth, bestHeight, w, h).
			hides(f.refusing(f.imageOfX(), onX, platform.BySize) | f.refusing(f.imageOfX(), onX, platform.BySide))
	},
	apply: func(f *facts) { f.fixFile(f.imageOfX(), bestSize) },
})

var _ = register(Rule{
	ID: "twitter-image-file-size", Category: Twitter, Severity: Error, Weight: 3, Title: "Card image file size",
	Needs: "twitter-image-reachable", Sources: []Source{X},
	When: "The file has at most 5 MB.",
	Fix:  "Compress it below 5 MB.",
	check: func(f *facts) verdict {
		size := f.imageOfX().file.size
		if f.imageOfX().file.atLeast && size <= bytesX {
			return unchecked(noLength)
		}
		if size <= bytesX {
			return f.pass("The card image has %s.", humanize.Bytes(size))
		}
		return f.fail("The card image has %s; X accepts at most 5 MB.", humanize.Bytes(size)).
			fix("Compress the card image below 5 MB (it has %s).", humanize.Bytes(size)).
			hides(f.refusing(f.imageOfX(), onX, platform.ByBytes))
	},
	apply: func(f *facts) {
		f.fixFile(f.imageOfX(), func(file *file) { file.size, file.atLeast = min(file.size, bytesX), false })
	},
})

var _ = register(Rule{
	ID: "twitter-image-format", Category: Twitter, Severity: Error, Weight: 4, Title: "Card image format",
	Needs: "twitter-image-reachable", Sources: []Source{X},
	When: "The file's actual format is JPEG, PNG, WebP or GIF (of which only the first frame is shown).",
	Fix:  "Use JPG, PNG, WEBP or GIF; X does not show SVG.",
	check: func(f *facts) verdict {
		facts := &f.imageOfX().file.facts
		name := strings.ToUpper(facts.Format.String())
		switch facts.Format {
		case picture.GIF:
			if facts.Animated == picture.Yes {
				return f.pass("The card image is an animated GIF; only the first frame is shown.")
			}
			return f.pass("The card image is a GIF.")
		case picture.JPEG, picture.PNG, picture.WebP:
			return f.pass("The card image is a %s.", name)
		}
		return f.fail("The card image is a file of type %s, which X does not show.", name).
			fix("Use a JPG, PNG, WEBP or GIF (it is %s).", name).
			hides(f.refusing(f.imageOfX(), onX, platform.ByFormat))
	},
	apply: func(f *facts) {
		f.fixFile(f.imageOfX(), func(file *file) { file.facts.Format, file.contentType = picture.JPEG, "image/jpeg" })
	},
})

var _ = register(Rule{
	ID: "twitter-image-alt", Category: Twitter, Severity: Warning, Weight: 3, Title: "Card image alternative text",
	Needs: "twitter-image", Sources: []Source{X},
	When: "twitter:image:alt has 3 to 420 characters; for the Open Graph image, og:image:alt is enough, whose rule " +
		"reports that neither is there.",
	Fix: "Add twitter:image:alt with at most 420 characters.",
	check: func(f *facts) verdict {
		tag, text := "twitter:image:alt", f.twAlt
		if text == "" && f.showsOG() {
			if tag, text = "og:image:alt", f.ogAlt; f.alt(tag, text).credit < 1 {
				return verdict{state: blocked}
			}
		}
		n := uniseg.GraphemeClusterCount(text)
		v := f.fail("There is no twitter:image:alt, so people who cannot see the image get no description.")
		switch {
		case n >= altLeast && n <= altMost:
			return f.pass("%s is “%s”.", tag, f.show(text))
		case text != "":
			v = f.fail("%s has %s; %d to %d are good.", tag, humanize.Count(n, "character"), altLeast, altMost)
		}
		return v.fix("Describe what the image shows in twitter:image:alt, in at most %d characters.", altMost)
	},
	apply: func(f *facts) { f.twAlt = sampleTitle },
})

// showsOG reports whether X shows the Open Graph picture, by a tag of its own or without.
func (f *facts) showsOG() bool { return f.og != nil && (f.tagged == nil || f.tagged.url == f.og.url) }
