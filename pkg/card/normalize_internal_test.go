package card

import (
	"image/color"
	"testing"
	"time"
)

func TestNormalise_textsAreParsedOnce(t *testing.T) {
	r := base()
	r.Content.Date, r.Style.Accent = " 2026-03-12T09:30:00Z ", "#4F46E5"
	got, err := r.Normalize()
	if err != nil {
		t.Fatal(err)
	}
	if want := time.Date(2026, 3, 12, 9, 30, 0, 0, time.UTC); !got.parsed.date.Equal(want) {
		t.Errorf("date: got %v, want %v", got.parsed.date, want)
	}
	if want := (color.NRGBA{0x4f, 0x46, 0xe5, 0xff}); got.parsed.accent != want {
		t.Errorf("accent: got %v, want %v", got.parsed.accent, want)
	}
	if got.parsed.page.String() != got.URL {
		t.Errorf("page: got %s, want %s", got.parsed.page, got.URL)
	}
}

// TestNormalise_filesAtHand has a logo without an address, and no page, as the command line does.
func TestNormalise_filesAtHand(t *testing.T) {
	for name, logo := range map[string]*Logo{"no corner": nil, "a corner": {Position: "bottom-right"}} {
		r := Request{Content: Content{Title: "T"}, Style: Style{Logo: logo}, Own: Own{Logo: []byte{1}, NoPage: true}}
		got, err := r.Normalize()
		if err != nil {
			t.Fatalf("%s: got %v, want none", name, err)
		}
		want := defaultLogoPosition
		if logo != nil {
			want = logo.Position
		}
		if got.URL != "" || got.Style.Logo == nil || got.Style.Logo.URL != "" || got.Style.Logo.Position != want {
			t.Errorf("%s: got %q and %+v, want no address and the corner %s", name, got.URL, got.Style.Logo, want)
		}
	}
}
