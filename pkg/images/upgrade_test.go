package images_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/base62"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
)

// oldSchema is the last one of the JPEG encoder that damaged blocks.
const oldSchema = 32

// oldImage is an image that a service of the old schema has kept. Its page, whether it is a JPEG, and the column ai are
// given; the rest is filled in.
type oldImage struct {
	page    string
	jpeg    bool
	ai      string
	variant bool

	id, publicID, digest, name string
	file                       []byte
}

func (i *oldImage) cdn() string     { return "/cdn/" + i.digest + "/" + i.name }
func (i *oldImage) etag() string    { return `"` + i.digest[:32] + `"` }
func (i *oldImage) version() string { return i.digest[:12] }

// oldService is the data of a service of the old schema: a database and a folder, with an account, a project and
// images of pages of the site.
type oldService struct {
	cfg                                         db.Config
	dir, owner, email, project, projectPublicID string
	site                                        *apptest.PageServer
	images                                      []*oldImage
}

// newOld makes the data of a service of the old schema on the database that cfg names.
func newOld(t *testing.T, cfg db.Config, images ...*oldImage) *oldService {
	t.Helper()
	o := &oldService{
		cfg: cfg, dir: t.TempDir(), owner: uuid.NewString(), email: fmt.Sprintf("old%d@example.com", apptest.Serial()),
		project: uuid.NewString(), projectPublicID: base62.Random(12), site: apptest.NewSite(t), images: images,
	}
	if cfg.URL == "" {
		cfg.Dir = o.dir
	}
	raw := dbtest.OldSchema(t, cfg, oldSchema)
	raw.MustExec(raw.Rebind(`INSERT INTO users (id, email, email_key, name, password_hash, role, plan, created_at,
		updated_at) VALUES (?, ?, ?, '', '', 'user', 'free', 1, 1)`), o.owner, o.email, o.email)
	raw.MustExec(raw.Rebind(`INSERT INTO projects (id, public_id, owner_id, name, domains, public_ai, created_at,
		updated_at) VALUES (?, ?, ?, 'Old', '["127.0.0.1"]', TRUE, 1, 1)`), o.project, o.projectPublicID, o.owner)
	for _, i := range images {
		o.keep(t, raw, i)
	}
	if err := raw.Close(); err != nil {
		t.Fatal(err)
	}
	return o
}

// keep adds an image as the code of the old schema did.
func (o *oldService) keep(t *testing.T, raw *sqlx.DB, i *oldImage) {
	t.Helper()
	if i.ai == "" {
		i.ai = "null"
	}
	i.id, i.publicID, i.name = uuid.NewString(), base62.Random(22), "og.png"
	contentType := "image/png"
	if i.jpeg {
		i.name, contentType = "og.jpg", "image/jpeg"
	}
	i.file = oldPicture(t, i)
	sum := sha256.Sum256(append([]byte(o.project), i.file...))
	i.digest = hex.EncodeToString(sum[:])
	asked := ""
	if i.ai != "null" {
		asked = `,"ai":{"model":"standard"}`
	}
	form := fmt.Sprintf(`{"form":1,"projectId":%q,"url":%q,"kind":"og","template":"editorial",`+
		`"style":{"dark":true,"font":"inter"}%s}`, o.project, o.site.At(i.page), asked)
	key := sha256.Sum256([]byte(form))
	raw.MustExec(raw.Rebind(`INSERT INTO images (id, public_id, cache_key, owner_id, project_id, kind, url, template,
			style, ai, source, alt, created_at, updated_at, content, variant, lacks, warnings)
		VALUES (?, ?, ?, ?, ?, 'og', ?, 'editorial', '{"dark":true,"font":"inter"}', ?,
			'{"title":"Old","palette":{"accent":"#0F766E","accentSource":"theme-color","companion":"#0F766E",`+
		`"background":"#0F766E"}}', 'Old', 1790000000000, 1790000000000, '{}', ?, '', 'null')`),
		i.id, i.publicID, hex.EncodeToString(key[:]), o.owner, o.project, o.site.At(i.page), i.ai, i.variant)
	raw.MustExec(raw.Rebind(`INSERT INTO files (digest, name, life) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`),
		i.digest, i.name, uuid.NewString())
	raw.MustExec(raw.Rebind(`INSERT INTO image_files (image_id, position, name, digest, content_type, width, height,
		size_bytes) VALUES (?, 0, ?, ?, ?, 1200, 630, ?)`), i.id, i.name, i.digest, contentType, len(i.file))
	path := o.path(i)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, i.file, 0o600); err != nil {
		t.Fatal(err)
	}
}

