package installation_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/installation"
)

// check wants the folder and the database to belong together in one way.
func check(t *testing.T, d *db.DB, dir string, want installation.Match) {
	t.Helper()
	if got, err := installation.Check(t.Context(), d, installation.Folder(dir)); err != nil || got != want {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
}

func TestCheck_folderOfTheDatabaseIsTaken(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		dir := filepath.Join(t.TempDir(), "images") // that is made
		check(t, d, dir, installation.Joined)
		check(t, d, dir, installation.Same)
		left, err := os.ReadDir(dir)
		if err != nil || len(left) != 1 || left[0].Name() != installation.MarkerName {
			t.Errorf("the folder holds %v, %v, want the marker alone", left, err)
		}
	})
}

// TestCheck_folderOlderThanMarkersIsTaken has a folder with pictures and a database of the time before there were ids.
func TestCheck_folderOlderThanMarkersIsTaken(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		dir := t.TempDir()
		if err := os.MkdirAll(filepath.Join(dir, "ab"), 0o700); err != nil {
			t.Fatal(err)
		}
		check(t, d, dir, installation.Joined)
		check(t, d, dir, installation.Same)
	})
}

func TestCheck_folderOfAnotherInstallationIsRefused(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		mine, theirs := t.TempDir(), t.TempDir()
		check(t, d, mine, installation.Joined)
		check(t, dbtest.SQLite(t), theirs, installation.Joined)
		_, err := installation.Check(t.Context(), d, installation.Folder(theirs))
		marker := filepath.Join(theirs, installation.MarkerName)
		if err == nil ||
			!strings.Contains(err.Error(), "MASTHEAD_DATA_DIR") || !strings.Contains(err.Error(), "delete "+marker) {
			t.Fatalf("got %v, want a sentence that says what to do", err)
		}
		check(t, d, mine, installation.Same)
		// What the sentence says works.
		if err := os.Remove(marker); err != nil {
			t.Fatal(err)
		}
		check(t, d, theirs, installation.Unknown)
		check(t, d, theirs, installation.Same)
	})
}

func TestCheck_newFolderOfAUsedDatabaseIsTold(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		check(t, d, t.TempDir(), installation.Joined)
		check(t, d, t.TempDir(), installation.Unknown)
	})
}

func TestCheck_manyNodesAtOnceAgree(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		dir := t.TempDir()
		var nodes sync.WaitGroup
		for range 8 {
			nodes.Go(func() {
				if _, err := installation.Check(t.Context(), d, installation.Folder(dir)); err != nil {
					t.Error(err)
				}
			})
		}
		nodes.Wait()
		check(t, d, dir, installation.Same)
	})
}
