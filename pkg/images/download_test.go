package images_test

import (
	"archive/zip"
	"bytes"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"testing"

	"masthead/pkg/app/apptest"
)

// unzip returns the names of an archive's files, in their order, and what is in them.
func unzip(t *testing.T, archive []byte) (names []string, files map[string][]byte) {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		t.Fatal(err)
	}
	files = map[string][]byte{}
	for _, f := range r.File {
		content, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(content)
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		names, files[f.Name] = append(names, f.Name), data
	}
	return names, files
}

func TestDownload_cardIsThePictureAndItsTags(t *testing.T) {
	t.Parallel()
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		image := h.Generate("/page/one", nil).Want(http.StatusOK)
		path, user := "/images/"+image.Text("id")+"/download", apptest.Bearer(h.Session.Access)
		got := h.Get(path, user).Want(http.StatusOK)
		for name, want := range map[string]string{
			"Content-Type": "application/zip", "Content-Disposition": `attachment; filename="127.0.0.1-og.zip"`,
			"Content-Length": strconv.Itoa(len(got.Body)),
		} {
			if got := got.Header.Get(name); got != want {
				t.Errorf("%s: got %q, want %q", name, got, want)
			}
		}
		names, files := unzip(t, got.Body)
		if want := []string{"og.png", "meta-tags.html"}; !slices.Equal(names, want) {
			t.Errorf("got %v, want %v", names, want)
		}
		if !bytes.Equal(files["og.png"], h.Get(image.Path("imageUrl")).Body) {
			t.Error("the picture is another one")
		}
		if got := string(files["meta-tags.html"]); got != image.Text("metaTags") {
			t.Errorf("got the tags %s, want %s", got, image.Text("metaTags"))
		}
		again := h.Get(path+"?extras=true", apptest.Bearer(h.Key)).Want(http.StatusOK)
		if !bytes.Equal(again.Body, got.Body) || again.Header.Get("ETag") != got.Header.Get("ETag") {
			t.Error("the same image, with extras that it does not have, has other bytes")
		}
		head := h.Send(http.MethodHead, path, nil, user).Want(http.StatusOK)
		if len(head.Body) != 0 || head.Header.Get("ETag") != got.Header.Get("ETag") ||
			head.Header.Get("Content-Length") != got.Header.Get("Content-Length") {
			t.Errorf("HEAD: got %v and %d bytes", head.Header, len(head.Body))
		}
		kept := apptest.Header("If-None-Match", got.Header.Get("ETag"))
		if same := h.Get(path, user, kept).Want(http.StatusNotModified); len(same.Body) != 0 {
			t.Errorf("not modified: got %d bytes", len(same.Body))
		}
	})
}

func TestDownload_isForTheOwnerAndKeysOfTheProject(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	path := "/images/" + h.Generate("/page/one", nil).Want(http.StatusOK).Text("id") + "/download"
	other := h.Register()
	project := h.NewProject(h.Session)
	for name, c := range map[string]struct {
		credential string
		want       int
	}{
		"owner":                  {h.Session.Access, http.StatusOK},
		"key of the project":     {h.Key, http.StatusOK},
		"key of all projects":    {h.NewKey(h.Session, ""), http.StatusOK},
		"key of another project": {h.NewKey(h.Session, project), http.StatusNotFound},
		"somebody else":          {other.Access, http.StatusNotFound},
	} {
		if got := h.Get(path, apptest.Bearer(c.credential)); got.Status != c.want {
			t.Errorf("%s: got %d, want %d: %s", name, got.Status, c.want, got.Body)
		}
	}
	cookie := apptest.Header("Cookie", "access_token="+h.Session.Access)
	h.Get("/api"+path, cookie).Want(http.StatusOK)
	h.Get(path).Want(http.StatusUnauthorized)
}

// A file that a disk has lost is made again, and the archive is the one of before.
func TestDownload_lostFileIsMadeAgain(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	image := h.Generate("/page/one", nil).Want(http.StatusOK)
	path, user := "/images/"+image.Text("id")+"/download", apptest.Bearer(h.Session.Access)
	whole := h.Get(path, user).Want(http.StatusOK)
	if err := os.Remove(pictureFile(t, h)); err != nil {
		t.Fatal(err)
	}
	if again := h.Get(path, user).Want(http.StatusOK); !bytes.Equal(again.Body, whole.Body) {
		t.Error("made again it is another archive")
	}
	if err := os.Remove(pictureFile(t, h)); err != nil {
		t.Fatal(err)
	}
	h.Site.Close() // so that it cannot be made again
	h.Get(path, user).WantProblem(http.StatusNotFound, "NOT_FOUND")
	h.Get("/images/"+image.Text("id"), user).Want(http.StatusOK)
}
