package dashboard

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/humanize"
	"masthead/pkg/server"
	"masthead/pkg/web/ui"
)

// This file has the pages of the administration. The operations refuse everybody else; their error is the page.

const (
	adminPath  = Home + "/admin"
	peoplePath = adminPath + "/people"
	jobsPath   = adminPath + "/jobs"
	outboxPath = adminPath + "/outbox"
	failedPath = adminPath + "/sign-ins"
	logPath    = adminPath + "/log"
)

const administration = "Administration"

// newAdmin adds the pages of the section.
func newAdmin(sh *shell, r *router) {
	newStatus(sh, r)
	newPeople(sh, r)
	newJobs(sh, r)
	newOutbox(sh, r)
	newFailedSignIns(sh, r)
	newLog(sh, r)
}

var statusPage = newView("admin", "meters.css", "admin.css")

// status is the page of the installation's figures, and of maintenance.
type status struct {
	*shell
	stats, maintenance, maintain *server.Operation
}

func newStatus(sh *shell, r *router) {
	p := &status{
		shell: sh, stats: r.Operation("getStats"), maintenance: r.Operation("getMaintenance"),
		maintain: r.Operation("putMaintenance"),
	}
	r.place(administration, "Status", adminPath)
	r.get(adminPath, p.show)
	r.post(adminPath, p.change)
}

// reasonForm is the form that begins maintenance.
func reasonForm() *ui.Form {
	return ui.NewForm(ui.Input{
		Name: "reason", Label: "Reason", Autocomplete: "off", MaxLength: 200, Optional: true,
		Hint: "Shown to those who wait.",
	})
}

// show serves GET /dashboard/admin.
func (p *status) show(c echo.Context) error { return p.page(c, reasonForm()) }

// change handles the form of the page.
func (p *status) change(c echo.Context) error {
	form := reasonForm()
	if err := form.Read(c); err != nil {
		return err
	}
	do := form.Typed("do")
	if do != "begin" && do != "end" {
		return apperr.New(apperr.BadRequest, "The form isn’t one of this page.")
	}
	body := map[string]any{"enabled": do == "begin"}
	if do == "begin" {
		body["reason"] = form.Optional("reason")
	}
	if _, err := p.maintain.Form(c, server.Input{Body: body}); err != nil {
		if apperr.CodeOf(err) == apperr.Forbidden {
			return err
		}
		form.Refuse(c, err)
		return p.page(c, form)
	}
	return done(c, adminPath, do)
}

// figure is a number with its name and a note.
type figure struct{ Name, Value, Note string }

// figuresOf are the four figures.
func figuresOf(s gen.Stats) []figure {
	var drawn, fallbacks int
	today := time.Now().UTC().Format(time.DateOnly)
	for _, d := range s.Days {
		if d.Date.Format(time.DateOnly) == today {
			drawn = d.Drawn
		}
	}
	for _, f := range s.Fallbacks {
		fallbacks += f.Count
	}
	cached := "Nothing served yet"
	if s.CacheHitRate != nil {
		cached = strconv.FormatFloat(*s.CacheHitRate*100, 'f', 1, 64) + " % from the cache"
	}
	spent := figure{"Spent on AI", amount(s.Ai.SpentCents), "this month"}
	if s.Ai.CeilingCents > 0 {
		spent.Note = "of " + amount(s.Ai.CeilingCents) + " this month"
	}
	return []figure{
		{"Drawn today", strconv.Itoa(drawn), cached},
		{"Accounts", strconv.Itoa(s.Accounts.Total), strconv.Itoa(s.Accounts.New) + " new, " +
			strconv.Itoa(s.Accounts.Disabled) + " disabled"},
		{"Fallbacks", strconv.Itoa(fallbacks), "AI images that weren’t made"}, spent,
	}
}

// amount is a sum of money in the currency of the settings, which has no name there.
func amount(cents int) string { return strconv.FormatFloat(float64(cents)/100, 'f', 2, 64) }

