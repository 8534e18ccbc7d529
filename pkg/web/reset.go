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

//go:embed reset.html
var resetText string

//go:embed complete.html
var completeText string

var (
	resetPage    = template.Must(template.New("reset").Parse(resetText))
	completePage = template.Must(template.New("complete").Parse(completeText))
)

// reset shows the form for a new password, the target of a reset link. Its token is after the # of the address, which
// no server or log sees.
func (p *Pages) reset(c echo.Context) error { return p.form(c, resetPage) }

// complete shows the form for what is missing after signing in with a provider. The sign-in is in a cookie.
func (p *Pages) complete(c echo.Context) error { return p.form(c, completePage) }

// form shows a page that is the same for everybody.
func (p *Pages) form(c echo.Context, page *template.Template) error {
	nonce := ui.NewNonce()
	var body bytes.Buffer
	if err := page.Execute(&body, nonce); err != nil {
		return fmt.Errorf("draw the page %s: %w", page.Name(), err)
	}
	c.Response().Header().Set("Cache-Control", "no-store")
	return p.site.HTML(c, http.StatusOK, policy(nonce), body.Bytes())
}
