package entry

import (
	"encoding/json"
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/identity"
	"masthead/pkg/server"
	"masthead/pkg/web/ui"
)

const signInPath = "/sign-in"

var signInPage = newView("sign-in")

// signInForm is the form for email and password, and with withCode for the second factor's code.
func signInForm(withCode bool) *ui.Form {
	form := ui.NewForm(
		ui.Input{
			Name: "email", Label: "Email", Type: "email", Autocomplete: "username webauthn", Mode: "email", MaxLength: 254,
			Focus: true,
		},
		ui.Input{
			Name: "password", Label: "Password", Type: "password", Autocomplete: "current-password", MaxLength: 256,
			Aside: &ui.Link{URL: forgottenPath, Text: "Forgotten?"},
		},
	)
	if withCode {
		form.Inputs = append(form.Inputs, codeInput())
	}
	return form
}

// codeInput is the field for the code of a second factor.
func codeInput() ui.Input {
	return ui.Input{
		Name: "code", Label: "Code", Autocomplete: "one-time-code", MaxLength: 64, Class: "code",
		Hint: "From your authenticator app, or a recovery code.",
	}
}

// showSignIn shows the form. People who are signed in go on, unless a page asks them to confirm that it's them, with
// again in the query.
func (p *Pages) showSignIn(c echo.Context) error {
	next := nextOf(c.QueryParam("next"))
	again := c.QueryParam("again") != ""
	if !again && !identity.CallerOf(c.Request().Context()).Anonymous() {
		return c.Redirect(http.StatusSeeOther, next)
	}
	return p.signInPage(c, signInForm(false), next, again)
}

func (p *Pages) signInPage(c echo.Context, form *ui.Form, next string, again bool) error {
	title := "Sign in"
	if again {
		title = "Confirm it’s you"
	}
	registration, err := p.deps.Registration(c.Request().Context())
	if err != nil {
		return err
	}
	return p.render(c, signInPage(), title, form, map[string]any{
		"Next": next, "Again": again, "Passkeys": p.passkeys, "SendsMail": p.deps.SendsMail,
		"RegisterPath": withNext(registerPath, next), "Closed": registration.Closed,
		"Provider": p.deps.Provider, "ProviderPath": providerPath(next),
	})
}

// signIn handles the form.
func (p *Pages) signIn(c echo.Context) error {
	form := signInForm(true)
	if err := form.Read(c); err != nil {
		return err
	}
	next, again := nextOf(form.Typed("next")), form.Typed("again") != ""
	out, err := p.login.Form(c, server.Input{Body: gen.LoginRequest{
		Email: form.Typed("email"), Password: form.Typed("password"), Code: form.Optional("code"),
	}})
	if err == nil {
		return signedIn(c, out, next)
	}
	switch {
	case asksForCode(err):
		askForCode(form, err)
	default:
		without(form, "code")
		if apperr.CodeOf(err) == apperr.Unauthorized {
			form.Fault("password", "Email and password don’t match.")
		} else {
			form.Refuse(c, err)
		}
	}
	return p.signInPage(c, form, next, again)
}

// asksForCode reports whether an operation needs the code of a second factor, or another one.
func asksForCode(err error) bool {
	var fault *apperr.Error
	return errors.As(err, &fault) && fault.Code == apperr.Unauthorized && len(fault.Fields) == 1 &&
		fault.Fields[0].Pointer == "/code"
}

// askForCode lets the form ask for the code of the second factor. Only a wrong one is an error.
func askForCode(form *ui.Form, err error) {
	if form.Typed("code") != "" {
		var fault *apperr.Error
		errors.As(err, &fault)
		form.Fault("code", fault.Fields[0].Detail)
		return
	}
	form.Status = http.StatusUnprocessableEntity
	for i := range form.Inputs {
		in := &form.Inputs[i]
		in.Focus = in.Name == "code"
		if in.Name == "password" {
			in.Focus, in.Hint, in.Aside = false, "Enter it once more, with the code.", nil
		}
	}
}

// askForPasskey returns the options for the browser's request of a passkey as JSON.
func (p *Pages) askForPasskey(c echo.Context) error {
	options, err := p.passkeyOptions.Form(c, server.Input{})
	if err != nil {
		return err
	}
	return c.JSONBlob(http.StatusOK, options.Body)
}

// signInWithPasskey handles the form that the script fills with what the browser signed.
func (p *Pages) signInWithPasskey(c echo.Context) error {
	form := signInForm(false)
	if err := form.Read(c); err != nil {
		return err
	}
	next, again := nextOf(form.Typed("next")), form.Typed("again") != ""
	body, err := json.Marshal(map[string]any{"credential": json.RawMessage(form.Typed("credential"))})
	if err != nil {
		return p.passkeyRefused(c, form, apperr.Wrap(apperr.Unauthorized, "", err), next, again)
	}
	out, err := p.passkey.Form(c, server.Input{Body: body})
	if err != nil {
		return p.passkeyRefused(c, form, err, next, again)
	}
	return signedIn(c, out, next)
}

// signedIn leads to the next page with a new session: to the settings, which say so, if that has restored the account.
func signedIn(c echo.Context, out *server.Output, next string) error {
	var session gen.SessionBody
	if err := out.Decode(&session); err != nil {
		return err
	}
	if session.Restored {
		next = home + "/settings?done=restored"
	}
	return c.Redirect(http.StatusSeeOther, next)
}

func (p *Pages) passkeyRefused(c echo.Context, form *ui.Form, err error, next string, again bool) error {
	form.Refuse(c, err)
	switch apperr.CodeOf(err) {
	case apperr.Unauthorized, apperr.BadRequest:
		form.Error = "This passkey doesn’t sign in here. Try another one, or your password."
	}
	return p.signInPage(c, form, next, again)
}

// signOut ends the session and goes to the front page. A session that has already ended is no error.
func (p *Pages) signOut(c echo.Context) error {
	_, err := p.logout.Form(c, server.Input{})
	if err != nil && apperr.CodeOf(err) != apperr.Unauthorized {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/")
}