// page responds with the page.
func (p *status) page(c echo.Context, form *ui.Form) error {
	var s gen.Stats
	if err := read(c, p.stats, server.Input{}, &s); err != nil {
		return err
	}
	var m gen.Maintenance
	if err := read(c, p.maintenance, server.Input{}, &m); err != nil {
		return err
	}
	since := ""
	if m.Since != nil {
		since = clockTime(time.Time(*m.Since))
	}
	type owner struct{ Email, Size string }
	owners := make([]owner, len(s.Owners))
	for i, of := range s.Owners {
		owners[i] = owner{of.Email, humanize.Bytes(int64(of.Bytes))}
	}
	return p.render(c, statusOf(form), statusPage(), head{
		Title: administration, Section: administration, Sub: "Status",
		Deck: humanize.Bytes(int64(s.StoredBytes)) + " of pictures are stored.",
		Done: said(c, map[string]string{"begin": "Maintenance has begun.", "end": "Maintenance is over."}),
	}, map[string]any{
		"Figures": figuresOf(s), "Jobs": s.Jobs, "Owners": owners, "Maintenance": m, "Since": since, "Form": form,
		"Path": adminPath, "JobsPath": jobsPath,
	})
}

var peoplePage = newView("people", "images.css", "admin.css")

// people is the page of all accounts.
type people struct {
	*shell
	list, update *server.Operation
}

func newPeople(sh *shell, r *router) {
	p := &people{shell: sh, list: r.Operation("listUsers"), update: r.Operation("updateUser")}
	r.place(administration, "People", peoplePath)
	r.get(peoplePath, p.show)
	r.post(peoplePath, p.change)
}

// person is an account in the table.
type person struct {
	ID, Name, Email, Since, Note string
	Plan, Role                   ui.Input
	Own, Disabled, Ask           bool
	Error                        string
}

var (
	planOptions = []ui.Option{{Value: "free", Text: "Free"}, {Value: "plus", Text: "Plus"}, {Value: "pro", Text: "Pro"}}
	roleOptions = []ui.Option{{Value: "user", Text: "Member"}, {Value: "admin", Text: "Admin"}}
)

// peopleView is what the page shows of a form that was sent: to whom it was about, and its error.
type peopleView struct {
	id   string
	form *ui.Form
}

// show serves GET /dashboard/admin/people, with a search. "disable" in the query asks to confirm.
func (p *people) show(c echo.Context) error {
	return p.page(c, peopleView{id: c.QueryParam("disable")})
}

// change handles the forms of the page.
func (p *people) change(c echo.Context) error {
	form := ui.NewForm()
	if err := form.Read(c); err != nil {
		return err
	}
	id := form.Typed("id")
	in := server.Input{Path: map[string]string{"userId": id}}
	do := form.Typed("do")
	switch do {
	case "save":
		in.Body = map[string]any{"plan": form.Typed("plan"), "role": form.Typed("role")}
	case "disable", "enable":
		in.Body = map[string]any{"disabled": do == "disable"}
	default:
		return apperr.New(apperr.BadRequest, "The form isn’t one of this page.")
	}
	if _, err := p.update.Form(c, in); err != nil {
		if code := apperr.CodeOf(err); code == apperr.NotFound || code == apperr.Forbidden {
			return err
		}
		form.Refuse(c, err)
		return p.page(c, peopleView{id, form})
	}
	to := peoplePath
	if query := form.Typed("query"); query != "" {
		to += "?" + url.Values{"query": {query}}.Encode()
	}
	return done(c, to, do)
}

