package dashboard

import (
	"bytes"
	"encoding/json"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/server"
	"masthead/pkg/web/frame"
	"masthead/pkg/web/ui"
)

var webhookPage = newView("webhook", "hooks.html", "settings.css", "secret.css", "webhooks.css")

// webhook is the page of one webhook and its deliveries.
type webhook struct {
	*frame.Shell
	read, update, remove, rotate, test                   *server.Operation
	deliveries, delivery, replay, replayAll, allProjects *server.Operation
}

func newWebhook(sh *frame.Shell, r *frame.Router) {
	p := &webhook{
		Shell: sh, read: r.Operation("getWebhook"), update: r.Operation("updateWebhook"),
		remove: r.Operation("deleteWebhook"), rotate: r.Operation("rotateWebhook"), test: r.Operation("testWebhook"),
		deliveries: r.Operation("listWebhookDeliveries"), delivery: r.Operation("getWebhookDelivery"),
		replay: r.Operation("replayWebhookDelivery"), replayAll: r.Operation("replayWebhook"),
		allProjects: r.Operation("listProjects"),
	}
	r.Get(webhookPath(":id"), p.show)
	r.Post(webhookPath(":id"), p.change)
}

// webhookView is what the page shows of a form that was sent: its errors, what it asks to confirm, and a new secret.
type webhookView struct {
	form   *ui.Form
	fault  *ui.Form
	ask    string
	secret *hookSecret
}

// show serves GET /dashboard/webhooks/{id}. "ask" in the query is "rotate", "delivery" the ID of one.
func (p *webhook) show(c echo.Context) error { return p.page(c, webhookView{ask: c.QueryParam("ask")}) }

// change handles the forms of the page.
func (p *webhook) change(c echo.Context) error {
	form := ui.NewForm(addressInput(""), eventsInput)
	if err := form.Read(c); err != nil {
		return err
	}
	id, do := c.Param("id"), form.Typed("do")
	in := server.Input{Path: map[string]string{"webhookId": id}}
	of, what := p.update, "saved"
	switch do {
	case "save":
		if len(form.Chosen("events")) == 0 {
			form.Fault("events", "Choose at least one event.")
			return p.page(c, webhookView{form: form})
		}
		in.Body = map[string]any{"url": strings.TrimSpace(form.Typed("url")), "events": form.Chosen("events")}
	case "on", "off":
		in.Body, what = map[string]any{"enabled": do == "on"}, do
	case "test":
		return testWebhook(c, p.test, id)
	case "rotate":
		of, in.Header = p.rotate, frame.Repeats(c)
	case "delete":
		if err := frame.Deletes(c, p.remove, "webhookId", id, webhooksPath, ""); err != nil {
			return p.refused(c, do, form, err)
		}
		return nil
	case "resend-failed":
		return p.resendsFailed(c, form, in)
	case "resend":
		in.Path["deliveryId"] = form.Typed("delivery")
		of = p.replay
	default:
		return apperr.New(apperr.BadRequest, "The form isn’t one of this page.")
	}
	out, err := of.Form(c, in)
	if err != nil {
		return p.refused(c, do, form, err)
	}
	switch do {
	case "rotate":
		var made gen.WebhookWithSecret
		if err := out.Decode(&made); err != nil {
			return err
		}
		return p.page(c, webhookView{secret: &hookSecret{Path: webhookPath(id), URL: made.Url, Secret: made.Secret}})
	case "resend":
		return toDelivery(c, id, out, "sent")
	}
	return frame.Done(c, webhookPath(id), what)
}

// since are the times whose failed deliveries can be sent again at once.
var since = []ui.Option{
	{Value: "1h", Text: "in the last hour"}, {Value: "24h", Text: "in the last 24 hours"},
	{Value: "336h", Text: "in the last 14 days"},
}

// resendsFailed sends what failed in a time again.
func (p *webhook) resendsFailed(c echo.Context, form *ui.Form, in server.Input) error {
	age, err := time.ParseDuration(form.Typed("since"))
	if err != nil || !slices.ContainsFunc(since, func(o ui.Option) bool { return o.Value == form.Typed("since") }) {
		return apperr.New(apperr.BadRequest, "The form isn’t one of this page.")
	}
	now := time.Now().UTC()
	in.Body = map[string]any{
		"from": now.Add(-age).Format(time.RFC3339), "to": now.Add(time.Second).Format(time.RFC3339), "failedOnly": true,
	}
	out, err := p.replayAll.Form(c, in)
	if err != nil {
		return p.refused(c, form.Typed("do"), form, err)
	}
	var replayed gen.WebhookReplayed
	if err := out.Decode(&replayed); err != nil {
		return err
	}
	what := "resent"
	if replayed.Count == 0 {
		what = "none"
	}
	return frame.Done(c, webhookPath(c.Param("id")), what)
}

// refused shows why a form was refused.
func (p *webhook) refused(c echo.Context, do string, form *ui.Form, err error) error {
	if code := apperr.CodeOf(err); code == apperr.NotFound {
		return err
	}
	form.Refuse(c, err)
	if do == "save" {
		return p.page(c, webhookView{form: form})
	}
	return p.page(c, webhookView{fault: form})
}

// deliveryRow is a delivery in the list.
type deliveryRow struct {
	Path, Type, Severity, Result string
	Time, Note                   template.HTML
	Current                      bool
}

