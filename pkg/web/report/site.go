package report

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"net/url"
	"strings"
	"sync"
	"time"

	"masthead/pkg/audit"
	"masthead/pkg/audit/site"
	"masthead/pkg/humanize"
	"masthead/pkg/platform"
	"masthead/pkg/web/ui"
)

// This file draws the page of a site: all of it in a file, and its parts for the dashboard.

// SitePage is the content of the page of a site.
type SitePage struct {
	Report *site.Report
	// At is when the pages were audited.
	At time.Time
	// Picture returns the address of a page's small picture, or "" without one. Shown has the picture itself, or nil, for
	// a file. Both may be nil.
	Picture func(*site.Page) string
	Shown   func(*site.Page) *audit.Thumbnail
}

// Limits of what the page shows.
const (
	maxSiteFaults = 20  // with their fixes
	maxWorstPages = 20  // in the table
	maxPreviews   = 200 // with pictures
)

// SiteView is the data of the templates "site-lead", "site-faults" and "site-pages".
type SiteView struct {
	*site.Report
	// Headline is the verdict in a few words, Deck what to begin with.
	Headline, Deck string
	Grades         []gradeRow
	Shared         []sharedFault
	// MoreFaults is the number of faults that aren't shown.
	MoreFaults int
	Repeated   []site.Finding
	// Alone are the checks of the pages against each other that passed.
	Alone []site.Finding
	// Worst are the pages to begin with, Previews are all with a picture; More is the number of those left out.
	Worst    []sitePage
	Previews []sitePage
	More     int
	Unread   []site.Page
	// Sprites are the pictures of a file, each once however many pages have it.
	Sprites []sprite
	Month   string
	// Served means that a page can be audited with a form.
	Served bool
}

// gradeRow is a letter in the chart.
type gradeRow struct {
	Letter string
	Pages  int
	Width  float64 // of the bar, 0 to 100
}

// sharedFault is a fault with its words.
type sharedFault struct {
	site.Fault
	Points, Word, On, In string
}

// sitePage is a page in the table and among the previews.
type sitePage struct {
	*site.Page
	Name, Host string
	// Trouble is what is wrong in words, with its severity, or "".
	Trouble, Severity string
	// Picture is the address of the picture, or "" if it is a Sprite, or if there is none.
	Picture string
	Sprite  *sprite
	Views   []viewRow
}

// sprite is a picture in a file, with the id of its element.
type sprite struct {
	ID, URL       string
	Width, Height int
}

// viewRow are the platforms with one verdict.
type viewRow struct{ Severity, Words string }

// SiteTemplates adds the templates of the page of a site to those of another page.
func SiteTemplates(t *template.Template) {
	t.Funcs(template.FuncMap{"own": own, "prose": prose})
	template.Must(t.New("site-parts").Parse(read("site.html")))
}

// SiteStyle is the style sheet of those templates.
func SiteStyle() string { return read("site.css") }

var siteFile = sync.OnceValue(func() *template.Template {
	t := ui.Templates(nil)
	SiteTemplates(t)
	return t
})

// WriteSiteFile writes the page of a site as a self-contained file.
func WriteSiteFile(w io.Writer, s *SitePage) error {
	v := SiteViewOf(s)
	title := "The pages of a site"
	if host := hostOf(s.Report.URL); host != "" {
		title = host
	}
	head := ui.Head{
		Title: title + ": " + v.Headline, Description: v.Headline + ". " + v.Deck, NoIndex: true, Inline: true, Nonce: "file",
		Style: ui.InlineStyle(SiteStyle(), sheets...),
	}
	values := map[string]any{
		"Head": head, "Site": v, "Taken": s.At.UTC().Format("2 January 2006, 15:04") + " UTC",
		"Pages": humanize.Count(len(s.Report.Pages), "page"),
	}
	if err := siteFile().ExecuteTemplate(w, "site-file", values); err != nil {
		return fmt.Errorf("draw the page of a site: %w", err)
	}
	return nil
}

// Inline returns a picture that isn't stored as a data: address; "" for nil.
func Inline(shown *audit.Thumbnail) string {
	if shown == nil || len(shown.Data) == 0 {
		return ""
	}
	return "data:" + shown.ContentType + ";base64," + base64.StdEncoding.EncodeToString(shown.Data)
}

// SiteViewOf returns what the templates show of a site.
func SiteViewOf(s *SitePage) SiteView {
	r := s.Report
	v := SiteView{Report: r, Month: platform.Checked().Format("January 2006")}
	v.Headline, v.Deck = siteHeadline(r), siteDeck(r)
	most := 0
	for _, l := range r.Letters {
		most = max(most, l.Pages)
	}
	for _, l := range r.Letters {
		v.Grades = append(v.Grades, gradeRow{l.Letter, l.Pages, 100 * float64(l.Pages) / float64(most)})
	}
	for _, f := range r.Faults[:min(len(r.Faults), maxSiteFaults)] {
		v.Shared = append(v.Shared, sharedFault{
			Fault: f, Points: points(f.Gain), Word: severityWord(f.Severity), In: categoryNames[f.Category],
			On: fmt.Sprintf("on %d of %s", f.Pages, humanize.Count(r.Read, "page")),
		})
	}
	v.MoreFaults = len(r.Faults) - len(v.Shared)
	for _, f := range r.Findings {
		if f.Pass {
			v.Alone = append(v.Alone, f)
		} else {
			v.Repeated = append(v.Repeated, f)
		}
	}
	v.addPages(s)
	return v
}

