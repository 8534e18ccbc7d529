// Package web has the server-rendered pages for browsers: the front page, the pages of reports with the forms that
// request one, /swagger, and the program's own icons and card. The service's document describes none of it; forms run
// its operations with [server.Operation]. Package ui has the common parts of all pages, package report the page of a
// report, package entry the pages for signing in and registering, package dashboard those of people who are signed in.
package web

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/audit"
	"masthead/pkg/etag"
	"masthead/pkg/server"
	"masthead/pkg/web/dashboard"
	"masthead/pkg/web/entry"
	"masthead/pkg/web/frame"
	"masthead/pkg/web/report"
	"masthead/pkg/web/ui"
	"masthead/pkg/worker"
)

// Pages are the web pages of one service.
type Pages struct {
	swagger http.Handler
	spec    *openapi3.T
	// base is the public address of the service, without a trailing slash.
	base    string
	site    ui.Responder
	audits  *audit.Service
	own     drawnOnce[*ownAssets]
	example drawnOnce[*audit.Report]
	cards   *cards
	// fixed is what is written once of the pages of reports, by their IDs.
	fixed simplelru.LRUCache[string, *report.FixedPart]
	entry *entry.Pages
	// sendsMail reports whether the service sends email.
	sendsMail bool
	// draws reports whether AI images can be made, and writes whether AI analyses can.
	draws, writes bool
	// sitePictures has the small pictures of audited sites.
	sitePictures dashboard.SitePictures
	// components adds the page of components.
	components bool
	// recent returns cards of the visitor's own pages, for the front page.
	recent func(echo.Context) []ui.CardLink
	// createAudit is the operation that the forms run.
	createAudit *server.Operation
	// getCrawlers and startCrawlers are the operations of the part of a report about crawlers.
	getCrawlers, startCrawlers *server.Operation
}

// Deps are what the pages are made of.
type Deps struct {
	// Base is the public address of the service, without a trailing slash.
	Base string
	// Document describes the API.
	Document *openapi3.T
	// Audits has the reports.
	Audits *audit.Service
	// Drawing has the workers that draw.
	Drawing *worker.Pool
	// SitePictures has the small pictures of audited sites.
	SitePictures dashboard.SitePictures
	// Recent returns cards of the visitor's own pages, for the front page.
	Recent func(echo.Context) []ui.CardLink
	// SendsMail reports whether the service sends email.
	SendsMail bool
	// Draws reports whether AI images can be made, and Writes whether AI analyses can.
	Draws, Writes bool
	// Components adds the page of the dashboard's components.
	Components bool
	// Provider is the host of the provider that people can sign in with; "" for none.
	Provider string
	// Registration reports who can register now.
	Registration func(context.Context) (entry.Registration, error)
	// Keep saves what a visitor had chosen before they registered: see [entry.Deps].
	Keep func(c echo.Context, address string) (to string)
}

// New returns the pages of a service.
func New(deps Deps) *Pages {
	base, audits, drawing := deps.Base, deps.Audits, deps.Drawing
	fixed, _ := lru.New[string, *report.FixedPart](keptCards) // fails only for a size below 1
	p := &Pages{
		swagger: newSwagger(), spec: deps.Document, base: base, site: ui.ResponderOf(base), audits: audits,
		cards: newCards(drawing), fixed: fixed,
		own:     drawnOnce[*ownAssets]{stage: "own pictures", drawing: drawing, draw: drawOwn},
		example: drawnOnce[*audit.Report]{stage: "example", drawing: drawing, draw: newExample},
	}
	p.sendsMail, p.recent, p.components = deps.SendsMail, deps.Recent, deps.Components
	p.sitePictures, p.draws, p.writes = deps.SitePictures, deps.Draws, deps.Writes
	p.entry = entry.New(entry.Deps{
		Base: base, SendsMail: deps.SendsMail, Provider: deps.Provider, Registration: deps.Registration, Card: p.ownCard,
		Keep: deps.Keep,
	})
	return p
}

