package web_test

import (
	"image"
	_ "image/png"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"masthead/pkg/app/apptest"
	"masthead/pkg/web/ui"
	"masthead/pkg/web/webtest"
	"masthead/render/design/start"
)

const designsPath = "/dashboard/designs"

// designer starts a service with an account that may have many designs.
func designer(t *testing.T) *apptest.Service {
	t.Helper()
	h := apptest.StartSignedIn(t)
	if _, err := h.App.Users.SetPlan(t.Context(), h.ID(h.Session), "pro"); err != nil {
		t.Fatal(err)
	}
	return h
}

// newDesign creates a design from one of ours, and returns the path of its page.
func newDesign(t *testing.T, h *apptest.Service, name, from string) string {
	t.Helper()
	source, _ := start.Document(from)
	made := h.Post("/designs", map[string]any{
		"projectId": h.Project, "slug": "d-" + from, "name": name, "html": source,
	}, apptest.Bearer(h.Session.Access)).Want(http.StatusCreated)
	return designsPath + "/" + made.Text("id")
}

// TestDesigns_create begins designs from ours, from a blank one, from a file and from one's own, and deletes one.
func TestDesigns_create(t *testing.T) {
	t.Parallel()
	h := designer(t)
	v := webtest.SignIn(t, h.Base, h.Session.Access)
	bearer := apptest.Bearer(h.Session.Access)
	if empty := v.Get(designsPath); !strings.Contains(empty.Body, "No designs of your own yet") ||
		!strings.Contains(empty.Body, "Copy Editorial") {
		t.Fatalf("without designs: %d %s", empty.Status, empty.Main())
	}
	form := v.Get(designsPath + "?new=1&from=editorial")
	if !strings.Contains(form.Body, `value="editorial" checked`) || !strings.Contains(form.Body, `value="Editorial"`) {
		t.Errorf("the form: %s", form.Main())
	}
	create := func(from, name, file, content string) webtest.Page {
		return v.Upload(designsPath, fields("do", "create", "from", from, "name", name), file, content)
	}
	for name, c := range map[string]struct{ from, name, file, content, said string }{
		"no name":   {"editorial", "", "", "", "Name is required."},
		"no file":   {"file", "Mine", "", "", "Choose a file."},
		"faulty":    {"file", "Mine", "a.html", "<p>\n{{#title}}", "Line 2"},
		"too large": {"file", "Mine", "a.html", strings.Repeat("x", 300<<10), "The limit is 256 KB."},
		"unknown":   {apptest.Nobody, "Mine", "", "", "Choose what to begin with."},
	} {
		got := create(c.from, c.name, c.file, c.content)
		if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Main(), c.said) {
			t.Errorf("%s: %d %s", name, got.Status, got.Main())
		}
	}
	for _, c := range []struct{ from, name, file, content, slug string }{
		{"editorial", "Editorial", "", "", "our-editorial"}, {"blank", "Über uns", "", "", "ber-uns"},
		{"file", "Über uns", "a.html", "<p style='padding:99px'>{{title}}", "ber-uns-2"},
		{"blank", webtest.Payload, "", "", ""},
	} {
		got := create(c.from, c.name, c.file, c.content)
		if got.Status != http.StatusSeeOther || !strings.HasSuffix(got.Header.Get("Location"), "?done=created") {
			t.Fatalf("%s: %d to %q %s", c.name, got.Status, got.Header.Get("Location"), got.Main())
		}
		made := h.Get("/designs?limit=1", bearer)
		if c.slug != "" && made.Text("items.0.slug") != c.slug {
			t.Errorf("%s has the slug %s, want %s", c.name, made.Text("items.0.slug"), c.slug)
		}
	}
	id := h.Get("/designs", bearer).Text("items.0.id")
	own := create(id, "Mine again", "", "")
	if own.Status != http.StatusSeeOther {
		t.Errorf("a copy of one's own: %d %s", own.Status, own.Main())
	}
	if page := v.Get(own.Header.Get("Location")); strings.Count(page.Main(), `class="done"`) != 1 {
		t.Errorf("what was done isn't said once: %s", page.Main())
	}
	list := v.Get(designsPath)
	webtest.WantText(t, list, 1)
	if strings.Count(list.Body, "version 1, not used yet") != 5 {
		t.Errorf("the list: %s", list.Main())
	}
	picture := v.Get(designsPath + "/" + id + "/picture?version=1")
	if picture.Status != http.StatusOK || !strings.HasPrefix(picture.Header.Get("Content-Type"), "image/") ||
		!strings.HasPrefix(picture.Header.Get("Cache-Control"), "private, max-age=") {
		t.Errorf("the picture: %d %v", picture.Status, picture.Header)
	}
	gone := v.Post(designsPath, fields("do", "delete", "id", id))
	if gone.Status != http.StatusSeeOther || !strings.HasPrefix(gone.Header.Get("Location"), designsPath+"?deleted="+id) {
		t.Errorf("deleted: %d to %q", gone.Status, gone.Header.Get("Location"))
	}
	list = v.Get(gone.Header.Get("Location"))
	if strings.Count(list.Body, "version 1, not used yet") != 4 ||
		!strings.Contains(list.Body, "You can undo this until") {
		t.Errorf("the list without it: %s", list.Main())
	}
	again := v.Post(designsPath, fields("do", "delete", "id", id))
	if again.Header.Get("Location") != designsPath+"?done=deleted" {
		t.Errorf("deleted again: %d to %q", again.Status, again.Header.Get("Location"))
	}
	back := v.Post(designsPath, fields("do", "undo", "id", id))
	if back.Status != http.StatusSeeOther || strings.Count(v.Get(designsPath).Body, "version 1, not used yet") != 5 {
		t.Errorf("taken back: %d %s", back.Status, back.Main())
	}
	if late := v.Post(designsPath, fields("do", "undo", "id", id)); !strings.Contains(late.Main(), "It’s too late") {
		t.Errorf("taken back twice: %d %s", late.Status, late.Main())
	}
	stranger := webtest.SignIn(t, h.Base, h.Register().Access)
	for _, path := range []string{"", "/picture", "/document"} {
		if got := stranger.Get(designsPath + "/" + h.Get("/designs", bearer).Text("items.0.id") +
			path); got.Status != 404 {
			t.Errorf("a stranger's %s: %d", path, got.Status)
		}
	}
}

