package dashboard

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/cleantext"
	"masthead/pkg/humanize"
	"masthead/pkg/server"
	"masthead/pkg/web/designs"
	"masthead/pkg/web/frame"
	"masthead/pkg/web/ui"
)

const projectsPath = frame.Home + "/projects"

var projectsPage = newView("projects", "projects.css")

// projects is the page of all projects.
type projects struct {
	*frame.Shell
	list, create, images, preview *server.Operation
}

func newProjects(sh *frame.Shell, r *frame.Router) {
	p := &projects{
		Shell: sh, list: r.Operation("listProjects"), create: r.Operation("createProject"), images: r.Operation("listImages"),
		preview: r.Operation("previewPage"),
	}
	r.Place("Projects", "Projects", projectsPath)
	r.Get(projectsPath, p.show)
	r.Post(projectsPath, p.add)
}

// projectRow is a project in the list.
type projectRow struct {
	Path, Name, Public string
	// Domains are the first ones, More is how many others there are.
	Domains []domainRow
	More    int
	Images  []thumb
}

// domainsShown is how many domains of a project the list has.
const domainsShown = 3

// projectForm is the form for a new project.
func projectForm() *ui.Form {
	return ui.NewForm(
		ui.Input{
			Name: "domain", Pointer: "/domains", Label: "Site URL", Autocomplete: "off", Mode: "url", MaxLength: 2048,
			Optional: true, Hint: "Cards are drawn for its pages and those of its subdomains.",
		},
		ui.Input{
			Name: "name", Label: "Name", Autocomplete: "off", MaxLength: 100, Optional: true,
			Hint: "Leave it empty to take it from the site.",
		},
	)
}

// show serves GET /dashboard/projects. "new" in the query asks for the form.
func (p *projects) show(c echo.Context) error {
	var form *ui.Form
	if c.QueryParam("new") != "" {
		form = projectForm()
		form.Input("domain").Focus = true
	}
	return p.page(c, form)
}

// add handles the form for a new project.
func (p *projects) add(c echo.Context) error {
	form := projectForm()
	if err := form.Read(c); err != nil {
		return err
	}
	domains, name := domainsOf(form.Typed("domain")), form.Typed("name")
	if strings.TrimSpace(name) == "" && len(domains) == 0 {
		form.Fault("domain", "Enter the URL of your site, or a name.")
		return p.page(c, form)
	}
	if strings.TrimSpace(name) == "" {
		name = p.nameOf(c, form.Typed("domain"), domains[0])
	}
	in := server.Input{Body: map[string]any{"name": name, "domains": domains}, Header: frame.Repeats(c)}
	out, err := p.create.Form(c, in)
	if err != nil {
		form.Refuse(c, err)
		return p.page(c, form)
	}
	var made gen.Project
	if err := out.Decode(&made); err != nil {
		return err
	}
	return frame.Done(c, frame.ProjectPath(made.Id.String()), "created")
}

// nameOf returns the name of a site, which it reads once: the one that its page gives, or its host.
func (p *projects) nameOf(c echo.Context, typed, host string) string {
	address := typed
	if !ui.HasScheme(typed) {
		address = "https://" + strings.TrimSpace(typed)
	}
	name := host
	out, err := p.preview.Run(c.Request().Context(), server.Input{Body: map[string]any{"url": address}})
	var page gen.Preview
	if err == nil && out.Decode(&page) == nil {
		for _, said := range []*string{page.Metadata.SiteName, page.Metadata.Title} {
			if said != nil && strings.TrimSpace(*said) != "" {
				name = *said
				break
			}
		}
	}
	return cleantext.Clean(name, maxName)
}

// maxName is the maximum length of a project's name.
const maxName = 100

// domainsOf returns the domain that was typed, or that of an address.
func domainsOf(typed string) []string {
	typed = strings.TrimSpace(typed)
	if typed == "" {
		return []string{}
	}
	return []string{hostOf(typed)}
}

// hostOf returns the host of an address that was typed in place of a domain; other texts are unchanged, for the
// operation to judge.
func hostOf(typed string) string {
	typed = strings.TrimSpace(typed)
	if ui.HasScheme(typed) {
		if u, err := url.Parse(typed); err == nil && u.Hostname() != "" {
			return u.Hostname()
		}
	}
	return typed
}

