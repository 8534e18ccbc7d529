package rule

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/rivo/uniseg"

	"masthead/pkg/humanize"
	"masthead/pkg/picture"
	"masthead/pkg/platform"
)

var _ = register(Rule{
	ID: "og-image", Category: OG, Severity: Error, Weight: 12, Title: "Share image", Sources: []Source{OGP, FB},
	When: "An og:image (or og:image:url, og:image:secure_url) is an http or https address.",
	Fix:  "Add og:image with the address of a JPEG or PNG of 1200x630 pixels.",
	check: func(f *facts) verdict {
		if f.og != nil {
			return f.pass("og:image is %s.", f.show(f.og.url))
		}
		v := f.fail("There is no og:image, so most networks show the link without a picture.")
		if pair := f.page.Meta.Find("og:image"); pair != nil {
			v = f.fail("og:image is “%s”, which is not an http or https address.", f.show(pair.Value))
		}
		v = v.hides(onFacebooks)
		if image := f.tagged; image != nil && image.file.measured() {
			return v.fix("Add og:image with the picture that %s already has:", image.tag).
				paste(f.groupOf(image, image.url, f.twAlt))
		}
		return v.fix("Add og:image with the address of a JPEG or PNG of %dx%d pixels. With a card drawn by Masthead, saved "+
			"as /%s, these are its elements, to be kept in this order:", bestWidth, bestHeight, CardFile).
			paste(f.cardGroup())
	},
})

var _ = register(Rule{
	ID: "og-image-reachable", Category: OG, Severity: Error, Weight: 8, Title: "Share image loads", Needs: "og-image",
	Sources: []Source{FB, LI},
	When: "The first share image loads with status 200 within 8 s and 3 redirects, and is a picture. Half the points " +
		"(a warning) where the address is one of Masthead's with parameters that have no effect (X-Masthead-Ignored).",
	Fix: "Serve the image publicly with status 200, without a login and without blocking bots or hotlinks.",
	check: func(f *facts) verdict {
		return f.loads(f.og, "crawlers").hides(f.refusing(f.og, onFacebooks, platform.ByFault))
	},
	apply: func(f *facts) { f.fixLoads(f.og) },
})

// loads judges whether a share image could be fetched.
func (f *facts) loads(image *shareImage, who string) verdict {
	switch {
	case !image.file.asked:
		return inapplicable
	case image.file.fault == "" && image.file.ignored != "":
		return f.found(0.5, "The image loads, but its address has parameters without effect: %s.", image.file.ignored).
			as(Warning).fix("Correct the names in the address: %s. Parameters of GET /og are url, kind, template, accent, "+
			"dark, font, logoUrl, logoPosition, aspectRatio, ai, aiModel, aiPrompt and v.", image.file.ignored)
	case image.file.fault == "":
		return f.pass("The image loads: %s, %dx%d, %s.", strings.ToUpper(image.file.facts.Format.String()),
			image.file.facts.Width, image.file.facts.Height, humanize.Bytes(image.file.size))
	}
	return f.fail("The image at %s does not load: %s.", f.show(image.url), image.file.fault).
		fix("Serve the image to %s with status 200, without a login and without blocking bots or hotlinks. "+
			"Our own request failed: %s.%s", who, image.file.fault, f.unpublished(image))
}

// unpublished says how an image of a page on localhost is read there before it is at its public address, or "".
func (f *facts) unpublished(image *shareImage) string {
	if f.quiet || !f.loopback || !strings.HasPrefix(image.url, f.publicOrigin+"/") {
		return ""
	}
	return " Before the site is published, " + f.published() + " reads it from this machine."
}

// fixLoads adds a good picture if there is none, in the declared size if that is a good one.
func (f *facts) fixLoads(image *shareImage) {
	f.fixFile(image, func(file *file) {
		*file = *goodFile()
		w, _ := strconv.Atoi(image.width)
		h, _ := strconv.Atoi(image.height)
		if w >= bestWidth && h >= leastBestHeight && w <= cardMost && h <= cardMost &&
			float64(w)/float64(h) >= ratioLow && float64(w)/float64(h) <= ratioHigh {
			file.facts.Width, file.facts.Height = w, h
		}
	})
}

var _ = register(Rule{
	ID: "og-image-absolute-url", Category: OG, Severity: Error, Weight: 2, Title: "Share image URL is absolute",
	Needs: "og-image", Sources: []Source{FB, LI},
	When: "og:image is a full http or https address. Half the points (a warning) without the scheme (//host).",
	Fix:  "Write the full address including https://; not every crawler resolves shorter forms.",
	check: func(f *facts) verdict {
		v := f.fail("og:image is written as “%s”, which not every crawler resolves.", f.show(f.og.written))
		switch formOf(f.og.written) {
		case absoluteHTTP, absoluteHTTPS:
			return f.pass("og:image is a full address.")
		case schemeless:
			v = f.found(0.5, "og:image is written without a scheme: “%s”.", f.show(f.og.written)).as(Warning)
		}
		return v.fix("Write the full address including https://; “%s” is not resolved by every crawler:",
			f.show(f.og.written)).paste(f.groupOf(f.og, f.og.url, f.ogAlt))
	},
	apply: func(f *facts) {
		changed := *f.og
		changed.written = changed.url
		f.og = &changed
	},
})

