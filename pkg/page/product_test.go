package page_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"masthead/pkg/page"
)

func detailsOf(t testing.TB, data string) page.Details {
	t.Helper()
	at, err := url.Parse("https://a.example/x")
	if err != nil {
		t.Fatal(err)
	}
	html := `<title>x</title><script type="application/ld+json">` + data + `</script>`
	return page.Parse([]byte(html), "text/html", at).Details
}

// TestParse_product_isThatOfStructuredData: prices, stock and ratings of things, and the facts of recipes and works.
func TestParse_product_isThatOfStructuredData(t *testing.T) {
	offer := func(s string) string { return `{"@type":"Product","offers":` + s + `}` }
	for name, c := range map[string]struct {
		data string
		want page.Product
	}{
		"a price": {
			offer(`{"@type":"Offer","price":24.90,"priceCurrency":"eur","availability":"https://schema.org/InStock"}`),
			page.Product{Price: "24.90", Currency: "EUR", Stock: "in"},
		},
		"a whole one":  {offer(`{"price":"32.00","priceCurrency":"USD"}`), page.Product{Price: "32", Currency: "USD"}},
		"with a comma": {offer(`{"price":"1,299.5","priceCurrency":"USD"}`), page.Product{Price: "1299.50", Currency: "USD"}},
		"several": {
			offer(`[{"price":"19","priceCurrency":"EUR","availability":"SoldOut"},` +
				`{"price":"29","priceCurrency":"EUR","availability":"LimitedAvailability"}]`),
			page.Product{Price: "19", HighPrice: "29", Currency: "EUR", Stock: "few"},
		},
		"a range": {
			offer(`{"@type":"AggregateOffer","lowPrice":19,"highPrice":29,"priceCurrency":"EUR"}`),
			page.Product{Price: "19", HighPrice: "29", Currency: "EUR"},
		},
		"an old price": {
			offer(`{"price":"24.9","priceCurrency":"EUR","priceSpecification":{"price":32,"priceType":"https://schema.org/ListPrice"}}`),
			page.Product{Price: "24.90", OldPrice: "32", Currency: "EUR"},
		},
		"an old price that is lower": {
			offer(`{"price":"24.9","priceCurrency":"EUR","priceSpecification":{"price":12,"priceType":"ListPrice"}}`),
			page.Product{Price: "24.90", Currency: "EUR"},
		},
		"two currencies":  {offer(`[{"price":1,"priceCurrency":"EUR"},{"price":2,"priceCurrency":"USD"}]`), page.Product{}},
		"no currency":     {offer(`{"price":1}`), page.Product{}},
		"no number":       {offer(`{"price":"on request","priceCurrency":"EUR"}`), page.Product{}},
		"for free":        {offer(`{"price":0,"priceCurrency":"EUR"}`), page.Product{}},
		"a huge number":   {offer(`{"price":"` + strings.Repeat("9", 400) + `","priceCurrency":"EUR"}`), page.Product{}},
		"variants":        {`{"@type":"ProductGroup","hasVariant":[{"offers":{"price":5,"priceCurrency":"EUR"}}]}`, page.Product{Price: "5", Currency: "EUR"}},
		"a rating":        {`{"@type":"Product","aggregateRating":{"ratingValue":"4.7","reviewCount":"1,284"}}`, page.Product{Rating: 4.7, Votes: 1284}},
		"of two":          {`{"@type":"Product","aggregateRating":{"ratingValue":5,"ratingCount":2}}`, page.Product{}},
		"another scale":   {`{"@type":"Product","aggregateRating":{"ratingValue":9,"bestRating":10,"ratingCount":20}}`, page.Product{}},
		"beyond it":       {`{"@type":"Product","aggregateRating":{"ratingValue":9,"ratingCount":20}}`, page.Product{}},
		"a recipe":        {`{"@type":"Recipe","totalTime":"PT1H20M","recipeYield":["6","6 servings"]}`, page.Product{Time: 80 * time.Minute, Servings: 6}},
		"parts of a time": {`{"@type":"Recipe","prepTime":"PT15M","cookTime":"PT30M","recipeYield":"12 muffins"}`, page.Product{Time: 45 * time.Minute}},
		"another tongue":  {`{"@type":"Recipe","totalTime":"PT4H","recipeYield":"8 kişilik"}`, page.Product{Time: 4 * time.Hour, Servings: 8}},
		"a bad time":      {`{"@type":"Recipe","totalTime":"45 minutes","recipeYield":"serves 4"}`, page.Product{Servings: 4}},
		"a long time":     {`{"@type":"Recipe","totalTime":"P9999D"}`, page.Product{}},
		"a book": {
			`{"@type":"Book","author":{"name":"Ada Verhoeven"},"numberOfPages":312,"datePublished":"2019-03-01"}`,
			page.Product{Creator: "Ada Verhoeven", Pages: 312, Year: 2019, Upright: true, Bound: true},
		},
		"a record": {`{"@type":"MusicAlbum","byArtist":"The Gulls","duration":"PT41M"}`, page.Product{Creator: "The Gulls", Length: 41 * time.Minute, Square: true}},
		"a house": {
			`{"@type":["House","Product"],"offers":{"price":"245000","priceCurrency":"EUR","availability":"InStock"}}`,
			page.Product{Price: "245000", Currency: "EUR"},
		},
		"an article": {
			`[{"@type":"NewsArticle"},{"@type":"Product","offers":{"price":1,"priceCurrency":"EUR"}}]`, page.Product{},
		},
	} {
		if got := detailsOf(t, c.data).Product; got != c.want {
			t.Errorf("%s: got %+v, want %+v", name, got, c.want)
		}
	}
}

