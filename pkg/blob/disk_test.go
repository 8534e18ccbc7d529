package blob_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"masthead/pkg/blob"
)

var name = blob.Name{Digest: strings.Repeat("ab", 32), File: "og.png"}

func open(t *testing.T, dir string) *blob.Disk {
	t.Helper()
	d, err := blob.OpenDisk(dir)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestDisk_reopenedKeepsWhatWasPut(t *testing.T) {
	ctx, dir := t.Context(), filepath.Join(t.TempDir(), "with [odd] *name")
	d := open(t, dir)
	if _, _, err := d.Get(ctx, name); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("before: got %v, want not found", err)
	}
	want := []byte("picture")
	for range 2 {
		if err := d.Put(ctx, name, want); err != nil {
			t.Fatal(err)
		}
	}
	d = open(t, dir)
	got, written, err := d.Get(ctx, name)
	if err != nil || !bytes.Equal(got, want) || time.Since(written) > time.Hour {
		t.Errorf("got %q, %v, %v, want %q", got, written, err, want)
	}
	if has, err := d.Has(ctx, name); err != nil || !has {
		t.Errorf("got %v, %v, want it there", has, err)
	}
	if _, _, err := d.Get(ctx, blob.Name{Digest: name.Digest, File: "blog-hero.png"}); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("another name: got %v, want not found", err)
	}
	for range 2 {
		if err := d.Delete(ctx, name); err != nil {
			t.Errorf("delete: %v", err)
		}
	}
	if has, err := d.Has(ctx, name); err != nil || has {
		t.Errorf("after delete: got %v, %v, want it gone", has, err)
	}
}

func TestPut_damagedSizeIsWrittenAgain(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	d := open(t, dir)
	if err := d.Put(ctx, name, []byte("picture")); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "ab", name.Digest+".og.png")
	if err := os.Truncate(path, 3); err != nil {
		t.Fatal(err)
	}
	if err := d.Put(ctx, name, []byte("picture")); err != nil {
		t.Fatal(err)
	}
	if got, _, err := d.Get(ctx, name); err != nil || string(got) != "picture" {
		t.Errorf("got %q, %v, want the whole file", got, err)
	}
}

func TestDisk_badNameIsRefused(t *testing.T) {
	d := open(t, t.TempDir())
	for _, n := range []blob.Name{
		{"", "og.png"}, {name.Digest, ""}, {name.Digest, "../../etc/passwd"}, {"../" + name.Digest[3:], "og.png"},
		{strings.ToUpper(name.Digest), "og.png"}, {name.Digest, "og.png/"}, {name.Digest, ".png"}, {name.Digest, "a\x00.png"},
	} {
		if n.Valid() {
			t.Errorf("%q is valid", n)
		}
		if _, _, err := d.Get(t.Context(), n); !errors.Is(err, blob.ErrNotFound) {
			t.Errorf("%q: got %v, want not found", n, err)
		}
		if err := d.Put(t.Context(), n, nil); err == nil {
			t.Errorf("%q was written", n)
		}
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
	if has, err := d.Has(t.Context(), name); err != nil || !has {
		t.Errorf("got %v, %v, want the whole file kept", has, err)
	}
}

func TestWalk_seesOldFilesOnly(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	d := open(t, dir)
	young := blob.Name{Digest: strings.Repeat("cd", 32), File: "og.png"}
	for _, n := range []blob.Name{name, young} {
		if err := d.Put(ctx, n, []byte("picture")); err != nil {
			t.Fatal(err)
		}
	}
	hourAgo := time.Now().Add(-time.Hour)
	old := hourAgo.Add(-time.Minute)
	if err := os.Chtimes(filepath.Join(dir, "ab", name.Digest+".og.png"), old, old); err != nil {
		t.Fatal(err)
	}
	walk := func() (seen []blob.Name) {
		t.Helper()
		if err := d.Walk(ctx, hourAgo, func(n blob.Name) error { seen = append(seen, n); return nil }); err != nil {
			t.Fatal(err)
		}
		return seen
	}
	if seen := walk(); len(seen) != 1 || seen[0] != name {
		t.Errorf("got %v, want the old file alone", seen)
	}
	// Putting the same bytes again makes the file young: its new record may not be there yet.
	if err := d.Put(ctx, name, []byte("picture")); err != nil {
		t.Fatal(err)
	}
	if seen := walk(); len(seen) != 0 {
		t.Errorf("got %v, want none after the file was put again", seen)
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if err := d.Walk(stopped, time.Now().Add(time.Hour), func(blob.Name) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the walk to end with its context", err)
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

func TestTouch_fileCountsAsNew(t *testing.T) {
	d := open(t, t.TempDir())
	if err := errors.Join(d.Touch(t.Context(), name), d.Put(t.Context(), name, []byte("picture"))); err != nil {
		t.Fatal(err)
	}
	_, before, err := d.Get(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Touch(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	if _, after, err := d.Get(t.Context(), name); err != nil || after.Before(before) {
		t.Errorf("got %v after %v, %v", after, before, err)
	}
}
