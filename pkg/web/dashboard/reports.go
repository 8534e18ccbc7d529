package dashboard

import (
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/server"
	"masthead/pkg/web/ui"
)

const reportsPath = auditsPath + "/reports"

var reportsPage = newView("reports", "scores.css", "audits.css")

// reports is the page of all reports.
type reports struct {
	*shell
	list, remove *server.Operation
}

func newReports(sh *shell, r *router) {
	p := &reports{shell: sh, list: r.Operation("listAudits"), remove: r.Operation("deleteAudit")}
	r.place("Audits", "All reports", reportsPath)
	r.get(reportsPath, p.show)
	r.post(reportsPath, p.change)
}

// reportRow is a report in the table.
type reportRow struct {
	ID, Path, Title, Address, Score, Grade, Date, Error string
	Ask                                                 bool
}

// show serves GET /dashboard/audits/reports. "delete" in the query asks to confirm.
func (p *reports) show(c echo.Context) error { return p.page(c, c.QueryParam("delete"), ui.NewForm()) }

// change handles the form of the page.
func (p *reports) change(c echo.Context) error {
	form := ui.NewForm()
	if err := form.Read(c); err != nil {
		return err
	}
	if form.Typed("do") != "delete" {
		return apperr.New(apperr.BadRequest, "The form isn’t one of this page.")
	}
	id := form.Typed("id")
	if _, err := p.remove.Form(c, server.Input{Path: map[string]string{"auditId": id}}); err != nil {
		if code := apperr.CodeOf(err); code == apperr.NotFound || code == apperr.Forbidden {
			return err
		}
		form.Refuse(c, err)
		return p.page(c, id, form)
	}
	return done(c, reportsPath, "deleted")
}

// page responds with the page. ask is the ID of the report to confirm for, or "".
func (p *reports) page(c echo.Context, ask string, form *ui.Form) error {
	query := url.Values{"limit": {"50"}}
	if cursor := c.QueryParam("cursor"); cursor != "" {
		query.Set("cursor", cursor)
	}
	var list gen.AuditPage
	if err := read(c, p.list, server.Input{Query: query}, &list); err != nil {
		return err
	}
	now := time.Now()
	rows := make([]reportRow, len(list.Items))
	for i, of := range list.Items {
		row := reportRow{
			ID: of.Id, Path: "/audit/" + of.Id, Address: bare(of.Url), Title: bare(of.Url), Score: strconv.Itoa(of.OverallScore),
			Grade: string(of.LetterGrade), Date: ago(time.Time(of.FetchedAt), now), Ask: of.Id == ask,
		}
		if of.Title != nil && *of.Title != "" {
			row.Title = *of.Title
		}
		if row.Ask {
			row.Error = form.Error
		}
		rows[i] = row
	}
	return p.render(c, statusOf(form), reportsPage(), head{
		Title: "Audits", Name: "Reports", Section: "Audits", Sub: "All reports", Audit: true,
		Deck: "Every report that you or a watched page made, newest first. The newest 1,000 are kept.",
		Done: said(c, map[string]string{"deleted": "The report is deleted."}),
	}, map[string]any{"Rows": rows, "Path": reportsPath, "More": more(reportsPath, list.NextCursor)})
}

// statusOf is the status of a page with a form, or without one.
func statusOf(form *ui.Form) int {
	if form == nil {
		return http.StatusOK
	}
	return form.Status
}
