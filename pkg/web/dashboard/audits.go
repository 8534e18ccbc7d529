package dashboard

import (
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
	"masthead/pkg/humanize"
	"masthead/pkg/server"
	"masthead/pkg/web/frame"
	"masthead/pkg/web/ui"
)

const (
	auditsPath   = frame.Home + "/audits"
	sitemapsPath = auditsPath + "/sitemaps"
)

var auditsPage = newView("audits", "scores.css", "audits.css")

// watchesPage is the page of watched pages, and that of watched sitemaps.
type watchesPage struct {
	*frame.Shell
	// kind is what the page lists, at path.
	kind                                                 gen.WatchKind
	path, name                                           string
	list, create, update, remove, run, history, projects *server.Operation
	undelete                                             *server.Operation
}

func newWatchesPage(sh *frame.Shell, r *frame.Router, kind gen.WatchKind, name, path string) {
	p := &watchesPage{
		Shell: sh, kind: kind, path: path, name: name,
		list: r.Operation("listWatches"), create: r.Operation("createWatch"), update: r.Operation("updateWatch"),
		remove: r.Operation("deleteWatch"), run: r.Operation("runWatch"), history: r.Operation("getWatchHistory"),
		projects: r.Operation("listProjects"), undelete: r.Operation("undeleteWatch"),
	}
	r.Place("Audits", name, path)
	r.Get(path, p.show)
	r.Post(path, p.change)
}

// newAudits adds the pages of the section.
func newAudits(sh *frame.Shell, r *frame.Router, pictures SitePictures) {
	newWatchesPage(sh, r, gen.WatchKindPage, "Watched", auditsPath)
	newReports(sh, r)
	newWatchesPage(sh, r, gen.WatchKindSitemap, "Sitemaps", sitemapsPath)
	newSites(sh, r, pictures)
}

// rowsPerPage is how many rows a page with a chart in each row has.
const rowsPerPage = 20

// readWorst reads a page of watches, worst first, with counts of all that the query selects.
func readWorst(c echo.Context, list *server.Operation, query url.Values, limit int) (page gen.WatchPage, err error) {
	query.Set("order", string(gen.WatchOrderWorst))
	query.Set("totals", "true")
	query.Set("limit", strconv.Itoa(limit))
	err = frame.Read(c, list, server.Input{Query: query}, &page)
	return page, err
}

// scoresOf are the latest scores of a watch, oldest first.
func scoresOf(w gen.Watch) []scoredAudit {
	if w.Scores == nil {
		return nil
	}
	all := make([]scoredAudit, len(*w.Scores))
	for i, s := range *w.Scores {
		all[len(all)-1-i] = scoredAudit{at: time.Time(s.At), score: s.Score, grade: s.Grade}
	}
	return all
}

// watchRow is a watched page or sitemap in the table.
type watchRow struct {
	ID, URL, Name string
	// Where is its place in the list, see [frame.Undoable].
	Where string
	// Score and Grade are "" before the first report. Trouble is what is wrong now, in a sentence, or "".
	Score, Grade, Trouble, Severity string
	Spark                           *spark
	Delta                           delta
	Every                           string
	Read                            template.HTML
	Paused                          bool
	// Unread means that the first audit failed, and is tried again.
	Unread bool
	// Report is the path of the latest report, or "".
	Report string
	// Open has what the unfolded row shows, and Error what was wrong with its form.
	Error string
	Open  *watchDetail
}

// watchDetail is what an unfolded row shows.
type watchDetail struct {
	Charts   []scoreChart
	Runs     []runRow
	Problems []gen.WatchFinding
	Every    *ui.Input
	Badge    string
	// About and Note are of a sitemap, with its worst pages; More is how many others there are.
	About, Note string
	Pages       []watchRow
	More        int
}

// runRow is an audit in the table beside the chart.
type runRow struct {
	Date           template.HTML
	Result, Report string
	Changes        []string
}

// bare is an address as people write it.
func bare(address string) string {
	return strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(address, "https://"), "http://"), "/")
}

var everyNames = map[gen.WatchEvery]string{gen.WatchEveryDay: "daily", gen.WatchEveryWeek: "weekly"}

