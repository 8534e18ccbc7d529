package checks

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/rivo/uniseg"

	"masthead/pkg/audit/rule"
	"masthead/pkg/humanize"
	"masthead/pkg/picture"
	"masthead/pkg/platform"
)

var ogImage = rule.Rule{
	ID: "og-image", Category: rule.OG, Severity: rule.Error, Weight: 12, Title: "Share image",
	Sources: []rule.Source{rule.OGP, rule.FB},
	When:    "An og:image (or og:image:url, og:image:secure_url) is an http or https address.",
	Fix:     "Add og:image with the address of a JPEG or PNG of 1200x630 pixels.",
	Check: func(f *rule.Facts) rule.Verdict {
		if f.OG != nil {
			return f.Pass("og:image is %s.", f.Show(f.OG.URL))
		}
		v := f.Fail("There is no og:image, so most networks show the link without a picture.")
		if pair := f.Page.Meta.Find("og:image"); pair != nil {
			v = f.Fail("og:image is “%s”, which is not an http or https address.", f.Show(pair.Value))
		}
		v = v.Hides(rule.OnFacebooks)
		if image := f.TaggedX; image != nil && image.File.Measured() {
			return v.Fix("Add og:image with the picture that %s already has:", image.Tag).
				Paste(f.GroupOf(image, image.URL, f.TwitterAlt))
		}
		return v.Fix("Add og:image with the address of a JPEG or PNG of %dx%d pixels. With a card drawn by Masthead, saved "+
			"as /%s, these are its elements, to be kept in this order:", rule.BestWidth, rule.BestHeight, rule.CardFile).
			Paste(f.CardGroup())
	},
}

var ogImageReachable = rule.Rule{
	ID: "og-image-reachable", Category: rule.OG, Severity: rule.Error, Weight: 8,
	Title: "Share image loads", Needs: "og-image",
	Sources: []rule.Source{rule.FB, rule.LI},
	When: "The first share image loads with status 200 within 8 s and 3 redirects, and is a picture. Half the points " +
		"(a warning) where the address is one of Masthead's with parameters that have no effect (X-Masthead-Ignored).",
	Fix: "Serve the image publicly with status 200, without a login and without blocking bots or hotlinks.",
	Check: func(f *rule.Facts) rule.Verdict {
		return loads(f, f.OG, "crawlers").Hides(f.Refusing(f.OG, rule.OnFacebooks, platform.ByFault))
	},
	Apply: func(f *rule.Facts) { fixLoads(f, f.OG) },
}

// loads judges whether a share image could be fetched.
func loads(f *rule.Facts, image *rule.ShareImage, who string) rule.Verdict {
	switch {
	case !image.File.Asked:
		return rule.Inapplicable
	case image.File.Fault == "" && image.File.Ignored != "":
		return f.Found(0.5, "The image loads, but its address has parameters without effect: %s.", image.File.Ignored).
			As(rule.Warning).Fix("Correct the names in the address: %s. Parameters of GET /og are url, kind, template, accent, "+
			"dark, font, logoUrl, logoPosition, aspectRatio, ai, aiModel, aiPrompt and v.", image.File.Ignored)
	case image.File.Fault == "":
		return f.Pass("The image loads: %s, %dx%d, %s.", strings.ToUpper(image.File.Facts.Format.String()),
			image.File.Facts.Width, image.File.Facts.Height, humanize.Bytes(image.File.Size))
	}
	return f.Fail("The image at %s does not load: %s.", f.Show(image.URL), image.File.Fault).
		Fix("Serve the image to %s with status 200, without a login and without blocking bots or hotlinks. "+
			"Our own request failed: %s.%s", who, image.File.Fault, unpublished(f, image))
}

// unpublished says how an image of a page on localhost is read there before it is at its public address, or "".
func unpublished(f *rule.Facts, image *rule.ShareImage) string {
	if f.Quiet || !f.Loopback || !strings.HasPrefix(image.URL, f.PublicOrigin+"/") {
		return ""
	}
	return " Before the site is published, " + f.Published() + " reads it from this machine."
}

// fixLoads adds a good picture if there is none, in the declared size if that is a good one.
func fixLoads(f *rule.Facts, image *rule.ShareImage) {
	f.FixFile(image, func(file *rule.File) {
		*file = *rule.GoodFile()
		w, _ := strconv.Atoi(image.Width)
		h, _ := strconv.Atoi(image.Height)
		if w >= rule.BestWidth && h >= leastBestHeight && w <= cardMost && h <= cardMost &&
			float64(w)/float64(h) >= ratioLow && float64(w)/float64(h) <= ratioHigh {
			file.Facts.Width, file.Facts.Height = w, h
		}
	})
}

var ogImageAbsoluteURL = rule.Rule{
	ID: "og-image-absolute-url", Category: rule.OG, Severity: rule.Error, Weight: 2, Title: "Share image URL is absolute",
	Needs: "og-image", Sources: []rule.Source{rule.FB, rule.LI},
	When: "og:image is a full http or https address. Half the points (a warning) without the scheme (//host).",
	Fix:  "Write the full address including https://; not every crawler resolves shorter forms.",
	Check: func(f *rule.Facts) rule.Verdict {
		v := f.Fail("og:image is written as “%s”, which not every crawler resolves.", f.Show(f.OG.Written))
		switch rule.FormOf(f.OG.Written) {
		case rule.AbsoluteHTTP, rule.AbsoluteHTTPS:
			return f.Pass("og:image is a full address.")
		case rule.Schemeless:
			v = f.Found(0.5, "og:image is written without a scheme: “%s”.", f.Show(f.OG.Written)).As(rule.Warning)
		}
		return v.Fix("Write the full address including https://; “%s” is not resolved by every crawler:",
			f.Show(f.OG.Written)).Paste(f.GroupOf(f.OG, f.OG.URL, f.OGAlt))
	},
	Apply: func(f *rule.Facts) {
		changed := *f.OG
		changed.Written = changed.URL
		f.OG = &changed
	},
}

