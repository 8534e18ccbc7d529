package entry

import (
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/server"
	"masthead/pkg/web/ui"
)

const forgottenPath = "/forgotten"

var (
	forgottenPage = newView("forgotten")
	checkPage     = newView("check-email")
	linkPage      = newView("link")
	donePage      = newView("done")
)

// movedLinks are the earlier paths of links in emails. Browsers keep what is after the #.
var movedLinks = map[string]string{
	"/password/reset": "/reset", "/email/confirm": "/confirm", "/email/sign-in": signInPath + "/link",
}

// emailForm is the form for a link.
func emailForm() *ui.Form {
	return ui.NewForm(ui.Input{
		Name: "email", Label: "Email", Type: "email", Autocomplete: "username", Mode: "email", MaxLength: 254, Focus: true,
	})
}

// showForgotten shows the form for a link that sets a new password.
func (p *Pages) showForgotten(c echo.Context) error { return p.forgottenPage(c, emailForm()) }

func (p *Pages) forgottenPage(c echo.Context, form *ui.Form) error {
	return p.render(c, forgottenPage(), "Reset your password", form, map[string]any{"SendsMail": p.deps.SendsMail})
}

// forgotten handles the form. The response is the same whether or not the address has an account.
func (p *Pages) forgotten(c echo.Context) error {
	form := emailForm()
	if err := form.Read(c); err != nil {
		return err
	}
	_, err := p.forgot.Form(c, server.Input{Body: gen.PasswordForgot{Email: form.Typed("email")}})
	if err == nil {
		return c.Redirect(http.StatusSeeOther, forgottenPath+"/email")
	}
	form.Refuse(c, err)
	return p.forgottenPage(c, form)
}

// requestLink handles the second button of the form for signing in: it requests a link in place of the password.
func (p *Pages) requestLink(c echo.Context) error {
	form := signInForm(false)
	if err := form.Read(c); err != nil {
		return err
	}
	_, err := p.link.Form(c, server.Input{Body: gen.LinkRequest{Email: form.Typed("email")}})
	if err == nil {
		return c.Redirect(http.StatusSeeOther, signInPath+"/email")
	}
	form.Refuse(c, err)
	return p.signInPage(c, form, nextOf(form.Typed("next")), form.Typed("again") != "")
}

// checkEmail says that a link is on its way.
func (p *Pages) checkEmail(c echo.Context) error {
	again, lasts := signInPath, "30 minutes"
	if strings.HasPrefix(c.Path(), forgottenPath) {
		again, lasts = forgottenPath, "an hour"
	}
	return p.render(c, checkPage(), "Check your email", nil, map[string]any{
		"Again": again, "Lasts": lasts, "SendsMail": p.deps.SendsMail,
	})
}

// link is the page of a link in an email. It has a button, because mail scanners follow links: only the button sends
// the token. The token is after the # of the address, so that no server or log sees it; the script moves it into the
// form. Without scripts people paste the link.
type link struct {
	Title, Explanation, Button string
	// Again is where to request another link, or "". Done is the title after the button, if the page doesn't lead on,
	// and DoneText the text below it.
	Again, Done, DoneText, Half, HalfText string
	// password and code tell whether the form has a field for a new password, and may get one for a code. signsIn means
	// that the token starts a session.
	password, code, signsIn bool
	// run uses the token. half reports that nothing has changed yet; then Half and HalfText replace Done and DoneText.
	run func(c echo.Context, form *ui.Form, token string) (half bool, err error)
}

