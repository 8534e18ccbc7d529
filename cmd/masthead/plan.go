package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"masthead/cmd/masthead/targets"
	"masthead/cmd/masthead/usage"
	"masthead/pkg/humanize"
)

// month is the mean length of a month, which rates and prices are of.
const month = 365 * 24 * time.Hour / 12

// Headroom of the cores that a plan asks for.
const (
	// fullest is how busy cores may be at the peak: beyond it, waiting grows quickly. Source: the mean wait of a queue
	// with one server, rho/(1-rho) times the mean service time (M/M/1).
	fullest = 0.6
	// fewestCores is two nodes of one core each: one may end.
	fewestCores = 2
)

// planCommand says what an installation of some size needs, by what it measures on this machine.
type planCommand struct {
	Pages   quantity `default:"10k" placeholder:"N" help:"Pages that have a card, such as 10M."`
	Hits    quantity `default:"1M" placeholder:"N" help:"Requests for cards a month, such as 1e9."`
	Changes float64  `default:"0.1" help:"Part of the pages that change in a month, whose cards are drawn again."`
	Peak    float64  `default:"4" help:"How many times the mean the busiest hour has."`
	CDN     float64  `name:"cdn" default:"0" help:"Part of the hits that a CDN in front answers, from 0 to 1."`

	CorePrice   float64 `default:"30" placeholder:"USD" help:"Price of a core a month."`
	DiskPrice   float64 `default:"0.1" placeholder:"USD" help:"Price of a GB stored a month."`
	EgressPrice float64 `default:"0.08" placeholder:"USD" help:"Price of a GB sent."`

	Cards int  `default:"200" hidden:"" help:"Cards that are drawn to measure."`
	JSON  bool `name:"json" help:"Print JSON."`
}

// quantity is a number of things, also written as 10k, 10M, 1G or 1e9.
type quantity float64

// UnmarshalText reads a quantity from 1 to 1e12.
func (q *quantity) UnmarshalText(text []byte) error {
	digits, factor := string(text), 1.0
	for suffix, times := range map[string]float64{"k": 1e3, "M": 1e6, "G": 1e9} {
		if rest, ok := strings.CutSuffix(digits, suffix); ok {
			digits, factor = rest, times
			break
		}
	}
	n, err := strconv.ParseFloat(digits, 64)
	if n *= factor; err != nil || n < 1 || n > 1e12 || n != n {
		return fmt.Errorf("it must be a number from 1 to 1e12, such as 200k, 10M or 1e9, not %q", text)
	}
	*q = quantity(n)
	return nil
}

// Run measures and prints.
func (c *planCommand) Run(ctx context.Context) error { return c.run(ctx, os.Stdout, os.Stderr) }

func (c *planCommand) run(ctx context.Context, out, messages io.Writer) error {
	if err := c.validate(); err != nil {
		return usage.Wrap(err)
	}
	shown := targets.NewProgress(messages)
	m, err := measure(ctx, c.Cards, shown)
	shown.Say("")
	if err != nil {
		return fmt.Errorf("measure on this machine: %w", err)
	}
	p := c.plan(m)
	if c.JSON {
		encoder := json.NewEncoder(out)
		encoder.SetIndent("", "  ")
		return encoder.Encode(p)
	}
	return p.print(out, c)
}

func (c *planCommand) validate() error {
	for _, f := range []struct {
		name             string
		value, low, high float64
	}{
		{"changes", c.Changes, 0, 100}, {"peak", c.Peak, 1, 100}, {"cdn", c.CDN, 0, 1},
		{"core-price", c.CorePrice, 0, 1e6}, {"disk-price", c.DiskPrice, 0, 1e6}, {"egress-price", c.EgressPrice, 0, 1e6},
		{"cards", float64(c.Cards), 1, 10_000},
	} {
		if !(f.value >= f.low && f.value <= f.high) { // NaN is neither
			return fmt.Errorf("--%s must be from %g to %g, not %g", f.name, f.low, f.high, f.value)
		}
	}
	return nil
}

// measurement is what one process takes on this machine.
type measurement struct {
	// Draw is the CPU time of a new card: reading its page, drawing, storing. Warm is that of a hit on one in memory,
	// Cold of a hit on one that is in the database and on disk alone.
	Draw time.Duration `json:"drawCpuNanoseconds"`
	Warm time.Duration `json:"warmHitCpuNanoseconds"`
	Cold time.Duration `json:"coldHitCpuNanoseconds"`
	// CardBytes is the mean size of a card, RowBytes what it takes in the database.
	CardBytes float64 `json:"cardBytes"`
	RowBytes  float64 `json:"rowBytes"`
	// Took is how long measuring took.
	Took time.Duration `json:"tookNanoseconds"`
}

