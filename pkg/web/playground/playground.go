// Package playground has the pages /try and /try/{ticket}: a page in every design, for visitors without an account.
// Package tickets reads the page and draws.
//
//   - playground.go: the routes, the form, and the page that streams while it waits for the facts
//   - view.go: what the page shows
//   - choices.go: what people choose in it
//   - pictures.go: proofs and icons
//   - recent.go: the cards of the visitor's own pages on the front page
//   - use.go: how to use the chosen image, for people who are signed in with their project
//   - save.go: saving it, and adding the page's domain to the project
//   - playground.html, .css, .js: the page works without its script
package playground

import (
	"crypto/rand"
	"embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"io"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"masthead/pkg/apperr"
	"masthead/pkg/iconset"
	"masthead/pkg/identity"
	"masthead/pkg/scrape"
	"masthead/pkg/server"
	"masthead/pkg/tickets"
	"masthead/pkg/web/report"
	"masthead/pkg/web/ui"
)

const (
	// patience is how long the page of a ticket waits for the facts before it shows progress.
	patience = 250 * time.Millisecond
	// maxForm is the maximum size of the form: an address and the choices.
	maxForm = 64 << 10
)

//go:embed playground.html playground.css playground.js
var files embed.FS

func read(name string) string {
	data, err := files.ReadFile(name)
	if err != nil {
		panic("playground: " + err.Error())
	}
	return string(data)
}

var parsed = sync.OnceValue(func() *template.Template {
	script := template.JS(read("playground.js")) //nolint:gosec // a file of ours
	t := ui.Templates(template.FuncMap{
		"ownScript": func() template.JS { return script }, "sections": func() []ui.Link { return ui.Sections },
	})
	report.FrameTemplates(t)
	return template.Must(t.New("playground").Parse(read("playground.html")))
})

var style = sync.OnceValue(func() template.CSS {
	own := report.FrameStyle() + iconset.PlacesStyle + read("playground.css")
	return ui.Style(own, "tokens", "type", "controls", "code", "chrome", "use")
})

// Pages are the pages of the playground.
type Pages struct {
	base    string
	tickets *tickets.Service
	ai      bool

	projects, create, update, generate, upload, usage, me *server.Operation
	// fromHere returns an error for forms of other sites.
	fromHere func(echo.Context) error
}

// New returns the pages of a service whose public address is base, without a trailing slash. ai reports whether it has
// a provider of AI pictures.
func New(base string, t *tickets.Service, ai bool) *Pages {
	return &Pages{base: base, tickets: t, ai: ai}
}

// Register adds the pages to e, which belongs to s.
func (p *Pages) Register(e *echo.Echo, s *server.Server) {
	e.GET("/try", p.empty, s.Session)
	e.GET("/dashboard/new", toTry)
	e.POST("/try", p.open(s.PublicForm))
	s.CountsItself(http.MethodPost, "/try")
	p.projects, p.create = s.Operation("listProjects"), s.Operation("createProject")
	p.update, p.generate = s.Operation("updateProject"), s.Operation("generateImage")
	p.upload, p.usage, p.me = s.Operation("createAsset"), s.Operation("getUsage"), s.Operation("getMe")
	p.fromHere = s.FromHere
	e.POST("/try/:ticket", p.act, s.Session)
	e.GET("/try/:ticket", p.ticket, s.Session)
	for _, route := range []string{"/try/:ticket/:design", "/try/:ticket/icons/:name"} {
		s.CountsItself(http.MethodGet, route)
	}
	e.GET("/try/:ticket/:design", p.proof)
	e.GET("/try/:ticket/icons/:name", p.icon)
}

// toTry serves GET /dashboard/new, which is the same page for people who are signed in.
func toTry(c echo.Context) error {
	to := url.URL{Path: "/try", RawQuery: c.QueryString()}
	return c.Redirect(http.StatusSeeOther, to.String())
}

