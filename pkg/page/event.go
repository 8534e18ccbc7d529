package page

import (
	"strings"
	"time"

	"masthead/pkg/cleantext"
)

// Event is when and where an event takes place. The zero value is none.
type Event struct {
	// Start and End are in the event's own zone, or in UTC if it has none; End may be zero.
	Start, End time.Time
	// AllDay means that only days are known.
	AllDay bool
	// Place is the name of the place and its town, or "". Online means that it takes place there.
	Place  string
	Online bool
	// Status is "cancelled", "postponed" or "".
	Status string
	// Price is the lowest price of a ticket, as a decimal number with a point, HighPrice the highest one of a range, or
	// "". Currency is an ISO 4217 code.
	Price, HighPrice, Currency string
}

// Limits of the texts of an event, in characters.
const (
	maxPlace = 80
	maxTown  = 40
)

// event returns the event of a node. Its start is only taken from structured data: the date of publication isn't one.
func (p *Page) event(n *Value) (e Event) {
	start, allDay, ok := eventTime(n.Get("startDate"))
	if !ok {
		return Event{}
	}
	e.Start, e.AllDay = start, allDay
	if end, endsDay, ok := eventTime(n.Get("endDate")); ok {
		e.End = eventEnd(e, end, endsDay)
	}
	e.Online = typeName(n.Get("eventAttendanceMode").String()) == "OnlineEventAttendanceMode"
	switch typeName(n.Get("eventStatus").String()) {
	case "EventCancelled":
		e.Status = "cancelled"
	case "EventPostponed":
		e.Status = "postponed"
	case "EventMovedOnline":
		e.Online = true
	}
	for _, place := range n.Get("location").Each() {
		place = p.Follow(place)
		if place.HasType("VirtualLocation") {
			e.Online = e.Online || e.Place == ""
			continue
		}
		name := ldText(place)
		if place.Type == Object {
			name = ldText(place.Get("name"))
		}
		name = cleantext.Clean(name, maxPlace)
		town := cleantext.Clean(ldText(p.Follow(place.Get("address")).Get("addressLocality")), maxTown)
		if town != "" && name != "" && !strings.Contains(name, town) {
			name += p.comma() + town
		}
		if e.Place == "" && !strings.Contains(name, "://") {
			e.Place = name
		}
	}
	var tickets Product
	p.offers(n, &tickets)
	e.Price, e.HighPrice, e.Currency = tickets.Price, tickets.HighPrice, tickets.Currency
	return e
}

// comma returns what is between a place and its town in the language of the page.
func (p *Page) comma() string {
	switch lang, _, _ := strings.Cut(strings.ToLower(p.Lang), "-"); lang {
	case "ar", "fa", "ur":
		return "، "
	}
	return ", "
}

// eventEnd returns the end of an event, zero if it isn't one. Of an end and a start one may be a day: they say then on
// which day it ends if that is a later one.
func eventEnd(e Event, end time.Time, isDay bool) time.Time {
	year, month, day := end.Date()
	switch {
	case e.AllDay && !isDay:
		end = time.Date(year, month, day, 0, 0, 0, 0, e.Start.Location())
	case !e.AllDay && isDay:
		end = time.Date(year, month, day, 23, 59, 0, 0, e.Start.Location())
		if year == e.Start.Year() && end.YearDay() == e.Start.YearDay() {
			return time.Time{}
		}
	}
	if end.Before(e.Start) {
		return time.Time{}
	}
	return end
}

// eventTime returns the time of a property, and whether it is a day only.
func eventTime(v *Value) (at time.Time, day, ok bool) {
	raw := strings.TrimSpace(v.String())
	at, ok = ParseDate(raw)
	return at, len(raw) <= len("2006-01-02"), ok
}
