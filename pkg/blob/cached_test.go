package blob_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"masthead/pkg/blob"
	"masthead/pkg/blob/blobtest"
)

// remote is a folder that counts what is read from it.
type remote struct {
	blob.Store

	gets, stats atomic.Int64
}

func newRemote(t *testing.T) *remote { return &remote{Store: open(t, t.TempDir())} }

func (r *remote) Get(ctx context.Context, n blob.Name) ([]byte, error) {
	r.gets.Add(1)
	return r.Store.Get(ctx, n)
}

func (r *remote) Stat(ctx context.Context, n blob.Name) (int64, error) {
	r.stats.Add(1)
	return r.Store.Stat(ctx, n)
}

func openCached(t *testing.T, store blob.Store, dir string) *blob.Cache {
	t.Helper()
	c, err := blob.OpenCache(store, dir, "images", blob.MinCache)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// whole looks like a whole picture of so many bytes.
func whole(length int, fill byte) []byte {
	head, end := "\x89PNG\r\n\x1a\n", "\x00\x00\x00\x00IEND\xaeB`\x82"
	return []byte(head + string(bytes.Repeat([]byte{fill}, length-len(head)-len(end))) + end)
}

// numbered returns a name in the folder ab.
func numbered(i int) blob.Name { return blob.Name{Digest: fmt.Sprintf("ab%062x", i), File: "og.png"} }

func get(t *testing.T, s blob.Store, n blob.Name, want []byte) {
	t.Helper()
	if got, err := s.Get(t.Context(), n); err != nil || !bytes.Equal(got, want) {
		t.Errorf("got %d bytes, %v, want %d", len(got), err, len(want))
	}
}

func TestCached_conforms(t *testing.T) {
	t.Parallel()
	blobtest.Run(t, func(t *testing.T) blob.Store { return openCached(t, newRemote(t), t.TempDir()) })
}

func TestCached_readsCopiesAlsoAfterARestart(t *testing.T) {
	t.Parallel()
	store, dir := newRemote(t), t.TempDir()
	if err := store.Put(t.Context(), name, whole(5000, 1)); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		c := openCached(t, store, dir)
		if !blob.IsRemote(c) {
			t.Error("a cache of a remote store isn't one")
		}
		for range 3 {
			get(t, c, name, whole(5000, 1))
		}
		f, err := c.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		if info, err := c.Info(name); err != nil || info.Size() != 5000 || f.Close() != nil {
			t.Errorf("got %v, %v", info, err)
		}
	}
	if got := store.gets.Load(); got != 1 {
		t.Errorf("the store was read %d times, want once", got)
	}
}

// TestCached_isBounded fills a folder of the cache beyond its share of a megabyte. The files in use stay.
func TestCached_isBounded(t *testing.T) {
	t.Parallel()
	store, dir := newRemote(t), t.TempDir()
	c := openCached(t, store, dir)
	const size = 50_000
	old := time.Now().Add(-time.Hour)
	for i := range 100 {
		if err := c.Put(t.Context(), numbered(i), whole(size, byte(i))); err != nil {
			t.Fatal(err)
		}
		// Each file is a second newer than the one before, and the first is used again and again.
		path := filepath.Join(dir, "ab", numbered(i).Digest+".og.png")
		if err := os.Chtimes(path, old, old.Add(time.Duration(i)*time.Second)); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Info(numbered(0)); err != nil {
			t.Fatalf("after %d files, the one in use: %v", i, err)
		}
		if i == 50 { // a restart reads the folder
			c = openCached(t, store, dir)
		}
	}
	var total int64
	entries, err := os.ReadDir(filepath.Join(dir, "ab"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		total += info.Size()
	}
	if total > blob.MinCache/256 || total < blob.MinCache/256/2 {
		t.Errorf("the folder has %d bytes, want at most %d and more than half of it", total, blob.MinCache/256)
	}
	if _, err := c.Info(numbered(98)); err != nil {
		t.Errorf("a recent file: %v", err)
	}
	if _, err := c.Info(numbered(1)); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("the oldest file: got %v, want it evicted", err)
	}
	get(t, c, numbered(1), whole(size, 1)) // from the store
	if err := c.Put(t.Context(), numbered(1000), whole(2<<20, 1)); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Info(numbered(1000)); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("a file that is larger than a folder: got %v, want no copy", err)
	}
}

// TestCached_anotherNodeDeletes deletes a file behind the cache's back, which notices it at a use after ten minutes.
func TestCached_anotherNodeDeletes(t *testing.T) {
	t.Parallel()
	store, dir := newRemote(t), t.TempDir()
	c := openCached(t, store, dir)
	if err := c.Put(t.Context(), name, whole(100, 1)); err != nil {
		t.Fatal(err)
	}
	if err := store.Delete(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	get(t, c, name, whole(100, 1))
	if got := store.stats.Load(); got != 0 {
		t.Errorf("a fresh copy: the store was asked %d times", got)
	}
	path := filepath.Join(dir, "ab", name.Digest+".og.png")
	if err := os.Chtimes(path, time.Now(), time.Now().Add(-11*time.Minute)); err != nil {
		t.Fatal(err)
	}
	get(t, c, name, whole(100, 1)) // the question is asked in the background
	for ctx := t.Context(); ctx.Err() == nil; time.Sleep(5 * time.Millisecond) {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	if _, err := c.Get(t.Context(), name); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("got %v, want it gone", err)
	}
}

// TestCached_damagedCopies damages copies: one that was cut is read again, and one that is damaged inside after Forget.
func TestCached_damagedCopies(t *testing.T) {
	t.Parallel()
	store, dir := newRemote(t), t.TempDir()
	c := openCached(t, store, dir)
	if err := c.Put(t.Context(), name, whole(100, 1)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "ab", name.Digest+".og.png")
	if err := os.WriteFile(path, whole(100, 1)[:50], 0o600); err != nil {
		t.Fatal(err)
	}
	get(t, c, name, whole(100, 1))
	if err := os.WriteFile(path, whole(100, 2), 0o600); err != nil {
		t.Fatal(err)
	}
	c.Forget(name)
	get(t, c, name, whole(100, 1))
	// An interrupted write is deleted with the first write after a restart.
	half := filepath.Join(dir, "ab", ".writing-1")
	if err := os.WriteFile(half, []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := openCached(t, store, dir).Put(t.Context(), numbered(1), whole(100, 1)); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(half); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want the interrupted write gone", err)
	}
}

// TestCached_manyAtOnce reads, writes and deletes at once. In the end nothing is left but what the store has.
func TestCached_manyAtOnce(t *testing.T) {
	t.Parallel()
	store := newRemote(t)
	c := openCached(t, store, t.TempDir())
	var work sync.WaitGroup
	for i := range 8 {
		work.Go(func() {
			for round := range 30 {
				n := numbered(round % 5)
				switch (i + round) % 4 {
				case 0:
					_ = c.Delete(t.Context(), n)
				case 1:
					_ = c.Put(t.Context(), n, whole(1000, n.Digest[63]))
				default:
					if data, err := c.Get(t.Context(), n); err == nil && !bytes.Equal(data, whole(1000, n.Digest[63])) {
						t.Errorf("read %d bytes of another file", len(data))
					}
				}
			}
		})
	}
	work.Wait()
	for i := range 5 {
		if err := c.Delete(t.Context(), numbered(i)); err != nil {
			t.Error(err)
		}
		if _, err := c.Get(t.Context(), numbered(i)); !errors.Is(err, blob.ErrNotFound) {
			t.Errorf("after its deletion: got %v", err)
		}
	}
}
