package designs

import (
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/card"
	"masthead/pkg/humanize"
	"masthead/pkg/server"
	"masthead/pkg/web/frame"
	"masthead/pkg/web/ui"
)

// Parts of the page that its script asks for: all but the texts, or all.
const partProof = "proof"

// faultLine is a finding beside the picture. Line is 0 for none.
type faultLine struct {
	Line, Column        int
	Text, Suggestion    string
	Severity, SeverityP string
}

// factRow is a text of the page, and what became of it.
type factRow struct{ Name, Value, Fate string }

// otherText is the design with a text that is hard to set.
type otherText struct {
	Name, Picture, Verdict, Severity string
}

// versionRow is a version. Diff is its difference from the active one, if it is asked for.
type versionRow struct {
	Number           int
	Active, Compared bool
	words            string // When without its moment
	By, Size         string
	When             template.HTML
	Diff             []diffLine
	Changed          string
}

// page responds with the editor.
func (e *editor) page(c echo.Context, of *editing) error {
	id := of.active.Id.String()
	status, fault := http.StatusOK, (*ui.Form)(nil)
	if of.form != nil {
		status = of.form.Status
		if of.form.Error != "" {
			fault = of.form
		}
	}
	fields := editorForm(of.URL)
	report, err := e.report(c, of, fields)
	if err != nil {
		return err
	}
	if problem := fields.Error; problem != "" && fault == nil {
		fault = fields
	}
	versions, err := e.versionRows(c, of)
	if err != nil {
		return err
	}
	var others []otherText
	if c.QueryParam("part") != partProof {
		others = e.others(c, of, report.Drawn)
	}
	diff, changed := difference(of.active.Html, of.HTML)
	next := versionOf(versions.all, of.active.Version)
	view := map[string]any{
		"Path": designPath(id), "Design": of.active, "Edit": of, "Fault": fault, "URLField": fields.Input("url"),
		"Faults": faultsOf(report), "Drawn": report.Drawn, "Facts": factRows(report), "Others": others,
		"Diff": diff, "Changed": changed, "ChangedText": humanize.Count(changed, "line"), "Next": next,
		"Versions": versions.rows, "Crop": cropped(report), "Contrast": contrastOf(report),
		"Picture": e.pictureURL(of, ""), "Stored": e.storedURL(of),
		"Now": time.Now().UTC().Format("15:04:05"), "Broken": !report.Drawn, "Behind": of.Base != of.active.Version,
		"Tags": tagsOfReference, "Properties": propertiesOfReference,
	}
	view["Width"], view["Height"] = 1200, 630
	if of.Hero {
		view["Width"], view["Height"] = 1600, 900
	}
	name := nameOfDesign(of.active.Name)
	if view["Name"] = &name; of.name != nil {
		view["Name"] = of.name
	}
	if of.Base != of.active.Version {
		view["BehindSays"] = versions.says(of.active.Version)
	}
	if of.stale != nil {
		lines, n := difference(of.stale.Html, of.HTML)
		view["Stale"], view["StaleDiff"] = frame.Ago(time.Time(of.stale.SavedAt), time.Now()), lines
		view["StaleChanged"] = humanize.Count(n, "line")
	}
	view["Unchanged"] = changed == 0
	return e.Render(c, status, designPage(), frame.Head{
		Title: of.active.Name, Name: "Design", Section: "Designs", Lead: true, Done: of.done,
	}, view)
}

// pictureURL is the address of the picture of the draft with a text, or with "" that of the page.
func (e *editor) pictureURL(of *editing, text string) string {
	q := url.Values{"v": {strconv.Itoa(of.Revision)}}
	if of.Revision == 0 {
		q = url.Values{"version": {strconv.Itoa(of.active.Version)}}
	}
	for name, set := range map[string]bool{"light": of.Light, "hero": of.Hero, "sample": of.Sample} {
		if set {
			q.Set(name, "1")
		}
	}
	if text != "" {
		q.Set("text", text)
	}
	return pictureOfDesign(of.active.Id.String(), q)
}

// storedURL is the address of the picture of the active version.
func (e *editor) storedURL(of *editing) string {
	q := url.Values{"version": {strconv.Itoa(of.active.Version)}}
	if of.Hero {
		q.Set("hero", "1")
	}
	return pictureOfDesign(of.active.Id.String(), q)
}

