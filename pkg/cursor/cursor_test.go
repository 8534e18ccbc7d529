package cursor

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/uuid"

	"masthead/pkg/apperr"
)

// fixture returns n ids, the greatest first, and a reader of them as a store has it.
func fixture(n int) (ids []string, read func(before string, limit int) ([]string, error)) {
	for i := range n {
		ids = append(ids, uuid.UUID{0: 1, 15: byte(n - i)}.String())
	}
	return ids, func(before string, limit int) ([]string, error) {
		var found []string
		for _, id := range ids {
			if id < before && len(found) < limit {
				found = append(found, id)
			}
		}
		return found, nil
	}
}

func itself(id string) string { return id }

func TestList_followedCursorsGiveEveryItemOnce(t *testing.T) {
	ids, read := fixture(45)
	for limit, want := range map[int][]int{0: {20, 20, 5}, 15: {15, 15, 15}, 44: {44, 1}, 45: {45}, 100: {45}} {
		t.Run(fmt.Sprintf("limit %d", limit), func(t *testing.T) {
			var all []string
			var sizes []int
			for page := (Page{Limit: limit}); ; {
				items, next, err := List(page, itself, read)
				if err != nil {
					t.Fatal(err)
				}
				all, sizes = append(all, items...), append(sizes, len(items))
				if next == "" {
					break
				}
				page.After = next
			}
			if !slices.Equal(all, ids) || !slices.Equal(sizes, want) {
				t.Errorf("got pages of %v with %v, want %v with each id once", sizes, all, want)
			}
		})
	}
}

func TestList_emptyListIsTheLastPage(t *testing.T) {
	_, read := fixture(0)
	if items, next, err := List(Page{}, itself, read); len(items) != 0 || next != "" || err != nil {
		t.Errorf("got %v, %q, %v, want nothing", items, next, err)
	}
}

func TestList_limitOutOfRangeIs400(t *testing.T) {
	for _, limit := range []int{-1, 101} {
		_, read := fixture(1)
		if _, _, err := List(Page{Limit: limit}, itself, read); apperr.CodeOf(err) != apperr.BadRequest {
			t.Errorf("limit %d: got %v, want a bad request", limit, err)
		}
	}
}

func TestList_foreignCursorIs400(t *testing.T) {
	ids, read := fixture(1)
	good := encode(ids[0])
	for _, cursor := range []string{"x", "%%%", "AAAA", good + "A", good[1:], good + "=", good + "\n"} {
		if got, _, err := List(Page{After: cursor}, itself, read); apperr.CodeOf(err) != apperr.BadRequest {
			t.Errorf("%q: got %q, %v, want a bad request", cursor, got, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	ids, _ := fixture(1)
	f.Add(encode(ids[0]))
	f.Add("")
	f.Add("AAAA")
	f.Fuzz(func(t *testing.T, cursor string) {
		id, err := decode(cursor)
		if err == nil && cursor != "" && encode(id) != cursor {
			t.Errorf("%q became %q", cursor, encode(id))
		}
	})
}
