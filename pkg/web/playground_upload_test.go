package web_test

import (
	"bytes"
	"image"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"masthead/pkg/app/apptest"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/identity"
	"masthead/pkg/web/webtest"
)

const aLogo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 10">` +
	`<path d="M0 0h40v10H0z" fill="#c80000"/></svg>`

// reds counts the pixels in the color of the logo.
func reds(t *testing.T, file []byte) (n int) {
	t.Helper()
	img, _, err := image.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			if r, g, b, _ := img.At(x, y).RGBA(); r>>8 > 180 && g>>8 < 40 && b>>8 < 40 {
				n++
			}
		}
	}
	return n
}

// TestTry_ownLogo uploads a logo to a ticket, draws with it on two nodes, and saves the card: the logo is then an asset
// of the project, and the image is the one that was shown.
func TestTry_ownLogo(t *testing.T) {
	dbtest.RunConfig(t, func(t *testing.T, cfg db.Config) {
		s := apptest.StartSignedIn(t, apptest.OnDatabase(cfg))
		path := ticketOf(t, s, s.Site.At("/page/one"))
		v := webtest.NewVisitor(t, s.Base)
		v.Get(path) // once it is read
		for name, c := range map[string]struct {
			content, said string
			status        int
		}{
			"a.pdf":   {"%PDF-1.7", "The file is not a picture that we can read.", 422},
			"":        {"", "Choose a file.", 422},
			"big.svg": {aLogo + strings.Repeat(" ", 3<<20), "This file is too large. The limit is 2 MB.", 422},
		} {
			got := v.Upload(path+"?template=poster", url.Values{"do": {"logo"}}, name, c.content)
			if got.Status != c.status || !strings.Contains(got.Body, c.said) ||
				!strings.Contains(got.Body, `aria-describedby="file-said"`) {
				t.Errorf("%s: %d %s", name, got.Status, got.Main())
			}
		}
		to := v.Upload(path, url.Values{"do": {"logo"}, "template": {"editorial"}}, "mine.svg", aLogo)
		next, err := url.Parse(to.Header.Get("Location"))
		if err != nil || to.Status != http.StatusSeeOther || next.Query().Get("logoPosition") != "top-left" ||
			next.Query().Get("template") != "editorial" {
			t.Fatalf("uploaded: %d to %q", to.Status, to.Header.Get("Location"))
		}
		q := next.Query()
		q.Del("template")
		q.Set("w", "1200")
		proof := s.Get(path + "/editorial.png?" + q.Encode()).Want(http.StatusOK).Body
		q.Del("logo")
		plain := s.Get(path + "/editorial.png?" + q.Encode()).Want(http.StatusOK).Body
		if with, without := reds(t, proof), reds(t, plain); with < 500 || without > 0 {
			t.Errorf("%d red pixels with the logo, %d without", with, without)
		}
		page := v.Get(next.RequestURI())
		if !strings.Contains(page.Body, "your file") || !strings.Contains(page.Body, "Use the site’s logo") {
			t.Errorf("its page: %s", page.Main())
		}
		if said := "The code below has no logo yet"; !strings.Contains(page.Body, said) ||
			strings.Contains(v.Get(path+"?logoPosition=top-left").Body, said) {
			t.Errorf("it doesn't say of the file alone that the code lacks it: %s", page.Main())
		}
		if cfg.URL != "" {
			other := s.StartNode()
			q.Set("logo", next.Query().Get("logo"))
			if got := other.Get(path + "/editorial.png?" + q.Encode()).Want(http.StatusOK).Body; !bytes.Equal(got,
				proof) {
				t.Error("another node draws another logo")
			}
		}
		v.SetCookie(identity.CookieName, s.Session.Access)
		chosen := url.Values{"do": {"save"}}
		for _, name := range []string{"template", "logo", "logoPosition"} {
			chosen.Set(name, next.Query().Get(name))
		}
		saved := v.Post(path, chosen)
		id := strings.TrimSuffix(strings.TrimPrefix(saved.Header.Get("Location"), "/dashboard/images/"), "?done=saved")
		me := apptest.Bearer(s.Session.Access)
		made := s.Get("/images/"+id, me).Want(http.StatusOK)
		asset := s.Get("/projects/"+s.Project+"/assets", me).Want(http.StatusOK)
		if made.Text("style.logo.url") != asset.Text("items.0.url") {
			t.Errorf("saved with the logo %s, want the asset %s", made.Text("style.logo.url"), asset.Body)
		}
		if !bytes.Equal(s.Get(made.Path("imageUrl")).Body, proof) {
			t.Error("saved another image than the one shown")
		}
		if again := v.Get(path + "?logo=0123456789abcdef&logoPosition=top-left"); again.Status != http.StatusOK ||
			strings.Contains(again.Body, "your file") {
			t.Errorf("a logo that isn't the ticket's: %d", again.Status)
		}
	})
}
