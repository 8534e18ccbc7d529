package dashboard_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"masthead/pkg/ai"
	"masthead/pkg/ai/fakeai"
	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/web/webtest"
)

const imagesPath = "/dashboard/images"

func TestImages_listOneRedrawDelete(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	v := webtest.SignIn(t, h.Base, h.Session.Access)
	if empty := v.Get(imagesPath); !strings.Contains(empty.Body, "No images yet") {
		t.Errorf("without images: %s", empty.Main())
	}
	hostile := map[string]any{"content": map[string]any{
		"title": webtest.Payload, "description": webtest.Payload, "siteName": webtest.Payload, "author": webtest.Payload,
	}}
	id := h.Generate("/page/hostile", hostile).Want(http.StatusOK).Text("id")
	path := imagesPath + "/" + id
	list := v.Get(imagesPath)
	webtest.WantText(t, list, 1)
	if list.Private() != "" || !strings.Contains(list.Body, `href="`+path+`"`) ||
		!strings.Contains(list.Body, `src="/cdn/`) {
		t.Errorf("the list: %s %s", list.Private(), list.Main())
	}
	for query, want := range map[string]string{
		"?kind=icon_set": "No images match", "?kind=og": path, "?projectId=" + h.Project: path,
		"?query=HOSTILE": path, "?query=no.such.example/page": "Draw this page", "?template=editorial": path,
		"?template=poster": "No images match", "?query=hostile&template=editorial&kind=og": path,
		"?query=" + strings.Repeat("x", 201): "There’s nothing here",
		"?kind=nothing":                      "There’s nothing here", "?projectId=x": "There’s nothing here",
	} {
		if page := v.Get(imagesPath + query); !strings.Contains(page.Body, want) {
			t.Errorf("%s: %d %s", query, page.Status, page.Main())
		}
	}
	one := v.Get(path)
	webtest.WantText(t, one, 2)
	if one.Private() != "" || !strings.Contains(one.Body, "og:image") || !strings.Contains(one.Body, "1200×630") {
		t.Errorf("one image: %s %s", one.Private(), one.Main())
	}
	// Titles of the platforms are texts, too.
	if n := strings.Count(one.Body, `<figure class="frame`); n != 8 || !strings.Contains(one.Body, "How others will see it") {
		t.Errorf("%d platforms: %s", n, one.Main())
	}
	using := v.Get(path + "?for=typescript")
	if !strings.Contains(using.Body, "Filled in for the project") || !strings.Contains(using.Body, h.Project) ||
		!strings.Contains(using.Body, `<option value="typescript" selected>`) {
		t.Errorf("how to use it: %s", using.Main())
	}
	// The words of the request are drawn again: it stays the same image.
	bearer := apptest.Bearer(h.Session.Access)
	drawn := v.Post(path, fields("do", "redraw"))
	if drawn.Status != http.StatusSeeOther || drawn.Header.Get("Location") != path+"?done=drawn" {
		t.Fatalf("redrawn: %d to %q %s", drawn.Status, drawn.Header.Get("Location"), drawn.Main())
	}
	page := v.Get(path + "?done=drawn")
	if !strings.Contains(page.Body, "Drawn.") ||
		h.Get("/images/"+id, bearer).Text("content.author") != webtest.Payload {
		t.Errorf("redrawn: %s", page.Main())
	}
	plain := h.Generate("/page/hostile", nil).Want(http.StatusOK)
	other := imagesPath + "/" + plain.Text("id")
	if other == path || plain.Value("content") != nil {
		t.Errorf("without words of the request: %s", plain.Body)
	}
	// The playground opens with its look and its words.
	_, look, _ := strings.Cut(one.Body, `<form method="post" action="/try"><input type="hidden" name="url"`)
	look, _, _ = strings.Cut(look, "</form>")
	for _, want := range []string{
		`/page/hostile">`, `name="template" value="editorial"`, `name="dark" value="true"`, `name="author" value="&#34;`,
	} {
		if !strings.Contains(look, want) {
			t.Errorf("the look lacks %s: %s", want, look)
		}
	}
	opened := v.Post("/try", fields("url", h.Site.At("/page/hostile"), "dark", "false", "author", "Mina"))
	if to := opened.Header.Get("Location"); !strings.Contains(to, "dark=false") || !strings.Contains(to, "author=Mina") {
		t.Errorf("the look leads to %q with %d", to, opened.Status)
	}
	zip := v.Get("/images/" + id + "/download")
	if zip.Status != http.StatusOK || !strings.Contains(zip.Header.Get("Content-Type"), "zip") {
		t.Errorf("the zip: %d %s", zip.Status, zip.Header.Get("Content-Type"))
	}
	h.Get("/images/"+id, bearer).Want(http.StatusOK)
	gone := v.Post(path, fields("do", "delete"))
	undo := gone.Header.Get("Location")
	if gone.Status != http.StatusSeeOther || !strings.HasPrefix(undo, imagesPath+"?deleted="+id+"&until=") {
		t.Errorf("deleted: %d to %q", gone.Status, undo)
	}
	h.Get("/images/"+id, bearer).Want(http.StatusNotFound)
	if page := v.Get(path); page.Status != http.StatusNotFound {
		t.Errorf("a deleted image: %d", page.Status)
	}
	if page := v.Get(undo); !strings.Contains(page.Body, "You can undo this until") {
		t.Errorf("after deleting: %s", page.Main())
	}
	for _, over := range []string{"1", "99999999999999", "x"} {
		if page := v.Get(imagesPath + "?deleted=" + id + "&until=" + over); strings.Contains(page.Body, "undo this") {
			t.Errorf("until %s: %s", over, page.Main())
		}
	}
	back := v.Post(imagesPath, fields("id", id))
	if back.Status != http.StatusSeeOther || back.Header.Get("Location") != path+"?done=restored" {
		t.Errorf("undone: %d to %q", back.Status, back.Header.Get("Location"))
	}
	h.Get("/images/"+id, bearer).Want(http.StatusOK)
	if late := v.Post(imagesPath, fields("id", id)); !strings.Contains(late.Body, "It’s too late: it’s deleted.") {
		t.Errorf("undone twice: %d %s", late.Status, late.Main())
	}
	v.Post(other, fields("do", "delete"))
	h.Generate("/page/hostile", nil).Want(http.StatusOK)
	late := v.Post(imagesPath, fields("id", strings.TrimPrefix(other, imagesPath+"/")))
	if late.Status != http.StatusUnprocessableEntity || !strings.Contains(late.Body, "drawn again after it was deleted") {
		t.Errorf("undone after it was drawn again: %d %s", late.Status, late.Main())
	}
}

