package rule

import (
	"math"
	"strings"

	"masthead/pkg/humanize"
	"masthead/pkg/picture"
	"masthead/pkg/platform"
)

var _ = register(Rule{
	ID: "og-image-dimensions", Category: OG, Severity: Error, Weight: 8, Title: "Share image dimensions",
	Needs: "og-image-reachable", Sources: []Source{FB, LI},
	When: "The image has at least 1200x630 pixels (627 is accepted). 60 % of the points (a warning) from 600x315, a " +
		"quarter (a warning) from 200x200. An SVG gets none.",
	Fix: "Use 1200x630 pixels. Below 600x315 Facebook shows a small thumbnail, below 200x200 none.",
	check: func(f *facts) verdict {
		w, h := f.og.file.facts.Width, f.og.file.facts.Height
		message := "og:image is %dx%d; large cards need at least 1200x630."
		v := f.fail(message, w, h)
		switch {
		case f.og.file.facts.Format == picture.SVG:
			return f.fail("og:image is an SVG, which has no pixels; no network shows it.").
				hides(f.refusing(f.og, onFacebooks, platform.ByFormat)).
				fix("Export the image as a JPEG or PNG of %dx%d pixels.", bestWidth, bestHeight)
		case w >= bestWidth && h >= leastBestHeight:
			return f.pass("og:image is %dx%d.", w, h)
		case w >= largeWidth && h >= largeHeight:
			v = f.found(0.6, message, w, h).as(Warning)
		case w >= leastSide && h >= leastSide:
			v = f.found(0.25, message, w, h).as(Warning)
		}
		what := ""
		if as, _ := f.logo(); as != "" {
			what = " a picture of what the page is about, not the logo, with"
		}
		return v.fix("Use%s %dx%d pixels (it is %dx%d). Below %dx%d Facebook shows a small thumbnail, below %dx%d none.",
			what, bestWidth, bestHeight, w, h, largeWidth, largeHeight, leastSide, leastSide).
			hides(f.refusing(f.og, onFacebooks, platform.BySize))
	},
	apply: func(f *facts) {
		f.fixFile(f.og, bestSize)
		f.notLogo = true
	},
})

// bestSize gives a picture the size in the advice.
func bestSize(file *file) {
	file.facts.Width, file.facts.Height = bestWidth, bestHeight
	bestFormat(file)
}

// bestFormat changes the format of a file that isn't a web format to one that is.
func bestFormat(file *file) {
	if file.facts.Format == picture.SVG {
		file.facts.Format, file.contentType = picture.JPEG, "image/jpeg"
	}
}

var _ = register(Rule{
	ID: "og-image-aspect-ratio", Category: OG, Severity: Warning, Weight: 3, Title: "Share image aspect ratio",
	Needs: "og-image-reachable", Sources: []Source{FB, LI, WA},
	When: "The image is 1.91 times as wide as high, within 5 %. Half the points from 1.6 to 2.2, or for a square. More " +
		"than 4:1 is an error.",
	Fix: "Crop to 1.91:1, for example 1200x630; feeds crop other ratios.",
	check: func(f *facts) verdict {
		r := f.og.file.ratio()
		v := f.fail("og:image is %.2f times as wide as high; feeds crop it to 1.91.", r)
		switch {
		case r >= ratioLow && r <= ratioHigh:
			return f.pass("og:image is %.2f times as wide as high.", r)
		case r >= ratioNearLow && r <= ratioNearHigh, r >= squareLow && r <= squareHigh:
			v.credit = 0.5
		case r > ratioMost:
			v = f.fail("og:image is %.2f times as wide as high; WhatsApp drops images above 4.", r).as(Error)
		}
		w, h := cropped(f.og.file.facts.Width, f.og.file.facts.Height)
		return v.fix("Crop to 1.91:1, for example to %dx%d (it is %.2f:1); feeds crop other ratios.", w, h, r).
			hides(f.refusing(f.og, onFacebooks, platform.ByRatio))
	},
	apply: func(f *facts) {
		f.fixFile(f.og, func(file *file) {
			file.facts.Width, file.facts.Height = cropped(file.facts.Width, file.facts.Height)
		})
	},
})

// cropped returns the size of a picture cut to 1.91:1, scaled down to the best size if it is larger.
func cropped(w, h int) (width, height int) {
	const ratio = float64(bestWidth) / bestHeight
	if float64(w) > ratio*float64(h) {
		w = int(math.Round(ratio * float64(h)))
	} else {
		h = int(math.Round(float64(w) / ratio))
	}
	if w >= bestWidth {
		return bestWidth, bestHeight
	}
	return w, h
}

