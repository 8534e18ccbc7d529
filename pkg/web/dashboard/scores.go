package dashboard

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"masthead/gen"
	"masthead/pkg/web/frame"
	"masthead/pkg/web/ui"
)

// This file draws how the score of a watched page changes, as the geometry of inline SVG.

// delta is the change of a score since the audit before, in points.
type delta struct {
	// Known is false if there are no two audits to compare.
	Known  bool
	Points int
}

// Text is the change as people write it.
func (d delta) Text() string {
	switch {
	case !d.Known:
		return ""
	case d.Points > 0:
		return "+" + strconv.Itoa(d.Points)
	case d.Points < 0:
		return "−" + strconv.Itoa(-d.Points)
	}
	return "no change"
}

// HTML is the change on a page; "" if it isn't known.
func (d delta) HTML() template.HTML {
	if !d.Known {
		return ""
	}
	return ui.Change(d.Points, d.Text())
}

// scoredAudit is an audit that has a score.
type scoredAudit struct {
	at    time.Time
	score int
	grade string
	// changed means that something changed since the audit before.
	changed bool
}

// scoredAuditsOf are the audits of a history that have a score and aren't older than from, oldest first.
func scoredAuditsOf(runs []gen.WatchRun, from time.Time) []scoredAudit {
	var all []scoredAudit
	for i := len(runs) - 1; i >= 0; i-- {
		run := runs[i]
		if at := time.Time(run.At); run.Score != nil && run.Grade != nil && !at.Before(from) {
			all = append(all, scoredAudit{at, *run.Score, *run.Grade, len(run.Changes) > 0})
		}
	}
	return all
}

// notBefore returns the audits that aren't older than from.
func notBefore(all []scoredAudit, from time.Time) []scoredAudit {
	return slices.DeleteFunc(all, func(s scoredAudit) bool { return s.at.Before(from) })
}

// deltaOf compares the last two audits.
func deltaOf(all []scoredAudit) delta {
	if len(all) < 2 {
		return delta{}
	}
	return delta{true, all[len(all)-1].score - all[len(all)-2].score}
}

// plot maps audits to pixels: times to the width from left to right, scores to the height from the top down.
type plot struct {
	left, right, top, bottom float64
	from, to                 time.Time
	lowest                   int
}

// newPlot returns a plot that all the audits fit into.
func newPlot(all []scoredAudit, left, right, top, bottom float64) plot {
	lowest := 60
	for _, s := range all {
		lowest = min(lowest, s.score)
	}
	return plot{left, right, top, bottom, all[0].at, all[len(all)-1].at, max(0, lowest-6)}
}

func (p plot) x(at time.Time) float64 {
	whole := p.to.Sub(p.from)
	if whole <= 0 {
		return p.right
	}
	return round(p.left + (p.right-p.left)*float64(at.Sub(p.from))/float64(whole))
}

func (p plot) y(score int) float64 {
	return round(p.bottom - (p.bottom-p.top)*float64(score-p.lowest)/float64(100-p.lowest))
}

// round keeps one decimal.
func round(f float64) float64 { return math.Round(f*10) / 10 }

// line is the path of the scores.
func (p plot) line(all []scoredAudit) string {
	var path strings.Builder
	for i, s := range all {
		letter := "L"
		if i == 0 {
			letter = "M"
		}
		fmt.Fprintf(&path, "%s%g %g", letter, p.x(s.at), p.y(s.score))
	}
	return path.String()
}

// spark is a small chart without words, 150x34 pixels.
type spark struct {
	Path       string
	X, Y, Good float64 // the end, and the height of a score of 90
	// Fell means that the last score is below the one before.
	Fell bool
	Says string
}

// SVG is the chart. A page has one in each row, and a template would take ten times as long for the numbers.
func (s spark) SVG() template.HTML {
	class := "spark"
	if s.Fell {
		class += " error"
	}
	svg := fmt.Sprintf(`<svg class="%s" width="150" height="34" viewBox="0 0 150 34" role="img" aria-label="%s">`+
		`<path class="mark90" d="M0 %gH150"/><path class="run" d="%s"/><circle cx="%g" cy="%g" r="3"/></svg>`,
		class, template.HTMLEscapeString(s.Says), s.Good, s.Path, s.X, s.Y)
	return template.HTML(svg) //nolint:gosec // numbers, and a text that is escaped
}

