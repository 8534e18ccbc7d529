package dashboard_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"masthead/fonts"
	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/web/webtest"
)

const projectsPath = "/dashboard/projects"

func TestProjects_createAndChange(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	me := h.Register()
	bearer := apptest.Bearer(me.Access)
	v := webtest.SignIn(t, h.Base, me.Access)
	empty := v.Get(projectsPath)
	if !strings.Contains(empty.Body, "No projects yet") || !strings.Contains(empty.Body, `name="domain"`) {
		t.Errorf("without projects: %s", empty.Main())
	}
	wrong := v.Post(projectsPath, fields("name", webtest.Payload, "domain", "co.uk"))
	if wrong.Status != 422 || !strings.Contains(wrong.Body, "anyone can register names under it") ||
		!strings.Contains(wrong.Body, `value="co.uk"`) {
		t.Errorf("a domain of everyone: %d %s", wrong.Status, wrong.Main())
	}
	webtest.WantText(t, wrong, 1)
	form := fields("again", "a form", "name", webtest.Payload, "domain", "https://Northlane.dev/blog?x=1")
	made := v.Post(projectsPath, form)
	path, _, _ := strings.Cut(made.Header.Get("Location"), "?")
	if made.Status != http.StatusSeeOther || !strings.HasPrefix(path, projectsPath+"/") {
		t.Fatalf("created: %d to %q %s", made.Status, path, made.Main())
	}
	if twice := v.Post(projectsPath, form); twice.Header.Get("Location") != made.Header.Get("Location") {
		t.Errorf("the form sent twice leads to %q", twice.Header.Get("Location"))
	}
	api := "/projects/" + strings.TrimPrefix(path, projectsPath+"/")
	if got := h.Get(api, bearer); got.Text("domains.0") != "northlane.dev" || got.Text("name") != webtest.Payload {
		t.Fatalf("the project is %s", got.Body)
	}
	webtest.WantText(t, v.Get(projectsPath), 1)
	page := v.Get(path + "?done=created")
	if strings.Contains(page.Body, "AI on public URLs") || strings.Contains(v.Get("/dashboard/usage").Body, "AI images") ||
		strings.Contains(v.Get("/dashboard/billing").Body, "AI image") {
		t.Error("AI is offered without a provider")
	}
	webtest.WantText(t, page, 1)
	if page.Private() != "" || !strings.Contains(page.Body, "The project is created.") ||
		!strings.Contains(page.Body, "/og/"+h.Get(api, bearer).Text("publicId")) {
		t.Errorf("its page: %s %s", page.Private(), page.Main())
	}

	for _, c := range []struct {
		form    url.Values
		to      string // what leads on, or
		said    string // the sentence of a refusal
		member  string
		becomes any
	}{
		{form: fields("do", "name", "name", "Northlane"), to: "saved", member: "name", becomes: "Northlane"},
		{form: fields("do", "name", "name", ""), said: "Name is required.", member: "name", becomes: "Northlane"},
		{form: fields("do", "add", "domain", "b.example"), to: "added", member: "domains.1", becomes: "b.example"},
		{form: fields("do", "add", "domain", webtest.Payload), said: "it must be", member: "domains.1", becomes: "b.example"},
		{
			form: fields("do", "add", "domain", ""), said: "Another domain is required.", member: "domains.1",
			becomes: "b.example",
		},
		{form: fields("do", "remove", "which", "none.example"), to: "removed", member: "domains.1", becomes: "b.example"},
		{
			form: fields("do", "brand", "template", "auto", "accent", "#0F766E", "logoAssetId", "", "logoPosition", "top-right",
				"headingFont", "space-grotesk", "textFont", ""), to: "saved", member: "brand.template", becomes: "auto",
		},
		{
			form: fields("do", "brand", "template", "auto", "accent", "teal", "logoPosition", "top-right"), said: "accent",
			member: "brand.accent", becomes: "#0f766e",
		},
		{
			form: fields("do", "brand", "template", webtest.Payload, "logoPosition", "top-right"), said: "at most 64",
			member: "brand.template", becomes: "auto",
		},
		{form: fields("do", "ai"), to: "saved", member: "publicAi", becomes: false},
		{form: fields("do", "ai", "publicAi", "1"), to: "saved", member: "publicAi", becomes: true},
		{
			form: fields("do", "delete", "confirm", "northlane"), said: "This isn’t the name of the project.", member: "name",
			becomes: "Northlane",
		},
	} {
		page := v.Post(path, c.form)
		if c.to != "" && (page.Status != http.StatusSeeOther || page.Header.Get("Location") != path+"?done="+c.to) {
			t.Errorf("%v: %d to %q %s", c.form, page.Status, page.Header.Get("Location"), page.Main())
		}
		if c.said != "" && (page.Status != http.StatusUnprocessableEntity || !strings.Contains(page.Body, c.said) ||
			!strings.Contains(page.Body, `aria-invalid="true"`) || strings.Contains(page.Body, "<img src=x")) {
			t.Errorf("%v: %d %s", c.form, page.Status, page.Main())
		}
		got := h.Get(api, bearer)
		if list, ok := got.Value(c.member).([]any); ok {
			if len(list) != 0 {
				t.Errorf("%v: %s is %v", c.form, c.member, list)
			}
		} else if got.Value(c.member) != c.becomes {
			t.Errorf("%v: %s is %v, want %v", c.form, c.member, got.Value(c.member), c.becomes)
		}
	}
	for place, domain := range []string{"northlane.dev", "b.example"} {
		page := v.Post(path, fields("do", "remove", "which", domain))
		if page.Status != http.StatusOK || !strings.Contains(page.Body, domain+" is removed.") ||
			!strings.Contains(page.Body, fmt.Sprintf(`name="place" value="%d"`, place)) {
			t.Errorf("%s removed: %d %s", domain, page.Status, page.Main())
		}
		v.Post(path, fields("do", "add", "domain", domain, "place", strconv.Itoa(place))) // as the button for undo
		got := h.Get(api, bearer)
		if got.Text("domains.0") != "northlane.dev" || got.Text("domains.1") != "b.example" {
			t.Errorf("after undo, the domains are %v", got.Value("domains"))
		}
	}
	v.Post(path, fields("do", "remove", "which", "b.example"))
	v.Post(path, fields("do", "remove", "which", "northlane.dev"))
	if page := v.Get(path); !strings.Contains(page.Body, "No domain: the public URL draws nothing") {
		t.Errorf("without a domain: %s", page.Main())
	}
	deleted := v.Post(path, fields("do", "delete", "confirm", " Northlane "))
	if deleted.Status != http.StatusSeeOther || deleted.Header.Get("Location") != projectsPath+"?done=deleted" {
		t.Errorf("deleted: %d to %q", deleted.Status, deleted.Header.Get("Location"))
	}
	h.Get(api, bearer).Want(http.StatusNotFound)
	if gone := v.Get(path); gone.Status != http.StatusNotFound || !strings.Contains(gone.Body, "There’s nothing here") {
		t.Errorf("a deleted project: %d", gone.Status)
	}
}