// deliveryRowOf is the row of a delivery.
func deliveryRowOf(path string, d gen.WebhookDelivery) deliveryRow {
	row := deliveryRow{
		Path: path + "?" + url.Values{"delivery": {d.Id.String()}}.Encode() + "#delivery",
		Time: frame.ClockTime(time.Time(d.CreatedAt)), Type: d.Type, Severity: "info", Result: "sending",
	}
	if len(d.Attempts) == 0 {
		return row
	}
	last := d.Attempts[len(d.Attempts)-1]
	row.Note = frame.Text(strconv.Itoa(last.DurationMs) + " ms")
	row.Result = "no response"
	if last.Status != nil {
		row.Result = strconv.Itoa(*last.Status)
	}
	switch d.State {
	case gen.WebhookDeliveryStateDelivered:
		row.Severity = "pass"
	case gen.WebhookDeliveryStateFailed:
		row.Severity = "error"
	case gen.WebhookDeliveryStateWaiting:
		row.Severity = "warning"
		if d.NextAttemptAt != nil {
			row.Note = "again at " + frame.ClockTime(time.Time(*d.NextAttemptAt))
		}
	}
	return row
}

// deliveryDetail is a delivery with its request and response.
type deliveryDetail struct {
	deliveryRow

	ID, Request, Response, About string
	Waits                        bool
}

// sent says that a test was sent, or is about to be.
func (d *deliveryDetail) sent() string {
	if d == nil || d.Waits {
		return "On its way."
	}
	return "Sent."
}

// maxShownResponse is how much of a response is shown, in bytes.
const maxShownResponse = 4 << 10

// detail returns the delivery that the query asks for; nil for none.
func (p *webhook) detail(c echo.Context, w gen.Webhook, id string) (*deliveryDetail, error) {
	var found gen.WebhookDelivery
	in := server.Input{Path: map[string]string{"webhookId": w.Id.String(), "deliveryId": id}}
	if err := frame.Read(c, p.delivery, in, &found); err != nil {
		return nil, err
	}
	d := &deliveryDetail{deliveryRow: deliveryRowOf(webhookPath(w.Id.String()), found), ID: id}
	body := found.Body
	var indented bytes.Buffer
	if json.Indent(&indented, []byte(body), "", "  ") == nil {
		body = indented.String()
	}
	d.Request = "POST " + w.Url + "\nwebhook-id: " + found.EventId.String() + "\n\n" + body
	d.Waits = found.State == gen.WebhookDeliveryStateWaiting && len(found.Attempts) == 0
	if n := len(found.Attempts); n > 0 {
		last := found.Attempts[n-1]
		d.About = "Attempt " + strconv.Itoa(n) + ", " + strconv.Itoa(last.DurationMs) + " ms"
		switch {
		case last.Error != nil:
			d.Response = *last.Error
		case last.Status != nil:
			d.Response = strconv.Itoa(*last.Status) + " " + http.StatusText(*last.Status)
			if last.Response != nil && *last.Response != "" {
				text := *last.Response
				if len(text) > maxShownResponse {
					text = strings.ToValidUTF8(text[:maxShownResponse], "") + "…"
				}
				d.Response += "\n\n" + text
			}
		}
	}
	return d, nil
}

// list returns a page of the deliveries.
func (p *webhook) list(c echo.Context, id string) (list gen.WebhookDeliveryPage, err error) {
	query := url.Values{"limit": {"20"}}
	if cursor := c.QueryParam("cursor"); cursor != "" {
		query.Set("cursor", cursor)
	}
	in := server.Input{Path: map[string]string{"webhookId": id}, Query: query}
	err = frame.Read(c, p.deliveries, in, &list)
	return list, err
}

// page responds with the page.
func (p *webhook) page(c echo.Context, v webhookView) error {
	id := c.Param("id")
	var found gen.Webhook
	if err := frame.Read(c, p.read, server.Input{Path: map[string]string{"webhookId": id}}, &found); err != nil {
		return err
	}
	names, err := frame.ReadProjects(c, p.allProjects)
	if err != nil {
		return err
	}
	list, err := p.list(c, id)
	if err != nil {
		return err
	}
	shown := c.QueryParam("delivery")
	if shown == "" && len(list.Items) > 0 {
		shown = list.Items[0].Id.String()
	}
	var detail *deliveryDetail
	if shown != "" {
		if detail, err = p.detail(c, found, shown); err != nil {
			return err
		}
	}
	rows := make([]deliveryRow, len(list.Items))
	for i, d := range list.Items {
		rows[i] = deliveryRowOf(webhookPath(id), d)
		rows[i].Current = d.Id.String() == shown
	}
	status, chosen := http.StatusOK, []string{}
	for _, form := range []*ui.Form{v.form, v.fault} {
		if form != nil {
			status = form.Status
		}
	}
	if v.form != nil {
		chosen = v.form.Chosen("events")
	} else {
		v.form = ui.NewForm(addressInput(found.Url), eventsInput)
		for _, of := range found.Events {
			chosen = append(chosen, string(of))
		}
	}
	fault := v.fault
	if fault == nil {
		fault = &ui.Form{Error: v.form.Error}
	}
	return p.Render(c, status, webhookPage(), frame.Head{
		Title: bare(found.Url), Name: "Webhook", Section: "API", Sub: "Webhooks",
		Crumb: &ui.Link{URL: webhooksPath, Text: "Webhooks"}, Deck: "For " + webhookRowOf(found, names).Scope,
		Done: frame.Said(c, map[string]string{
			"saved": "Saved.", "on": "Turned on. What waits is sent now.", "off": "Turned off.", "sent": detail.sent(),
			"restored": "The webhook is back.", "resent": "What failed is sent again.", "none": "Nothing failed in that time.",
		}),
	}, map[string]any{
		"Row": webhookRowOf(found, names), "Form": v.form, "Fault": fault, "Events": eventChoices(chosen), "Path": webhookPath(id),
		"Since": since, "Deliveries": rows, "Detail": detail, "Ask": v.ask, "Secret": v.secret, "Again": frame.Once(),
		"More": frame.More(webhookPath(id), list.NextCursor),
	})
}
