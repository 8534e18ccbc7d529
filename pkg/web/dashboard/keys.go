package dashboard

import (
	"html/template"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/server"
	"masthead/pkg/web/frame"
	"masthead/pkg/web/ui"
)

const keysPath = frame.Home + "/keys"

var keysPage = newView("keys", "secret.css")

// keys is the page of API keys.
type keys struct {
	*frame.Shell
	list, create, rotate, revoke, projects *server.Operation
}

func newKeys(sh *frame.Shell, r *frame.Router) {
	k := &keys{
		Shell: sh, list: r.Operation("listKeys"), create: r.Operation("createKey"), rotate: r.Operation("rotateKey"),
		revoke: r.Operation("deleteKey"), projects: r.Operation("listProjects"),
	}
	r.Place("API", "Keys", keysPath)
	r.Get(keysPath, k.show)
	r.Post(keysPath, k.change)
}

// keyRow is a key in the table.
type keyRow struct {
	ID, Name, Prefix, Scope string
	Created, Used           template.HTML
	// Stale means that it hasn't been used for 90 days.
	Stale bool
	// Ask is what the row asks to confirm: "rotate", "revoke" or "". Error is why it couldn't be done, or "".
	Ask, Error string
}

// stale is the age of the last use from which on a key deserves a look.
const stale = 90 * frame.Day

// keysView is what the page shows besides the list.
type keysView struct {
	form *ui.Form
	// ask is what the row of the key id asks to confirm, and fault why it couldn't be done.
	ask, id, fault string
	secret         *newSecret
}

// newSecret is a secret that is shown this once.
type newSecret struct{ Name, Scope, Secret, Prefix, Body, Notice string }

// show serves GET /dashboard/keys. "rotate" or "revoke" with the ID of a key ask to confirm.
func (k *keys) show(c echo.Context) error {
	v := keysView{}
	for _, ask := range []string{"rotate", "revoke"} {
		if id := c.QueryParam(ask); id != "" {
			v.ask, v.id = ask, id
		}
	}
	return k.page(c, v)
}

// createForm is the form for a new key.
func createForm(names frame.ProjectNames) *ui.Form {
	scopes := []ui.Option{{Value: "", Text: "All projects"}}
	for _, p := range names {
		scopes = append(scopes, ui.Option{Value: p.Id.String(), Text: p.Name})
	}
	return ui.NewForm(
		ui.Input{
			Name: "name", Label: "Name", Autocomplete: "off", MaxLength: 100,
			Hint: "What uses it, so that you know what stops.",
		},
		ui.Input{Name: "projectId", Label: "Works for", Options: scopes, Optional: true},
	)
}

// change handles the forms of the page.
func (k *keys) change(c echo.Context) error {
	names, err := frame.ReadProjects(c, k.projects)
	if err != nil {
		return err
	}
	form := createForm(names)
	if err := form.Read(c); err != nil {
		return err
	}
	id := form.Typed("id")
	in := server.Input{Path: map[string]string{"keyId": id}, Header: frame.Repeats(c)}
	switch form.Typed("do") {
	case "create":
		in.Path = nil
		in.Body = map[string]any{"name": form.Typed("name"), "projectId": form.Optional("projectId")}
		out, err := k.create.Form(c, in)
		if err != nil {
			form.Refuse(c, err)
			return k.page(c, keysView{form: form})
		}
		return k.showSecret(c, out, names)
	case "rotate":
		out, err := k.rotate.Form(c, in)
		if err != nil {
			return k.refused(c, "rotate", id, err)
		}
		return k.showSecret(c, out, names)
	case "revoke":
		if _, err := k.revoke.Form(c, in); err != nil && apperr.CodeOf(err) != apperr.NotFound {
			return k.refused(c, "revoke", id, err)
		}
		return frame.Done(c, projectFilterOf(c, keysPath).path(), "revoked")
	}
	return apperr.New(apperr.BadRequest, "The form isn’t one of this page.")
}

// refused shows beside a key why it couldn't be changed.
func (k *keys) refused(c echo.Context, ask, id string, err error) error {
	form := ui.NewForm()
	form.Refuse(c, err)
	if form.Status == http.StatusNotFound {
		return err
	}
	return k.page(c, keysView{ask: ask, id: id, fault: form.Error, form: &ui.Form{Status: form.Status}})
}

// showSecret shows the secret of a new or rotated key. It is in no other response.
func (k *keys) showSecret(c echo.Context, out *server.Output, names frame.ProjectNames) error {
	var key struct {
		gen.Key
		Secret string `json:"secret"`
	}
	if err := out.Decode(&key); err != nil {
		return err
	}
	secret := &newSecret{Name: key.Name, Secret: key.Secret, Prefix: key.Prefix, Scope: "all of your projects"}
	if key.Secret == "" { // the form was sent twice
		secret.Notice = "The key is there, but its secret was shown once, in the first response to this form. " +
			"If you don’t have it, rotate the key."
	}
	project := "PROJECT-ID"
	if key.ProjectId != nil {
		project, secret.Scope = key.ProjectId.String(), names.Name(key.ProjectId.String())
	} else if len(names) > 0 {
		project = names[0].Id.String()
	}
	secret.Body = `{"url": "https://example.com/", "projectId": "` + project + `"}`
	return k.page(c, keysView{secret: secret})
}

// page responds with the page.
func (k *keys) page(c echo.Context, v keysView) error {
	names, err := frame.ReadProjects(c, k.projects)
	if err != nil {
		return err
	}
	var list gen.KeyPage
	f := projectFilterOf(c, keysPath)
	if err := frame.Read(c, k.list, server.Input{Query: f.query(c)}, &list); err != nil {
		return err
	}
	status := http.StatusOK
	if v.form != nil {
		status = v.form.Status
	}
	if v.form == nil || v.ask != "" {
		v.form = createForm(names)
		v.form.Input("projectId").Value = f.ID
	}
	now := time.Now()
	rows := make([]keyRow, len(list.Items))
	for i, key := range list.Items {
		row := keyRow{
			ID: key.Id.String(), Name: key.Name, Prefix: key.Prefix, Scope: "all projects",
			Created: frame.Date(time.Time(key.CreatedAt)), Used: "never",
		}
		last := time.Time(key.CreatedAt)
		if key.ProjectId != nil {
			row.Scope = names.Name(key.ProjectId.String())
		}
		if key.LastUsedAt != nil {
			last = time.Time(*key.LastUsedAt)
			row.Used = frame.Ago(last, now)
		}
		row.Stale = now.Sub(last) > stale
		if v.id == row.ID {
			row.Ask, row.Error = v.ask, v.fault
		}
		rows[i] = row
	}
	of := frame.Head{
		Title: "Keys", Deck: "Programs sign in with them. A key works for one project or for all of yours.",
		Section: "API", Sub: "Keys", Done: frame.Said(c, map[string]string{
			"revoked": "The key is revoked.", "saved": "The key is ready to use.",
		}),
	}
	if err := f.narrow(c, k.Shell, names, &of); err != nil {
		return err
	}
	return k.Render(c, status, keysPage(), of, map[string]any{
		"Rows": rows, "Form": v.form, "Secret": v.secret, "Again": frame.Once(), "Base": k.Base, "Path": f.path(), "All": f.all(),
		"Revoke": f.with("revoke="), "Rotate": f.with("rotate="), "Saved": f.with("done=saved"),
		"More": frame.More(f.path(), list.NextCursor),
	})
}
