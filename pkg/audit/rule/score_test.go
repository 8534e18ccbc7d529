package rule_test

import (
	"testing"

	"masthead/pkg/audit/rule"
)

func TestGrade_atEveryEdge(t *testing.T) {
	for points, want := range map[float64]string{
		0: "F", 59: "F", 59.49: "F", 59.5: "D", 60: "D", 66: "D", 67: "D+", 69: "D+", 70: "C", 76: "C", 77: "C+", 79: "C+",
		80: "B", 86: "B", 87: "B+", 89: "B+", 90: "A", 96: "A", 97: "A+", 100: "A+",
	} {
		if got := (rule.Score{Points: points}).Grade(); got != want {
			t.Errorf("%v: got %s, want %s", points, got, want)
		}
	}
}
