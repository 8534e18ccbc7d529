package dashboard

import (
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/server"
	"masthead/pkg/web/frame"
	"masthead/pkg/web/ui"
)

const webhooksPath = frame.Home + "/webhooks"

func webhookPath(id string) string { return webhooksPath + "/" + id }

var webhooksPage = newView("webhooks", "hooks.html", "secret.css", "webhooks.css")

// webhooks is the page of all webhooks.
type webhooks struct {
	*frame.Shell
	list, create, test, projects, undelete *server.Operation
}

func newWebhooks(sh *frame.Shell, r *frame.Router) {
	p := &webhooks{
		Shell: sh, list: r.Operation("listWebhooks"), create: r.Operation("createWebhook"), test: r.Operation("testWebhook"),
		projects: r.Operation("listProjects"), undelete: r.Operation("undeleteWebhook"),
	}
	r.Place("API", "Webhooks", webhooksPath)
	r.Place("API", "Reference", "/swagger")
	r.Get(webhooksPath, p.show)
	r.Post(webhooksPath, p.change)
}

// eventTypes are the types of events and when they happen.
var eventTypes = []ui.Option{
	{Value: string(gen.WebhookEventTypeImageCreated), Text: "an image was drawn"},
	{Value: string(gen.WebhookEventTypeImageFailed), Text: "an image couldn’t be drawn"},
	{Value: string(gen.WebhookEventTypeAuditCompleted), Text: "an audit is done"},
	{Value: string(gen.WebhookEventTypeAuditScoreDropped), Text: "a page scores less than before"},
	{Value: string(gen.WebhookEventTypeWatchWorse), Text: "a watched page got worse"},
	{Value: string(gen.WebhookEventTypeWatchRecovered), Text: "a watched page recovered"},
	{Value: string(gen.WebhookEventTypeSiteCompleted), Text: "the audit of a site is done"},
	{Value: string(gen.WebhookEventTypeExportCompleted), Text: "an export of the account is done"},
	{Value: string(gen.WebhookEventTypeQuotaReached), Text: "the month’s units are nearly or all used"},
	{Value: string(gen.WebhookEventTypeAiDisabled), Text: "AI was turned off for a project"},
	{Value: string(gen.WebhookEventTypeSubscriptionChanged), Text: "the plan changed"},
	{Value: string(gen.WebhookEventTypePaymentFailed), Text: "a payment failed"},
	{Value: string(gen.WebhookEventTypeWebhookDisabled), Text: "a webhook was turned off"},
	{Value: string(gen.WebhookEventTypeSignInNewPlace), Text: "someone signed in from a new place"},
}

// eventChoice is a checkbox for a type of event.
type eventChoice struct {
	ui.Option

	Chosen bool
}

func eventChoices(chosen []string) []eventChoice {
	all := make([]eventChoice, len(eventTypes))
	for i, of := range eventTypes {
		all[i] = eventChoice{of, slices.Contains(chosen, of.Value)}
	}
	return all
}

// allEvents are all types.
func allEvents() []string {
	all := make([]string, len(eventTypes))
	for i, of := range eventTypes {
		all[i] = of.Value
	}
	return all
}

// addressInput and eventsInput are fields of both forms. The page places the checkboxes itself.
func addressInput(value string) ui.Input {
	return ui.Input{
		Name: "url", Label: "Endpoint URL", Autocomplete: "off", Mode: "url", MaxLength: 2048, Value: value,
		Hint: "Public, with https. We send a POST of JSON.",
	}
}

var eventsInput = ui.Input{Name: "events", Label: "Events", Optional: true}

// webhookForm is the form for a new webhook.
func webhookForm(names frame.ProjectNames) *ui.Form {
	scopes := []ui.Option{{Text: "All projects"}}
	for _, p := range names {
		scopes = append(scopes, ui.Option{Value: p.Id.String(), Text: p.Name})
	}
	return ui.NewForm(
		addressInput(""), ui.Input{Name: "projectId", Label: "Project", Options: scopes, Optional: true}, eventsInput,
	)
}

// webhookRow is a webhook in the table.
type webhookRow struct {
	ID, Path, URL, Scope, Reason, Severity, State string
	// Sent, Failed and Waiting are how many deliveries of the last 24 hours were accepted, were given up, and wait.
	Sent, Failed, Waiting int
	Events                []gen.WebhookEventType
	All, Off              bool
}

// webhookRowOf is the row of a webhook.
func webhookRowOf(w gen.Webhook, names frame.ProjectNames) webhookRow {
	row := webhookRow{
		ID: w.Id.String(), Path: webhookPath(w.Id.String()), URL: w.Url, Scope: "all projects", Events: w.Events,
		All: len(w.Events) == len(eventTypes), Severity: "pass", State: "On",
		Sent: w.LastDay.Delivered, Failed: w.LastDay.Failed, Waiting: w.LastDay.Waiting,
	}
	if w.ProjectId != nil {
		row.Scope = names.Name(w.ProjectId.String())
	}
	switch w.State {
	case gen.WebhookStatePaused:
		row.Severity, row.State, row.Reason = "warning", "Paused", "Your plan has no room for it."
	case gen.WebhookStateDisabled:
		row.Severity, row.State, row.Off = "info", "Off", true
		if w.Reason != nil {
			row.Severity, row.State, row.Reason = "error", "Turned off", *w.Reason
		}
	case gen.WebhookStateEnabled:
	}
	return row
}

