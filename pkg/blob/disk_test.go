package blob_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"masthead/pkg/blob"
	"masthead/pkg/blob/blobtest"
)

var name = blob.Name{Digest: strings.Repeat("ab", 32), File: "og.png"}

func open(t *testing.T, dir string) *blob.Disk {
	t.Helper()
	d, err := blob.OpenDisk(blob.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestDisk_conforms(t *testing.T) {
	blobtest.Run(t, func(t *testing.T) blob.Store { return open(t, t.TempDir()) })
}

func TestDisk_reopenedKeepsWhatWasPut(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "with [odd] *name")
	if err := open(t, dir).Put(t.Context(), name, []byte("picture")); err != nil {
		t.Fatal(err)
	}
	if got, err := open(t, dir).Get(t.Context(), name); err != nil || string(got) != "picture" {
		t.Errorf("got %q, %v, want the picture", got, err)
	}
}

func TestOpenDisk_interruptedWriteIsRemoved(t *testing.T) {
	dir := t.TempDir()
	if err := open(t, dir).Put(t.Context(), name, []byte("picture")); err != nil {
		t.Fatal(err)
	}
	half := filepath.Join(dir, "ab", ".writing-123")
	if err := os.WriteFile(half, []byte("pic"), 0o600); err != nil {
		t.Fatal(err)
	}
	d := open(t, dir)
	if _, err := os.Stat(half); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v, want the half file gone", err)
	}
	if size, err := d.Stat(t.Context(), name); err != nil || size != 7 {
		t.Errorf("got %d, %v, want the whole file kept", size, err)
	}
}

// TestPut_removedSubfolderIsMadeAgain removes the subfolder that the store knows to exist.
func TestPut_removedSubfolderIsMadeAgain(t *testing.T) {
	dir := t.TempDir()
	d := open(t, dir)
	for range 2 {
		if err := d.Put(t.Context(), name, []byte("picture")); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(filepath.Join(dir, name.Digest[:2])); err != nil {
			t.Fatal(err)
		}
	}
}

// TestPut_damagedFileIsReplaced damages a file without changing its length.
func TestPut_damagedFileIsReplaced(t *testing.T) {
	dir := t.TempDir()
	d := open(t, dir)
	for range 2 {
		if err := d.Put(t.Context(), name, []byte("picture")); err != nil {
			t.Fatal(err)
		}
		if got, err := d.Get(t.Context(), name); err != nil || string(got) != "picture" {
			t.Errorf("got %q, %v, want the picture", got, err)
		}
		if err := os.WriteFile(filepath.Join(dir, "ab", name.Digest+".og.png"), []byte("pXcture"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
