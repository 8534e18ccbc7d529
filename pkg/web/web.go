// Package web has the server-rendered pages for browsers: the front page, the pages of reports with the forms that
// request one, /swagger, and the program's own icons and card. The service's document describes none of it; forms run
// its operations with [server.Operation]. Package ui has the common parts of all pages, package report the page of a
// report.
package web

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/audit"
	"masthead/pkg/etag"
	"masthead/pkg/server"
	"masthead/pkg/web/ui"
	"masthead/pkg/worker"
)

// Pages are the web pages of one service.
type Pages struct {
	swagger http.Handler
	json    []byte
	// base is the public address of the service, without a trailing slash.
	base    string
	site    ui.Site
	audits  *audit.Service
	own     drawnOnce[*ownAssets]
	example drawnOnce[*audit.Report]
	cards   *cards
	// createAudit is the operation that the forms run.
	createAudit *server.Operation
}

// New returns the pages of a service whose public address is base, without a trailing slash. document describes its
// API, audits has its reports, and drawing has the workers that draw.
func New(base string, document *openapi3.T, audits *audit.Service, drawing *worker.Pool) (*Pages, error) {
	asJSON, err := document.MarshalJSON()
	if err != nil {
		return nil, fmt.Errorf("turn openapi.yaml into JSON: %w", err)
	}
	return &Pages{
		swagger: newSwagger(), json: asJSON, base: base, site: ui.SiteOf(base), audits: audits, cards: newCards(drawing),
		own:     drawnOnce[*ownAssets]{stage: "own pictures", drawing: drawing, draw: drawOwn},
		example: drawnOnce[*audit.Report]{stage: "example", drawing: drawing, draw: newExample},
	}, nil
}

// Register adds the pages to e, which belongs to s.
func (p *Pages) Register(e *echo.Echo, s *server.Server) {
	p.createAudit = s.Operation("createAudit")
	e.GET("/", p.landing)
	e.GET("/openapi.yaml", document("application/yaml; charset=utf-8", gen.Document))
	e.GET("/openapi.json", document(echo.MIMEApplicationJSON, p.json))
	for _, path := range ownPaths {
		e.GET(path, p.ownFile)
	}
	for i := range sampleRequests {
		e.GET(samplePath+strconv.Itoa(i), p.ownFile)
	}
	faces(e)
	e.GET(rulesPath, p.rules)
	e.GET(platformsPath, p.platforms)
	e.POST(formPath, p.newAudit(s.Session))
	e.GET("/audit/:id", p.auditReport, s.Session)
	e.GET("/audit/:id/"+opinionPart, p.auditOpinion, s.Session)
	e.GET("/audit/:id/"+markdownPart, p.auditMarkdown)
	e.GET("/audit/:id/"+ourCard, p.auditCard)
	e.GET("/audit/:id/"+verdictCard, p.auditCard)
	e.GET("/audit/"+exampleName, p.exampleReport)
	e.GET("/audit/"+exampleName+"/:picture", p.examplePicture)
	e.GET("/password/reset", p.reset)
	e.GET("/sign-in/complete", p.complete)
	for path, page := range linkPages {
		e.GET(path, p.link(page))
	}
	e.GET("/swagger", p.reference)
	e.GET("/swagger/*", p.reference)
}

// document serves data to pages of any origin, with limited caching.
func document(contentType string, data []byte) echo.HandlerFunc {
	tag := etag.WeakOf(data)
	return func(c echo.Context) error {
		c.Response().Header().Set(echo.HeaderAccessControlAllowOrigin, "*")
		c.Response().Header().Set(echo.HeaderAccessControlExposeHeaders, "ETag,X-Request-Id")
		return serve(c, contentType, "public, max-age=300", tag, data)
	}
}

// serve responds with data and the given Cache-Control, or with 304 to a client that has it.
func serve(c echo.Context, contentType, cacheControl, tag string, data []byte) error {
	h := c.Response().Header()
	h.Set("ETag", tag)
	h.Set("Cache-Control", cacheControl)
	if etag.Match(c.Request().Header.Get("If-None-Match"), tag) {
		return c.NoContent(http.StatusNotModified)
	}
	return c.Blob(http.StatusOK, contentType, data)
}

// policy is the Content-Security-Policy of a page whose scripts and styles have the nonce and whose pictures come from
// here and from the given sources. Source: docs/security.md#responses. Style attributes are allowed since Swagger UI
// draws with them; they can't load or run anything.
func policy(nonce string, pictures ...string) string {
	own := "'self' 'nonce-" + nonce + "'"
	return "default-src 'none'; script-src " + own + "; style-src " + own + "; style-src-attr 'unsafe-inline'; " +
		"img-src " + strings.Join(append([]string{"'self'"}, pictures...), " ") + "; font-src 'self'; " +
		"connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
}
