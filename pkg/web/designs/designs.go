// Package designs has the pages of designs: the list of an account's own and of ours, and the editor with its versions.
// Package dashboard adds them.
//
// Files: designs.go the list and new designs; editor.go the editor and its forms; view.go what the editor shows;
// difference.go two documents compared.
package designs

import (
	"embed"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/humanize"
	"masthead/pkg/server"
	"masthead/pkg/web/frame"
	"masthead/pkg/web/ui"
	"masthead/render"
	"masthead/render/design"
	"masthead/render/design/start"
)

//go:embed pages/*.html pages/*.css
var files embed.FS

// newView reads the template of a page, see [frame.Views].
var newView = frame.Views(files)

// Path is the path of the list.
const Path = frame.Home + "/designs"

// Add adds the pages of the section.
func Add(sh *frame.Shell, r *frame.Router) {
	addList(sh, r)
	addEditor(sh, r)
}

func designPath(id string) string { return Path + "/" + id }

var designsPage = newView("designs", "tiles.css", "designs.css")

// designs is the page of all designs: the account's own, and those of the service.
type designs struct {
	*frame.Shell
	list, create, remove, undelete, read, projects, addProject *server.Operation
}

func addList(sh *frame.Shell, r *frame.Router) {
	d := &designs{
		Shell: sh, list: r.Operation("listDesigns"), create: r.Operation("createDesign"),
		remove: r.Operation("deleteDesign"), undelete: r.Operation("undeleteDesign"),
		read: r.Operation("getDesign"), projects: r.Operation("listProjects"),
		addProject: r.Operation("createProject"),
	}
	r.Place("Designs", "Designs", Path)
	r.Get(Path, d.show)
	r.Post(Path, d.change)
}

// Ways to begin a design, besides the documents of package start and the designs of the account.
const (
	fromBlank = "blank"
	fromFile  = "file"
)

const blankDesign = `<style>
  body { margin: 0; padding: 72px; background: var(--background); color: var(--text); font-family: Inter, sans-serif }
  h1 { margin: 0; font-weight: 700; line-height: 1.1; --fit: 56px 104px / 4 }
</style>
<h1 data-slot="title">{{title}}</h1>
`

// projectName is the field for the name of an account’s first project.
const projectName = "projectName"

// beginning is a design to begin with.
type beginning struct {
	Value, Name, Picture string
	Chosen               bool
}

// designForm is the form for a new design, and for its project if there is none yet.
func designForm(names frame.ProjectNames) *ui.Form {
	form := ui.NewForm(
		ui.Input{Name: "name", Label: "Name", Autocomplete: "off", MaxLength: 100},
		ui.Input{
			Name: "file", Pointer: "/html", Label: "Your file", Type: "file", Accept: ".html,.htm,text/html", Optional: true,
			Hint: "For “A file”: an HTML document of at most 256 KB.",
		},
		ui.Input{Name: "projectId", Label: "Project", Optional: true},
	)
	for _, p := range names {
		in := form.Input("projectId")
		in.Options = append(in.Options, ui.Option{Value: p.Id.String(), Text: p.Name})
	}
	if len(names) == 0 {
		form.Inputs = append(form.Inputs, ui.Input{
			Name: projectName, Label: "New project", Autocomplete: "off", MaxLength: 100, Value: "My site",
			Hint: "Designs belong to a project, such as a site.",
		})
	}
	return form
}

// designsView is what the page shows besides the lists.
type designsView struct {
	form *ui.Form
	from string // where a new design begins
}

// show serves GET /dashboard/designs. "new" in the query asks for the form.
func (d *designs) show(c echo.Context) error {
	var v designsView
	if c.QueryParam("new") != "" {
		names, err := frame.ReadProjects(c, d.projects)
		if err != nil {
			return err
		}
		v.form, v.from = designForm(names), c.QueryParam("from")
	}
	return d.page(c, v)
}

// change handles the forms of the page.
func (d *designs) change(c echo.Context) error {
	names, err := frame.ReadProjects(c, d.projects)
	if err != nil {
		return err
	}
	form := designForm(names)
	file, err := form.ReadUpload(c, "file", design.MaxBytes)
	v := designsView{form: form, from: form.Typed("from")}
	if errors.Is(err, ui.ErrTooLarge) {
		form.Fault("file", "This file is too large. The limit is 256 KB.")
		v.from = fromFile
		return d.page(c, v)
	}
	if err != nil {
		return err
	}
	switch form.Typed("do") {
	case "delete":
		err := frame.Deletes(c, d.remove, "designId", form.Typed("id"), Path, "")
		if err != nil && apperr.CodeOf(err) != apperr.NotFound {
			form.Refuse(c, err)
			return d.page(c, designsView{form: &ui.Form{Error: form.Error, Status: form.Status}})
		}
		if err != nil {
			return frame.Done(c, Path, "deleted")
		}
		return nil
	case "undo":
		if back := ui.NewForm(); !frame.Undeletes(c, d.undelete, "designId", back, form.Typed("id")) {
			return d.page(c, designsView{form: back})
		}
		return frame.Done(c, Path, "restored")
	case "create":
	default:
		return apperr.New(apperr.BadRequest, "The form isn’t one of this page.")
	}
	source, err := d.source(c, v.from, file)
	if err != nil {
		form.Fault("file", err.Error())
		return d.page(c, v)
	}
	return d.creates(c, v, names, source)
}

