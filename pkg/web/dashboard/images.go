package dashboard

import (
	"encoding/json"
	"html/template"
	goimage "image"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/card"
	"masthead/pkg/humanize"
	"masthead/pkg/iconset"
	"masthead/pkg/platform"
	"masthead/pkg/server"
	"masthead/pkg/web/frame"
	"masthead/pkg/web/report"
	"masthead/pkg/web/ui"
	"masthead/render"
)

const imagesPath = frame.Home + "/images"

func imagePath(id string) string { return imagesPath + "/" + id }

var imagesPage = newView("images", "filter.css", "images.css", "tiles.css")

// images is the page of all images.
type images struct {
	*frame.Shell
	list, projects, undelete, designs *server.Operation
}

func newImages(sh *frame.Shell, r *frame.Router) {
	p := &images{Shell: sh, list: r.Operation("listImages"), projects: r.Operation("listProjects"),
		designs: r.Operation("listDesigns")}
	p.undelete = r.Operation("undeleteImage")
	r.Place("Images", "Images", imagesPath)
	r.Get(imagesPath, p.show)
	r.Post(imagesPath, p.undo)
}

// kinds are the kinds of images and their names.
var kinds = []ui.Option{
	{Value: "", Text: "All"}, {Value: string(gen.ImageKindOg), Text: "Share images"},
	{Value: string(gen.ImageKindBlogHero), Text: "Heroes"}, {Value: string(gen.ImageKindIconSet), Text: "Icon sets"},
	{Value: string(gen.ImageKindCustom), Text: "Custom sizes"},
}

// tile is an image in the grid.
type tile struct {
	thumb

	ID, Title, Host string
	Note            template.HTML
}

// undo takes back the deletion of an image.
func (p *images) undo(c echo.Context) error {
	form := ui.NewForm()
	if err := form.Read(c); err != nil {
		return err
	}
	if !frame.Undeletes(c, p.undelete, "imageId", form, form.Typed("id")) {
		return p.page(c, form)
	}
	return frame.Done(c, imagePath(form.Typed("id")), "restored")
}

// show serves GET /dashboard/images, with a search and filters.
func (p *images) show(c echo.Context) error { return p.page(c, ui.NewForm()) }

// page responds with the page, with the error of the form that was sent.
func (p *images) page(c echo.Context, form *ui.Form) error {
	names, err := frame.ReadProjects(c, p.projects)
	if err != nil {
		return err
	}
	filter := queryOf(c, "query", "kind", "projectId", "template")
	query := queryOf(c, "query", "kind", "projectId", "template", "cursor")
	var list gen.ImagePage
	if err := frame.Read(c, p.list, server.Input{Query: query}, &list); err != nil {
		return err
	}
	own, err := ownDesigns(c, p.designs, c.QueryParam("projectId"))
	if err != nil {
		return err
	}
	now := time.Now()
	tiles, ids := make([]tile, len(list.Items)), make([]string, len(list.Items))
	for i, of := range list.Items {
		ids[i] = of.Id.String()
		tiles[i] = tile{
			thumb: thumbOf(of), ID: ids[i], Title: titleOf(of), Host: siteOf(of.Url),
			Note: frame.Text(designOf(of, own)+", ") + frame.Ago(time.Time(of.CreatedAt), now),
		}
	}
	scopes := []ui.Option{{Text: "All projects"}}
	for _, project := range names {
		scopes = append(scopes, ui.Option{Value: project.Id.String(), Text: project.Name})
	}
	fields := []ui.Input{
		{Name: "kind", Label: "Kind", Type: "segments", Options: kinds, Value: filter.Get("kind")},
		{
			Name: "query", Label: "Search", Type: "search", Optional: true, MaxLength: 200, Autocomplete: "off",
			Value: filter.Get("query"), Class: "wider",
		},
		{Name: "template", Label: "Design", Options: own.choices(ui.Option{Text: "All designs"}), Value: filter.Get("template")},
	}
	if len(names) > 1 {
		fields = append(fields, ui.Input{
			Name: "projectId", Label: "Project", Options: scopes, Value: filter.Get("projectId"),
		})
	}
	of := frame.Head{
		Title: "Images", Deck: "Everything that was drawn for your projects, newest first.", Section: "Images",
		Action: &ui.Link{URL: "/try", Text: "Draw a card"},
	}
	next := frame.More(imagesPath, list.NextCursor)
	if next != nil && len(filter) > 0 {
		filtered := *next + "&" + filter.Encode()
		next = &filtered
	}
	return p.Render(c, form.Status, imagesPage(), of, map[string]any{
		"Form": form, "Found": foundImages(c, len(tiles), list.NextCursor),
		"Undo":  frame.UndoableIn(c, imagesPath, "The image is deleted.").Among(c, ids, list.NextCursor != nil),
		"Tiles": tiles, "Fields": fields, "Drawable": drawable(filter.Get("query")), "Filtered": len(filter) > 0,
		"Path": imagesPath, "More": next,
	})
}

