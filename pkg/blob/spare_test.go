package blob_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"masthead/pkg/blob"
)

// TestDisk_bytesOfAFileAreItsOwn reads files of many sizes in buffers that are given back, and one that is shorter than
// it was, or empty.
func TestDisk_bytesOfAFileAreItsOwn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	d, err := blob.OpenDisk(blob.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	for i, size := range []int{1000, 10, 1000, 700_000, 0, 500_000, 1, 499_999, 1001} {
		want := bytes.Repeat([]byte{byte(i + 1)}, size)
		n := blob.Name{Digest: digestOf(i), File: "og.png"}
		path := filepath.Join(dir, n.Digest[:2], n.Digest+"."+n.File)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, want, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := d.Get(t.Context(), n)
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%d bytes: got %d others, %v", size, len(got), err)
		}
		blob.Recycle(got)
	}
}

// digestOf returns a digest for a number.
func digestOf(i int) string {
	return string(bytes.Repeat([]byte{'a' + byte(i%6)}, 63)) + string('0'+rune(i))
}
