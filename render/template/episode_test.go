package template

import (
	"slices"
	"testing"

	"masthead/render/template/kit"
	"masthead/render/template/wording"
)

func TestEpisodeTitle_withoutTheShowAndTheNumber(t *testing.T) {
	for title, want := range map[string]string{
		"Ep. 48: The beekeeper": "The beekeeper", "#48 – The beekeeper": "The beekeeper",
		"Episode 48 | The beekeeper": "The beekeeper", "Fieldnote Radio: Ep 48: The beekeeper": "The beekeeper",
		"Episode 48: who fears bees": "Who fears bees", "Episode № 48. Bees": "Bees", "Ep. 48: iPhone": "iPhone",
		"Ep. 480: The beekeeper": "Ep. 480: The beekeeper", "48 hours with bees": "48 hours with bees", "Ep. 48": "Ep. 48",
		"Fieldnote Radio Ep. 48: The beekeeper": "The beekeeper", "Fieldnote Radio – The beekeeper": "The beekeeper",
		"Fieldnote Radio of Paraty: all dates": "Fieldnote Radio of Paraty: all dates",
	} {
		c := openCard(t, "episode", kit.Spec{
			Texts: kit.Texts{Title: title}, Play: kit.Play{Known: true, Show: "Fieldnote Radio", Number: "Episode 48"},
		})
		if got := wording.Episode(c); got != want {
			t.Errorf("%q: %q, want %q", title, got, want)
		}
	}
}

// TestEpisode_guestOfTheTitleIsNamedOnce checks the line under the title.
func TestEpisode_guestOfTheTitleIsNamedOnce(t *testing.T) {
	for _, tc := range []struct {
		title, name string
		want        bool
	}{
		{"Why bridges fail, with structural engineer T. K. Okafor", "T. K. Okafor", false},
		{"Why bridges fail", "Okafor", true},
		{"นอน กับ ธนา รักสุข", "ธนา รักสุข", false},
		{"A banana a day", "Ana", true},
	} {
		c := openCard(t, "episode", kit.Spec{
			Texts: kit.Texts{Title: tc.title},
			Play:  kit.Play{Known: true, Guest: "with " + tc.name, GuestName: tc.name},
		})
		if got := slices.Contains(placedTexts(c), "with "+tc.name); got != tc.want {
			t.Errorf("%q: names %q below: %v", tc.title, tc.name, got)
		}
	}
}
