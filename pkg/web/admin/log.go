package admin

import (
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/server"
	"masthead/pkg/web/frame"
	"masthead/pkg/web/ui"
)

var logPage = newView("log", "filter.css", "admin.css")

// auditLog is the page of the audit log.
type auditLog struct {
	*frame.Shell
	list *server.Operation
}

func newLog(sh *frame.Shell, r *frame.Router) {
	p := &auditLog{Shell: sh, list: r.Operation("listAuditLog")}
	r.Place(administration, "Audit log", logPath)
	r.Get(logPath, p.show)
	r.Get(logPath+".csv", p.csv)
}

// logRow is an event in the table.
type logRow struct {
	When                            template.HTML
	Action, Actor, Subject, Address string
	Times                           int
}

// query is the filter of a request: by action, account, subject and day.
func (p *auditLog) query(c echo.Context) url.Values {
	query := url.Values{}
	for _, name := range []string{"action", "actorId", "subject"} {
		if value := strings.TrimSpace(c.QueryParam(name)); value != "" {
			query.Set(name, value)
		}
	}
	if first, err := time.Parse(time.DateOnly, c.QueryParam("day")); err == nil {
		query.Set("from", first.Format(time.RFC3339))
		query.Set("to", first.AddDate(0, 0, 1).Format(time.RFC3339))
	}
	return query
}

// csv serves GET /dashboard/admin/log.csv: the table of the operation as a file, with the same filter.
func (p *auditLog) csv(c echo.Context) error {
	out, err := p.list.Read(c, server.Input{Query: p.query(c), Header: http.Header{"Accept": {"text/csv"}}})
	if err != nil {
		return err
	}
	c.Response().Header().Set(echo.HeaderContentDisposition, `attachment; filename="audit-log.csv"`)
	return c.Blob(http.StatusOK, "text/csv; charset=utf-8", out.Body)
}

// show serves GET /dashboard/admin/log.
func (p *auditLog) show(c echo.Context) error {
	query, at := p.query(c), c.QueryParam("day")
	csv := logPath + ".csv?" + url.Values{
		"action": {query.Get("action")}, "actorId": {query.Get("actorId")}, "subject": {query.Get("subject")}, "day": {at},
	}.Encode()
	query.Set("limit", "50")
	if cursor := c.QueryParam("cursor"); cursor != "" {
		query.Set("cursor", cursor)
	}
	var list gen.AuditEventPage
	if err := frame.Read(c, p.list, server.Input{Query: query}, &list); err != nil {
		return err
	}
	text := func(of *string) string {
		if of == nil {
			return ""
		}
		return *of
	}
	rows := make([]logRow, len(list.Items))
	for i, of := range list.Items {
		rows[i] = logRow{
			frame.ClockTime(time.Time(of.At)), of.Action, text(of.ActorId), text(of.Subject), text(of.Address), of.Times,
		}
	}
	fields := []ui.Input{
		{Name: "action", Label: "Action", Autocomplete: "off", MaxLength: 64, Optional: true, Value: query.Get("action")},
		{
			Name: "actorId", Label: "Account’s ID", Autocomplete: "off", MaxLength: 36, Optional: true,
			Value: query.Get("actorId"),
		},
		{Name: "subject", Label: "Done to", Autocomplete: "off", MaxLength: 300, Optional: true, Value: query.Get("subject")},
		{Name: "day", Label: "Day", Type: "date", Optional: true, Value: at},
	}
	return p.Render(c, http.StatusOK, logPage(), frame.Head{
		Title: administration, Name: "Audit log", Section: administration, Sub: "Audit log",
		Deck: "What people did, newest first, for a year. Times are in UTC.",
	}, map[string]any{
		"Rows": rows, "Fields": fields, "Path": logPath, "More": filteredMore(c, logPath, list.NextCursor), "CSV": csv,
	})
}