// edits sends the form of the editor as a browser without scripts does.
func edits(v *webtest.Visitor, path string, pairs ...string) webtest.Page {
	form := fields("window", "test", "base", "1", "revision", "0", "do", "draw")
	for name, values := range fields(pairs...) {
		form[name] = values
	}
	return v.Upload(path, form, "", "")
}

// TestDesign_edit changes a design without scripts: drafts, faults, publishing, versions, and two at once.
func TestDesign_edit(t *testing.T) {
	t.Parallel()
	h := designer(t)
	v := webtest.SignIn(t, h.Base, h.Session.Access)
	bearer := apptest.Bearer(h.Session.Access)
	path := newDesign(t, h, webtest.Payload, "minimal")
	api := strings.TrimPrefix(path, "/dashboard")
	page := v.Get(path)
	webtest.WantText(t, page, 1)
	if page.Status != http.StatusOK || page.Private() != "" || strings.Count(page.Body, "/picture?") != 8 ||
		!strings.Contains(page.Body, "There is nothing to publish yet.") || strings.Count(page.Body, "fits") < 3 ||
		!strings.Contains(page.Body, "shown, ") {
		t.Fatalf("the page: %d %s %s", page.Status, page.Private(), page.Main())
	}
	if style, _, _ := strings.Cut(page.Body[strings.Index(page.Body, "<style"):],
		"</style>"); len(style) > ui.MaxStyle {
		t.Errorf("the page has %d bytes of style, more than %d", len(style), ui.MaxStyle)
	}
	// A draft with a fault is saved and can't be published.
	const broken = "<p>{{title}}</p>\r\n</textarea><script>window.hit=1</script>\r\n{{#author}}"
	sent := edits(v, path, "html", broken)
	if sent.Status != http.StatusSeeOther {
		t.Fatalf("saved: %d %s", sent.Status, sent.Main())
	}
	draft := h.Get(api+"/draft", bearer)
	if draft.Text("html") != strings.ReplaceAll(broken, "\r\n", "\n") {
		t.Errorf("the draft: %s", draft.Body)
	}
	page = v.Get(path)
	if !strings.Contains(page.Body, `data-line="3"`) || !strings.Contains(page.Body, "It can’t be published") ||
		strings.Contains(page.Body, "<script>window.hit") || !strings.Contains(page.Body, "This is version 1") ||
		!strings.Contains(page.Body, "<ins>+ {{#author}}</ins>") {
		t.Errorf("a broken draft: %s", page.Main())
	}
	refused := edits(v, path, "do", "publish", "html", broken, "revision", "1")
	if refused.Status != http.StatusUnprocessableEntity || !strings.Contains(refused.Body, `data-line="3"`) {
		t.Errorf("published a fault: %d %s", refused.Status, refused.Main())
	}
	// Another window isn't overwritten without a look at the difference.
	const right = "<style>body { margin: 0; padding: 80px; background: #fff; color: #111 }</style>\n<h1 " +
		"data-slot='title'>{{ titel }}</h1>"
	stale := edits(v, path, "window", "other", "revision", "0", "html", right)
	if stale.Status != http.StatusConflict || !strings.Contains(stale.Body, ">just now</time>.</b> What you have here differs") ||
		!strings.Contains(stale.Body, "<del>− &lt;/textarea&gt;") || !strings.Contains(stale.Body, "{{ titel }}") {
		t.Errorf("another window: %d %s", stale.Status, stale.Main())
	}
	if got := edits(v, path, "window", "other", "revision", "", "html", right); got.Status != http.StatusSeeOther {
		t.Errorf("overwritten: %d %s", got.Status, got.Main())
	}
	page = v.Get(path)
	if !strings.Contains(page.Body, `data-insert="title"`) || !strings.Contains(page.Body, "left out") {
		t.Errorf("a tag that was mistyped: %s", page.Main())
	}
	// Someone else publishes a version meanwhile, with a key.
	secret := h.NewKey(h.Session, h.Project)
	h.Send("PUT", api, map[string]any{"html": "<h1 style='margin:80px'>{{title}}"},
		apptest.Bearer(secret)).Want(http.StatusOK)
	late := edits(v, path, "do", "publish", "window", "other", "html", right)
	if late.Status != http.StatusUnprocessableEntity ||
		!strings.Contains(late.Body, "Version 2 was published just now, with the key") ||
		!strings.Contains(late.Body, "Publish mine as version 3") {
		t.Errorf("published late: %d %s", late.Status, late.Main())
	}
	over := edits(v, path, "do", "over", "window", "other", "html", right)
	if over.Status != http.StatusSeeOther || over.Header.Get("Location") != path+"?done=published" ||
		h.Get(api, bearer).Text("html") != right {
		t.Errorf("published over it: %d %s", over.Status, over.Main())
	}
	h.Get(api+"/draft", bearer).Want(http.StatusNotFound)
	compared := v.Get(path + "?compare=2")
	if !strings.Contains(compared.Body, "Restoring version 2 changes") || !strings.Contains(compared.Body, "by you") {
		t.Errorf("versions: %s", compared.Main())
	}
	restored := v.Upload(path, fields("do", "restore", "version", "2"), "", "")
	if restored.Status != http.StatusSeeOther || h.Get(api, bearer).Value("version") != 2.0 {
		t.Errorf("restored: %d %s", restored.Status, restored.Main())
	}
	if gone := v.Upload(path, fields("do", "restore", "version", "9"), "", ""); gone.Status != http.StatusNotFound {
		t.Errorf("a version that isn't there: %d", gone.Status)
	}
	// A page that can't be read is said beside its field; the sample is shown.
	edits(v, path, "html", right, "url", "http://127.0.0.1:1/x", "base", "2")
	page = v.Get(path + "?light=1")
	if !strings.Contains(page.Body, "The sample page is shown.") || !strings.Contains(page.Body, "light=1") {
		t.Errorf("a page that can't be read: %s", page.Main())
	}
	edits(v, path, "html", right, "url", h.Site.At("/page/ours"), "base", "2")
	if page = v.Get(path); strings.Contains(page.Body, "The sample page is shown.") {
		t.Errorf("a page: %s", page.Main())
	}
	// As a hero it has another size.
	hero := edits(v, path, "html", right, "url", h.Site.At("/page/ours"), "base", "2", "hero", "1")
	page = v.Get(hero.Header.Get("Location"))
	if !strings.Contains(page.Body, `width="1600" height="900"`) || !strings.Contains(page.Body, "hero=1") ||
		strings.Contains(page.Body, `height="630"`) {
		t.Errorf("a hero: %q %s", hero.Header.Get("Location"), page.Main())
	}
	drawn := v.Get(path + "/picture?hero=1")
	size, _, err := image.DecodeConfig(strings.NewReader(drawn.Body))
	if err != nil || size.Width != 1600 || size.Height != 900 {
		t.Errorf("the picture of a hero: %d, %v %v", drawn.Status, size, err)
	}
	for name, want := range map[string]int{"Another name": http.StatusSeeOther, "": http.StatusUnprocessableEntity} {
		if got := v.Upload(path, fields("do", "rename", "name", name), "", ""); got.Status != want {
			t.Errorf("renamed to %q: %d %s", name, got.Status, got.Main())
		}
	}
	if got := h.Get(api, bearer); got.Text("name") != "Another name" || got.Value("version") != 2.0 {
		t.Errorf("renamed: %s", got.Body)
	}
	file := v.Get(path + "/document")
	if file.Body != right || !strings.HasPrefix(file.Header.Get("Content-Disposition"), "attachment") {
		t.Errorf("the file: %v %s", file.Header, file.Body)
	}
	if got := v.Upload(path, fields("do", "discard"), "", ""); got.Status != http.StatusSeeOther {
		t.Errorf("discarded: %d", got.Status)
	}
	if got := v.Upload(path, fields("do", "what"), "", ""); got.Status < 400 || got.Status > 499 {
		t.Errorf("another form: %d", got.Status)
	}
	large := edits(v, path, "html", strings.Repeat("ä", 200_000))
	if large.Status != http.StatusUnprocessableEntity {
		t.Errorf("a large document: %d %s", large.Status, large.Main())
	}
}

