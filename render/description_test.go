package render_test

import (
	"slices"
	"testing"

	"masthead/render"
	"masthead/render/template"
	"masthead/render/text"
)

// TestDescription_shortOneIsDrawnWhenGiven checks that the rule for the short descriptions of pages leaves alone what
// the caller wrote.
func TestDescription_shortOneIsDrawnWhenGiven(t *testing.T) {
	engine := text.NewEngine()
	for _, kind := range []render.Kind{render.OG, render.BlogHero} {
		for _, c := range []struct {
			name, title, host, description string
			given, drawn                   bool
		}{
			{"of a page", "Queues are tables", "northlane.dev", "In short.", false, false},
			{"given", "Queues are tables", "northlane.dev", "In short.", true, true},
			{"given, one letter", "Queues are tables", "northlane.dev", "A", true, true},
			{"given, in the title too", "Queues are tables", "northlane.dev", "Queues", true, true},
			{"given, without a title", "", "northlane.dev", "In short.", true, true},
			{"given, the title again", "Queues are tables", "northlane.dev", "Queues are tables", true, false},
		} {
			tmpl, spec, err := render.Spec(render.Request{Kind: kind, Texts: render.Texts{
				Title: c.title, Host: c.host, Description: c.description, DescriptionGiven: c.given,
			}})
			if err != nil {
				t.Fatal(err)
			}
			card := template.Open(tmpl, spec, engine)
			card.Layout()
			drawn := slices.ContainsFunc(card.Placed(), func(p template.Placed) bool {
				return p.Text() == c.description && p.Role != template.Title
			})
			card.Close()
			if drawn != c.drawn {
				t.Errorf("%s, %s: drawn %v, want %v", kind, c.name, drawn, c.drawn)
			}
		}
	}
}
