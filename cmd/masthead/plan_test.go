package main

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"masthead/pkg/testenv"
)

// TestPlan_asDocumented follows docs/cost.md with fewer cards.
func TestPlan_asDocumented(t *testing.T) {
	testenv.ManyStarts(t)
	t.Setenv(asProgram, "1") // the service that is measured
	text, err := os.ReadFile("../../docs/cost.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("```sh\nmasthead (plan .+)\n```").FindSubmatch(text)
	if found == nil {
		t.Fatal("docs/cost.md has no command")
	}
	var line commands
	parser, err := kong.New(&line, lineVars())
	if err == nil {
		_, err = parser.Parse(strings.Fields(string(found[1])))
	}
	if err != nil {
		t.Fatal(err)
	}
	c := line.Plan
	c.Cards, c.JSON = 3, true
	var out, messages bytes.Buffer
	if err := c.run(t.Context(), &out, &messages); err != nil {
		t.Fatal(err)
	}
	var p requirements
	if err := json.Unmarshal(out.Bytes(), &p); err != nil {
		t.Fatal(err)
	}
	m := p.Measured
	// Of three cards the time doesn't stand out from that of a start.
	if m.Draw < 0 || m.Draw > time.Minute || m.CardBytes < 1000 || m.CardBytes > 300_000 || p.Cores < 2 || m.Took <= 0 {
		t.Errorf("got %+v, want what cards take", p)
	}
	c.JSON = false
	out.Reset()
	if err := p.print(&out, &c); err != nil {
		t.Fatal(err)
	}
	// The example has other figures, and the same words.
	want := withoutFigures(string(text[bytes.Index(text, []byte("```text\n"))+8:]))
	want, _, _ = strings.Cut(want, "```")
	if got := withoutFigures(out.String()); !strings.HasPrefix(got, strings.TrimSpace(want)) {
		t.Errorf("docs/cost.md has\n%s\nbut it prints\n%s", want, got)
	}
}

var figures = regexp.MustCompile(`[0-9][0-9,.]*( ([KMGTP]?B|bytes?)\b)?| {2,}|\([a-z]+/[a-z0-9]+`)

func withoutFigures(text string) string {
	return strings.TrimSpace(figures.ReplaceAllString(text, "#"))
}

func TestPlan_computes(t *testing.T) {
	t.Parallel()
	c := planCommand{Pages: 10e6, Hits: 1e9, Changes: 0.1, Peak: 4, CorePrice: 30, DiskPrice: 0.1, EgressPrice: 0.08}
	m := measurement{
		Draw: 30 * time.Millisecond, Warm: 50 * time.Microsecond, Cold: 400 * time.Microsecond,
		CardBytes: 40e3, RowBytes: 2e3,
	}
	p := c.plan(m)
	// 1e6 draws of 30 ms and 1e9 hits of 0.4 ms are 430,000 s of the 2,628,000 of a month; times 4, by 0.6.
	if p.Cores != 2 || p.Draws != 1e6 || p.FirstDraw != 300_000*time.Second {
		t.Errorf("got %+v", p)
	}
	for name, pair := range map[string][2]float64{
		"pictures": {p.PictureGB, 400}, "database": {p.DatabaseGB, 20}, "egress": {p.EgressGB, 40_000},
		"cost of cores": {p.CostCores, 60}, "cost of disk": {p.CostDisk, 42}, "cost of traffic": {p.CostTraffic, 3200},
	} {
		if math.Abs(pair[0]-pair[1]) > 1e-6*pair[1] {
			t.Errorf("%s: got %g, want %g", name, pair[0], pair[1])
		}
	}
	c.Hits = 1e11
	if p := c.plan(m); p.Cores != 102 { // (30,000 + 4e7) s / 2,628,000 s · 4 / 0.6
		t.Errorf("got %d cores, want 102", p.Cores)
	}
	c.CDN = 0.9
	if p := c.plan(m); p.Cores != 11 || math.Abs(p.Served-1e10) > 1 {
		t.Errorf("got %d cores for %g hits, want 11", p.Cores, p.Served)
	}
	if p := (&planCommand{Pages: 1, Hits: 1, Peak: 1}).plan(measurement{}); p.Cores != 2 {
		t.Errorf("got %d cores, want two nodes", p.Cores)
	}
}

func TestPlan_quantities(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]float64{
		"1": 1, "200k": 200e3, "10M": 10e6, "1G": 1e9, "1e9": 1e9, "2.5M": 2.5e6, "1e12": 1e12,
		"": 0, "0": 0, "-1": 0, "1e13": 0, "NaN": 0, "Inf": 0, "10 M": 0, "M": 0, "10m": 0, "10MM": 0,
	} {
		var q quantity
		err := q.UnmarshalText([]byte(text))
		if (err == nil) != (want != 0) || float64(q) != want {
			t.Errorf("%q: got %g, %v, want %g", text, float64(q), err, want)
		}
	}
	for name, c := range map[string]planCommand{
		"--peak": {Peak: 0.5, Cards: 1}, "--cdn": {Peak: 1, CDN: 1.1, Cards: 1}, "--cards": {Peak: 1},
		"--changes": {Peak: 1, Cards: 1, Changes: math.NaN()},
	} {
		if err := c.run(context.Background(), nil, nil); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("got %v, want %s named", err, name)
		}
	}
}

func TestCount_hasCommas(t *testing.T) {
	t.Parallel()
	for n, want := range map[float64]string{
		0: "0", 999: "999", 1000: "1,000", 1234567.6: "1,234,568", 1e12: "1,000,000,000,000",
	} {
		if got := count(n); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