// sparkOf draws audits; nil for fewer than two.
func sparkOf(all []scoredAudit) *spark {
	if len(all) < 2 {
		return nil
	}
	p, last := newPlot(all, 2, 145, 4, 30), all[len(all)-1]
	return &spark{
		Path: p.line(all), X: p.x(last.at), Y: p.y(last.score), Good: p.y(90), Fell: deltaOf(all).Points < 0,
		Says: fmt.Sprintf("From %d to %d since %s", all[0].score, last.score, all[0].at.UTC().Format("2 January")),
	}
}

// chartWord is a text in a chart. Anchor is start, middle or end.
type chartWord struct {
	X, Y         float64
	Text, Anchor string
}

// chartDot marks an audit at which something changed.
type chartDot struct {
	X, Y float64
	Fell bool
}

// scoreChart is the chart of a watched page.
type scoreChart struct {
	Class         string
	Width, Height int
	Left, Right   float64
	Path, Says    string
	Lines         []chartWord
	Days          []chartWord
	Dots          []chartDot
	// Fall is the words for the largest fall, or nil.
	Fall *chartWord
}

// scoreChartsOf draws audits for a desk and for a phone, where a scaled drawing couldn't be read; nil for fewer than
// two.
func scoreChartsOf(all []scoredAudit) []scoreChart {
	if len(all) < 2 {
		return nil
	}
	return []scoreChart{scoreChartOf(all, "desk", 720, 210), scoreChartOf(all, "phone", 350, 172)}
}

// The bounds of the letters A to D, in points. Source: the document's LetterGrade.
var letterLines = []struct {
	score  int
	letter string
}{{90, "A"}, {80, "B"}, {70, "C"}, {60, "D"}}

func scoreChartOf(all []scoredAudit, class string, width, height int) scoreChart {
	first, last := all[0], all[len(all)-1]
	c := scoreChart{Class: class, Width: width, Height: height, Left: 40, Right: float64(width) - 8}
	p := newPlot(all, c.Left, c.Right, 12, float64(height)-34)
	c.Path = p.line(all)
	for _, l := range letterLines {
		c.Lines = append(c.Lines, chartWord{Y: p.y(l.score), Text: strconv.Itoa(l.score) + " " + l.letter})
	}
	const day = "2 Jan"
	c.Days = append(c.Days, chartWord{c.Left, float64(height) - 8, first.at.UTC().Format(day), "start"})
	if middle := first.at.Add(last.at.Sub(first.at) / 2); class == "desk" && last.at.Sub(first.at) > 4*24*time.Hour {
		c.Days = append(c.Days, chartWord{p.x(middle), float64(height) - 8, middle.UTC().Format(day), "middle"})
	}
	if first.at.UTC().Format(day) != last.at.UTC().Format(day) {
		c.Days = append(c.Days, chartWord{c.Right, float64(height) - 8, last.at.UTC().Format(day), "end"})
	}
	worst, lowest := 0, last.score
	for i := 1; i < len(all); i++ {
		fall := all[i-1].score - all[i].score
		lowest = min(lowest, all[i].score)
		if all[i].changed || fall > 0 {
			c.Dots = append(c.Dots, chartDot{p.x(all[i].at), p.y(all[i].score), fall > 0})
		}
		if fall > worst {
			worst = fall
			x := p.x(all[i].at)
			c.Fall = &chartWord{x + 8, p.y(all[i].score) + 16, all[i].at.UTC().Format(day) + ", " + strconv.Itoa(all[i].score), "start"}
			if x > float64(width)/2 {
				c.Fall.X, c.Fall.Anchor = x+4, "end"
			}
		}
	}
	c.Says = fmt.Sprintf("The score was %d on %s and is %d since %s; the lowest was %d. The table has each audit.",
		first.score, frame.Date(first.at), last.score, frame.Date(last.at), min(lowest, first.score))
	return c
}
