package dashboard

import (
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/boombuler/barcode/qr"
	"github.com/labstack/echo/v4"
	"github.com/pquerna/otp"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/humanize"
	"masthead/pkg/server"
	"masthead/pkg/web/frame"
	"masthead/pkg/web/ui"
)

const settingsPath = frame.Home + "/settings"

var settingsPage = newView("settings", "settings.css", "secret.css")

// settings is the page of the account: name, address, password, second factor, sessions, export and deletion.
type settings struct {
	*frame.Shell
	update, email, password, remove         *server.Operation
	factor, app, confirm, removeApp, codes  *server.Operation
	sessions, end, endOthers, create, state *server.Operation
	preferences                             *server.Operation
	// fromHere returns an error for forms of other sites.
	fromHere func(echo.Context) error
}

func newSettings(sh *frame.Shell, r *frame.Router) {
	p := &settings{
		Shell: sh, fromHere: r.FromHere, update: r.Operation("updateMe"), email: r.Operation("changeEmail"),
		password: r.Operation("changePassword"), remove: r.Operation("deleteMe"), factor: r.Operation("getSecondFactor"),
		app: r.Operation("addTotp"), confirm: r.Operation("confirmTotp"), removeApp: r.Operation("removeTotp"),
		codes: r.Operation("renewRecoveryCodes"), sessions: r.Operation("listSessions"), end: r.Operation("endSession"),
		endOthers: r.Operation("endOtherSessions"), create: r.Operation("createExport"), state: r.Operation("getExport"),
		preferences: r.Operation("getPreferences"),
	}
	r.Place("Settings", "Account", settingsPath)
	r.Get(settingsPath, p.show)
	r.Post(settingsPath, p.change)
}

// settingsForms are the forms of the page that have fields.
type settingsForms struct{ name, email, password, code, deletion *ui.Form }

// newSettingsForms returns the forms for an account. Without mail, a new address takes effect at once, with another
// operation, whose member for the password has another name.
func newSettingsForms(me gen.User, sendsMail bool) settingsForms {
	pointer, hint := "/currentPassword", ""
	if sendsMail {
		pointer, hint = "/password", "We send a link to it, and one to the present address if that is confirmed."
	}
	return settingsForms{
		name: ui.NewForm(ui.Input{
			Name: "name", Label: "Name", Autocomplete: "name", MaxLength: 100, Optional: true, Value: me.Name,
		}),
		email: ui.NewForm(
			ui.Input{
				Name: "email", Label: "New email", Type: "email", Mode: "email", Autocomplete: "email", MaxLength: 254, Hint: hint,
			},
			ui.Input{
				Name: "emailPassword", Pointer: pointer, Label: "Password", Type: "password", Autocomplete: "current-password",
				MaxLength: 256,
			},
		),
		password: ui.NewForm(
			ui.Input{
				Name: "currentPassword", Label: "Current password", Type: "password", Autocomplete: "current-password",
				MaxLength: 256,
			},
			ui.Input{
				Name: "newPassword", Label: "New password", Type: "password", Autocomplete: "new-password", MaxLength: 256,
				Hint: "At least eight characters. Four unrelated words are good.",
			},
		),
		code: ui.NewForm(ui.Input{
			Name: "code", Label: "Code from the app", Autocomplete: "one-time-code", Mode: "numeric", MaxLength: 10,
		}),
		deletion: ui.NewForm(ui.Input{
			Name: "confirm", Label: "Type your email address", Autocomplete: "off", Mode: "email", MaxLength: 254,
		}),
	}
}

// settingsView is what the page shows of a form that was sent.
type settingsView struct {
	forms settingsForms
	sent  *ui.Form // nil if none was, or it has no errors
	// app is the address of the key of an app that is being set up, and codes are new recovery codes. Both are shown
	// this once. renewed means that there were codes before.
	app     string
	codes   []string
	renewed bool
}

// show serves GET /dashboard/settings. "export" in the query is the ID of an export, "confirm" what is to be confirmed.
func (p *settings) show(c echo.Context) error {
	me, err := p.User(c)
	if err != nil {
		return err
	}
	return p.page(c, settingsView{forms: newSettingsForms(me, p.SendsMail)})
}

