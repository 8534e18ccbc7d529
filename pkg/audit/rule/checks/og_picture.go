package checks

import (
	"math"
	"strings"

	"masthead/pkg/audit/rule"
	"masthead/pkg/humanize"
	"masthead/pkg/picture"
	"masthead/pkg/platform"
)

var ogImageDimensions = rule.Rule{
	ID: "og-image-dimensions", Category: rule.OG, Severity: rule.Error, Weight: 8, Title: "Share image dimensions",
	Needs: "og-image-reachable", Sources: []rule.Source{rule.FB, rule.LI},
	When: "The image has at least 1200x630 pixels (627 is accepted). 60 % of the points (a warning) from 600x315, a " +
		"quarter (a warning) from 200x200. An SVG gets none.",
	Fix: "Use 1200x630 pixels. Below 600x315 Facebook shows a small thumbnail, below 200x200 none.",
	Check: func(f *rule.Facts) rule.Verdict {
		w, h := f.OG.File.Facts.Width, f.OG.File.Facts.Height
		message := "og:image is %dx%d; large cards need at least 1200x630."
		v := f.Fail(message, w, h)
		switch {
		case f.OG.File.Facts.Format == picture.SVG:
			return f.Fail("og:image is an SVG, which has no pixels; no network shows it.").
				Hides(f.Refusing(f.OG, rule.OnFacebooks, platform.ByFormat)).
				Fix("Export the image as a JPEG or PNG of %dx%d pixels.", rule.BestWidth, rule.BestHeight)
		case w >= rule.BestWidth && h >= leastBestHeight:
			return f.Pass("og:image is %dx%d.", w, h)
		case w >= largeWidth && h >= largeHeight:
			v = f.Found(0.6, message, w, h).As(rule.Warning)
		case w >= leastSide && h >= leastSide:
			v = f.Found(0.25, message, w, h).As(rule.Warning)
		}
		what := ""
		if as, _ := logo(f); as != "" {
			what = " a picture of what the page is about, not the logo, with"
		}
		return v.Fix("Use%s %dx%d pixels (it is %dx%d). Below %dx%d Facebook shows a small thumbnail, below %dx%d none.",
			what, rule.BestWidth, rule.BestHeight, w, h, largeWidth, largeHeight, leastSide, leastSide).
			Hides(f.Refusing(f.OG, rule.OnFacebooks, platform.BySize))
	},
	Apply: func(f *rule.Facts) {
		f.FixFile(f.OG, bestSize)
		f.NotLogo = true
	},
}

// bestSize gives a picture the size in the advice.
func bestSize(file *rule.File) {
	file.Facts.Width, file.Facts.Height = rule.BestWidth, rule.BestHeight
	bestFormat(file)
}

// bestFormat changes the format of a file that isn't a web format to one that is.
func bestFormat(file *rule.File) {
	if file.Facts.Format == picture.SVG {
		file.Facts.Format, file.ContentType = picture.JPEG, "image/jpeg"
	}
}

var ogImageAspectRatio = rule.Rule{
	ID: "og-image-aspect-ratio", Category: rule.OG, Severity: rule.Warning, Weight: 3, Title: "Share image aspect ratio",
	Needs: "og-image-reachable", Sources: []rule.Source{rule.FB, rule.LI, rule.WA},
	When: "The image is 1.91 times as wide as high, within 5 %. Half the points from 1.6 to 2.2, or for a square. More " +
		"than 4:1 is an error.",
	Fix: "Crop to 1.91:1, for example 1200x630; feeds crop other ratios.",
	Check: func(f *rule.Facts) rule.Verdict {
		r := f.OG.File.Ratio()
		v := f.Fail("og:image is %.2f times as wide as high; feeds crop it to 1.91.", r)
		switch {
		case r >= ratioLow && r <= ratioHigh:
			return f.Pass("og:image is %.2f times as wide as high.", r)
		case r >= ratioNearLow && r <= ratioNearHigh, r >= squareLow && r <= squareHigh:
			v.Credit = 0.5
		case r > ratioMost:
			v = f.Fail("og:image is %.2f times as wide as high; WhatsApp drops images above 4.", r).As(rule.Error)
		}
		w, h := cropped(f.OG.File.Facts.Width, f.OG.File.Facts.Height)
		return v.Fix("Crop to 1.91:1, for example to %dx%d (it is %.2f:1); feeds crop other ratios.", w, h, r).
			Hides(f.Refusing(f.OG, rule.OnFacebooks, platform.ByRatio))
	},
	Apply: func(f *rule.Facts) {
		f.FixFile(f.OG, func(file *rule.File) {
			file.Facts.Width, file.Facts.Height = cropped(file.Facts.Width, file.Facts.Height)
		})
	},
}

