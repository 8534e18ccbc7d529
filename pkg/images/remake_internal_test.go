package images

import (
	"errors"
	"testing"
	"time"

	"masthead/pkg/blob"
	"masthead/pkg/card"
	"masthead/pkg/db"
	"masthead/pkg/images/store"
)

func TestAgain_rowOfBeforeTheContentWasKept(t *testing.T) {
	asked := Request{ProjectID: "p", Request: card.Request{
		URL: "https://example.com/", Kind: card.OG, Style: card.Style{Dark: true}}}
	for name, content := range map[string]card.Content{"none": {}, "given": {Title: "Given", Author: "Ada"}} {
		asked.Content = content
		r, err := asked.normalize()
		if err != nil {
			t.Fatal(err)
		}
		key, err := r.key()
		if err != nil {
			t.Fatal(err)
		}
		row := store.Image{URL: r.URL, ProjectID: r.ProjectID, Kind: r.Kind, Template: r.Template, CacheKey: key,
			Style: db.JSON[card.Style]{V: r.Style},
			Page:  db.JSON[card.PageData]{V: card.PageData{Title: "Kept", SiteName: "Site"}}}
		got, err := again(row, nil)
		want := card.Content{}
		if content != (card.Content{}) {
			want = card.Content{Title: "Kept", SiteName: "Site"}
		}
		if err != nil || got.Content != want {
			t.Errorf("%s: got %+v, %v, want %+v", name, got.Content, err, want)
		}
		row.Content.V = &content
		if got, err := again(row, nil); err != nil || got.Content != content {
			t.Errorf("%s, kept: got %+v, %v, want %+v", name, got.Content, err, content)
		}
	}
}

// TestRemake_pictureOfAModelWaitsForItsOwner loses one: to make it again takes a unit, which only a POST may take.
func TestRemake_pictureOfAModelWaitsForItsOwner(t *testing.T) {
	kept := store.Image{ID: "i", AI: db.JSON[*store.AIResult]{V: &store.AIResult{Model: "standard"}}}
	n := blob.Name{Digest: "d", File: "og.png"}
	s := &Service{losses: newLosses(), metrics: newMetrics(), now: time.Now}
	for range 2 { // the second is not even tried
		if _, err := s.heal(t.Context(), kept, n); !errors.Is(err, errLost) {
			t.Errorf("got %v, want it lost", err)
		}
	}
	if err := s.remake(t.Context(), kept); !errors.Is(err, errPaid) {
		t.Errorf("got %v, want it left to its owner", err)
	}
}