// checked stores what was found of the domains of a project, as JSON.
func checked(t *testing.T, h *apptest.Service, project, checks string, failing bool) {
	t.Helper()
	exec(t, h, `INSERT INTO domain_checks (project_id, checks, failing) VALUES (?, ?, ?)
		ON CONFLICT (project_id) DO UPDATE SET checks = excluded.checks, failing = excluded.failing`,
		project, checks, failing)
}

// TestProject_domains has a domain in one state after the other.
func TestProject_domains(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t, func(c *app.Config) { c.JobsEvery = time.Hour })
	v, path := webtest.SignIn(t, h.Base, h.Session.Access), projectsPath+"/"+h.Project
	bearer := apptest.Bearer(h.Session.Access)
	h.Send("PATCH", "/projects/"+h.Project, map[string]any{
		"domains": []string{"northlane.dev", "blog.northlane.dev"},
	}, bearer).Want(http.StatusOK)
	want := func(texts ...string) {
		t.Helper()
		for _, path := range []string{path, projectsPath} {
			page := v.Get(path)
			for _, text := range texts {
				if !strings.Contains(page.Body, text) {
					t.Errorf("%s lacks %q: %s", path, text, page.Main())
				}
			}
			webtest.WantText(t, page, 0)
		}
	}
	want("Being checked", "northlane.dev", "Covered by northlane.dev")
	if page := v.Get(path); !strings.Contains(page.Body, "data-waits") {
		t.Errorf("a domain that is being checked: %s", page.Main())
	}
	at := time.Now().Add(-3 * time.Hour).UTC().Format(time.RFC3339)
	checked(t, h, h.Project, `{"northlane.dev":{"state":"REACHABLE","at":"`+at+`"}}`, false)
	want("Reachable")
	if page := v.Get(path); !strings.Contains(page.Body, `Checked <time datetime="`+at+`" title="`) ||
		!strings.Contains(page.Body, ">3 hours ago</time>") || strings.Contains(page.Body, "data-waits") {
		t.Errorf("a domain that responds: %s", page.Main())
	}
	checked(t, h, h.Project, `{"northlane.dev":{"state":"UNREACHABLE","detail":"`+strings.ReplaceAll(webtest.Payload, `"`, `\"`)+
		`","at":"`+at+`","failures":3}}`, true)
	want("&lt;script&gt;window.hit")
	if page := v.Get(path); !strings.Contains(page.Body, "No response") {
		t.Errorf("a domain that doesn't respond: %s", page.Main())
	}
}