// cropped returns the size of a picture cut to 1.91:1, scaled down to the best size if it is larger.
func cropped(w, h int) (width, height int) {
	const ratio = float64(rule.BestWidth) / rule.BestHeight
	if float64(w) > ratio*float64(h) {
		w = int(math.Round(ratio * float64(h)))
	} else {
		h = int(math.Round(float64(w) / ratio))
	}
	if w >= rule.BestWidth {
		return rule.BestWidth, rule.BestHeight
	}
	return w, h
}

// noLength explains why the size of a picture isn't checked. Beyond its header a picture is read only to be shown, and
// then up to 5 MB: an audit doesn't cost a site more, and says "at least" for longer files.
const noLength = "Its server sends no Content-Length, and no platform shows the image, so only its header was read."

var ogImageFileSize = rule.Rule{
	ID: "og-image-file-size", Category: rule.OG, Severity: rule.Warning, Weight: 4, Title: "Share image file size",
	Needs: "og-image-reachable", Sources: []rule.Source{rule.WA, rule.X, rule.LI, rule.FB},
	When: "The file has at most 600 KB. Half the points up to 5 MB, 20 % up to 8 MB; above that it is an error. A file " +
		"whose server does not send its length is read up to 5 MB if a platform shows it; beyond that its size is unknown.",
	Fix: "Compress to 300 KB or less; WhatsApp drops images over 600 KB, X over 5 MB, Facebook over 8 MB.",
	Check: func(f *rule.Facts) rule.Verdict {
		file := f.OG.File
		size := humanize.Bytes(file.Size)
		if file.AtLeast {
			size = "at least " + size
		}
		if file.AtLeast && file.Size <= bytesX {
			return rule.Unchecked(noLength)
		}
		v := f.Fail("The image has %s; no network accepts more than 8 MB.", size).As(rule.Error)
		switch {
		case file.Size <= bytesBest:
			return f.Pass("The image has %s.", size)
		case file.Size <= bytesChat:
			return f.Pass("The image has %s; 300 KB or less is safe everywhere.", size)
		case file.Size <= bytesX:
			v = f.Found(0.5, "The image has %s; WhatsApp drops images over 600 KB.", size)
		case file.Size <= bytesMost:
			v = f.Found(0.2, "The image has %s; WhatsApp and X drop it.", size)
		}
		return v.Fix("Compress the image to 300 KB or less (it has %s); WhatsApp drops images over 600 KB, X over 5 MB, "+
			"Facebook over 8 MB.", size).Hides(f.Refusing(f.OG, rule.OnFacebooks, platform.ByBytes))
	},
	Apply: func(f *rule.Facts) {
		f.FixFile(f.OG, func(file *rule.File) { file.Size, file.AtLeast = bytesBest, false })
	},
}

var ogImageFormat = rule.Rule{
	ID: "og-image-format", Category: rule.OG, Severity: rule.Error, Weight: 5, Title: "Share image format",
	Needs: "og-image-reachable", Sources: []rule.Source{rule.X, rule.LI},
	When: "The file's actual format is JPEG or PNG. 75 % of the points for GIF (info) and WebP (a warning), 25 % (a " +
		"warning) for AVIF, BMP, TIFF and HEIC, none for SVG. At most half (a warning) when the Content-Type is not that of " +
		"an image.",
	Fix: "Export as JPEG or PNG and send the matching Content-Type; X, Facebook and LinkedIn show no SVG or " +
		"AVIF.",
	Check: func(f *rule.Facts) rule.Verdict {
		file := f.OG.File
		name := strings.ToUpper(file.Facts.Format.String())
		v := f.Fail("og:image is a file of type %s, which X, Facebook and LinkedIn do not show.", name)
		switch file.Facts.Format {
		case picture.JPEG, picture.PNG:
			v = f.Pass("og:image is a %s.", name)
		case picture.GIF:
			v = f.Found(0.75, "og:image is a %s, which some networks do not show.", name).As(rule.Info)
		case picture.WebP:
			v = f.Found(0.75, "og:image is a %s, which LinkedIn does not show.", name).As(rule.Warning)
		case picture.AVIF, picture.BMP, picture.TIFF, picture.HEIC:
			v = f.Found(0.25, "og:image is a file of type %s, which most networks do not show.", name).As(rule.Warning)
		}
		if v.Credit > 0.5 && !strings.HasPrefix(strings.ToLower(strings.TrimSpace(file.ContentType)), "image/") {
			v = f.Found(0.5, "og:image is a %s, but its Content-Type is “%s”.", name, f.Show(file.ContentType)).As(rule.Warning)
		}
		return v.Fix("Export the image as JPEG or PNG and send image/jpeg or image/png as its Content-Type (it is of "+
			"type %s, sent as “%s”).", name, f.Show(file.ContentType)).
			Hides(f.Refusing(f.OG, rule.OnFacebooks, platform.ByFormat))
	},
	Apply: func(f *rule.Facts) {
		f.FixFile(f.OG, func(file *rule.File) { file.Facts.Format, file.ContentType = picture.JPEG, "image/jpeg" })
	},
}
