package admin

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

var jobsPage = newView("jobs", "filter.css", "admin.css")

// jobs is the page of the work in the background.
type jobs struct {
	*frame.Shell
	list, retry, cancel *server.Operation
}

func newJobs(sh *frame.Shell, r *frame.Router) {
	p := &jobs{
		Shell: sh, list: r.Operation("listJobs"), retry: r.Operation("retryJob"), cancel: r.Operation("cancelJob"),
	}
	r.Place(administration, "Jobs", jobsPath)
	r.Get(jobsPath, p.show)
	r.Post(jobsPath, p.change)
}

// jobRow is a job in the table.
type jobRow struct {
	ID, Name, State, Severity string
	// Reason explains the last error. Kind, Key and Error are as they are stored.
	Reason, Kind, Key, Error string
	When                     template.HTML
	Retry, Cancel            bool
}

// show serves GET /dashboard/admin/jobs. "givenUp" in the query shows those that were given up alone.
func (p *jobs) show(c echo.Context) error { return p.page(c, ui.NewForm()) }

// change handles the forms of the page.
func (p *jobs) change(c echo.Context) error {
	form := ui.NewForm()
	if err := form.Read(c); err != nil {
		return err
	}
	do := form.Typed("do")
	of := map[string]*server.Operation{"retry": p.retry, "cancel": p.cancel}[do]
	if of == nil {
		return apperr.New(apperr.BadRequest, "The form isn’t one of this page.")
	}
	if _, err := of.Form(c, server.Input{Path: map[string]string{"jobId": form.Typed("id")}}); err != nil {
		if code := apperr.CodeOf(err); code == apperr.NotFound || code == apperr.Forbidden {
			return err
		}
		form.Refuse(c, err)
		return p.page(c, form)
	}
	return frame.Done(c, jobsPath, do)
}

// jobRowOf is the row of a job.
func jobRowOf(j gen.Job) jobRow {
	row := jobRow{
		ID: j.Id.String(), Name: kindName(j.Kind), Kind: j.Kind, Key: j.Key,
		Retry: j.Retryable, Cancel: j.State != gen.JobStateGIVENUP,
		State: "Waiting", Severity: "info",
	}
	if j.Attempts > 1 {
		row.State, row.Severity = "Attempt "+strconv.Itoa(j.Attempts), "warning"
	}
	switch j.State {
	case gen.JobStateRUNNING:
		row.State = "Running"
	case gen.JobStateGIVENUP:
		row.State, row.Severity = "Given up", "error"
	case gen.JobStateWAITING:
	}
	if j.GivenUpAt != nil {
		row.When = frame.ClockTime(time.Time(*j.GivenUpAt))
	} else if j.DueAt != nil {
		row.When = "due " + frame.ClockTime(time.Time(*j.DueAt))
	}
	if j.LastError != nil {
		row.Error, row.Reason = *j.LastError, reasonOf(*j.LastError)
	}
	return row
}

// page responds with the page.
func (p *jobs) page(c echo.Context, form *ui.Form) error {
	query := url.Values{"limit": {"50"}}
	for _, name := range []string{"givenUp", "kind", "cursor"} {
		if value := c.QueryParam(name); value != "" {
			query.Set(name, value)
		}
	}
	var list gen.JobPage
	if err := frame.Read(c, p.list, server.Input{Query: query}, &list); err != nil {
		return err
	}
	rows := make([]jobRow, len(list.Items))
	for i, j := range list.Items {
		rows[i] = jobRowOf(j)
	}
	fields := []ui.Input{
		choice("givenUp", "State", "All", []ui.Option{{Value: "true", Text: "Given up"}}, query),
		choice("kind", "Job", "All jobs", kindChoices(), query),
	}
	return p.Render(c, frame.StatusOf(form), jobsPage(), frame.Head{
		Title: administration, Name: "Jobs", Section: administration, Sub: "Jobs",
		Done: frame.Said(c, map[string]string{"retry": "It’s tried again.", "cancel": "The job is canceled."}),
	}, map[string]any{
		"Rows": rows, "Fields": fields, "Form": form, "Path": jobsPath, "More": filteredMore(c, jobsPath, list.NextCursor),
	})
}