// source returns the document to begin with. Its errors are sentences.
func (d *designs) source(c echo.Context, from string, file ui.Upload) (string, error) {
	switch from {
	case fromBlank:
		return blankDesign, nil
	case fromFile:
		if len(file.Data) == 0 {
			return "", errors.New("Choose a file.") //nolint:staticcheck // a sentence on the page
		}
		return string(file.Data), nil
	}
	if source, ok := start.Document(from); ok {
		return source, nil
	}
	var of gen.DesignWithHtml
	if err := frame.Read(c, d.read, server.Input{Path: map[string]string{"designId": from}}, &of); err != nil {
		return "", errors.New("Choose what to begin with.") //nolint:staticcheck // a sentence on the page
	}
	return of.Html, nil
}

// maxSameName is how many designs of a project may have the same name before the page asks for another.
const maxSameName = 9

// creates creates a design from a document.
func (d *designs) creates(c echo.Context, v designsView, names frame.ProjectNames, source string) error {
	form := v.form
	project := form.Typed("projectId")
	if project == "" && len(names) > 0 {
		project = names[0].Id.String()
	}
	slug := slugOf(form.Typed("name"))
	var err error
	if len(names) == 0 {
		if project, err = d.firstProject(c, form); err != nil {
			return err
		}
		if project == "" {
			return d.page(c, v)
		}
	}
	for n := 1; n <= maxSameName; n++ {
		body := map[string]any{"projectId": project, "slug": slug, "name": form.Typed("name"), "html": source}
		if n > 1 {
			body["slug"] = slug + "-" + strconv.Itoa(n)
		}
		var out *server.Output
		if out, err = d.create.Form(c, server.Input{Body: body}); err == nil {
			var made gen.DesignWithHtml
			if err := out.Decode(&made); err != nil {
				return err
			}
			return frame.Done(c, designPath(made.Id.String()), "created")
		}
		if apperr.CodeOf(err) != apperr.Conflict {
			break
		}
	}
	form.Refuse(c, err)
	return d.page(c, v)
}

// firstProject creates the project of an account that has none, and returns its ID; "" if it was refused.
func (d *designs) firstProject(c echo.Context, form *ui.Form) (string, error) {
	out, err := d.addProject.Form(c, server.Input{Body: map[string]any{"name": form.Typed(projectName)}})
	if err != nil {
		of := ui.NewForm(ui.Input{Name: projectName, Pointer: "/name"})
		of.Refuse(c, err)
		if said := of.Input(projectName).Error; said != "" {
			form.Fault(projectName, said)
		} else {
			form.Refuse(c, err)
		}
		return "", nil
	}
	form.Inputs = slices.DeleteFunc(form.Inputs, func(in ui.Input) bool { return in.Name == projectName })
	var made gen.Project
	err = out.Decode(&made)
	return made.Id.String(), err
}

var notInSlug = regexp.MustCompile(`[^a-z0-9]+`)

// slugOf returns a slug for a name that no design of the service has.
func slugOf(name string) string {
	const most = 48
	slug := strings.Trim(notInSlug.ReplaceAllString(strings.ToLower(name), "-"), "-")
	slug = strings.Trim(slug[:min(len(slug), most)], "-")
	if slug == "" {
		return "design"
	}
	if _, taken := render.Lookup(slug, ""); taken || slug == "auto" {
		slug = "our-" + slug
	}
	return slug
}

// designRow is a design of the account in the list.
type designRow struct{ ID, Path, Picture, Name, Slug, Facts string }

// ownedDesign is a design of the service in the list. From is what to begin a copy with, or "".
type ownedDesign struct{ Name, Picture, Mood, Facts, From string }

