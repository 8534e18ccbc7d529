package images_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"masthead/fonts"
	"masthead/pkg/ai/fakeai"
	"masthead/pkg/app/apptest"
)

// brandedService is a service whose project has a brand, with what tests of it do.
type brandedService struct {
	*apptest.Service
	t      *testing.T
	public string // the project's public id
}

// withBrand gives the project of a service its first brand: an accent.
func withBrand(t *testing.T, h *apptest.Service, accent string) *brandedService {
	b := &brandedService{h, t, ""}
	me := apptest.Bearer(h.Session.Access)
	h.Send("PATCH", "/projects/"+h.Project, map[string]any{"domains": []string{"127.0.0.1"}}, me).Want(http.StatusOK)
	b.public = h.Get("/projects/"+h.Project, me).Text("publicId")
	b.brand(map[string]any{"accent": accent})
	return b
}

func (b *brandedService) brand(values map[string]any) *apptest.Response {
	return b.Send("PATCH", "/projects/"+b.Project, map[string]any{"brand": values},
		apptest.Bearer(b.Session.Access)).Want(http.StatusOK)
}

// og is the address of a page's picture.
func (b *brandedService) og(page, more string) string {
	return fmt.Sprintf("/og/%s?url=%s%s", b.public, url.QueryEscape(b.Site.At(page)), more)
}

// outdated is how many images the project says are still to be redrawn.
func (b *brandedService) outdated() float64 {
	n, _ := b.Get("/projects/"+b.Project, apptest.Bearer(b.Session.Access)).Want(http.StatusOK).
		Value("outdatedImages").(float64)
	return n
}

// record returns the record of an image without using it.
func (b *brandedService) record(id string) (style, redraw string) {
	b.t.Helper()
	var row struct {
		Style  string `db:"style"`
		Redraw string `db:"redraw"`
	}
	if err := b.App.DB.Get(b.t.Context(), &row, `SELECT style, redraw FROM images WHERE id = ?`, id); err != nil {
		b.t.Fatal(err)
	}
	return row.Style, row.Redraw
}

// wantRedrawn waits until an address serves another picture than the old one, for good.
func (b *brandedService) wantRedrawn(name, path, etag string) *apptest.Response {
	b.t.Helper()
	var now *apptest.Response
	apptest.WaitFor(b.t, name+" with the new brand", func() bool {
		now = b.Get(path).Want(http.StatusOK)
		if now.Header.Get("ETag") == etag && now.Header.Get("Cache-Control") != forMinutes {
			b.t.Errorf("%s: the old picture is served with %s", name, now.Header.Get("Cache-Control"))
			return true
		}
		return now.Header.Get("ETag") != etag && now.Header.Get("Cache-Control") == forever
	})
	return now
}

// TestBrand_changeRedraws changes the brand of a project that stored pictures show: the old ones are served for minutes
// only, under the same addresses, until those that left it open are redrawn after a use.
func TestBrand_changeRedraws(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		b := withBrand(t, h, "#b91c1c")
		posted := h.Generate("/page/two", nil).Want(http.StatusOK)
		if got := fmt.Sprint(posted.Value("defaults")); got != "[template accent logo font sizes]" {
			t.Errorf("defaults: got %s", got)
		}
		named := h.Generate("/page/two", map[string]any{"style": map[string]any{"accent": "#15803d"}}).Want(http.StatusOK)
		if got := fmt.Sprint(named.Value("defaults")); got != "[template logo font sizes]" {
			t.Errorf("defaults: got %s", got)
		}
		first := h.Get(b.og("/page/one", "")).Want(http.StatusOK)
		own := h.Get(b.og("/page/one", "&accent=15803d")).Want(http.StatusOK)
		if got := b.outdated(); got != 0 {
			t.Errorf("%v images are outdated before the change", got)
		}
		b.brand(map[string]any{"accent": "#1d4ed8"})
		if got := b.outdated(); got != 2 {
			t.Errorf("%v images are outdated, want 2", got)
		}
		b.wantRedrawn("a page", b.og("/page/one", ""), first.Header.Get("ETag"))
		old := h.Get(posted.Path("imageUrl")).Want(http.StatusOK)
		b.wantRedrawn("an image", posted.Path("publicUrl"), old.Header.Get("ETag"))
		now := h.Generate("/page/two", nil).Want(http.StatusOK)
		if now.Text("id") != posted.Text("id") || now.Value("cached") != true || now.Value("warnings.0") != nil ||
			now.Text("style.accent") != "#1d4ed8" {
			t.Errorf("got %s, want the image that was redrawn", now.Body)
		}
		if got := b.outdated(); got != 0 {
			t.Errorf("%v images are outdated after the redraws", got)
		}
		// What names its accent stays as it was.
		if same := h.Get(b.og("/page/one", "&accent=15803d")); same.Header.Get("ETag") != own.Header.Get("ETag") ||
			same.Header.Get("Cache-Control") != forever {
			t.Errorf("a named accent: %v", same.Header)
		}
		if _, mark := b.record(named.Text("id")); mark != "null" {
			t.Errorf("an image with a named accent is marked: %s", mark)
		}
		// By POST the present brand is drawn at once, in place of the old picture.
		b.brand(map[string]any{"accent": "#b91c1c", "template": "minimal"})
		back := h.Generate("/page/two", nil).Want(http.StatusOK)
		if back.Text("id") != posted.Text("id") || back.Value("cached") != false || back.Text("template") != "minimal" ||
			back.Text("style.accent") != "#b91c1c" {
			t.Errorf("by POST: got %s", back.Body)
		}
		// So is an image whose accent was named, once something else changes.
		other := h.Generate("/page/two", map[string]any{"style": map[string]any{"accent": "#15803d"}}).Want(http.StatusOK)
		if other.Text("id") != named.Text("id") || other.Text("template") != "minimal" ||
			other.Text("style.accent") != "#15803d" {
			t.Errorf("with a named accent: got %s", other.Body)
		}
	})
}