// empty serves GET /try: the field, with the address and the choices of a shared link. It fetches nothing: someone
// else's link must not make this server request a page.
func (p *Pages) empty(c echo.Context) error {
	q := c.QueryParams()
	choices, _ := tickets.ParseChoices(q)
	return p.field(c, http.StatusOK, choices, ui.Field{Value: cut(q.Get("url"))})
}

// cut bounds an address that a page repeats.
func cut(address string) string {
	const most = 2048
	return strings.ToValidUTF8(address[:min(len(address), most)], "")
}

// field responds with the page that has only the field.
func (p *Pages) field(c echo.Context, status int, choices tickets.Choices, field ui.Field) error {
	v := &view{
		Head:  ui.Head{Title: "Your page in every design: Masthead", NoIndex: true},
		Field: field, Hidden: pairs(choices.PageQuery()), Chosen: len(choices.PageQuery()) > 0,
	}
	return p.render(c, status, "empty", v)
}

// open serves POST /try: it starts reading a page and leads to its ticket at once.
func (p *Pages) open(form echo.MiddlewareFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		var choices tickets.Choices
		var typed string
		err := form(func(c echo.Context) error {
			r := c.Request()
			r.Body = http.MaxBytesReader(c.Response(), r.Body, maxForm)
			if err := r.ParseForm(); err != nil {
				return apperr.Wrap(apperr.BadRequest, "We couldn’t read the form. Send it again.", err)
			}
			if all := r.PostForm["url"]; len(all) > 0 {
				typed = strings.TrimSpace(all[len(all)-1]) // an accepted suggestion comes after the field
			}
			choices, _ = tickets.ParseChoices(r.PostForm)
			address, err := ui.AddressOf(typed)
			if err != nil {
				return err
			}
			ctx := r.Context()
			id, err := p.tickets.Open(ctx, identity.CallerOf(ctx), address, !ui.HasScheme(typed))
			if err != nil {
				return err
			}
			p.remember(c, id)
			return c.Redirect(http.StatusSeeOther, pathOf(id, choices.PageQuery()))
		})(c)
		if err == nil {
			return nil
		}
		return p.failForm(c, err, choices, typed)
	}
}

// failForm responds to a form that failed, with the reason next to its field.
func (p *Pages) failForm(c echo.Context, err error, choices tickets.Choices, typed string) error {
	var fault *apperr.Error
	if !errors.As(err, &fault) {
		return err // the server logs it and only says that it failed
	}
	field := ui.Field{Value: cut(typed), Error: fault.Detail, Proposal: ui.ProposalFor(err)}
	if fault.RetryAfter > 0 {
		seconds := retryAfter(c, fault)
		field.Error = fmt.Sprintf("The server is busy. Try again in %d seconds.", seconds)
		if fault.Code == apperr.RateLimited {
			field.Error = fmt.Sprintf("Too many pages were requested. Try again in %d seconds.", seconds)
		}
	}
	return p.field(c, fault.Code.Meaning().Status, choices, field)
}

// retryAfter sets the header and returns its seconds.
func retryAfter(c echo.Context, fault *apperr.Error) int {
	seconds := max(1, int(math.Ceil(fault.RetryAfter.Seconds())))
	c.Response().Header().Set("Retry-After", strconv.Itoa(seconds))
	return seconds
}

// pathOf is the path of a ticket's page with choices.
func pathOf(id string, q url.Values) string {
	if len(q) == 0 {
		return "/try/" + id
	}
	return "/try/" + id + "?" + q.Encode()
}