// change handles the forms of the page.
func (p *settings) change(c echo.Context) error {
	if err := p.fromHere(c); err != nil {
		return err
	}
	me, err := p.User(c)
	if err != nil {
		return err
	}
	sent := ui.NewForm()
	if err := sent.Read(c); err != nil {
		return err
	}
	v := settingsView{forms: newSettingsForms(me, p.SendsMail), sent: sent}
	switch do := sent.Typed("do"); do {
	case "name":
		return p.run(c, v, v.forms.name, p.update, server.Input{Body: map[string]any{"name": sent.Typed("name")}}, "saved")
	case "snippet": // sent by scripts
		in := server.Input{Body: map[string]any{"snippet": sent.Typed("snippet")}}
		return p.run(c, v, sent, p.update, in, "saved")
	case "email":
		if p.SendsMail {
			body := map[string]any{"email": sent.Typed("email"), "password": sent.Typed("emailPassword")}
			return p.run(c, v, v.forms.email, p.email, server.Input{Body: body}, "links")
		}
		body := map[string]any{"email": sent.Typed("email"), "currentPassword": sent.Typed("emailPassword")}
		return p.run(c, v, v.forms.email, p.update, server.Input{Body: body}, "saved")
	case "password":
		body := gen.PasswordChange{CurrentPassword: sent.Typed("currentPassword"), NewPassword: sent.Typed("newPassword")}
		return p.run(c, v, v.forms.password, p.password, server.Input{Body: body}, "password")
	case "app", "code", "codes":
		return p.secondFactor(c, do, v)
	case "remove-app":
		return p.run(c, v, sent, p.removeApp, server.Input{}, "removed")
	case "end":
		in := server.Input{Path: map[string]string{"sessionId": sent.Typed("id")}}
		return p.run(c, v, sent, p.end, in, "ended")
	case "end-others":
		return p.run(c, v, sent, p.endOthers, server.Input{}, "others")
	case "export":
		return p.export(c, v)
	case "delete":
		return p.deletes(c, me, v)
	}
	return apperr.New(apperr.BadRequest, "The form isn’t one of this page.")
}

// run runs the operation of a form, and leads back to the page if it succeeds.
func (p *settings) run(
	c echo.Context, v settingsView, form *ui.Form, of *server.Operation, in server.Input, what string,
) error {
	out, err := p.try(c, &v, form, of, in)
	if err != nil || out == nil {
		return err
	}
	return frame.Done(c, settingsPath, what)
}

// try runs the operation of a form. If it refuses, it responds with the page, and the output is nil.
func (p *settings) try(
	c echo.Context, v *settingsView, form *ui.Form, of *server.Operation, in server.Input,
) (*server.Output, error) {
	if err := form.Read(c); err != nil {
		return nil, err
	}
	out, err := of.Form(c, in)
	if err != nil {
		form.Refuse(c, err)
		v.sent = form
		return nil, p.page(c, *v)
	}
	return out, nil
}

// secondFactor sets up an authenticator app in two steps, or replaces the recovery codes.
func (p *settings) secondFactor(c echo.Context, do string, v settingsView) error {
	form, of, in := v.sent, p.app, server.Input{}
	switch do {
	case "code":
		form, of = v.forms.code, p.confirm
		in.Body = gen.Code{Code: strings.ReplaceAll(v.sent.Typed("code"), " ", "")}
		v.app = v.sent.Typed("app") // for another try
	case "codes":
		of = p.codes
	}
	out, err := p.try(c, &v, form, of, in)
	if err != nil || out == nil {
		return err
	}
	v.sent, v.app = nil, ""
	if do == "app" {
		var made gen.TotpSecret
		if err := out.Decode(&made); err != nil {
			return err
		}
		v.app = made.Uri
		v.forms.code.Input("code").Focus = true
		return p.page(c, v)
	}
	var made gen.RecoveryCodes
	if err := out.Decode(&made); err != nil {
		return err
	}
	v.codes, v.renewed = made.RecoveryCodes, do == "codes"
	return p.page(c, v)
}