// ownCard is the program's own card.
func (p *Pages) ownCard(ctx context.Context) (ui.Card, error) {
	own, err := p.own.get(ctx)
	if err != nil {
		return ui.Card{}, err
	}
	return ui.Card{
		URL: cardPath + "?v=" + own.version, ContentType: own.card.ContentType, Alt: ownTitle + " — " + ownName,
		Width: own.card.Width, Height: own.card.Height,
	}, nil
}

// Register adds the pages to e, which belongs to s.
func (p *Pages) Register(e *echo.Echo, s *server.Server) {
	p.createAudit = s.Operation("createAudit")
	p.getCrawlers, p.startCrawlers = s.Operation("getCrawlers"), s.Operation("readAsCrawlers")
	e.GET("/", p.landing, s.SessionOrNone)
	asYAML := func() ([]byte, error) { return gen.Document(), nil }
	e.GET("/openapi.yaml", document("application/yaml; charset=utf-8", asYAML))
	e.GET("/openapi.json", document(echo.MIMEApplicationJSON, p.spec.MarshalJSON))
	for _, path := range ownPaths {
		e.GET(path, p.ownFile)
	}
	for i := range sampleRequests {
		e.GET(samplePath+strconv.Itoa(i), p.ownFile)
	}
	shared(e)
	e.GET(rulesPath, p.rules, s.SessionOrNone)
	e.GET(platformsPath, p.platforms, s.SessionOrNone)
	e.POST(formPath, p.newAudit(s.Session))
	e.GET("/audit/:id", p.auditReport, s.Session)
	e.GET("/audit/:id/"+opinionPart, p.auditOpinion, s.Session)
	e.GET("/audit/:id/"+crawlersPart, p.auditCrawlers, s.Session)
	e.POST("/audit/:id/"+crawlersPart, p.readAsCrawlers, s.Session)
	e.GET("/audit/:id/"+markdownPart, p.auditMarkdown)
	e.GET("/audit/:id/"+ourCard, p.auditCard)
	e.GET("/audit/:id/"+verdictCard, p.auditCard)
	e.GET("/audit/"+exampleName, p.exampleReport, s.SessionOrNone)
	e.GET("/audit/"+exampleName+"/:picture", p.examplePicture)
	p.entry.Register(e, s)
	dashboard.Register(dashboard.Config{
		Config:       frame.Config{Base: p.base, SendsMail: p.sendsMail, Draws: p.draws, Writes: p.writes},
		SitePictures: p.sitePictures, Reports: p.audits, Components: p.components,
	}, e, s)
	e.GET("/swagger", p.reference)
	e.GET("/swagger/*", p.reference)
}

// Refused answers a browser whose sign-in with a provider failed.
func (p *Pages) Refused(c echo.Context, fault *apperr.Error) (bool, error) {
	return p.entry.Refused(c, fault)
}

// document serves a form of openapi.yaml to pages of any origin, with limited caching. It is made once, when it is
// first requested, since JSON takes 50 ms that no start needs.
func document(contentType string, made func() ([]byte, error)) echo.HandlerFunc {
	type file struct {
		data []byte
		tag  string
	}
	once := sync.OnceValues(func() (file, error) {
		data, err := made()
		if err != nil {
			return file{}, fmt.Errorf("turn openapi.yaml into %s: %w", contentType, err)
		}
		return file{data, etag.WeakOf(data)}, nil
	})
	return func(c echo.Context) error {
		f, err := once()
		if err != nil {
			return err
		}
		c.Response().Header().Set(echo.HeaderAccessControlAllowOrigin, "*")
		c.Response().Header().Set(echo.HeaderAccessControlExposeHeaders, "ETag,X-Request-Id")
		return serve(c, contentType, "public, max-age=300", f.tag, f.data)
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
