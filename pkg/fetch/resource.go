package fetch

import "time"

// Resource is what a request is for. It decides how long, how large and through how many redirects, and the Accept
// header.
type Resource int

// The resources.
const (
	// Page is an HTML document. Of a longer one the beginning is used.
	Page Resource = iota
	// Image is a picture that will be decoded whole.
	Image
	// AuditImage is a picture that is only measured: at most the first 256 KiB are read.
	AuditImage
	// ShownImage is a picture that is measured, and decoded unless it is larger than an Image may be: no more is read.
	ShownImage
	// Icon is a favicon or a touch icon.
	Icon
	// SVG is an icon that is known to be SVG.
	SVG
	// LinkedPage is a page that is only read for what its head says. Of a longer one the beginning is used.
	LinkedPage
	// Manifest is a web app manifest.
	Manifest
	// Stylesheet is a style sheet. Of a longer one the beginning is used.
	Stylesheet
	// Robots is a robots.txt. Of a longer one the beginning is used.
	Robots
	// Sitemap is a list of a site's pages, or of such lists. Of a longer one the beginning is used.
	Sitemap
)

// class groups the resources that share a budget within a job.
type class int

const (
	classOther class = iota
	classImage
	classIcon

	numClasses
)

// most returns how many requests of the class one job makes; 0 is no limit but the job's own.
func (c class) most() int {
	switch c {
	case classImage:
		return 2
	case classIcon:
		return 5
	default:
		return 0
	}
}

// rule is what one request may take.
type rule struct {
	class     class
	noun      string // for sentences: "The page …"
	time      time.Duration
	redirects int
	keep      int   // bytes of the decoded body that are kept
	count     int64 // bytes of the decoded body that are counted, keep and above
	partial   bool  // the beginning of a longer or broken body is of use
	// enough, unless it is nil, reports whether the beginning of a body makes the rest useless.
	enough func(beginning []byte) bool
	accept string
}

const (
	measuredBytes   = 256 << 10 // as much as picture.Inspect looks at
	linkedPageBytes = 512 << 10 // a head with inline styles; the links of most are within a tenth
	textFileBytes   = 500_000   // robots.txt and manifest
	stylesheetBytes = 500_000   // as much as pkg/page reads of one
	sitemapBytes    = 10 << 20  // a fifth of what the protocol allows, and more than 50,000 short addresses take

	acceptPage = "text/html,application/xhtml+xml;q=0.9,image/*;q=0.5,*/*;q=0.4"
	// acceptImage asks for what we can decode.
	acceptImage    = "image/png,image/jpeg,image/webp;q=0.9,image/gif;q=0.9,image/svg+xml;q=0.8,*/*;q=0.1"
	acceptAny      = "image/*,*/*;q=0.8"
	acceptManifest = "application/manifest+json,application/json;q=0.9,*/*;q=0.5"
	acceptStyle    = "text/css,*/*;q=0.1"
	acceptRobots   = "text/plain,*/*;q=0.5"
	acceptSitemap  = "application/xml,text/xml;q=0.9,*/*;q=0.5"
)

// rule returns the limits of r. Source: the table of outbound limits of the security requirements and part D of the
// audit rules, but that the bytes of a picture are not counted up to 8 MB: each one counted is one that a stranger has
// a site send. How long a file is that was not read whole, its Content-Length says, if anything does.
func (r Resource) rule(l Limits) rule {
	page := func(noun, accept string, time time.Duration, most int) rule {
		return rule{
			noun: noun, accept: accept, time: time, redirects: l.PageRedirects, keep: most, count: int64(most), partial: true,
		}
	}
	part := func(class class, noun, accept string, time time.Duration, most int) rule {
		return rule{
			class: class, noun: noun, accept: accept, time: time, redirects: l.ImageRedirects, keep: most, count: int64(most),
		}
	}
	switch r {
	case Page:
		return page("page", acceptPage, l.PageTime, l.PageBytes)
	case LinkedPage:
		return page("page", acceptPage, l.PageTime, linkedPageBytes)
	case Robots:
		return page("robots.txt", acceptRobots, l.IconTime, textFileBytes)
	case Sitemap:
		return page("sitemap", acceptSitemap, l.PageTime, sitemapBytes)
	case Stylesheet:
		style := part(classOther, "style sheet", acceptStyle, l.IconTime, stylesheetBytes)
		style.partial = true
		return style
	case Image:
		return part(classImage, "image", acceptImage, l.ImageTime, l.ImageBytes)
	case Icon:
		return part(classIcon, "icon", acceptImage, l.IconTime, l.IconBytes)
	case SVG:
		return part(classIcon, "icon", acceptImage, l.IconTime, l.SVGBytes)
	case Manifest:
		return part(classOther, "manifest", acceptManifest, l.IconTime, textFileBytes)
	case AuditImage:
		audited := part(classImage, "image", acceptAny, l.ImageTime, measuredBytes)
		audited.partial = true
		return audited
	case ShownImage:
		shown := part(classImage, "image", acceptAny, l.ImageTime, l.ImageBytes)
		shown.partial = true
		return shown
	default:
		panic("fetch: unknown resource")
	}
}
