package admin

import (
	"html/template"
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

var peoplePage = newView("people", "filter.css", "admin.css")

// people is the page of all accounts.
type people struct {
	*frame.Shell
	list, update, create *server.Operation
}

func newPeople(sh *frame.Shell, r *frame.Router) {
	p := &people{
		Shell: sh, list: r.Operation("listUsers"), update: r.Operation("updateUser"), create: r.Operation("createUser"),
	}
	r.Place(administration, "People", peoplePath)
	r.Get(peoplePath, p.show)
	r.Post(peoplePath, p.change)
}

// person is an account in the table.
type person struct {
	ID, Name, Email, Note string
	Since                 template.HTML
	Plan, Role            ui.Input
	Own, Disabled, Ask    bool
	Error                 string
	// Undo takes back the change of plan and role that was just made, or is nil.
	Undo *personUndo
}

// personUndo is a change of plan and role that can be taken back: they were Plan and Role, in words Was.
type personUndo struct {
	frame.Undoable

	Plan, Role, Was string
}

// personUndoIn reads it from the query of the page that a change leads to. A link elsewhere can't offer changes.
func personUndoIn(c echo.Context) *personUndo {
	if from := c.Request().Header.Get("Sec-Fetch-Site"); from != "" && from != "same-origin" {
		return nil
	}
	of := frame.UndoableIn(c, peoplePath, "")
	plan, role, _ := strings.Cut(c.QueryParam("was"), ".")
	oldPlan := slices.IndexFunc(planOptions, func(o ui.Option) bool { return o.Value == plan })
	oldRole := slices.IndexFunc(roleOptions, func(o ui.Option) bool { return o.Value == role })
	if of == nil || oldPlan < 0 || oldRole < 0 {
		return nil
	}
	return &personUndo{*of, plan, role, planOptions[oldPlan].Text + ", " + roleOptions[oldRole].Text}
}

var (
	planOptions = []ui.Option{{Value: "free", Text: "Free"}, {Value: "plus", Text: "Plus"}, {Value: "pro", Text: "Pro"}}
	roleOptions = []ui.Option{{Value: "user", Text: "Member"}, {Value: "admin", Text: "Admin"}}
)

// peopleView is what the page shows of a form that was sent: to whom it was about, and its error; or the form for a new
// account.
type peopleView struct {
	id         string
	form, made *ui.Form
}

// newPersonForm is the form for a new account.
func newPersonForm() *ui.Form {
	return ui.NewForm(
		ui.Input{Name: "email", Label: "Email", Type: "email", Autocomplete: "off", Mode: "email", MaxLength: 254},
		ui.Input{
			Name: "password", Label: "Password", Type: "password", Autocomplete: "new-password", MaxLength: 256,
			Hint: "At least 8 characters. They can change it in their settings.",
		},
	)
}

// creates makes an account.
func (p *people) creates(c echo.Context) error {
	form := newPersonForm()
	if err := form.Read(c); err != nil {
		return err
	}
	_, err := p.create.Form(c, server.Input{Body: map[string]any{
		"email": strings.TrimSpace(form.Typed("email")), "password": form.Typed("password"),
	}})
	switch {
	case err == nil:
		return frame.Done(c, peoplePath, "create")
	case apperr.CodeOf(err) == apperr.Conflict:
		form.Fault("email", "This email already has an account.")
	default:
		form.Refuse(c, err)
	}
	return p.page(c, peopleView{made: form})
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
	case "create":
		return p.creates(c)
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
		return p.page(c, peopleView{id: id, form: form})
	}
	query := url.Values{}
	if typed := form.Typed("query"); typed != "" {
		query.Set("query", typed)
	}
	if was := form.Typed("was"); do == "save" && was != "" && was != form.Typed("plan")+"."+form.Typed("role") {
		query.Set("deleted", id)
		query.Set("until", strconv.FormatInt(time.Now().Add(frame.UndoTime).UnixMilli(), 10))
		query.Set("was", was)
	}
	to := peoplePath
	if len(query) > 0 {
		to += "?" + query.Encode()
	}
	return frame.Done(c, to, do)
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
	if err := frame.Read(c, p.list, server.Input{Query: query}, &list); err != nil {
		return err
	}
	me, err := p.User(c)
	if err != nil {
		return err
	}
	undo := personUndoIn(c)
	rows := make([]person, len(list.Items))
	for i, of := range list.Items {
		id := of.Id.String()
		row := person{
			ID: id, Name: of.Name, Email: of.Email, Since: frame.Date(time.Time(of.CreatedAt)), Own: of.Id == me.Id,
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
		if undo != nil && undo.ID == id && !row.Ask && !row.Own {
			row.Undo = undo
		}
		rows[i] = row
	}
	fields := []ui.Input{
		{Name: "query", Label: "Name or email", Autocomplete: "off", MaxLength: 254, Optional: true, Value: search},
		choice("plan", "Plan", "All plans", planOptions, query), choice("role", "Role", "All roles", roleOptions, query),
	}
	status := frame.StatusOf(v.form)
	if v.made == nil {
		v.made = newPersonForm()
	} else {
		status = v.made.Status
	}
	return p.Render(c, status, peoplePage(), frame.Head{
		Title: administration, Name: "People", Section: administration, Sub: "People",
		Done: frame.Said(c, map[string]string{
			"save": "Saved.", "disable": "The account is disabled.", "enable": "The account is enabled.",
			"create": "The account is created.",
		}),
	}, map[string]any{
		"Rows": rows, "Fields": fields, "Path": peoplePath, "Query": search, "New": v.made,
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
	for _, name := range []string{"done", "deleted", "until", "was", "resend"} {
		query.Del(name)
	}
	next := path + "?" + query.Encode()
	return &next
}