// page responds with the page.
func (p *people) page(c echo.Context, v peopleView) error {
	search := c.QueryParam("query")
	query := url.Values{"limit": {"50"}}
	for _, name := range []string{"query", "plan", "role", "cursor"} {
		if value := c.QueryParam(name); value != "" {
			query.Set(name, value)
		}
	}
	var list gen.AdminUserPage
	if err := read(c, p.list, server.Input{Query: query}, &list); err != nil {
		return err
	}
	me, err := p.user(c)
	if err != nil {
		return err
	}
	rows := make([]person, len(list.Items))
	for i, of := range list.Items {
		id := of.Id.String()
		row := person{
			ID: id, Name: of.Name, Email: of.Email, Since: date(time.Time(of.CreatedAt)), Own: of.Id == me.Id,
			Disabled: of.Disabled, Ask: id == v.id && v.form == nil && !of.Disabled,
			Plan: ui.Input{Name: "plan", Key: "plan-" + id, Label: "Plan", Options: planOptions, Value: string(of.Plan)},
			Role: ui.Input{Name: "role", Key: "role-" + id, Label: "Role", Options: roleOptions, Value: string(of.Role)},
		}
		switch {
		case of.Disabled:
			row.Note = "disabled"
		case of.EmailRefused:
			row.Note = "mail comes back"
		}
		if id == v.id && v.form != nil {
			row.Error = v.form.Error
		}
		rows[i] = row
	}
	fields := []ui.Input{
		{Name: "query", Label: "Name or email", Autocomplete: "off", MaxLength: 254, Optional: true, Value: search},
		choice("plan", "Plan", "All plans", planOptions, query), choice("role", "Role", "All roles", roleOptions, query),
	}
	return p.render(c, statusOf(v.form), peoplePage(), head{
		Title: administration, Name: "People", Section: administration, Sub: "People",
		Done: said(c, map[string]string{
			"save": "Saved.", "disable": "The account is disabled.", "enable": "The account is enabled.",
		}),
	}, map[string]any{
		"Rows": rows, "Fields": fields, "Path": peoplePath, "Query": search,
		"More": filteredMore(c, peoplePath, list.NextCursor),
	})
}

// choice is a filter: all, or one of some options.
func choice(name, label, all string, options []ui.Option, query url.Values) ui.Input {
	return ui.Input{
		Name: name, Label: label, Options: append([]ui.Option{{Text: all}}, options...), Value: query.Get(name),
	}
}

// filteredMore is [more] for a list whose query has a filter.
func filteredMore(c echo.Context, path string, cursor *gen.NextCursor) *string {
	if cursor == nil {
		return nil
	}
	query := c.QueryParams()
	query.Set("cursor", *cursor)
	query.Del("done")
	next := path + "?" + query.Encode()
	return &next
}

var jobsPage = newView("jobs", "images.css", "admin.css")

// jobs is the page of the work in the background.
type jobs struct {
	*shell
	list, retry, cancel *server.Operation
}

func newJobs(sh *shell, r *router) {
	p := &jobs{
		shell: sh, list: r.Operation("listJobs"), retry: r.Operation("retryJob"), cancel: r.Operation("cancelJob"),
	}
	r.place(administration, "Jobs", jobsPath)
	r.get(jobsPath, p.show)
	r.post(jobsPath, p.change)
}

// jobRow is a job in the table.
type jobRow struct {
	ID, Kind, Key, State, Severity, When, Reason string
	Retry, Cancel                                bool
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
	return done(c, jobsPath, do)
}

