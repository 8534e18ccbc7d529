// Package admin has the pages of the administration, below /dashboard/admin: the status of the installation, people,
// jobs, the outbox, failed sign-ins and the audit log. Package dashboard adds them. The operations refuse everybody
// else; their error is the page.
package admin

import (
	"embed"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/humanize"
	"masthead/pkg/server"
	"masthead/pkg/web/frame"
	"masthead/pkg/web/ui"
)

const (
	adminPath  = frame.Home + "/admin"
	peoplePath = adminPath + "/people"
	jobsPath   = adminPath + "/jobs"
	outboxPath = adminPath + "/outbox"
	failedPath = adminPath + "/sign-ins"
	logPath    = adminPath + "/log"
)

//go:embed pages/*.html pages/*.css
var files embed.FS

// newView reads the template of a page, see [frame.Views].
var newView = frame.Views(files)

const administration = "Administration"

// Add adds the pages of the section.
func Add(sh *frame.Shell, r *frame.Router) {
	newStatus(sh, r)
	newPeople(sh, r)
	newJobs(sh, r)
	newOutbox(sh, r)
	newFailedSignIns(sh, r)
	newLog(sh, r)
}

var statusPage = newView("admin", "meters.css", "admin.css")

// status is the page of the installation's figures, and of maintenance.
type status struct {
	*frame.Shell
	stats, maintenance, maintain *server.Operation
}

func newStatus(sh *frame.Shell, r *frame.Router) {
	p := &status{
		Shell: sh, stats: r.Operation("getStats"), maintenance: r.Operation("getMaintenance"),
		maintain: r.Operation("putMaintenance"),
	}
	r.Place(administration, "Status", adminPath)
	r.Get(adminPath, p.show)
	r.Post(adminPath, p.change)
}

// reasonForm is the form that begins maintenance.
func reasonForm() *ui.Form {
	return ui.NewForm(ui.Input{
		Name: "reason", Label: "Reason", Autocomplete: "off", MaxLength: 200, Optional: true,
		Hint: "Shown to those who wait.",
	})
}

// show serves GET /dashboard/admin.
func (p *status) show(c echo.Context) error { return p.page(c, reasonForm()) }

// change handles the form of the page.
func (p *status) change(c echo.Context) error {
	form := reasonForm()
	if err := form.Read(c); err != nil {
		return err
	}
	do := form.Typed("do")
	if do != "begin" && do != "end" {
		return apperr.New(apperr.BadRequest, "The form isn’t one of this page.")
	}
	body := map[string]any{"enabled": do == "begin"}
	if do == "begin" {
		body["reason"] = form.Optional("reason")
	}
	if _, err := p.maintain.Form(c, server.Input{Body: body}); err != nil {
		if apperr.CodeOf(err) == apperr.Forbidden {
			return err
		}
		form.Refuse(c, err)
		return p.page(c, form)
	}
	return frame.Done(c, adminPath, do)
}

// figure is a number with its name and a note.
type figure struct{ Name, Value, Note string }

// figuresOf are the four figures.
func figuresOf(s gen.Stats) []figure {
	var drawn, fallbacks int
	today := time.Now().UTC().Format(time.DateOnly)
	for _, d := range s.Days {
		if d.Date.Format(time.DateOnly) == today {
			drawn = d.Drawn
		}
	}
	for _, f := range s.Fallbacks {
		fallbacks += f.Count
	}
	cached := "Nothing served yet"
	if s.CacheHitRate != nil {
		cached = strings.TrimSuffix(strconv.FormatFloat(*s.CacheHitRate*100, 'f', 1, 64), ".0") + "% from the cache"
	}
	spent := figure{"Spent on AI", amount(s.Ai.SpentCents), "this month"}
	if s.Ai.CeilingCents > 0 {
		spent.Note = "of " + amount(s.Ai.CeilingCents) + " this month"
	}
	took := figure{"Half are drawn within", "–", "nothing drawn since this node started"}
	if d := s.Drawing; d != nil {
		took.Value, took.Note = milliseconds(d.MedianMs), "99 of 100 within "+milliseconds(d.P99Ms)+
			", since this node started"
	}
	return []figure{
		{"Drawn today", ui.Number(drawn), cached}, took,
		{"Fallbacks", ui.Number(fallbacks), "AI images that weren’t made"}, spent,
	}
}

// milliseconds is a duration to two digits, such as "8.4 ms" and "41 ms".
func milliseconds(ms float64) string {
	digits := 0
	if ms < 10 {
		digits = 1
	}
	return strconv.FormatFloat(ms, 'f', digits, 64) + " ms"
}

// accountsOf says how many accounts there are.
func accountsOf(s gen.Stats) string {
	text := humanize.Count(s.Accounts.Total, "account") + ", " + ui.Number(s.Accounts.New) + " new in 30 days"
	if s.Accounts.Disabled > 0 {
		text += ", " + ui.Number(s.Accounts.Disabled) + " disabled"
	}
	return text + ". "
}

// amount is a sum of money in the currency of the settings, which has no name there.
func amount(cents int) string { return strconv.FormatFloat(float64(cents)/100, 'f', 2, 64) }

// storedOf says how much is stored.
func storedOf(s gen.Stats) string {
	if s.CountedAt == nil {
		return "The pictures are being counted for the first time. Open this page again in some minutes."
	}
	return humanize.Bytes(int64(s.StoredBytes)) + " of pictures are stored, counted at " +
		frame.ClockWords(time.Time(*s.CountedAt)) + " UTC."
}

// work is how many jobs there are of a kind.
type work struct {
	Name                             string
	Waiting, Later, Running, GivenUp int
}

func worksOf(s gen.Stats) []work {
	works := make([]work, len(s.Jobs))
	for i, of := range s.Jobs {
		works[i] = work{kindName(of.Kind), of.Waiting, of.Later, of.Running, of.GivenUp}
	}
	return works
}

// page responds with the page.
func (p *status) page(c echo.Context, form *ui.Form) error {
	var s gen.Stats
	if err := frame.Read(c, p.stats, server.Input{}, &s); err != nil {
		return err
	}
	var m gen.Maintenance
	if err := frame.Read(c, p.maintenance, server.Input{}, &m); err != nil {
		return err
	}
	since := ""
	if m.Since != nil {
		since = frame.ClockWords(time.Time(*m.Since)) + " UTC"
	}
	type owner struct{ Email, Size string }
	owners := make([]owner, len(s.Owners))
	for i, of := range s.Owners {
		owners[i] = owner{of.Email, humanize.Bytes(int64(of.Bytes))}
	}
	return p.Render(c, frame.StatusOf(form), statusPage(), frame.Head{
		Title: administration, Section: administration, Sub: "Status",
		Deck: accountsOf(s) + storedOf(s),
		Done: frame.Said(c, map[string]string{"begin": "Maintenance has begun.", "end": "Maintenance is over."}),
	}, map[string]any{
		"Figures": figuresOf(s), "Jobs": worksOf(s), "Owners": owners, "Maintenance": m, "Since": since, "Form": form,
		"Path": adminPath, "JobsPath": jobsPath,
	})
}