// path is where the file of an image is kept.
func (o *oldService) path(i *oldImage) string {
	return filepath.Join(o.dir, "images", i.digest[:2], i.digest+"."+i.name)
}

// oldPicture draws what the image of a page may have looked like.
func oldPicture(t *testing.T, i *oldImage) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 1200, 630))
	for at := range len(i.page) {
		img.Set(at, at, color.NRGBA{i.page[at], 0, 200, 255})
	}
	var file bytes.Buffer
	err := png.Encode(&file, img)
	if i.jpeg {
		file.Reset()
		err = jpeg.Encode(&file, img, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// start runs the present program on the data, with the owner signed in.
func (o *oldService) start(t *testing.T, options ...apptest.Option) *apptest.Service {
	t.Helper()
	h := apptest.Start(t, append(options, apptest.OnDatabase(o.cfg), allowed(o.site.Server), func(c *app.Config) {
		c.Storage.DataDir = o.dir
	})...)
	h.Site = o.site
	_, token, _ := strings.Cut(h.ResetLinkOf(o.owner, o.email), "#token=")
	h.Post("/auth/password/reset", map[string]any{"token": token, "newPassword": apptest.Password}).
		Want(http.StatusNoContent)
	login := map[string]any{"email": o.email, "password": apptest.Password}
	signedIn := h.Post("/auth/login", login).Want(http.StatusOK)
	h.Session = apptest.Session{Access: signedIn.Text("accessToken"), Email: o.email, Password: apptest.Password}
	h.Project, h.Key = o.project, h.NewKey(h.Session, o.project)
	return h
}

// ofPage is the address of an image's page for the project.
func (o *oldService) ofPage(i *oldImage) string {
	return "/og/" + o.projectPublicID + "?url=" + url.QueryEscape(o.site.At(i.page))
}

// wantServed asks for a picture in every way, until it comes from memory, and compares how long it may be cached.
func wantServed(t *testing.T, h *apptest.Service, address, tag, cache string, file []byte) {
	t.Helper()
	check := func(way string, r *apptest.Response) {
		t.Helper()
		if r.Header.Get("Cache-Control") != cache || r.Header.Get("ETag") != tag {
			t.Errorf("%s %s: got %q and the tag %s, want %q and %s", way, address, r.Header.Get("Cache-Control"),
				r.Header.Get("ETag"), cache, tag)
		}
	}
	for range 2 {
		for range 3 {
			r := h.Get(address).Want(http.StatusOK)
			if check("GET", r); !bytes.Equal(r.Body, file) {
				t.Errorf("GET %s: got %d bytes, want the %d of the picture", address, len(r.Body), len(file))
			}
		}
		check("HEAD", h.Send(http.MethodHead, address, nil).Want(http.StatusOK))
		check("If-None-Match", h.Get(address, apptest.Header("If-None-Match", tag)).Want(http.StatusNotModified))
	}
	check("by net/http", h.Get("/api"+address, apptest.Header("Connection", "close")).Want(http.StatusOK))
	if strings.HasPrefix(address, "/cdn/") { // escaped, it goes the way of all other requests
		check("by the router", h.Get(strings.Replace(address, "/og.", "/og%2E", 1)).Want(http.StatusOK))
	}
}

// TestUpgrade_imagesKeepTagAndVersion starts the present program on data of the old schema: what is not marked is
// served as before, from before.
func TestUpgrade_imagesKeepTagAndVersion(t *testing.T) {
	t.Parallel()
	dbtest.RunConfig(t, func(t *testing.T, cfg db.Config) {
		one, two := &oldImage{page: "/page/one"}, &oldImage{page: "/page/two", variant: true}
		o := newOld(t, cfg, one, two)
		h := o.start(t)
		for _, i := range o.images {
			record := h.Get("/images/"+i.id, apptest.Bearer(h.Session.Access)).Want(http.StatusOK)
			if record.Path("imageUrl") != i.cdn() || record.Path("publicUrl") != "/og/"+i.publicID+"?v="+i.version() ||
				record.Value("warnings.0") != nil {
				t.Errorf("got %s, want the addresses of the old image", record.Body)
			}
			for _, address := range []string{i.cdn(), "/og/" + i.publicID, record.Path("publicUrl"), o.ofPage(i)} {
				wantServed(t, h, address, i.etag(), forever, i.file)
			}
			kept := h.Generate(i.page, nil).Want(http.StatusOK)
			if kept.Value("cached") != true || kept.Text("id") != i.id || kept.Path("imageUrl") != i.cdn() {
				t.Errorf("got %s, want the old image", kept.Body)
			}
		}
		if n := o.site.Pages.Load(); n != 0 {
			t.Errorf("%d pages were read, want none", n)
		}
	})
}
