package admin

import (
	"html/template"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/humanize"
	"masthead/pkg/server"
	"masthead/pkg/web/frame"
	"masthead/pkg/web/ui"
)

var outboxPage = newView("outbox", "filter.css", "secret.css", "admin.css")

// outbox is the page of emails.
type outbox struct {
	*frame.Shell
	list, link, resend *server.Operation
}

func newOutbox(sh *frame.Shell, r *frame.Router) {
	p := &outbox{
		Shell: sh, list: r.Operation("listOutbox"), link: r.Operation("createOutboxLink"),
		resend: r.Operation("resendOutbox"),
	}
	r.Place(administration, "Outbox", outboxPath)
	r.Get(outboxPath, p.show)
	r.Post(outboxPath, p.change)
}

// mailRow is an email in the table.
type mailRow struct {
	ID, Kind, Recipient, State, Severity, Error string
	When                                        template.HTML
	Waits                                       bool
}

var (
	mailStates = []ui.Option{
		{Value: string(gen.MailStateWaiting), Text: "Waiting"}, {Value: string(gen.MailStateSent), Text: "Sent"},
		{Value: string(gen.MailStateRefused), Text: "Refused"},
	}
	mailKinds = []gen.MailKind{
		gen.MailKindConfirmAddress, gen.MailKindResetPassword, gen.MailKindSignInLink, gen.MailKindNewAddress,
		gen.MailKindAddressChange, gen.MailKindAddressChanged, gen.MailKindNewSignIn, gen.MailKindQuotaReached,
		gen.MailKindPlanChanged, gen.MailKindPaymentFailed, gen.MailKindAiDisabled, gen.MailKindWebhookDisabled,
		gen.MailKindWatchWorse, gen.MailKindImageFailed, gen.MailKindSiteCompleted, gen.MailKindExportCompleted,
		gen.MailKindAccountDeleted, gen.MailKindDigest,
	}
)

// allKinds is the choice of all kinds of mail.
const allKinds = "all"

// mailKindChoices are the kinds of mail whose failed ones can be sent again.
func mailKindChoices() []ui.Option {
	options := []ui.Option{{Value: allKinds, Text: "All kinds"}}
	for _, kind := range mailKinds {
		options = append(options, ui.Option{Value: string(kind), Text: mailName(kind)})
	}
	return options
}

// mailName is what people call a kind of mail.
func mailName(kind gen.MailKind) string {
	return humanize.Capital(strings.ReplaceAll(string(kind), "_", " "))
}

// show serves GET /dashboard/admin/outbox. "state" in the query is a filter, "resend" a kind of mail: whether to send
// its failed ones again is asked.
func (p *outbox) show(c echo.Context) error { return p.page(c, ui.NewForm(), nil) }

// change handles the forms of the page: it creates the link of an email that waits, which is shown this once, and sends
// failed emails again.
func (p *outbox) change(c echo.Context) error {
	form := ui.NewForm()
	if err := form.Read(c); err != nil {
		return err
	}
	switch form.Typed("do") {
	case "link":
	case "resend":
		return p.sendAgain(c, form)
	default:
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

// sendAgain sends the failed emails of a kind again.
func (p *outbox) sendAgain(c echo.Context, form *ui.Form) error {
	query := url.Values{}
	if kind := form.Typed("kind"); kind != allKinds {
		query.Set("kind", kind)
	}
	out, err := p.resend.Form(c, server.Input{Query: query})
	if err != nil {
		if code := apperr.CodeOf(err); code == apperr.Forbidden {
			return err
		}
		form.Refuse(c, err)
		return p.page(c, form, nil)
	}
	var resent gen.OutboxResent
	if err := out.Decode(&resent); err != nil {
		return err
	}
	switch {
	case resent.More:
		return frame.Done(c, outboxPath, "some")
	case resent.Count == 0:
		return frame.Done(c, outboxPath, "none")
	}
	return frame.Done(c, outboxPath, "resent")
}

// page responds with the page.
func (p *outbox) page(c echo.Context, form *ui.Form, link *gen.OutboxLink) error {
	query := url.Values{"limit": {"50"}}
	for _, name := range []string{"state", "cursor"} {
		if value := c.QueryParam(name); value != "" {
			query.Set(name, value)
		}
	}
	var list gen.OutboxPage
	if err := frame.Read(c, p.list, server.Input{Query: query}, &list); err != nil {
		return err
	}
	severities := map[gen.MailState]string{
		gen.MailStateWaiting: "info", gen.MailStateSent: "pass", gen.MailStateRefused: "error",
	}
	rows := make([]mailRow, len(list.Items))
	for i, m := range list.Items {
		rows[i] = mailRow{
			ID: m.Id.String(), Kind: mailName(m.Kind), Recipient: m.Recipient,
			State: humanize.Capital(string(m.State)), Severity: severities[m.State],
			When:  frame.ClockTime(time.Time(m.CreatedAt)),
			Waits: m.State == gen.MailStateWaiting && !p.SendsMail,
		}
		if m.Error != nil {
			rows[i].Error = *m.Error
		}
	}
	asked, choices := ui.Option{}, mailKindChoices()
	if i := slices.IndexFunc(choices, func(o ui.Option) bool { return o.Value == c.QueryParam("resend") }); i >= 0 {
		asked = choices[i]
	}
	deck := "Emails of the last 30 days."
	if !p.SendsMail {
		deck = "This server sends no email: it waits here, and you pass links on."
	}
	return p.Render(c, frame.StatusOf(form), outboxPage(), frame.Head{
		Title: administration, Name: "Outbox", Section: administration, Sub: "Outbox", Deck: deck,
		Done: frame.Said(c, map[string]string{
			"resent": "They’re sent again.", "none": "No email of this kind has failed.",
			"some": "The oldest 500 are sent again. There may be more.",
		}),
	}, map[string]any{
		"Rows": rows, "Form": form, "Path": outboxPath, "Link": link, "More": filteredMore(c, outboxPath, list.NextCursor),
		"Fields": []ui.Input{choice("state", "State", "All", mailStates, query)}, "Filtered": query.Get("state") != "",
		"Resends": p.SendsMail, "Ask": asked, "Kinds": choices,
	})
}