// typing replaces what is in the editor, as typing does.
func typing(text string) chromedp.Action {
	return chromedp.Evaluate(`(s => { s.focus(); s.value = `+quoted(text)+`
		s.dispatchEvent(new Event('input', { bubbles: true })) })(document.getElementById('source'))`, nil)
}

func quoted(text string) string { return "decodeURIComponent('" + url.PathEscape(text) + "')" }

// TestDesign_types draws while one types, goes to the line of a fault, puts in a suggestion and publishes by keyboard.
func TestDesign_types(t *testing.T) {
	t.Parallel()
	ctx, ok := webtest.Browser(t)
	if !ok {
		return
	}
	h := designer(t)
	path := newDesign(t, h, "House news", "minimal")
	const document = "<style>body { margin: 0; padding: 80px; background: #fff; color: #111 }</style>\n\n<h1>é {{ " +
		"titel }}</h1>"
	var caret int
	var hit, document2 string
	err := webtest.Run(ctx, webtest.SignedIn(h.Base, h.Session.Access), webtest.Desk, chromedp.Navigate(h.Base+path),
		webtest.Until(`document.querySelector('.painted #gutter')`), typing(document),
		webtest.Until(`document.querySelector('[data-insert=title]') &&
			document.getElementById('figure').dataset.drawn === 'true'`),
		chromedp.Evaluate(`document.querySelector('#faults [data-line="3"]').click()`, nil),
		chromedp.Evaluate(`document.getElementById('source').selectionStart`, &caret),
		chromedp.Evaluate(`document.querySelector('[data-insert]').click()`, nil),
		webtest.Until(`!document.querySelector('[data-insert]') &&
			document.querySelector('#facts').textContent.includes('shown, ')`),
		typing(document+"\n{{#author}}<script>window.hit = 1</script>"),
		webtest.Until(`document.querySelector('#gutter b')?.textContent === '4' &&
			document.querySelector('.proof.old')`),
		webtest.Until(`document.getElementById('publish').getAttribute('aria-disabled') === 'true'`),
		typing("<h1 style='margin:80px'>{{title}}</h1>"),
		webtest.Until(`!document.querySelector('.proof.old') && !document.querySelector('#gutter b') &&
			!document.getElementById('publish').hasAttribute('aria-disabled')`),
		chromedp.Evaluate(`String(window.hit)`, &hit),
		chromedp.Evaluate(`document.getElementById('publish').click()`, nil),
		webtest.Until(`location.search === '?done=published'`),
		chromedp.Evaluate(`document.getElementById('source').value`, &document2))
	if want := strings.Index(document, "titel") - 1; err != nil || caret != want { // é is two bytes
		t.Errorf("%v; the caret is at %d, want %d", err, caret, want)
	}
	if hit != "undefined" || document2 != "<h1 style='margin:80px'>{{title}}</h1>" {
		t.Errorf("hit: %s; published %q", hit, document2)
	}
}

