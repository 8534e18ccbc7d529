package format

import (
	"encoding/json"
	"io"

	"masthead/pkg/audit/site"
	"masthead/pkg/wire"
)

// Site returns the report of all pages together; sitemap is the address of the sitemap that lists them, or "".
func Site(sitemap string, pages []Page) *site.Report {
	all := make([]site.Page, len(pages))
	for i := range pages {
		all[i] = site.PageOf(pages[i].URL, pages[i].Report, pages[i].Err)
	}
	return site.Of(sitemap, all)
}

// siteRecord is the report of a site as JSON, with the names of the API.
type siteRecord struct {
	URL            *string        `json:"url"`
	Read           int            `json:"read"`
	Unread         int            `json:"unread"`
	OverallScore   *int           `json:"overallScore"`
	LetterGrade    *string        `json:"letterGrade"`
	CategoryScores *categories    `json:"categoryScores"`
	Grades         map[string]int `json:"grades"`
	Findings       []site.Finding `json:"findings"`
	Faults         []site.Fault   `json:"faults"`
	Items          []sitePage     `json:"items"`
}

type categories struct {
	OG      int `json:"og"`
	Twitter int `json:"twitter"`
	SEO     int `json:"seo"`
}

// sitePage is a page in the report of a site.
type sitePage struct {
	URL          string  `json:"url"`
	Error        *string `json:"error"`
	OverallScore *int    `json:"overallScore"`
	LetterGrade  *string `json:"letterGrade"`
	Title        *string `json:"title"`
	Description  *string `json:"description"`
	Image        *string `json:"image"`
	// Issues are the failed rules, Views what the platforms show.
	Issues []siteIssue `json:"issues"`
	Views  []site.View `json:"previews"`
}

type siteIssue struct {
	ID       string `json:"id"`
	Severity string `json:"severity"`
	Message  string `json:"message"`
}

// writeSite writes one JSON document about all pages together, worst first.
func writeSite(w io.Writer, pages []Page, o Options) error {
	r := Site(o.Sitemap, pages)
	out := siteRecord{
		URL: wire.OrNull(r.URL), Read: r.Read, Unread: r.Unread, Grades: map[string]int{},
		Findings: append([]site.Finding{}, r.Findings...), Faults: append([]site.Fault{}, r.Faults...), Items: []sitePage{},
	}
	if r.Read > 0 {
		c := &r.Categories
		out.OverallScore, out.LetterGrade = &r.Overall.Score, &r.Overall.Letter
		out.CategoryScores = &categories{c.OG.Score, c.Twitter.Score, c.SEO.Score}
	}
	for _, l := range r.Letters {
		out.Grades[l.Letter] = l.Pages
	}
	for i := range r.Pages {
		out.Items = append(out.Items, sitePageOf(&r.Pages[i]))
	}
	to := json.NewEncoder(w)
	to.SetEscapeHTML(false)
	to.SetIndent("", "  ")
	return to.Encode(out)
}

func sitePageOf(p *site.Page) sitePage {
	out := sitePage{
		URL: p.URL, Error: wire.OrNull(p.Error), Title: wire.OrNull(p.Title), Description: wire.OrNull(p.Description),
		Image: wire.OrNull(p.Image), Issues: []siteIssue{}, Views: append([]site.View{}, p.Views...),
	}
	if p.Error == "" {
		out.OverallScore, out.LetterGrade = &p.Overall.Score, &p.Overall.Letter
	}
	for i := range p.Issues {
		out.Issues = append(out.Issues, siteIssue{p.Issues[i].ID, p.Issues[i].Severity, p.Issues[i].Message})
	}
	return out
}
