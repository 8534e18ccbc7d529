package designs

import "testing"

func TestUsedBy(t *testing.T) {
	for _, c := range []struct {
		n, outdated int
		want        string
	}{
		{0, 0, "not used yet"}, {1, 0, "used by 1 image"}, {4, 1, "used by 4 images; 1 still shows an earlier look"},
		{31, 4, "used by 31 images; 4 still show an earlier look"},
	} {
		if got := usedBy(c.n, c.outdated); got != c.want {
			t.Errorf("%d, %d: got %q, want %q", c.n, c.outdated, got, c.want)
		}
	}
}
