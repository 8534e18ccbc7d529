package web

import (
	"bytes"
	_ "embed"
	"html/template"
	"net/http"
	"regexp"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/swaggest/swgui"
	"github.com/swaggest/swgui/v5emb"

	"masthead/pkg/etag"
	"masthead/pkg/web/ui"
)

// swaggerHead is what we add to the head of Swagger UI's page: a viewport for phones, styles for them, and our icon.
//
//go:embed swagger-head.html
var swaggerHead string

func newSwagger() http.Handler {
	return v5emb.NewHandlerWithConfig(swgui.Config{
		Title: "Masthead API", SwaggerJSON: "/openapi.yaml", BasePath: "/swagger",
		AppendHead: template.HTML(swaggerHead), //nolint:gosec // a file of ours
		SettingsUI: map[string]string{
			"persistAuthorization": "true", "tryItOutEnabled": "true", "validatorUrl": "null",
			"displayRequestDuration": "true", "showExtensions": "true",
		},
	})
}

// foreignIcon matches a link to Swagger UI's own icon.
var foreignIcon = regexp.MustCompile(`(?m)^\s*<link rel="icon"[^>]*/swagger/favicon[^>]*>\n`)

// reference serves Swagger UI: its page with a nonce on every script and style, and its assets. Pictures in responses
// are shown from blob: addresses, which only this page may use; the icons of the page are data:.
func (p *Pages) reference(c echo.Context) error {
	if path := strings.TrimSuffix(c.Request().URL.Path, "/"); path != "/swagger" {
		return p.asset(c)
	}
	page := &capture{header: http.Header{}}
	p.swagger.ServeHTTP(page, c.Request())
	body, nonce := foreignIcon.ReplaceAll(page.body.Bytes(), nil), ui.NewNonce()
	for _, element := range []string{"script", "style"} {
		body = bytes.ReplaceAll(body, []byte("<"+element), []byte("<"+element+` nonce="`+nonce+`"`))
	}
	return p.site.HTML(c, http.StatusOK, policy(nonce, "data:", "blob:"), body)
}

// asset serves a file of Swagger UI. Its handler returns ETags without quotes and compares whole headers with them, so
// If-None-Match is evaluated here.
func (p *Pages) asset(c echo.Context) error {
	r := c.Request().Clone(c.Request().Context())
	r.Header.Del("If-None-Match")
	w := &assetWriter{ResponseWriter: c.Response(), ifNoneMatch: c.Request().Header.Get("If-None-Match")}
	p.swagger.ServeHTTP(w, r)
	if w.status == http.StatusNotFound {
		return echo.ErrNotFound
	}
	return nil
}

// capture is an http.ResponseWriter that captures a page for further changes.
type capture struct {
	header http.Header
	body   bytes.Buffer
}

func (c *capture) Header() http.Header         { return c.header }
func (c *capture) WriteHeader(int)             {}
func (c *capture) Write(b []byte) (int, error) { return c.body.Write(b) }

// assetWriter passes an asset on with a quoted ETag, answers 304 to a client that has it, and suppresses the plain-text
// response for missing assets.
type assetWriter struct {
	http.ResponseWriter
	ifNoneMatch string
	status      int // of the response; 0 until known
}

func (w *assetWriter) WriteHeader(status int) {
	w.status = status
	h := w.Header()
	if status == http.StatusNotFound {
		h.Del("Content-Type")
		return
	}
	if tag := strings.Trim(h.Get("ETag"), `"`); tag != "" {
		tag = `"` + tag + `"`
		h.Set("ETag", tag)
		if status == http.StatusOK && etag.Match(w.ifNoneMatch, tag) {
			w.status = http.StatusNotModified
			for _, key := range []string{"Content-Type", "Content-Length", "Content-Encoding"} {
				h.Del(key)
			}
		}
	}
	h.Set("Cache-Control", "public, max-age=86400")
	w.ResponseWriter.WriteHeader(w.status)
}

func (w *assetWriter) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	if w.status == http.StatusNotFound || w.status == http.StatusNotModified {
		return len(b), nil
	}
	return w.ResponseWriter.Write(b)
}
