package cache

import (
	"math/rand/v2"
	"testing"
)

func TestArena_handsOutTheLowestPlace(t *testing.T) {
	a := newArena(make([]byte, 16*roundPart))
	first, second, third := a.take(3*roundPart), a.take(1), a.take(2*roundPart)
	if !a.give(first) || !a.give(third) {
		t.Fatal("the arena does not know what it handed out")
	}
	if a.give(first) || a.give(make([]byte, roundPart)) {
		t.Error("the arena took what it had not handed out")
	}
	if got := a.take(roundPart + 1); &got[0] != &first[0] || len(got) != roundPart+1 || cap(got) != 2*roundPart {
		t.Errorf("take gave %d of %d bytes elsewhere, want those of the first", len(got), cap(got))
	}
	if got := a.take(2 * roundPart); &got[0] != &third[0] {
		t.Error("take did not give the place of the third, the lowest that is large enough")
	}
	if a.take(11*roundPart) != nil {
		t.Error("take gave more than there is in one piece")
	}
	if !a.give(second) {
		t.Error("the arena does not know the second")
	}
}

// Whatever is taken and given in whatever order, nothing is handed out twice, and all of it comes back in one piece.
func TestArena_randomUse(t *testing.T) {
	const pages = 64
	r := rand.New(rand.NewPCG(1, 2))
	a := newArena(make([]byte, pages*roundPart))
	var held [][]byte
	for i := range 20_000 {
		if n := 1 + r.IntN(9*roundPart); r.IntN(2) == 0 {
			if b := a.take(n); b != nil {
				for _, v := range b[:cap(b)] {
					if v != 0 {
						t.Fatalf("step %d: what was handed out is in use", i)
					}
				}
				fill(b[:cap(b)], 1)
				held = append(held, b)
			}
		} else if len(held) > 0 {
			at := r.IntN(len(held))
			b := held[at]
			fill(b[:cap(b)], 0)
			if !a.give(b) {
				t.Fatalf("step %d: the arena does not know what it handed out", i)
			}
			held[at] = held[len(held)-1]
			held = held[:len(held)-1]
		}
	}
	for _, b := range held {
		a.give(b)
	}
	if len(a.taken) != 0 || len(a.free) != 1 || a.free[0] != (part{0, pages * roundPart}) {
		t.Errorf("in the end %v are taken and %v free, want nothing and one piece", a.taken, a.free)
	}
}

func fill(b []byte, v byte) {
	for i := range b {
		b[i] = v
	}
}
