package scrape

import (
	"errors"
	"testing"

	"masthead/pkg/fetch"
)

func TestSettle_outcomes_giveTheirState(t *testing.T) {
	fault := errors.New("broken")
	for name, c := range map[string]struct {
		get  func() (int, error)
		want State
	}{
		"value":   {func() (int, error) { return 7, nil }, Got},
		"absent":  {func() (int, error) { return 0, errAbsent }, Absent},
		"refused": {func() (int, error) { return 7, fetch.ErrRefused }, Refused},
		"failed":  {func() (int, error) { return 7, fault }, Failed},
		"panic":   {func() (int, error) { panic("a parser's mistake") }, Failed},
	} {
		got := settle(c.get)
		if got.State != c.want || (got.Err != nil) != (c.want == Refused || c.want == Failed) {
			t.Errorf("%s: got %v, %v, want %v", name, got.State, got.Err, c.want)
		}
		if got.State.String() == "" || got.Got() != (c.want == Got) {
			t.Errorf("%s: got %q, %v", name, got.State, got.Got())
		}
	}
}