var everyOptions = []ui.Option{
	{Value: string(gen.WatchEveryWeek), Text: "Weekly"}, {Value: string(gen.WatchEveryDay), Text: "Daily"},
}

// rowOf is the row of a watch, without its history.
func rowOf(w gen.Watch, now time.Time) watchRow {
	row := watchRow{
		ID: w.Id.String(), URL: w.Url, Name: bare(w.Url), Every: everyNames[w.Every], Paused: w.State == gen.WatchStatePaused,
		Read: "not yet",
	}
	if w.Score != nil && w.Grade != nil {
		row.Score, row.Grade = strconv.Itoa(*w.Score), *w.Grade
	}
	if w.LastRunAt != nil {
		row.Read = frame.Ago(time.Time(*w.LastRunAt), now)
	}
	if w.AuditId != nil {
		row.Report = "/audit/" + *w.AuditId
	}
	switch {
	case w.Error != nil && w.LastRunAt == nil:
		row.Trouble, row.Severity, row.Unread = *w.Error, "error", true
	case w.Error != nil:
		row.Trouble, row.Severity = *w.Error, "error"
	case len(w.Problems) > 0:
		worst := w.Problems[0]
		for _, p := range w.Problems {
			if p.Severity == gen.WatchFindingSeverityError && worst.Severity != gen.WatchFindingSeverityError {
				worst = p
			}
		}
		row.Trouble, row.Severity = worst.Text, string(worst.Severity)
	}
	return row
}

// watchForm is the form to watch another page or sitemap.
func (p *watchesPage) watchForm(names frame.ProjectNames) *ui.Form {
	address := ui.Input{Name: "url", Label: "Page", Autocomplete: "url", Mode: "url", MaxLength: 2048}
	if p.kind == gen.WatchKindSitemap {
		address.Label, address.Hint = "Sitemap", "Such as example.com/sitemap.xml. The pages of its host are watched."
	}
	inputs := []ui.Input{address, {Name: "every", Label: "How often", Options: everyOptions, Optional: true}}
	if len(names) > 0 {
		scopes := []ui.Option{{Text: "None"}}
		for _, project := range names {
			scopes = append(scopes, ui.Option{Value: project.Id.String(), Text: project.Name})
		}
		inputs = append(inputs, ui.Input{Name: "projectId", Label: "Project", Options: scopes, Optional: true})
	}
	return ui.NewForm(inputs...)
}

// watchedView is what the page shows of a form that was sent.
type watchedView struct {
	form *ui.Form // of a new watch; nil for an empty one
	// row is the form of the row open, and open its ID. undo is the form that takes back a deletion.
	row, undo *ui.Form
	open      string
}

// show serves GET /dashboard/audits and /dashboard/audits/sitemaps. "open" in the query unfolds a row.
func (p *watchesPage) show(c echo.Context) error {
	return p.page(c, watchedView{open: c.QueryParam("open")})
}

// change handles the forms of the page.
func (p *watchesPage) change(c echo.Context) error {
	sent := ui.NewForm(ui.Input{Name: "every", Label: "How often", Options: everyOptions})
	if err := sent.Read(c); err != nil {
		return err
	}
	id := sent.Typed("id")
	in := server.Input{Path: map[string]string{"watchId": id}}
	of, what, to := p.run, "again", p.opened(id)
	switch sent.Typed("do") {
	case "watch":
		return p.watch(c)
	case "every":
		of, what, in.Body = p.update, "saved", map[string]any{"every": sent.Typed("every")}
	case "run":
	case "stop":
		return p.refused(c, sent, frame.Deletes(c, p.remove, "watchId", id, p.path, sent.Typed("where")))
	case "undo":
		if !frame.Undeletes(c, p.undelete, "watchId", sent, id) {
			return p.page(c, watchedView{undo: sent})
		}
		return frame.Done(c, p.opened(id), "restored")
	default:
		return apperr.New(apperr.BadRequest, "The form isn’t one of this page.")
	}
	if _, err := of.Form(c, in); err != nil {
		return p.refused(c, sent, err)
	}
	return frame.Done(c, to, what)
}

