package events_test

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"masthead/gen"
)

// The document lists every event that leaves the program, with the schema that its data has in the catalog.
func TestCatalog_isWhatTheDocumentLists(t *testing.T) {
	document, err := openapi3.NewLoader().LoadFromData(gen.Document())
	if err != nil {
		t.Fatal(err)
	}
	described := map[string]string{}
	list, _ := document.Extensions["x-events"].(map[string]any)
	for name, of := range list {
		at, _ := of.(map[string]any)
		described[name], _ = at["$ref"].(string)
	}
	delete(described, "envelope")
	catalog, err := os.ReadFile("catalog.go")
	if err != nil {
		t.Fatal(err)
	}
	schemas := map[string]string{} // of the types of data
	for _, m := range regexp.MustCompile(`(?m)^\t(\w+) = gen\.(Event\w+)$`).FindAllSubmatch(catalog, -1) {
		schemas[string(m[1])] = "#/components/schemas/" + string(m[2])
	}
	var known []string
	for _, m := range regexp.MustCompile(`= Type\[(\w+)\]\{"([a-z_.]+)"\}`).FindAllSubmatch(catalog, -1) {
		name, schema := string(m[2]), schemas[string(m[1])]
		if name == "project.stale" || name == "design.changed" { // in-process alone
			continue
		}
		known = append(known, name)
		if schema == "" || described[name] != schema {
			t.Errorf("%s has the schema %q in the document, want %q", name, described[name], schema)
		}
	}
	for name := range described {
		if !slices.Contains(known, name) {
			t.Errorf("the document lists %s, which isn't in the catalog", name)
		}
	}
	if len(known) < 13 {
		t.Errorf("got the events %v, want all", known)
	}
}
