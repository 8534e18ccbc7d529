package limit_test

import (
	"testing"
	"time"

	"masthead/pkg/limit"
)

func TestTake_countsByKey(t *testing.T) {
	w := limit.NewWindow(2)
	for i, want := range []limit.Result{
		{Limit: 2, Remaining: 1},
		{Limit: 2, Remaining: 0},
		{Limit: 2, Remaining: 0, Reached: true},
	} {
		got, err := w.Take(t.Context(), "a")
		if err != nil {
			t.Fatal(err)
		}
		if until := time.Until(got.Reset); until < -time.Second || until > time.Minute {
			t.Errorf("request %d: the window ends in %v, want within a minute", i, until)
		}
		got.Reset = time.Time{}
		if got != want {
			t.Errorf("request %d: got %+v, want %+v", i, got, want)
		}
	}
	if got, err := w.Take(t.Context(), "b"); err != nil || got.Reached {
		t.Errorf("another key: got %+v, %v, want it allowed", got, err)
	}
}
