package dashboard

import (
	"net/url"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/humanize"
	"masthead/pkg/server"
	"masthead/pkg/web/ui"
)

var outboxPage = newView("outbox", "admin.css")

// outbox is the page of emails.
type outbox struct {
	*shell
	list, link *server.Operation
}

func newOutbox(sh *shell, r *router) {
	p := &outbox{shell: sh, list: r.Operation("listOutbox"), link: r.Operation("createOutboxLink")}
	r.place(administration, "Outbox", outboxPath)
	r.get(outboxPath, p.show)
	r.post(outboxPath, p.change)
}

// mailRow is an email in the table.
type mailRow struct {
	ID, Kind, Recipient, State, Severity, When, Error string
	Waits                                             bool
}

// show serves GET /dashboard/admin/outbox.
func (p *outbox) show(c echo.Context) error { return p.page(c, ui.NewForm(), nil) }

// change handles the form of the page: it creates the link of an email that waits, which is shown this once.
func (p *outbox) change(c echo.Context) error {
	form := ui.NewForm()
	if err := form.Read(c); err != nil {
		return err
	}
	if form.Typed("do") != "link" {
		return apperr.New(apperr.BadRequest, "The form isn’t one of this page.")
	}
	out, err := p.link.Form(c, server.Input{Path: map[string]string{"mailId": form.Typed("id")}})
	if err != nil {
		if code := apperr.CodeOf(err); code == apperr.NotFound || code == apperr.Forbidden {
			return err
		}
		form.Refuse(c, err)
		return p.page(c, form, nil)
	}
	var made gen.OutboxLink
	if err := out.Decode(&made); err != nil {
		return err
	}
	return p.page(c, form, &made)
}

// page responds with the page.
func (p *outbox) page(c echo.Context, form *ui.Form, link *gen.OutboxLink) error {
	query := url.Values{"limit": {"50"}}
	if cursor := c.QueryParam("cursor"); cursor != "" {
		query.Set("cursor", cursor)
	}
	var list gen.OutboxPage
	if err := read(c, p.list, server.Input{Query: query}, &list); err != nil {
		return err
	}
	severities := map[gen.MailState]string{
		gen.MailStateWaiting: "info", gen.MailStateSent: "pass", gen.MailStateRefused: "error",
	}
	rows := make([]mailRow, len(list.Items))
	for i, m := range list.Items {
		rows[i] = mailRow{
			ID: m.Id.String(), Kind: humanize.Capital(strings.ReplaceAll(string(m.Kind), "_", " ")), Recipient: m.Recipient,
			State: humanize.Capital(string(m.State)), Severity: severities[m.State], When: clockTime(time.Time(m.CreatedAt)),
			Waits: m.State == gen.MailStateWaiting && !p.sendsMail,
		}
		if m.Error != nil {
			rows[i].Error = *m.Error
		}
	}
	deck := "Emails of the last 30 days."
	if !p.sendsMail {
		deck = "This server sends no email: it waits here, and you pass links on."
	}
	return p.render(c, statusOf(form), outboxPage(), head{
		Title: administration, Name: "Outbox", Section: administration, Sub: "Outbox", Deck: deck,
	}, map[string]any{
		"Rows": rows, "Form": form, "Path": outboxPath, "Link": link, "More": more(outboxPath, list.NextCursor),
	})
}