// report measures the draft. What is wrong with the address of the page is said beside its field, and the sample page
// takes its place.
func (e *editor) report(c echo.Context, of *editing, fields *ui.Form) (report gen.DesignReport, err error) {
	if strings.TrimSpace(of.HTML) == "" {
		report.Findings = []gen.DesignFinding{{Code: "broken", Message: "The document is empty."}}
		return report, nil
	}
	report, err = e.measure(c, of, of.URL, "")
	var fault *apperr.Error
	switch {
	case err == nil:
		return report, nil
	case !errors.As(err, &fault):
		return report, err
	}
	switch fault.Code {
	case apperr.BadRequest, apperr.UpstreamFailed, apperr.Forbidden, apperr.NotFound:
		if of.URL == "" { // the document is too large, for example
			report.Findings = []gen.DesignFinding{{Code: "broken", Message: fault.Detail}}
			return report, nil
		}
		fields.Input("url").Error = fault.Detail + " The sample page is shown."
		of.URL, of.Sample = "", true
		return e.measure(c, of, "", "")
	case apperr.RateLimited, apperr.Unavailable:
		fields.Refuse(c, err)
		report.Drawn = true // the picture asks for itself
		return report, nil
	}
	return report, err
}

// measure runs the operation checkDesign for a text.
func (e *editor) measure(c echo.Context, of *editing, page, text string) (report gen.DesignReport, err error) {
	in := e.in(c)
	body := map[string]any{"html": of.HTML, "style": map[string]any{"dark": !of.Light}}
	if page != "" {
		body["url"] = page
	}
	if text != "" {
		body["text"] = text
	}
	if of.Hero {
		body["size"] = heroSize
	}
	in.Body = body
	out, err := e.check.Run(c.Request().Context(), in)
	if err != nil {
		return report, err
	}
	return report, out.Decode(&report)
}

// others measures the draft with each text that is hard to set.
func (e *editor) others(c echo.Context, of *editing, drawn bool) (all []otherText) {
	if !drawn {
		return nil
	}
	largest := float32(0)
	for _, t := range card.TestTexts() {
		o := otherText{Name: t.Name, Picture: e.pictureURL(of, t.ID), Severity: "info", Verdict: "not measured"}
		if report, err := e.measure(c, of, "", t.ID); err == nil {
			o.Severity, o.Verdict = verdict(report, &largest)
		}
		all = append(all, o)
	}
	return all
}

// verdict says how a text fits. largest is the largest size of a title so far.
func verdict(r gen.DesignReport, largest *float32) (severity, words string) {
	has := func(codes ...gen.DesignFindingCode) bool {
		return slices.ContainsFunc(r.Findings, func(f gen.DesignFinding) bool { return slices.Contains(codes, f.Code) })
	}
	size := ""
	if r.Title != nil {
		size = ", " + pixels(r.Title.Size)
	}
	switch {
	case has("broken"):
		return "error", "can’t be drawn"
	case has("no-title"):
		return "error", "left out"
	case has("missing-glyph"):
		return "error", "characters are missing"
	case has("clipped"), r.Title != nil && r.Title.Cut:
		return "warning", "cut off" + size
	case has("overflow"):
		return "warning", "leaves its box" + size
	case has("overlap"):
		return "warning", "covers another text" + size
	case has("contrast"):
		return "warning", "hard to read" + size
	case has("crop"):
		return "warning", "reaches the edge" + size
	case r.Title == nil:
		return "info", "no title"
	case r.Title.Size < *largest:
		return "pass", "fits in a smaller size" + size
	}
	*largest = r.Title.Size
	return "pass", "fits" + size
}

func pixels(n float32) string { return strconv.Itoa(int(n+.5)) + " px" }

// faultsOf are the findings as sentences.
func faultsOf(r gen.DesignReport) (all []faultLine) {
	for _, f := range r.Findings {
		l := faultLine{Text: f.Message, Severity: "warning", SeverityP: "Warning"}
		if f.Code == "broken" {
			l.Severity, l.SeverityP = "error", "Error"
		}
		if f.Line != nil {
			l.Line = *f.Line
		}
		if f.Column != nil {
			l.Column = *f.Column
		}
		if f.Suggestion != nil {
			l.Suggestion = *f.Suggestion
		}
		all = append(all, l)
	}
	return all
}

