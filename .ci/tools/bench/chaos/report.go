package main

import (
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"time"

	"masthead/tools/bench/rig"
)

// row is a line of the table: what somebody felt of what was done.
type row struct {
	did, who string
	felt     rig.Felt
	well     string // how long until all was well, where something was healed
	note     string
	missed   []string // the goals that were missed
}

// Goals of time: others wait for a place in a pool 2 s at most. For a database a request waits 3 s and a list 5 s, and
// one for a new picture as long again, by the making that it waits for.
const (
	unharmedTime = 2 * time.Second
	honestTime   = 6 * time.Second
)

// want notes a goal; it is missed unless met.
func (r *row) want(met bool, format string, args ...any) {
	if !met {
		r.missed = append(r.missed, fmt.Sprintf(format, args...))
	}
}

// wantUnharmed is the goal of every fault that is one client's or one host's.
func (r *row) wantUnharmed() {
	r.wantNoError()
	r.want(r.felt.Quantile(.99) < unharmedTime, "p99 under %v", unharmedTime)
}

func (r *row) wantNoError() {
	r.want(r.felt.Bad() == 0, "error rate 0")
	r.want(len(r.felt) > 0, "any request at all")
}

// wantHonest is the goal of requests that a fault of a dependency may fail: what fails is 503 with Retry-After, and
// nobody waits for long.
func (r *row) wantHonest(within time.Duration) {
	r.want(r.felt.Quantile(.99) < within, "p99 under %v", within)
	for _, one := range r.felt {
		if one.Status != http.StatusOK && (one.Status != http.StatusServiceUnavailable || !one.Retry) {
			r.want(false, "errors are 503 with Retry-After")
			return
		}
	}
}

// mostCut is how many requests a killed node may have been answering.
const mostCut = 8

// wantFewCut is the goal where a node dies, or can't be reached: what it was answering may be cut or late, and nothing
// else.
func (r *row) wantFewCut() {
	late := 0
	for _, one := range r.felt.Good() {
		if one.Took >= honestTime {
			late++
		}
	}
	r.want(r.felt.Bad()+late <= mostCut, "at most %d cut, or later than %v", mostCut, honestTime)
}

// goals says whether the goals were met.
func (r *row) goals() string {
	if len(r.missed) == 0 {
		return "met"
	}
	return "**missed**: " + strings.Join(r.missed, "; ")
}

func (r *row) errors() string {
	if len(r.felt) == 0 {
		return ""
	}
	text := fmt.Sprintf("%d of %d", r.felt.Bad(), len(r.felt))
	if answers := r.felt.Answers(); answers != "" {
		text += " (" + answers + ")"
	}
	return text
}

func (r *row) p99() string {
	if len(r.felt) == 0 {
		return ""
	}
	return spoken(r.felt.Quantile(.99))
}

// line is the row for those who watch.
func (r *row) line() string {
	return strings.Join([]string{r.did, r.who, r.errors(), r.p99(), r.well, r.note, r.goals()}, " | ")
}

// spoken is a time as people say it.
func spoken(d time.Duration) string {
	switch {
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}

const introduction = "# Who harms whom\n\n" +
	"Printed by `task chaos`, which starts the built program anew for each experiment, breaks something, and has others\n" +
	"use the program meanwhile, on loopback. It ends with an error when a goal is missed: where the fault is one client's\n" +
	"or one host's, nobody else gets an error or waits for 2 s; where a dependency fails, what fails is 503 with\n" +
	"Retry-After within 6 s, pictures go on, and 10 s after it is healed nobody gets an error. Fleets are three nodes\n" +
	"behind nginx with the configuration of deploy/, on one Postgres, one Redis and one S3 server, with a proxy between\n" +
	"each node and each of them; in the end each page that was drawn is asked for again, and units are counted.\n" +
	"Nodes of an older program, `--older FILE`, share what it knows: one that knows no S3 store, a folder.\n" +
	"Clocks jump in a program that is built with another time.Now, since processes share the machine's.\n" +
	"`task chaos -- --only silent-host` runs one experiment, `--program FILE` another revision. The load comes from the\n" +
	"same cores as the service, so times are upper bounds.\n\n"

// report is the page with the table.
func report(rows []row) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%sMachine: %s/%s, %d cores.\n\n", introduction, runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	b.WriteString("| What was done | Who asked | Errors | p99 | Well again | Besides | Goals |\n")
	b.WriteString("|---|---|---|---|---|---|---|\n")
	last := ""
	for _, r := range rows {
		did := r.did
		if did == last {
			did = ""
		}
		last = r.did
		cells := []string{did, r.who, r.errors(), r.p99(), r.well, r.note, r.goals()}
		fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
	}
	return b.String()
}
