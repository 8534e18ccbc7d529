package garbage_test

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"masthead/pkg/garbage"
)

func TestPercent_smallHeapsAreLeftAndLargeOnesBound(t *testing.T) {
	for _, c := range []struct {
		live uint64
		want int
	}{{0, 100}, {4 << 20, 100}, {24 << 20, 100}, {48 << 20, 50}, {96 << 20, 25}, {1 << 30, 25}} {
		if got := garbage.Percent(c.live); got != c.want {
			t.Errorf("Percent(%d MB) = %d, want %d", c.live>>20, got, c.want)
		}
	}
}

// percent returns what is set now.
func percent() int {
	p := debug.SetGCPercent(100)
	debug.SetGCPercent(p)
	return p
}

func TestBound_operatorsOwnSettingWins(t *testing.T) {
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		t.Setenv("GOGC", "")
		t.Setenv("GOMEMLIMIT", "")
		t.Setenv(name, "70")
		if garbage.Bound() {
			t.Errorf("the garbage is bound in spite of %s", name)
		}
	}
}

func TestBound_followsWhatIsInUse(t *testing.T) {
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	if !garbage.Bound() {
		t.Fatal("the garbage is not bound")
	}
	until := func(ok func(int) bool) int {
		for range 500 { // a clean-up runs some time after its collection
			runtime.GC()
			if p := percent(); ok(p) {
				return p
			}
			time.Sleep(10 * time.Millisecond)
		}
		return percent()
	}
	held := make([]byte, 100<<20)
	if p := until(func(p int) bool { return p == 25 }); p != 25 {
		t.Errorf("with 100 MB in use the percentage is %d, want 25", p)
	}
	runtime.KeepAlive(held) // and from here on nobody does
	if p := until(func(p int) bool { return p == 100 }); p != 100 {
		t.Errorf("with little in use the percentage is %d, want 100", p)
	}
}
