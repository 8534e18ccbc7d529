package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"masthead/tools/bench/rig"
)

// This file has `chaos soak`: a fleet in which nothing is broken, for as long as one likes. What its nodes hold must
// not grow with the time that they run.

// parts is into how many equal parts a run is divided. In the first, caches fill.
const parts = 6

// mostGrowth is by how much what a node holds in the last part may exceed what it held in the second one.
const mostGrowth = 0.10

// soakOptions are the flags of `chaos soak`.
type soakOptions struct {
	program, out string
	time, every  time.Duration
}

func parseSoak(args []string) (o soakOptions, err error) {
	flags := flag.NewFlagSet("chaos soak", flag.ContinueOnError)
	flags.StringVar(&o.program, "program", "", "the built program in `FILE`; built from here when it is left out")
	flags.StringVar(&o.out, "out", "", "also write the table into `FILE`")
	flags.DurationVar(&o.time, "time", time.Hour, "how long it runs")
	flags.DurationVar(&o.every, "every", 10*time.Second, "how often the nodes are looked at")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 || o.every <= 0 || o.time < 5*parts*o.every {
		return o, fmt.Errorf("soak takes --program FILE, --out FILE, --time of at least %d times --every", 5*parts)
	}
	return o, nil
}

// holding is what a node holds at a moment.
type holding struct{ megabytes, goroutines, descriptors float64 }

// figures are its figures with their names.
func (h holding) figures() []float64 { return []float64{h.megabytes, h.goroutines, h.descriptors} }

var heldNames = []string{"memory, MB", "goroutines", "open files"}

// runSoak runs a fleet, and returns how many goals were missed.
func runSoak(ctx context.Context, args []string, out, log io.Writer) (missed int, err error) {
	o, err := parseSoak(args)
	if err != nil {
		return 0, err
	}
	l, err := newLab(ctx, o.program, "")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, l.close()) }()
	f, err := l.fleet(ctx, fleetOptions{})
	if err != nil {
		return 0, err
	}
	visitors := f.soaking()
	leave := f.visit(ctx, visitors)
	began := time.Now()
	seen := make([][]holding, len(f.nodes))
	for time.Since(began) < o.time {
		select {
		case <-ctx.Done():
			leave()
			return 0, ctx.Err()
		case <-time.After(o.every):
		}
		for i, node := range f.nodes {
			h, err := held(ctx, f.client, node)
			if err != nil {
				leave()
				return 0, fmt.Errorf("node %d after %v: %w\n%s", i+1, time.Since(began), err, node.Log())
			}
			seen[i] = append(seen[i], h)
		}
		if n := len(seen[0]); n%int(max(time.Minute/o.every, 1)) == 0 {
			fmt.Fprintf(log, "%v: %.0f\n", time.Since(began).Round(time.Second), seen[0][n-1].figures())
		}
	}
	took := time.Since(began)
	leave()
	lost, err := f.lost(ctx, "", visitors[0])
	if err != nil {
		return 0, err
	}
	for _, v := range visitors {
		for _, why := range v.stream.Between(time.Time{}, time.Now()).Why() {
			fmt.Fprintf(log, "%s: %s\n", v.who, why)
		}
	}
	page, missed := soakReport(took, seen, visitors, lost)
	if o.out != "" {
		err = os.WriteFile(o.out, []byte(page), 0o644)
	}
	_, errOut := io.WriteString(out, page)
	return missed, errors.Join(err, errOut)
}

// soaking are those who use the service at the same time: all kinds of work that its nodes do.
func (f *fleet) soaking() []*visitor {
	key := func(r *http.Request, err error) (*http.Request, error) {
		if err == nil {
			r.Header.Set("Authorization", "Bearer "+f.last().Key)
			r.Header.Set("Content-Type", "application/json")
		}
		return r, err
	}
	post := func(ctx context.Context, path string, fields any) (*http.Request, error) {
		body, err := json.Marshal(fields)
		if err != nil {
			return nil, err
		}
		return http.NewRequestWithContext(ctx, http.MethodPost, f.Base+path, bytes.NewReader(body))
	}
	return append(f.usual(),
		&visitor{who: "new pages with an AI picture, one in 5 s", perSecond: .2, asking: f.aiPages()},
		&visitor{who: "icon sets of new pages, one in 2 s", perSecond: .5,
			asking: func(ctx context.Context, i int) (*http.Request, error) {
				return f.GenerateWith(ctx, f.last(), f.site.PageOf(i, fmt.Sprint("icons-", i)), map[string]any{"kind": "icon_set"})
			}},
		&visitor{who: "audits of new pages, one in 2 s", perSecond: .5,
			asking: func(ctx context.Context, i int) (*http.Request, error) {
				r, err := post(ctx, "/audits", map[string]any{"url": f.site.PageOf(i, fmt.Sprint("audit-", i))})
				if err == nil {
					r.Header.Set("Content-Type", "application/json")
				}
				return r, err
			}},
		&visitor{who: "batches of 20 new pages, one in 20 s", perSecond: .05,
			asking: func(ctx context.Context, i int) (*http.Request, error) {
				var all []any
				for n := range 20 {
					page := f.site.PageOf(n, fmt.Sprintf("batch-%d-%d", i, n))
					all = append(all, map[string]any{"url": page, "projectId": f.last().Project})
				}
				return key(post(ctx, "/images/batch", map[string]any{"requests": all}))
			}},
		&visitor{who: "lists of images, 1/s", perSecond: 1,
			asking: func(ctx context.Context, _ int) (*http.Request, error) { return key(f.Get(ctx, "/images?limit=20")) }},
		&visitor{who: "web pages, 1/s", perSecond: 1,
			asking: func(ctx context.Context, i int) (*http.Request, error) {
				return f.Get(ctx, []string{"/", "/try", "/audit/example", "/swagger"}[i%4])
			}},
	)
}

