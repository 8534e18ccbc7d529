package main

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"masthead/tools/bench/rig"
)

// answers returns what somebody felt who asked once a second.
func answers(at time.Time, took time.Duration, statuses ...int) rig.Felt {
	var f rig.Felt
	for i, status := range statuses {
		f = append(f, rig.Sample{At: at.Add(time.Duration(i) * time.Second), Took: took, Status: status,
			Retry: status == http.StatusServiceUnavailable})
	}
	return f
}

func honest(r *row) { r.wantHonest(honestTime) }

func TestRow_goals(t *testing.T) {
	now := time.Now()
	for _, c := range []struct {
		name   string
		felt   rig.Felt
		check  func(*row)
		missed string // empty: met
	}{
		{"all good", answers(now, time.Second, 200, 200), (*row).wantUnharmed, ""},
		{"nobody asked", nil, (*row).wantUnharmed, "any request at all"},
		{"one error", answers(now, time.Second, 200, 503), (*row).wantUnharmed, "error rate 0"},
		{"no answer", answers(now, time.Second, 200, 0), (*row).wantUnharmed, "error rate 0"},
		{"slow", answers(now, 4*time.Second, 200, 200), (*row).wantUnharmed, "p99 under 2s"},
		{"honest", answers(now, 3*time.Second, 200, 503), honest, ""},
		{"500", answers(now, time.Second, 500), honest, "503 with Retry-After"},
		{"late", answers(now, 7*time.Second, 503), honest, "p99 under 6s"},
		{"cut", answers(now, time.Second, 200, 502, 0, 0, 0, 0, 0, 0, 0), (*row).wantFewCut, ""},
		{"too many cut or late", append(answers(now, 7*time.Second, 200, 200), answers(now, 0, 0, 0, 0, 0, 0, 0, 0)...),
			(*row).wantFewCut, "at most 8 cut"},
		{"without Retry-After", rig.Felt{{At: now, Status: 503}}, honest, "503 with Retry-After"},
	} {
		r := row{felt: c.felt}
		c.check(&r)
		missed := strings.Join(r.missed, "; ")
		if (missed == "") != (c.missed == "") || !strings.Contains(missed, c.missed) {
			t.Errorf("%s: got %q, want %q", c.name, missed, c.missed)
		}
	}
}

func TestReport_namesEachDeedOnce(t *testing.T) {
	good := answers(time.Now(), 3*time.Millisecond, 200, 200)
	page := report([]row{
		{did: "a lock", who: "readers", felt: good, well: "at once"},
		{did: "a lock", who: "writers", felt: answers(time.Now(), 40*time.Millisecond, 200, 503, 0, 503), missed: []string{"error rate 0"}},
		{did: "disk-full", who: "skipped: it takes root"},
	})
	for _, line := range []string{
		"| a lock | readers | 0 of 2 | 3.0 ms | at once |  | met |\n",
		"|  | writers | 3 of 4 (1 × no answer, 2 × 503) | 40 ms |  |  | **missed**: error rate 0 |\n",
		"| disk-full | skipped: it takes root |  |  |  |  | met |\n",
	} {
		if !strings.Contains(page, line) {
			t.Errorf("got\n%s\nwithout %q", page, line)
		}
	}
}

func TestChoose(t *testing.T) {
	if all, err := choose(""); err != nil || len(all) != len(experiments) {
		t.Errorf("got %d, %v, want all %d", len(all), err, len(experiments))
	}
	if two, err := choose("disk-full,silent-host"); err != nil || len(two) != 2 || two[0].name != "disk-full" {
		t.Errorf("got %v, %v", two, err)
	}
	if _, err := choose("full-disk"); err == nil || !strings.Contains(err.Error(), "disk-full") {
		t.Errorf("got %v, want the names that there are", err)
	}
	var skip skipError
	if err := errors.Join(skipError("it takes root"), nil); !errors.As(err, &skip) {
		t.Error("a skip is not found among other errors")
	}
}
