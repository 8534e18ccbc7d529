package dashboard

import (
	"testing"
	"time"
)

func TestForecast(t *testing.T) {
	t.Parallel()
	month := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	on := func(day int) time.Time { return month.AddDate(0, 0, day-1) }
	for name, c := range map[string]struct {
		m    meter
		now  time.Time
		want string
	}{
		"runs out":       {meter{Used: 164, Limit: 200}, on(23), "At this rate, they’ll run out on 27 November"},
		"lasts":          {meter{Used: 31, Limit: 100}, on(23), ""},
		"just lasts":     {meter{Used: 22, Limit: 30}, on(23), ""},
		"none used":      {meter{Limit: 100}, on(23), ""},
		"used up":        {meter{Used: 100, Limit: 100}, on(23), ""},
		"not limited":    {meter{Used: 100}, on(23), ""},
		"too early":      {meter{Used: 50, Limit: 100}, on(3), ""},
		"an older month": {meter{Used: 50, Limit: 51}, on(40), ""},
	} {
		if got := forecast(c.m, month, c.now); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