// export begins an export.
func (p *settings) export(c echo.Context, v settingsView) error {
	out, err := p.try(c, &v, v.sent, p.create, server.Input{})
	if err != nil || out == nil {
		return err
	}
	var made gen.Export
	if err := out.Decode(&made); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, settingsPath+"?export="+made.Id.String()+"#data")
}

// deletes deletes the account if its address was typed.
func (p *settings) deletes(c echo.Context, me gen.User, v settingsView) error {
	form := v.forms.deletion
	if err := form.Read(c); err != nil {
		return err
	}
	if !strings.EqualFold(strings.TrimSpace(form.Typed("confirm")), me.Email) {
		form.Fault("confirm", "This isn’t the address of the account.")
		v.sent = form
		return p.page(c, v)
	}
	switch _, err := p.remove.Form(c, server.Input{}); {
	case apperr.CodeOf(err) == apperr.Conflict && me.Role == gen.RoleNameAdmin:
		form.Fault("confirm", "You’re the only admin. Make another account an admin first, in Administration under People. "+
			"If nobody else uses this server, stop it and delete its data instead: the data folder, and the Postgres "+
			"database and the bucket if it has them.")
		v.sent = form
		return p.page(c, v)
	case err != nil:
		form.Refuse(c, err)
		v.sent = form
		return p.page(c, v)
	}
	return c.Redirect(http.StatusSeeOther, "/?done=deleted")
}

// sessionRow is a session in the list.
type sessionRow struct {
	ID, Device string
	About      template.HTML
	Current    bool
}

// exportState is what the page says of an export. File is the address of the zip, or "".
type exportState struct {
	File, Size string
	Until      template.HTML
	Failed     bool
	Again      string // the address of the page that shows it
	Promise    string // how the account is told of it; see [promise]
}

// exportOf returns the state of the export that the query asks for; nil for none.
func (p *settings) exportOf(c echo.Context) (*exportState, error) {
	id := c.QueryParam("export")
	if id == "" {
		return nil, nil //nolint:nilnil // the page shows none
	}
	var found gen.Export
	if err := frame.Read(c, p.state, server.Input{Path: map[string]string{"exportId": id}}, &found); err != nil {
		return nil, err
	}
	until := time.Time(found.ExpiresAt)
	state := &exportState{
		Failed: found.State == gen.ExportStateFAILED,
		Until:  ui.LocalTime(until, "moment", until.UTC().Format("15:04 on 2 January")+" UTC"),
		Again:  settingsPath + "?" + url.Values{"export": {id}}.Encode(),
	}
	if found.FileUrl != nil {
		if u, err := url.Parse(*found.FileUrl); err == nil {
			state.File = u.Path
		}
	}
	if found.Size != nil {
		state.Size = humanize.Bytes(int64(*found.Size))
	}
	if found.State == gen.ExportStateWAITING {
		var err error
		state.Promise, err = promise(c, p.Shell, p.preferences, gen.NotificationKindExportCompleted)
		return state, err
	}
	return state, nil
}

// sessionRows returns where the account is signed in.
func (p *settings) sessionRows(c echo.Context) ([]sessionRow, error) {
	var list gen.OpenSessionList
	if err := frame.Read(c, p.sessions, server.Input{}, &list); err != nil {
		return nil, err
	}
	now := time.Now()
	rows := make([]sessionRow, len(list.Items))
	for i, s := range list.Items {
		row := sessionRow{ID: s.Id.String(), Device: "An unknown device", Current: s.Current}
		if s.Device != nil {
			row.Device = *s.Device
		}
		if s.Address != nil {
			row.About = frame.Text(*s.Address + ", ")
		}
		row.About += "used " + frame.Ago(time.Time(s.LastUsedAt), now) + ", signed in on " +
			frame.Date(time.Time(s.CreatedAt))
		rows[i] = row
	}
	return rows, nil
}

