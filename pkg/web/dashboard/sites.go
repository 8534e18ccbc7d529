package dashboard

import (
	"context"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/audit"
	"masthead/pkg/audit/site"
	"masthead/pkg/humanize"
	"masthead/pkg/identity"
	"masthead/pkg/platform"
	"masthead/pkg/server"
	"masthead/pkg/web/frame"
	"masthead/pkg/web/report"
	"masthead/pkg/web/ui"
)

const sitesPath = auditsPath + "/sites"

var (
	sitesPage = newView("sites", "scores.css", "audits.css")
	sitePage  = sync.OnceValue(func() *ui.View {
		return newView("site")().With(report.SiteTemplates, report.SiteStyle())
	})
)

// SitePictures has the small pictures of audited sites.
type SitePictures interface {
	// Picture returns that of a page, at its address as listed, and its Content-Type.
	Picture(ctx context.Context, caller identity.Caller, siteID, page string) ([]byte, string, error)
}

// sites is the page of audits of sites, and that of one.
type sites struct {
	*frame.Shell
	list, create, find, remove, preferences *server.Operation
	pictures                                SitePictures
}

func newSites(sh *frame.Shell, r *frame.Router, pictures SitePictures) {
	p := &sites{
		Shell: sh, pictures: pictures, list: r.Operation("listSites"), create: r.Operation("createSite"),
		find: r.Operation("getSite"), remove: r.Operation("deleteSite"),
		preferences: r.Operation("getPreferences"),
	}
	r.Place("Audits", "Sites", sitesPath)
	r.Get(sitesPath, p.show)
	r.Post(sitesPath, p.audit)
	r.Get(sitesPath+"/:id", p.one)
	r.Post(sitesPath+"/:id", p.delete)
	r.Get(sitesPath+"/:id/picture", p.picture)
}

// siteRow is an audit in the table.
type siteRow struct {
	Path, Name, Score, Grade, State, Severity string
	Date                                      template.HTML
}

// siteForm is the form of another audit.
func siteForm() *ui.Form {
	return ui.NewForm(ui.Input{
		Name: "url", Label: "Sitemap", Autocomplete: "url", Mode: "url", MaxLength: 2048,
		Hint: "Such as example.com/sitemap.xml. The pages of its host are audited.",
	})
}

// show serves GET /dashboard/audits/sites.
func (p *sites) show(c echo.Context) error { return p.page(c, siteForm()) }

// audit handles the form of the page.
func (p *sites) audit(c echo.Context) error {
	form := siteForm()
	if err := form.Read(c); err != nil {
		return err
	}
	address, mistyped := ui.AddressOf(strings.TrimSpace(form.Typed("url")))
	if mistyped != nil {
		address = form.Typed("url") // the operation rejects it
	}
	out, err := p.create.Form(c, server.Input{Header: frame.Repeats(c), Body: map[string]any{"url": address}})
	if err != nil {
		form.Refuse(c, err)
		return p.page(c, form)
	}
	var made gen.Site
	if err := out.Decode(&made); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, sitesPath+"/"+made.Id.String())
}

// page responds with the list.
func (p *sites) page(c echo.Context, form *ui.Form) error {
	var list gen.SiteList
	if err := frame.Read(c, p.list, server.Input{Query: frame.PageQuery(c)}, &list); err != nil {
		return err
	}
	now := time.Now()
	rows := make([]siteRow, len(list.Items))
	for i, of := range list.Items {
		row := siteRow{
			Path: sitesPath + "/" + of.Id.String(), Name: bare(of.Url), Date: frame.Ago(time.Time(of.CreatedAt), now),
		}
		if of.OverallScore != nil && of.LetterGrade != nil {
			row.Score, row.Grade = strconv.Itoa(*of.OverallScore), *of.LetterGrade
		}
		row.State, row.Severity = stateOf(of.State, of.Pages, of.Error)
		rows[i] = row
	}
	return p.Render(c, frame.StatusOf(form), sitesPage(), frame.Head{
		Title: "Audits", Name: "Sites", Section: "Audits", Sub: "Sites",
		Deck: "All pages of a site, audited together. The newest 20 are kept, for 90 days.",
	}, map[string]any{
		"Rows": rows, "Path": sitesPath, "Form": form, "More": frame.More(sitesPath, list.NextCursor), "Again": frame.Once(),
	})
}

// stateOf says how far an audit is, with a severity if it failed.
func stateOf(state gen.SiteState, n gen.SiteCounts, fault *string) (words, severity string) {
	switch state {
	case gen.SiteStateWAITING:
		return "Reading the sitemap", ""
	case gen.SiteStateRUNNING:
		return fmt.Sprintf("%d of %s", n.Read+n.Unread, humanize.Count(n.Listed, "page")), ""
	case gen.SiteStateFAILED:
		if fault != nil {
			return *fault, "error"
		}
		return "Failed", "error"
	}
	words = humanize.Count(n.Read, "page")
	if n.Unread > 0 {
		words += fmt.Sprintf(", %d couldn’t be read", n.Unread)
	}
	return words, ""
}

// readSite reads an audit with its worst pages, as many as the page shows.
func (p *sites) readSite(c echo.Context, id string) (found gen.Site, err error) {
	query := url.Values{"limit": {frame.PerPage}}
	for n := 0; n < maxSitePages; {
		var page gen.Site
		in := server.Input{Path: map[string]string{"siteId": id}, Query: query}
		if err := frame.Read(c, p.find, in, &page); err != nil {
			return found, err
		}
		n += len(page.Items)
		page.Items = append(found.Items, page.Items...)
		if found = page; page.NextCursor == nil {
			break
		}
		query.Set("cursor", *page.NextCursor)
	}
	return found, nil
}

