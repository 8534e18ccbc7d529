// Package web owns the pages that people see in a browser, drawn on the server: the landing page and /swagger. The
// service's document describes none of them.
package web

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"
	"github.com/swaggest/swgui"
	"github.com/swaggest/swgui/v5emb"

	"masthead/gen"
)

// Pages are the web pages of one service.
type Pages struct {
	swagger http.Handler
	json    []byte
	// base is the public address of the service, without a slash at its end.
	base string
}

// New returns the pages of a service whose public address is base, without a slash at its end.
func New(base string) (*Pages, error) {
	document, err := openapi3.NewLoader().LoadFromData(gen.Document)
	if err != nil {
		return nil, fmt.Errorf("read openapi.yaml: %w", err)
	}
	asJSON, err := document.MarshalJSON()
	if err != nil {
		return nil, fmt.Errorf("turn openapi.yaml into JSON: %w", err)
	}
	return &Pages{
		swagger: v5emb.NewHandlerWithConfig(swgui.Config{
			Title: "Masthead API", SwaggerJSON: "/openapi.yaml", BasePath: "/swagger",
			SettingsUI: map[string]string{
				"persistAuthorization": "true", "tryItOutEnabled": "true", "validatorUrl": "null", "displayRequestDuration": "true",
			},
		}),
		json: asJSON,
		base: base,
	}, nil
}

// Register adds the pages to e.
func (p *Pages) Register(e *echo.Echo) {
	e.GET("/", p.landing)
	e.GET("/openapi.yaml", func(c echo.Context) error {
		return c.Blob(http.StatusOK, "application/yaml; charset=utf-8", gen.Document)
	})
	e.GET("/openapi.json", func(c echo.Context) error {
		return c.Blob(http.StatusOK, echo.MIMEApplicationJSON, p.json)
	})
	e.GET("/swagger", p.reference)
	e.GET("/swagger/*", p.reference)
}

// reference serves Swagger UI: its page with a nonce on every script and style, its assets as they are.
func (p *Pages) reference(c echo.Context) error {
	if path := strings.TrimSuffix(c.Request().URL.Path, "/"); path != "/swagger" {
		asset := &assetWriter{ResponseWriter: c.Response()}
		p.swagger.ServeHTTP(asset, c.Request())
		if asset.missing {
			return echo.ErrNotFound
		}
		return nil
	}
	page := &capture{header: http.Header{}}
	p.swagger.ServeHTTP(page, c.Request())
	nonce := newNonce()
	body := page.body.Bytes()
	for _, element := range []string{"<script", "<style"} {
		body = bytes.ReplaceAll(body, []byte(element), []byte(element+` nonce="`+nonce+`"`))
	}
	return p.html(c, nonce, body)
}

// html answers with a page whose scripts and styles carry nonce. Source of the headers: security requirements,
// "Answers, headers, webhooks". Style attributes are allowed since Swagger UI draws with them; they cannot load or
// run anything.
func (p *Pages) html(c echo.Context, nonce string, body []byte) error {
	h := c.Response().Header()
	h.Set("Content-Security-Policy", "default-src 'none'; "+
		"script-src 'self' 'nonce-"+nonce+"'; style-src 'self' 'nonce-"+nonce+"'; "+
		"style-src-attr 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; "+
		"object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'")
	h.Set("Referrer-Policy", "strict-origin-when-cross-origin")
	if strings.HasPrefix(p.base, "https://") {
		h.Set("Strict-Transport-Security", "max-age=31536000")
	}
	return c.Blob(http.StatusOK, echo.MIMETextHTMLCharsetUTF8, body)
}

func newNonce() string {
	var raw [16]byte
	_, _ = rand.Read(raw[:]) // never fails: it ends the process where the system has no randomness
	return base64.RawStdEncoding.EncodeToString(raw[:])
}

// capture is an http.ResponseWriter that keeps a page to be finished.
type capture struct {
	header http.Header
	body   bytes.Buffer
}

func (c *capture) Header() http.Header         { return c.header }
func (c *capture) WriteHeader(int)             {}
func (c *capture) Write(b []byte) (int, error) { return c.body.Write(b) }

// assetWriter lets an asset through and keeps the plain answer back that an asset handler gives where there is none.
type assetWriter struct {
	http.ResponseWriter
	missing bool
}

func (w *assetWriter) WriteHeader(status int) {
	if w.missing = status == http.StatusNotFound; w.missing {
		w.Header().Del("Content-Type")
		return
	}
	w.Header().Set("Cache-Control", "public, max-age=86400")
	w.ResponseWriter.WriteHeader(status)
}

func (w *assetWriter) Write(b []byte) (int, error) {
	if w.missing {
		return len(b), nil
	}
	return w.ResponseWriter.Write(b)
}