// links are the pages of links by path; package mail has the same paths.
func (p *Pages) links() map[string]link {
	return map[string]link{
		"/confirm": {
			Title: "Confirm your email", Button: "Confirm and sign in", code: true, signsIn: true,
			Explanation: "This confirms that the address of your account is yours, and signs you in.",
		},
		signInPath + "/link": {
			Title: "Sign in", Button: "Sign in", Again: signInPath, code: true, signsIn: true,
			Explanation: "This signs you in to your account in this browser. The link works once.",
		},
		"/reset": {
			Title: "Set a new password", Button: "Set the password", Again: forgottenPath, password: true,
			Explanation: "It ends all sessions of the account, wherever they are signed in.",
			Done:        "Your new password is set", DoneText: "Sign in with it.",
			run: func(c echo.Context, form *ui.Form, token string) (bool, error) {
				_, err := p.reset.Form(c, server.Input{Body: gen.PasswordReset{
					Token: token, NewPassword: form.Typed("newPassword"),
				}})
				return false, err
			},
		},
		"/email/change": {
			Title: "Change your email", Button: "Confirm the change",
			Explanation: "Your account gets the new address once the links that we sent to both addresses are used.",
			Done:        "Your email is changed", DoneText: "Your account has the new address. Other sessions have ended.",
			Half:     "This address is confirmed",
			HalfText: "The address changes when you use the link that we sent to the other address, too.",
			run: func(c echo.Context, _ *ui.Form, token string) (bool, error) {
				out, err := p.change.Form(c, server.Input{Body: gen.EmailChangeToken{Token: token}})
				if err != nil {
					return false, err
				}
				var state gen.EmailChangeState
				err = out.Decode(&state)
				return !state.Changed, err
			},
		},
		"/email/unsubscribe": {
			Title: "Stop emails of this kind", Button: "Stop these emails",
			Explanation: "You still get emails about the security of your account.",
			Done:        "These emails have stopped", DoneText: "You won’t get any more emails of this kind.",
			run: func(c echo.Context, _ *ui.Form, token string) (bool, error) {
				_, err := p.unsubscribe.Form(c, server.Input{Path: map[string]string{"token": token}})
				return false, err
			},
		},
	}
}

// form returns the page's form.
func (l link) form() *ui.Form {
	inputs := []ui.Input{{
		Name: "token", Label: "Link", Autocomplete: "off", MaxLength: 2048, Class: "token",
		Hint: "Paste the whole link from the email.",
	}}
	if l.password {
		inputs = append(inputs, ui.Input{
			Name: "newPassword", Label: "New password", Type: "password", Autocomplete: "new-password", MaxLength: 256,
			Hint: "At least 8 characters, and none of the most common passwords.", Focus: true,
		})
	}
	if l.code {
		inputs = append(inputs, codeInput())
	}
	return ui.NewForm(inputs...)
}

// dropCode removes the field for a code, which only accounts with a second factor need.
func dropCode(form *ui.Form) *ui.Form {
	form.Inputs = slices.DeleteFunc(form.Inputs, func(in ui.Input) bool { return in.Name == "code" })
	return form
}

// showLink shows the page of a link.
func (p *Pages) showLink(of link) echo.HandlerFunc {
	return func(c echo.Context) error { return p.linkPage(c, of, dropCode(of.form())) }
}

func (p *Pages) linkPage(c echo.Context, of link, form *ui.Form) error {
	return p.render(c, linkPage(), of.Title, form, map[string]any{"Link": of, "SendsMail": p.deps.SendsMail})
}

// useLink handles its button.
func (p *Pages) useLink(of link) echo.HandlerFunc {
	return func(c echo.Context) error {
		form := of.form()
		if err := form.Read(c); err != nil {
			return err
		}
		token, half := tokenOf(form.Typed("token")), false
		var err error
		if of.signsIn {
			var out *server.Output
			out, err = p.confirm.Form(c, server.Input{Body: gen.LinkToken{Token: token, Code: form.Optional("code")}})
			if err == nil {
				return signedIn(c, out, home)
			}
		} else {
			half, err = of.run(c, form, token)
		}
		switch {
		case err == nil && half:
			return p.render(c, donePage(), of.Half, nil, map[string]any{"Text": of.HalfText})
		case err == nil:
			return p.render(c, donePage(), of.Done, nil, map[string]any{"Text": of.DoneText, "SignIn": of.password})
		case asksForCode(err):
			askForCode(form, err)
		default:
			dropCode(form)
			form.Refuse(c, err)
			if of.Again == "" && apperr.CodeOf(err) == apperr.Unauthorized {
				form.Error = "This link no longer works."
			}
		}
		return p.linkPage(c, of, form)
	}
}

// tokenOf returns the token of a pasted link, or the text itself.
func tokenOf(pasted string) string {
	pasted = strings.TrimSpace(pasted)
	if _, token, found := strings.Cut(pasted, "token="); found {
		return token
	}
	return pasted
}