// maxSitePages is how many pages the page of a site shows.
const maxSitePages = 200

// one serves GET /dashboard/audits/sites/{id}: an audit of a site.
func (p *sites) one(c echo.Context) error {
	id := c.Param("id")
	if _, err := uuid.Parse(id); err != nil {
		return apperr.New(apperr.NotFound, "There is no audit of a site with this id.")
	}
	of, err := p.readSite(c, id)
	if err != nil {
		return err
	}
	together := reportOf(&of)
	v := report.SiteViewOf(&report.SitePage{Report: together, Picture: func(page *site.Page) string {
		if page.Thumb == "" {
			return ""
		}
		return sitesPath + "/" + id + "/picture?" + url.Values{"page": {page.URL}}.Encode()
	}})
	v.Served, v.More = true, max(0, of.Pages.Read-len(v.Previews))
	h := frame.Head{
		Title: v.Headline, Name: "Site " + bare(of.Url), Section: "Audits", Sub: "Sites", Deck: v.Deck,
		Crumb: &ui.Link{URL: sitesPath, Text: "Sites"},
	}
	values := map[string]any{"Of": of, "Site": v, "Name": bare(of.Url), "Path": sitesPath,
		"Own": sitesPath + "/" + id, "Ask": c.QueryParams().Has("delete")}
	switch of.State {
	case gen.SiteStateWAITING, gen.SiteStateRUNNING:
		h.Title, h.Deck = "Being audited", ""
		done := of.Pages.Read + of.Pages.Unread
		values["Waits"], values["Done"] = true, done
		values["Promise"], err = promise(c, p.Shell, p.preferences, gen.NotificationKindSiteCompleted)
		if err != nil {
			return err
		}
		if of.Pages.Listed > 0 {
			values["Share"] = fmt.Sprintf("%.1f", 100*float64(done)/float64(of.Pages.Listed))
		}
	case gen.SiteStateFAILED:
		h.Title, h.Deck = "This site couldn’t be audited", ""
	}
	return p.Render(c, http.StatusOK, sitePage(), h, values)
}

// delete serves POST /dashboard/audits/sites/{id}: it deletes an audit of a site, which stops one that runs.
func (p *sites) delete(c echo.Context) error {
	in := server.Input{Path: map[string]string{"siteId": c.Param("id")}}
	if _, err := p.remove.Form(c, in); err != nil && apperr.CodeOf(err) != apperr.NotFound {
		return err
	}
	return c.Redirect(http.StatusSeeOther, sitesPath)
}

// picture serves GET /dashboard/audits/sites/{id}/picture: the small share image of a page.
func (p *sites) picture(c echo.Context) error {
	ctx := c.Request().Context()
	data, kind, err := p.pictures.Picture(ctx, identity.CallerOf(ctx), c.Param("id"), c.QueryParam("page"))
	if err != nil {
		return err
	}
	h := c.Response().Header()
	h.Set("Cache-Control", "private, max-age=3600")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	return c.Blob(http.StatusOK, kind, data)
}

// reportOf is what an audit says, with its worst pages.
func reportOf(of *gen.Site) *site.Report {
	r := &site.Report{URL: of.Url, Read: of.Pages.Read, Unread: of.Pages.Unread}
	if of.OverallScore != nil && of.LetterGrade != nil {
		r.Overall = audit.Grade{Score: *of.OverallScore, Letter: *of.LetterGrade}
	}
	if n := of.CategoryScores; n != nil {
		r.Categories.OG.Score, r.Categories.Twitter.Score, r.Categories.SEO.Score = n.Og, n.Twitter, n.Seo
	}
	for _, letter := range site.Letters() {
		if n := of.Grades[letter]; n > 0 {
			r.Letters = append(r.Letters, site.Letter{Letter: letter, Pages: n})
		}
	}
	for _, f := range of.Findings {
		finding := site.Finding{
			ID: f.Id, Title: f.Title, Severity: f.Severity, Pass: f.Pass, Message: f.Message, Fix: f.Fix,
		}
		for _, g := range f.Groups {
			finding.Groups = append(finding.Groups, site.Group{Value: g.Value, Count: g.Count, URLs: g.Urls})
		}
		r.Findings = append(r.Findings, finding)
	}
	for _, f := range of.Faults {
		fault := site.Fault{
			ID: f.Id, Category: f.Category, Title: f.Title, Severity: f.Severity, Pages: f.Pages, Gain: float64(f.Gain),
			Fix: f.Fix,
		}
		for _, e := range f.Examples {
			fault.Examples = append(fault.Examples, site.Example{URL: e.Url, Message: e.Message})
		}
		r.Faults = append(r.Faults, fault)
	}
	for i := range of.Items {
		r.Pages = append(r.Pages, pageOf(&of.Items[i]))
	}
	return r
}

// pageOf is a page of an audit. Its Thumb says that there is a picture.
func pageOf(of *gen.SitePage) site.Page {
	value := func(text *string) string {
		if text == nil {
			return ""
		}
		return *text
	}
	p := site.Page{
		URL: of.Url, FinalURL: value(of.FinalUrl), Error: value(of.Error), Title: value(of.Title),
		Description: value(of.Description), Image: value(of.Image),
	}
	if of.OverallScore != nil {
		p.Overall = audit.Grade{Score: *of.OverallScore, Letter: value(of.LetterGrade)}
	}
	if of.Thumbnail {
		p.Thumb = "picture"
	}
	for _, i := range of.Issues {
		p.Issues = append(p.Issues, site.Issue{ID: i.Id, Severity: i.Severity, Message: i.Message})
	}
	for _, v := range of.Previews {
		p.Views = append(p.Views, site.View{Platform: v.Platform, Verdict: platform.Verdict(v.Verdict)})
	}
	return p
}
