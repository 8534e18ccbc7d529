package imagecache

import (
	"strconv"
	"testing"
)

func TestRecords_areBoundedAndDropped(t *testing.T) {
	t.Parallel()
	x := NewIndex[int](10, 2)
	key := func(n int) string { return "key " + strconv.Itoa(n) }
	put := func(n int, state uint64) {
		name := strconv.Itoa(n)
		x.PutRecord(key(n), &Image{PublicID: "public " + name, ProjectID: "project " + name}, n, state)
	}
	known := func(n int) bool {
		got, ok := x.Record(key(n))
		return ok && got == n
	}
	for n := range 4 {
		put(n, x.State())
	}
	if known(0) || known(1) || !known(2) || !known(3) || len(x.records.keys) != 2 {
		t.Errorf("want the two latest of two; the index has %v", x.records.keys)
	}
	state := x.State()
	x.Changed([]string{"public 2"})
	put(1, state)
	if known(2) || known(1) || !known(3) {
		t.Error("want what changed dropped, and what was read before the change not kept")
	}
	x.Forget("public 3")
	if known(3) {
		t.Error("want what is no more dropped")
	}
	put(1, x.State())
	put(2, x.State())
	x.ForgetWhere(func(i *Image) bool { return i.ProjectID == "project 1" })
	if known(1) || !known(2) || len(x.records.keys) != 1 {
		t.Errorf("want one project's dropped; the index has %v", x.records.keys)
	}
}
