package designs

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/server"
	"masthead/pkg/web/frame"
	"masthead/pkg/web/ui"
	"masthead/render/design"
)

// This file is the editor of a design; design_view.go is what it shows.

var designPage = newView("design", "-code", "design.css")

// editor is the page of one design.
type editor struct {
	*frame.Shell
	read, update, versions, restore, check, preview *server.Operation
	draft, save, discard, project, keys             *server.Operation
}

func addEditor(sh *frame.Shell, r *frame.Router) {
	e := &editor{
		Shell: sh, read: r.Operation("getDesign"), update: r.Operation("updateDesign"),
		versions: r.Operation("listDesignVersions"), restore: r.Operation("restoreDesign"),
		check: r.Operation("checkDesign"), preview: r.Operation("previewDesign"), draft: r.Operation("getDesignDraft"),
		save: r.Operation("putDesignDraft"), discard: r.Operation("deleteDesignDraft"), project: r.Operation("getProject"),
		keys: r.Operation("listKeys"),
	}
	r.Get(designPath(":id"), e.show)
	r.Post(designPath(":id"), e.change)
	r.Get(designPath(":id")+"/picture", e.picture)
	r.Get(designPath(":id")+"/document", e.download)
}

// editing is a design as a person changes it.
type editing struct {
	active gen.DesignWithHtml
	// HTML is the document in the editor, URL the page whose facts it shows, or "".
	HTML, URL string
	// Base is the version that it is a change of, Revision that of the draft, 0 for none. Saved is when it was saved.
	Base, Revision int
	Saved          time.Time
	// Window identifies the window.
	Window string
	Light  bool
	// Hero means that it is drawn as a hero of a post, of 1600x900, rather than as a share image. Sample means that it is
	// drawn with the sample page, since its page can't be read.
	Hero, Sample bool
	// form has what is wrong with the form that was sent, or is nil. stale is the draft of another window that is newer.
	form  *ui.Form
	stale *gen.DesignDraft
	done  string
	// name is the field of a name that was refused, or nil.
	name *ui.Input
}

func (e *editor) in(c echo.Context) server.Input {
	return server.Input{Path: map[string]string{"designId": c.Param("id")}}
}

// load reads the design, and the draft if there is one.
func (e *editor) load(c echo.Context) (*editing, error) {
	of := &editing{Window: frame.Once(), Light: c.QueryParam("light") != "", Hero: c.QueryParam("hero") != ""}
	if err := frame.Read(c, e.read, e.in(c), &of.active); err != nil {
		return nil, err
	}
	of.HTML, of.Base = of.active.Html, of.active.Version
	draft, err := e.saved(c)
	if err != nil || draft == nil {
		return of, err
	}
	of.take(*draft)
	return of, nil
}

// take shows a draft in the editor.
func (of *editing) take(draft gen.DesignDraft) {
	of.HTML, of.Base, of.Revision, of.Saved = draft.Html, draft.BaseVersion, draft.Revision, time.Time(draft.SavedAt)
	of.URL = ""
	if draft.Url != nil {
		of.URL = *draft.Url
	}
}

// saved returns the draft, or nil if there is none.
func (e *editor) saved(c echo.Context) (*gen.DesignDraft, error) {
	var draft gen.DesignDraft
	err := frame.Read(c, e.draft, e.in(c), &draft)
	switch {
	case apperr.CodeOf(err) == apperr.NotFound:
		return nil, nil //nolint:nilnil // no error, and no draft
	case err != nil:
		return nil, err
	}
	return &draft, nil
}

// show serves GET /dashboard/designs/{id}.
func (e *editor) show(c echo.Context) error {
	of, err := e.load(c)
	if err != nil {
		return err
	}
	of.done = frame.Said(c, map[string]string{
		"created": "The design is there. Nothing uses it until a request names it.", "published": "Published.",
		"restored": "The version is drawn from now on.", "discarded": "Your draft is discarded.", "renamed": "Renamed.",
	})
	return e.page(c, of)
}

