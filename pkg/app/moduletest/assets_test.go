package moduletest_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"masthead/fonts"
	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
)

// noise is a picture that doesn't compress.
func noise(w, h int, alpha uint8) *image.NRGBA {
	img, random := image.NewNRGBA(image.Rect(0, 0, w, h)), rand.New(rand.NewPCG(1, 2))
	for i := range img.Pix {
		img.Pix[i] = uint8(random.Uint32())
		if i%4 == 3 {
			img.Pix[i] = alpha
		}
	}
	return img
}

func assetsFile(t *testing.T, encode func(*bytes.Buffer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := encode(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func assetsPngOf(t *testing.T, img image.Image) string {
	return assetsFile(t, func(b *bytes.Buffer) error { return png.Encode(b, img) })
}

// assetsFlat is a picture in one color.
func assetsFlat(w, h int, c color.Color) *image.Paletted {
	return image.NewPaletted(image.Rect(0, 0, w, h), color.Palette{c})
}

const (
	assetsSquare = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 10">` +
		`<path d="M0 0h40v10H0z" fill="#c80000"/></svg>`
	script = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 10" onload="alert(1)">` +
		`<script>alert(2)</script>` +
		`<path d="M0 0h40v10H0z" fill="#00c800"/><image href="http://169.254.169.254/"/></svg>`
)

// TestCreate_files uploads files of each format, and such as can't be used.
func TestCreate_files(t *testing.T) {
	h := apptest.StartSignedIn(t)
	me := apptest.Bearer(h.Session.Access)
	of := "/projects/" + h.NewProject(h.Session) + "/assets"
	opaque := noise(900, 700, 255)
	for name, c := range map[string]struct {
		file          string
		status        int
		contentType   string
		width, height float64
	}{
		"PNG":            {assetsPngOf(t, assetsFlat(40, 10, color.White)), 201, "image/png", 40, 10},
		"PNG with alpha": {assetsPngOf(t, noise(60, 60, 99)), 201, "image/png", 60, 60},
		"photo": {assetsFile(t, func(b *bytes.Buffer) error { return jpeg.Encode(b, opaque, nil) }), 201,
			"image/jpeg", 900, 700},
		"GIF": {assetsFile(t, func(b *bytes.Buffer) error {
			return gif.Encode(b,
				opaque.SubImage(image.Rect(0, 0, 30, 20)), nil)
		}), 201, "image/png", 30, 20},
		"SVG":        {assetsSquare, 201, "image/png", 2048, 512},
		"script":     {script, 201, "image/png", 2048, 512},
		"long":       {assetsPngOf(t, assetsFlat(4000, 40, color.Black)), 201, "image/png", 2048, 20},
		"bomb":       {assetsPngOf(t, assetsFlat(8192, 8192, color.Black)), 400, "", 0, 0},
		"cut":        {assetsPngOf(t, noise(60, 60, 255))[:300], 400, "", 0, 0},
		"HTML":       {"<!doctype html><script>alert(1)</script>", 415, "", 0, 0},
		"PDF":        {"%PDF-1.7", 415, "", 0, 0},
		"empty":      {"", 400, "", 0, 0},
		"2 MB and 1": {assetsSquare + strings.Repeat(" ", 2<<20+1-len(assetsSquare)), 413, "", 0, 0},
		"5 MB and 1": {assetsSquare + strings.Repeat(" ", 5<<20+1-len(assetsSquare)), 413, "", 0, 0},
	} {
		got := h.Post(of+"?"+url.Values{"name": {name}}.Encode(), c.file, me)
		if got.Status != c.status {
			t.Errorf("%s: got %d, want %d: %s", name, got.Status, c.status, got.Body)
			continue
		}
		if c.status != http.StatusCreated {
			continue
		}
		if got.Text("name") != name || got.Text("contentType") != c.contentType ||
			got.Value("width") != c.width || got.Value("height") != c.height {
			t.Errorf("%s: got %s", name, got.Body)
		}
		served := h.Get(got.Path("url")).Want(http.StatusOK)
		config, _, err := image.DecodeConfig(bytes.NewReader(served.Body))
		if err != nil || float64(config.Width) != c.width || float64(len(served.Body)) != got.Value("sizeBytes") ||
			served.Header.Get("Content-Type") != c.contentType || bytes.Contains(served.Body, []byte("alert")) {
			t.Errorf("%s: got %s of %d bytes, %v, %v", name, served.Header.Get("Content-Type"), len(served.Body),
				config, err)
		}
	}
}

// TestCreate_forms uploads files as forms do, such as those that curl -F sends.
func TestCreate_forms(t *testing.T) {
	h := apptest.StartSignedIn(t)
	of := "/projects/" + h.NewProject(h.Session) + "/assets"
	part := func(disposition, content string) string {
		return "--x\r\nContent-Disposition: form-data; " + disposition + "\r\n\r\n" + content + "\r\n"
	}
	logo, text := part(`name="file"; filename="../a/logo.svg"`, assetsSquare), part(`name="text"`, "Hello")
	green := part(`name="file"; filename="green.svg"`, strings.ReplaceAll(assetsSquare, "c80000", "00c800"))
	const none = "The form has no file, or more than 32 fields before it."
	for name, c := range map[string]struct {
		query, body string
		status      int
		want        string // the name of the asset, or the problem
	}{
		"file":         {"", logo + "--x--", 201, "logo.svg"},
		"text and one": {"?name=Logo", text + green + "--x--", 201, "Logo"},
		"no file":      {"", text + "--x--", 400, none},
		"32 fields":    {"", strings.Repeat(text, 32) + logo + "--x--", 201, "logo.svg"},
		"33 fields":    {"", strings.Repeat(text, 33) + logo + "--x--", 400, none},
		"cut":          {"", logo[:len(logo)-20], 400, "The body could not be read to its end."},
		"large":        {"", logo + strings.Repeat(" ", 5<<20), 413, ""},
	} {
		got := h.Post(of+c.query, c.body, apptest.Bearer(h.Session.Access),
			apptest.Header("Content-Type", `multipart/form-data; boundary="x"`))
		if got.Status != c.status || got.Text("name")+got.Text("detail") != c.want && c.want != "" {
			t.Errorf("%s: got %d, %s, want %d, %q", name, got.Status, got.Body, c.status, c.want)
		}
	}
}

// TestAssets_listedOnceAndDeleted uploads a picture twice and deletes it; its bytes go with it.
func TestAssets_listedOnceAndDeleted(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		me, project := apptest.Bearer(h.Session.Access), h.NewProject(h.Session)
		of := "/projects/" + project + "/assets"
		first := h.Post(of+"?name=One", assetsSquare, me).Want(http.StatusCreated)
		again := h.Post(of+"?name=Two", assetsSquare, me).Want(http.StatusCreated)
		second := h.Post(of, assetsPngOf(t, assetsFlat(9, 9, color.Black)), me).Want(http.StatusCreated)
		elsewhere := h.Post("/projects/"+h.NewProject(h.Session)+"/assets", assetsSquare, me).Want(http.StatusCreated)
		if first.Text("id") != again.Text("id") || again.Text("name") != "One" {
			t.Errorf("the same picture is another asset: %s", again.Body)
		}
		if first.Text("url") == elsewhere.Text("url") {
			t.Error("two projects share a file")
		}
		list := h.Get(of+"?limit=1", me).Want(http.StatusOK)
		if list.Text("items.0.id") != second.Text("id") || second.Text("name") != "Picture" {
			t.Errorf("got %s, want the newest first", list.Body)
		}
		rest := h.Get(of+"?cursor="+list.Text("nextCursor"), me).Want(http.StatusOK)
		if rest.Text("items.0.id") != first.Text("id") || rest.Value("nextCursor") != nil {
			t.Errorf("got %s, want the rest", rest.Body)
		}
		h.Send("DELETE", of+"/"+first.Text("id"), nil, me).Want(http.StatusNoContent)
		h.Get(of+"/"+first.Text("id"), me).Want(http.StatusNotFound)
		gone := func(asset *apptest.Response) {
			t.Helper()
			if err := h.App.Files.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
			// The service may be sweeping it at this moment.
			apptest.WaitFor(t, "its bytes to go", func() bool {
				return h.Get(asset.Path("url")).Status == http.StatusNotFound
			})
		}
		gone(first)
		h.Send("DELETE", "/projects/"+project, nil, me).Want(http.StatusNoContent)
		gone(second)
		h.Get(elsewhere.Path("url")).Want(http.StatusOK)
	})
}

// TestAssets_bytesCountForThePlan uploads at the same time until the plan has no more room.
func TestAssets_bytesCountForThePlan(t *testing.T) {
	h := apptest.StartSignedIn(t, func(c *app.Config) { c.Billing.FreeAssets = 1 })
	s := h.Register()
	me, of := apptest.Bearer(s.Access), "/projects/"+h.NewProject(s)+"/assets"
	made := h.Post(of, assetsPngOf(t, noise(20, 20, 255)), me).Want(http.StatusCreated)
	_, err := h.App.DB.Exec(t.Context(), `UPDATE assets SET size = 999000 WHERE id = ?`, made.Text("id"))
	if err != nil {
		t.Fatal(err)
	}
	statuses := make(chan int)
	for i := range 4 {
		go func() { statuses <- h.Post(of, assetsPngOf(t, noise(10+i, 15, 255)), me).Status }()
	}
	got := map[int]int{}
	for range 4 {
		got[<-statuses]++
	}
	if got[http.StatusCreated] != 1 || got[http.StatusPaymentRequired] != 3 {
		t.Errorf("got %v, want one with room", got)
	}
}

// TestAsset_isALogoOfItsProjectAlone draws cards with an asset: without a request for it, by key and on /og.
func TestAsset_isALogoOfItsProjectAlone(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		me := apptest.Bearer(h.Session.Access)
		made := h.Post("/projects/"+h.Project+"/assets", assetsSquare, me).Want(http.StatusCreated)
		foreign := h.Post("/projects/"+h.NewProject(h.Session)+"/assets", assetsSquare, me).Want(http.StatusCreated)
		with := func(address string) map[string]any {
			return map[string]any{"style": map[string]any{"logo": map[string]any{"url": address,
				"position": "bottom-right"}}}
		}
		plain := h.Generate("/page/one", nil).Want(http.StatusOK)
		drawn := h.Generate("/page/one", with(made.Text("url"))).Want(http.StatusOK)
		if h.Generate("/page/one", with(made.Text("url"))).Value("cached") != true {
			t.Error("the second card isn't cached")
		}
		if without, red := countRed(t, h, plain), countRed(t, h, drawn); without > 0 || red < 500 {
			t.Errorf("the logo has %d red pixels on the card, and %d on one without", red, without)
		}
		h.Generate("/page/one", with(foreign.Text("url"))).WantProblem(http.StatusBadRequest, "BAD_REQUEST")
		h.Send("PATCH", "/projects/"+h.Project, map[string]any{"domains": []string{"127.0.0.1"}},
			me).Want(http.StatusOK)
		public := func(logo string) *apptest.Response {
			project := h.Get("/projects/"+h.Project, me).Text("publicId")
			return h.Get(fmt.Sprintf("/og/%s?url=%s&logoUrl=%s", project, url.QueryEscape(h.Site.At("/page/two")),
				url.QueryEscape(logo)))
		}
		public(made.Text("url")).Want(http.StatusOK)
		public(foreign.Text("url")).Want(http.StatusBadRequest)
		h.Send("DELETE", "/projects/"+h.Project+"/assets/"+made.Text("id"), nil, me).Want(http.StatusNoContent)
		h.Generate("/page/three", with(made.Text("url"))).WantProblem(http.StatusBadRequest, "BAD_REQUEST")
		h.Get(drawn.Path("imageUrl")).Want(http.StatusOK)
	})
}