// TestImages_undo deletes an image and takes that back, by keyboard with scripts, which count the seconds, and without.
func TestImages_undo(t *testing.T) {
	t.Parallel()
	ctx, ok := webtest.Browser(t)
	if !ok {
		return
	}
	h := apptest.StartSignedIn(t)
	id := h.Generate("/page/one", nil).Want(http.StatusOK).Text("id")
	h.Generate("/page/two", nil).Want(http.StatusOK)
	for name, base := range map[string]string{"with scripts": h.Base, "without": webtest.WithoutScripts(t, h.Base)} {
		counts := webtest.Until(`document.querySelector('.undo button').textContent === 'Undo'`)
		if base == h.Base {
			counts = webtest.Until(`/^Undo, \d+ s left$/.test(document.querySelector('.undo button')?.textContent)`)
		}
		err := webtest.Run(ctx, webtest.SignedIn(base, h.Session.Access), chromedp.Navigate(base+imagesPath+"/"+id),
			chromedp.Focus("[value=delete]", chromedp.ByQuery), webtest.Key('\r'), webtest.Visible(".undo"), counts,
			chromedp.Focus(".undo button", chromedp.ByQuery), webtest.Key('\r'),
			webtest.Until(`location.search === '?done=restored'`))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := webtest.Run(ctx, chromedp.Focus("[value=delete]", chromedp.ByQuery), webtest.Key('\r'),
		webtest.Visible(".undo")); err != nil {
		t.Fatal(err)
	}
	var at string
	if err := webtest.Run(ctx, chromedp.Evaluate(`location.pathname + location.search`, &at)); err != nil {
		t.Fatal(err)
	}
	webtest.Look(t, ctx, h.Base, webtest.State{Name: "images-undo", Path: at})
}

// TestImages_whatStays refuses what can't be done: the image stays.
func TestImages_whatStays(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	id := h.Generate("/page/one", nil).Want(http.StatusOK).Text("id")
	titled := map[string]any{"content": map[string]any{"title": "A page that isn’t there"}}
	given := h.Generate("/gone", titled).Want(http.StatusOK).Text("id")
	path := imagesPath + "/" + id
	h.Site.Close()
	page := webtest.SignIn(t, h.Base, h.Session.Access).Post(path, fields("do", "redraw"))
	if page.Status != 422 || !strings.Contains(page.Body, "The current image stays.") {
		t.Errorf("a page that is gone: %d %s", page.Status, page.Main())
	}
	// What was given in place of the page's title is drawn again without the page.
	page = webtest.SignIn(t, h.Base, h.Session.Access).Post(imagesPath+"/"+given, fields("do", "redraw"))
	if page.Status != http.StatusSeeOther {
		t.Errorf("a page that is gone, with a title: %d %s", page.Status, page.Main())
	}
	stranger := webtest.SignIn(t, h.Base, h.Register().Access)
	for _, do := range []string{"redraw", "delete"} {
		if page := stranger.Post(path, fields("do", do)); page.Status != http.StatusNotFound {
			t.Errorf("%s another account's image: %d", do, page.Status)
		}
	}
	h.Get("/images/"+id, apptest.Bearer(h.Session.Access)).Want(http.StatusOK)
}

func TestImages_looks(t *testing.T) {
	t.Parallel()
	ctx, ok := webtest.Browser(t)
	if !ok {
		return
	}
	h := apptest.StartSignedIn(t)
	id := h.Generate("/page/Why we moved our render queue to Postgres", nil).Want(http.StatusOK).Text("id")
	for _, template := range []string{"split", "terminal", "poster"} {
		h.Generate("/page/"+template, map[string]any{"template": template}).Want(http.StatusOK)
	}
	h.Generate("/page/hero", map[string]any{"kind": "blog_hero"}).Want(http.StatusOK)
	icons := h.Generate("/page/icons", map[string]any{"kind": "icon_set"}).Want(http.StatusOK).Text("id")
	h.NewProject(h.Session)
	if err := webtest.Run(ctx, webtest.SignedIn(h.Base, h.Session.Access)); err != nil {
		t.Fatal(err)
	}
	webtest.Look(t, ctx, h.Base, webtest.State{Name: "images", Path: imagesPath})
	versioned := h.Generate("/page/one", nil).Want(http.StatusOK)
	earlier(t, h, versioned)
	webtest.Look(t, ctx, h.Base, webtest.State{Name: "image", Path: imagesPath + "/" + id},
		webtest.State{Name: "image-versions", Path: imagesPath + "/" + versioned.Text("id")},
		webtest.State{Name: "image-icons", Path: imagesPath + "/" + icons})
}

// TestImage_restoreAnEarlierVersion shows the earlier pictures of an image, and brings one back.
func TestImage_restoreAnEarlierVersion(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	v := webtest.SignIn(t, h.Base, h.Session.Access)
	drawn := h.Generate("/page/one", nil).Want(http.StatusOK)
	path := imagesPath + "/" + drawn.Text("id")
	if empty := v.Get(path); !strings.Contains(empty.Body, "When you redraw this image") ||
		strings.Contains(empty.Body, `value="restore"`) {
		t.Errorf("without versions: %s", empty.Main())
	}
	earlier(t, h, drawn)
	page := v.Get(path)
	if strings.Count(page.Body, `value="restore"`) != 1 || !strings.Contains(page.Body, drawn.Path("imageUrl")) {
		t.Errorf("one version: %s", page.Main())
	}
	back := v.Post(path, fields("do", "restore", "version", "1"))
	if back.Status != http.StatusSeeOther || back.Header.Get("Location") != path+"?done=version" {
		t.Errorf("restored: %d to %q", back.Status, back.Header.Get("Location"))
	}
	got := h.Get("/images/"+drawn.Text("id"), apptest.Bearer(h.Key)).Want(http.StatusOK)
	if got.Text("imageUrl") != drawn.Text("imageUrl") {
		t.Errorf("got %s, want the first picture", got.Body)
	}
	for _, version := range []string{"7", "x", ""} {
		if page := v.Post(path, fields("do", "restore", "version", version)); page.Status < 400 || page.Status >= 500 {
			t.Errorf("version %q: %d", version, page.Status)
		}
	}
}

// earlier gives an image another picture, which replaces its own.
func earlier(t *testing.T, h *apptest.Service, drawn *apptest.Response) {
	t.Helper()
	light := h.Generate("/page/one", map[string]any{"style": map[string]any{"dark": false}}).Want(http.StatusOK)
	for _, query := range []string{
		`UPDATE images SET version = 2 WHERE id = ?`,
		`INSERT INTO image_versions (image_id, version, owner_id, ai, source, alt, warnings, picture, size, shown_from,
			shown_until) SELECT id, 1, owner_id, ai, source, alt, warnings, 'x', 1, updated_at, updated_at
			FROM images WHERE id = ?`,
		`INSERT INTO image_version_files
			(image_id, version, position, name, digest, content_type, width, height, size_bytes)
			SELECT image_id, 1, position, name, digest, content_type, width, height, size_bytes
			FROM image_files WHERE image_id = ?`,
	} {
		if _, err := h.App.DB.Exec(t.Context(), query, drawn.Text("id")); err != nil {
			t.Fatal(err)
		}
	}
	_, err := h.App.DB.Exec(t.Context(), `UPDATE image_files
		SET digest = (SELECT digest FROM image_files WHERE image_id = ?) WHERE image_id = ?`,
		light.Text("id"), drawn.Text("id"))
	if err != nil {
		t.Fatal(err)
	}
}

// TestImage_iconSet_isShownWherePeopleSeeIt looks for the places on the page of a set, and for the icons in them that
// its record doesn't list.
func TestImage_iconSet_isShownWherePeopleSeeIt(t *testing.T) {
	h := apptest.StartSignedIn(t)
	v := webtest.SignIn(t, h.Base, h.Session.Access)
	path := imagesPath + "/" + h.Generate("/page/one", map[string]any{"kind": "icon_set"}).Want(http.StatusOK).Text("id")
	page := v.Get(path)
	maskable := path + "/icons/icon-512-maskable.png"
	if !strings.Contains(page.Body, "Where people will see it") || !strings.Contains(page.Body, `src="`+maskable+`"`) ||
		strings.Contains(page.Body, `src=""`) {
		t.Errorf("got %s", page.Main())
	}
	if got := v.Get(maskable); got.Status != http.StatusOK || !strings.HasPrefix(got.Body, "\x89PNG") {
		t.Errorf("the maskable icon: got %d, %.20q", got.Status, got.Body)
	}
	for _, name := range []string{"favicon.svg", "site.webmanifest", "none.png"} {
		if got := v.Get(path + "/icons/" + name); got.Status != http.StatusNotFound {
			t.Errorf("%s: got %d", name, got.Status)
		}
	}
}

// TestImages_redrawWithAI redraws an image by the prompt that it was drawn with.
func TestImages_redrawWithAI(t *testing.T) {
	t.Parallel()
	provider, err := fakeai.Open(t.Context(), "127.0.0.1:0", fakeai.Config{Size: fakeai.Size{Width: 384, Height: 256}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = provider.Close() })
	h := apptest.StartSignedIn(t, func(c *app.Config) {
		c.AI = ai.Config{BaseURL: provider.BaseURL, ImageModelStandard: fakeai.ModelStandard}
	})
	v, bearer := webtest.SignIn(t, h.Base, h.Session.Access), apptest.Bearer(h.Session.Access)
	asked := map[string]any{"prompt": webtest.Payload, "override": true}
	id := h.Generate("/page/one", map[string]any{"ai": asked}).Want(http.StatusOK).Text("id")
	before := h.Get("/images/"+id, bearer)
	again := v.Post(imagesPath+"/"+id, webtest.Fields("do", "redraw"))
	after := h.Get("/images/"+id, bearer)
	if again.Status != http.StatusSeeOther || after.Value("ai.ownPrompt") != asked["prompt"] ||
		after.Value("ai.override") != true || after.Value("ai.prompt") != before.Value("ai.prompt") ||
		after.Value("ai.fellBack") != false || before.Value("ai.prompt") != asked["prompt"] {
		t.Errorf("%d %s: %v, then %v", again.Status, again.Main(), before.Value("ai"), after.Value("ai"))
	}
	page := v.Get(imagesPath + "/" + id)
	webtest.WantText(t, page, 1)
	if !strings.Contains(page.Body, "Redraw with AI") {
		t.Error("redrawing doesn't say that it takes an AI image")
	}
	none := h.Generate("/page/one", map[string]any{"ai": true, "template": "horizon"}).Want(http.StatusOK)
	if none.Text("ai.fallbackReason") != "template" {
		t.Fatalf("a design that takes no AI image: %v", none.Value("ai"))
	}
	if page := v.Get(imagesPath + "/" + none.Text("id")); strings.Contains(page.Body, "Redraw with AI") {
		t.Error("redrawing says that it takes an AI image in a design that has none")
	}
}
