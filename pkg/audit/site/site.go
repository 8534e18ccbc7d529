// Package site judges the pages of a site together: which are worst, which faults they share, and what they repeat from
// each other. It works on values: a [Page] has what of a report is needed, and can be stored.
package site

import (
	"cmp"
	"math"
	"net/url"
	"slices"
	"strings"

	"masthead/pkg/audit"
	"masthead/pkg/audit/rule"
	"masthead/pkg/audit/rule/checks"
	"masthead/pkg/cleantext"
	"masthead/pkg/platform"
)

// Page is a page of a site with the result of its audit. It takes about 4 KB as JSON.
type Page struct {
	// URL is the address as the sitemap lists it, FinalURL the one after redirects; "" without a report.
	URL      string `json:"url"`
	FinalURL string `json:"finalUrl,omitempty"`
	// Error is why there is no report, as a sentence; "" if there is one.
	Error      string       `json:"error,omitempty"`
	Status     int          `json:"status,omitempty"`
	Overall    audit.Grade  `json:"overall"`
	Categories audit.Grades `json:"categories"`
	// Title, Description and Image are those of the preview, texts cut to 500 characters.
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	Image       string `json:"image,omitempty"`
	// Lang and Canonical are as the page declares them. Hidden means that search engines are told to leave it out.
	Lang      string `json:"lang,omitempty"`
	Canonical string `json:"canonical,omitempty"`
	Hidden    bool   `json:"hidden,omitempty"`
	// Issues are the failed rules, in the order of the report.
	Issues []Issue `json:"issues,omitempty"`
	// Views are the previews on platforms.
	Views []View `json:"views,omitempty"`
	// Thumb is the name of the share image in small size, or "" if it isn't available.
	Thumb string `json:"thumb,omitempty"`
}

// Issue is a failed rule on one page; see [audit.Issue].
type Issue struct {
	ID       string  `json:"id"`
	Severity string  `json:"severity"`
	Message  string  `json:"message"`
	Gain     float64 `json:"gain,omitempty"`
	Lost     float64 `json:"lost,omitempty"`
}

// View is how a platform shows a page.
type View struct {
	Platform string           `json:"platform"`
	Verdict  platform.Verdict `json:"verdict"`
}

// Name is the name of the platform.
func (v View) Name() string {
	p, _ := platform.Find(v.Platform)
	return cmp.Or(p.Name, v.Platform)
}

// maxText is the maximum length of a page's texts, in characters.
const maxText = 500

// PageOf returns a page with its report, or with the reason why there is none.
func PageOf(address string, r *audit.Report, fault error) Page {
	if r == nil {
		p := Page{URL: address, Error: "There is no report."}
		if fault != nil {
			p.Error = cleantext.Clean(fault.Error(), maxText)
		}
		return p
	}
	p := Page{
		URL: address, FinalURL: r.FinalURL, Status: r.Status, Overall: r.Overall, Categories: r.Categories,
		Title:       cleantext.Clean(r.Metadata.Title, maxText),
		Description: cleantext.Clean(r.Metadata.Description, maxText), Image: r.Metadata.Image,
	}
	for i := range r.Tags {
		switch tag := &r.Tags[i]; {
		case tag.Key == "lang" && tag.Source == "html":
			p.Lang = tag.Value
		case tag.Key == "canonical" && p.Canonical == "":
			p.Canonical = tag.Value
		}
	}
	failed := r.Failed()
	for i := range failed {
		f := &failed[i]
		p.Hidden = p.Hidden || f.ID == "seo-indexable"
		p.Issues = append(p.Issues, Issue{f.ID, f.Severity, f.Message, f.Gain, f.Lost})
	}
	for _, shown := range platform.ShowAll(r.Shared) {
		p.Views = append(p.Views, View{shown.Platform, shown.Verdict})
	}
	if share := r.Picture(audit.ShareImage); share != nil && share.Shown != nil {
		p.Thumb = share.Shown.Name
	}
	return p
}

// Report is what the pages of a site say together.
type Report struct {
	// URL is the address of the sitemap, or "".
	URL string `json:"url"`
	// Read is the number of pages with a report, Unread that of the others.
	Read   int `json:"read"`
	Unread int `json:"unread"`
	// Overall and Categories are the averages; they are zero if no page was read.
	Overall    audit.Grade  `json:"overall"`
	Categories audit.Grades `json:"categories"`
	// Letters is the number of pages by letter: A+ first, without letters that no page has.
	Letters []Letter `json:"letters,omitempty"`
	// Findings are the checks of the pages against each other; none with fewer than two pages.
	Findings []Finding `json:"findings,omitempty"`
	// Faults are the failed rules, those first that the site gains most by.
	Faults []Fault `json:"faults,omitempty"`
	// Pages are all pages, worst first.
	Pages []Page `json:"-"`
}

// Letter is a letter with the number of pages that have it.
type Letter struct {
	Letter string `json:"letter"`
	Pages  int    `json:"pages"`
}

