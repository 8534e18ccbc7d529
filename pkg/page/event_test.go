package page_test

import (
	"net/url"
	"testing"
	"time"

	"masthead/pkg/page"
)

// TestParse_event_isThatOfStructuredData: when and where, of the one event that a page is about.
func TestParse_event_isThatOfStructuredData(t *testing.T) {
	cest := time.FixedZone("", 2*60*60)
	for name, c := range map[string]struct {
		data string
		want page.Event
	}{
		"times": {
			`{"@type":"MusicEvent","startDate":"2026-10-14T09:30+02:00","endDate":"2026-10-14T17:00+02:00","location":` +
				`{"@type":"Place","name":"Jakob","address":{"@type":"PostalAddress","addressLocality":"Oslo"}}}`,
			page.Event{
				Start: time.Date(2026, 10, 14, 9, 30, 0, 0, cest), End: time.Date(2026, 10, 14, 17, 0, 0, 0, cest),
				Place: "Jakob, Oslo",
			},
		},
		"prices": {
			`{"@type":"Event","startDate":"2026-09-05","location":"Oslo","offers":[{"price":"18.50","priceCurrency":"EUR"},` +
				`{"price":25,"priceCurrency":"EUR"}]}`,
			page.Event{
				Start: time.Date(2026, 9, 5, 0, 0, 0, 0, time.UTC), AllDay: true, Place: "Oslo",
				Price: "18.50", HighPrice: "25", Currency: "EUR",
			},
		},
		"days": {
			`{"@type":"Festival","startDate":"2026-09-05","endDate":"2026-09-07"}`,
			page.Event{
				Start: time.Date(2026, 9, 5, 0, 0, 0, 0, time.UTC), End: time.Date(2026, 9, 7, 0, 0, 0, 0, time.UTC), AllDay: true,
			},
		},
		"until a day": {
			`{"@type":"Festival","startDate":"2026-10-14T19:00+02:00","endDate":"2026-10-16","location":"Oslo"}`,
			page.Event{
				Start: time.Date(2026, 10, 14, 19, 0, 0, 0, cest), End: time.Date(2026, 10, 16, 23, 59, 0, 0, cest), Place: "Oslo",
			},
		},
		"until its day": {
			`{"@type":"Festival","startDate":"2026-10-14T19:00+02:00","endDate":"2026-10-14","location":"Oslo"}`,
			page.Event{Start: time.Date(2026, 10, 14, 19, 0, 0, 0, cest), Place: "Oslo"},
		},
		"days until a time": {
			`{"@type":"Festival","startDate":"2026-09-05","endDate":"2026-09-07T17:00Z"}`,
			page.Event{
				Start: time.Date(2026, 9, 5, 0, 0, 0, 0, time.UTC), End: time.Date(2026, 9, 7, 0, 0, 0, 0, time.UTC), AllDay: true,
			},
		},
		"online, cancelled": {
			`{"@type":"Event","startDate":"2026-09-05","location":{"@type":"VirtualLocation","url":"https://a.example/"},` +
				`"eventStatus":"https://schema.org/EventCancelled"}`,
			page.Event{Start: time.Date(2026, 9, 5, 0, 0, 0, 0, time.UTC), AllDay: true, Online: true, Status: "cancelled"},
		},
		"an end before its start": {
			`{"@type":"Event","startDate":"2026-09-05","endDate":"2026-09-01","location":"Oslo"}`,
			page.Event{Start: time.Date(2026, 9, 5, 0, 0, 0, 0, time.UTC), AllDay: true, Place: "Oslo"},
		},
		"no date":     {`{"@type":"Event","startDate":"soon","datePublished":"2026-09-05"}`, page.Event{}},
		"an article":  {`[{"@type":"NewsArticle"},{"@type":"Event","startDate":"2026-09-05"}]`, page.Event{}},
		"many events": {`[{"@type":"Event","name":"a","startDate":"2026-09-05"},{"@type":"Event","name":"b","startDate":"2026-09-06"}]`, page.Event{}},
		"another":     {`{"@type":"PublicationEvent","startDate":"2026-09-05"}`, page.Event{}},
	} {
		at, err := url.Parse("https://a.example/x")
		if err != nil {
			t.Fatal(err)
		}
		html := `<title>x</title><script type="application/ld+json">` + c.data + `</script>`
		got := page.Parse([]byte(html), "text/html", at).Details.Event
		same := got.Start.Equal(c.want.Start) && got.End.Equal(c.want.End) && got.Start.Hour() == c.want.Start.Hour()
		got.Start, got.End, c.want.Start, c.want.End = time.Time{}, time.Time{}, time.Time{}, time.Time{}
		if !same || got != c.want {
			t.Errorf("%s: got %+v (same times: %v), want %+v", name, got, same, c.want)
		}
	}
}

// TestParse_event_placesHaveTheCommaOfTheirLanguage between hall and town.
func TestParse_event_placesHaveTheCommaOfTheirLanguage(t *testing.T) {
	const event = `<script type="application/ld+json">{"@type":"Event","startDate":"2027-04-21","location":` +
		`{"@type":"Place","name":"Hall","address":{"@type":"PostalAddress","addressLocality":"Town"}}}</script>`
	at := &url.URL{Scheme: "https", Host: "a.example", Path: "/x"}
	for lang, want := range map[string]string{"ar-AE": "Hall، Town", "en": "Hall, Town", "": "Hall, Town"} {
		p := page.Parse([]byte(`<html lang="`+lang+`"><title>x</title>`+event), "text/html; charset=utf-8", at)
		if got := p.Details.Event.Place; got != want {
			t.Errorf("%s: got %q, want %q", lang, got, want)
		}
	}
}