// page responds with the page. Without a form the list alone is there, unless it is empty.
func (p *projects) page(c echo.Context, form *ui.Form) error {
	query := url.Values{}
	if cursor := c.QueryParam("cursor"); cursor != "" {
		query.Set("cursor", cursor)
	}
	var list gen.ProjectPage
	if err := frame.Read(c, p.list, server.Input{Query: query}, &list); err != nil {
		return err
	}
	rows, now := make([]projectRow, len(list.Items)), time.Now()
	for i, found := range list.Items {
		var images gen.ImagePage
		of := url.Values{"projectId": {found.Id.String()}, "limit": {"3"}}
		if err := frame.Read(c, p.images, server.Input{Query: of}, &images); err != nil {
			return err
		}
		row := projectRow{
			Path: frame.ProjectPath(found.Id.String()), Name: found.Name, Public: "/og/" + found.PublicId,
			Domains: domainRows(found.DomainChecks[:min(domainsShown, len(found.DomainChecks))], now),
			More:    max(0, len(found.Domains)-domainsShown),
		}
		for n, image := range images.Items {
			if n == 2 && len(found.Domains) == 0 {
				break // the third place is the link to add a domain
			}
			row.Images = append(row.Images, thumbOf(image))
		}
		rows[i] = row
	}
	status := http.StatusOK
	of := frame.Head{
		Title: "Projects", Deck: "One for each site. A project has its domains, its images and its keys.",
		Section: "Projects", Done: frame.Said(c, map[string]string{"deleted": "The project is deleted."}),
	}
	if form == nil && len(rows) == 0 {
		form = projectForm()
	}
	if form != nil {
		status = form.Status
	} else {
		of.Action = &ui.Link{URL: projectsPath + "?new=1#new", Text: "New project"}
	}
	return p.Render(c, status, projectsPage(), of, map[string]any{
		"Rows": rows, "Form": form, "Again": frame.Once(), "Path": projectsPath, "More": frame.More(projectsPath, list.NextCursor),
	})
}

var projectPage = newView("project", "settings.css", "project.css")

// project is the page of one project.
type project struct {
	*frame.Shell
	read, update, remove, images, keys *server.Operation

	assets, upload, discard *server.Operation
	signing, newKey         *server.Operation
}

func newProject(sh *frame.Shell, r *frame.Router) {
	p := &project{
		Shell: sh, read: r.Operation("getProject"), update: r.Operation("updateProject"),
		remove: r.Operation("deleteProject"), images: r.Operation("listImages"), keys: r.Operation("listKeys"),
		assets: r.Operation("listAssets"), upload: r.Operation("createAsset"), discard: r.Operation("deleteAsset"),
		signing: r.Operation("listSigningKeys"), newKey: r.Operation("createSigningKey"),
	}
	r.Get(frame.ProjectPath(":id"), p.show)
	r.Post(frame.ProjectPath(":id"), p.change)
}

// projectForms are the forms of the page.
type projectForms struct {
	name, domain, brand, picture, deletion *ui.Form
	// files are those of the project.
	files []gen.ProjectAsset
	// removed is the domain that was just removed, and can be added again at its place in the list, or "".
	removed string
	place   int
}

func newProjectForms(of gen.Project, assets []gen.ProjectAsset) projectForms {
	return projectForms{
		name: ui.NewForm(ui.Input{Name: "name", Label: "Name", Autocomplete: "off", MaxLength: 100, Value: of.Name}),
		domain: ui.NewForm(ui.Input{
			Name: "domain", Pointer: "/domains", Label: "Another domain", Autocomplete: "off", Mode: "url", MaxLength: 2048,
		}),
		brand:   brandForm(of.Brand, assets),
		files:   assets,
		picture: pictureForm(),
		deletion: ui.NewForm(ui.Input{
			Name: "confirm", Label: "Type the project’s name", Autocomplete: "off", MaxLength: 100,
		}),
	}
}

func (p *project) get(c echo.Context) (gen.Project, error) {
	var found gen.Project
	err := frame.Read(c, p.read, server.Input{Path: map[string]string{"projectId": c.Param("id")}}, &found)
	return found, err
}

// show serves GET /dashboard/projects/{id}.
func (p *project) show(c echo.Context) error {
	found, err := p.get(c)
	if err != nil {
		return err
	}
	files, err := p.files(c, found.Id.String())
	if err != nil {
		return err
	}
	return p.page(c, found, newProjectForms(found, files), nil)
}

