package card

import (
	"testing"

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
		site := scrape.Site{URL: r.parsed.page}
		site.Page.Value.Texts = scrape.Texts{Title: c.title, CardTitle: c.title, Author: c.author}
		if got, _ := compose(r, &site); got.Author != c.want {
			t.Errorf("%s: the author is %q, want %q", name, got.Author, c.want)
		}
	}
}
