package cursor_test

import (
	"testing"

	"masthead/pkg/apperr"
	"masthead/pkg/cursor"
)

func TestMarksComeBack(t *testing.T) {
	const id = "0199e0a6-5f5e-7cc1-9a51-3f0d8f2b7c11"
	mark := cursor.Encode(id)
	if got, err := cursor.Decode(&mark); err != nil || got != id {
		t.Errorf("got %q, %v, want %q", got, err, id)
	}
	if got, err := cursor.Decode(nil); err != nil || got != "" {
		t.Errorf("no mark: got %q, %v", got, err)
	}
}

func TestForeignMarksAreRefused(t *testing.T) {
	for _, mark := range []string{"x", "%%%", cursor.Encode("1 OR 1=1"), cursor.Encode("{0199e0a6-5f5e-7cc1-9a51-3f0d8f2b7c11}")} {
		if got, err := cursor.Decode(&mark); apperr.CodeOf(err) != apperr.BadRequest {
			t.Errorf("%q: got %q, %v, want a bad request", mark, got, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(cursor.Encode("0199e0a6-5f5e-7cc1-9a51-3f0d8f2b7c11"))
	f.Add("")
	f.Add("AAAA")
	f.Fuzz(func(t *testing.T, mark string) {
		id, err := cursor.Decode(&mark)
		if err == nil && id != "" && len(id) != 36 {
			t.Errorf("%q: got %q", mark, id)
		}
	})
}
