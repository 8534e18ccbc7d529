package card

import (
	"testing"
	"time"

	"masthead/pkg/page"
	"masthead/pkg/scrape"
)

// TestCompose_pageOfAPerson_namesThemOnce: the title of a page about its author is the author's name; one that the
// request names stays.
func TestCompose_pageOfAPerson_namesThemOnce(t *testing.T) {
	for name, c := range map[string]struct {
		title, author string
		own           Content
		want          string
	}{
		"the page of a person": {"Naledi Mokoena", "Naledi Mokoena", Content{}, ""},
		"an article":           {"Water", "Naledi Mokoena", Content{}, "Naledi Mokoena"},
		"as requested":         {"Naledi Mokoena", "Ada", Content{Author: "Naledi Mokoena"}, "Naledi Mokoena"},
		"another title":        {"Naledi Mokoena", "Naledi Mokoena", Content{Title: "Water"}, "Naledi Mokoena"},
	} {
		r, err := Request{URL: "https://example.com/", Content: c.own}.Normalize()
		if err != nil {
			t.Fatal(err)
		}
		site := scrape.Result{URL: r.parsed.page}
		site.Page.Value.Texts = scrape.Texts{Title: c.title, CardTitle: c.title, Author: c.author}
		if got, _ := compose(r, &site); got.Author != c.want {
			t.Errorf("%s: the author is %q, want %q", name, got.Author, c.want)
		}
	}
}

// TestCompose_pageOfAnEvent_hasNoDateOfPublication: its date is that of the event, unless the request names another.
func TestCompose_pageOfAnEvent_hasNoDateOfPublication(t *testing.T) {
	said, start := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), time.Date(2027, 3, 14, 0, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		kind page.Kind
		date string
		want time.Time
	}{
		"an event":     {page.EventKind, "", time.Time{}},
		"an article":   {page.ArticleKind, "", said},
		"as requested": {page.EventKind, "2027-03-14", start},
	} {
		r, err := Request{URL: "https://example.com/", Content: Content{Date: c.date}}.Normalize()
		if err != nil {
			t.Fatal(err)
		}
		of := &page.Page{Details: page.Details{Kind: c.kind, Published: said, Event: page.Event{Start: start}}}
		site := scrape.Result{URL: r.parsed.page}
		site.Page = scrape.Part[scrape.Document]{State: scrape.Got, Value: scrape.Document{Page: of}}
		if got, _ := compose(r, &site); !got.Published.Equal(c.want) {
			t.Errorf("%s: it is dated %v, want %v", name, got.Published, c.want)
		}
	}
}
