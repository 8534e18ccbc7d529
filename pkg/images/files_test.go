package images_test

import (
	"bytes"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"masthead/pkg/app/apptest"
	"masthead/pkg/users"
)

// TestDeleteImage_fileThatStaysIsNoFault puts something that cannot be removed where the file was.
func TestDeleteImage_fileThatStaysIsNoFault(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	image := h.Generate("/page/one", nil).Want(http.StatusOK)
	file := pictureFile(t, h)
	if err := errors.Join(os.Remove(file), os.MkdirAll(filepath.Join(file, "inside"), 0o700)); err != nil {
		t.Fatal(err)
	}
	h.Send("DELETE", "/images/"+image.Text("id"), nil, apptest.Bearer(h.Session.Access)).Want(http.StatusNoContent)
	h.Get("/images/"+image.Text("id"), apptest.Bearer(h.Session.Access)).Want(http.StatusNotFound)
}

func TestSweep_replacedFileStaysForAWhile(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	title := map[string]any{"title": "Fixed"}
	old := h.Generate("/page/one", map[string]any{"content": title}).Want(http.StatusOK)
	h.Site.Close() // without its icon the picture is another one
	fresh := h.Generate("/page/one", map[string]any{"content": title, "force": true}).Want(http.StatusOK)
	if fresh.Text("imageUrl") == old.Text("imageUrl") {
		t.Fatal("the page changed and its picture did not")
	}
	if err := h.App.Files.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.Get(old.Path("imageUrl")).Want(http.StatusOK)
	h.Get(fresh.Path("imageUrl")).Want(http.StatusOK)
}

// pictureFile returns the one file of pictures that the service keeps.
func pictureFile(t *testing.T, h *apptest.Service) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(h.Config.DataDir, "images", "*", "*.png"))
	if err != nil || len(files) != 1 {
		t.Fatalf("got %v, %v, want one file", files, err)
	}
	return files[0]
}

// TestDelete_filesGoSoon deletes an image, a project and an account: nothing of theirs is served soon after.
func TestDelete_filesGoSoon(t *testing.T) {
	t.Parallel()
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		user := apptest.Bearer(h.Session.Access)
		gone := func(image *apptest.Response) {
			t.Helper()
			h.Get(image.Path("publicUrl")).WantProblem(http.StatusNotFound, "NOT_FOUND")
			apptest.WaitFor(t, "the file to go", func() bool {
				return h.Get(image.Path("imageUrl")).Status == http.StatusNotFound
			})
		}
		first := h.Generate("/page/one", nil).Want(http.StatusOK)
		h.Send("DELETE", "/images/"+first.Text("id"), nil, user).Want(http.StatusNoContent)
		gone(first)
		again := h.Generate("/page/one", nil).Want(http.StatusOK)
		if again.Value("cached") != false || again.Text("id") == first.Text("id") ||
			again.Text("imageUrl") != first.Text("imageUrl") {
			t.Errorf("got %s, want a new image with the same picture as %s", again.Body, first.Body)
		}
		h.Send("DELETE", "/projects/"+h.Project, nil, user).Want(http.StatusNoContent)
		h.Get("/images/"+again.Text("id"), user).Want(http.StatusNotFound)
		gone(again)

		h.Project = h.NewProject(h.Session)
		h.Key = h.NewKey(h.Session, h.Project)
		last := h.Generate("/page/one", nil).Want(http.StatusOK)
		anotherAdmin(t, h)
		h.Send("DELETE", "/users/me", nil, user).Want(http.StatusNoContent)
		h.Get(last.Path("publicUrl")).Want(http.StatusOK) // for two weeks, in which the account can be restored
		purge(t, h)
		gone(last)
		h.Get("/users/me", user).Want(http.StatusUnauthorized)
		h.Generate("/page/one", nil).Want(http.StatusUnauthorized)
	})
}

