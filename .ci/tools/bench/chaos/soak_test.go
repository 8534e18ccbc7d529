package main

import (
	"strings"
	"testing"
	"time"
)

// TestSoakReport_growthIsAMissedGoal has a node whose memory grows after its caches are full, and one whose memory
// grows only before that.
func TestSoakReport_growthIsAMissedGoal(t *testing.T) {
	steady := make([]holding, 0, 60)
	growing := make([]holding, 0, 60)
	for i := range 60 {
		steady = append(steady, holding{min(100+float64(i)*10, 200), 90, 50})
		growing = append(growing, holding{100 + float64(i), 90, 50})
	}
	page, missed := soakReport(time.Hour, [][]holding{steady, growing}, nil, row{note: "3 of 3 are there"})
	if missed != 1 {
		t.Errorf("got %d missed goals, want 1:\n%s", missed, page)
	}
	for _, line := range []string{
		"| 1 | memory, MB | 145 | 200 | 200 | 200 | 200 | 200 | +0 % |\n",
		"| 2 | memory, MB | 104 | 114 | 124 | 134 | 144 | 154 | +35 % **grows** |\n",
		"| 2 | goroutines | 90 | 90 | 90 | 90 | 90 | 90 | +0 % |\n",
		"It ran for 1h0m0s.",
		"Of the new pages that were drawn, 3 of 3 are there.\nGoals: met.\n",
	} {
		if !strings.Contains(page, line) {
			t.Errorf("got\n%s\nwant it to have %q", page, line)
		}
	}
}

func TestParseSoak(t *testing.T) {
	for _, c := range []struct {
		args []string
		ok   bool
	}{
		{nil, true},
		{[]string{"--time", "1m", "--every", "2s"}, true},
		{[]string{"--time", "1m"}, false},
		{[]string{"--every", "0s"}, false},
		{[]string{"now"}, false},
	} {
		if _, err := parseSoak(c.args); (err == nil) != c.ok {
			t.Errorf("%q: got %v", c.args, err)
		}
	}
}
