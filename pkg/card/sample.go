package card

import (
	"slices"
	"time"

	"masthead/render"
)

// This file has the texts that designs of the user's own are shown with when there is no page.

// SampleContent returns the texts of the sample page, except for those that c has.
func SampleContent(c Content) Content {
	r, _ := render.Sample(render.DefaultTemplate)
	fill := func(to *string, text string) {
		if *to == "" {
			*to = text
		}
	}
	fill(&c.Title, r.Title)
	fill(&c.Description, r.Description)
	fill(&c.SiteName, r.SiteName)
	fill(&c.Eyebrow, r.Eyebrow)
	fill(&c.Author, r.Author)
	fill(&c.Date, r.Published.Format(time.DateOnly))
	return c
}

// TestText is a text that is hard to set, in place of a page's own.
type TestText struct {
	// ID is that in openapi.yaml, Name is for people.
	ID, Name string
	Title    string
	// SiteName is "" for that of the page, Lang for the page's language.
	SiteName, Lang string
}

var testTexts = []TestText{
	{ID: "letters", Name: "Three letters", Title: "Ivy"},
	{ID: "short", Name: "A short title", Title: "Retries and backoff"},
	{ID: "long", Name: "118 letters", Title: "How a small team moved eleven years of customer data across three " +
		"continents without losing one order or night’s sleep"},
	{ID: "arabic", Name: "Arabic", Lang: "ar", Title: "لماذا نقلنا قائمة انتظار العرض إلى قاعدة بيانات Postgres",
		SiteName: "نورثلين"},
	{ID: "japanese", Name: "Japanese", Lang: "ja", Title: "レンダリングキューをPostgresに移行した理由",
		SiteName: "ノースレーン"},
	{ID: "word", Name: "One long word", Lang: "de",
		Title: "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"},
}

// TestTexts returns the texts that designs are tested with.
func TestTexts() []TestText { return slices.Clone(testTexts) }

// FindTestText returns the text with an ID; ok is false if there is none.
func FindTestText(id string) (text TestText, ok bool) {
	i := slices.IndexFunc(testTexts, func(t TestText) bool { return t.ID == id })
	if i < 0 {
		return text, false
	}
	return testTexts[i], true
}

// On returns content with the text's words in place of its own.
func (t TestText) On(c Content) Content {
	c.Title = t.Title
	if t.SiteName != "" {
		c.SiteName = t.SiteName
	}
	return c
}
