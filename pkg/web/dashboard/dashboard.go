// Package dashboard has the pages below /dashboard for people who are signed in. What a page shows comes from the
// operations of the document, run in-process with [server.Operation.Read], which counts nothing. Forms run operations
// with [server.Operation.Form], so that validation, rate limits, idempotency and the audit log are the API's. All of it
// works without scripts.
//
// Files: dashboard.go the list of pages; shell.go the frame around a page, and what happens if it can't be shown;
// common.go what several pages need; words.go times as words; then one file per page, with its template
// pages/NAME.html. pages/frame.html is the frame, pages/parts.html what several pages show, pages/dashboard.css the
// style of all pages; what only some need is in a sheet of its own, since a page has 24 KB.
//
// To add a page:
//
//  1. Write its template: {{template "begin" .}}, the content, {{template "end" .}}.
//  2. Write its file with a type that embeds *shell and has its operations (keys.go is an example), and
//     newX(*shell, *router): it looks up the operations, calls router.place for its place in the sections, and
//     router.get and router.post for its routes. Forms are sent to the page's own path; a hidden field says what to do.
//  3. Add newX to the list below, and its path to paths in dashboard_test.go, which checks what all pages have in
//     common. Have axe look at it, see looks_test.go.
//  4. Test each form with [webtest.Visitor], right and wrong, and with [webtest.Payload] in every text.
package dashboard

import (
	"embed"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/labstack/echo/v4"

	"masthead/pkg/server"
	"masthead/pkg/web/ui"
)

// Home is the path of the first page.
const Home = "/dashboard"

//go:embed pages/*.html pages/*.css
var allPages embed.FS

var pageFiles, _ = fs.Sub(allPages, "pages") // fails only for an invalid path

var sheets = []string{"tokens", "type", "controls", "code", "chrome", "forms"}

// newView reads the template of a page. more are sheets that only some pages need: names of package ui, and files of
// pages with their ending. A hyphen before a name leaves that sheet out.
func newView(name string, more ...string) func() *ui.View {
	own, of := "dashboard.css", slices.Clone(sheets)
	for _, sheet := range more {
		if left, ok := strings.CutPrefix(sheet, "-"); ok {
			of = slices.DeleteFunc(of, func(s string) bool { return s == left })
		} else if strings.HasSuffix(sheet, ".css") {
			own += " " + sheet
		} else {
			of = append(of, sheet)
		}
	}
	return sync.OnceValue(func() *ui.View { return ui.NewView(pageFiles, name, own, of, "frame.html", "parts.html") })
}

// pages adds each page.
var pages = []func(*shell, *router){
	newOverview, newImages, newImage, newAudits, newProjects, newProject, newDesigns, newDesign, newKeys, newWebhooks,
	newWebhook, newUsage, newSettings, newBilling, newNotifications, newAdmin,
}

// Config says what an installation has.
type Config struct {
	// Base is the public address, without a trailing slash.
	Base string
	// SendsMail reports whether the service sends email.
	SendsMail bool
	// Draws reports whether AI images can be made, and Writes whether AI analyses can.
	Draws, Writes bool
	// SitePictures has the small pictures of audited sites.
	SitePictures SitePictures
	// Components adds the page of components, for people who work on the pages.
	Components bool
}

// Register adds the pages of a service to e, which belongs to s.
func Register(cfg Config, e *echo.Echo, s *server.Server) {
	base, sendsMail := cfg.Base, cfg.SendsMail
	sh := &shell{
		base: base, site: ui.SiteOf(base), me: s.Operation("getMe"), contents: s.Operation("getContents"),
		fromHere: s.FromHere, sendsMail: sendsMail,
		sitePictures: cfg.SitePictures, draws: cfg.Draws, writes: cfg.Writes,
	}
	r := &router{Server: s, echo: e, shell: sh}
	for _, add := range pages {
		add(sh, r)
	}
	if cfg.Components {
		newComponents(sh, r)
	}
	sh.sort()
}
