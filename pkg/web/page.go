package web

import (
	"bytes"
	"fmt"
	"html/template"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"masthead/pkg/web/ui"
)

// view is a page of pages/ with its style.
type view struct {
	template *template.Template
	style    template.CSS
}

// newPage reads the named page: its template, and after the ui sheets its own sheet in pages/, if any.
func newPage(name, own string, sheets []string) *view {
	read := func(file string) string {
		text, err := pageFiles.ReadFile("pages/" + file)
		if err != nil {
			panic("web: " + err.Error())
		}
		return string(text)
	}
	style := ""
	if own != "" {
		style = read(own)
	}
	return &view{
		template: template.Must(ui.Templates(nil).New(name).Parse(read(name + ".html"))), style: ui.Style(style, sheets...),
	}
}

// render responds with a page. values["Head"] is its [ui.Head]; render sets its nonce and style.
func (p *Pages) render(c echo.Context, status int, of *view, values map[string]any) error {
	head := values["Head"].(ui.Head) //nolint:forcetypeassert // every page has one
	head.Nonce, head.Style = newNonce(), of.style
	values["Head"] = head
	var body bytes.Buffer
	if err := of.template.Execute(&body, values); err != nil {
		return fmt.Errorf("draw the page %s: %w", of.template.Name(), err)
	}
	return p.html(c, status, strict(head.Nonce), body.Bytes())
}

// strict is the Content-Security-Policy of our pages: elements with the nonce, pictures and fonts from here, and no
// style attributes.
func strict(nonce string) string {
	own := "'nonce-" + nonce + "'"
	return "default-src 'none'; script-src " + own + "; style-src " + own + "; img-src 'self'; font-src 'self'; " +
		"connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
}

// html responds with a page under a Content-Security-Policy.
func (p *Pages) html(c echo.Context, status int, policy string, body []byte) error {
	h := c.Response().Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("Referrer-Policy", "strict-origin-when-cross-origin")
	if strings.HasPrefix(p.base, "https://") {
		h.Set("Strict-Transport-Security", "max-age=31536000")
	}
	return c.Blob(status, echo.MIMETextHTMLCharsetUTF8, body)
}

// faces serves the fonts of the pages, cacheable forever: the address contains the digest of the file.
func faces(e *echo.Echo) {
	for name, data := range ui.Faces() {
		e.GET(ui.FacePath+name, func(c echo.Context) error {
			c.Response().Header().Set("Cache-Control", "public, max-age=31536000, immutable")
			return c.Blob(http.StatusOK, "font/woff2", data)
		})
	}
}