// TestProjects_nameOfTheSite takes the name of a new project from its site, and its host without one.
func TestProjects_nameOfTheSite(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	v := webtest.SignIn(t, h.Base, h.Register().Access)
	for site, want := range map[string]string{
		h.Site.At("/page/one"): "Testland", "https://none.invalid/": "none.invalid",
	} {
		made := v.Post(projectsPath, fields("domain", site))
		path, _, _ := strings.Cut(made.Header.Get("Location"), "?")
		if got := title(v.Get(path)); made.Status != http.StatusSeeOther || got != want {
			t.Errorf("%s: %d, the project is called %q, want %q: %s", site, made.Status, got, want, made.Main())
		}
	}
	if none := v.Post(projectsPath, fields("domain", "", "name", " ")); none.Status != 422 ||
		!strings.Contains(none.Body, "Enter the URL of your site, or a name.") {
		t.Errorf("neither URL nor name: %d %s", none.Status, none.Main())
	}
}

// TestProject_deletionSaysWhatGoes counts what is deleted with a project, and with its account.
func TestProject_deletionSaysWhatGoes(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t, func(c *app.Config) { c.JobsEvery = time.Hour }) // or the watch has a report
	v, bearer := webtest.SignIn(t, h.Base, h.Session.Access), apptest.Bearer(h.Session.Access)
	other := h.Post("/projects", map[string]any{"name": "Empty"}, bearer).Want(http.StatusCreated).Text("id")
	h.Generate("/page/a", nil).Want(http.StatusOK)
	copyImages(t, h, 1233)
	h.Post("/watches", map[string]any{"url": h.Site.At("/page/a"), "projectId": h.Project}, bearer).Want(http.StatusCreated)
	h.Post("/projects/"+h.Project+"/assets?name=Logo", aLogo, bearer).Want(http.StatusCreated)
	const all = "1,234 images, 1 file, 1 API key and 1 watched page."
	asked := v.Get(projectsPath + "/" + h.Project + "?ask=delete")
	if !strings.Contains(asked.Body, "Delete this project?</b> Deleted with it: "+all) {
		t.Errorf("a project with something: %s", asked.Main())
	}
	page := v.Get(projectsPath + "/" + h.Project)
	if !strings.Contains(page.Body, `?ask=delete#delete">Delete project</a>`) || strings.Contains(page.Body, "Deleted with it") ||
		!strings.Contains(page.Body, ">Images, 1,000&#43;</a>") || !strings.Contains(page.Body, ">Keys, 1</a>") ||
		!strings.Contains(page.Body, `<a href="`+projectsPath+"/"+h.Project+`" aria-current="page">Settings</a>`) {
		t.Errorf("the links below the head: %s", page.Main())
	}
	if page := v.Get(projectsPath + "/" + other + "?ask=delete"); strings.Contains(page.Body, "Deleted with it") ||
		!strings.Contains(page.Body, "Delete this project?") {
		t.Errorf("an empty project: %s", page.Main())
	}
	if page := v.Get("/dashboard/settings?confirm=delete"); !strings.Contains(page.Body, "Delete your account?</b> It has "+all) {
		t.Errorf("the account: %s", page.Main())
	}
	theirs := h.Get("/usage/contents?projectId="+h.Project, apptest.Bearer(h.Register().Access))
	if theirs.Value("images") != 0. || theirs.Value("keys") != 0. {
		t.Errorf("another account's project has %s", theirs.Body)
	}
	if keys := v.Get("/dashboard/keys"); !strings.Contains(keys.Body, ">Keys, 1</a>") ||
		!strings.Contains(keys.Body, `<a href="/swagger">Reference</a>`) {
		t.Errorf("the links below the head of keys: %s", keys.Main())
	}
}

