// Package entry has the pages for people who aren't signed in: signing in and out, registering, a forgotten password,
// and the targets of links in emails. Each form runs an operation of the document with [server.Operation], so that
// validation, rate limits and the audit log are the API's. All of it works without scripts.
//
// Files: entry.go the routes and what the pages have in common; signin.go signing in and out; provider.go signing in
// with a provider; register.go registering; links.go links in emails, and requesting them; next.go where people go
// afterwards.
package entry

import (
	"context"
	"embed"
	"io/fs"
	"net/http"
	"net/netip"
	"net/url"
	"sync"

	"github.com/labstack/echo/v4"

	"masthead/pkg/server"
	"masthead/pkg/web/ui"
	"masthead/pkg/weburl"
)

//go:embed pages/*.html pages/*.css
var allPages embed.FS

var pageFiles, _ = fs.Sub(allPages, "pages") // fails only for an invalid path

// sheets are the ui sheets of these pages.
var sheets = []string{"tokens", "type", "controls", "chrome", "forms"}

func newView(name string) func() *ui.View {
	return sync.OnceValue(func() *ui.View { return ui.NewView(pageFiles, name, "entry.css", sheets, "frame.html") })
}

// Deps are what the pages need to know of the program.
type Deps struct {
	// Base is the public address of the service, without a trailing slash.
	Base string
	// SendsMail reports whether the service sends email.
	SendsMail bool
	// Provider is the host of the provider that people can sign in with; "" for none.
	Provider string
	// Registration reports who can register now.
	Registration func(context.Context) (Registration, error)
	// Card returns the picture next to the forms.
	Card func(context.Context) (ui.Card, error)
	// Keep saves what a visitor had chosen on the page with an address of this site, for the account that they have just
	// registered, and returns where they go now. nil saves nothing.
	Keep func(c echo.Context, address string) (to string)
}

// Registration is who can register.
type Registration struct {
	// Closed means that only an admin makes accounts.
	Closed bool
	// First means that there is no admin yet. NeedsToken means that becoming the first one takes the set-up token.
	First, NeedsToken bool
}

// Pages are the pages of one service.
type Pages struct {
	deps Deps
	site ui.Responder
	// passkeys reports whether the service has a domain name, which passkeys need.
	passkeys bool

	session echo.MiddlewareFunc

	login, link, confirm, passkeyOptions, passkey, logout, finish *server.Operation
	register, forgot, reset, change, unsubscribe                  *server.Operation
}

// New returns the pages.
func New(deps Deps) *Pages {
	return &Pages{deps: deps, site: ui.ResponderOf(deps.Base), passkeys: hasName(deps.Base)}
}

// hasName reports whether the host of an address is a name, or this machine, which browsers call localhost.
func hasName(base string) bool {
	u, err := url.Parse(base)
	if err != nil {
		return false
	}
	_, err = netip.ParseAddr(u.Hostname())
	return err != nil || weburl.IsLoopback(u.Host)
}

// Register adds the pages to e, which belongs to s.
func (p *Pages) Register(e *echo.Echo, s *server.Server) {
	p.session = s.Session
	p.login, p.link, p.confirm = s.Operation("login"), s.Operation("requestLink"), s.Operation("confirmLink")
	p.passkeyOptions, p.passkey = s.Operation("getPasskeyOptions"), s.Operation("loginWithPasskey")
	p.finish = s.Operation("completeProviderSignIn")
	p.logout, p.register = s.Operation("logout"), s.Operation("register")
	p.forgot, p.reset = s.Operation("forgotPassword"), s.Operation("resetPassword")
	p.change, p.unsubscribe = s.Operation("confirmEmailChange"), s.Operation("unsubscribe")

	// Not a group of echo, which would add routes of its own: every wrong method would become an unknown path.
	get := func(path string, h echo.HandlerFunc) { e.GET(path, h, s.Session, private) }
	post := func(path string, h echo.HandlerFunc) { e.POST(path, h, s.Session, private) }
	get(signInPath, p.showSignIn)
	post(signInPath, p.signIn)
	post(signInPath+"/email", p.requestLink)
	get(signInPath+"/email", p.checkEmail)
	post(signInPath+"/passkey", p.signInWithPasskey)
	post(signInPath+"/passkey/options", p.askForPasskey)
	get(completePath, p.showComplete)
	post(completePath, p.complete)
	post("/sign-out", p.signOut)
	get(registerPath, p.showRegister)
	post(registerPath, p.newAccount)
	get(forgottenPath, p.showForgotten)
	post(forgottenPath, p.forgotten)
	get(forgottenPath+"/email", p.checkEmail)
	for path, of := range p.links() {
		get(path, p.showLink(of))
		post(path, p.useLink(of))
	}
	for from, to := range movedLinks {
		e.GET(from, func(c echo.Context) error { return c.Redirect(http.StatusMovedPermanently, to) })
	}
}

// private keeps the pages out of caches.
func private(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		c.Response().Header().Set("Cache-Control", "no-store")
		return next(c)
	}
}

// render responds with one of the pages, which has the status of its form.
func (p *Pages) render(c echo.Context, view *ui.View, title string, form *ui.Form, values map[string]any) error {
	card, err := p.deps.Card(c.Request().Context())
	if err != nil {
		return err
	}
	status := http.StatusOK
	if form != nil {
		status, values["Form"] = form.Status, form
	}
	values["Head"] = ui.Head{Title: title + " · Masthead", NoIndex: true}
	values["Title"], values["Card"] = title, card
	return p.site.Render(c, status, view, values)
}