// noLength explains why the size of a picture isn't checked. Beyond its header a picture is read only to be shown, and
// then up to 5 MB: an audit doesn't cost a site more, and says "at least" for longer files.
const noLength = "Its server sends no Content-Length, and no platform shows the image, so only its header was read."

var _ = register(Rule{
	ID: "og-image-file-size", Category: OG, Severity: Warning, Weight: 4, Title: "Share image file size",
	Needs: "og-image-reachable", Sources: []Source{WA, X, LI, FB},
	When: "The file has at most 600 KB. Half the points up to 5 MB, 20 % up to 8 MB; above that it is an error. A file " +
		"whose server does not send its length is read up to 5 MB if a platform shows it; beyond that its size is unknown.",
	Fix: "Compress to 300 KB or less; WhatsApp drops images over 600 KB, X over 5 MB, Facebook over 8 MB.",
	check: func(f *facts) verdict {
		file := f.og.file
		size := humanize.Bytes(file.size)
		if file.atLeast {
			size = "at least " + size
		}
		if file.atLeast && file.size <= bytesX {
			return unchecked(noLength)
		}
		v := f.fail("The image has %s; no network accepts more than 8 MB.", size).as(Error)
		switch {
		case file.size <= bytesBest:
			return f.pass("The image has %s.", size)
		case file.size <= bytesChat:
			return f.pass("The image has %s; 300 KB or less is safe everywhere.", size)
		case file.size <= bytesX:
			v = f.found(0.5, "The image has %s; WhatsApp drops images over 600 KB.", size)
		case file.size <= bytesMost:
			v = f.found(0.2, "The image has %s; WhatsApp and X drop it.", size)
		}
		return v.fix("Compress the image to 300 KB or less (it has %s); WhatsApp drops images over 600 KB, X over 5 MB, "+
			"Facebook over 8 MB.", size).hides(f.refusing(f.og, onFacebooks, platform.ByBytes))
	},
	apply: func(f *facts) { f.fixFile(f.og, func(file *file) { file.size, file.atLeast = bytesBest, false }) },
})

var _ = register(Rule{
	ID: "og-image-format", Category: OG, Severity: Error, Weight: 5, Title: "Share image format",
	Needs: "og-image-reachable", Sources: []Source{X, LI},
	When: "The file's actual format is JPEG or PNG. 75 % of the points for GIF (info) and WebP (a warning), 25 % (a " +
		"warning) for AVIF, BMP, TIFF and HEIC, none for SVG. At most half (a warning) when the Content-Type is not that of " +
		"an image.",
	Fix: "Export as JPEG or PNG and send the matching Content-Type; X, Facebook and LinkedIn show no SVG or " +
		"AVIF.",
	check: func(f *facts) verdict {
		file := f.og.file
		name := strings.ToUpper(file.facts.Format.String())
		v := f.fail("og:image is a file of type %s, which X, Facebook and LinkedIn do not show.", name)
		switch file.facts.Format {
		case picture.JPEG, picture.PNG:
			v = f.pass("og:image is a %s.", name)
		case picture.GIF:
			v = f.found(0.75, "og:image is a %s, which some networks do not show.", name).as(Info)
		case picture.WebP:
			v = f.found(0.75, "og:image is a %s, which LinkedIn does not show.", name).as(Warning)
		case picture.AVIF, picture.BMP, picture.TIFF, picture.HEIC:
			v = f.found(0.25, "og:image is a file of type %s, which most networks do not show.", name).as(Warning)
		}
		if v.credit > 0.5 && !strings.HasPrefix(strings.ToLower(strings.TrimSpace(file.contentType)), "image/") {
			v = f.found(0.5, "og:image is a %s, but its Content-Type is “%s”.", name, f.show(file.contentType)).as(Warning)
		}
		return v.fix("Export the image as JPEG or PNG and send image/jpeg or image/png as its Content-Type (it is of "+
			"type %s, sent as “%s”).", name, f.show(file.contentType)).hides(f.refusing(f.og, onFacebooks, platform.ByFormat))
	},
	apply: func(f *facts) {
		f.fixFile(f.og, func(file *file) { file.facts.Format, file.contentType = picture.JPEG, "image/jpeg" })
	},
})