// show serves GET /dashboard/webhooks. "new" in the query asks for the form.
func (p *webhooks) show(c echo.Context) error { return p.page(c, nil) }

// change handles the forms of the page.
func (p *webhooks) change(c echo.Context) error {
	names, err := frame.ReadProjects(c, p.projects)
	if err != nil {
		return err
	}
	form := webhookForm(names)
	if err := form.Read(c); err != nil {
		return err
	}
	switch form.Typed("do") {
	case "create":
	case "test":
		return testWebhook(c, p.test, form.Typed("id"))
	case "undo":
		if undo := ui.NewForm(); !frame.Undeletes(c, p.undelete, "webhookId", undo, form.Typed("id")) {
			return p.respond(c, nil, nil, undo)
		}
		return frame.Done(c, webhookPath(form.Typed("id")), "restored")
	default:
		return apperr.New(apperr.BadRequest, "The form isn’t one of this page.")
	}
	if len(form.Chosen("events")) == 0 {
		form.Fault("events", "Choose at least one event.")
		return p.page(c, form)
	}
	out, err := p.create.Form(c, server.Input{Header: frame.Repeats(c), Body: map[string]any{
		"url": strings.TrimSpace(form.Typed("url")), "projectId": form.Optional("projectId"), "events": form.Chosen("events"),
	}})
	if err != nil {
		form.Refuse(c, err)
		return p.page(c, form)
	}
	var made gen.WebhookWithSecret
	if err := out.Decode(&made); err != nil {
		return err
	}
	secret := &hookSecret{Path: webhookPath(made.Id.String()), URL: made.Url, Secret: made.Secret, New: true}
	return p.respond(c, nil, secret, nil)
}

// hookSecret is the secret of a webhook, which is shown this once, or "" for a form that was sent again. Path is where
// to go on.
type hookSecret struct {
	Path, URL, Secret string
	New               bool
}

// page responds with the page. form is the one that was sent, or nil.
func (p *webhooks) page(c echo.Context, form *ui.Form) error { return p.respond(c, form, nil, nil) }

// respond responds with the page, with the secret of a new webhook, or why a deletion couldn’t be taken back.
func (p *webhooks) respond(c echo.Context, form *ui.Form, secret *hookSecret, undo *ui.Form) error {
	names, err := frame.ReadProjects(c, p.projects)
	if err != nil {
		return err
	}
	var list gen.WebhookPage
	f := projectFilterOf(c, webhooksPath)
	if err := frame.Read(c, p.list, server.Input{Query: f.query(c)}, &list); err != nil {
		return err
	}
	rows, ids := make([]webhookRow, len(list.Items)), make([]string, len(list.Items))
	for i, w := range list.Items {
		ids[i] = w.Id.String()
		rows[i] = webhookRowOf(w, names)
	}
	status, chosen := frame.StatusOf(form), allEvents()
	if undo != nil {
		status = undo.Status
	}
	if form != nil {
		chosen = form.Chosen("events")
	} else if c.QueryParam("new") != "" || len(rows) == 0 && secret == nil {
		form = webhookForm(names)
		form.Input("projectId").Value = f.ID
	}
	of := frame.Head{
		Title: "Webhooks", Section: "API", Sub: "Webhooks",
		Deck: "Your programs are told what happens here, by requests signed as Standard Webhooks describes.",
	}
	if form == nil {
		of.Action = &ui.Link{URL: f.with("new=1") + "#new", Text: "Add a webhook"}
	}
	if err := f.narrow(c, p.Shell, names, &of); err != nil {
		return err
	}
	return p.Render(c, status, webhooksPage(), of, map[string]any{
		"Rows": rows, "Form": form, "Events": eventChoices(chosen), "Path": f.path(), "All": f.all(), "Secret": secret,
		"Again":  frame.Once(),
		"Undo":   frame.UndoableIn(c, webhooksPath, "The webhook is deleted.").Among(c, ids, list.NextCursor != nil),
		"Undone": undo, "More": frame.More(f.path(), list.NextCursor),
	})
}

// testWebhook sends a test event, and leads to its delivery.
func testWebhook(c echo.Context, of *server.Operation, id string) error {
	out, err := of.Form(c, server.Input{Path: map[string]string{"webhookId": id}})
	if err != nil {
		return err
	}
	return toDelivery(c, id, out, "sent")
}

// toDelivery leads to the delivery in the response of an operation.
func toDelivery(c echo.Context, id string, out *server.Output, what string) error {
	var made gen.WebhookDelivery
	if err := out.Decode(&made); err != nil {
		return err
	}
	return frame.Done(c, webhookPath(id)+"?"+url.Values{"delivery": {made.Id.String()}}.Encode(), what)
}
