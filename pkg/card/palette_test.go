package card_test

import (
	"encoding/json"
	"testing"

	"masthead/pkg/card"
)

func TestPalette_storedByAnEarlierVersion_isRead(t *testing.T) {
	want := card.Palette{Accent: "#0F766E", AccentSource: "icon", Secondary: "#C2410C", Background: "#FFFFFF"}
	for _, name := range []string{"secondary", "companion"} {
		var data card.PageData
		stored := `{"title":"A page","palette":{"accent":"#0F766E","accentSource":"icon","` + name +
			`":"#C2410C","background":"#FFFFFF"}}`
		if err := json.Unmarshal([]byte(stored), &data); err != nil || data.Palette != want || data.Title != "A page" {
			t.Errorf("%s: got %+v, %v, want %+v", name, data, err, want)
		}
	}
	written, err := json.Marshal(want)
	if want := `{"accent":"#0F766E","accentSource":"icon","secondary":"#C2410C","background":"#FFFFFF"}`; err != nil ||
		string(written) != want {
		t.Errorf("wrote %s, %v, want %s", written, err, want)
	}
}