// change handles the forms of the page.
func (e *editor) change(c echo.Context) error {
	form := editorForm("")
	if _, err := form.ReadUpload(c, "file", 4*design.MaxBytes); err != nil {
		if errors.Is(err, ui.ErrTooLarge) {
			return apperr.New(apperr.PayloadTooLarge, "The document is too large. The limit is 256 KB.")
		}
		return err
	}
	of, err := e.load(c)
	if err != nil {
		return err
	}
	switch form.Typed("do") {
	case "restore":
		return e.restores(c, of, form)
	case "rename":
		return e.renames(c, of, form)
	case "discard":
		if _, err := e.discard.Form(c, e.in(c)); err != nil {
			return err
		}
		return frame.Done(c, designPath(c.Param("id")), "discarded")
	case "draw", "publish", "over", "save":
	default:
		return apperr.New(apperr.BadRequest, "The form isn’t one of this page.")
	}
	if ok, err := e.saves(c, of, of.typed(form)); !ok || err != nil {
		return err
	}
	if do := form.Typed("do"); do == "publish" || do == "over" {
		return e.publishes(c, of, do == "over")
	}
	if form.Typed("do") == "save" {
		return c.NoContent(http.StatusNoContent)
	}
	query := url.Values{}
	for _, name := range []string{"light", "hero", "part", "window"} {
		if value := form.Typed(name); value != "" {
			query.Set(name, value)
		}
	}
	return c.Redirect(http.StatusSeeOther, designPath(c.Param("id"))+"?"+query.Encode())
}

// typed takes what was sent. It returns the revision of the draft that the window has loaded, or nil to replace any.
func (of *editing) typed(form *ui.Form) (loaded *int) {
	// Browsers send lines with CRLF.
	of.HTML = strings.ReplaceAll(form.Typed("html"), "\r\n", "\n")
	of.URL, of.Light, of.form = addressOf(form.Typed("url")), form.Typed("light") != "", form
	of.Hero = form.Typed("hero") != ""
	if window := form.Typed("window"); window != "" {
		of.Window = window
	}
	if base, err := strconv.Atoi(form.Typed("base")); err == nil {
		of.Base = base
	}
	if revision, err := strconv.Atoi(form.Typed("revision")); err == nil {
		loaded = &revision
	}
	return loaded
}

// addressOf returns the address that was typed, with https if it has no scheme.
func addressOf(typed string) string {
	typed = strings.TrimSpace(typed)
	if typed != "" && !ui.HasScheme(typed) {
		return "https://" + typed
	}
	return typed
}

// saves saves the draft. If it can't, it responds with the page, and ok is false.
func (e *editor) saves(c echo.Context, of *editing, revision *int) (ok bool, err error) {
	in := e.in(c)
	in.Body = map[string]any{
		"html": of.HTML, "url": of.URL, "baseVersion": of.Base, "window": of.Window, "revision": revision,
	}
	out, err := e.save.Form(c, in)
	if err != nil {
		of.form.Refuse(c, err)
		if apperr.CodeOf(err) == apperr.Conflict {
			of.form.Status, of.form.Error = http.StatusConflict, ""
			if of.stale, err = e.saved(c); err != nil {
				return false, err
			}
		}
		return false, e.page(c, of)
	}
	var draft gen.DesignDraft
	if err := out.Decode(&draft); err != nil {
		return false, err
	}
	of.take(draft)
	return true, nil
}

// publishes makes the draft the next version. over replaces a version that was published meanwhile.
func (e *editor) publishes(c echo.Context, of *editing, over bool) error {
	in := e.in(c)
	body := map[string]any{"html": of.HTML, "baseVersion": of.Base}
	if over {
		body["baseVersion"] = of.active.Version
	}
	in.Body = body
	if _, err := e.update.Form(c, in); err != nil {
		of.form.Refuse(c, err)
		if code := apperr.CodeOf(err); code == apperr.Conflict || code == apperr.BadRequest {
			of.form.Error = "" // the page says which lines, or what has changed
		}
		return e.page(c, of)
	}
	if _, err := e.discard.Form(c, e.in(c)); err != nil {
		return err
	}
	return frame.Done(c, designPath(c.Param("id")), "published")
}