// addPages adds the pages, in the order of the report.
func (v *SiteView) addPages(s *SitePage) {
	read := 0
	sprites := map[[sha256.Size]byte]*sprite{}
	for i := range s.Report.Pages {
		p := &s.Report.Pages[i]
		if p.Error != "" {
			v.Unread = append(v.Unread, *p)
			continue
		}
		if read++; read > maxPreviews {
			continue
		}
		row := sitePageOf(p)
		if s.Picture != nil {
			row.Picture = s.Picture(p)
		}
		if s.Shown != nil {
			row.Sprite = v.spriteOf(sprites, s.Shown(p))
		}
		if read <= maxWorstPages {
			v.Worst = append(v.Worst, row)
		}
		v.Previews = append(v.Previews, row)
	}
	v.More = read - len(v.Previews)
}

// spriteOf returns the sprite of a picture, or nil without one. sprites are those so far, by their content.
func (v *SiteView) spriteOf(sprites map[[sha256.Size]byte]*sprite, shown *audit.Thumbnail) *sprite {
	address := Inline(shown)
	if address == "" {
		return nil
	}
	content := sha256.Sum256(shown.Data)
	known := sprites[content]
	if known == nil {
		known = &sprite{fmt.Sprintf("picture-%d", len(sprites)+1), address, shown.Width, shown.Height}
		sprites[content] = known
		v.Sprites = append(v.Sprites, *known)
	}
	return known
}

func sitePageOf(p *site.Page) sitePage {
	row := sitePage{Page: p, Name: p.URL, Host: hostOf(p.FinalURL)}
	if u, err := url.Parse(p.URL); err == nil {
		row.Name = shortAddress(u)
	}
	if len(p.Issues) > 0 {
		first := &p.Issues[0]
		row.Trouble, row.Severity = first.Message, first.Severity
	}
	byVerdict := map[platform.Verdict][]string{}
	var order []platform.Verdict
	for _, view := range p.Views {
		if byVerdict[view.Verdict] == nil {
			order = append(order, view.Verdict)
		}
		byVerdict[view.Verdict] = append(byVerdict[view.Verdict], view.Name())
	}
	for _, verdict := range order {
		names := humanize.And(byVerdict[verdict])
		if len(order) == 1 {
			names = "all " + spelled(len(p.Views)) + " platforms"
		}
		row.Views = append(row.Views, viewRow{severityOf(verdict), string(verdict) + ": " + names})
	}
	return row
}

// siteHeadline is the verdict on a site in a few words.
func siteHeadline(r *site.Report) string {
	if r.Read == 0 {
		return "None of the pages could be read"
	}
	low := 0
	for _, l := range r.Letters {
		if l.Letter > "B+" { // from C+ down: less than 80
			low += l.Pages
		}
	}
	switch {
	case low == 0 && len(r.Faults) == 0:
		return "No issues found"
	case low == 0:
		return "Every page is in good order"
	case low == r.Read:
		return "Every page needs work"
	}
	return fmt.Sprintf("%d of %s %s work", low, humanize.Count(r.Read, "page"), verb(low, "needs", "need"))
}

func verb(count int, one, many string) string {
	if count == 1 {
		return one
	}
	return many
}

// siteDeck says what to begin with.
func siteDeck(r *site.Report) string {
	var says []string
	if len(r.Faults) > 0 && r.Faults[0].Gain > 0 {
		f := &r.Faults[0]
		says = append(says, fmt.Sprintf("Begin with “%s”, on %s: fixing it everywhere raises the average by %.1f points.",
			f.Title, humanize.Count(f.Pages, "page"), f.Gain))
	}
	for i := range r.Findings {
		if !r.Findings[i].Pass {
			says = append(says, r.Findings[i].Message)
			break
		}
	}
	if r.Unread > 0 && r.Read > 0 {
		says = append(says, humanize.Count(r.Unread, "page")+" couldn’t be read.")
	}
	return strings.Join(says, " ")
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(u.Host, "www.")
}

// run is a part of a text: words, or code between backticks.
type run struct {
	Code bool
	Text string
}

// prose splits a text of the rules at its backticks.
func prose(text string) []run {
	parts := strings.Split(text, "`")
	runs := make([]run, 0, len(parts))
	for i, part := range parts {
		if part != "" {
			runs = append(runs, run{i%2 == 1, part})
		}
	}
	return runs
}