// refused shows why the form of a row was refused; nil is for one that wasn't.
func (p *watchesPage) refused(c echo.Context, sent *ui.Form, err error) error {
	if code := apperr.CodeOf(err); err == nil || code == apperr.NotFound || code == apperr.Forbidden {
		return err
	}
	sent.Refuse(c, err)
	return p.page(c, watchedView{row: sent, open: sent.Typed("id")})
}

// opened is the address of the page with a row unfolded.
func (p *watchesPage) opened(id string) string {
	return p.path + "?" + url.Values{"open": {id}}.Encode()
}

// watch handles the form to watch another page or sitemap.
func (p *watchesPage) watch(c echo.Context) error {
	names, err := frame.ReadProjects(c, p.projects)
	if err != nil {
		return err
	}
	form := p.watchForm(names)
	if err := form.Read(c); err != nil {
		return err
	}
	address, mistyped := ui.AddressOf(strings.TrimSpace(form.Typed("url")))
	if mistyped != nil {
		address = form.Typed("url") // the operation counts and rejects it
	}
	out, err := p.create.Form(c, server.Input{Header: frame.Repeats(c), Body: map[string]any{
		"kind": p.kind, "url": address, "every": form.Optional("every"), "projectId": form.Optional("projectId"),
	}})
	if err != nil {
		form.Refuse(c, err)
		return p.page(c, watchedView{form: form})
	}
	var made gen.Watch
	if err := out.Decode(&made); err != nil {
		return err
	}
	return frame.Done(c, p.opened(made.Id.String()), "watched")
}

// rows returns the rows of watches. The one that is open has more.
func (p *watchesPage) rows(c echo.Context, shown []gen.Watch, v watchedView) ([]watchRow, error) {
	now := time.Now()
	rows := make([]watchRow, len(shown))
	for i, w := range shown {
		row := rowOf(w, now)
		month := notBefore(scoresOf(w), now.Add(-frame.Month))
		row.Spark, row.Delta = sparkOf(month), deltaOf(month)
		if row.ID == v.open {
			if v.row != nil {
				row.Error = v.row.Error
			}
			var err error
			if row.Open, err = p.detail(c, w, v.row); err != nil {
				return nil, err
			}
		}
		rows[i] = row
	}
	return rows, nil
}

// scoresRead is how many scores a small chart has at most: one a day of the month, and some more.
const scoresRead = 40

// runsShown is how many audits the table beside the chart has, and pagesShown how many pages of a sitemap.
const (
	runsShown  = 10
	pagesShown = 20
	chartTime  = 90 * frame.Day
)

// detail returns what the unfolded row of a watch shows. form is the one that was sent, or nil.
func (p *watchesPage) detail(c echo.Context, w gen.Watch, form *ui.Form) (*watchDetail, error) {
	var history gen.WatchHistory
	in := server.Input{Path: map[string]string{"watchId": w.Id.String()}, Query: url.Values{"limit": {frame.PerPage}}}
	if err := frame.Read(c, p.history, in, &history); err != nil {
		return nil, err
	}
	d := &watchDetail{
		Charts: scoreChartsOf(scoredAuditsOf(history.Items, time.Now().Add(-chartTime))), Problems: w.Problems,
		Badge: "[![Link preview score](" + w.BadgeUrl + ")](" + p.Base + ")",
	}
	if form == nil {
		form = ui.NewForm(ui.Input{Name: "every", Label: "How often", Options: everyOptions, Value: string(w.Every)})
	}
	d.Every = form.Input("every")
	d.Every.Key = "every-of"
	for i, run := range history.Items {
		if i == runsShown {
			break
		}
		row := runRow{Date: frame.Date(time.Time(run.At)), Changes: run.Changes, Result: "Not loaded"}
		if run.Score != nil && run.Grade != nil {
			row.Result = strconv.Itoa(*run.Score) + " " + *run.Grade
		}
		if run.Error != nil && len(row.Changes) == 0 {
			row.Changes = []string{*run.Error}
		}
		if run.AuditId != nil {
			row.Report = "/audit/" + *run.AuditId
		}
		d.Runs = append(d.Runs, row)
	}
	if w.Pages == nil {
		return d, nil
	}
	d.About = humanize.Count(w.Pages.Watched, "page") + " watched of " + strconv.Itoa(w.Pages.Listed) + " that it lists"
	if w.Pages.Note != nil {
		d.Note = *w.Pages.Note
	}
	pages, err := readWorst(c, p.list, url.Values{"sitemapId": {w.Id.String()}}, pagesShown)
	if err != nil {
		return nil, err
	}
	d.More = pages.Totals.Watches - len(pages.Items)
	for _, page := range pages.Items {
		d.Pages = append(d.Pages, rowOf(page, time.Now()))
	}
	return d, nil
}

