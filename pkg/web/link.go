package web

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"net/http"

	"github.com/labstack/echo/v4"

	"masthead/pkg/web/ui"
)

//go:embed link.html
var linkText string

var linkTemplate = template.Must(template.New("link").Parse(linkText))

// linkPage is the target of a link in an email. It has one button, because mail scanners follow links: only the button
// sends the token, which is after the # of the address, so that no server or log sees it.
type linkPage struct {
	Title, Explanation, Button, Done string
	// Half is shown instead of Done if the response says that nothing has changed yet; "" if it never says so.
	Half string
	// Operation is the path that the button posts to. With InPath the token is its last part, otherwise it is in the body.
	Operation string
	InPath    bool
}

// linkPages are the pages by path; package mail has the same paths.
var linkPages = map[string]linkPage{
	"/email/confirm": {
		Title: "Confirm your email address", Button: "Confirm and sign in", Operation: "/auth/confirm",
		Explanation: "This confirms that the address of your account is yours, and signs you in.",
		Done:        "Your address is confirmed, and you are signed in.",
	},
	"/email/sign-in": {
		Title: "Sign in", Button: "Sign in", Operation: "/auth/confirm",
		Explanation: "This signs you in to your account in this browser. The link then no longer works.",
		Done:        "You are signed in.",
	},
	"/email/change": {
		Title: "Change your email address", Button: "Confirm the change", Operation: "/auth/email/confirm",
		Explanation: "Your account gets the new address once the links that we sent to both addresses are used.",
		Done:        "Your account has the new address. Other sessions have ended.",
		Half: "This address is confirmed. The address changes when you use the link that we sent to the other " +
			"address, too.",
	},
	"/email/unsubscribe": {
		Title: "Stop emails of this kind", Button: "Stop these emails", Operation: "/mail/unsubscribe/", InPath: true,
		Explanation: "You still get emails about the security of your account.",
		Done:        "You won't get any more emails of this kind.",
	},
}

// link shows the page of a link in an email.
func (p *Pages) link(page linkPage) echo.HandlerFunc {
	return func(c echo.Context) error {
		nonce := ui.NewNonce()
		var body bytes.Buffer
		err := linkTemplate.Execute(&body, struct {
			linkPage
			Nonce string
		}{page, nonce})
		if err != nil {
			return fmt.Errorf("draw the page of a link: %w", err)
		}
		c.Response().Header().Set("Cache-Control", "no-store")
		return p.site.HTML(c, http.StatusOK, policy(nonce), body.Bytes())
	}
}
