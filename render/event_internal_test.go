package render

import (
	"strings"
	"testing"
	"time"

	"masthead/render/template/kit"
)

// TestLeaf_languages_writeDaysAsTheyDo: months have the form that they have alone, unknown weekdays are left out, and
// several days show the last one.
func TestLeaf_languages_writeDaysAsTheyDo(t *testing.T) {
	day := func(m time.Month, d, hour, minute int) time.Time {
		return time.Date(2026, m, d, hour, minute, 0, 0, time.UTC)
	}
	for lang, c := range map[string]struct {
		event Event
		want  kit.Leaf
	}{
		"": {Event{}, kit.Leaf{}},
		"en": {
			Event{Start: day(10, 14, 9, 30), End: day(10, 14, 17, 0), Place: "Oslo", Status: "cancelled"},
			kit.Leaf{Month: "October", Day: "14", Weekday: "Wednesday", Time: "09:30 – 17:00", Place: "Oslo", Note: "Cancelled"},
		},
		"en-gb": { // into the night
			Event{Start: day(11, 28, 23, 0), End: day(11, 29, 6, 0), Place: "Oslo", Price: "18.50", HighPrice: "25", Currency: "EUR"},
			kit.Leaf{
				Month: "November", Day: "28", Weekday: "Saturday", Time: "23:00 – 06:00", Place: "Oslo", Price: "from €18.50",
			},
		},
		"pt": { // free
			Event{Start: day(11, 28, 9, 0), End: day(11, 29, 10, 0), Price: "0", Currency: "EUR"},
			kit.Leaf{Month: "novembro", Day: "28–29", Weekday: "sábado – domingo", Time: "09:00"},
		},
		"de": {Event{Start: day(9, 5, 0, 0), End: day(9, 7, 0, 0), AllDay: true}, kit.Leaf{
			Month: "September", Day: "5–7", Weekday: "Samstag – Montag",
		}},
		"fr": {
			Event{Start: day(9, 29, 0, 0), End: day(10, 2, 0, 0), AllDay: true, Online: true},
			kit.Leaf{Month: "septembre", Day: "29", Weekday: "29 septembre – 2 octobre", Place: "En ligne"},
		},
		"ja": {Event{Start: day(10, 14, 19, 0)}, kit.Leaf{Month: "10月", Day: "14", Weekday: "水曜日", Time: "19:00"}},
		"zh-TW": {
			Event{Start: day(10, 14, 19, 0), Online: true},
			kit.Leaf{Month: "10月", Day: "14", Weekday: "星期三", Time: "19:00", Place: "線上"},
		},
		"ru": {Event{Start: day(12, 1, 10, 0)}, kit.Leaf{Month: "Декабрь", Day: "1", Weekday: "вторник", Time: "10:00"}},
		"fi": {
			Event{Start: day(12, 1, 10, 0), Online: true},
			kit.Leaf{Month: "Joulukuu", Day: "1", Weekday: "tiistai", Time: "10:00", Place: "Verkossa"},
		},
		"vi": {Event{Start: day(12, 1, 10, 0)}, kit.Leaf{Month: "Tháng 12", Day: "1", Weekday: "Thứ\u00a0Ba", Time: "10:00"}},
		"it": { // more than a week
			Event{Start: day(9, 5, 0, 0), End: day(9, 25, 0, 0), AllDay: true}, kit.Leaf{Month: "settembre", Day: "5–25"},
		},
		"zh-Hant": {
			Event{Start: day(12, 1, 10, 0), Online: true},
			kit.Leaf{Month: "12月", Day: "1", Weekday: "星期二", Time: "10:00", Place: "線上"},
		},
		"en-us": { // a page that names its zone
			Event{Start: day(12, 1, 10, 0).In(time.FixedZone("", 0)), Place: "Livestream", Online: true},
			kit.Leaf{Month: "December", Day: "1", Weekday: "Tuesday", Time: "10:00 UTC", Place: "Livestream"},
		},
		"xx": {Event{Start: day(12, 1, 10, 0)}, kit.Leaf{Month: "12.2026", Day: "1", Time: "10:00"}},
	} {
		if got := c.event.leaf(lang); got != c.want {
			t.Errorf("%q: got %+v, want %+v", lang, got, c.want)
		}
	}
}

// TestEvent_dates_areThoseOfTheEvent: with its days, after what became of it.
func TestEvent_dates_areThoseOfTheEvent(t *testing.T) {
	day := func(month time.Month, d int) time.Time { return time.Date(2027, month, d, 9, 30, 0, 0, time.UTC) }
	for want, c := range map[string]struct {
		lang  string
		event Event
	}{
		"":                                 {"en", Event{}},
		"14 March 2027":                    {"en", Event{Start: day(3, 14)}},
		"March 14–15, 2027":                {"en-US", Event{Start: day(3, 14), End: day(3, 15)}},
		"14–15. März 2027":                 {"de", Event{Start: day(3, 14), End: day(3, 15)}},
		"2027年3月14–15日":                    {"ja", Event{Start: day(3, 14), End: day(3, 15)}},
		"30 mars – 2 avril 2027":           {"fr", Event{Start: day(3, 30), End: day(4, 2)}},
		"30 de marzo – 2 de abril de 2027": {"es", Event{Start: day(3, 30), End: day(4, 2)}},
		"March 30 – April 2, 2027":         {"en-US", Event{Start: day(3, 30), End: day(4, 2)}},
		"30 марта – 2 апреля 2027 г.":      {"ru", Event{Start: day(3, 30), End: day(4, 2)}},
		"2027년 3월 30일 – 4월 2일":             {"ko", Event{Start: day(3, 30), End: day(4, 2)}},
		"30 March 2027 – 2 April 2028":     {"en", Event{Start: day(3, 30), End: day(4, 2).AddDate(1, 0, 0)}},
		"2027-03-14 – 2027-03-15":          {"xx", Event{Start: day(3, 14), End: day(3, 15)}},
		"Cancelado · 14 de marzo de 2027":  {"es", Event{Start: day(3, 14), Status: "cancelled"}},
	} {
		leaf := c.event.leaf(c.lang)
		if got := c.event.dates(c.lang, &leaf); got != want {
			t.Errorf("%s: got %q, want %q", c.lang, got, want)
		}
	}
	r := Request{Event: Event{Start: day(3, 14), Place: "Oslo"}, Texts: Texts{Title: "A fair"}}
	_, s, err := r.spec()
	if got := strings.Join(kit.Byline(&s), ", "); err != nil || got != "14 March 2027, 09:30, Oslo" {
		t.Errorf("under the title is %q (%v), want when and where it is", got, err)
	}
	r.Event.Place, r.SiteName = "Harbor Hall, Oslo", "Harbor Hall"
	if _, s, err = r.spec(); err != nil || s.Leaf.Place != "Oslo" {
		t.Errorf("the place is %q (%v), want it without the name of the site", s.Leaf.Place, err)
	}
}