// change handles the forms of the page.
func (p *project) change(c echo.Context) error {
	found, err := p.get(c)
	if err != nil {
		return err
	}
	files, err := p.files(c, found.Id.String())
	if err != nil {
		return err
	}
	forms := newProjectForms(found, files)
	if isUpload(c) {
		return p.uploads(c, found, forms)
	}
	sent := ui.NewForm()
	if err := sent.Read(c); err != nil {
		return err
	}
	here := frame.ProjectPath(found.Id.String())
	var form *ui.Form
	var body map[string]any
	what := "saved"
	switch sent.Typed("do") {
	case "name":
		form, body = forms.name, map[string]any{"name": sent.Typed("name")}
	case "add":
		form, what = forms.domain, "added"
		body = map[string]any{"domains": withDomain(found.Domains, sent)}
	case "remove":
		form, what = forms.domain, "removed"
		left := slices.DeleteFunc(slices.Clone(found.Domains), func(d string) bool { return d == sent.Typed("which") })
		body = map[string]any{"domains": left}
	case "brand":
		form, body = forms.brand, brandOf(sent)
	case "ai":
		form, body = ui.NewForm(), map[string]any{"publicAi": sent.Typed("publicAi") != ""}
	case "sign":
		form, body = ui.NewForm(), map[string]any{"requireSignature": sent.Typed("requireSignature") != ""}
	case "key":
		return p.addsKey(c, found, forms)
	case "discard":
		return p.discards(c, found, forms, sent)
	case "delete":
		return p.deletes(c, found, forms)
	default:
		return apperr.New(apperr.BadRequest, "The form isn’t one of this page.")
	}
	if err := form.Read(c); err != nil {
		return err
	}
	in := server.Input{Path: map[string]string{"projectId": c.Param("id")}, Body: body}
	out, err := p.update.Form(c, in)
	if err != nil {
		form.Refuse(c, err)
		return p.page(c, found, forms, form)
	}
	if place := slices.Index(found.Domains, sent.Typed("which")); what == "removed" && place >= 0 {
		return p.removed(c, out, sent.Typed("which"), place)
	}
	return frame.Done(c, here, what)
}

// withDomain returns domains with the one that was sent: at the end, or in the place that it was removed from.
func withDomain(domains []string, sent *ui.Form) []string {
	place, err := strconv.Atoi(sent.Typed("place"))
	if err != nil || place < 0 || place > len(domains) {
		place = len(domains)
	}
	return slices.Insert(slices.Clone(domains), place, hostOf(sent.Typed("domain")))
}

// removed responds with the page, which offers to add a domain again that was just removed from a place in the list.
// Only this response says which: in a link, it could be anything.
func (p *project) removed(c echo.Context, out *server.Output, which string, place int) error {
	var found gen.Project
	if err := out.Decode(&found); err != nil {
		return err
	}
	files, err := p.files(c, found.Id.String())
	if err != nil {
		return err
	}
	forms := newProjectForms(found, files)
	forms.removed, forms.place = which, place
	return p.page(c, found, forms, nil)
}

// addsKey creates a signing key.
func (p *project) addsKey(c echo.Context, found gen.Project, forms projectForms) error {
	form := ui.NewForm()
	if _, err := p.newKey.Form(c, server.Input{Path: map[string]string{"projectId": c.Param("id")}}); err != nil {
		form.Refuse(c, err)
		return p.page(c, found, forms, form)
	}
	return frame.Done(c, frame.ProjectPath(found.Id.String()), "key")
}

// deletes deletes the project if its name was typed.
func (p *project) deletes(c echo.Context, found gen.Project, forms projectForms) error {
	form := forms.deletion
	if err := form.Read(c); err != nil {
		return err
	}
	if strings.TrimSpace(form.Typed("confirm")) != strings.TrimSpace(found.Name) {
		form.Fault("confirm", "This isn’t the name of the project.")
		return p.page(c, found, forms, form)
	}
	in := server.Input{Path: map[string]string{"projectId": c.Param("id")}}
	if _, err := p.remove.Form(c, in); err != nil {
		form.Refuse(c, err)
		return p.page(c, found, forms, form)
	}
	return frame.Done(c, projectsPath, "deleted")
}

