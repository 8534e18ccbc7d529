package render_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"strings"
	"testing"

	"masthead/render"
)

// TestDraw_eachSampleIsAPictureOfItsSize draws the sample of every template in every kind that it has.
func TestDraw_eachSampleIsAPictureOfItsSize(t *testing.T) {
	t.Parallel()
	for _, info := range render.Templates() {
		for _, kind := range info.Kinds {
			t.Run(info.Slug+"-"+string(kind), func(t *testing.T) {
				r, ok := render.Sample(info.Slug)
				if !ok {
					t.Fatal("there is no sample")
				}
				r.Kind = kind
				pic, err := render.Draw(t.Context(), r)
				if err != nil {
					t.Fatal(err)
				}
				size, format, err := image.DecodeConfig(bytes.NewReader(pic.Bytes))
				if err != nil {
					t.Fatal(err)
				}
				want := [2]int{1200, 630}
				if kind == render.BlogHero {
					want = [2]int{1600, 900}
				}
				if got := [2]int{size.Width, size.Height}; got != want || got != [2]int{pic.Width, pic.Height} {
					t.Errorf("size is %v and said to be %dx%d, want %v", got, pic.Width, pic.Height, want)
				}
				ext := map[string]string{"png": ".png", "jpeg": ".jpg"}[format]
				if pic.ContentType != "image/"+format || pic.Ext != ext {
					t.Errorf("type is %s, %s, want that of a %s", pic.ContentType, pic.Ext, format)
				}
			})
		}
	}
}

// TestDraw_valueThatIsNotOfferedIsAnError checks the errors of a request.
func TestDraw_valueThatIsNotOfferedIsAnError(t *testing.T) {
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		name string
		ctx  context.Context
		r    render.Request
		want error
	}{
		{"unknown template", t.Context(), render.Request{Template: "nope"}, render.ErrNoTemplate},
		{"unknown kind", t.Context(), render.Request{Kind: "icon_set"}, render.ErrNoTemplate},
		{"unknown font", t.Context(), render.Request{Font: "comic-sans"}, render.ErrStyle},
		{"unknown aspect ratio", t.Context(), render.Request{Kind: render.BlogHero, AspectRatio: "4:3"}, render.ErrStyle},
		{"unknown corner", t.Context(), render.Request{LogoPosition: "middle"}, render.ErrStyle},
		{"canceled", canceled, render.Request{}, context.Canceled},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := render.Draw(c.ctx, c.r); !errors.Is(err, c.want) {
				t.Errorf("Draw: %v, want %v", err, c.want)
			}
			if _, err := render.Paint(c.ctx, c.r); !errors.Is(err, c.want) {
				t.Errorf("Paint: %v, want %v", err, c.want)
			}
		})
	}
}

func TestDraw_pictureTellsWhatTheCardSays(t *testing.T) {
	for _, c := range []struct {
		name        string
		texts       render.Texts
		title, site string
	}{
		{
			"without the site, in quotes of the language",
			render.Texts{Title: `"Fish &amp; chips" | Northlane`, SiteName: "Northlane", Host: "northlane.dev"},
			"“Fish &amp; chips”", "Northlane",
		},
		{
			"whole where the card cuts it",
			render.Texts{Title: strings.Repeat("A long title ", 60) + "ends", Host: "x.example"},
			strings.Repeat("A long title ", 60) + "ends", "x.example",
		},
		{"its full stop, which is a disc on the card", render.Texts{Title: "Hello."}, "Hello.", ""},
		{"what stands in for it", render.Texts{Host: "www.northlane.dev"}, "northlane.dev", "northlane.dev"},
		{
			"what stands in for one that no face has",
			render.Texts{Title: "ᐃᓄᒃᑎᑐᑦ ᐃᓄᒃᑎᑐᑦ", SiteName: "Northlane"}, "Northlane", "Northlane",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			pic, err := render.Draw(t.Context(), render.Request{Template: "minimal", Texts: c.texts})
			if err != nil {
				t.Fatal(err)
			}
			if pic.Title != c.title || pic.SiteName != c.site {
				t.Errorf("title and site: got %q and %q, want %q and %q", pic.Title, pic.SiteName, c.title, c.site)
			}
		})
	}
}
