// Package dashboard has the pages below /dashboard for people who are signed in. What a page shows comes from the
// operations of the document, run in-process with [server.Operation.Read], which counts nothing. Forms run operations
// with [server.Operation.Form], so that validation, rate limits, idempotency and the audit log are the API's. All of it
// works without scripts.
//
// Files: dashboard.go the list of pages; then one file per page, with its template pages/NAME.html. The frame around
// them, and what several pages need, is package frame; designs and their editor are package designs, administration is
// package admin.
//
// To add a page:
//
//  1. Write its template: {{template "begin" .}}, the content, {{template "end" .}}.
//  2. Write its file with a type that embeds *frame.Shell and has its operations (keys.go is an example), and
//     newX(*frame.Shell, *frame.Router): it looks up the operations, calls Router.Place for its place in the sections,
//     and Router.Get and Router.Post for its routes. Forms are sent to the page's own path; a hidden field says what to
//     do.
//  3. Add newX to the list below, and its path to paths in dashboard_test.go, which checks what all pages have in
//     common. Have axe look at it, see looks_test.go.
//  4. Test each form with [webtest.Visitor], right and wrong, and with [webtest.Payload] in every text.
package dashboard

import (
	"embed"

	"github.com/labstack/echo/v4"

	"masthead/pkg/server"
	"masthead/pkg/web/admin"
	"masthead/pkg/web/designs"
	"masthead/pkg/web/frame"
)

//go:embed pages/*.html pages/*.css
var files embed.FS

// newView reads the template of a page, see [frame.Views].
var newView = frame.Views(files)

// pages adds each page, in the order of the sections.
func pages(cfg Config) []func(*frame.Shell, *frame.Router) {
	audits := func(sh *frame.Shell, r *frame.Router) { newAudits(sh, r, cfg.SitePictures) }
	overview := func(sh *frame.Shell, r *frame.Router) { newOverview(sh, r, cfg.Reports) }
	return []func(*frame.Shell, *frame.Router){
		overview, newImages, newImage, audits, newProjects, newProject, designs.Add, newKeys,
		newWebhooks, newWebhook, newUsage, newSettings, newBilling, newNotifications, admin.Add,
	}
}

// Config says what an installation has.
type Config struct {
	frame.Config

	// SitePictures has the small pictures of audited sites, Reports the reports of pages.
	SitePictures SitePictures
	Reports      Reports
	// Components adds the page of components, for people who work on the pages.
	Components bool
}

// Register adds the pages of a service to e, which belongs to s.
func Register(cfg Config, e *echo.Echo, s *server.Server) {
	sh, r := frame.New(cfg.Config, e, s)
	for _, add := range pages(cfg) {
		add(sh, r)
	}
	if cfg.Components {
		newComponents(sh, r)
	}
	sh.Sort()
}