func TestDesigns_looks(t *testing.T) {
	t.Parallel()
	ctx, ok := webtest.Browser(t)
	if !ok {
		return
	}
	h := designer(t)
	empty := h.Register()
	if err := webtest.Run(ctx, webtest.SignedIn(h.Base, empty.Access)); err != nil {
		t.Fatal(err)
	}
	webtest.Look(t, ctx, h.Base, webtest.State{Name: "designs-empty", Path: designsPath})
	path := newDesign(t, h, "House news, with a name that is longer than a column", "editorial")
	other := newDesign(t, h, "Quotes", "quote")
	v := webtest.SignIn(t, h.Base, h.Session.Access)
	edits(v, other, "html", "<style>body { padding: 80px }\n\n</style>\n<h1 style='animation: x "+
		"1s'>{{titel}}</h1>\n{{#author}}")
	if err := webtest.Run(ctx, webtest.SignedIn(h.Base, h.Session.Access)); err != nil {
		t.Fatal(err)
	}
	webtest.Look(t, ctx, h.Base, webtest.State{Name: "design", Path: path},
		webtest.State{Name: "designs", Path: designsPath},
		webtest.State{Name: "designs-new", Path: designsPath + "?new=1&from=poster"},
		webtest.State{Name: "design-hero", Path: path + "?hero=1",
			Then: chromedp.Evaluate(`document.getElementById('zones').checked = true`, nil)},
		webtest.State{Name: "design-zones", Path: path,
			Then: chromedp.Evaluate(`document.getElementById('zones').checked = true`, nil)},
		webtest.State{Name: "design-broken", Path: other},
		webtest.State{Name: "design-changes", Path: other,
			Then: chromedp.Evaluate(`document.getElementById('tab-2').checked = true`, nil)},
		webtest.State{Name: "design-reference", Path: path, Then: chromedp.Evaluate(
			`document.getElementById('tab-3').checked = true`, nil)})
	h.Send("PUT", strings.TrimPrefix(other, "/dashboard"), map[string]any{"html": "<h1 style='margin:80px'>{{title}}"},
		apptest.Bearer(h.NewKey(h.Session, h.Project))).Want(http.StatusOK)
	gone := v.Post(designsPath, fields("do", "delete", "id", strings.TrimPrefix(path, designsPath+"/")))
	webtest.Look(t, ctx, h.Base, webtest.State{Name: "design-two", Path: other + "?compare=1"},
		webtest.State{Name: "designs-undo", Path: gone.Header.Get("Location")})
}