func TestProject_signatures(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	v := webtest.SignIn(t, h.Base, h.Session.Access)
	path, api := projectsPath+"/"+h.Project, "/projects/"+h.Project
	me := apptest.Bearer(h.Session.Access)
	if page := v.Get(path); !strings.Contains(page.Body, "Create a key") || strings.Contains(page.Body, "ogs_") {
		t.Errorf("without a key: %s", page.Main())
	}
	v.Post(path, fields("do", "key"))
	first := h.Get(api+"/signing-keys", me).Text("items.0.secret")
	page := v.Get(path + "?done=key")
	if first == "" || !strings.Contains(page.Body, first) || !strings.Contains(page.Body, "signs from now on") {
		t.Errorf("with the key %q: %s", first, page.Main())
	}
	v.Post(path, fields("do", "sign", "requireSignature", "1"))
	if got := h.Get(api, me); got.Value("requireSignature") != true {
		t.Errorf("after the box was checked: %s", got.Body)
	}
	if asked := v.Get(path + "?ask=key"); !strings.Contains(asked.Body, "Rotate the key?") {
		t.Errorf("asked for a rotation: %s", asked.Main())
	}
	v.Post(path, fields("do", "key"))
	second := h.Get(api+"/signing-keys", me)
	page = v.Get(path)
	if second.Text("items.1.secret") != first || !strings.Contains(page.Body, second.Text("items.0.secret")) {
		t.Errorf("after a rotation: %s", page.Main())
	}
	v.Post(path, fields("do", "sign"))
	if got := h.Get(api, me); got.Value("requireSignature") != false {
		t.Errorf("after the box was unchecked: %s", got.Body)
	}
}

func TestProjects_othersAreHidden(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	other := h.Register()
	theirs := h.NewProject(other)
	v := webtest.SignIn(t, h.Base, h.Register().Access)
	path := projectsPath + "/" + theirs
	if page := v.Get(path); page.Status != http.StatusNotFound {
		t.Errorf("another account's project: %d", page.Status)
	}
	for _, form := range []url.Values{fields("do", "name", "name", "Mine"), fields("do", "delete", "confirm", "Test")} {
		if page := v.Post(path, form); page.Status != http.StatusNotFound {
			t.Errorf("%v: %d", form, page.Status)
		}
	}
	if got := h.Get("/projects/"+theirs, apptest.Bearer(other.Access)).Want(http.StatusOK).Text("name"); got != "Test" {
		t.Errorf("the project is now called %s", got)
	}
	if page := v.Post(newProject(v), fields("do", "nothing")); page.Status < 400 || page.Status > 499 {
		t.Errorf("an unknown form: %d", page.Status)
	}
}

// newProject returns the page of a new project of a visitor.
func newProject(v *webtest.Visitor) string {
	path, _, _ := strings.Cut(v.Post(projectsPath, fields("name", "Mine")).Header.Get("Location"), "?")
	return path
}