// countRed counts the pixels of an image in the color of the logo.
func countRed(t *testing.T, h *apptest.Service, of *apptest.Response) (n int) {
	t.Helper()
	img, _, err := image.Decode(bytes.NewReader(h.Get(of.Path("imageUrl")).Want(http.StatusOK).Body))
	if err != nil {
		t.Fatal(err)
	}
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			if r, g, b, _ := img.At(x, y).RGBA(); r>>8 > 180 && g>>8 < 30 && b>>8 < 30 {
				n++
			}
		}
	}
	return n
}

// TestFonts_uploadAndLimits uploads fonts, one that may not be embedded, and more than a project can have.
func TestFonts_uploadAndLimits(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		me, project := apptest.Bearer(h.Session.Access), h.NewProject(h.Session)
		of := "/projects/" + project + "/assets"
		inter := fontData(t, "inter", 400)
		made := h.Post(of, string(inter), me).Want(http.StatusCreated)
		if made.Text("name") != "Inter" || made.Text("font.family") != "Inter" || made.Value("font.minWeight") != 400.0 ||
			made.Value("font.italic") != false || made.Text("contentType") != "font/ttf" || made.Value("width") != 0.0 {
			t.Errorf("got %s", made.Body)
		}
		h.Get(made.Path("url")).Want(http.StatusNotFound) // its license may forbid that
		if again := h.Post(of, string(inter), me).Want(http.StatusCreated); again.Text("id") != made.Text("id") {
			t.Error("the same font is another asset")
		}
		restricted := bytes.Clone(inter)
		at := bytes.Index(restricted[:400], []byte("OS/2"))
		os2 := binary.BigEndian.Uint32(restricted[at+8:])
		restricted[os2+9] = 2 // fsType
		refused := h.Post(of, string(restricted), me).WantProblem(http.StatusBadRequest, "BAD_REQUEST")
		if !strings.Contains(refused.Text("detail"), "license flags") {
			t.Errorf("refused: %s", refused.Body)
		}
		h.Post(of, string(inter[:9000]), me).WantProblem(http.StatusBadRequest, "BAD_REQUEST")
		for i := range 11 { // a few bytes of the file's date make each another one
			other := bytes.Clone(inter)
			head := binary.BigEndian.Uint32(other[bytes.Index(other[:400], []byte("head"))+8:])
			other[head+27] = byte(i + 1)
			h.Post(of, string(other), me).Want(http.StatusCreated)
		}
		other := fontData(t, "inter", 700)
		h.Post(of, string(other), me).WantProblem(http.StatusConflict, "CONFLICT")
		h.Send("DELETE", of+"/"+made.Text("id"), nil, me).Want(http.StatusNoContent)
		h.Post(of, string(other), me).Want(http.StatusCreated)
	})
}

func fontData(t *testing.T, family string, weight int) []byte {
	t.Helper()
	data, err := fonts.Find(family, weight, false).Data()
	if err != nil {
		t.Fatal(err)
	}
	return data
}
