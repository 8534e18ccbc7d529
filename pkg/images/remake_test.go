package images_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"masthead/pkg/app/apptest"
)

// damages are what may become of a file, but for one that leaves its length, beginning and end.
func damages(file string, whole []byte) map[string]func() error {
	return map[string]func() error{
		"lost":    func() error { return os.Remove(file) },
		"cut":     func() error { return os.Truncate(file, 100) },
		"emptied": func() error { return os.Truncate(file, 0) },
		"longer":  func() error { return os.WriteFile(file, append(bytes.Clone(whole), 0), 0o600) },
		"zeros":   func() error { return os.WriteFile(file, make([]byte, len(whole)), 0o600) },
	}
}

// given is a request that says things in place of the page: the picture is not made again without them.
var given = map[string]any{
	"content": map[string]any{"title": "Given by hand", "author": "Ada"}, "style": map[string]any{"dark": false},
}

// TestServe_lostOrDamagedFileIsMadeAgain damages the file of a picture in every way, and asks for it as pages do.
func TestServe_lostOrDamagedFileIsMadeAgain(t *testing.T) {
	t.Parallel()
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		user := apptest.Bearer(h.Session.Access)
		image := h.Generate("/page/one", given).Want(http.StatusOK)
		whole := h.Get(image.Path("imageUrl")).Want(http.StatusOK).Body
		before := h.Get("/images/"+image.Text("id"), user).Want(http.StatusOK)
		for name, damage := range damages(pictureFile(t, h), whole) {
			for _, address := range []string{"publicUrl", "imageUrl"} {
				if err := damage(); err != nil {
					t.Fatal(err)
				}
				// It is in memory for at most a second longer; nobody is sent anything else than the picture.
				apptest.WaitFor(t, name+" file at "+address+" to be made again", func() bool {
					if got := h.Get(image.Path(address)).Want(http.StatusOK); !bytes.Equal(got.Body, whole) {
						t.Errorf("%s, %s: got %d bytes, want the %d of before", name, address, len(got.Body), len(whole))
					}
					onDisk, err := os.ReadFile(pictureFile(t, h))
					return err == nil && bytes.Equal(onDisk, whole)
				})
			}
		}
		if after := h.Get("/images/"+image.Text("id"), user).Want(http.StatusOK); !bytes.Equal(before.Body, after.Body) {
			t.Errorf("got %s, want the record of before: %s", after.Body, before.Body)
		}
	})
}

// TestServe_iconSetsLostOrDamagedFileIsMadeAgain does the same to each of the six files of a set, and to all at once;
// the archive asks for them too. None is served but as it was.
func TestServe_iconSetsLostOrDamagedFileIsMadeAgain(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	set := h.Generate("/page/one", ofIcons(nil)).Want(http.StatusOK)
	key := apptest.Bearer(h.Key)
	before := h.Get("/images/"+set.Text("id"), key).Want(http.StatusOK)
	download := "/images/" + set.Text("id") + "/download?extras=true"
	archive := h.Get(download, key).Want(http.StatusOK).Body
	paths, whole := setFiles(t, h, set)
	check := func(name string) {
		t.Helper()
		for i, path := range paths {
			if onDisk, err := os.ReadFile(path); err != nil || !bytes.Equal(onDisk, whole[i]) {
				t.Errorf("%s: %s has %d bytes, %v, want the %d of before", name, path, len(onDisk), err, len(whole[i]))
			}
		}
	}
	ways := map[string]func() error{}
	for i, path := range paths {
		for name, damage := range damages(path, whole[i]) {
			if i == 0 || name == "lost" || name == "zeros" {
				ways[iconSizes[i].name+" "+name] = damage
			}
		}
	}
	ways["all lost"] = func() (err error) {
		for _, path := range paths {
			err = errors.Join(err, os.Remove(path))
		}
		return err
	}
	for name, damage := range ways {
		if err := damage(); err != nil {
			t.Fatal(err)
		}
		if got := h.Get(download, key).Want(http.StatusOK); !bytes.Equal(got.Body, archive) {
			t.Errorf("%s: the archive is another one", name)
		}
		if check(name); t.Failed() {
			return
		}
	}
	for i, path := range paths { // as pages ask for them; for a second more they may come from memory
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		address := set.Path(fmt.Sprintf("assets.%d.url", i))
		apptest.WaitFor(t, path+" to be made again", func() bool {
			if got := h.Get(address).Want(http.StatusOK); !bytes.Equal(got.Body, whole[i]) {
				t.Errorf("%s: got %d bytes, want the %d of before", address, len(got.Body), len(whole[i]))
			}
			onDisk, err := os.ReadFile(path)
			return err == nil && bytes.Equal(onDisk, whole[i])
		})
	}
	if after := h.Get("/images/"+set.Text("id"), key).Want(http.StatusOK); !bytes.Equal(before.Body, after.Body) {
		t.Errorf("got %s, want the record of before: %s", after.Body, before.Body)
	}
}

