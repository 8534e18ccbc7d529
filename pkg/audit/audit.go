// Package audit owns reports on how pages present themselves to social platforms and search engines: examining a page,
// keeping reports, the history of a user, and live previews.
//
// [Examine] makes a [Report] of an address and keeps nothing; the command line uses it alone. [Service] keeps what it
// makes. Package rule judges, package scrape fetches; this package knows the shape of a report and whose it is.
package audit

import (
	"strings"
	"time"

	"masthead/pkg/audit/rule"
	"masthead/pkg/platform"
	"masthead/pkg/scrape"
	"masthead/render/palette"
)

// Report is what an audit found. It is a plain value; its JSON is the form in which it is stored, not that of
// responses.
type Report struct {
	// ID is 22 random base62 digits, by which anybody may read the report. [Examine] gives one to each.
	ID string `json:"-"`
	// URL is the address as it was asked about, in our one spelling; FinalURL the one after Redirects.
	URL       string     `json:"url"`
	FinalURL  string     `json:"finalUrl"`
	Redirects []Redirect `json:"redirects,omitempty"`
	// Status is the HTTP status of the page.
	Status    int       `json:"status"`
	FetchedAt time.Time `json:"fetchedAt"`
	// Size is the number of bytes of the page after decompression; Truncated says that it has more than were read.
	Size      int64 `json:"size"`
	Truncated bool  `json:"truncated,omitempty"`

	Overall    Grade    `json:"overall"`
	Categories Grades   `json:"categories"`
	Metadata   Metadata `json:"metadata"`
	// Issues are the rules that were judged, passed ones too, in the order of audits: failed before passed, then by
	// severity, by lost points, by id.
	Issues []Issue `json:"issues"`
	// NotChecked are the rules that cannot be checked where the page is, such as https on localhost.
	NotChecked []NotChecked `json:"notChecked,omitempty"`
	// Pictures are the share image, that of X if it is another, and the favicon, as far as the page has them.
	Pictures []Picture `json:"pictures,omitempty"`
	// Shared is what platforms read of the page, for platform.Show.
	Shared platform.Page `json:"shared"`
	// Patch is what the page would be with all tags that its own values can fill; nil when there is no such tag.
	Patch *Patch `json:"mended,omitempty"`
	// Tags are what was read on the page, in the order of the document, at most [MaxTags]; MoreTags is how many more there
	// are.
	Tags     []Tag `json:"tags,omitempty"`
	MoreTags int   `json:"moreTags,omitempty"`
	// Drawn is what our own card for the page is drawn with; nil in reports of before it was noted.
	Drawn *Drawn `json:"drawn,omitempty"`
	// PageType is what kind of page it is: home, article, product, video, profile, search or website.
	PageType string `json:"pageType"`
	// Discoverability is what the rules know of how search engines find the page.
	Discoverability rule.Discoverability `json:"discoverability"`
	Timings         Timings              `json:"timings"`
}

// Drawn is what our own card says of a page: its texts as every card has them, and the accent, #RRGGBB, that is chosen
// from its icon and the colors that it names; "" where the audit did not look for them.
type Drawn struct {
	Title       string `json:"title"`
	Description string `json:"description"`
	SiteName    string `json:"siteName"`
	Eyebrow     string `json:"eyebrow"`
	Accent      string `json:"accent"`
}

// drawnOf returns what our card of a site says.
func drawnOf(site *scrape.Site) *Drawn {
	texts := scrape.TextsOf(site.Page.Value.Page)
	d := &Drawn{
		Title: texts.CardTitle, Description: texts.Description, SiteName: texts.SiteName, Eyebrow: texts.Eyebrow,
	}
	if site.Colors.State != scrape.NotAsked {
		d.Accent = palette.Hex(palette.Choose(scrape.Candidates(site.Colors.Value, true), true).Accent)
	}
	return d
}