// confirms returns what is to be confirmed, and what a deletion deletes, in words.
func (p *settings) confirms(c echo.Context, v settingsView) (what, lost string, err error) {
	what = c.QueryParam("confirm")
	if v.sent != nil && v.sent == v.forms.deletion {
		what = "delete"
	}
	if what != "delete" {
		return what, "", nil
	}
	v.forms.deletion.Input("confirm").Focus = true
	has, err := p.Has(c, "")
	return what, contentsWords(has), err
}

// page responds with the page.
func (p *settings) page(c echo.Context, v settingsView) error {
	me, err := p.User(c)
	if err != nil {
		return err
	}
	rows, err := p.sessionRows(c)
	if err != nil {
		return err
	}
	export, err := p.exportOf(c)
	if err != nil {
		return err
	}
	var factor gen.SecondFactor
	if err := frame.Read(c, p.factor, server.Input{}, &factor); err != nil {
		return err
	}
	confirm, lost, err := p.confirms(c, v)
	if err != nil {
		return err
	}
	since := template.HTML("")
	if factor.AppSince != nil {
		since = frame.Date(time.Time(*factor.AppSince))
	}
	status, again := http.StatusOK, false
	var fault *ui.Form
	if v.sent != nil {
		status = v.sent.Status
		if v.sent.Error != "" {
			fault, again = v.sent, status == http.StatusForbidden
		}
	}
	return p.Render(c, status, settingsPage(), frame.Head{
		Title: "Settings", Section: "Settings", Sub: "Account", Done: frame.Said(c, map[string]string{
			"saved": "Saved.", "links": "Open the link in each mail that we’ve sent. Until then nothing changes.",
			"password": "The password is changed, and all other sessions have ended.", "removed": "The authenticator app is no longer required.",
			"ended": "The session has ended.", "others": "All other sessions have ended.",
			"restored": "Your account is back. Its keys, webhooks and watched pages are gone, and it’s on the Free plan.",
		}),
	}, map[string]any{
		"Path": settingsPath, "Forms": map[string]*ui.Form{
			"Name": v.forms.name, "Email": v.forms.email, "Password": v.forms.password, "Code": v.forms.code,
			"Delete": v.forms.deletion,
		},
		"Fault": fault, "SignIn": again, "Next": url.QueryEscape(settingsPath), "Since": since, "Factor": factor,
		"App": appOf(v.app), "Codes": strings.Join(v.codes, "\n"), "Renewed": v.renewed, "Sessions": rows, "Others": len(rows) > 1,
		"Export": export, "Account": me, "Lost": lost, "Confirm": confirm,
	})
}

// appKey is the key for an authenticator app: as text for typing, and as a QR code, whose modules are the path of an
// SVG of Size units.
type appKey struct {
	Address, Secret, Path string
	Size                  int
}

// The longest address that a key may have, in bytes, and the margin that a QR code needs, in modules (ISO/IEC 18004).
const (
	maxAppAddress = 512
	quietZone     = 4
)

// appOf returns the key at an otpauth address, which a browser may send back; nil if it isn't one.
func appOf(address string) *appKey {
	if address == "" || len(address) > maxAppAddress {
		return nil
	}
	key, err := otp.NewKeyFromURL(address)
	if err != nil || key.Type() != "totp" || key.Secret() == "" {
		return nil
	}
	code, err := qr.Encode(address, qr.M, qr.Auto)
	if err != nil {
		return nil
	}
	var path strings.Builder
	modules := code.Bounds().Dx()
	for y := range modules {
		for x := range modules {
			if r, _, _, _ := code.At(x, y).RGBA(); r == 0 {
				fmt.Fprintf(&path, "M%d %dh1v1h-1z", x+quietZone, y+quietZone)
			}
		}
	}
	return &appKey{Address: address, Secret: grouped(key.Secret()), Path: path.String(), Size: modules + 2*quietZone}
}

// grouped returns a secret in groups of four letters, for typing.
func grouped(secret string) string {
	var out strings.Builder
	for i, r := range []rune(secret) {
		if i > 0 && i%4 == 0 {
			out.WriteByte(' ')
		}
		out.WriteRune(r)
	}
	return out.String()
}
