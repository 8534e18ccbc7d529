package dashboard

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/audit"
	"masthead/pkg/humanize"
	"masthead/pkg/identity"
	"masthead/pkg/server"
	"masthead/pkg/web/frame"
	"masthead/pkg/web/report"
	"masthead/pkg/web/ui"
)

// Views of the overview: before the first image, in good order, and with the frame of a page that has a problem, whose
// style is too large for every visit.
var (
	firstPage    = overviewView("", "first.css")
	overviewPage = overviewView("", overviewSheets...)
	framedPage   = overviewView(report.FrameSheet(), overviewSheets...)

	overviewSheets = []string{"tiles.css", "meters.css", "scores.css"}
)

func overviewView(frameSheet string, sheets ...string) func() *ui.View {
	return sync.OnceValue(func() *ui.View {
		return newView("overview", append(slices.Clone(sheets), "overview.css")...)().
			With(report.FrameTemplates, frameSheet)
	})
}

// Reports has the reports of pages.
type Reports interface {
	Get(ctx context.Context, caller identity.Caller, id string) (*audit.Record, error)
}

// overview is the first page: the worst news, then what was drawn, what is watched, and what is used.
type overview struct {
	*frame.Shell
	watches, images, usage, projects, webhooks, designs, preview *server.Operation

	reports Reports
}

func newOverview(sh *frame.Shell, r *frame.Router, reports Reports) {
	p := &overview{
		Shell: sh, reports: reports, watches: r.Operation("listWatches"), images: r.Operation("listImages"),
		usage: r.Operation("getUsage"), projects: r.Operation("listProjects"),
		webhooks: r.Operation("listWebhooks"), designs: r.Operation("listDesigns"),
		preview: r.Operation("previewPage"),
	}
	r.Get(firstPath, p.first)
	r.Place("Overview", "Overview", frame.Home)
	r.Get(frame.Home, p.show)
}

// watchesShown is how many watches the page shows, and downRead how many of those that can't be loaded it reads, to
// find the first page of a domain among them.
const watchesShown, downRead = 4, 20

// overviewData is all that the page reads.
type overviewData struct {
	// pages are the worst watched pages, sitemaps the worst watched sitemaps. wrong are pages with the worst problem that
	// any has, or none.
	pages, sitemaps, wrong gen.WatchPage
	problem                gen.WatchProblem

	images   []gen.Image
	usage    gen.Usage
	projects []gen.Project
	webhooks []gen.Webhook
	// failing are projects with a domain that doesn't respond.
	failing []gen.Project
}

// read reads all that the page shows.
func (p *overview) read(c echo.Context) (f overviewData, err error) {
	if err := p.readWatches(c, &f); err != nil {
		return f, err
	}
	var images gen.ImagePage
	if err := frame.Read(c, p.images, server.Input{Query: url.Values{"limit": {"4"}}}, &images); err != nil {
		return f, err
	}
	var projects gen.ProjectPage
	if err := frame.Read(c, p.projects, server.Input{Query: url.Values{"limit": {"5"}}}, &projects); err != nil {
		return f, err
	}
	var webhooks gen.WebhookPage
	if err := frame.Read(c, p.webhooks, server.Input{Query: url.Values{"limit": {frame.PerPage}}}, &webhooks); err != nil {
		return f, err
	}
	var failing gen.ProjectPage
	query := url.Values{"problem": {string(gen.ProjectProblemDomain)}}
	if err := frame.Read(c, p.projects, server.Input{Query: query}, &failing); err != nil {
		return f, err
	}
	f.images, f.projects, f.webhooks, f.failing = images.Items, projects.Items, webhooks.Items, failing.Items
	err = frame.Read(c, p.usage, server.Input{}, &f.usage)
	return f, err
}

// readWatches reads the worst watches, and the pages with the worst problem.
func (p *overview) readWatches(c echo.Context, f *overviewData) (err error) {
	of := func(kind gen.WatchKind) url.Values { return url.Values{"kind": {string(kind)}, "scores": {"2"}} }
	if f.pages, err = readWorst(c, p.watches, of(gen.WatchKindPage), watchesShown); err != nil {
		return err
	}
	if f.sitemaps, err = readWorst(c, p.watches, of(gen.WatchKindSitemap), watchesShown); err != nil {
		return err
	}
	if f.pages.Totals.WithErrors == 0 && f.sitemaps.Totals.Watches == 0 {
		return nil
	}
	for _, problem := range []gen.WatchProblem{gen.WatchProblemImage, gen.WatchProblemLoad, gen.WatchProblemGrade} {
		f.wrong, err = readWorst(c, p.watches, url.Values{"problem": {string(problem)}}, downRead)
		if err != nil || len(f.wrong.Items) > 0 {
			f.problem = problem
			return err
		}
	}
	return nil
}

