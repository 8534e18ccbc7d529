package template

import (
	"strings"
	"testing"

	"masthead/render/palette"
	"masthead/render/template/kit"
	"masthead/render/text"
)

// TestWarnings_shownTextThatLacksACharacterIsNamed gives every design each text with a character that no face has:
// where the text is shown without it, the card must say what it does without.
func TestWarnings_shownTextThatLacksACharacterIsNamed(t *testing.T) {
	const word, foreign = "sequoyah", "Ꮳ"
	fields := map[string]func(*kit.Texts, string){
		"title": func(t *kit.Texts, s string) { t.Title = s + " wrote an alphabet by himself" },
		"description": func(t *kit.Texts, s string) {
			t.Description, t.DescriptionGiven = "What "+s+" found out in twelve years", true
		},
		"site":       func(t *kit.Texts, s string) { t.SiteName = s },
		"eyebrow":    func(t *kit.Texts, s string) { t.Eyebrow = s },
		"author":     func(t *kit.Texts, s string) { t.Author = s },
		"quote":      func(t *kit.Texts, s string) { t.Quote = "Who reads what " + s + " wrote learns to read in a week." },
		"said by":    func(t *kit.Texts, s string) { t.Quote, t.QuoteAuthor = "It takes a week to learn to read.", s },
		"version":    func(t *kit.Texts, s string) { t.Version = s },
		"path":       func(t *kit.Texts, s string) { t.Path = "/" + s },
		"owner":      func(t *kit.Texts, s string) { t.Owner, t.Repo = s, "alphabet" },
		"repository": func(t *kit.Texts, s string) { t.Owner, t.Repo = "north", s },
		"crumb":      func(t *kit.Texts, s string) { t.Crumb = []string{"Guide", s} },
	}
	e, shows := text.NewEngine(), 0
	for _, tmpl := range All() {
		for _, kind := range tmpl.Kinds {
			for name, set := range fields {
				card := func(s string) (all string, warned bool) {
					spec := kit.Spec{
						Kind: kind, Theme: palette.New(palette.RGB(0x4F46E5), true), Family: text.Inter, Date: "12 March 2026",
						Texts: kit.Texts{Title: "Queues are tables", SiteName: "Northlane", Host: "northlane.dev"},
					}
					set(&spec.Texts, s)
					c := kit.Open(tmpl, spec, e)
					defer c.Close()
					c.Layout()
					for _, p := range c.PlacedTexts() {
						all += " " + strings.ToLower(p.Text())
					}
					return all, len(c.Warnings()) == 1 && strings.Contains(c.Warnings()[0].Detail, foreign)
				}
				if all, _ := card(word); !strings.Contains(all, word) {
					continue
				}
				shows++
				if _, warned := card(word + foreign); !warned {
					t.Errorf("%s, %s: the %s is shown without %s, and nothing says so", tmpl.Slug, kind, name, foreign)
				}
			}
		}
	}
	if shows < 60 {
		t.Errorf("only %d texts are shown by all designs together", shows)
	}
}
