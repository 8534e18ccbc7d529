package entry

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/identity"
	"masthead/pkg/server"
	"masthead/pkg/web/ui"
)

const registerPath = "/register"

var registerPage = newView("register")

// registerForm is the form for a new account.
func registerForm(who Registration) *ui.Form {
	inputs := []ui.Input{
		{
			Name: "email", Label: "Email", Type: "email", Autocomplete: "username", Mode: "email", MaxLength: 254, Focus: true,
		},
		{
			Name: "password", Label: "Password", Type: "password", Autocomplete: "new-password", MaxLength: 256,
			Hint: "At least 8 characters. Four unrelated words are better than one complicated one.",
		},
		{Name: "name", Label: "Name", Autocomplete: "name", MaxLength: 100, Optional: true},
	}
	if who.NeedsToken {
		inputs = append(inputs, ui.Input{
			Name: "setupToken", Label: "Set-up link", Autocomplete: "off", MaxLength: 2048, Optional: true, Class: "token",
			Hint: "The service printed it when it started, if it has no admin. Paste the whole link.",
		})
	}
	return ui.NewForm(inputs...)
}

// showRegister shows the form. People who are signed in go on.
func (p *Pages) showRegister(c echo.Context) error {
	ctx, next := c.Request().Context(), nextOf(c.QueryParam("next"))
	if !identity.CallerOf(ctx).Anonymous() {
		return c.Redirect(http.StatusSeeOther, next)
	}
	who, err := p.deps.Registration(ctx)
	if err != nil {
		return err
	}
	return p.registerPage(c, registerForm(who), who, next)
}

func (p *Pages) registerPage(c echo.Context, form *ui.Form, who Registration, next string) error {
	token := who.NeedsToken && form.Input("setupToken").Value != "" && form.Input("setupToken").Error == ""
	return p.render(c, registerPage(), "Register", form, map[string]any{
		"Next": next, "SignInPath": withNext(signInPath, next), "Closed": who.Closed, "First": who.First,
		"NeedsToken": who.NeedsToken, "TokenSent": token,
	})
}

// setupToken returns the token in the set-up link, or nil.
func setupToken(form *ui.Form) *string {
	link := form.Optional("setupToken")
	if link == nil {
		return nil
	}
	token := tokenOf(*link)
	return &token
}

// newAccount handles the form.
func (p *Pages) newAccount(c echo.Context) error {
	who, err := p.deps.Registration(c.Request().Context())
	if err != nil {
		return err
	}
	form := registerForm(who)
	if err := form.Read(c); err != nil {
		return err
	}
	next := nextOf(form.Typed("next"))
	// Not a gen.RegisterRequest, whose encoding fails for what isn't an email: the operation says what is wrong with it.
	out, err := p.register.Form(c, server.Input{Body: map[string]any{
		"email": form.Typed("email"), "password": form.Typed("password"), "name": form.Optional("name"),
		"setupToken": setupToken(form),
	}})
	if err == nil {
		if next, err = p.kept(c, out, next); err != nil {
			return err
		}
		return c.Redirect(http.StatusSeeOther, next)
	}
	if apperr.CodeOf(err) == apperr.Conflict {
		form.Fault("email", "This email already has an account. Sign in instead, or use another one.")
	} else {
		form.Refuse(c, err)
	}
	return p.registerPage(c, form, who, next)
}

// kept returns where a new account goes: to what was saved for it of the page at next, or to next.
func (p *Pages) kept(c echo.Context, registered *server.Output, next string) (to string, err error) {
	if p.deps.Keep == nil {
		return next, nil
	}
	var made gen.SessionBody
	if err := registered.Decode(&made); err != nil {
		return "", err
	}
	// From here on, the request is one of the new session, as the next one will be.
	signedIn := http.Cookie{Name: identity.CookieName, Value: made.AccessToken} //nolint:gosec // of a request
	c.Request().Header.Set(echo.HeaderCookie, signedIn.String())
	err = p.session(func(c echo.Context) error {
		to = p.deps.Keep(c, next)
		return nil
	})(c)
	return to, err
}