// news is what the page begins with.
type news struct {
	Title, Deck string
	Actions     []ui.Link
	// At most one is beside it: Frame, the most damaged preview of the page that it is about; Watch, what is wrong with
	// that page; Card, a picture for good news.
	Frame *report.FrameView
	Watch *newsWatch
	Card  *thumb
	// auditID is the report that Frame is of, or "".
	auditID string
}

// newsWatch is a watched page that has a problem.
type newsWatch struct {
	watchRow

	Problems []gen.WatchFinding
}

// counted is a headline about one page, or about several.
func counted(n int, one, several string) string {
	if n == 1 {
		return "A page " + one
	}
	return strconv.Itoa(n) + " pages " + several
}

// newsOf is the worst news of what was found.
func newsOf(f overviewData, now time.Time) news {
	off := slices.DeleteFunc(slices.Clone(f.webhooks), func(w gen.Webhook) bool { return w.Reason == nil })
	switch {
	case len(f.wrong.Items) > 0:
		return newsOfWatch(f, now)
	case len(off) > 0:
		n := news{
			Title: "A webhook was turned off", Deck: bare(off[0].Url) + ". " + *off[0].Reason,
			Actions: []ui.Link{{URL: webhookPath(off[0].Id.String()), Text: "See its deliveries"}},
		}
		if len(off) > 1 {
			n.Title = strconv.Itoa(len(off)) + " webhooks were turned off"
		}
		return n
	case f.usage.Ai.Limit > 0 && f.usage.Ai.Left == 0:
		return news{
			Title: "This month’s AI images are used up",
			Deck: "All " + strconv.Itoa(f.usage.Ai.Limit) + " are used. Cards are still drawn, without an AI background, " +
				"until the month ends (UTC).",
			Actions: []ui.Link{{URL: usagePath, Text: "See what used them"}},
		}
	}
	if n, ok := newsOfDomains(f.failing); ok {
		return n
	}
	n := news{Title: "All in good order", Actions: []ui.Link{{URL: "/try", Text: "Draw a card"}}}
	switch pages, sitemaps := f.pages.Totals.Watches, f.sitemaps.Totals.Watches; {
	case pages+sitemaps == 0:
		n.Deck = "Watch a page, and you’re told here when its link gets worse."
		n.Actions = append(n.Actions, ui.Link{URL: auditsPath + "#new", Text: "Watch a page"})
	case pages == 1 && sitemaps == 0:
		n.Deck = "The watched page shows up as it should."
	case sitemaps == 0:
		n.Deck = "All " + strconv.Itoa(pages) + " watched pages show up as they should."
	default:
		n.Deck = "All watched pages show up as they should."
	}
	for _, of := range f.images {
		if of.Kind == gen.ImageKindOg {
			card := thumbOf(of)
			n.Card = &card
			break
		}
	}
	return n
}

// newsOfWatch is the news about watched pages with a problem; the first is shown, of those that can't be loaded that of
// a domain.
func newsOfWatch(f overviewData, now time.Time) news {
	first, all := f.wrong.Items[0], f.wrong.Totals.Watches
	title := ""
	switch f.problem {
	case gen.WatchProblemImage:
		title = counted(all, "lost its image", "lost their images")
	case gen.WatchProblemGrade:
		title = counted(all, "lost points", "lost points")
	case gen.WatchProblemLoad:
		title = counted(all, "can’t be loaded", "can’t be loaded")
		for _, w := range f.wrong.Items {
			if domain := domainOf(f.projects, w); domain != "" {
				first, title = w, "The first page of "+domain+" can’t be loaded"
				break
			}
		}
	}
	row := rowOf(first, now)
	n := news{Title: title, Deck: row.Name + ". " + row.Trouble, Watch: &newsWatch{row, first.Problems}}
	if others := all - 1; others > 0 {
		n.Deck += " And " + humanize.Count(others, "other page") + "."
	}
	path := auditsPath
	if first.SitemapId != nil {
		path = sitemapsPath
	}
	if row.Report != "" {
		if first.Error == nil { // or the last report is of the time before that
			n.auditID = *first.AuditId
		}
		n.Actions = append(n.Actions, ui.Link{URL: row.Report, Text: "See what to fix"})
	}
	if first.SitemapId == nil {
		path += "?open=" + row.ID + "#w" + row.ID
	} else {
		path += "?open=" + first.SitemapId.String() + "#w" + first.SitemapId.String()
	}
	n.Actions = append(n.Actions, ui.Link{URL: path, Text: "See its history"})
	return n
}

// addFrame puts the most damaged preview of a page in place of what is wrong with it, if its report has one.
func (p *overview) addFrame(c echo.Context, n *news) error {
	if n.auditID == "" {
		return nil
	}
	ctx := c.Request().Context()
	of, err := p.reports.Get(ctx, identity.CallerOf(ctx), n.auditID)
	if apperr.CodeOf(err) == apperr.NotFound {
		return nil // deleted since
	}
	if err != nil {
		return err //nolint:wrapcheck // it has the sentence for the page
	}
	n.Frame = report.WorstFrame(of.Report, func(name string) string { return "/audit/" + of.ID + "/" + name })
	if n.Frame != nil {
		n.Watch = nil
	}
	return nil
}