// foundImages says how many images there are, as far as the first page of the list has them.
func foundImages(c echo.Context, shown int, next *gen.NextCursor) string {
	switch {
	case shown == 0 || c.QueryParam("cursor") != "":
		return ""
	case next != nil:
		return "More than " + humanize.Count(shown, "image")
	}
	return humanize.Count(shown, "image")
}

// queryOf returns those parameters of a request that aren't empty.
func queryOf(c echo.Context, names ...string) url.Values {
	found := url.Values{}
	for _, name := range names {
		if value := c.QueryParam(name); value != "" {
			found.Set(name, value)
		}
	}
	return found
}

// drawable returns what was searched for if it is the address of a page, or "".
func drawable(query string) string {
	if !strings.Contains(query, ".") || strings.ContainsAny(query, " \t") {
		return ""
	}
	if _, err := ui.AddressOf(query); err != nil {
		return ""
	}
	return query
}

// titleOf is the title of an image: that of the page, or its host.
func titleOf(of gen.Image) string {
	if of.Source.Title != nil && strings.TrimSpace(*of.Source.Title) != "" {
		return *of.Source.Title
	}
	return siteOf(of.Url)
}

// siteOf is the host of an address.
func siteOf(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		return u.Host
	}
	return address
}

// earlier is an earlier picture of an image.
type earlier struct {
	thumb

	Version int64
	Note    template.HTML
}

// earlierOf returns the earlier pictures of an image.
func (p *image) earlierOf(c echo.Context, of gen.Image) ([]earlier, error) {
	var list gen.ImageVersionList
	in := server.Input{Path: map[string]string{"imageId": of.Id.String()}}
	if err := frame.Read(c, p.versions, in, &list); err != nil {
		return nil, err
	}
	all := make([]earlier, len(list.Items))
	for i, v := range list.Items {
		note := frame.Date(time.Time(v.ShownUntil))
		if frame.DateWords(time.Time(v.ShownFrom)) != frame.DateWords(time.Time(v.ShownUntil)) {
			note = frame.Date(time.Time(v.ShownFrom)) + " to " + note
		}
		all[i] = earlier{
			thumb:   thumb{Path: local(v.ImageUrl), URL: local(v.ImageUrl), Alt: v.Alt, Wide: of.Kind != gen.ImageKindIconSet},
			Version: v.Version, Note: note,
		}
	}
	return all, nil
}

var imagePage = sync.OnceValue(func() *ui.View {
	return newView("image", "use", "images.css", "tiles.css")().
		With(report.FrameTemplates, report.FrameStyle()+iconset.PlacesStyle)
})

// image is the page of one image.
type image struct {
	*frame.Shell
	read, redraw, remove, project, versions, restore, archive, designs *server.Operation
}

func newImage(sh *frame.Shell, r *frame.Router) {
	p := &image{
		Shell: sh, read: r.Operation("getImage"), redraw: r.Operation("generateImage"), remove: r.Operation("deleteImage"),
		project: r.Operation("getProject"), versions: r.Operation("listImageVersions"),
		restore: r.Operation("restoreImageVersion"), archive: r.Operation("downloadImage"),
		designs: r.Operation("listDesigns"),
	}
	r.Get(imagePath(":id"), p.show)
	r.Get(imagePath(":id")+"/icons/:name", p.icon)
	r.Post(imagePath(":id"), p.change)
}

func (p *image) get(c echo.Context) (gen.Image, error) {
	var found gen.Image
	err := frame.Read(c, p.read, server.Input{Path: map[string]string{"imageId": c.Param("id")}}, &found)
	return found, err
}

// show serves GET /dashboard/images/{id}.
func (p *image) show(c echo.Context) error {
	found, err := p.get(c)
	if err != nil {
		return err
	}
	return p.page(c, found, ui.NewForm())
}

