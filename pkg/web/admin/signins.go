package admin

import (
	"html/template"
	"net/http"
	"net/url"
	"time"

	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/server"
	"masthead/pkg/web/frame"
)

var failedSignInsPage = newView("sign-ins", "admin.css")

// failedSignIns is the page of where sign-ins fail.
type failedSignIns struct {
	*frame.Shell
	list *server.Operation
}

func newFailedSignIns(sh *frame.Shell, r *frame.Router) {
	p := &failedSignIns{Shell: sh, list: r.Operation("listFailedSignIns")}
	r.Place(administration, "Failed sign-ins", failedPath)
	r.Get(failedPath, p.show)
}

// failedRow is an address from which sign-ins failed.
type failedRow struct {
	Address, Subject string
	Last             template.HTML
	Attempts         int
}

// show serves GET /dashboard/admin/sign-ins.
func (p *failedSignIns) show(c echo.Context) error {
	var list gen.FailedSignInList
	if err := frame.Read(c, p.list, server.Input{Query: url.Values{"hours": {"168"}}}, &list); err != nil {
		return err
	}
	rows := make([]failedRow, len(list.Items))
	for i, of := range list.Items {
		rows[i] = failedRow{
			Address: "unknown", Subject: "unknown", Last: frame.ClockTime(time.Time(of.LastAt)), Attempts: of.Attempts,
		}
		if of.Address != nil {
			rows[i].Address = *of.Address
		}
		if of.Subject != nil {
			rows[i].Subject = *of.Subject
		}
	}
	return p.Render(c, http.StatusOK, failedSignInsPage(), frame.Head{
		Title: administration, Name: "Failed sign-ins", Section: administration, Sub: "Failed sign-ins",
		Deck: "Of the last seven days, the most attempts first. Times are in UTC.",
	}, map[string]any{"Rows": rows})
}
