package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/audit"
	"masthead/pkg/fetch"
	"masthead/pkg/server"
	"masthead/pkg/web/report"
	"masthead/pkg/web/ui"
)

// formPath is the target of the pages' forms. It does the same as POST /audits.
const formPath = "/audit/new"

// maxForm is the maximum size of a form: an address has at most 2048 characters, each of which may take nine bytes.
const maxForm = 32 << 10

// eventLines is the type of a response that reports the progress of a report line by line.
const eventLines = "application/x-ndjson"

var failedPage = sync.OnceValue(func() *ui.View { return newPage("failed", "", barSheets) })

// newAudit handles the forms: it creates a report with POST /audits in-process, and redirects to it. session finds the
// caller. A form sent by our script gets progress line by line while the report is created.
func (p *Pages) newAudit(session echo.MiddlewareFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		sent := &submission{pages: p, c: c, lines: strings.Contains(c.Request().Header.Get("Accept"), eventLines)}
		if err := session(func(echo.Context) error { return sent.make() })(c); err != nil {
			return sent.fail(err)
		}
		return nil
	}
}

// submission is one submitted form.
type submission struct {
	pages   *Pages
	c       echo.Context
	address string // as typed
	lines   bool   // whether the response is written line by line
	begun   bool
}

// make creates the requested report.
func (a *submission) make() error {
	r := a.c.Request()
	r.Body = http.MaxBytesReader(a.c.Response(), r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		return apperr.Wrap(apperr.BadRequest, "We couldn’t read the form. Send it again.", err)
	}
	typed := r.PostForm["url"]
	if len(typed) > 0 {
		a.address = strings.TrimSpace(typed[len(typed)-1]) // an accepted suggestion comes after the field
	}
	address, mistyped := ui.AddressOf(a.address)
	if mistyped != nil {
		address = a.address // the operation counts and rejects it
	}
	a.c.SetRequest(r.WithContext(audit.WithProgress(r.Context(), a.progress())))
	withAI := r.PostForm.Get("includeAi") == "true"
	made, err := a.create(address, withAI)
	switch bare, found := strings.CutPrefix(address, "https://"); {
	case mistyped != nil && apperr.CodeOf(err) == apperr.BadRequest:
		return mistyped
	case found && !ui.HasScheme(a.address) && fetch.Unreached(err):
		overHTTPS := err
		if made, err = a.create("http://"+bare, withAI); fetch.Unreached(err) {
			err = bothFailed(overHTTPS, err)
		}
	}
	if err != nil {
		return err
	}
	path := "/audit/" + made.Id
	if a.lines && !a.begun { // another request created it and got its steps
		says := report.Checked(max(time.Since(time.Time(made.FetchedAt)), 0))
		if err := a.line(map[string]any{"step": audit.StepRules, "after": 0, "says": says}); err != nil {
			return err
		}
	}
	if a.lines {
		return a.line(map[string]any{"report": path})
	}
	return a.c.Redirect(http.StatusSeeOther, path)
}

// create runs the operation for an address.
func (a *submission) create(address string, withAI bool) (*gen.AuditReport, error) {
	answer, err := a.pages.createAudit.Form(a.c, server.Input{Body: gen.AuditRequest{
		Url: address, IncludeAi: &withAI,
	}})
	if err != nil {
		return nil, err
	}
	var made gen.AuditReport
	return &made, answer.Decode(&made)
}

// bothFailed returns the error for an address without a scheme that fails over both https and http.
func bothFailed(overHTTPS, overHTTP error) error {
	var first, second *apperr.Error
	if !errors.As(overHTTPS, &first) || !errors.As(overHTTP, &second) {
		return overHTTP
	}
	fault := apperr.Wrap(second.Code, "Over https: "+first.Detail+" Over http: "+second.Detail,
		errors.Join(overHTTPS, overHTTP))
	fault.RetryAfter = second.RetryAfter
	return fault
}

// progress returns the callback that reports progress to the script, or nil if nobody listens.
func (a *submission) progress() func(audit.Progress) {
	if !a.lines {
		return nil
	}
	return func(step audit.Progress) {
		err := a.line(map[string]any{"step": step.Step, "after": step.After.Milliseconds(), "says": step.Says})
		if err != nil {
			slog.DebugContext(a.c.Request().Context(), "nobody reads the progress of a report", "err", err)
		}
	}
}

// line writes and flushes a line of the response.
func (a *submission) line(value map[string]any) error {
	w := a.c.Response()
	if !a.begun {
		a.begun = true
		w.Header().Set(echo.HeaderContentType, eventLines)
		w.Header().Set("X-Accel-Buffering", "no") // a proxy would otherwise buffer all of it
		w.WriteHeader(http.StatusOK)
	}
	if err := json.NewEncoder(w).Encode(value); err != nil {
		return fmt.Errorf("write the progress of a report: %w", err)
	}
	w.Flush()
	return nil
}

// fail answers a form that failed. Problems with the address, and temporary ones, are shown next to the field; a page
// that can't be read gets a page of its own.
func (a *submission) fail(err error) error {
	var fault *apperr.Error
	if !errors.As(err, &fault) {
		return err // the server logs it and only says that it failed
	}
	status := fault.Code.Meaning().Status
	if fault.Code == apperr.UpstreamFailed {
		return a.failed(status, err, fault)
	}
	field := ui.Field{Value: a.address, Error: fault.Detail, Proposal: ui.ProposalFor(err)}
	if fault.RetryAfter > 0 {
		seconds := max(1, int(math.Ceil(fault.RetryAfter.Seconds())))
		a.c.Response().Header().Set("Retry-After", strconv.Itoa(seconds))
		switch {
		case errors.Is(err, fetch.ErrTooOften): // its detail says so, with the time
		case fault.Code == apperr.RateLimited:
			field.Error = fmt.Sprintf("Too many reports were requested. Try again in %d seconds.", seconds)
		default:
			field.Error = fmt.Sprintf("The server is busy. Try again in %d seconds.", seconds)
		}
	}
	if a.lines {
		return a.line(map[string]any{"error": field.Error, "proposal": field.Proposal})
	}
	return a.pages.front(a.c, status, field)
}

// failed responds that a page couldn't be read: without a score instead of a zero.
func (a *submission) failed(status int, err error, fault *apperr.Error) error {
	address, _ := ui.AddressOf(a.address)
	values := map[string]any{
		"Head":  ui.Head{Title: fetch.Headline(err) + ": " + hostOf(address), NoIndex: true},
		"Field": ui.Field{}, "URL": address,
		"Address":  strings.TrimPrefix(strings.TrimPrefix(address, "https://"), "http://"),
		"Headline": fetch.Headline(err), "Reason": fault.Detail,
	}
	if !a.lines {
		return a.pages.site.Render(a.c, status, failedPage(), values)
	}
	var body bytes.Buffer
	if err := failedPage().Part(&body, "failed-main", values); err != nil {
		return err
	}
	head := values["Head"].(ui.Head) //nolint:forcetypeassert // it stands above
	return a.line(map[string]any{"main": body.String(), "title": head.Title})
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return u.Host
}