// TestBrand_namedImageStays requests the image of the brand by naming all of it: then it doesn't follow the brand, and
// the other request gets an image of its own.
func TestBrand_namedImageStays(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		b := withBrand(t, h, "#b91c1c")
		open := h.Generate("/page/one", nil).Want(http.StatusOK)
		full := map[string]any{"template": "editorial", "style": map[string]any{"accent": "#b91c1c", "font": "inter"}}
		same := h.Generate("/page/one", full).Want(http.StatusOK)
		if same.Text("id") != open.Text("id") || same.Value("cached") != true {
			t.Errorf("got %s", same.Body)
		}
		// Without the logo, which it didn't name, it would be marked for a change of that.
		if got := fmt.Sprint(h.Generate("/page/one", full).Value("defaults")); got != "[logo sizes]" {
			t.Errorf("defaults: got %s", got)
		}
		b.brand(map[string]any{"accent": "#1d4ed8"})
		if got := b.outdated(); got != 0 {
			t.Errorf("%v images are outdated", got)
		}
		fresh := h.Generate("/page/one", nil).Want(http.StatusOK)
		if fresh.Text("id") == open.Text("id") || fresh.Text("style.accent") != "#1d4ed8" {
			t.Errorf("got %s", fresh.Body)
		}
		// Back to the first brand: its image is there already, so the other keeps one of its own.
		b.brand(map[string]any{"accent": "#b91c1c"})
		if again := h.Generate("/page/one", nil).Want(http.StatusOK); again.Text("id") != open.Text("id") ||
			again.Value("cached") != true {
			t.Errorf("got %s", again.Body)
		}
		old := h.Get(fresh.Path("imageUrl")).Want(http.StatusOK)
		b.wantRedrawn("the second image", fresh.Path("publicUrl"), old.Header.Get("ETag"))
		if style, _ := b.record(fresh.Text("id")); !strings.Contains(style, "#b91c1c") {
			t.Errorf("redrawn in %s", style)
		}
	})
}

// TestBrand_aiImageStays changes the brand of a project with an AI picture: neither redrawn nor marked, and the same
// request is another image.
func TestBrand_aiImageStays(t *testing.T) {
	onBothWithAI(t, func(t *testing.T, h *apptest.Service, _ *fakeai.Running) {
		b := withBrand(t, h, "#b91c1c")
		with := map[string]any{"template": "mesh", "ai": map[string]any{}}
		made := h.Generate("/page/one", with).Want(http.StatusOK)
		if made.Value("ai.fellBack") != false {
			t.Fatalf("no AI picture: %s", made.Body)
		}
		b.brand(map[string]any{"accent": "#1d4ed8"})
		if _, mark := b.record(made.Text("id")); mark != "null" || b.outdated() != 0 {
			t.Errorf("marked: %s, %v outdated", mark, b.outdated())
		}
		if kept := h.Get(made.Path("publicUrl")).Want(http.StatusOK); kept.Header.Get("Cache-Control") != forever {
			t.Errorf("served with %s", kept.Header.Get("Cache-Control"))
		}
		other := h.Generate("/page/one", with).Want(http.StatusOK)
		if other.Text("id") == made.Text("id") || other.Text("style.accent") != "#1d4ed8" {
			t.Errorf("got %s", other.Body)
		}
	})
}

