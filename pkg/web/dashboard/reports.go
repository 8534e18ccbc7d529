package dashboard

import (
	"html/template"
	"net/url"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/server"
	"masthead/pkg/web/frame"
	"masthead/pkg/web/ui"
)

const reportsPath = auditsPath + "/reports"

var reportsPage = newView("reports", "scores.css", "audits.css")

// reports is the page of all reports.
type reports struct {
	*frame.Shell
	list, remove, undelete *server.Operation
}

func newReports(sh *frame.Shell, r *frame.Router) {
	p := &reports{
		Shell: sh, list: r.Operation("listAudits"), remove: r.Operation("deleteAudit"),
		undelete: r.Operation("undeleteAudit"),
	}
	r.Place("Audits", "All reports", reportsPath)
	r.Get(reportsPath, p.show)
	r.Post(reportsPath, p.change)
}

// reportRow is a report in the table.
type reportRow struct {
	// Where is its place in the list, see [frame.Undoable].
	ID, Where, Path, Title, Address, Score, Grade string
	Date                                          template.HTML
}

// show serves GET /dashboard/audits/reports.
func (p *reports) show(c echo.Context) error { return p.page(c, ui.NewForm()) }

// change handles the forms of the page.
func (p *reports) change(c echo.Context) error {
	form := ui.NewForm()
	if err := form.Read(c); err != nil {
		return err
	}
	switch form.Typed("do") {
	case "delete":
		err := frame.Deletes(c, p.remove, "auditId", form.Typed("id"), reportsPath, form.Typed("where"))
		if code := apperr.CodeOf(err); err == nil || code == apperr.NotFound || code == apperr.Forbidden {
			return err
		}
		form.Refuse(c, err)
		return p.page(c, form)
	case "undo":
		if !frame.Undeletes(c, p.undelete, "auditId", form, form.Typed("id")) {
			return p.page(c, form)
		}
		return frame.Done(c, reportsPath, "restored")
	}
	return apperr.New(apperr.BadRequest, "The form isn’t one of this page.")
}

// page responds with the page, with the error of the form that was sent.
func (p *reports) page(c echo.Context, form *ui.Form) error {
	query := url.Values{"limit": {"50"}}
	if cursor := c.QueryParam("cursor"); cursor != "" {
		query.Set("cursor", cursor)
	}
	var list gen.AuditPage
	if err := frame.Read(c, p.list, server.Input{Query: query}, &list); err != nil {
		return err
	}
	now := time.Now()
	rows, ids := make([]reportRow, len(list.Items)), make([]string, len(list.Items))
	for i, of := range list.Items {
		ids[i] = of.Id
		row := reportRow{
			ID: of.Id, Path: "/audit/" + of.Id, Address: bare(of.Url), Title: bare(of.Url), Score: strconv.Itoa(of.OverallScore),
			Grade: string(of.LetterGrade), Date: frame.Ago(time.Time(of.FetchedAt), now),
		}
		if of.Title != nil && *of.Title != "" {
			row.Title = *of.Title
		}
		rows[i] = row
	}
	for i, place := range frame.Following(ids) {
		rows[i].Where = place
	}
	return p.Render(c, frame.StatusOf(form), reportsPage(), frame.Head{
		Title: "Audits", Name: "Reports", Section: "Audits", Sub: "All reports", Audit: true,
		Deck: "Every report that you or a watched page made, newest first. The newest 1,000 are kept.",
		Done: frame.Said(c, map[string]string{"restored": "The report is back."}),
	}, map[string]any{
		"Rows": rows, "Path": reportsPath, "More": frame.More(reportsPath, list.NextCursor), "Form": form,
		"Undo": frame.UndoableIn(c, reportsPath, "The report is deleted.").Among(c, ids, list.NextCursor != nil),
	})
}
