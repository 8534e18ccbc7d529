package monotonic_test

import (
	"testing"
	"testing/synctest"
	"time"

	"masthead/pkg/monotonic"
)

func TestNow_growsAsTimePasses(t *testing.T) {
	t.Parallel()
	if got := monotonic.Now(); got <= 0 {
		t.Errorf("got %v, want a positive time", got)
	}
	synctest.Test(t, func(t *testing.T) {
		before := monotonic.Now()
		time.Sleep(time.Hour)
		if got := monotonic.Now() - before; got != time.Hour {
			t.Errorf("got %v after an hour", got)
		}
	})
}
