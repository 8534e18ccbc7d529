package dashboard

import (
	"html/template"
	"net/url"
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

const notificationsPath = frame.Home + "/notifications"

var notificationsPage = newView("notifications", "notifications.css")

// notifications is the page of what the account was told, and of what it wants to be told.
type notifications struct {
	*frame.Shell
	list, mark, preferences, prefer *server.Operation
}

func newNotifications(sh *frame.Shell, r *frame.Router) {
	p := &notifications{
		Shell: sh, list: r.Operation("listNotifications"), mark: r.Operation("readNotifications"),
		preferences: r.Operation("getPreferences"), prefer: r.Operation("putPreferences"),
	}
	r.Get(notificationsPath, p.show)
	r.Post(notificationsPath, p.change)
}

// notificationKinds are what people are told about.
var notificationKinds = map[gen.NotificationKind]string{
	gen.NotificationKindWatchWorse:      "A watched page got worse",
	gen.NotificationKindImageFailed:     "An image couldn’t be drawn",
	gen.NotificationKindSiteCompleted:   "The audit of a site took a while and is done",
	gen.NotificationKindExportCompleted: "An export of the account took a while and is done",
	gen.NotificationKindQuotaReached:    "The month’s AI images or analyses are nearly or all used",
	gen.NotificationKindAiDisabled:      "AI was turned off for a project",
	gen.NotificationKindWebhookDisabled: "A webhook was turned off",
	gen.NotificationKindPlanChanged:     "The plan changed",
	gen.NotificationKindPaymentFailed:   "A payment failed",
	gen.NotificationKindNewSignIn:       "Someone signed in from a new place",
}

// notificationLinks lead to where something can be done about it, for notifications that have no page of their own.
var notificationLinks = map[gen.NotificationKind]ui.Link{
	gen.NotificationKindWatchWorse:      {URL: auditsPath, Text: "See watched pages"},
	gen.NotificationKindImageFailed:     {URL: imagesPath, Text: "See your images"},
	gen.NotificationKindSiteCompleted:   {URL: sitesPath, Text: "See the audit"},
	gen.NotificationKindExportCompleted: {URL: settingsPath + "#data", Text: "See the export"},
	gen.NotificationKindQuotaReached:    {URL: usagePath, Text: "See this month’s usage"},
	gen.NotificationKindAiDisabled:      {URL: projectsPath, Text: "See your projects"},
	gen.NotificationKindWebhookDisabled: {URL: webhooksPath, Text: "See your webhooks"},
	gen.NotificationKindPlanChanged:     {URL: billingPath, Text: "See your plan"},
	gen.NotificationKindPaymentFailed:   {URL: billingPath, Text: "See your plan"},
	gen.NotificationKindNewSignIn:       {URL: settingsPath + "#sessions", Text: "See your sessions"},
}

// notificationRow is a notification in the list.
type notificationRow struct {
	ID, Title string
	Age       template.HTML
	Lines     []string
	Link      ui.Link
	Unread    bool
}

// show serves GET /dashboard/notifications.
func (p *notifications) show(c echo.Context) error { return p.page(c, ui.NewForm()) }

// change handles the forms of the page.
func (p *notifications) change(c echo.Context) error {
	form := ui.NewForm()
	if err := form.Read(c); err != nil {
		return err
	}
	of, in, what := p.mark, server.Input{Body: map[string]any{}}, "read"
	switch form.Typed("do") {
	case "read":
		if id := form.Typed("id"); id != "" {
			in.Body = map[string]any{"id": id}
		}
	case "prefer":
		of, what = p.prefer, "saved"
		choices, err := p.choices(c, form)
		if err != nil {
			return err
		}
		in.Body = map[string]any{"items": choices}
	default:
		return apperr.New(apperr.BadRequest, "The form isn’t one of this page.")
	}
	if _, err := of.Form(c, in); err != nil {
		if apperr.CodeOf(err) == apperr.NotFound {
			return err
		}
		form.Refuse(c, err)
		return p.page(c, form)
	}
	return frame.Done(c, notificationsPath, what)
}

// choices are the preferences that the form has. What can't be turned off isn't in it.
func (p *notifications) choices(c echo.Context, form *ui.Form) ([]gen.NotificationChoice, error) {
	var now gen.NotificationPreferences
	if err := frame.Read(c, p.preferences, server.Input{}, &now); err != nil {
		return nil, err
	}
	var all []gen.NotificationChoice
	for _, of := range now.Items {
		checked := func(channel string) bool { return form.Typed(channel+"."+string(of.Kind)) != "" }
		inbox, mail, webhook := checked("inbox"), checked("mail"), checked("webhook")
		choice := gen.NotificationChoice{Kind: of.Kind, Inbox: &inbox, Webhook: &webhook}
		if !of.MailAlways {
			choice.Mail = &mail
		}
		all = append(all, choice)
	}
	return all, nil
}

// preferenceRow is a kind of notifications in the table.
type preferenceRow struct {
	gen.NotificationPreference

	Says string
}

// page responds with the page.
func (p *notifications) page(c echo.Context, form *ui.Form) error {
	query := url.Values{"limit": {"20"}}
	if cursor := c.QueryParam("cursor"); cursor != "" {
		query.Set("cursor", cursor)
	}
	var list gen.NotificationPage
	if err := frame.Read(c, p.list, server.Input{Query: query}, &list); err != nil {
		return err
	}
	var preferences gen.NotificationPreferences
	if err := frame.Read(c, p.preferences, server.Input{}, &preferences); err != nil {
		return err
	}
	me, err := p.User(c)
	if err != nil {
		return err
	}
	now := time.Now()
	rows := make([]notificationRow, len(list.Items))
	for i, of := range list.Items {
		rows[i] = notificationRow{
			ID: of.Id.String(), Title: of.Title, Lines: strings.Split(of.Text, "\n"),
			Age:    frame.Ago(time.Time(of.CreatedAt), now),
			Unread: of.ReadAt == nil,
			Link:   notificationLinks[of.Kind],
		}
		if of.Path != nil && strings.HasPrefix(*of.Path, "/") && !strings.HasPrefix(*of.Path, "//") {
			rows[i].Link.URL = *of.Path
			if of.Kind == gen.NotificationKindWatchWorse {
				rows[i].Link.Text = "See the report"
			}
		}
	}
	kinds := make([]preferenceRow, len(preferences.Items))
	for i, of := range preferences.Items {
		says := notificationKinds[of.Kind]
		if says == "" {
			says = humanize.Capital(strings.ReplaceAll(string(of.Kind), "_", " "))
		}
		kinds[i] = preferenceRow{of, says}
	}
	deck := "Nothing unread."
	if list.Unread > 0 {
		deck = humanize.Count(list.Unread, "unread notification") + "."
	}
	c.Set(frame.UnreadKept, list.Unread)
	return p.Render(c, frame.StatusOf(form), notificationsPage(), frame.Head{
		Title: "Notifications", Section: "Notifications", Deck: deck,
		Done: frame.Said(c, map[string]string{"read": "Marked as read.", "saved": "Saved."}),
	}, map[string]any{
		"Rows": rows, "Kinds": kinds, "Form": form, "Path": notificationsPath, "Any": list.Unread > 0, "Email": me.Email,
		"SendsMail": p.SendsMail, "More": frame.More(notificationsPath, list.NextCursor),
	})
}