// change handles the forms of the page.
func (p *image) change(c echo.Context) error {
	found, err := p.get(c)
	if err != nil {
		return err
	}
	form := ui.NewForm()
	if err := form.Read(c); err != nil {
		return err
	}
	switch form.Typed("do") {
	case "redraw":
		body := map[string]any{
			"url": found.Url, "projectId": found.ProjectId, "kind": found.Kind, "force": true,
		}
		addLook(body, found)
		if err := addCustom(c, p.designs, body, found); err != nil {
			return err
		}
		if found.Content != nil {
			body["content"] = found.Content
		}
		if found.Ai != nil && found.Ai.Enabled {
			body["ai"] = map[string]any{
				"model": found.Ai.Model, "prompt": found.Ai.OwnPrompt, "override": found.Ai.Override,
			}
			if found.Ai.From != nil {
				body["ai"] = map[string]any{"from": found.Ai.From}
			}
		}
		return p.draws(c, found, form, body)
	case "reuse":
		return p.draws(c, found, form, map[string]any{
			"url": found.Url, "projectId": found.ProjectId, "kind": found.Kind, "template": form.Typed("template"),
			"style": found.Style, "ai": map[string]any{"from": found.Id},
		})
	case "restore":
		_, err := p.restore.Form(c, server.Input{
			Path: map[string]string{"imageId": c.Param("id"), "version": form.Typed("version")},
		})
		if err != nil {
			form.Refuse(c, err)
			return p.page(c, found, form)
		}
		return frame.Done(c, imagePath(found.Id.String()), "version")
	case "delete":
		err := frame.Deletes(c, p.remove, "imageId", c.Param("id"), imagesPath, "")
		if err != nil {
			form.Refuse(c, err)
			return p.page(c, found, form)
		}
		return nil
	}
	return apperr.New(apperr.BadRequest, "The form isn’t one of this page.")
}

// draws draws an image and leads to its page.
func (p *image) draws(c echo.Context, found gen.Image, form *ui.Form, body map[string]any) error {
	out, err := p.redraw.Form(c, server.Input{Body: body, ProjectID: found.ProjectId.String()})
	if err != nil {
		form.Refuse(c, err)
		if apperr.CodeOf(err) == apperr.UpstreamFailed {
			form.Error += " The current image stays."
		}
		return p.page(c, found, form)
	}
	var drawn gen.Image
	if err := out.Decode(&drawn); err != nil {
		return err
	}
	return frame.Done(c, imagePath(drawn.Id.String()), "drawn")
}

// reusable returns the other designs that can have the AI picture of an image, or nil if it has none.
func reusable(of gen.Image) (all []ui.Option) {
	if of.Ai == nil || !of.Ai.Enabled || of.Ai.FellBack {
		return nil
	}
	for _, d := range render.Templates() {
		if !d.Bare && slices.Contains(d.Kinds, render.Kind(of.Kind)) && (of.Template == nil || d.Slug != *of.Template) {
			all = append(all, ui.Option{Value: d.Slug, Text: d.Name})
		}
	}
	return all
}

// fact is a line of the facts of a thing.
type fact struct {
	Name, Value, URL string
	// At is when, with Value after it, or zero.
	At template.HTML
}

// factsOf are the facts of an image.
func factsOf(of gen.Image, own designNames) []fact {
	facts := []fact{{Name: "Page", Value: of.Url, URL: of.Url}, {Name: "Design", Value: designOf(of, own)}}
	if style := of.Style; style != nil {
		look := "light"
		if style.Dark {
			look = "dark"
		}
		facts[1].Value += ", " + look
		if style.Accent != nil {
			facts = append(facts, fact{Name: "Accent", Value: *style.Accent})
		}
	}
	drawn := fact{Name: "Drawn", At: frame.Date(time.Time(of.CreatedAt))}
	if of.GenerationMs != nil {
		drawn.Value = ", in " + strconv.Itoa(*of.GenerationMs) + " ms"
	}
	facts = append(facts, fact{Name: "Size", Value: shownSize(goimage.Pt(of.Width, of.Height))}, drawn)
	if ai := of.Ai; ai != nil && ai.Enabled {
		switch {
		case ai.FallbackReason != nil:
			facts = append(facts, fact{Name: "AI image", Value: fallbacks[*ai.FallbackReason]})
		case ai.Model != nil:
			facts = append(facts, fact{Name: "AI image", Value: "Model: " + string(*ai.Model)})
		}
		if ai.Prompt != nil {
			facts = append(facts, fact{Name: "Prompt", Value: *ai.Prompt})
		}
	}
	return append(facts, fact{Name: "Alternative text", Value: of.Alt},
		fact{Name: "Public URL", Value: of.PublicUrl, URL: local(of.PublicUrl)})
}