var ogImageHTTPS = rule.Rule{
	ID: "og-image-https", Category: rule.OG, Severity: rule.Warning, Weight: 3,
	Title: "Share image over HTTPS", Needs: "og-image",
	Sources: []rule.Source{rule.FB, rule.OGP},
	When: "The share image, or its og:image:secure_url, is at an https address, or on localhost as the page is, which " +
		"needs none.",
	Fix: "Serve the image over https:// and put that address into og:image.",
	Check: func(f *rule.Facts) rule.Verdict {
		if strings.HasPrefix(f.OG.URL, "https:") {
			return f.Pass("The share image is at an https address.")
		}
		if f.Loopback && rule.OnLoopback(f.OG.URL) {
			return f.Pass("The share image is on localhost, which needs no https.")
		}
		return f.Fail("The share image is at %s, which is unencrypted.", f.Show(f.OG.URL)).
			Fix("Serve the image over https:// and put that address into og:image:").
			Paste(securely(f, f.OG))
	},
	Apply: func(f *rule.Facts) { f.FixAddress(&f.OG) },
}

// securely returns the elements of a share image whose server redirects to https, with that address; "" for another.
func securely(f *rule.Facts, image *rule.ShareImage) string {
	if !strings.HasPrefix(image.File.Final, "https:") {
		return ""
	}
	return f.GroupOf(image, image.File.Final, f.OGAlt)
}

var ogImageDeclaredSize = rule.Rule{
	ID: "og-image-declared-size", Category: rule.OG, Severity: rule.Warning, Weight: 1, Title: "Declared image size",
	Needs: "og-image", Sources: []rule.Source{rule.FB},
	When: "og:image:width and og:image:height are positive whole numbers within 2 % of the real size (or the image " +
		"could not be measured). Half the points with one of them, a quarter when both are wrong.",
	Fix: "Add og:image:width and og:image:height, so that the first share already shows the image.",
	Check: func(f *rule.Facts) rule.Verdict {
		w, h := rule.Positive(f.OG.Width), rule.Positive(f.OG.Height)
		wide, high := rule.BestWidth, rule.BestHeight
		measured := f.OG.File.Measured() && f.OG.File.Ratio() > 0
		if measured {
			wide, high = f.OG.File.Facts.Width, f.OG.File.Facts.Height
		}
		v := f.Fail("The page does not declare the size of the image.")
		switch {
		case w > 0 && h > 0 && !measured:
			return f.Pass("The declared size is %dx%d.", w, h)
		case w > 0 && h > 0 && near(w, wide) && near(h, high):
			return f.Pass("The declared size %dx%d is the real one.", w, h)
		case w > 0 && h > 0:
			v = f.Found(0.25, "The page declares %dx%d, but the image is %dx%d.", w, h, wide, high)
		case w > 0 || h > 0:
			v = f.Found(0.5, "The page declares only one side of the image.")
		}
		if f.OG.File.Facts.Format == picture.SVG { // the picture to export in its place has another size
			return v.Fix("Declare the size of the picture that you export in place of the SVG: %dx%d.",
				rule.BestWidth, rule.BestHeight)
		}
		if !measured {
			return v.Fix("Declare the width and the height of the image, so that the first share already shows it.")
		}
		return v.Fix("Declare the size of the image (%dx%d), so that the first share already shows it. The properties "+
			"belong right after their og:image:", wide, high).Paste(f.GroupOf(f.OG, f.OG.URL, f.OGAlt))
	},
}

func near(declared, measured int) bool {
	d := float64(declared - measured)
	return max(d, -d) <= declaredTolerance*float64(measured)
}

var ogImageAlt = rule.Rule{
	ID: "og-image-alt", Category: rule.OG, Severity: rule.Warning, Weight: 3, Title: "Share image alternative text",
	Needs: "og-image", Sources: []rule.Source{rule.OGP, rule.X},
	When: "og:image:alt has 3 to 420 characters and is not a file name or an address.",
	Fix:  "Add og:image:alt and describe what the image shows in at most 420 characters.",
	Check: func(f *rule.Facts) rule.Verdict {
		code := ""
		if f.TaggedX != nil && f.OG.URL == f.TaggedX.URL && alt(f, "", f.TwitterAlt).Credit == 1 {
			code = f.GroupOf(f.OG, f.OG.URL, f.TwitterAlt)
		}
		return alt(f, "og:image:alt", f.OGAlt).
			Fix("Describe what the image shows in at most %d characters, right after its og:image:", altMost).Paste(code)
	},
	Apply: func(f *rule.Facts) { f.OGAlt = rule.SampleTitle },
}

var fileName = regexp.MustCompile(`(?i)^\S+\.(jpe?g|png|gif|webp|avif|svg|bmp|heic|tiff?)$`)

// alt judges an alternative text.
func alt(f *rule.Facts, tag, text string) rule.Verdict {
	n := uniseg.GraphemeClusterCount(text)
	switch {
	case text == "":
		return f.Fail("There is no %s, so people who cannot see the image get no description.", tag)
	case fileName.MatchString(text) || rule.FormOf(text) != rule.Relative:
		return f.Fail("%s is “%s”: a file name or an address does not describe the image.", tag, f.Show(text))
	case n < altLeast || n > altMost:
		return f.Fail("%s has %s; %d to %d are good.", tag, humanize.Count(n, "character"), altLeast, altMost)
	}
	return f.Pass("%s is “%s”.", tag, f.Show(text))
}
