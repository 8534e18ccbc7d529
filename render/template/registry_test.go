package template

import (
	"testing"

	"masthead/render/template/kit"
)

// TestRegister_faultOfProgrammerPanics checks that what only a programmer gets wrong stops the program at start.
func TestRegister_faultOfProgrammerPanics(t *testing.T) {
	draw := func(*kit.Card) {}
	for name, bad := range map[string]kit.Template{
		"a slug that is taken": {Info: kit.Info{Slug: "editorial"}, OG: draw},
		"no slug":              {OG: draw},
		"no function":          {Info: kit.Info{Slug: "x"}},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("register returned, want a panic")
				}
			}()
			register(bad)
		})
	}
}
