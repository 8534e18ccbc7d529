package cursor_test

import (
	"slices"
	"testing"

	"masthead/pkg/apperr"
	"masthead/pkg/cursor"
)

const (
	first  = "0199e0a6-5f5e-7cc1-9a51-3f0d8f2b7c11"
	second = "0199e0a6-5f5e-7cc1-9a51-3f0d8f2b7c10"
)

func TestMarksComeBack(t *testing.T) {
	mark := cursor.Encode(first)
	if got, err := cursor.Decode(mark); err != nil || got != first {
		t.Errorf("got %q, %v, want %q", got, err, first)
	}
	if got, err := cursor.Decode(""); err != nil || got <= first {
		t.Errorf("no mark: got %q, %v, want an id after all others", got, err)
	}
}

func TestPage(t *testing.T) {
	id := func(s string) string { return s }
	if items, next := cursor.Page([]string{first, second}, 2, id); len(items) != 2 || next != "" {
		t.Errorf("got %v, %v, want both and no mark", items, next)
	}
	items, next := cursor.Page([]string{first, second}, 1, id)
	if !slices.Equal(items, []string{first}) || next != cursor.Encode(first) {
		t.Errorf("got %v, %v, want the first and the mark behind it", items, next)
	}
	if items, next := cursor.Page[string](nil, 1, id); len(items) != 0 || next != "" {
		t.Errorf("got %v, %v, want nothing", items, next)
	}
}

func TestForeignMarksAreRefused(t *testing.T) {
	for _, mark := range []string{"x", "%%%", "AAAA", cursor.Encode(first) + "A", cursor.Encode(first)[1:], cursor.Encode(first) + "=", cursor.Encode(first) + "\n"} {
		if got, err := cursor.Decode(mark); apperr.CodeOf(err) != apperr.BadRequest {
			t.Errorf("%q: got %q, %v, want a bad request", mark, got, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(cursor.Encode(first))
	f.Add("")
	f.Add("AAAA")
	f.Fuzz(func(t *testing.T, mark string) {
		id, err := cursor.Decode(mark)
		if err == nil && mark != "" && cursor.Encode(id) != mark {
			t.Errorf("%q became %q", mark, cursor.Encode(id))
		}
	})
}