// setFiles returns where the files of an icon set are kept, from small to large, and what is in them.
func setFiles(t *testing.T, h *apptest.Service, set *apptest.Response) (paths []string, whole [][]byte) {
	t.Helper()
	for i := range iconSizes {
		part := strings.Split(set.Path(fmt.Sprintf("assets.%d.url", i)), "/") // /cdn/DIGEST/NAME
		path := filepath.Join(h.Config.DataDir, "images", part[2][:2], part[2]+"."+part[3])
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		paths, whole = append(paths, path), append(whole, data)
	}
	return paths, whole
}

// TestServe_pictureOfAPageThatIsGoneKeepsItsRecord loses a file whose page is gone too.
func TestServe_pictureOfAPageThatIsGoneKeepsItsRecord(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	image := h.Generate("/page/one", nil).Want(http.StatusOK)
	file := pictureFile(t, h)
	h.Site.Close()
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		h.Get(image.Path("imageUrl")).WantProblem(http.StatusNotFound, "NOT_FOUND")
		card := h.Get(image.Path("publicUrl")).Want(http.StatusOK)
		if card.Header.Get("X-Masthead-Fallback") != "upstream" || card.Header.Get("Cache-Control") != "public, max-age=300" {
			t.Errorf("got %v, want a card for five minutes", card.Header)
		}
	}
	h.Get("/images/"+image.Text("id"), apptest.Bearer(h.Session.Access)).Want(http.StatusOK)
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want no file", err)
	}
	// With what the page said, the owner gets it back.
	again := h.Generate("/page/one", map[string]any{"content": map[string]any{"title": "Page one"}}).Want(http.StatusOK)
	h.Get(again.Path("imageUrl")).Want(http.StatusOK)
}

// TestScrub_damagedFileIsMadeAgain changes a byte in the middle of a file, which no request sees, and loses another.
func TestScrub_damagedFileIsMadeAgain(t *testing.T) {
	t.Parallel()
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		image := h.Generate("/page/one", given).Want(http.StatusOK)
		file := pictureFile(t, h)
		whole := h.Get(image.Path("imageUrl")).Want(http.StatusOK).Body
		changed := bytes.Clone(whole)
		changed[len(changed)/2] ^= 1
		for name, damage := range map[string]func() error{
			"changed": func() error { return os.WriteFile(file, changed, 0o600) },
			"lost":    func() error { return os.Remove(file) },
		} {
			if err := damage(); err != nil {
				t.Fatal(err)
			}
			if err := h.App.Files.ScrubAll(t.Context()); err != nil {
				t.Fatal(err)
			}
			if onDisk, err := os.ReadFile(file); err != nil || !bytes.Equal(onDisk, whole) {
				t.Errorf("%s: the file has %d bytes, %v, want it whole", name, len(onDisk), err)
			}
			kept := h.Generate("/page/one", given).Want(http.StatusOK)
			if kept.Value("cached") != true || kept.Text("imageUrl") != image.Text("imageUrl") {
				t.Errorf("%s: got %s, want the kept image", name, kept.Body)
			}
		}
	})
}

// TestScrub_iconSetsDamagedFileIsMadeAgain changes, and loses, each of the six files of a set.
func TestScrub_iconSetsDamagedFileIsMadeAgain(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	set := h.Generate("/page/one", ofIcons(nil)).Want(http.StatusOK)
	paths, whole := setFiles(t, h, set)
	for name, damage := range map[string]func(i int) error{
		"changed": func(i int) error {
			changed := bytes.Clone(whole[i])
			changed[len(changed)/2] ^= 1
			return os.WriteFile(paths[i], changed, 0o600)
		},
		"lost": func(i int) error { return os.Remove(paths[i]) },
	} {
		for i := range paths {
			if err := damage(i); err != nil {
				t.Fatal(err)
			}
		}
		if err := h.App.Files.ScrubAll(t.Context()); err != nil {
			t.Fatal(err)
		}
		for i, path := range paths {
			if onDisk, err := os.ReadFile(path); err != nil || !bytes.Equal(onDisk, whole[i]) {
				t.Errorf("%s: %s has %d bytes, %v, want it whole", name, path, len(onDisk), err)
			}
		}
		kept := h.Generate("/page/one", ofIcons(nil)).Want(http.StatusOK)
		if kept.Value("cached") != true || kept.Text("imageUrl") != set.Text("imageUrl") {
			t.Errorf("%s: got %s, want the kept set", name, kept.Body)
		}
	}
}

// TestScrub_damagedPictureOfAPageThatIsGone is not served any more, and its record stays.
func TestScrub_damagedPictureOfAPageThatIsGone(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	image := h.Generate("/page/one", nil).Want(http.StatusOK)
	whole := h.Get(image.Path("imageUrl")).Want(http.StatusOK).Body
	whole[len(whole)/2] ^= 1
	if err := os.WriteFile(pictureFile(t, h), whole, 0o600); err != nil {
		t.Fatal(err)
	}
	h.Site.Close()
	for range 2 {
		if err := h.App.Files.ScrubAll(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	h.Get(image.Path("imageUrl")).WantProblem(http.StatusNotFound, "NOT_FOUND")
	h.Get("/images/"+image.Text("id"), apptest.Bearer(h.Session.Access)).Want(http.StatusOK)
}