// Fault is a rule that fails on pages of the site.
type Fault struct {
	ID       string `json:"id"`
	Category string `json:"category"` // og, twitter or seo
	Title    string `json:"title"`
	Severity string `json:"severity"` // the worst on any page
	// Pages is the number of pages that it fails on, and Gain how much fixing it on all of them would raise the average.
	Pages int     `json:"pages"`
	Gain  float64 `json:"gain"`
	// Fix says what to do. Examples are the first pages, at most [MaxExamples].
	Fix      string    `json:"fix"`
	Examples []Example `json:"examples"`

	lost float64
}

// Example is a page with what was found on it.
type Example struct {
	URL     string `json:"url"`
	Message string `json:"message"`
}

// MaxExamples is the maximum number of examples of a fault, and of pages of a [Group].
const MaxExamples = 5

// letters are all letters, best first.
var letters = []string{"A+", "A", "B+", "B", "C+", "C", "D+", "D", "F"}

// Letters returns all letters, best first.
func Letters() []string { return slices.Clone(letters) }

// Of judges the pages of the site with a sitemap, whose order doesn't matter.
func Of(sitemap string, pages []Page) *Report {
	r := &Report{URL: sitemap, Pages: slices.Clone(pages)}
	slices.SortStableFunc(r.Pages, func(a, b Page) int { return cmp.Compare(a.Rank(), b.Rank()) })
	var overall, og, twitter, seo float64
	count := map[string]int{}
	for i := range r.Pages {
		p := &r.Pages[i]
		if p.Error != "" {
			r.Unread++
			continue
		}
		r.Read++
		overall += p.Overall.Points
		og, twitter, seo = og+p.Categories.OG.Points, twitter+p.Categories.Twitter.Points, seo+p.Categories.SEO.Points
		count[p.Overall.Letter]++
	}
	for _, l := range letters {
		if count[l] > 0 {
			r.Letters = append(r.Letters, Letter{l, count[l]})
		}
	}
	if r.Read == 0 {
		return r
	}
	n := float64(r.Read)
	r.Overall = audit.NewGrade(overall / n)
	r.Categories = audit.Grades{
		OG: audit.NewGrade(og / n), Twitter: audit.NewGrade(twitter / n), SEO: audit.NewGrade(seo / n),
	}
	r.Faults = faultsOf(r.Pages, r.Read)
	r.Findings = compare(r.Pages)
	return r
}

// Rank orders pages, worst first: those without a report, then by score.
func (p *Page) Rank() int {
	if p.Error != "" {
		return -1
	}
	return p.Overall.Score
}

// Worst returns the worst preview of the page; ok is false if every platform shows the page whole.
func (p *Page) Worst() (worst View, ok bool) {
	for _, v := range p.Views {
		if v.Verdict.Severity() > max(0, worst.Verdict.Severity()) {
			worst, ok = v, true
		}
	}
	return worst, ok
}

// Errors is the number of errors on the page.
func (p *Page) Errors() (count int) {
	for i := range p.Issues {
		if p.Issues[i].Severity == "error" {
			count++
		}
	}
	return count
}

// severities are those of issues, worst first.
var severities = []string{"error", "warning", "info"}

// faultsOf returns the failed rules of pages, of which read have a report.
func faultsOf(pages []Page, read int) []Fault {
	rules := map[string]*rule.Rule{}
	all := checks.Set().All()
	for i := range all {
		rules[all[i].ID] = &all[i]
	}
	byID := map[string]*Fault{}
	for i := range pages {
		for _, issue := range pages[i].Issues {
			f := byID[issue.ID]
			if f == nil {
				f = &Fault{ID: issue.ID, Title: issue.ID, Severity: issue.Severity}
				if known := rules[issue.ID]; known != nil {
					f.Title, f.Category, f.Fix = known.Title, string(known.Category), known.Fix
				}
				byID[issue.ID] = f
			}
			f.Pages++
			f.Gain += issue.Gain
			f.lost += issue.Lost
			if slices.Index(severities, issue.Severity) < slices.Index(severities, f.Severity) {
				f.Severity = issue.Severity
			}
			if len(f.Examples) < MaxExamples {
				f.Examples = append(f.Examples, Example{pages[i].URL, issue.Message})
			}
		}
	}
	faults := make([]Fault, 0, len(byID))
	for _, f := range byID {
		f.Gain = math.Round(10*f.Gain/float64(read)) / 10
		faults = append(faults, *f)
	}
	slices.SortFunc(faults, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(b.Gain, a.Gain), cmp.Compare(b.lost, a.lost), cmp.Compare(a.ID, b.ID))
	})
	return faults
}

// identity is the address that a page is known by: its canonical one if that is on the same host, else its own.
func (p *Page) identity() string {
	at, err := url.Parse(p.FinalURL)
	if err != nil {
		return p.FinalURL
	}
	if ref, err := at.Parse(strings.TrimSpace(p.Canonical)); err == nil && p.Canonical != "" &&
		strings.EqualFold(ref.Host, at.Host) {
		at = ref
	}
	at.Fragment = ""
	return strings.TrimSuffix(strings.ToLower(at.Host)+at.EscapedPath()+"?"+at.RawQuery, "?")
}