// held asks a node what it holds.
func held(ctx context.Context, client *http.Client, n *rig.Node) (h holding, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+n.Admin()+"/metrics", nil)
	if err != nil {
		return h, err
	}
	body, err := rig.Ask(client, r)
	if err != nil {
		return h, err
	}
	wanted := map[string]*float64{
		"process_resident_memory_bytes": &h.megabytes, "go_goroutines": &h.goroutines, "process_open_fds": &h.descriptors,
	}
	lines := bufio.NewScanner(bytes.NewReader(body))
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), " ")
		if to := wanted[name]; to != nil {
			if *to, err = strconv.ParseFloat(value, 64); err != nil {
				return h, err
			}
			delete(wanted, name)
		}
	}
	h.megabytes /= 1e6
	if len(wanted) > 0 {
		return h, fmt.Errorf("/metrics lacks %d of the figures", len(wanted))
	}
	return h, lines.Err()
}

// means are the means of what a node held in each part of the time.
func means(seen []holding) (of [parts][]float64) {
	for part := range parts {
		slice := seen[len(seen)*part/parts : len(seen)*(part+1)/parts]
		of[part] = make([]float64, len(heldNames))
		for _, h := range slice {
			for i, v := range h.figures() {
				of[part][i] += v / float64(len(slice))
			}
		}
	}
	return of
}

// soakReport is the page with the tables, and how many goals were missed.
func soakReport(took time.Duration, seen [][]holding, visitors []*visitor, lost row) (page string, missed int) {
	var b strings.Builder
	fmt.Fprintf(&b, soakIntroduction, runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), took.Round(time.Second))
	b.WriteString("| Node | Mean of |" + strings.Repeat(" |", parts) + " Last to second part |\n")
	b.WriteString(strings.Repeat("|---", 2+parts) + "|---|\n")
	for n, all := range seen {
		of := means(all)
		for i, name := range heldNames {
			fmt.Fprintf(&b, "| %d | %s |", n+1, name)
			for part := range parts {
				fmt.Fprintf(&b, " %.0f |", of[part][i])
			}
			growth := of[parts-1][i]/of[1][i] - 1
			verdict := ""
			if growth > mostGrowth {
				verdict = " **grows**"
				missed++
			}
			fmt.Fprintf(&b, " %+.0f %%%s |\n", growth*100, verdict)
		}
	}
	b.WriteString("\n| Who asked | Requests | Errors | p50 | p99 |\n|---|---|---|---|---|\n")
	for _, v := range visitors {
		felt := v.stream.Between(time.Time{}, time.Now())
		var bad rig.Felt
		for _, one := range felt {
			if one.Status == 0 || one.Status >= http.StatusBadRequest {
				bad = append(bad, one)
			}
		}
		if len(bad) > 0 || len(felt) == 0 {
			missed++
		}
		fmt.Fprintf(&b, "| %s | %d | %d %s | %s | %s |\n", v.who, len(felt), len(bad), cellOf(bad),
			spoken(felt.Quantile(.5)), spoken(felt.Quantile(.99)))
	}
	fmt.Fprintf(&b, "\nOf the new pages that were drawn, %s.\nGoals: %s.\n", lost.note, lost.goals())
	return b.String(), missed + len(lost.missed)
}

// cellOf says what went wrong, for a table.
func cellOf(bad rig.Felt) string {
	if len(bad) == 0 {
		return ""
	}
	return fmt.Sprintf("(%s)", bad.Answers())
}

const soakIntroduction = "# A long run\n\n" +
	"Printed by `task soak`: three nodes behind nginx with the configuration of deploy/, on one Postgres, one Redis and\n" +
	"one S3 server, as processes on loopback, while all kinds of requests come in at the same time. Nothing is broken.\n" +
	"The run is divided into six equal parts. It ends with an error where a node holds over 10 %% more memory, goroutines\n" +
	"or open files in the last part than in the second, when its caches are full, where a request fails, or where a\n" +
	"picture is lost or drawn twice, or a unit counted wrongly. `task soak -- --time 10m` runs for ten minutes.\n\n" +
	"Machine: %s/%s, %d cores, which the load and the engines shared. It ran for %v.\n\n"
