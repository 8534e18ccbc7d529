package template

import "testing"

// TestRegister_faultOfProgrammerPanics checks that what only a programmer gets wrong stops the program at start.
func TestRegister_faultOfProgrammerPanics(t *testing.T) {
	draw := func(*Card) {}
	for name, bad := range map[string]Template{
		"a slug that is taken": {Info: Info{Slug: "editorial"}, OG: draw},
		"no slug":              {OG: draw},
		"no function":          {Info: Info{Slug: "x"}},
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