// ticket serves GET /try/{ticket}. It waits briefly for the facts. If they don't come, it sends the beginning of the
// page and each step as it becomes known, then the rest, whose first element hides the progress. No script is needed,
// and a reload shows the finished page.
func (p *Pages) ticket(c echo.Context) error {
	ctx, id := c.Request().Context(), c.Param("ticket")
	caller := identity.CallerOf(ctx)
	choices, fault := tickets.ParseChoices(c.QueryParams())
	s := &stream{pages: p, c: c, nonce: newNonce()}
	t, err := p.tickets.Wait(ctx, caller, id, patience, s.begin, s.step)
	if err != nil && !s.begun {
		return p.orExpired(c, err, choices)
	}
	if err != nil || s.err != nil {
		return errors.Join(err, s.err) // the response has begun: it ends here
	}
	if t, err = p.tickets.WithLogo(ctx, t, choices); err != nil {
		return err
	}
	v, err := p.view(ctx, caller, t, choices, fault)
	if err == nil {
		err = p.addOwn(c, v, t, choices)
	}
	if err != nil {
		return err
	}
	if s.begun {
		v.Head.Nonce, v.Streamed = s.nonce, true
		return execute(c.Response(), "rest", v)
	}
	return p.render(c, v.Status, "whole", v)
}

// orExpired responds that a ticket has expired, with the choices kept, or returns other errors unchanged.
func (p *Pages) orExpired(c echo.Context, err error, choices tickets.Choices) error {
	if apperr.CodeOf(err) != apperr.NotFound {
		return err
	}
	v := &view{
		Head:   ui.Head{Title: "Read the page again: Masthead", NoIndex: true},
		Hidden: pairs(choices.PageQuery()), Chosen: len(choices.PageQuery()) > 0, Expired: true,
	}
	return p.render(c, http.StatusNotFound, "empty", v)
}

// render responds with a complete page.
func (p *Pages) render(c echo.Context, status int, name string, v *view) error {
	v.Head.Nonce, v.Head.Style, v.SignedIn = newNonce(), style(), ui.SignedIn(c)
	return ui.Buffered(func(w io.Writer) error { return execute(w, name, v) }, func(body []byte) error {
		p.headers(c, v.Head.Nonce)
		return c.Blob(status, echo.MIMETextHTMLCharsetUTF8, body)
	})
}

func execute(w io.Writer, name string, v *view) error {
	if err := parsed().ExecuteTemplate(w, name, v); err != nil {
		return fmt.Errorf("draw the playground: %w", err)
	}
	return nil
}

// headers sets the headers of a page.
func (p *Pages) headers(c echo.Context, nonce string) {
	h, own := c.Response().Header(), "'nonce-"+nonce+"'"
	h.Set("Content-Security-Policy", "default-src 'none'; script-src "+own+"; style-src "+own+"; img-src 'self'; "+
		"font-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; "+
		"frame-ancestors 'none'")
	h.Set("Referrer-Policy", "same-origin") // the ticket is in the address
	h.Set("X-Robots-Tag", "noindex")
	h.Set("Cache-Control", "no-store")
	if strings.HasPrefix(p.base, "https://") {
		h.Set("Strict-Transport-Security", "max-age=31536000")
	}
}

func newNonce() string {
	var raw [16]byte
	_, _ = rand.Read(raw[:]) // never fails: without randomness the process ends
	return base64.RawStdEncoding.EncodeToString(raw[:])
}

// stream is a page that is sent in parts.
type stream struct {
	pages *Pages
	c     echo.Context
	nonce string
	begun bool
	err   error
}

// begin sends the page up to the progress.
func (s *stream) begin() {
	s.begun = true
	s.pages.headers(s.c, s.nonce)
	w := s.c.Response()
	w.Header().Set(echo.HeaderContentType, echo.MIMETextHTMLCharsetUTF8)
	w.Header().Set("X-Accel-Buffering", "no") // a proxy would otherwise buffer all of it
	w.WriteHeader(http.StatusOK)
	s.send("first", &view{Head: ui.Head{
		Nonce: s.nonce, Style: style(), NoIndex: true, Title: "Your page in every design: Masthead",
	}, SignedIn: ui.SignedIn(s.c)})
}

// step sends a line of progress.
func (s *stream) step(step scrape.Step) {
	if says := describe(step); says != "" {
		s.send("step", &view{Step: says})
	}
}

func (s *stream) send(name string, v *view) {
	if s.err == nil {
		if s.err = execute(s.c.Response(), name, v); s.err == nil {
			s.c.Response().Flush()
		}
	}
}