// TestParse_product_readsAtMostTwentyOffers finds the price of the last offer that is read, and none after it.
func TestParse_product_readsAtMostTwentyOffers(t *testing.T) {
	list := strings.Repeat(`{},`, 19)
	last := `{"price":5,"priceCurrency":"EUR"}]}`
	if got := detailsOf(t, `{"@type":"Product","offers":[`+list+last).Product.Price; got != "5" {
		t.Errorf("the 20th: got %q", got)
	}
	if got := detailsOf(t, `{"@type":"Product","offers":[`+list+`{},`+last).Product.Price; got != "" {
		t.Errorf("the 21st: got %q", got)
	}
}

func TestParse_episode_isThatOfStructuredData(t *testing.T) {
	for name, c := range map[string]struct {
		data string
		want page.Episode
	}{
		"a podcast": {
			`{"@type":"PodcastEpisode","name":"Bees","episodeNumber":48,"duration":"PT52M","partOfSeries":{"name":"Fieldnote Radio"},` +
				`"actor":{"@type":"Person","name":"Tomas Lindqvist"},"associatedMedia":{"contentUrl":"/a.mp3"}}`,
			page.Episode{Show: "Fieldnote Radio", Guest: "Tomas Lindqvist", Number: 48, Length: 52 * time.Minute, Audio: true},
		},
		"of a season": {
			`{"@type":"TVEpisode","episodeNumber":"7","partOfSeason":{"@type":"TVSeason","seasonNumber":2},"partOfSeries":{"name":"Slow"}}`,
			page.Episode{Show: "Slow", Number: 7, Season: 2, Video: true},
		},
		"the length of its media": {
			`{"@type":"RadioEpisode","associatedMedia":{"duration":"PT1H12M3S"}}`,
			page.Episode{Length: 72*time.Minute + 3*time.Second, Audio: true},
		},
		"a video":      {`{"@type":"VideoObject","name":"Night","duration":"PT12M47S"}`, page.Episode{Length: 767 * time.Second, Video: true}},
		"bad numbers":  {`{"@type":"PodcastEpisode","episodeNumber":"-1","duration":"52:00"}`, page.Episode{}},
		"huge numbers": {`{"@type":"PodcastEpisode","episodeNumber":1e9,"duration":"PT999999H"}`, page.Episode{}},
		"the site":     {`{"@type":"PodcastEpisode","partOfSeries":{"name":"x"}}`, page.Episode{}},
	} {
		if got := detailsOf(t, c.data).Episode; got != c.want {
			t.Errorf("%s: got %+v, want %+v", name, got, c.want)
		}
	}
}

// FuzzParse_facts checks that no structured data gives facts beyond their limits.
func FuzzParse_facts(f *testing.F) {
	for _, s := range []string{
		`{"@type":"Product","offers":[{"price":"1.5","priceCurrency":"EUR"}],"aggregateRating":{"ratingValue":4,"ratingCount":3}}`,
		`{"@type":"Recipe","totalTime":"PT1H","recipeYield":"4"}`, `{"@type":"PodcastEpisode","episodeNumber":4,"duration":"PT1M"}`,
		`{"@type":"Book","author":["a"],"numberOfPages":"3","datePublished":"2019"}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, data string) {
		d := detailsOf(t, data)
		g, e := d.Product, d.Episode
		if g.Rating < 0 || g.Rating > 5 || g.Votes < 0 || g.Servings < 0 || g.Servings > 100 || len(g.Price) > 20 ||
			g.Time < 0 || g.Time > 200*time.Hour || e.Length < 0 || e.Length > 100*time.Hour ||
			(g.Price == "") != (g.Currency == "") {
			t.Errorf("%q: got %+v, %+v", data, g, e)
		}
	})
}
