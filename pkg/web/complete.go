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

//go:embed complete.html
var completeText string

var completePage = template.Must(template.New("complete").Parse(completeText))

// complete shows the form for what is missing after signing in with a provider. The sign-in is in a cookie.
func (p *Pages) complete(c echo.Context) error {
	nonce := ui.NewNonce()
	var body bytes.Buffer
	if err := completePage.Execute(&body, nonce); err != nil {
		return fmt.Errorf("draw the page of a provider's sign-in: %w", err)
	}
	c.Response().Header().Set("Cache-Control", "no-store")
	return p.site.HTML(c, http.StatusOK, policy(nonce), body.Bytes())
}