// jobRowOf is the row of a job.
func jobRowOf(j gen.Job) jobRow {
	row := jobRow{
		ID: j.Id.String(), Kind: j.Kind, Key: j.Key, Retry: j.Retryable, Cancel: j.State != gen.JobStateGIVENUP,
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
		row.When = clockTime(time.Time(*j.GivenUpAt))
	} else if j.DueAt != nil {
		row.When = "due " + clockTime(time.Time(*j.DueAt))
	}
	if j.LastError != nil {
		row.Reason = *j.LastError
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
	if err := read(c, p.list, server.Input{Query: query}, &list); err != nil {
		return err
	}
	rows := make([]jobRow, len(list.Items))
	for i, j := range list.Items {
		rows[i] = jobRowOf(j)
	}
	fields := []ui.Input{
		choice("givenUp", "State", "All", []ui.Option{{Value: "true", Text: "Given up"}}, query),
		{Name: "kind", Label: "Kind", Autocomplete: "off", MaxLength: 64, Optional: true, Value: query.Get("kind")},
	}
	return p.render(c, statusOf(form), jobsPage(), head{
		Title: administration, Name: "Jobs", Section: administration, Sub: "Jobs",
		Done: said(c, map[string]string{"retry": "It’s tried again.", "cancel": "The job is canceled."}),
	}, map[string]any{
		"Rows": rows, "Fields": fields, "Form": form, "Path": jobsPath, "More": filteredMore(c, jobsPath, list.NextCursor),
	})
}

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

var failedSignInsPage = newView("sign-ins", "admin.css")

// failedSignIns is the page of where sign-ins fail.
type failedSignIns struct {
	*shell
	list *server.Operation
}

func newFailedSignIns(sh *shell, r *router) {
	p := &failedSignIns{shell: sh, list: r.Operation("listFailedSignIns")}
	r.place(administration, "Failed sign-ins", failedPath)
	r.get(failedPath, p.show)
}

// failedRow is an address from which sign-ins failed.
type failedRow struct {
	Address, Subject, Last string
	Attempts               int
}

// show serves GET /dashboard/admin/sign-ins.
func (p *failedSignIns) show(c echo.Context) error {
	var list gen.FailedSignInList
	if err := read(c, p.list, server.Input{Query: url.Values{"hours": {"168"}}}, &list); err != nil {
		return err
	}
	rows := make([]failedRow, len(list.Items))
	for i, of := range list.Items {
		rows[i] = failedRow{
			Address: "unknown", Subject: "unknown", Last: clockTime(time.Time(of.LastAt)), Attempts: of.Attempts,
		}
		if of.Address != nil {
			rows[i].Address = *of.Address
		}
		if of.Subject != nil {
			rows[i].Subject = *of.Subject
		}
	}
	return p.render(c, http.StatusOK, failedSignInsPage(), head{
		Title: administration, Name: "Failed sign-ins", Section: administration, Sub: "Failed sign-ins",
		Deck: "Of the last seven days, the most attempts first. Times are in UTC.",
	}, map[string]any{"Rows": rows})
}

var logPage = newView("log", "images.css", "admin.css")

// auditLog is the page of the audit log.
type auditLog struct {
	*shell
	list *server.Operation
}

func newLog(sh *shell, r *router) {
	p := &auditLog{shell: sh, list: r.Operation("listAuditLog")}
	r.place(administration, "Audit log", logPath)
	r.get(logPath, p.show)
}

// logRow is an event in the table.
type logRow struct {
	When, Action, Actor, Subject, Address string
	Times                                 int
}

// show serves GET /dashboard/admin/log, with a filter by action, account, subject and day.
func (p *auditLog) show(c echo.Context) error {
	query := url.Values{"limit": {"50"}}
	for _, name := range []string{"action", "actorId", "subject", "cursor"} {
		if value := strings.TrimSpace(c.QueryParam(name)); value != "" {
			query.Set(name, value)
		}
	}
	at := c.QueryParam("day")
	if first, err := time.Parse(time.DateOnly, at); err == nil {
		query.Set("from", first.Format(time.RFC3339))
		query.Set("to", first.AddDate(0, 0, 1).Format(time.RFC3339))
	}
	var list gen.AuditEventPage
	if err := read(c, p.list, server.Input{Query: query}, &list); err != nil {
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
			clockTime(time.Time(of.At)), of.Action, text(of.ActorId), text(of.Subject), text(of.Address), of.Times,
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
	return p.render(c, http.StatusOK, logPage(), head{
		Title: administration, Name: "Audit log", Section: administration, Sub: "Audit log",
		Deck: "What people did, newest first, for a year. Times are in UTC.",
	}, map[string]any{"Rows": rows, "Fields": fields, "Path": logPath, "More": filteredMore(c, logPath, list.NextCursor)})
}