// purge deletes the accounts that their owners have deleted, as after 14 days.
func purge(t *testing.T, h *apptest.Service) {
	t.Helper()
	h.App.Users.SetNow(func() time.Time { return time.Now().Add(users.Grace) })
	if err := h.App.Users.Purge(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// anotherAdmin makes an account an admin, so that that of h is not the last.
func anotherAdmin(t *testing.T, h *apptest.Service) {
	t.Helper()
	if _, err := h.App.Users.Promote(t.Context(), h.ID(h.Register())); err != nil {
		t.Fatal(err)
	}
}

func TestGenerate_lostOrDamagedFileIsDrawnAgain(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	image := h.Generate("/page/one", nil).Want(http.StatusOK)
	whole := h.Get(image.Path("imageUrl")).Want(http.StatusOK).Body
	file := pictureFile(t, h)
	for name, damage := range map[string]func() error{
		"lost":    func() error { return os.Remove(file) },
		"cut":     func() error { return os.Truncate(file, 100) },
		"longer":  func() error { return os.WriteFile(file, append(whole, 0), 0o600) },
		"emptied": func() error { return os.Truncate(file, 0) },
	} {
		if err := damage(); err != nil {
			t.Fatal(err)
		}
		again := h.Generate("/page/one", nil).Want(http.StatusOK)
		if again.Value("cached") != false || again.Text("id") != image.Text("id") ||
			again.Text("imageUrl") != image.Text("imageUrl") {
			t.Errorf("%s: got %s, want the same image drawn anew", name, again.Body)
		}
		if got := h.Get(image.Path("imageUrl")).Want(http.StatusOK); !bytes.Equal(got.Body, whole) {
			t.Errorf("%s: got %d bytes, want the %d of before", name, len(got.Body), len(whole))
		}
	}
	// Damage that leaves the length is seen by nobody but a checksum; whoever forces the image gets it whole.
	if err := os.WriteFile(file, make([]byte, len(whole)), 0o600); err != nil {
		t.Fatal(err)
	}
	h.Generate("/page/one", map[string]any{"force": true}).Want(http.StatusOK)
	if got := h.Get(image.Path("imageUrl")).Want(http.StatusOK); !bytes.Equal(got.Body, whole) {
		t.Error("a forced drawing left the damaged file")
	}
}

// Damage that keeps a file's length, beginning and end is seen once the file is asked for often, and made good.
func TestServe_damageWithinAHotFileIsMadeGood(t *testing.T) {
	t.Parallel()
	for name, address := range map[string]string{"/cdn": "imageUrl", "/og": "publicUrl"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
				image := h.Generate("/page/one", nil).Want(http.StatusOK)
				file := pictureFile(t, h)
				whole, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				damaged := bytes.Clone(whole)
				damaged[len(damaged)/2] ^= 1
				if err := os.WriteFile(file, damaged, 0o600); err != nil {
					t.Fatal(err)
				}
				apptest.WaitFor(t, "the picture as it was", func() bool {
					return bytes.Equal(h.Get(image.Path(address)).Want(http.StatusOK).Body, whole)
				})
				if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, whole) {
					t.Errorf("on disk: got %d bytes, %v, want the %d of before", len(got), err, len(whole))
				}
			})
		})
	}
}

func TestServe_etagIsOfTheDigest(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	image := h.Generate("/page/one", nil).Want(http.StatusOK)
	digest := strings.Split(image.Path("imageUrl"), "/")[2]
	tag := `"` + digest[:32] + `"`
	if v := "?v=" + digest[:12]; !strings.HasSuffix(image.Text("publicUrl"), v) {
		t.Errorf("publicUrl: got %s, want it to end in %s", image.Text("publicUrl"), v)
	}
	for _, path := range []string{image.Path("imageUrl"), image.Path("publicUrl")} {
		if got := h.Get(path).Want(http.StatusOK).Header.Get("ETag"); got != tag {
			t.Errorf("%s: got ETag %s, want %s", path, got, tag)
		}
		for _, match := range []string{tag, "W/" + tag, "*", `"other", ` + tag} {
			same := h.Get(path, apptest.Header("If-None-Match", match)).Want(http.StatusNotModified)
			if len(same.Body) != 0 || same.Header.Get("ETag") != tag {
				t.Errorf("%s, %s: got %d bytes with ETag %s", path, match, len(same.Body), same.Header.Get("ETag"))
			}
		}
		h.Get(path, apptest.Header("If-None-Match", `"other"`)).Want(http.StatusOK)
		h.Get(path, func(r *http.Request) { r.Header["If-None-Match"] = []string{`"other"`, tag} }).
			Want(http.StatusNotModified)
	}
	// A validator says nothing about a file that is not there.
	none := "/cdn/" + strings.Repeat("0", 64) + "/og.png"
	match := apptest.Header("If-None-Match", `"`+strings.Repeat("0", 32)+`"`)
	h.Get(none, match).WantProblem(http.StatusNotFound, "NOT_FOUND")
}

func TestCDN_goesOnWithoutTheDatabase(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	image := h.Generate("/page/one", nil).Want(http.StatusOK)
	if err := h.App.DB.Close(); err != nil {
		t.Fatal(err)
	}
	got := h.Get(image.Path("imageUrl")).Want(http.StatusOK)
	h.Get(image.Path("imageUrl"), apptest.Header("If-None-Match", got.Header.Get("ETag"))).Want(http.StatusNotModified)
}