func TestProjects_looks(t *testing.T) {
	t.Parallel()
	ctx, ok := webtest.Browser(t)
	if !ok {
		return
	}
	h := apptest.StartSignedIn(t, func(c *app.Config) { c.JobsEvery = time.Hour })
	for _, template := range []string{"editorial", "split", "terminal"} {
		h.Generate("/page/"+template, map[string]any{"template": template}).Want(http.StatusOK)
	}
	bearer := apptest.Bearer(h.Session.Access)
	h.Post("/projects", map[string]any{"name": "Handbook"}, bearer).Want(http.StatusCreated)
	bakery := map[string]any{
		"name": "Ofen & Co, bakery and rye laboratory", "domains": []string{"ofen.example", "rye.example"},
	}
	shop := h.Post("/projects", bakery, bearer).Want(http.StatusCreated).Text("id")
	if err := webtest.Run(ctx, webtest.SignedIn(h.Base, h.Register().Access)); err != nil {
		t.Fatal(err)
	}
	webtest.Look(t, ctx, h.Base, webtest.State{Name: "projects-empty", Path: projectsPath})
	if err := webtest.Run(ctx, webtest.SignedIn(h.Base, h.Session.Access)); err != nil {
		t.Fatal(err)
	}
	one := projectsPath + "/" + h.Project
	pictures := "/projects/" + h.Project + "/assets"
	h.Post(pictures+"?name=Logo", aLogo, bearer).Want(http.StatusCreated)
	icon := h.Post(pictures+"?name=A+name+that+someone+gave+to+a+picture+without+thinking+of+phones",
		string(h.Get(h.Generate("/page/icons", map[string]any{"kind": "icon_set"}).Path("imageUrl")).Body), bearer)
	font, err := fonts.Find("instrument-serif", 400, true).Data()
	if err != nil {
		t.Fatal(err)
	}
	h.Post(pictures, string(font), bearer).Want(http.StatusCreated)
	for range 2 {
		h.Post("/projects/"+h.Project+"/signing-keys", nil, bearer).Want(http.StatusCreated)
	}
	h.Send("PATCH", "/projects/"+h.Project, map[string]any{
		"domains": []string{"northlane.dev", "documentation-of-all-products.northlane.dev", "status.northlane.dev", "northlane.example"},
	}, bearer).Want(http.StatusOK)
	ago := func(d time.Duration) string { return time.Now().Add(-d).UTC().Format(time.RFC3339) }
	checked(t, h, h.Project, `{"northlane.dev":{"state":"REACHABLE","at":"`+ago(3*time.Hour)+`"},"northlane.example":{
		"state":"UNREACHABLE","detail":"northlane.example did not respond in time.","at":"`+ago(20*time.Minute)+`"}}`, true)
	checked(t, h, shop, `{"ofen.example":{"state":"REDIRECTED","detail":"Its first page redirects to example.com.","at":"`+
		ago(time.Hour)+`"},"rye.example":{"state":"UNREACHABLE","detail":"There is no address for the host name rye.example.",
		"at":"`+ago(time.Minute)+`"}}`, true)
	webtest.Look(t, ctx, h.Base, webtest.State{Name: "projects", Path: projectsPath},
		webtest.State{Name: "projects-new", Path: projectsPath + "?new=1"})
	webtest.Look(t, ctx, h.Base, webtest.State{Name: "project", Path: one, Then: chromedp.Tasks{
		chromedp.SendKeys("#domain", "co.uk\r"), webtest.Visible("#domain[aria-invalid]"),
	}}, webtest.State{Name: "project-key", Path: one + "?ask=key#ask", Then: chromedp.Click("#signatures summary")},
		webtest.State{Name: "project-picture", Path: one + "?discard=" + icon.Want(http.StatusCreated).Text("id")},
		webtest.State{Name: "project-undo", Path: projectsPath + "/" + shop, Then: chromedp.Tasks{
			chromedp.Click(`[value=remove]`, chromedp.ByQuery), webtest.Visible("#domains .undo"),
		}})
}
