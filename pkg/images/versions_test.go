package images_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"masthead/pkg/ai/fakeai"
	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/blob"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
)

// diary is a site with one page, whose title changes.
type diary struct {
	*httptest.Server
	title atomic.Value
}

func newDiary(t *testing.T) (*diary, apptest.Option) {
	t.Helper()
	d := &diary{}
	d.title.Store("")
	d.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>%s</title><meta name="theme-color" content="#0F766E">`, d.title.Load())
	}))
	t.Cleanup(d.Close)
	return d, func(c *app.Config) {
		c.Fetch.Allow = append(c.Fetch.Allow, apptest.Allowed(d.Listener.Addr().String()))
	}
}

// draw draws the diary's page with a title, again if it was drawn before.
func (d *diary) draw(h *apptest.Service, title string, more map[string]any) *apptest.Response {
	d.title.Store(title)
	body := map[string]any{"url": d.URL + "/", "projectId": h.Project, "force": true}
	for name, value := range more {
		body[name] = value
	}
	return h.Post("/images/generate", body, apptest.Bearer(h.Key))
}

func onBothWithDiary(t *testing.T, test func(t *testing.T, h *apptest.Service, d *diary)) {
	t.Helper()
	dbtest.RunConfig(t, func(t *testing.T, cfg db.Config) {
		d, option := newDiary(t)
		test(t, apptest.StartSignedIn(t, apptest.OnDatabase(cfg), option), d)
	})
}

// versionsOf returns the numbers of the earlier pictures of an image, such as "3 1".
func versionsOf(h *apptest.Service, image *apptest.Response) string {
	list := h.Get("/images/"+image.Text("id")+"/versions", apptest.Bearer(h.Session.Access)).Want(http.StatusOK)
	var numbers []string
	for i := range list.Value("items").([]any) {
		numbers = append(numbers, fmt.Sprint(list.Value(fmt.Sprintf("items.%d.version", i))))
	}
	return strings.Join(numbers, " ")
}

func restore(h *apptest.Service, image *apptest.Response, version int) *apptest.Response {
	return h.Post(fmt.Sprintf("/images/%s/versions/%d/restore", image.Text("id"), version), nil,
		apptest.Bearer(h.Session.Access))
}

// TestVersions_redrawKeepsTheEarlierPicture redraws a page that changes, and goes back and forth between its pictures.
func TestVersions_redrawKeepsTheEarlierPicture(t *testing.T) {
	t.Parallel()
	onBothWithDiary(t, func(t *testing.T, h *apptest.Service, d *diary) {
		me := apptest.Bearer(h.Session.Access)
		want := func(got *apptest.Response, version float64, picture *apptest.Response, versions string) {
			t.Helper()
			got.Want(http.StatusOK)
			if got.Value("version") != version || got.Text("imageUrl") != picture.Text("imageUrl") {
				t.Errorf("got version %v at %s, want %v at %s", got.Value("version"), got.Text("imageUrl"), version,
					picture.Text("imageUrl"))
			}
			if listed := versionsOf(h, got); listed != versions {
				t.Errorf("got the versions %q, want %q", listed, versions)
			}
			if !bytes.Equal(h.Get(got.Path("publicUrl")).Want(http.StatusOK).Body,
				h.Get(picture.Path("imageUrl")).Want(http.StatusOK).Body) {
				t.Error("/og serves another picture")
			}
		}
		first := d.draw(h, "Monday", nil)
		want(first, 1, first, "")
		second := d.draw(h, "Tuesday", nil)
		want(second, 2, second, "1")
		want(d.draw(h, "Tuesday", nil), 2, second, "1") // the same picture
		list := h.Get("/images/"+first.Text("id")+"/versions", me)
		if list.Text("items.0.imageUrl") != first.Text("imageUrl") || list.Text("items.0.source.title") != "Monday" {
			t.Errorf("got %s", list.Body)
		}
		want(restore(h, first, 1), 3, first, "2")
		want(restore(h, first, 1), 3, first, "2") // it is that already
		want(restore(h, first, 2), 4, second, "3")
		restore(h, first, 7).WantProblem(http.StatusNotFound, "NOT_FOUND")
		again := h.Post("/images/generate", map[string]any{"url": d.URL + "/", "projectId": h.Project},
			apptest.Bearer(h.Key))
		want(again, 4, second, "3")
		if again.Value("cached") != true || again.Text("source.title") != "Tuesday" {
			t.Errorf("got %s", again.Body)
		}
		// Keys of other projects, and other accounts, find nothing.
		path := "/images/" + first.Text("id") + "/versions"
		h.Get(path, apptest.Bearer(h.Key)).Want(http.StatusOK)
		stranger := h.Register()
		for _, key := range []string{h.NewKey(h.Session, h.NewProject(h.Session)), stranger.Access} {
			h.Get(path, apptest.Bearer(key)).WantProblem(http.StatusNotFound, "NOT_FOUND")
			h.Post(path+"/3/restore", nil, apptest.Bearer(key)).WantProblem(http.StatusNotFound, "NOT_FOUND")
		}
		// A deletion takes the versions with it; taking that back brings them back.
		one := "/images/" + first.Text("id")
		h.Send("DELETE", one+"?undo=true", nil, me).Want(http.StatusNoContent)
		h.Get(path, me).WantProblem(http.StatusNotFound, "NOT_FOUND")
		restore(h, first, 3).WantProblem(http.StatusNotFound, "NOT_FOUND")
		want(h.Post(one+"/undelete", nil, me), 4, second, "3")
		h.Send("DELETE", one, nil, me).Want(http.StatusNoContent)
		apptest.WaitFor(t, "the sweep of all pictures", func() bool { return count(t, h, `SELECT COUNT(*) FROM files`) == 0 })
	})
}

// TestVersions_limits keeps ten, for 90 days, as far as the plan has room.
func TestVersions_limits(t *testing.T) {
	t.Parallel()
	d, option := newDiary(t)
	h := apptest.StartSignedIn(t, option)
	var drawn *apptest.Response
	for day := 1; day <= 13; day++ {
		drawn = d.draw(h, fmt.Sprint("Day ", day), nil).Want(http.StatusOK)
	}
	if got := versionsOf(h, drawn); got != "12 11 10 9 8 7 6 5 4 3" ||
		count(t, h, `SELECT COUNT(*) FROM image_versions`) != 10 {
		t.Errorf("got %q, want the last ten", got)
	}
	change := func(query string, args ...any) {
		t.Helper()
		if _, err := h.App.DB.Exec(t.Context(), query, args...); err != nil {
			t.Fatal(err)
		}
	}
	change(`UPDATE image_versions SET shown_until = ? WHERE version <= 5`, time.Now().AddDate(0, 0, -91).UnixMilli())
	if got := versionsOf(h, drawn); got != "12 11 10 9 8 7 6" {
		t.Errorf("got %q, want those of 90 days", got)
	}
	restore(h, drawn, 5).WantProblem(http.StatusNotFound, "NOT_FOUND")
	if err := h.App.Images.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := count(t, h, `SELECT COUNT(*) FROM image_versions`); n != 7 {
		t.Errorf("%d are left, want 7", n)
	}
	// Free has 10 MB for all, of which a logo takes some.
	h.Post("/projects/"+h.Project+"/assets", logoOf(t, 8), apptest.Bearer(h.Session.Access),
		apptest.Header("Content-Type", "image/png")).Want(http.StatusCreated)
	change(`UPDATE assets SET size = 5000000`)
	change(`UPDATE image_versions SET size = 2000000 WHERE version <= 10`)
	drawn = d.draw(h, "The last day", nil).Want(http.StatusOK)
	if got := versionsOf(h, drawn); got != "13 12 11 10 9" {
		t.Errorf("got %q, want those that there is room for", got)
	}
	change(`UPDATE assets SET size = 11000000`)
	if drawn = d.draw(h, "The very last day", nil).Want(http.StatusOK); versionsOf(h, drawn) != "" {
		t.Errorf("got %q, want none", versionsOf(h, drawn))
	}
}

// TestVersions_lostPicture loses earlier pictures. They can't be restored, and are no longer listed.
func TestVersions_lostPicture(t *testing.T) {
	t.Parallel()
	d, option := newDiary(t)
	h := apptest.StartSignedIn(t, option)
	first := d.draw(h, "Monday", nil).Want(http.StatusOK)
	second := d.draw(h, "Tuesday", nil).Want(http.StatusOK)
	last := d.draw(h, "Wednesday", nil).Want(http.StatusOK)
	fileOf := func(image *apptest.Response) (blob.Name, string) {
		part := strings.Split(image.Path("imageUrl"), "/") // /cdn/DIGEST/NAME
		return blob.Name{Digest: part[2], File: part[3]},
			filepath.Join(h.Config.DataDir, "images", part[2][:2], part[2]+"."+part[3])
	}
	_, path := fileOf(first)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	whole[len(whole)/2] ^= 1
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	restore(h, first, 1).WantProblem(http.StatusNotFound, "NOT_FOUND")
	if got := versionsOf(h, last); got != "2" {
		t.Errorf("got %q, want the one that is whole", got)
	}
	name, path := fileOf(second)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	pages := h.Get("/images/"+last.Text("id"), apptest.Bearer(h.Key)).Want(http.StatusOK)
	if err := h.App.Images.RemakeLost(t.Context(), last.Text("id"), name); err != nil {
		t.Fatal(err)
	}
	after := h.Get("/images/"+last.Text("id"), apptest.Bearer(h.Key)).Want(http.StatusOK)
	if got := versionsOf(h, last); got != "" || !bytes.Equal(pages.Body, after.Body) {
		t.Errorf("got the versions %q and %s, want none and no other picture", got, after.Body)
	}
}

// TestVersions_restoreWhileItIsRedrawn restores and redraws at the same time: nothing is lost, in either order.
func TestVersions_restoreWhileItIsRedrawn(t *testing.T) {
	t.Parallel()
	onBothWithDiary(t, func(t *testing.T, h *apptest.Service, d *diary) {
		first := d.draw(h, "Monday", nil).Want(http.StatusOK)
		second := d.draw(h, "Tuesday", nil).Want(http.StatusOK)
		third := d.draw(h, "Wednesday", nil).Want(http.StatusOK)
		d.title.Store("Thursday")
		var all sync.WaitGroup
		for i := range 12 {
			all.Go(func() {
				if i%4 == 3 {
					d.draw(h, "Thursday", nil).Want(http.StatusOK)
				} else if got := restore(h, first, 1+i%2); !slices.Contains([]int{
					http.StatusOK, http.StatusServiceUnavailable, http.StatusNotFound, // a later version has the same picture
				}, got.Status) {
					t.Errorf("restored: %d %s", got.Status, got.Body)
				}
			})
		}
		all.Wait()
		last := h.Get("/images/"+first.Text("id"), apptest.Bearer(h.Key)).Want(http.StatusOK)
		pictures := map[string]bool{last.Text("imageUrl"): true}
		list := h.Get("/images/"+first.Text("id")+"/versions", apptest.Bearer(h.Key)).Want(http.StatusOK)
		for i := range list.Value("items").([]any) {
			address := fmt.Sprintf("items.%d.imageUrl", i)
			pictures[list.Text(address)] = true
			h.Get(list.Path(address)).Want(http.StatusOK)
		}
		for _, drawn := range []*apptest.Response{first, second, third} {
			if !pictures[drawn.Text("imageUrl")] {
				t.Errorf("the picture of %s is lost: %s", drawn.Text("source.title"), list.Body)
			}
		}
		if len(pictures) != 4 {
			t.Errorf("got %v, want four pictures", pictures)
		}
	})
}

// TestVersions_bringBackTheAIPicture restores a card with an AI picture: it is the one that other images can have.
func TestVersions_bringBackTheAIPicture(t *testing.T) {
	t.Parallel()
	d, option := newDiary(t)
	provided, _ := withAI(t, fakeai.Config{})
	h := apptest.StartSignedIn(t, option, provided)
	background := func() (digest string) {
		t.Helper()
		if err := h.App.DB.Get(t.Context(), &digest, `SELECT digest FROM image_backgrounds`); err != nil {
			t.Fatal(err)
		}
		return digest
	}
	first := wantAI(t, d.draw(h, "Monday", withTrue), "")
	before := background()
	second := wantAI(t, d.draw(h, "Tuesday", withTrue), "")
	if after := background(); after == before || second.Text("id") != first.Text("id") {
		t.Fatalf("the AI picture is %s as before, or the image another", after)
	}
	back := wantAI(t, restore(h, first, 1), "")
	if background() != before || back.Text("ai.prompt") != first.Text("ai.prompt") {
		t.Errorf("got %s, want the prompt and the AI picture of %s", back.Body, first.Body)
	}
	wantUnits(t, h, 2)
}

// TestBackgrounds_countForTheAccount fills the room of an account: an AI picture that there is no room for isn't kept
// for other images, and those that are kept leave less for uploads.
func TestBackgrounds_countForTheAccount(t *testing.T) {
	t.Parallel()
	onBothWithAI(t, func(t *testing.T, h *apptest.Service, _ *fakeai.Running) {
		me := apptest.Bearer(h.Session.Access)
		change := func(query string) {
			t.Helper()
			if _, err := h.App.DB.Exec(t.Context(), query); err != nil {
				t.Fatal(err)
			}
		}
		upload := func(side int) *apptest.Response {
			return h.Post("/projects/"+h.Project+"/assets", logoOf(t, side), me, apptest.Header("Content-Type", "image/png"))
		}
		upload(8).Want(http.StatusCreated)
		change(`UPDATE assets SET size = 9999999`)
		first := wantAI(t, h.Generate("/page/harbour", withTrue), "")
		if n := count(t, h, `SELECT COUNT(*) FROM image_backgrounds`); n != 0 {
			t.Errorf("%d AI pictures are kept without room", n)
		}
		h.Generate("/page/harbour", from(first.Text("id"), "poster")).WantProblem(http.StatusBadRequest, "BAD_REQUEST")
		apptest.WaitFor(t, "the sweep of the AI picture", func() bool {
			return count(t, h, `SELECT COUNT(*) FROM files WHERE name = 'background.jpg'`) == 0
		})
		change(`UPDATE assets SET size = 1000`)
		wantAI(t, h.Generate("/page/quay", withTrue), "")
		change(`UPDATE image_backgrounds SET size = 9999000`)
		upload(9).WantProblem(http.StatusPaymentRequired, "TIER_LOCKED")
		change(`UPDATE image_backgrounds SET size = 1000`)
		upload(9).Want(http.StatusCreated)
	})
}

// logoOf is a PNG of one color with a side in pixels.
func logoOf(t *testing.T, side int) string {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewPaletted(image.Rect(0, 0, side, side), color.Palette{color.Black})); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
