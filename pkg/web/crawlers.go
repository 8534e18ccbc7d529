package web

import (
	"bytes"
	"errors"
	"math"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/audit"
	"masthead/pkg/server"
	"masthead/pkg/web/report"
)

// crawlersPart is the part of a report about crawlers, and the form that has its page read by their names.
const crawlersPart = "crawlers"

// accesses are the kinds of access by their names on the wire.
var accesses = map[gen.CrawlerAccess]audit.Access{
	gen.CrawlerAccessRECEIVED: audit.Received, gen.CrawlerAccessDIFFERS: audit.Differs,
	gen.CrawlerAccessMAYDIFFER: audit.MayDiffer, gen.CrawlerAccessBLOCKED: audit.Refused,
}

// crawlersOf returns how crawlers receive the page of a report. owner means that the viewer is its owner.
func (p *Pages) crawlersOf(c echo.Context, id string, owner bool) (*report.Crawlers, error) {
	out, err := p.getCrawlers.Read(c, server.Input{Path: map[string]string{"auditId": id}})
	if err != nil {
		return nil, err
	}
	var found gen.AuditCrawlers
	if err := out.Decode(&found); err != nil {
		return nil, err
	}
	v := &report.Crawlers{
		Running: found.State == gen.CrawlersStateWAITING || found.State == gen.CrawlersStateRUNNING,
		Owner:   owner, Path: "/audit/" + id + "/" + crawlersPart,
	}
	if found.Error != nil {
		v.Fault = *found.Error
	}
	if len(found.Crawlers) > 0 {
		v.Lens = &audit.Lens{Derived: found.Derived, Views: make([]audit.LensView, len(found.Crawlers))}
	}
	for i, view := range found.Crawlers {
		v.Lens.Views[i] = audit.LensView{
			ID: view.Id, Name: view.Name, Agent: view.Agent, Access: accesses[view.Access], Why: view.Why, Fix: view.Fix,
		}
	}
	return v, nil
}

// auditCrawlers serves only the part about crawlers, to a page that shows how far the reading is.
func (p *Pages) auditCrawlers(c echo.Context) error {
	s, err := p.source(c)
	if err != nil {
		return err
	}
	var body bytes.Buffer
	if err := report.WriteCrawlers(&body, s); err != nil {
		return err
	}
	h := c.Response().Header()
	h.Set("X-Robots-Tag", "noindex")
	h.Set("Cache-Control", "no-store")
	return c.Blob(http.StatusOK, echo.MIMETextHTMLCharsetUTF8, body.Bytes())
}

// readAsCrawlers handles the form that has the page of a report read by the names of crawlers.
func (p *Pages) readAsCrawlers(c echo.Context) error {
	id := c.Param("id")
	_, err := p.startCrawlers.Form(c, server.Input{Path: map[string]string{"auditId": id}})
	if err == nil {
		return c.Redirect(http.StatusSeeOther, "/audit/"+id+"#"+report.CrawlersID)
	}
	var fault *apperr.Error
	if !errors.As(err, &fault) || fault.Code != apperr.RateLimited && fault.Code != apperr.Conflict {
		return p.orMissing(c, err)
	}
	s, err := p.source(c)
	if err != nil {
		return p.orMissing(c, err)
	}
	s.Crawlers.Fault = fault.Detail
	if fault.RetryAfter > 0 {
		c.Response().Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(fault.RetryAfter.Seconds()))))
	}
	return p.report(c, fault.Code.Meaning().Status, s)
}