// TestDesigns_withoutAProject begins a design with an account that has no project: it is created with the design.
func TestDesigns_withoutAProject(t *testing.T) {
	t.Parallel()
	h := designer(t)
	me := h.Register()
	if _, err := h.App.Users.SetPlan(t.Context(), h.ID(me), "pro"); err != nil {
		t.Fatal(err)
	}
	v := webtest.SignIn(t, h.Base, me.Access)
	nameless := fields("do", "create", "from", "editorial", "name", "Mine", "projectName", "")
	refused := v.Upload(designsPath, nameless, "", "")
	if refused.Status != http.StatusUnprocessableEntity || !strings.Contains(refused.Body, `id="projectName-said"`) ||
		!strings.Contains(refused.Body, `value="Mine"`) {
		t.Errorf("without a name: %d %s", refused.Status, refused.Main())
	}
	form := fields("do", "create", "from", "editorial", "name", "Mine", "projectName", webtest.Payload)
	made := v.Upload(designsPath, form, "", "")
	if made.Status != http.StatusSeeOther {
		t.Fatalf("created: %d %s", made.Status, made.Main())
	}
	again := v.Upload(designsPath, form, "", "") // as by a form that was left open
	projects := h.Get("/projects", apptest.Bearer(me.Access)).Want(http.StatusOK)
	if again.Status != http.StatusSeeOther || projects.Text("items.0.name") != webtest.Payload ||
		len(projects.Value("items").([]any)) != 1 {
		t.Errorf("the second: %d %s, and the projects %s", again.Status, again.Main(), projects.Body)
	}
}
