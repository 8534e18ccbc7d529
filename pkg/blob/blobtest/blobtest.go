// Package blobtest holds what every store of files must do, as one suite of tests.
package blobtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"masthead/pkg/blob"
)

// Run holds the stores that open returns, each of them empty, to what [blob.Store] promises.
func Run(t *testing.T, open func(t *testing.T) blob.Store) {
	t.Helper()
	for _, c := range []struct {
		name string
		test func(*testing.T, blob.Store)
	}{
		{"put, get, stat, delete", keeps},
		{"any length", anyLength},
		{"bytes are not shared", notShared},
		{"a file is replaced at once", replaced},
		{"absent files", absent},
		{"bad names", badNames},
		{"many files", many},
		{"listing", listed},
		{"writers at once", writersAtOnce},
		{"cut off", cutOff},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, open(t)) })
	}
}

// name returns the i-th of many names, whose digests differ from the first digit on.
func name(i int) blob.Name {
	return blob.Name{Digest: fmt.Sprintf("%02x%062x", i%256, i), File: "og.png"}
}

func put(t *testing.T, s blob.Store, n blob.Name, data []byte) {
	t.Helper()
	if err := s.Put(t.Context(), n, data); err != nil {
		t.Fatalf("put %v: %v", n, err)
	}
}

// holds fails the test when the file is not exactly want.
func holds(t *testing.T, s blob.Store, n blob.Name, want []byte) {
	t.Helper()
	if got, err := s.Get(t.Context(), n); err != nil || !bytes.Equal(got, want) {
		t.Errorf("get %v: got %d bytes, %v, want the %d that were put", n, len(got), err, len(want))
	}
	if size, err := s.Stat(t.Context(), n); err != nil || size != int64(len(want)) {
		t.Errorf("stat %v: got %d, %v, want %d", n, size, err, len(want))
	}
}

// lacks fails the test when there is such a file.
func lacks(t *testing.T, s blob.Store, n blob.Name) {
	t.Helper()
	if got, err := s.Get(t.Context(), n); !errors.Is(err, blob.ErrNotFound) || got != nil {
		t.Errorf("get %v: got %d bytes, %v, want not found", n, len(got), err)
	}
	if _, err := s.Stat(t.Context(), n); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("stat %v: got %v, want not found", n, err)
	}
}

func keeps(t *testing.T, s blob.Store) {
	lacks(t, s, name(1))
	put(t, s, name(1), []byte("picture"))
	holds(t, s, name(1), []byte("picture"))
	for range 2 {
		if err := s.Delete(t.Context(), name(1)); err != nil {
			t.Errorf("delete: %v", err)
		}
		lacks(t, s, name(1))
	}
	put(t, s, name(1), []byte("picture"))
	holds(t, s, name(1), []byte("picture"))
}

func anyLength(t *testing.T, s blob.Store) {
	for i, length := range []int{0, 1, 4 << 10, 5<<20 + 1} {
		data := bytes.Repeat([]byte{byte(i), 0xff, 0}, length/3+1)[:length]
		put(t, s, name(i), data)
		holds(t, s, name(i), data)
	}
}

func notShared(t *testing.T, s blob.Store) {
	data := []byte("picture")
	put(t, s, name(1), data)
	data[0] = 'X'
	got, err := s.Get(t.Context(), name(1))
	if err != nil {
		t.Fatal(err)
	}
	for i := range got {
		got[i] = 'Y'
	}
	holds(t, s, name(1), []byte("picture"))
}

func replaced(t *testing.T, s blob.Store) {
	for _, text := range []string{"picture", "a longer picture", "short", "damag", ""} {
		put(t, s, name(1), []byte(text))
		holds(t, s, name(1), []byte(text))
	}
}

func absent(t *testing.T, s blob.Store) {
	put(t, s, name(1), []byte("picture"))
	lacks(t, s, blob.Name{Digest: name(1).Digest, File: "blog-hero.png"})
	lacks(t, s, blob.Name{Digest: name(1).Digest, File: "og.jpg"})
	lacks(t, s, name(2))
	if err := s.Delete(t.Context(), blob.Name{Digest: name(1).Digest, File: "og.jpg"}); err != nil {
		t.Errorf("delete: %v", err)
	}
	holds(t, s, name(1), []byte("picture"))
}

