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
		if got := ago(now.Add(-age), now); got != want {
			t.Errorf("%v: got %q, want %q", age, got, want)
		}
	}
}