var _ = register(Rule{
	ID: "og-image-https", Category: OG, Severity: Warning, Weight: 3, Title: "Share image over HTTPS", Needs: "og-image",
	Sources: []Source{FB, OGP},
	When: "The share image, or its og:image:secure_url, is at an https address, or on localhost as the page is, which " +
		"needs none.",
	Fix: "Serve the image over https:// and put that address into og:image.",
	check: func(f *facts) verdict {
		if strings.HasPrefix(f.og.url, "https:") {
			return f.pass("The share image is at an https address.")
		}
		if f.loopback && onLoopback(f.og.url) {
			return f.pass("The share image is on localhost, which needs no https.")
		}
		return f.fail("The share image is at %s, which is unencrypted.", f.show(f.og.url)).
			fix("Serve the image over https:// and put that address into og:image:").
			paste(f.securely(f.og))
	},
	apply: func(f *facts) { f.fixAddress(&f.og) },
})

// securely returns the elements of a share image whose server redirects to https, with that address; "" for another.
func (f *facts) securely(image *shareImage) string {
	if !strings.HasPrefix(image.file.final, "https:") {
		return ""
	}
	return f.groupOf(image, image.file.final, f.ogAlt)
}

var _ = register(Rule{
	ID: "og-image-declared-size", Category: OG, Severity: Warning, Weight: 1, Title: "Declared image size",
	Needs: "og-image", Sources: []Source{FB},
	When: "og:image:width and og:image:height are positive whole numbers within 2 % of the real size (or the image " +
		"could not be measured). Half the points with one of them, a quarter when both are wrong.",
	Fix: "Add og:image:width and og:image:height, so that the first share already shows the image.",
	check: func(f *facts) verdict {
		w, h := positive(f.og.width), positive(f.og.height)
		wide, high := bestWidth, bestHeight
		measured := f.og.file.measured() && f.og.file.ratio() > 0
		if measured {
			wide, high = f.og.file.facts.Width, f.og.file.facts.Height
		}
		v := f.fail("The page does not declare the size of the image.")
		switch {
		case w > 0 && h > 0 && !measured:
			return f.pass("The declared size is %dx%d.", w, h)
		case w > 0 && h > 0 && near(w, wide) && near(h, high):
			return f.pass("The declared size %dx%d is the real one.", w, h)
		case w > 0 && h > 0:
			v = f.found(0.25, "The page declares %dx%d, but the image is %dx%d.", w, h, wide, high)
		case w > 0 || h > 0:
			v = f.found(0.5, "The page declares only one side of the image.")
		}
		if f.og.file.facts.Format == picture.SVG { // the picture to export in its place has another size
			return v.fix("Declare the size of the picture that you export in place of the SVG: %dx%d.", bestWidth, bestHeight)
		}
		if !measured {
			return v.fix("Declare the width and the height of the image, so that the first share already shows it.")
		}
		return v.fix("Declare the size of the image (%dx%d), so that the first share already shows it. The properties "+
			"belong right after their og:image:", wide, high).paste(f.groupOf(f.og, f.og.url, f.ogAlt))
	},
})

// positive parses a positive integer; anything else is 0.
func positive(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

func near(declared, measured int) bool {
	d := float64(declared - measured)
	return max(d, -d) <= declaredTolerance*float64(measured)
}

var _ = register(Rule{
	ID: "og-image-alt", Category: OG, Severity: Warning, Weight: 3, Title: "Share image alternative text",
	Needs: "og-image", Sources: []Source{OGP, X},
	When: "og:image:alt has 3 to 420 characters and is not a file name or an address.",
	Fix:  "Add og:image:alt and describe what the image shows in at most 420 characters.",
	check: func(f *facts) verdict {
		code := ""
		if f.tagged != nil && f.og.url == f.tagged.url && f.alt("", f.twAlt).credit == 1 {
			code = f.groupOf(f.og, f.og.url, f.twAlt)
		}
		return f.alt("og:image:alt", f.ogAlt).
			fix("Describe what the image shows in at most %d characters, right after its og:image:", altMost).paste(code)
	},
	apply: func(f *facts) { f.ogAlt = sampleTitle },
})

var fileName = regexp.MustCompile(`(?i)^\S+\.(jpe?g|png|gif|webp|avif|svg|bmp|heic|tiff?)$`)

// alt judges an alternative text.
func (f *facts) alt(tag, text string) verdict {
	n := uniseg.GraphemeClusterCount(text)
	switch {
	case text == "":
		return f.fail("There is no %s, so people who cannot see the image get no description.", tag)
	case fileName.MatchString(text) || formOf(text) != relative:
		return f.fail("%s is “%s”: a file name or an address does not describe the image.", tag, f.show(text))
	case n < altLeast || n > altMost:
		return f.fail("%s has %s; %d to %d are good.", tag, humanize.Count(n, "character"), altLeast, altMost)
	}
	return f.pass("%s is “%s”.", tag, f.show(text))
}
