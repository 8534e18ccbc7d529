package web

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"strings"

	"github.com/labstack/echo/v4"

	"masthead/render"
)

//go:embed landing.html
var landingText string

var landingPage = template.Must(template.New("landing").Parse(landingText))

// landing shows what the service draws and where to begin.
func (p *Pages) landing(c echo.Context) error {
	own, err := p.own()
	if err != nil {
		return err
	}
	nonce := newNonce()
	var body bytes.Buffer
	err = landingPage.Execute(&body, map[string]any{
		"Nonce": nonce, "Base": p.base, "Templates": render.Templates(),
		"Name": ownName, "Title": ownName + ": " + strings.ToLower(ownTitle[:1]) + ownTitle[1:],
		"Heading": ownTitle, "Description": ownDescription,
		"Card": p.base + cardPath + "?v=" + own.version, "Picture": own.card, "Alt": ownTitle + " — " + ownName,
	})
	if err != nil {
		return fmt.Errorf("draw the landing page: %w", err)
	}
	return p.html(c, policy(nonce), body.Bytes())
}