// restores makes an earlier version the active one.
func (e *editor) restores(c echo.Context, of *editing, form *ui.Form) error {
	version, _ := strconv.Atoi(form.Typed("version")) // 0 is refused
	in := e.in(c)
	in.Body = map[string]any{"version": version}
	if _, err := e.restore.Form(c, in); err != nil {
		of.form = form
		form.Refuse(c, err)
		return e.page(c, of)
	}
	return frame.Done(c, designPath(c.Param("id")), "restored")
}

// renames gives the design another name. Its slug, which requests have, stays.
func (e *editor) renames(c echo.Context, of *editing, form *ui.Form) error {
	in := e.in(c)
	in.Body = map[string]any{"name": form.Typed("name")}
	if _, err := e.update.Form(c, in); err != nil {
		of.form, of.name = form, form.Input("name")
		form.Refuse(c, err)
		return e.page(c, of)
	}
	return frame.Done(c, designPath(c.Param("id")), "renamed")
}

// picture serves GET /dashboard/designs/{id}/picture: the draft, or a version if the query has one.
func (e *editor) picture(c echo.Context) error {
	of, err := e.load(c)
	if err != nil {
		return err
	}
	body := map[string]any{
		"projectId": of.active.ProjectId.String(), "style": map[string]any{"dark": c.QueryParam("light") == ""},
	}
	fixed := true
	if version, err := strconv.Atoi(c.QueryParam("version")); err == nil {
		body["designId"], body["version"] = of.active.Id.String(), version
	} else {
		body["html"] = of.HTML
		fixed = c.QueryParam("v") == strconv.Itoa(of.Revision)
		if of.URL != "" && c.QueryParam("sample") == "" {
			body["url"] = of.URL
		}
	}
	if text := c.QueryParam("text"); text != "" {
		body["text"] = text
	}
	if of.Hero {
		body["size"] = heroSize
	}
	out, err := e.preview.Run(c.Request().Context(), server.Input{Body: body})
	if err != nil {
		return err
	}
	h := c.Response().Header()
	if fixed {
		h.Set("Cache-Control", "private, max-age=600")
	}
	h.Set("X-Content-Type-Options", "nosniff")
	return c.Blob(http.StatusOK, out.Header.Get(echo.HeaderContentType), out.Body)
}

// download serves GET /dashboard/designs/{id}/document: the document in the editor as a file.
func (e *editor) download(c echo.Context) error {
	of, err := e.load(c)
	if err != nil {
		return err
	}
	h := c.Response().Header()
	h.Set(echo.HeaderContentDisposition, `attachment; filename="`+of.active.Slug+`.html"`)
	h.Set("X-Content-Type-Options", "nosniff")
	return c.Blob(http.StatusOK, "text/plain; charset=utf-8", []byte(of.HTML))
}

// editorForm is the form of the editor.
func editorForm(address string) *ui.Form {
	return ui.NewForm(
		ui.Input{Name: "url", Label: "Page for the facts", Value: address, Mode: "url", Autocomplete: "url", Optional: true},
		ui.Input{Name: "html", Label: "Document"}, nameOfDesign(""),
	)
}

// nameOfDesign is the field of its name.
func nameOfDesign(value string) ui.Input {
	return ui.Input{Name: "name", Label: "Name", Value: value, Autocomplete: "off", MaxLength: 100}
}

// heroSize is the size of a hero of a post.
var heroSize = map[string]any{"width": 1600, "height": 900}

// versionOf is the number of the version that publishing makes.
func versionOf(all []gen.DesignVersion, active int) int {
	next := active
	for _, v := range all {
		next = max(next, v.Version)
	}
	return cmp.Or(next, 0) + 1
}