// TestBrand_unchangedKeepsKeys changes what is no brand of a project, and the brand of another one.
func TestBrand_unchangedKeepsKeys(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		made := h.Generate("/page/one", nil).Want(http.StatusOK)
		me := apptest.Bearer(h.Session.Access)
		h.Send("PATCH", "/projects/"+h.Project, map[string]any{"name": "Another"}, me).Want(http.StatusOK)
		h.Send("PATCH", "/projects/"+h.Project, map[string]any{"brand": map[string]any{"accent": "", "logoPosition": "top-right"}}, me).
			Want(http.StatusOK)
		h.Send("PATCH", "/projects/"+h.NewProject(h.Session), map[string]any{"brand": map[string]any{"accent": "#1d4ed8"}}, me).
			Want(http.StatusOK)
		same := h.Generate("/page/one", nil).Want(http.StatusOK)
		if same.Text("id") != made.Text("id") || same.Value("cached") != true || same.Value("warnings.0") != nil {
			t.Errorf("got %s", same.Body)
		}
		var key, want string
		if err := h.App.DB.Get(t.Context(), &key, `SELECT cache_key FROM images WHERE id = ?`, made.Text("id")); err != nil {
			t.Fatal(err)
		}
		if err := h.App.DB.Get(t.Context(), &want, `SELECT base_key FROM images WHERE id = ?`, made.Text("id")); err != nil {
			t.Fatal(err)
		}
		if key == want || len(key) != 64 || len(want) != 64 {
			t.Errorf("the keys are %q and %q", key, want)
		}
	})
}

// TestBrand_oldRowsStay changes the brand of a project with an image of before rows said what was left open.
func TestBrand_oldRowsStay(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		b := withBrand(t, h, "#b91c1c")
		made := h.Generate("/page/one", nil).Want(http.StatusOK)
		if _, err := h.App.DB.Exec(t.Context(), `UPDATE images SET left_open = NULL, base_key = ''`); err != nil {
			t.Fatal(err)
		}
		b.brand(map[string]any{"accent": "#1d4ed8"})
		if _, mark := b.record(made.Text("id")); mark != "null" {
			t.Errorf("marked: %s", mark)
		}
		if kept := h.Get("/images/"+made.Text("id"), apptest.Bearer(h.Session.Access)); kept.Value("defaults") != nil {
			t.Errorf("got %s", kept.Body)
		}
		if other := h.Generate("/page/one", nil).Want(http.StatusOK); other.Text("id") == made.Text("id") {
			t.Errorf("got %s", other.Body)
		}
	})
}

// TestBrand_ofDesigns changes the brand of a project whose own design shows the accent, and then the design.
func TestBrand_ofDesigns(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		b := withBrand(t, h, "#b91c1c")
		me := apptest.Bearer(h.Session.Access)
		at := newDesign(h, "posts", `<style>body{margin:0;background:var(--accent)}</style><h1>{{title}}</h1>`)
		first := h.Get(b.og("/page/one", "&template=posts")).Want(http.StatusOK)
		b.brand(map[string]any{"accent": "#1d4ed8"})
		h.Get(b.og("/page/one", "&template=posts")).Want(http.StatusOK)
		second := b.wantRedrawn("a design", b.og("/page/one", "&template=posts"), first.Header.Get("ETag"))
		h.Send("PUT", at, map[string]any{"html": `<style>body{margin:0;background:var(--accent)}</style><p>{{title}}</p>`}, me).
			Want(http.StatusOK)
		b.brand(map[string]any{"accent": "#15803d"})
		if n, _ := h.Get("/designs", me).Want(http.StatusOK).Value("items.0.outdatedImages").(float64); n != 1 {
			t.Errorf("the design has %v outdated images, want 1", n)
		}
		b.wantRedrawn("both", b.og("/page/one", "&template=posts"), second.Header.Get("ETag"))
		if n := b.outdated(); n != 0 {
			t.Errorf("%v outdated images, want none", n)
		}
		var images int
		if err := h.App.DB.Get(t.Context(), &images, `SELECT COUNT(*) FROM images`); err != nil || images != 1 {
			t.Errorf("there are %d images: %v, want one", images, err)
		}
	})
}

