package dashboard

import (
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/server"
	"masthead/pkg/web/frame"
	"masthead/pkg/web/ui"
)

const usagePath = frame.Home + "/usage"

var usagePage = newView("usage", "meters.css", "usage.css")

// usage is the page of what the account has used in a month.
type usage struct {
	*frame.Shell
	read *server.Operation
}

func newUsage(sh *frame.Shell, r *frame.Router) {
	p := &usage{Shell: sh, read: r.Operation("getUsage")}
	r.Place("Usage", "Usage", usagePath)
	r.Get(usagePath, p.show)
	r.Get(usagePath+".csv", p.csv)
}

// monthLayout is that of the parameter "month".
const monthLayout = "2006-01"

// query has the month that was asked for.
func (*usage) query(c echo.Context) url.Values {
	if month := c.QueryParam("month"); month != "" {
		return url.Values{"month": {month}}
	}
	return nil
}

// csv serves GET /dashboard/usage.csv: the table of the operation as a file.
func (p *usage) csv(c echo.Context) error {
	out, err := p.read.Read(c, server.Input{Query: p.query(c), Header: http.Header{"Accept": {"text/csv"}}})
	if err != nil {
		return err
	}
	name := "usage.csv"
	if month := c.QueryParam("month"); month != "" { // the operation has checked it
		name = "usage-" + month + ".csv"
	}
	c.Response().Header().Set(echo.HeaderContentDisposition, `attachment; filename="`+name+`"`)
	return c.Blob(http.StatusOK, "text/csv; charset=utf-8", out.Body)
}

// meter is a figure with its limit. Limit is 0 for what isn't limited, or for what the plan doesn't have: Locked.
type meter struct {
	Name, Note  string
	Used, Limit int
	Locked      bool
}

// Fill is the filled part of the meter in percent.
func (m meter) Fill() int {
	if m.Limit == 0 {
		return 0
	}
	return min(100, 100*m.Used/m.Limit)
}

// Nearly reports whether less than a tenth is left.
func (m meter) Nearly() bool { return m.Limit > 0 && m.Fill() >= 90 }

// usageRow is a row of one of the tables.
type usageRow struct {
	Name                         string
	Drawn, AI, Generated, Public int
}

// bar is a day of the chart: its parts from the base up, in pixels.
type bar struct {
	X, DrawnY, Drawn, CachedY, Cached int
	Day                               string
}

// The size of the chart, which is as wide as the page, and the width of a bar, in pixels.
const (
	chartWidth  = 1120
	chartHeight = 200
	barWidth    = 24
)

// chartOf draws the days of a month: images drawn at the base, cached ones above.
func chartOf(month time.Time, days []gen.UsageDay) (bars []bar, most int) {
	byDay := map[int]gen.UsageDay{}
	for _, d := range days {
		byDay[d.Date.Day()] = d
		most = max(most, d.Drawn+d.GenerateHits+d.PublicHits)
	}
	if most == 0 {
		return nil, 0
	}
	last := month.AddDate(0, 1, -1).Day()
	for day := month; day.Month() == month.Month(); day = day.AddDate(0, 0, 1) {
		d := byDay[day.Day()]
		b := bar{X: (day.Day() - 1) * (chartWidth - barWidth) / (last - 1), Day: strconv.Itoa(day.Day())}
		b.Drawn = scaled(d.Drawn, most)
		b.Cached = scaled(d.Drawn+d.GenerateHits+d.PublicHits, most) - b.Drawn
		b.DrawnY, b.CachedY = chartHeight-b.Drawn, chartHeight-b.Drawn-b.Cached
		bars = append(bars, b)
	}
	return bars, most
}

// scaled is the height of a number in the chart: at least a pixel for anything.
func scaled(n, most int) int {
	if n == 0 {
		return 0
	}
	return max(1, n*chartHeight/most)
}

