package webhooks_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"masthead/gen"
	"masthead/pkg/webhooks"
)

// The document describes what is sent for each type that webhooks can ask for.
func TestTypes_areThoseOfTheDocument(t *testing.T) {
	document, err := openapi3.NewLoader().LoadFromData(gen.Document())
	if err != nil {
		t.Fatal(err)
	}
	described, _ := document.Extensions["x-webhooks"].(map[string]any)
	want := append(slices.Sorted(slices.Values(webhooks.Types)), webhooks.TestType)
	slices.Sort(want)
	if got := slices.Sorted(maps.Keys(described)); !slices.Equal(got, want) {
		t.Errorf("x-webhooks describes %v, want %v", got, want)
	}
	for _, v := range document.Components.Schemas["WebhookEventType"].Value.Enum {
		if name, _ := v.(string); !slices.Contains(webhooks.Types, name) {
			t.Errorf("webhooks can ask for %s, which isn't sent", name)
		}
	}
	if n := len(document.Components.Schemas["WebhookEventType"].Value.Enum); n != len(webhooks.Types) {
		t.Errorf("webhooks can ask for %d types, want %d", n, len(webhooks.Types))
	}
}
