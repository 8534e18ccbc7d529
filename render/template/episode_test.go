package template

import (
	"testing"

	"masthead/render/template/kit"
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
		if got := episodeTitle(c); got != want {
			t.Errorf("%q: %q, want %q", title, got, want)
		}
	}
}
