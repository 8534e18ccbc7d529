package images_test

import (
	"bytes"
	"net/http"
	"testing"

	"masthead/pkg/app/apptest"
)

// TestGenerate_shortDescriptionOfTheCallerIsDrawn compares the pictures: a description of a word changes what is drawn.
func TestGenerate_shortDescriptionOfTheCallerIsDrawn(t *testing.T) {
	s := apptest.StartSignedIn(t)
	draw := func(description string) []byte {
		t.Helper()
		drawn := s.Generate("/gone", map[string]any{"content": map[string]any{"title": "Hello",
			"description": description}}).Want(http.StatusOK)
		return s.Get(drawn.Path("imageUrl")).Want(http.StatusOK).Body
	}
	without, short, other := draw(""), draw("Short."), draw("Terse.")
	if bytes.Equal(without, short) || bytes.Equal(short, other) {
		t.Error("the short description is not drawn")
	}
}