// TestBrand_assetsRedraw adds a file of the brand's font and deletes its logo.
func TestBrand_assetsRedraw(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		b := withBrand(t, h, "#b91c1c")
		me, at := apptest.Bearer(h.Session.Access), "/projects/"+h.Project+"/assets"
		put := func(data []byte) string { return h.Post(at, string(data), me).Want(http.StatusCreated).Text("id") }
		font := func(italic bool) []byte {
			data, err := fonts.Find("instrument-serif", 400, italic).Data()
			if err != nil {
				t.Fatal(err)
			}
			return data
		}
		put(font(false))
		logo := put([]byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>`))
		b.brand(map[string]any{"headingFont": "Instrument Serif", "logoAssetId": logo})
		made := h.Generate("/page/one", nil).Want(http.StatusOK)
		if made.Value("style.logo") == nil {
			t.Fatalf("got %s", made.Body)
		}
		h.Send("DELETE", at+"/"+logo, nil, me).Want(http.StatusNoContent)
		if got := b.outdated(); got != 1 {
			t.Errorf("%v outdated images without the logo, want 1", got)
		}
		b.wantRedrawn("without its logo", made.Path("publicUrl"), h.Get(made.Path("imageUrl")).Header.Get("ETag"))
		again := h.Generate("/page/one", nil).Want(http.StatusOK)
		if again.Text("id") != made.Text("id") || again.Value("style.logo") != nil || again.Value("cached") != true {
			t.Errorf("got %s", again.Body)
		}
		put(font(true))
		if got := b.outdated(); got != 1 {
			t.Errorf("%v outdated images with another file of the font, want 1", got)
		}
		apptest.WaitFor(t, "the redraw with the font", func() bool {
			h.Get(made.Path("publicUrl")).Want(http.StatusOK)
			return b.outdated() == 0
		})
	})
}

// TestBrand_changeWhileDrawn changes the brand while an image is drawn with the one before.
func TestBrand_changeWhileDrawn(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		b := withBrand(t, h, "#b91c1c")
		held := make(chan struct{})
		h.Site.Hold.Store(&held)
		got := make(chan *apptest.Response)
		go func() { got <- h.Generate("/page/one", nil) }()
		apptest.WaitFor(t, "the request of the page", func() bool { return h.Site.Pages.Load() > 0 })
		b.brand(map[string]any{"accent": "#1d4ed8"})
		close(held)
		made := (<-got).Want(http.StatusOK)
		if _, mark := b.record(made.Text("id")); !strings.Contains(mark, `"brand":true`) {
			t.Errorf("the image has the brand of before, and is marked %s", mark)
		}
		apptest.WaitFor(t, "the redraw", func() bool {
			h.Get(made.Path("publicUrl")).Want(http.StatusOK)
			style, mark := b.record(made.Text("id"))
			return strings.Contains(style, "#1d4ed8") && mark == "null"
		})
	})
}

// TestBrand_manyImages changes the brand of a project with more images than its transaction marks: the others are
// marked in the background.
func TestBrand_manyImages(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		b := withBrand(t, h, "#b91c1c")
		h.Generate("/page/one", nil).Want(http.StatusOK)
		const doublings, images = 12, 1 << 12
		for i := range doublings {
			_, err := h.App.DB.Exec(t.Context(), strings.ReplaceAll(`INSERT INTO images (id, public_id, cache_key, owner_id,
					project_id, kind, url, template, style, ai, source, content, alt, created_at, updated_at, base_key, left_open)
				SELECT '@' || id, '@' || public_id, '@' || cache_key, owner_id, project_id, kind, url, template, style, ai, source,
					content, alt, created_at, updated_at, '@' || base_key, left_open FROM images`, "@", string(rune('a'+i))))
			if err != nil {
				t.Fatal(err)
			}
		}
		if n := count(t, h, `SELECT COUNT(*) FROM images WHERE redraw = 'null'`); n != images {
			t.Fatalf("there are %d images", n)
		}
		b.brand(map[string]any{"accent": "#1d4ed8"})
		if n := b.outdated(); n < 1000 {
			t.Errorf("%v images are outdated at once, want 1000 at least", n)
		}
		apptest.WaitFor(t, "the marks of all images", func() bool { return b.outdated() == images })
	})
}