// Patch is what would become of a page.
type Patch struct {
	// Card is the address at which the site has to save our card for Code to hold; "" when it names none of ours.
	Card string `json:"card,omitempty"`
	// Code is what to paste into the head, a line for each of the Tags.
	Code string `json:"code"`
	Tags int    `json:"tags"`
	// Overall is what auditing again with those tags gives.
	Overall Grade `json:"overall"`
}

func patchOf(m rule.Patch) *Patch {
	if len(m.Tags) == 0 {
		return nil
	}
	return &Patch{Card: m.Card, Code: strings.Join(m.Tags, "\n"), Tags: len(m.Tags), Overall: gradeOf(m.Overall)}
}

// Redirect is one hop: an address and the status that sent us on from there.
type Redirect struct {
	URL    string `json:"url"`
	Status int    `json:"status"`
}

// Grade is a score with its letter. Points are exact, 0 to 100; Score is what is shown.
type Grade struct {
	Points float64 `json:"points"`
	Score  int     `json:"score"`
	Letter string  `json:"letter"`
}

func gradeOf(s rule.Score) Grade { return Grade{s.Points, s.Rounded(), s.Grade()} }

// Grades are those of the categories.
type Grades struct {
	OG      Grade `json:"og"`
	Twitter Grade `json:"twitter"`
	SEO     Grade `json:"seo"`
}

// Of returns the grade of a category.
func (g *Grades) Of(c rule.Category) Grade {
	switch c {
	case rule.OG:
		return g.OG
	case rule.Twitter:
		return g.Twitter
	default:
		return g.SEO
	}
}

// Metadata is the preview of a page: what a link to it shows. Texts are whole, addresses absolute; "" is what the page
// does not say.
type Metadata struct {
	Title           string `json:"title,omitempty"`
	Description     string `json:"description,omitempty"`
	Image           string `json:"image,omitempty"`
	SiteName        string `json:"siteName,omitempty"`
	URL             string `json:"url,omitempty"`
	Favicon         string `json:"favicon,omitempty"`
	TwitterCardType string `json:"twitterCardType,omitempty"`
}

// Issue is what a rule found. Its texts hold values of the page, cut and without control characters; who writes them
// out escapes them.
type Issue struct {
	ID       string `json:"id"`
	Category string `json:"category"` // og, twitter or seo
	Severity string `json:"severity"` // error, warning or info
	Pass     bool   `json:"pass,omitempty"`
	// Credit is the part of its points that the rule got, 0 to 1.
	Credit  float64 `json:"credit,omitempty"`
	Title   string  `json:"title"`
	Message string  `json:"message"`
	// Advice says what to do, Code is what can be pasted; both are "" for a rule that passed, and Code where there is
	// nothing to paste.
	Advice string `json:"advice,omitempty"`
	Code   string `json:"code,omitempty"`
	// Gain is by how many points fixing this alone would raise the overall score, to one decimal; Lost is what the rule
	// lost for itself.
	Gain float64 `json:"gain,omitempty"`
	Lost float64 `json:"lost,omitempty"`
}

// NotChecked is a rule that could not be checked, with the reason as a sentence.
type NotChecked struct {
	ID       string `json:"id"`
	Category string `json:"category"` // og, twitter or seo
	Title    string `json:"title"`
	Reason   string `json:"reason"`
}

// Fix returns the advice with the code after it, on lines of its own; "" for a rule that passed.
func (i *Issue) Fix() string {
	if i.Code == "" {
		return i.Advice
	}
	return i.Advice + "\n" + i.Code
}

// Failed returns the issues that did not pass.
func (r *Report) Failed() []Issue {
	for i := range r.Issues {
		if r.Issues[i].Pass {
			return r.Issues[:i] // failed ones come first
		}
	}
	return r.Issues
}

// Picture returns the picture of a kind, or nil. Where X shows the share image, that is its picture too.
func (r *Report) Picture(kind PictureKind) *Picture {
	for i := range r.Pictures {
		if r.Pictures[i].Kind == kind {
			return &r.Pictures[i]
		}
	}
	if kind == XImage {
		return r.Picture(ShareImage)
	}
	return nil
}