// page responds with the page.
func (d *designs) page(c echo.Context, v designsView) error {
	names, err := frame.ReadProjects(c, d.projects)
	if err != nil {
		return err
	}
	query, project := frame.PageQuery(c), c.QueryParam("projectId")
	if project != "" {
		query.Set("projectId", project)
	}
	var list gen.DesignPage
	if err := frame.Read(c, d.list, server.Input{Query: query}, &list); err != nil {
		return err
	}
	rows, ids := make([]designRow, len(list.Items)), make([]string, len(list.Items))
	for i, of := range list.Items {
		ids[i] = of.Id.String()
		rows[i] = designRow{
			ID: ids[i], Path: designPath(of.Id.String()), Name: of.Name, Slug: of.Slug,
			Picture: pictureOfDesign(of.Id.String(), url.Values{"version": {strconv.Itoa(of.Version)}}),
			Facts:   "version " + strconv.Itoa(of.Version) + ", " + usedBy(of.Images, of.OutdatedImages),
		}
		if len(names) > 1 {
			rows[i].Facts = names.Name(of.ProjectId.String()) + ", " + rows[i].Facts
		}
	}
	status := http.StatusOK
	of := frame.Head{
		Title: "Designs", Deck: "How your images look. Your own are HTML and CSS, with the facts of each page filled in.",
		Section: "Designs", Done: frame.Said(c, map[string]string{
			"deleted": "The design is deleted.", "restored": "The design is back.",
		}),
	}
	next := frame.More(Path, list.NextCursor)
	if project != "" {
		of.Crumb = &ui.Link{URL: frame.ProjectPath(project), Text: names.Name(project)}
		if next != nil {
			*next += "&projectId=" + url.QueryEscape(project)
		}
	}
	values := map[string]any{
		"Rows": rows, "Ours": oursInList(), "Path": Path, "More": next,
		"Projects": len(names),
		"Undo":     frame.UndoableIn(c, Path, "The design is deleted.").Among(c, ids, list.NextCursor != nil),
	}
	switch {
	case v.form != nil:
		status = v.form.Status
		values["Fault"] = v.form
		if len(v.form.Inputs) > 0 {
			values["Form"], values["Starts"] = v.form, startsFor(v.from, rows)
			if in := v.form.Input("name"); in.Value == "" && !v.form.Sent() {
				in.Value = nameOfStart(v.from, rows)
			}
		}
	default:
		of.Action = &ui.Link{URL: Path + "?new=1#new", Text: "Create your own"}
	}
	return d.Render(c, status, designsPage(), of, values)
}

// usedBy says how many images are drawn with a design, and how many of them aren't drawn by its latest version yet.
func usedBy(n, outdated int) string {
	if n == 0 {
		return "not used yet"
	}
	says := "used by " + humanize.Count(n, "image")
	switch {
	case outdated == 1:
		says += "; 1 still shows an earlier look"
	case outdated > 1:
		says += "; " + strconv.Itoa(outdated) + " still show an earlier look"
	}
	return says
}

// pictureOfDesign is the address of a picture of a design.
func pictureOfDesign(id string, q url.Values) string {
	return designPath(id) + "/picture?" + q.Encode()
}

// sampleOf is the address of the sample of a design of the service.
func sampleOf(slug string) string { return "/templates/" + url.PathEscape(slug) + "/sample" }

// startsFor are the documents to begin with; from is the chosen one.
func startsFor(from string, own []designRow) (all []beginning) {
	for _, slug := range start.Slugs() {
		all = append(all, beginning{Value: slug, Name: nameOfStart(slug, nil), Picture: sampleOf(slug)})
	}
	for _, of := range own {
		if of.ID == from {
			all = append(all, beginning{Value: of.ID, Name: of.Name, Picture: of.Picture})
		}
	}
	all = append(all, beginning{Value: fromBlank, Name: "A blank one"}, beginning{Value: fromFile, Name: "A file"})
	chosen := max(slices.IndexFunc(all, func(b beginning) bool { return b.Value == from }), 0)
	all[chosen].Chosen = true
	return all
}

// nameOfStart is the name of a document to begin with, or "".
func nameOfStart(from string, own []designRow) string {
	if of, ok := render.Lookup(from, ""); ok {
		return of.Name
	}
	for _, of := range own {
		if of.ID == from {
			return "Copy of " + of.Name
		}
	}
	return ""
}

// oursInList are the designs of the service.
func oursInList() []ownedDesign {
	copies := start.Slugs()
	kinds := map[render.Kind]string{render.OG: "share image", render.BlogHero: "blog hero"}
	var all []ownedDesign
	for _, t := range render.Templates() {
		var uses []string
		for _, k := range t.Kinds {
			uses = append(uses, kinds[k])
		}
		of := ownedDesign{Name: t.Name, Picture: sampleOf(t.Slug), Mood: t.Mood}
		of.Facts = humanize.Capital(strings.Join(uses, ", "))
		if len(t.Needs) > 0 {
			of.Facts += ". Needs " + ui.Needs(t.Needs)
		}
		if slices.Contains(copies, t.Slug) {
			of.From = t.Slug
		}
		all = append(all, of)
	}
	return all
}
