package entry

import (
	"errors"
	"net/http"
	"net/url"
	"slices"

	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/server"
	"masthead/pkg/web/ui"
)

const (
	completePath = signInPath + "/complete"
	// providerCookie has the sign-in at the provider: see package auth.
	providerCookie = "masthead_oidc"
)

var completePage = newView("complete")

// providerPath is the address that leads to the provider, and in the end to next. A longer one than the operation takes
// is left out.
func providerPath(next string) string {
	const most = 200
	if len(next) > most {
		next = home
	}
	return "/auth/oidc?" + url.Values{"next": {next}}.Encode()
}

// Refused shows the form for signing in to a browser whose sign-in with a provider failed, with what is wrong. answered
// is false for other addresses.
func (p *Pages) Refused(c echo.Context, fault *apperr.Error) (answered bool, _ error) {
	if c.Path() != "/auth/oidc" && c.Path() != "/auth/oidc/callback" {
		return false, nil
	}
	c.Response().Header().Set("Cache-Control", "no-store")
	return true, p.startAgain(c, fault, home)
}

// startAgain shows the form for signing in, with why the provider's sign-in failed.
func (p *Pages) startAgain(c echo.Context, fault *apperr.Error, next string) error {
	form := signInForm(false)
	form.Refuse(c, fault)
	switch fault.Code {
	case apperr.UpstreamFailed:
		form.Error = "The provider that you sign in with didn’t respond. Try again in a moment."
	case apperr.BadRequest:
		form.Error = "Signing in with the provider didn’t work. It takes 10 minutes at most, in one browser. Try again."
	}
	return p.signInPage(c, form, next, false)
}

// completeForm is the form for what the provider alone doesn't show: the password of an account that was never joined
// with it, or the code of a second factor.
func completeForm() *ui.Form {
	return ui.NewForm(ui.Input{
		Name: "password", Label: "Password", Type: "password", Autocomplete: "current-password", MaxLength: 256,
		Focus: true, Aside: &ui.Link{URL: forgottenPath, Text: "Forgotten?"},
	}, codeInput())
}

// without removes a field of a form.
func without(form *ui.Form, name string) {
	form.Inputs = slices.DeleteFunc(form.Inputs, func(in ui.Input) bool { return in.Name == name })
}

// showComplete shows the form to people who come from the provider. ask in the query is what is missing.
func (p *Pages) showComplete(c echo.Context) error {
	form := completeForm()
	if c.QueryParam("ask") == "code" {
		without(form, "password")
		form.Input("code").Focus = true
	} else {
		without(form, "code")
	}
	return p.completePage(c, form, nextOf(c.QueryParam("next")))
}

func (p *Pages) completePage(c echo.Context, form *ui.Form, next string) error {
	joins := slices.ContainsFunc(form.Inputs, func(in ui.Input) bool { return in.Name == "password" })
	return p.render(c, completePage(), "Finish signing in", form, map[string]any{
		"Next": next, "Joins": joins, "Provider": p.deps.Provider,
	})
}

// complete handles the form.
func (p *Pages) complete(c echo.Context) error {
	form := completeForm()
	if err := form.Read(c); err != nil {
		return err
	}
	next, in := nextOf(form.Typed("next")), server.Input{Body: gen.ProviderProof{
		Password: form.Optional("password"), Code: form.Optional("code"),
	}}
	if cookie, err := c.Cookie(providerCookie); err == nil {
		in.Header = http.Header{"Cookie": {cookie.Name + "=" + cookie.Value}}
	}
	out, err := p.finish.Form(c, in)
	var fault *apperr.Error
	switch {
	case err == nil:
		return signedIn(c, out, next)
	case asksForCode(err):
		if form.Typed("joins") == "" {
			without(form, "password")
		}
		askForCode(form, err)
	case errors.As(err, &fault) && fault.Code == apperr.BadRequest && len(fault.Fields) == 0:
		return p.startAgain(c, fault, next)
	case apperr.CodeOf(err) == apperr.Unauthorized:
		without(form, "code")
		form.Fault("password", "This isn’t the password of your account.")
	default:
		without(form, "code")
		form.Refuse(c, err)
	}
	return p.completePage(c, form, next)
}
