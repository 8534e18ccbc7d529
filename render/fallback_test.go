package render_test

import (
	"bytes"
	"image"
	"strings"
	"testing"
	"time"

	"masthead/render"
	"masthead/render/paint"
	"masthead/render/specimen"
)

// TestDraw_withoutItsFact_anotherDesignIsDrawnAndSaidSo takes from each design that lives on a fact that fact alone.
func TestDraw_withoutItsFact_anotherDesignIsDrawnAndSaidSo(t *testing.T) {
	t.Parallel()
	sample, _ := render.Sample("frame")
	screen, forest := sample.Photo, paint.Scale(specimen.Picture("forest"), 1200, 800)
	for _, c := range []struct {
		slug, name, want, fact string
		take                   func(r *render.Request)
	}{
		{"quote", "no quotation", "editorial", "quotation", func(r *render.Request) { r.Quote = "" }},
		{"quote", "marks alone", "editorial", "quotation", func(r *render.Request) { r.Quote = "“ ”" }},
		{"changelog", "no version", "editorial", "version", func(r *render.Request) { r.Version = "" }},
		{
			"changelog", "a release without a date", "editorial", "version", func(r *render.Request) {
				r.Version, r.Title, r.Published = "", "What’s new in search", time.Time{}
			},
		},
		{"byline", "no picture", "editorial", "author with a picture", func(r *render.Request) { r.Portrait = nil }},
		{"byline", "no name", "editorial", "author with a picture", func(r *render.Request) { r.Author = "" }},
		{"repo", "no owner", "editorial", "repository", func(r *render.Request) { r.Owner = "" }},
		{"repo", "no name", "editorial", "repository", func(r *render.Request) { r.Repo = "" }},
		{"repo", "no fact of it", "editorial", "language, stars or license of the repository", func(r *render.Request) { r.Project = render.Project{} }},
		{"frame", "no picture", "editorial", "screenshot", func(r *render.Request) { r.Photo, r.Path = nil, "/a" }},
		{"frame", "a photograph", "split", "screenshot", func(r *render.Request) { r.Photo, r.Path = forest, "/a" }},
		{"terminal", "no session", "code", "session", func(r *render.Request) { r.Session = nil }},
		{"terminal", "no session, no code", "editorial", "session", func(r *render.Request) {
			r.Session, r.Code = nil, render.Code{}
		}},
		{"product", "no price", "editorial", "price", func(r *render.Request) { r.Product, r.Photo = render.Product{}, nil }},
		{"product", "a photograph", "split", "price", func(r *render.Request) {
			r.Product, r.Photo = render.Product{Stock: "in"}, forest
		}},
		{"product", "a rating", "product", "", func(r *render.Request) { r.Product = render.Product{Rating: 4, Votes: 9} }},
		{"product", "a recipe", "product", "", func(r *render.Request) { r.Product = render.Product{Time: time.Hour} }},
		{"episode", "a show alone", "editorial", "episode", func(r *render.Request) { r.Episode = render.Episode{Show: "x"} }},
		{"episode", "a picture alone", "cover", "episode", func(r *render.Request) {
			r.Episode, r.Photo = render.Episode{}, forest
		}},
		{"episode", "a number", "episode", "", func(r *render.Request) { r.Episode = render.Episode{Number: 4} }},
		{"episode", "a video", "episode", "", func(r *render.Request) {
			r.Episode, r.Photo = render.Episode{Video: true}, forest
		}},
		{"code", "no code", "editorial", "code", func(r *render.Request) { r.Code = render.Code{} }},
		{"code", "it has its fact", "code", "", func(*render.Request) {}},

		{"event", "no date", "editorial", "date of an event", func(r *render.Request) { r.Event = render.Event{} }},
		{"event", "a date of publication alone", "editorial", "date of an event", func(r *render.Request) {
			r.Event = render.Event{Place: "Oslo"}
		}},
		{"figure", "no number", "poster", "number", func(r *render.Request) { r.Title = "Why we moved to Postgres" }},
		{"figure", "two numbers", "poster", "number", func(r *render.Request) { r.Title = "From 12% to 40% in a year" }},
		{"figure", "a number alone", "poster", "number", func(r *render.Request) { r.Title = "40%" }},
		{"figure", "a title of four lines", "poster", "number", func(r *render.Request) {
			r.Title = "40% " + specimen.Find("140").Title
		}},
		{"figure", "it has its fact", "figure", "", func(*render.Request) {}},
		{"event", "it has its fact", "event", "", func(*render.Request) {}},
		{"quote", "it has its fact", "quote", "", func(*render.Request) {}},
		{"changelog", "it has its fact", "changelog", "", func(*render.Request) {}},
		{
			"changelog", "a dated release", "changelog", "", func(r *render.Request) {
				r.Version, r.Title = "", "Was ist neu bei Northlane"
			},
		},
		{"byline", "it has its fact", "byline", "", func(*render.Request) {}},
		{"repo", "it has its fact", "repo", "", func(*render.Request) {}},
		{"frame", "a screenshot", "frame", "", func(r *render.Request) { r.Photo, r.Path = screen, "/a" }},
		{"frame", "a home page", "frame", "", func(r *render.Request) { r.Photo, r.Path = forest, "" }},
		{"terminal", "it has its fact", "terminal", "", func(*render.Request) {}},
	} {
		r, _ := render.Sample(c.slug)
		c.take(&r)
		pic, err := render.Draw(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		said := ""
		for _, w := range pic.Warnings {
			if w.Code == render.DesignNeeds {
				said += w.Detail
			}
		}
		switch {
		case pic.Template != c.want:
			t.Errorf("%s, %s: drawn as %s, want %s", c.slug, c.name, pic.Template, c.want)
		case c.fact == "" && said != "":
			t.Errorf("%s, %s: warned that %q", c.slug, c.name, said)
		case c.fact != "" && !(strings.Contains(said, "has no "+c.fact) && strings.Contains(said, " "+c.want+" was drawn") &&
			strings.Contains(said, "instead of "+c.slug)):
			t.Errorf("%s, %s: warned that %q", c.slug, c.name, said)
		}
		if c.want != c.slug { // the picture is that of the other design
			r.Template = c.want
			if same, err := render.Draw(t.Context(), r); err != nil || !bytes.Equal(same.Bytes, pic.Bytes) {
				t.Errorf("%s, %s: it isn't the picture of %s (%v)", c.slug, c.name, c.want, err)
			}
		}
	}
}

// TestTemplates_fallbacks_endInDesignsThatNeedOnlyATitle: every chain ends, within the number of steps that are tried.
func TestTemplates_fallbacks_endInDesignsThatNeedOnlyATitle(t *testing.T) {
	var refuse []string
	for _, info := range render.Templates() {
		if info.Fallback != nil {
			refuse = append(refuse, info.Slug)
		}
		for i, slug := range info.Fallback {
			for _, kind := range info.Kinds {
				next, ok := render.Lookup(slug, kind)
				last := i == len(info.Fallback)-1 // the others are drawn with a picture only
				if !ok || last && len(next.Fallback) > 0 {
					t.Errorf("%s falls back to %s, which doesn't draw %s or needs a fact itself", info.Slug, slug, kind)
				}
			}
		}
		r := render.Request{Template: info.Slug, Kind: info.Kinds[0], Texts: render.Texts{Title: "Hello", Path: "/a"}}
		pic, err := render.Draw(t.Context(), r)
		if err != nil || (pic.Template == info.Slug) != (len(info.Fallback) == 0) {
			t.Errorf("%s of a title alone: drawn as %s (%v), with the fallbacks %v",
				info.Slug, pic.Template, err, info.Fallback)
		}
	}
	want := "byline changelog code cover episode event figure frame product quote repo terminal"
	if got := strings.Join(refuse, " "); got != want {
		t.Errorf("the designs that live on a fact are %s, want %s", got, want)
	}
}

// TestDraw_pageWithoutQuotation_putsNothingInQuotationMarks: neither the description nor the title is somebody's words.
func TestDraw_pageWithoutQuotation_putsNothingInQuotationMarks(t *testing.T) {
	quote, _ := render.Sample("quote")
	quote.Quote, quote.QuoteAuthor = "", ""
	plain := quote
	plain.Template = "editorial"
	var at [2]image.Image
	for i, r := range []render.Request{quote, plain} {
		img, err := render.Paint(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		at[i] = img
	}
	if !bytes.Equal(at[0].(*image.NRGBA).Pix, at[1].(*image.NRGBA).Pix) {
		t.Error("a page without a quotation is not drawn as editorial")
	}
}
