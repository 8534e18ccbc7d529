// Package template owns the designs of cards: one file for each, which reads like its brief, and what they share.
//
// To add one, write SLUG.go:
//
//	var _ = register(Template{
//		Info: Info{
//			Slug: "poster", Name: "Poster", Mood: "One shout.", Kinds: []Kind{OG},
//			GoodFor: "Announcements with a short title", Needs: []string{"title"}, TextSide: "left",
//		},
//		OG: func(c *Card) {
//			c.Ground(paint.Solid(c.Theme.Ground))
//			title := c.Fit(c.Title, c.TitleStyle(), text.Box{W: 1056, H: 400}, text.Steps(3, 168, 148, 132))
//			c.Put(Title, title, 72, 72, c.Theme.OnGround)
//		},
//	})
//
// The catalogue, the sample and the tests of every statement that holds for all templates come by themselves; goldens are drawn with
// go test ./render -run Golden -update.
//
// A template is pure: it draws from the [Card] that it is handed, and from nothing else. It gives all places for text that runs left to
// right, in pixels of the canvas; the card mirrors them for the other direction. Where a block stands, y is the top of the capitals of its
// first line.
package template

import (
	"cmp"
	"slices"
)

// Kind is what a picture is for. It decides the size.
type Kind string

// The kinds of picture that templates draw.
const (
	OG       Kind = "og"        // share image, 1200×630
	BlogHero Kind = "blog_hero" // picture at the head of an article, 1600×900 or 1600×1000
)

// Info describes a template to those who choose one.
type Info struct {
	Slug, Name string
	Mood       string // one line
	Kinds      []Kind
	GoodFor    string
	Needs      []string // the facts of a page that it lives on
	TextSide   string   // "left", "center" or "right", for text that runs left to right
}

// Template is a design: a function for each of its kinds, the others are nil. A function draws the ground, motif and surfaces of a card at
// once and hands its text to the card.
type Template struct {
	Info
	OG, BlogHero func(*Card)
}

// draw returns the function of a kind, or nil.
func (t *Template) draw(kind Kind) func(*Card) {
	switch kind {
	case OG:
		return t.OG
	case BlogHero:
		return t.BlogHero
	}
	return nil
}

// registry holds all templates, sorted by slug.
var registry []*Template

// register adds a template. It panics at start for what only a programmer can get wrong.
func register(t Template) *Template {
	at, found := slices.BinarySearchFunc(registry, t.Slug, func(t *Template, slug string) int { return cmp.Compare(t.Slug, slug) })
	if found {
		panic("template: two have the slug " + t.Slug)
	}
	if t.Slug == "" || len(t.Kinds) == 0 {
		panic("template: one has no slug or no kind: " + t.Name)
	}
	for _, kind := range []Kind{OG, BlogHero} {
		if slices.Contains(t.Kinds, kind) != (t.draw(kind) != nil) {
			panic("template: Kinds and functions disagree: " + t.Slug)
		}
	}
	registry = slices.Insert(registry, at, &t)
	return &t
}

// All returns every template, sorted by slug. The slice is shared: do not change it.
func All() []*Template { return registry }

// Find returns the template of a slug if it draws a kind.
func Find(slug string, kind Kind) (*Template, bool) {
	for _, t := range registry {
		if t.Slug == slug && t.draw(kind) != nil {
			return t, true
		}
	}
	return nil, false
}
