package web

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"

	"github.com/labstack/echo/v4"

	"masthead/render"
)

//go:embed landing.html
var landingText string

var landingPage = template.Must(template.New("landing").Parse(landingText))

// landing shows what the service draws and where to begin.
func (p *Pages) landing(c echo.Context) error {
	nonce := newNonce()
	var body bytes.Buffer
	err := landingPage.Execute(&body, struct {
		Nonce, Base string
		Templates   []render.Template
	}{nonce, p.base, render.Templates()})
	if err != nil {
		return fmt.Errorf("draw the landing page: %w", err)
	}
	return p.html(c, nonce, body.Bytes())
}