// firstStep is one of the steps before the first image.
type firstStep struct {
	Title, Text string
	Link        *ui.Link
	Code        string
	Done        bool
}

// firstDeck is below the headline before the first image.
const firstDeck = "Paste the address of a page to see it in every design."

// imageOf is the public address of the image of a project's first page.
func (p *overview) imageOf(of gen.Project) string {
	return "/og/" + of.PublicId + "?url=" + url.QueryEscape("https://"+of.Domains[0]+"/")
}

// firstSteps are the steps before the first image.
func (p *overview) firstSteps(f overviewData) []firstStep {
	site, ok := siteIn(f)
	add := firstStep{
		Title: "Add your site", Text: "A project with the domain of your pages.", Done: ok,
		Link: &ui.Link{URL: projectsPath + "?new=1#new", Text: "Add a project"},
	}
	if !ok && len(f.projects) > 0 {
		add.Link = &ui.Link{URL: frame.ProjectPath(f.projects[0].Id.String()) + "#domains", Text: "Add a domain"}
	}
	line := firstStep{
		Title: "Add one line to the page’s head",
		Text:  "The line is here once your site is added. Each page’s image is drawn on the first request.",
	}
	if ok {
		line.Text = "Replace the address after url= with that of each page. Its image is drawn on the first request."
		line.Code = `<meta property="og:image" content="` + p.Base + p.imageOf(site) + `">`
	}
	watch := firstStep{
		Title: "Watch a page", Text: "It’s audited every week, and you’re told when its link gets worse.",
		Done: f.pages.Totals.Watches+f.sitemaps.Totals.Watches > 0, Link: &ui.Link{URL: auditsPath + "#new", Text: "Watch a page"},
	}
	return []firstStep{add, line, watch}
}

// show serves GET /dashboard.
func (p *overview) show(c echo.Context) error {
	f, err := p.read(c)
	if err != nil {
		return err
	}
	now := time.Now()
	n, view := newsOf(f, now), overviewPage
	if err := p.addFrame(c, &n); err != nil {
		return err
	}
	if n.Frame != nil {
		view = framedPage
	}
	values := map[string]any{"Today": now.UTC().Format("Monday 2 January"), "News": n}
	if len(f.images) == 0 && n.Title == "All in good order" {
		n = news{Title: "Nothing in print yet", Deck: firstDeck}
		values["News"], values["Steps"] = n, p.firstSteps(f)
		if of, ok := siteIn(f); ok {
			values["Crawler"] = p.crawlerOf(f, of)
		}
		return p.Render(c, http.StatusOK, firstPage(), p.head(n), values)
	}
	own, err := namesFor(c, p.designs, f.images)
	if err != nil {
		return err
	}
	tiles := make([]tile, len(f.images))
	for i, of := range f.images {
		tiles[i] = tile{
			thumb: thumbOf(of), Title: titleOf(of), Host: siteOf(of.Url),
			Note: frame.Text(designOf(of, own)+", ") + frame.Ago(time.Time(of.CreatedAt), now),
		}
	}
	var rows []watchRow
	for _, w := range slices.Concat(f.pages.Items, f.sitemaps.Items) {
		if len(rows) < watchesShown {
			row := rowOf(w, now)
			row.Delta = deltaOf(scoresOf(w))
			rows = append(rows, row)
		}
	}
	meters := slices.DeleteFunc(metersOf(f.usage, p.Shell), func(m meter) bool {
		return m.Limit == 0 && m.Used == 0 && m.Locked
	})
	values["Tiles"], values["Watches"], values["Meters"] = tiles, rows, meters
	values["Month"], values["Projects"] = now.UTC().Format("January"), projectUses(f)
	values["Paths"] = map[string]string{
		"Images": imagesPath, "Audits": auditsPath, "Usage": usagePath, "Projects": projectsPath,
	}
	return p.Render(c, http.StatusOK, view(), p.head(n), values)
}

func (*overview) head(n news) frame.Head {
	return frame.Head{Title: n.Title, Name: "Overview", Section: "Overview", Sub: "Overview", Lead: true}
}

// projectUse is a project in the table.
type projectUse struct {
	Path, Name, Public, Domains string
	Drawn, Served               int
}

// projectUses are the newest projects and what they used in the month.
func projectUses(f overviewData) []projectUse {
	uses := make([]projectUse, len(f.projects))
	for i, of := range f.projects {
		use := projectUse{
			Path: frame.ProjectPath(of.Id.String()), Name: of.Name, Public: of.PublicId,
			Domains: strings.Join(of.Domains[:min(3, len(of.Domains))], ", "),
		}
		for _, u := range f.usage.Projects {
			if u.ProjectId != nil && *u.ProjectId == of.Id {
				use.Drawn, use.Served = u.Drawn, u.PublicHits
			}
		}
		uses[i] = use
	}
	return uses
}
