package report_test

import (
	"testing"
	"time"

	"masthead/pkg/web/report"
)

func TestChecked_saysHowLongAgo(t *testing.T) {
	for age, want := range map[time.Duration]string{
		0: "Checked just now", 999 * time.Millisecond: "Checked just now", time.Second: "Checked 1 second ago",
		12*time.Second + 900*time.Millisecond: "Checked 12 seconds ago", 60 * time.Second: "Checked 1 minute ago",
		59*time.Minute + 59*time.Second: "Checked 59 minutes ago",
	} {
		if got := report.Checked(age); got != want {
			t.Errorf("%v: got %q, want %q", age, got, want)
		}
	}
}
