package server

import (
	"maps"
	"slices"
	"testing"

	"masthead/pkg/signed"
)

// TestSigned_parametersAreThoseOfTheDocument holds that no parameter of GET /og can be changed in a signed address.
func TestSigned_parametersAreThoseOfTheDocument(t *testing.T) {
	document, err := Document()
	if err != nil {
		t.Fatal(err)
	}
	want := queryNamesOf(document, publicImage)
	delete(want, signed.Signature)
	if got := slices.Sorted(maps.Keys(want)); !slices.Equal(got, signed.Parameters()) {
		t.Errorf("the document has %v, and %v are signed", got, signed.Parameters())
	}
}
