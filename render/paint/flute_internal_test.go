package paint

import "testing"

// What a flute shows beyond the edges is the picture again, and never one place for many.
func TestReflected_beyondTheEdgesIsThePictureAgain(t *testing.T) {
	const w = 10
	for at, want := range map[int]int{0: 0, 4: 4, 9: 9, 10: 9, 11: 8, 19: 0, -1: 0, -3: 2, -10: 9, 1000: 0, -1000: 0} {
		if got := reflected(at, w); got != want {
			t.Errorf("%d: got %d, want %d", at, got, want)
		}
	}
	if got := reflected(3, 1); got != 0 {
		t.Errorf("a picture one pixel wide: got %d, want 0", got)
	}
}
