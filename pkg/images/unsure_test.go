package images_test

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"masthead/pkg/app/apptest"
)

// killed notes a node that was there a moment ago, and ended without saying so.
func killed(t *testing.T, s *apptest.Service) {
	t.Helper()
	_, err := s.App.DB.Exec(t.Context(), `INSERT INTO nodes (id, seen_at) VALUES ('killed', ?)`,
		time.Now().Add(-time.Second).UnixMilli())
	if err != nil {
		t.Fatal(err)
	}
}

// overwritten returns the file of an image and its bytes, of which eight are overwritten on the disk.
func overwritten(t *testing.T, s *apptest.Service, image *apptest.Response) (path string, whole []byte) {
	t.Helper()
	digest, name, _ := strings.Cut(strings.SplitAfter(image.Path("imageUrl"), "/cdn/")[1], "/")
	path = filepath.Join(s.Config.DataDir, "images", digest[:2], digest+"."+name)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	damaged := bytes.Clone(whole)
	copy(damaged[len(damaged)/2:], "DAMAGED!")
	if err := os.WriteFile(path, damaged, 0o600); err != nil {
		t.Fatal(err)
	}
	return path, whole
}

// TestServe_afterAnUncleanEndTheFirstReadSeesDamage damages files inside, which no length, beginning or end tells, and
// asks the node that starts after a killed one for each, in every way there is.
func TestServe_afterAnUncleanEndTheFirstReadSeesDamage(t *testing.T) {
	t.Parallel()
	apptest.OnBoth(t, func(t *testing.T, plain *apptest.Service) {
		h := onDomain(plain)
		type picture struct {
			address string
			ask     func(node *apptest.Service) *apptest.Response
			path    string
			whole   []byte
		}
		var pictures []*picture
		for i, ask := range []func(node *apptest.Service, address string) *apptest.Response{
			func(node *apptest.Service, address string) *apptest.Response { return node.Get(address) },
			func(node *apptest.Service, address string) *apptest.Response {
				node.Send(http.MethodHead, address, nil).Want(http.StatusOK)
				return node.Get(address)
			},
			func(node *apptest.Service, address string) *apptest.Response { return node.Get("/api" + address) },
		} {
			for _, of := range []string{"imageUrl", "publicUrl", "page"} {
				page := "/page/unclean-" + of + string(rune('a'+i))
				image := h.Generate(page, nil).Want(http.StatusOK)
				p := &picture{address: h.pathOf(h.Site.At(page))}
				if of != "page" {
					p.address = image.Path(of)
				}
				p.ask = func(node *apptest.Service) *apptest.Response { return ask(node, p.address) }
				h.Get(p.address).Want(http.StatusOK)
				p.path, p.whole = overwritten(t, h.Service, image)
				pictures = append(pictures, p)
			}
		}
		killed(t, h.Service)
		node := h.StartNode()
		for _, p := range pictures {
			got := p.ask(node).Want(http.StatusOK)
			if !bytes.Equal(got.Body, p.whole) || got.Header.Get("Cache-Control") != forever {
				t.Errorf("%s: got %d other bytes with %q, want the picture as it was", p.address, len(got.Body),
					got.Header.Get("Cache-Control"))
			}
			if onDisk, err := os.ReadFile(p.path); err != nil || !bytes.Equal(onDisk, p.whole) {
				t.Errorf("%s: the file is not whole: %v", p.address, err)
			}
			got = node.Get(p.address).Want(http.StatusOK)
			if !bytes.Equal(got.Body, p.whole) {
				t.Errorf("%s: the second time: got other bytes", p.address)
			}
		}
	})
}

// TestDownload_afterAnUncleanEndTheFirstReadSeesDamage does so for an archive.
func TestDownload_afterAnUncleanEndTheFirstReadSeesDamage(t *testing.T) {
	t.Parallel()
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		user := apptest.Bearer(h.Session.Access)
		image := h.Generate("/page/one", nil).Want(http.StatusOK)
		_, whole := overwritten(t, h, image)
		killed(t, h)
		archive := h.StartNode().Get("/images/"+image.Text("id")+"/download", user).Want(http.StatusOK).Body
		files, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
		if err != nil {
			t.Fatal(err)
		}
		picture, err := fs.ReadFile(files, "og.png")
		if err != nil || !bytes.Equal(picture, whole) {
			t.Errorf("got %d other bytes, %v, want the picture as it was", len(picture), err)
		}
	})
}

// TestServe_damageThatCannotBeMadeGoodIsNotShown has the page gone from which the damaged picture would be made again.
func TestServe_damageThatCannotBeMadeGoodIsNotShown(t *testing.T) {
	t.Parallel()
	apptest.OnBoth(t, func(t *testing.T, plain *apptest.Service) {
		h := onDomain(plain)
		image := h.Generate("/page/one", nil).Want(http.StatusOK)
		page := h.pathOf(h.Site.At("/page/one"))
		_, whole := overwritten(t, h.Service, image)
		h.Site.Close()
		killed(t, h.Service)
		node := h.StartNode()
		node.Get(image.Path("imageUrl")).WantProblem(http.StatusNotFound, "NOT_FOUND")
		for _, address := range []string{page, image.Path("publicUrl")} {
			got := wantCache(t, node.Get(address), forMinutes)
			if bytes.Equal(got.Body, whole) || bytes.Contains(got.Body, []byte("DAMAGED!")) ||
				got.Header.Get("X-Masthead-Fallback") != "upstream" {
				t.Errorf("%s: got %v, want a card of the address", address, got.Header)
			}
		}
	})
}
