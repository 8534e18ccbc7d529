package frame

import (
	"testing"
	"time"
)

func TestAgo(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)
	for age, want := range map[time.Duration]string{
		-time.Minute: "just now", 59 * time.Second: "just now", time.Minute: "1 minute ago", 3 * time.Minute: "3 minutes ago",
		time.Hour: "1 hour ago", 23*time.Hour + 59*time.Minute: "23 hours ago", Day: "yesterday", 2 * Day: "2 days ago",
		59 * Day: "59 days ago", 60 * Day: "2 months ago", 719 * Day: "23 months ago", 720 * Day: "1 year ago",
		1200 * Day: "3 years ago",
	} {
		if got := AgoWords(now.Add(-age), now); got != want {
			t.Errorf("%v: got %q, want %q", age, got, want)
		}
	}
}
