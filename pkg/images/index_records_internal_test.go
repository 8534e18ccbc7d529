package images

import (
	"strconv"
	"testing"
)

func TestRecords_areBoundedAndDropped(t *testing.T) {
	t.Parallel()
	x := newIndex(10)
	x.records = newRecords(2)
	read := func(n int) *recorded {
		name := strconv.Itoa(n)
		return &recorded{row: imageRow{
			PublicID: "public " + name, CacheKey: "key " + name, ProjectID: "project " + name, Files: make([]File, 1),
		}}
	}
	known := func(n int) bool { return x.ofKey("key "+strconv.Itoa(n)) != nil }
	for n := range 4 {
		x.record(read(n), x.now())
	}
	if known(0) || known(1) || !known(2) || !known(3) || len(x.records.keys) != 2 {
		t.Errorf("want the two latest of two; the index has %v", x.records.keys)
	}
	state := x.now()
	x.changed([]string{"public 2"})
	x.record(read(1), state)
	if known(2) || known(1) || !known(3) {
		t.Error("want what changed dropped, and what was read before the change not kept")
	}
	x.forget("public 3")
	if known(3) {
		t.Error("want what is no more dropped")
	}
	x.record(read(1), x.now())
	x.record(read(2), x.now())
	x.forgetWhere(func(i *shown) bool { return i.projectID == "project 1" })
	if known(1) || !known(2) || len(x.records.keys) != 1 {
		t.Errorf("want one project's dropped; the index has %v", x.records.keys)
	}
}