// page responds with the page, with the errors of the form that was sent, or nil.
func (p *project) page(c echo.Context, found gen.Project, forms projectForms, sent *ui.Form) error {
	id := found.Id.String()
	var images gen.ImagePage
	of := url.Values{"projectId": {id}, "limit": {"3"}}
	if err := frame.Read(c, p.images, server.Input{Query: of}, &images); err != nil {
		return err
	}
	var keys gen.SigningKeyList
	if err := frame.Read(c, p.signing, server.Input{Path: map[string]string{"projectId": id}}, &keys); err != nil {
		return err
	}
	has, err := p.Has(c, id, projectKinds...)
	if err != nil {
		return err
	}
	ask, lost := c.QueryParam("ask"), ""
	if sent != nil && sent == forms.deletion {
		ask = "delete"
	}
	if ask == "delete" {
		all, err := p.Has(c, id)
		if err != nil {
			return err
		}
		forms.deletion.Input("confirm").Focus, lost = true, contentsWords(all)
	}
	thumbs := make([]thumb, len(images.Items))
	for i, image := range images.Items {
		thumbs[i] = thumbOf(image)
	}
	status := http.StatusOK
	var fault *ui.Form
	if sent != nil {
		status = sent.Status
		if sent.Error != "" {
			fault = sent
		}
	}
	return p.Render(c, status, projectPage(), frame.Head{
		Title: found.Name, Name: "Project", Section: "Projects", Crumb: &ui.Link{URL: projectsPath, Text: "Projects"},
		Sub: "Settings", Subs: projectSubs(id, has),
		Done: frame.Said(c, map[string]string{
			"created": "The project is created.", "saved": "Saved.", "added": "The domain is added.",
			"removed": "The domain is removed.", "uploaded": "The file is uploaded.", "discarded": "The file is deleted.",
			"key": "The new key signs from now on.",
		}),
	}, map[string]any{
		"Project": found, "Path": frame.ProjectPath(id), "Images": thumbs, "NameForm": forms.name, "Domain": forms.domain,
		"Brand": forms.brand, "Outdated": outdatedWords(found.OutdatedImages), "Pictures": rowsOf(c, forms.files), "Upload": forms.picture,
		"Delete": forms.deletion, "Fault": fault, "Keys": keys.Items, "Draws": p.Draws, "Ask": ask,
		"Removed": forms.removed, "Place": forms.place, "Domains": domainRows(found.DomainChecks, time.Now()),
		"Waits": waitsForDomain(found.DomainChecks), "Lost": lost,
		"Tag": `<meta property="og:image" content="` + p.Base + "/og/" + found.PublicId + `?url=` + example(found) + `">`,
	})
}

// projectKinds are what the links below the head of a project count.
var projectKinds = []gen.ContentsKind{
	gen.ContentsKindImages, gen.ContentsKindDesigns, gen.ContentsKindKeys, gen.ContentsKindWebhooks,
}

// projectSubs are the links below the head of a project.
func projectSubs(id string, has gen.Contents) []frame.Sub {
	of := "?projectId=" + id
	return []frame.Sub{
		{Link: ui.Link{URL: frame.ProjectPath(id), Text: "Settings"}},
		{Link: ui.Link{URL: imagesPath + of, Text: "Images"}, Count: frame.CountText(has.Images)},
		{Link: ui.Link{URL: designs.Path + of, Text: "Designs"}, Count: frame.CountText(has.Designs)},
		{Link: ui.Link{URL: keysPath + of, Text: "Keys"}, Count: frame.CountText(has.Keys)},
		{Link: ui.Link{URL: webhooksPath + of, Text: "Webhooks"}, Count: frame.CountText(has.Webhooks)},
	}
}

// contentsWords is what is stored, in words: "12 images, 2 keys and 1 watched page". "" for nothing.
func contentsWords(has gen.Contents) string {
	var parts []string
	for _, part := range []struct {
		n    int
		unit string
	}{
		{has.Images, "image"}, {has.Files, "file"}, {has.Designs, "design"}, {has.Keys, "API key"},
		{has.Webhooks, "webhook"}, {has.Watches, "watched page"}, {has.Sitemaps, "watched sitemap"},
		{has.Reports, "report"}, {has.Sites, "site audit"},
	} {
		if part.n == 1 {
			parts = append(parts, "1 "+part.unit)
		} else if part.n > 0 {
			parts = append(parts, ui.Number(part.n)+" "+part.unit+"s")
		}
	}
	return humanize.And(parts)
}

// example is the escaped address of a page of a project, for its tag.
func example(of gen.Project) string {
	host := "example.com"
	if len(of.Domains) > 0 {
		host = of.Domains[0]
	}
	return url.QueryEscape("https://" + host + "/")
}
