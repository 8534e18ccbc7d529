package dashboard

import (
	"testing"
	"time"
)

func TestAgo(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)
	for age, want := range map[time.Duration]string{
		-time.Minute: "just now", 59 * time.Second: "just now", time.Minute: "1 minute ago", 3 * time.Minute: "3 minutes ago",
		time.Hour: "1 hour ago", 23*time.Hour + 59*time.Minute: "23 hours ago", day: "yesterday", 2 * day: "2 days ago",
		59 * day: "59 days ago", 60 * day: "2 months ago", 719 * day: "23 months ago", 720 * day: "1 year ago",
		1200 * day: "3 years ago",
	} {
		if got := agoWords(now.Add(-age), now); got != want {
			t.Errorf("%v: got %q, want %q", age, got, want)
		}
	}
}

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
