package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/base62"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
)

// TestOpen_picturesOfAnotherInstallationStopIt moves a service from the embedded database to others, with and without
// its folder.
func TestOpen_picturesOfAnotherInstallationStopIt(t *testing.T) {
	dbtest.RunConfig(t, func(t *testing.T, cfg db.Config) {
		first := apptest.StartSignedIn(t)
		first.Generate("/page/one", nil).Want(200)
		open := func(dir string) error {
			t.Helper()
			c := first.Config
			c.DataDir, c.Database, c.Auth.Secret = dir, cfg, base62.Random(43)
			opened, err := app.Open(t.Context(), c)
			if err == nil {
				err = opened.Close()
			}
			return err
		}
		own, copied := t.TempDir(), t.TempDir()
		if err := open(own); err != nil {
			t.Fatal(err)
		}
		if cfg.URL == "" { // the database stands in the folder, so the pictures are exchanged
			copied = own
			if err := os.RemoveAll(filepath.Join(own, "images")); err != nil {
				t.Fatal(err)
			}
		}
		from, to := filepath.Join(first.Config.DataDir, "images"), filepath.Join(copied, "images")
		if err := os.CopyFS(to, os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
		err := open(copied)
		if err == nil || !strings.Contains(err.Error(), "MASTHEAD_DATA_DIR") {
			t.Fatalf("got %v, want a refusal that names MASTHEAD_DATA_DIR", err)
		}
		// A folder of before there were markers is taken as it is.
		if err := os.Remove(filepath.Join(copied, "images", "installation-id")); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := open(copied); err != nil {
				t.Errorf("without a marker: %v", err)
			}
		}
	})
}
