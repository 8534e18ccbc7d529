package fetch

import "time"

// Resource is the kind of resource requested. It determines the limits of time, size and redirects, and the Accept
// header.
type Resource int

// The resources.
const (
	// Page is an HTML document. A longer one is cut.
	Page Resource = iota
	// Image is a picture that will be decoded whole.
	Image
	// AuditImage is a picture that is only measured: at most the first 256 KiB are read.
	AuditImage
	// ShownImage is a picture that is measured, and decoded if it is within the size of an Image; no more is read.
	ShownImage
	// Icon is a favicon or a touch icon.
	Icon
	// SVG is an icon known to be SVG.
	SVG
	// LinkedPage is a page of which only the head is needed. A longer one is cut.
	LinkedPage
	// Manifest is a web app manifest.
	Manifest
	// Stylesheet is a style sheet. A longer one is cut.
	Stylesheet
	// Robots is a robots.txt. A longer one is cut.
	Robots
	// Markdown is a page as Markdown, or whatever is sent instead. A longer one is cut.
	Markdown
	// Sitemap is a sitemap or a sitemap index. A longer one is cut.
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

// most is the maximum number of requests of the class per job; 0 means only the job's own limit.
func (c class) most() int {
	switch c {
	case classImage:
		return 2
	case classIcon:
		return 7 // five that may be the best, the manifest's for launchers, and the one of one color
	default:
		return 0
	}
}

// rule has the limits of one request.
type rule struct {
	class     class
	noun      string // for messages: "The page …"
	time      time.Duration
	redirects int
	keep      int   // maximum bytes of the decoded body to keep
	count     int64 // maximum bytes of the decoded body to count, at least keep
	partial   bool  // the beginning of a longer or broken body is usable
	// enough, if not nil, reports whether the rest of a body can be skipped, given its beginning.
	enough func(beginning []byte) bool
	accept string
}

const (
	measuredBytes   = 256 << 10 // as much as picture.Inspect reads
	linkedPageBytes = 512 << 10 // a head with inline styles; the links of most are within a tenth
	textFileBytes   = 500_000   // robots.txt and manifest
	stylesheetBytes = 500_000   // as much as pkg/page reads
	markdownBytes   = 16 << 10  // its type and beginning are enough
	sitemapBytes    = 10 << 20  // a fifth of the protocol's limit, and more than 50,000 short addresses need

	acceptPage = "text/html,application/xhtml+xml;q=0.9,image/*;q=0.5,*/*;q=0.4"
	// acceptImage requests formats that we can decode.
	acceptImage    = "image/png,image/jpeg,image/webp;q=0.9,image/gif;q=0.9,image/svg+xml;q=0.8,*/*;q=0.1"
	acceptAny      = "image/*,*/*;q=0.8"
	acceptManifest = "application/manifest+json,application/json;q=0.9,*/*;q=0.5"
	acceptStyle    = "text/css,*/*;q=0.1"
	acceptRobots   = "text/plain,*/*;q=0.5"
	acceptMarkdown = "text/markdown,text/html;q=0.5"
	acceptSitemap  = "application/xml,text/xml;q=0.9,*/*;q=0.5"
)

// rule returns the limits of r. Source: docs/security.md#outbound-requests. Bytes beyond the limit of a picture aren't
// read to count them: anyone could make a site send them. The length of a file that wasn't read completely comes from
// its Content-Length, if there is one.
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
	case Markdown:
		return page("page", acceptMarkdown, l.PageTime, markdownBytes)
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