// page responds with the page, with the error of the form that was sent.
func (p *image) page(c echo.Context, found gen.Image, form *ui.Form) error {
	use, err := p.use(c, found)
	if err != nil {
		return err
	}
	versions, err := p.earlierOf(c, found)
	if err != nil {
		return err
	}
	places, err := p.places(c, found)
	if err != nil {
		return err
	}
	own, err := namesFor(c, p.designs, []gen.Image{found})
	if err != nil {
		return err
	}
	return p.Render(c, form.Status, imagePage(), frame.Head{
		Title: titleOf(found), Name: "Image", Section: "Images", Crumb: &ui.Link{URL: imagesPath, Text: "Images"},
		Done: frame.Said(c, map[string]string{
			"drawn": "Drawn.", "saved": "Saved.", "restored": "The image is back.",
			"version": "The earlier version is back.",
		}),
	}, map[string]any{
		"Image": found, "URL": local(found.ImageUrl), "Facts": factsOf(found, own), "Path": imagePath(found.Id.String()),
		"Form": form, "Icons": found.Kind == gen.ImageKindIconSet, "Places": places,
		"Use": use, "Others": othersOf(found), "Reusable": reusable(found), "Sizes": sizeTiles(found),
		"Earlier": versions, "Look": lookOf(found),
		"PaysAI":   p.Shell.Draws && paysAI(found.Ai),
		"Download": "/images/" + found.Id.String() + "/download",
	})
}

// paysAI reports whether drawing an image again takes an AI picture. One of another image costs nothing, and a design
// without a place for one takes none.
func paysAI(of *gen.Ai) bool {
	return of != nil && of.Enabled && of.From == nil &&
		(of.FallbackReason == nil || *of.FallbackReason != gen.AiFallbackReasonTemplate)
}

// othersOf returns what each platform shows of a page with its share image, or nil for images of other kinds.
func othersOf(of gen.Image) map[string]any {
	if of.Kind != gen.ImageKindOg {
		return nil
	}
	page := platform.Page{URL: of.Url, Host: siteOf(of.Url), Card: "summary_large_image"}
	for _, tag := range []struct {
		key  string
		text *string
	}{
		{"title", of.Source.Title}, {"og:title", of.Source.Title}, {"og:description", of.Source.Description},
		{"og:site_name", of.Source.SiteName},
	} {
		if tag.text != nil {
			page.Tags = append(page.Tags, platform.Tag{Key: tag.key, Value: *tag.text})
		}
	}
	format := "jpeg"
	if strings.HasSuffix(of.ImageUrl, ".png") {
		format = "png"
	}
	all, month := report.FramesOf(page, &report.Card{
		URL: local(of.ImageUrl), Format: format, Width: of.Width, Height: of.Height, Alt: of.Alt,
	}, "")
	const first = 4
	return map[string]any{
		"Frames": all[:min(first, len(all))], "MoreFrames": all[min(first, len(all)):], "Month": month,
	}
}

// requestOf returns the request for an image that looks like another one.
func requestOf(of gen.Image) card.Request {
	r := card.Request{URL: of.Url, Kind: card.Kind(of.Kind)}
	if of.Template != nil {
		r.Template = *of.Template
	}
	if of.Kind == gen.ImageKindCustom {
		r.Size = goimage.Pt(of.Width, of.Height)
	}
	r.Sizes = sizesOf(of)[1:]
	if of.Data != nil {
		r.Data, _ = json.Marshal(of.Data) // it was decoded from JSON
	}
	if style := of.Style; style != nil {
		r.Style = card.Style{Dark: style.Dark, Font: string(style.Font)}
		if style.Accent != nil {
			r.Style.Accent = *style.Accent
		}
		if style.AspectRatio != nil {
			r.Style.AspectRatio = string(*style.AspectRatio)
		}
		if style.Logo != nil {
			r.Style.Logo = &card.Logo{URL: style.Logo.Url, Position: string(style.Logo.Position)}
		}
	}
	if ai := of.Ai; ai != nil && ai.Enabled {
		r.AI = &card.AI{}
		if ai.Model != nil {
			r.AI.Model = string(*ai.Model)
		}
	}
	return r
}

// fallbacks say why an image has no AI background.
var fallbacks = map[gen.AiFallbackReason]string{
	gen.AiFallbackReasonOff:      "None: this server has no AI provider",
	gen.AiFallbackReasonPlan:     "None: your plan doesn’t have this model",
	gen.AiFallbackReasonPolicy:   "None: the provider rejected the prompt",
	gen.AiFallbackReasonProvider: "None: the provider didn’t respond",
	gen.AiFallbackReasonTemplate: "None: this design takes no AI image",
	gen.AiFallbackReasonQuota:    "None: this month’s units were used up",
}