// factRows says what became of each text of the page.
func factRows(r gen.DesignReport) (rows []factRow) {
	for _, f := range r.Facts {
		row := factRow{Name: f.Name, Value: f.Value, Fate: "not used"}
		switch {
		case f.Size != nil:
			row.Fate = "shown, " + pixels(*f.Size)
		case f.Used:
			row.Fate = "in the document, not on the card"
		}
		rows = append(rows, row)
	}
	return rows
}

// cropped reports whether a text is where platforms cut the card.
func cropped(r gen.DesignReport) bool {
	return slices.ContainsFunc(r.Findings, func(f gen.DesignFinding) bool { return f.Code == "crop" })
}

// contrastOf is the lowest contrast as words, or "".
func contrastOf(r gen.DesignReport) string {
	if r.Contrast == nil {
		return ""
	}
	return fmt.Sprintf("%.1f:1", *r.Contrast)
}

// versionList are the versions of a design.
type versionList struct {
	all  []gen.DesignVersion
	rows []versionRow
}

// says is a sentence about who published a version, and when.
func (l versionList) says(number int) string {
	for _, row := range l.rows {
		if row.Number == number {
			return fmt.Sprintf("Version %d was published %s, %s.", number, row.words, row.By)
		}
	}
	return fmt.Sprintf("Version %d is drawn by now.", number)
}

// versionRows reads the versions. "compare" in the query is the one whose difference is shown.
func (e *editor) versionRows(c echo.Context, of *editing) (list versionList, err error) {
	var found gen.DesignVersionList
	if err := frame.Read(c, e.versions, e.in(c), &found); err != nil {
		return list, err
	}
	list.all = found.Items
	names := map[string]string{}
	if slices.ContainsFunc(found.Items, func(v gen.DesignVersion) bool { return v.KeyId != nil }) {
		var keys gen.KeyPage
		if err := frame.Read(c, e.keys, server.Input{Query: url.Values{"limit": {frame.PerPage}}}, &keys); err != nil {
			return list, err
		}
		for _, k := range keys.Items {
			names[k.Id.String()] = k.Name
		}
	}
	now, compared := time.Now(), c.QueryParam("compare")
	for _, v := range found.Items {
		row := versionRow{
			Number: v.Version, Active: v.Active, When: frame.Ago(time.Time(v.CreatedAt), now),
			words: frame.AgoWords(time.Time(v.CreatedAt), now), By: "by you",
			Size: humanize.Bytes(int64(v.SizeBytes)), Compared: compared == strconv.Itoa(v.Version),
		}
		if v.KeyId != nil {
			row.By = "with a key that was revoked"
			if name := names[v.KeyId.String()]; name != "" {
				row.By = "with the key “" + name + "”"
			}
		}
		if row.Compared && !row.Active {
			in := e.in(c)
			in.Query = url.Values{"version": {compared}}
			var old gen.DesignWithHtml
			if err := frame.Read(c, e.read, in, &old); err != nil {
				return list, err
			}
			var n int
			row.Diff, n = difference(of.active.Html, old.Html)
			row.Changed = humanize.Count(n, "line")
		}
		list.rows = append(list.rows, row)
	}
	return list, nil
}

// reference is a row of the reference beside the document.
type reference struct{ Name, Text string }

var tagsOfReference = []reference{
	{"{{title}}", "The title"}, {"{{description}}", "The description"}, {"{{siteName}}", "The site’s name"},
	{"{{host}}", "The domain"}, {"{{author}}", "Who wrote it"}, {"{{date}}", "The date, in the page’s language"},
	{"{{section}}", "The section or eyebrow"}, {"{{readingTime}}", "Minutes to read it"}, {"{{price}}", "The price"},
	{"{{icon}}, {{image}}, {{logo}}", "Addresses of pictures, for <img src>"},
	{"{{data.name}}", "What a request sends as data"},
	{"{{#author}}…{{/author}}", "Shown only if there is one"}, {"{{^image}}…{{/image}}", "Shown only if there is none"},
}

var propertiesOfReference = []reference{
	{"var(--accent), var(--on-accent)", "The page’s color, and text on it"},
	{"var(--background), var(--text), var(--muted)", "Readable in light and dark"},
	{"var(--secondary)", "The second color"},
	{"--fit: 56px 104px / 4", "Sets a text between two sizes, in at most four lines"},
	{`data-slot="title"`, "Breaks the lines of a title by meaning"},
}