// metersOf are the figures of a month with their limits. What the service can't make has none, unless it was made
// earlier in the month.
func metersOf(u gen.Usage, sh *frame.Shell) []meter {
	var meters []meter
	if sh.Draws || u.Ai.Used > 0 {
		meters = append(meters, meter{Name: "AI images", Used: u.Ai.Used, Limit: u.Ai.Limit},
			meter{Name: "Pro-model images", Used: u.AiPro.Used, Limit: u.AiPro.Limit})
	}
	if sh.Writes || u.Analyses.Used > 0 {
		meters = append(meters, meter{Name: "Analyses", Used: u.Analyses.Used, Limit: u.Analyses.Limit})
	}
	meters = append(meters, meter{Name: "Images drawn", Used: u.Total.Drawn, Note: "Not limited"})
	for i := range meters {
		if m := &meters[i]; m.Limit > 0 {
			m.Note = ui.Number(m.Limit) + " a month"
		} else if m.Note == "" {
			m.Note, m.Locked = "Not in your plan", true
		}
	}
	return meters
}

// minForecast is how much of a month must be over before its end is predicted from it.
const minForecast = 3 * 24 * time.Hour

// forecast says when what a month allows runs out at the rate of its days until now, or "" if it lasts.
func forecast(m meter, month, now time.Time) string {
	passed, end := now.Sub(month), month.AddDate(0, 1, 0)
	if m.Limit == 0 || m.Used == 0 || m.Used >= m.Limit || passed < minForecast || !now.Before(end) {
		return ""
	}
	out := month.Add(time.Duration(float64(passed) / float64(m.Used) * float64(m.Limit)))
	if !out.Before(end) {
		return ""
	}
	return "At this rate, they’ll run out on " + out.Format("2 January")
}

// show serves GET /dashboard/usage.
func (p *usage) show(c echo.Context) error {
	var u gen.Usage
	if err := frame.Read(c, p.read, server.Input{Query: p.query(c)}, &u); err != nil {
		return err
	}
	month, err := time.Parse(monthLayout, u.Month)
	if err != nil {
		return err
	}
	now := time.Now().UTC()
	meters := metersOf(u, p.Shell)
	for i := range meters {
		if says := forecast(meters[i], month, now); says != "" {
			meters[i].Note += ". " + says
		}
	}
	bars, most := chartOf(month, u.Days)
	var months []ui.Link
	for _, other := range []time.Time{month.AddDate(0, -1, 0), month.AddDate(0, 1, 0)} {
		if !other.After(now) && other.Year() >= 2000 {
			months = append(months, ui.Link{
				URL: usagePath + "?month=" + other.Format(monthLayout), Text: other.Format("January 2006"),
			})
		}
	}
	return p.Render(c, http.StatusOK, usagePage(), frame.Head{
		Title: "Usage in " + month.Format("January"), Name: "Usage", Section: "Usage",
		Deck: "Days and months are in UTC. Serving cached images from /cdn isn’t counted.",
	}, map[string]any{
		"Meters": meters, "Bars": bars, "Most": most, "Total": u.Total, "Months": months,
		"Tables": tablesOf(u),
		"CSV":    usagePath + ".csv?month=" + u.Month, "Width": chartWidth,
		"Month": month.Format("January 2006"),
	})
}

// usageTable is one of the tables. First is the head of its first column.
type usageTable struct {
	Title, First string
	Rows         []usageRow
}

// tablesOf are the tables of a month.
func tablesOf(u gen.Usage) []usageTable {
	var days, projects, keys []usageRow
	for _, d := range u.Days {
		days = append(days, usageRow{d.Date.Format("2 January"), d.Drawn, d.Ai, d.GenerateHits, d.PublicHits})
	}
	for _, of := range u.Projects {
		row := usageRow{"Deleted project", of.Drawn, of.Ai, of.GenerateHits, of.PublicHits}
		if of.Name != nil {
			row.Name = *of.Name
		} else if of.ProjectId == nil {
			row.Name = "Before it was counted by project"
		}
		projects = append(projects, row)
	}
	for _, of := range u.Keys {
		row := usageRow{"Deleted key", of.Drawn, of.Ai, of.GenerateHits, of.PublicHits}
		if of.Name != nil {
			row.Name = *of.Name
		} else if of.KeyId == nil {
			row.Name = "Without a key"
		}
		keys = append(keys, row)
	}
	return []usageTable{{"By day", "Day", days}, {"By project", "Project", projects}, {"By key", "Key", keys}}
}
