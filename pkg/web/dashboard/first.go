package dashboard

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/server"
	"masthead/pkg/web/frame"
)

// This file waits for the first request for an image: the page of the overview has what is checked, and loads that part
// of itself from firstPath, which reads the first page of the site, until the first image is there.

const firstPath = frame.Home + "/first"

// check is what is checked while the first request is waited for. Severity is pass, error or info.
type check struct{ Severity, Text string }

// crawler is what the page shows of it.
type crawler struct {
	Path, Image string
	Checks      []check
	// At is when the page was read, or "".
	At   string
	Over bool
}

// siteIn returns the first project that has a domain.
func siteIn(f overviewData) (gen.Project, bool) {
	i := slices.IndexFunc(f.projects, func(of gen.Project) bool { return len(of.Domains) > 0 })
	if i < 0 {
		return gen.Project{}, false
	}
	return f.projects[i], true
}

// crawlerOf returns what is checked, without having looked.
func (p *overview) crawlerOf(f overviewData, of gen.Project) *crawler {
	to := &crawler{Path: firstPath, Image: p.imageOf(of), Over: len(f.images) > 0}
	to.Checks = []check{
		{"info", of.Domains[0] + " responds"}, {"info", "The first page of " + of.Domains[0] + " has the line in its head"},
		{"info", "No image has been requested yet"},
	}
	if to.Over {
		to.Checks = []check{{"pass", "The first image was requested"}}
	}
	return to
}

// look reads the first page of the site.
func (p *overview) look(c echo.Context, of gen.Project, to *crawler) {
	var read gen.Preview
	out, err := p.preview.Run(c.Request().Context(), server.Input{
		Body: map[string]any{"url": "https://" + of.Domains[0] + "/"},
	})
	if err == nil {
		err = out.Decode(&read)
	}
	image := ""
	if read.Metadata.Image != nil {
		image = *read.Metadata.Image
	}
	if to.found(of.Domains[0], strings.HasPrefix(image, p.Base+"/og/"+of.PublicId), err) {
		to.At = time.Now().UTC().Format("15:04")
	}
}

// found notes what was found on the first page of a host, or why it couldn't be read. It reports whether it was looked
// at.
func (to *crawler) found(host string, hasLine bool, err error) bool {
	var fault *apperr.Error
	switch errors.As(err, &fault); {
	case err == nil && hasLine:
		to.Checks[0].Severity, to.Checks[1].Severity = "pass", "pass"
	case err == nil:
		to.Checks[0].Severity = "pass"
		to.Checks[1].Text = "The first page of " + host + " doesn’t have the line in its head yet. Another page may have it."
	case fault != nil && (fault.Code == apperr.UpstreamFailed || fault.Code == apperr.BadRequest):
		to.Checks[0] = check{"error", strings.TrimSpace(host + " can’t be loaded. " + fault.Detail)}
		to.Checks[1].Text = "The first page is read once " + host + " responds"
	default: // too often, or the server is busy
		return false
	}
	return true
}

// first serves GET /dashboard/first.
func (p *overview) first(c echo.Context) error {
	f, err := p.read(c)
	if err != nil {
		return err
	}
	of, ok := siteIn(f)
	if !ok {
		return c.Redirect(http.StatusSeeOther, frame.Home)
	}
	n := news{Title: "Nothing in print yet", Deck: firstDeck}
	to := p.crawlerOf(f, of)
	if to.Over {
		n = news{Title: "The first image is there", Deck: "The overview shows it from now on."}
	}
	if !to.Over {
		p.look(c, of, to)
	}
	return p.Render(c, http.StatusOK, firstPage(), p.head(n), map[string]any{
		"Today": time.Now().UTC().Format("Monday 2 January"), "News": n, "Steps": p.firstSteps(f), "Crawler": to,
	})
}
