package render_test

import (
	"slices"
	"testing"

	"masthead/render"
	"masthead/render/template/kit"
	"masthead/render/text"
)

// TestDescription_shortOneIsDrawnWhenGiven checks, for every template that has a place for a description, that the rule
// for the short ones of pages leaves alone what the caller wrote.
func TestDescription_shortOneIsDrawnWhenGiven(t *testing.T) {
	engine := text.NewEngine()
	tried := 0
	for _, info := range render.Templates() {
		for _, kind := range info.Kinds {
			long := render.Texts{Title: "Queues are tables", Description: "What is learned from replacing Redis by tables."}
			if !drawsDescription(t, engine, render.Request{Template: info.Slug, Kind: kind, Texts: long}) {
				continue
			}
			tried++
			for _, c := range []struct {
				name, title, description string
				given, drawn             bool
			}{
				{"of a page", "Queues are tables", "In short.", false, false},
				{"given", "Queues are tables", "In short.", true, true},
				{"given, one letter", "Queues are tables", "A", true, true},
				{"given, in the title too", "Queues are tables", "Queues", true, true},
				{"given, without a title", "", "In short.", true, true},
				{"given, the title again", "Queues are tables", "Queues are tables", true, false},
			} {
				r := render.Request{Template: info.Slug, Kind: kind, Texts: render.Texts{
					Title: c.title, Host: "northlane.dev", Description: c.description, DescriptionGiven: c.given,
				}}
				if got := drawsDescription(t, engine, r); got != c.drawn {
					t.Errorf("%s, %s, %s: drawn %v, want %v", info.Slug, kind, c.name, got, c.drawn)
				}
			}
		}
	}
	if tried == 0 {
		t.Error("no template draws a description")
	}
}

// drawsDescription reports whether a card says the description of its request.
func drawsDescription(t *testing.T, engine *text.Engine, r render.Request) bool {
	t.Helper()
	tmpl, spec, err := render.Spec(r)
	if err != nil {
		t.Fatal(err)
	}
	card := kit.Open(tmpl, spec, engine)
	defer card.Close()
	card.Layout()
	return slices.ContainsFunc(card.PlacedTexts(), func(p kit.Text) bool {
		return p.Text() == r.Description && p.Role != kit.Title
	})
}
