package web

import (
	"embed"
	"fmt"
	"io/fs"
	"net/http"
	"sync"

	"github.com/labstack/echo/v4"

	"masthead/pkg/web/ui"
)

//go:embed pages/*.html pages/*.css
var allPages embed.FS

var pageFiles, _ = fs.Sub(allPages, "pages") // fails only for an invalid path

// landingSheets are the ui sheets of the front page.
var landingSheets = []string{"tokens", "type", "controls", "code"}

var (
	landingPage  = sync.OnceValue(func() *ui.View { return newPage("landing", "landing.css", landingSheets) })
	landingSteps = func(base string) []tab {
		return []tab{
			{"HTTP", "curl -s " + base + `/images/generate \
  -H "Authorization: Bearer og_live_…" \
  -H "Content-Type: application/json" \
  -d '{"url": "https://example.com/", "projectId": "…"}'`},
			{"Command line", `# A card and an audit, without a server
masthead card https://example.com/ -o card.png
masthead audit https://example.com/`},
			{"In CI", `# Exits with status 6 if there are errors and lists them
masthead audit https://staging.example.com/ --fail-on error`},
		}
	}
)

// tab is one of several ways to do the same thing.
type tab struct{ Name, Code string }

// ability is a feature of the service, with its request.
type ability struct{ Name, Request, What string }

// abilities are the features on the front page.
var abilities = []ability{
	{"The share image", "POST /images/generate",
		"Drawn from the page’s title, colors and icon at 1200×630, then cached and served."},
	{"The audit", "POST /audits",
		"70 rules, a score, and the fix for every lost point. Eight previews."},
	{"The blog hero", "POST /images/generate",
		"A wide picture for the top of a post, 1600×900, in the same design."},
	{"The icon set", "POST /images/generate",
		"From one icon: every size that browsers and home screens need, and the manifest, in one archive."},
}

// landingDone are sentences for what was just done elsewhere, by the query that leads here.
var landingDone = map[string]string{
	"deleted": "Your account is deleted. If that was a mistake, sign in within 14 days to restore it.",
}

// landing shows what the service does, and the address field.
func (p *Pages) landing(c echo.Context) error { return p.front(c, http.StatusOK, ui.Field{}) }

// front responds with the front page and the given state of its field.
func (p *Pages) front(c echo.Context, status int, field ui.Field) error {
	own, err := p.own.get(c.Request().Context())
	if err != nil {
		return err
	}
	card, err := p.ownCard(c.Request().Context())
	if err != nil {
		return err
	}
	card.URL = p.base + card.URL
	recent := p.recent(c)
	if len(recent) > 0 {
		c.Response().Header().Set("Cache-Control", "no-store")
	}
	return p.site.Render(c, status, landingPage(), map[string]any{
		"Head": ui.Head{
			Title: ownName + ": a face for every page", Description: ownDescription, Canonical: p.base + "/",
			Card: &card,
		},
		"Name": ownName, "Motto": ownTitle, "Field": field,
		"Help": fmt.Sprintf("No account needed. Each report gets its own link and is deleted after %d days.",
			p.audits.KeptDays()),
		"Lead": own.samples[0], "Cards": own.samples[1:], "Does": abilities, "Tabs": landingSteps(p.base),
		"Example": "/audit/example", "Recent": recent, "Done": landingDone[c.QueryParam("done")],
	})
}
