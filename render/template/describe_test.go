package template

import (
	"slices"
	"testing"

	"masthead/render/template/kit"
)

// TestDescription_firstSentenceHasTheRoom checks that the first sentence of a description is below a title that leaves
// no room for all of it, but no part of a sentence.
func TestDescription_firstSentenceHasTheRoom(t *testing.T) {
	const first = "Grabamos con público el cierre de temporada."
	s := kit.Spec{Lang: "es", Texts: kit.Texts{
		Title: "Sobremesa en vivo desde Rosario: cocina de río, humo y memoria", SiteName: "Sobremesa",
		Eyebrow:     "Grabación",
		Description: first + " Hay surubí a la parrilla, una discusión sobre el limón y preguntas de la sala.",
	}}
	if said := placedTexts(openCard(t, "editorial", s)); !slices.Contains(said, first) {
		t.Errorf("got %q", said)
	}
}
