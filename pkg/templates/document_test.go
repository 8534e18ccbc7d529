package templates_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"masthead/gen"
	"masthead/render"
)

// TestDocument_fontsAreThoseOfTheRenderer holds what the document says of style.font to the faces that are embedded.
func TestDocument_fontsAreThoseOfTheRenderer(t *testing.T) {
	document, err := openapi3.NewLoader().LoadFromData(gen.Document())
	if err != nil {
		t.Fatal(err)
	}
	schemas := document.Components.Schemas
	asked := schemas["StyleRequest"].Value.Properties["font"].Value
	for name, schema := range map[string]*openapi3.Schema{"Font": schemas["Font"].Value, "StyleRequest.font": asked} {
		var got []string
		for _, value := range schema.Enum {
			if slug, ok := value.(string); ok { // or null
				got = append(got, slug)
			}
		}
		if want := render.Fonts(); !slices.Equal(got, want) {
			t.Errorf("%s of openapi.yaml has the fonts %v, want %v", name, got, want)
		}
	}
	if got := asked.Description; !strings.Contains(got, "`"+render.DefaultFont+"`") {
		t.Errorf("StyleRequest.font of openapi.yaml is described as %q, want %s as the default", got, render.DefaultFont)
	}
}