func badNames(t *testing.T, s blob.Store) {
	digest := name(0xab).Digest
	for _, n := range []blob.Name{
		{Digest: "", File: "og.png"}, {Digest: digest, File: ""}, {Digest: digest, File: "../../etc/passwd"},
		{Digest: "../" + digest[3:], File: "og.png"}, {Digest: strings.ToUpper(digest), File: "og.png"},
		{Digest: digest + "0", File: "og.png"},
		{Digest: digest, File: "og.png/"}, {Digest: digest, File: ".png"}, {Digest: digest, File: "a\x00.png"},
		{Digest: digest, File: "og.png\n"},
		{Digest: digest, File: "OG.png"}, {Digest: digest, File: strings.Repeat("a", 65) + ".png"},
	} {
		if n.Valid() {
			t.Errorf("%q is valid", n)
		}
		if err := s.Put(t.Context(), n, []byte("picture")); err == nil {
			t.Errorf("%q was written", n)
		}
		lacks(t, s, n)
		if err := s.Delete(t.Context(), n); err != nil {
			t.Errorf("delete %q: %v", n, err)
		}
	}
}

func many(t *testing.T, s blob.Store) {
	const files = 600
	for i := range files {
		put(t, s, name(i), fmt.Appendf(nil, "picture %d", i))
	}
	for i := 0; i < files; i += 2 {
		if err := s.Delete(t.Context(), name(i)); err != nil {
			t.Fatal(err)
		}
	}
	for i := range files {
		if i%2 == 0 {
			lacks(t, s, name(i))
		} else {
			holds(t, s, name(i), fmt.Appendf(nil, "picture %d", i))
		}
	}
}

func listed(t *testing.T, s blob.Store) {
	other := blob.Name{Digest: name(1).Digest, File: "blog-hero.jpg"}
	for _, n := range []blob.Name{name(1), other, name(2), name(257)} {
		put(t, s, n, []byte("picture"))
	}
	if err := s.Delete(t.Context(), name(257)); err != nil {
		t.Fatal(err)
	}
	got, err := s.List(t.Context(), "01")
	if err != nil || len(got) != 2 || !slices.Contains(got, name(1)) || !slices.Contains(got, other) {
		t.Errorf("got %v, %v, want the two under 01", got, err)
	}
	if got, err := s.List(t.Context(), "ff"); err != nil || len(got) != 0 {
		t.Errorf("got %v, %v, want none under ff", got, err)
	}
}

// writersAtOnce lets writers replace one file again and again, beside readers and one who deletes it: whoever reads
// gets the bytes of one of them, whole, or none.
func writersAtOnce(t *testing.T, s blob.Store) {
	const writers, rounds = 8, 25
	whole := func(data []byte) bool {
		return len(data) > 0 && len(data) == 1000*(1+int(data[0])) && bytes.Count(data, data[:1]) == len(data)
	}
	var work sync.WaitGroup
	for i := range writers {
		data := bytes.Repeat([]byte{byte(i)}, 1000*(1+i))
		work.Go(func() {
			for round := range rounds {
				if err := s.Put(t.Context(), name(1), data); err != nil {
					t.Errorf("put: %v", err)
				}
				got, err := s.Get(t.Context(), name(1))
				if err == nil && !whole(got) || err != nil && !errors.Is(err, blob.ErrNotFound) {
					t.Errorf("get: got %d bytes, %v, want those of one writer or none", len(got), err)
				}
				if i == 0 && round%5 == 0 {
					if err := s.Delete(t.Context(), name(1)); err != nil {
						t.Errorf("delete: %v", err)
					}
				}
			}
		})
	}
	work.Wait()
	put(t, s, name(1), []byte("the last"))
	holds(t, s, name(1), []byte("the last"))
}

// cutOff puts with a context that has ended: there is the old file or the new one.
func cutOff(t *testing.T, s blob.Store) {
	put(t, s, name(1), []byte("old"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	want := []byte("old")
	if err := s.Put(ctx, name(1), []byte("the new one")); err == nil {
		want = []byte("the new one")
	}
	holds(t, s, name(1), want)
}