// read reads the page of the list that the request names, or that has the open row.
func (p *watchesPage) read(c echo.Context, open string) (list gen.WatchPage, err error) {
	query := queryOf(c, "cursor")
	query.Set("kind", string(p.kind))
	query.Set("scores", strconv.Itoa(scoresRead))
	if open != "" {
		query.Set("around", open)
	}
	list, err = readWorst(c, p.list, query, rowsPerPage)
	if err == nil && len(list.Items) == 0 && list.Totals.Watches > 0 { // the last page, whose rows were deleted
		query.Del("cursor")
		list, err = readWorst(c, p.list, query, rowsPerPage)
	}
	if err != nil {
		return list, err
	}
	if open != "" && !slices.ContainsFunc(list.Items, func(w gen.Watch) bool { return w.Id.String() == open }) {
		return list, apperr.New(apperr.NotFound, "")
	}
	return list, nil
}

// page responds with the page.
func (p *watchesPage) page(c echo.Context, v watchedView) error {
	names, err := frame.ReadProjects(c, p.projects)
	if err != nil {
		return err
	}
	list, err := p.read(c, v.open)
	if err != nil {
		return err
	}
	rows, err := p.rows(c, list.Items, v)
	if err != nil {
		return err
	}
	ids := make([]string, len(rows))
	for i := range rows {
		ids[i] = rows[i].ID
	}
	for i, place := range frame.Following(ids) {
		rows[i].Where = place
	}
	status := http.StatusOK
	switch {
	case v.form != nil:
		status = v.form.Status
	case v.row != nil:
		status = v.row.Status
	case v.undo != nil:
		status = v.undo.Status
	}
	if v.form == nil {
		v.form = p.watchForm(names)
	}
	waits := slices.ContainsFunc(list.Items, func(w gen.Watch) bool {
		return w.LastRunAt == nil && w.Error == nil && w.State == gen.WatchStateActive
	})
	made := "Watched."
	if waits {
		made += " The first audit is on its way."
	}
	next := frame.More(p.path, list.NextCursor)
	of := frame.Head{
		Title: "Audits", Name: p.name, Section: "Audits", Sub: p.name, Audit: true, Deck: p.deck(*list.Totals),
		Done: frame.Said(c, map[string]string{
			"watched": made, "saved": "Saved.", "restored": "Watched again.",
			"again": "The audit is on its way.",
		}),
	}
	return p.Render(c, status, auditsPage(), of, map[string]any{
		"Rows": rows, "Form": v.form, "Path": p.path, "More": next, "Sitemaps": p.kind == gen.WatchKindSitemap, "Waits": waits,
		"Again": frame.Once(),
		"Undo":  frame.UndoableIn(c, p.path, "No longer watched.").Among(c, ids, next != nil), "Undone": v.undo,
	})
}

// deck says how many pages or sitemaps are watched, and how they are.
func (p *watchesPage) deck(all gen.WatchTotals) string {
	if all.Watches == 0 {
		return humanize.Capital(string(p.kind)) +
			"s that are audited again every day or week. You’re told when one gets worse."
	}
	text := humanize.Count(all.Watches, "watched "+string(p.kind))
	switch {
	case all.Audited == 0:
		return text + "."
	case all.WithErrors == 1:
		return text + ", one with errors."
	case all.WithErrors > 1:
		return text + ", " + strconv.Itoa(all.WithErrors) + " with errors."
	}
	return text + ", none with errors."
}