// requirements is what an installation needs. Cores are those of the busiest hour; the others are for a month.
type requirements struct {
	Measured measurement `json:"measured"`
	Draws    float64     `json:"draws"`
	Served   float64     `json:"served"` // hits that a CDN doesn't answer
	Cores    int         `json:"cores"`
	// FirstDraw is the CPU time of a card for each page.
	FirstDraw   time.Duration `json:"firstDrawCpuNanoseconds"`
	PictureGB   float64       `json:"pictureGb"`
	DatabaseGB  float64       `json:"databaseGb"`
	EgressGB    float64       `json:"egressGb"`
	CostCores   float64       `json:"costCores"`
	CostDisk    float64       `json:"costDisk"`
	CostTraffic float64       `json:"costTraffic"`
}

// plan computes what c needs. Every hit is counted as a cold one: cards of many pages are each asked for rarely.
func (c *planCommand) plan(m measurement) requirements {
	const gb = 1e9
	pages, hits := float64(c.Pages), float64(c.Hits)
	p := requirements{
		Measured: m, Draws: pages * c.Changes, Served: hits * (1 - c.CDN),
		FirstDraw: time.Duration(min(pages*float64(m.Draw), math.MaxInt64/2)),
		PictureGB: pages * m.CardBytes / gb, DatabaseGB: pages * m.RowBytes / gb, EgressGB: hits * m.CardBytes / gb,
	}
	busy := (p.Draws*m.Draw.Seconds() + p.Served*max(m.Cold, m.Warm).Seconds()) / month.Seconds()
	p.Cores = max(fewestCores, int(math.Ceil(busy*c.Peak/fullest)))
	p.CostCores = float64(p.Cores) * c.CorePrice
	p.CostDisk = (p.PictureGB + p.DatabaseGB) * c.DiskPrice
	p.CostTraffic = p.EgressGB * c.EgressPrice
	return p
}

// print writes p for people.
func (p requirements) print(out io.Writer, c *planCommand) error {
	m := p.Measured
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "Measured in %.0f s on this machine (%s/%s, %d cores):\n\n", m.Took.Seconds(),
		runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	fmt.Fprintf(w, "  A new card\t%s of CPU time, with reading its page\n", inMillis(m.Draw))
	fmt.Fprintf(w, "  A hit from memory\t%s of CPU time\n", inMillis(m.Warm))
	fmt.Fprintf(w, "  A hit from disk\t%s of CPU time\n", inMillis(m.Cold))
	fmt.Fprintf(w, "  A card\t%.0f KB, and %.1f KB in the database\n\n", m.CardBytes/1e3, m.RowBytes/1e3)
	fmt.Fprintf(w, "Per million:\n\n")
	fmt.Fprintf(w, "  New cards\t%.1f core-hours, %s stored, one page read for each\n", 1e6*m.Draw.Hours(),
		inBytes((m.CardBytes+m.RowBytes)*1e6))
	fmt.Fprintf(w, "  Hits\t%.2f core-hours, %s sent, one query and one file read for each that is not in memory\n\n",
		1e6*max(m.Cold, m.Warm).Hours(), inBytes(m.CardBytes*1e6))
	fmt.Fprintf(w, "For %s pages, %s hits and %s changed pages a month:\n\n", count(float64(c.Pages)),
		count(float64(c.Hits)), count(p.Draws))
	fmt.Fprintf(w, "  Cores\t%d, for %s hits a second at the peak, %.0f %% busy at most\n", p.Cores,
		count(math.Ceil(p.Served/month.Seconds()*c.Peak)), 100*fullest)
	fmt.Fprintf(w, "  Disk\t%s of cards, %s of database\n", inBytes(p.PictureGB*1e9), inBytes(p.DatabaseGB*1e9))
	fmt.Fprintf(w, "  Egress\t%s a month\n", inBytes(p.EgressGB*1e9))
	fmt.Fprintf(w, "  First card of each page\t%s core-hours, %.1f h on these cores\n",
		count(math.Ceil(p.FirstDraw.Hours())), p.FirstDraw.Hours()/float64(p.Cores))
	fmt.Fprintf(w, "  Cost\t%s USD a month: %s for cores, %s for disk, %s for egress\n\n",
		count(math.Round(p.CostCores)+math.Round(p.CostDisk)+math.Round(p.CostTraffic)),
		count(math.Round(p.CostCores)), count(math.Round(p.CostDisk)), count(math.Round(p.CostTraffic)))
	fmt.Fprintf(w, "At %g USD for a core a month, %g for a GB stored and %g for a GB sent; give your prices with "+
		"--core-price,\n--disk-price and --egress-price. A CDN answers most hits: --cdn 0.9.\n",
		c.CorePrice, c.DiskPrice, c.EgressPrice)
	return w.Flush()
}

func inMillis(d time.Duration) string {
	return fmt.Sprintf("%.3g ms", float64(d)/float64(time.Millisecond))
}

func inBytes(n float64) string { return humanize.Bytes(int64(min(n, math.MaxInt64/2))) }

// count writes a whole number with commas.
func count(n float64) string {
	digits := strconv.FormatFloat(math.Round(n), 'f', 0, 64)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
