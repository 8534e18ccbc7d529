package web

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"net/http"

	"github.com/labstack/echo/v4"
)

//go:embed reset.html
var resetText string

var resetPage = template.Must(template.New("reset").Parse(resetText))

// reset shows the form for a new password, the target of a reset link. Its token is after the # of the address, which
// no server or log sees.
func (p *Pages) reset(c echo.Context) error {
	nonce := newNonce()
	var body bytes.Buffer
	if err := resetPage.Execute(&body, nonce); err != nil {
		return fmt.Errorf("draw the page of a new password: %w", err)
	}
	c.Response().Header().Set("Cache-Control", "no-store")
	return p.html(c, http.StatusOK, policy(nonce), body.Bytes())
}
