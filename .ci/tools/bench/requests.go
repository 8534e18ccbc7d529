package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"masthead/tools/bench/rig"
)

// requestKind is a kind of request that is measured, and how many make one run: from 0.3 s of processor time, over
// which single collections of garbage even out.
type requestKind struct {
	name  string
	count int
	// request returns the i-th of all requests of its kind.
	request func(ctx context.Context, m *subject, i int) (*http.Request, error)
}

const hotPages = 32 // pages whose images are asked for again and again

var requestKinds = []requestKind{
	{"generate, new page", 240, func(ctx context.Context, m *subject, i int) (*http.Request, error) {
		return m.node(i).Generate(ctx, m.owner, m.site.Page(fmt.Sprint("new-", i)))
	}},
	{"generate, kept", 1500, func(ctx context.Context, m *subject, i int) (*http.Request, error) {
		return m.node(i).Generate(ctx, m.owner, m.site.Page(fmt.Sprint("hot-", i/len(m.nodes)%hotPages)))
	}},
	{"GET /cdn, hit", 3000, func(ctx context.Context, m *subject, i int) (*http.Request, error) {
		return m.node(i).Get(ctx, m.cdn[i/len(m.nodes)%hotPages])
	}},
	{"GET /og, hit", 3000, func(ctx context.Context, m *subject, i int) (*http.Request, error) {
		return m.node(i).Get(ctx, m.og[i/len(m.nodes)%hotPages])
	}},
}

// subject is a process of one of the programs, or a fleet of them, with what was asked of it.
type subject struct {
	path    string
	nodes   []*rig.Node // of which each gets its part of the requests
	site    *rig.PageServer
	owner   rig.Owner
	client  *http.Client
	cdn, og []string
	asked   []int // requests so far, by kind
}

// node returns the one that the i-th request of a kind is for.
func (m *subject) node(i int) *rig.Node { return m.nodes[i%len(m.nodes)] }

// cpu returns the processor time of all nodes so far.
func (m *subject) cpu() (sum time.Duration, err error) {
	for _, node := range m.nodes {
		used, err := node.CPU()
		if err != nil {
			return 0, err
		}
		sum += used
	}
	return sum, nil
}

// kill ends all nodes.
func (m *subject) kill() (err error) {
	for _, node := range m.nodes {
		err = errors.Join(err, node.Kill())
	}
	return err
}

// requestOptions are the flags of `bench requests`.
type requestOptions struct {
	programs    []string
	runs, conns int
	scale       float64
	postgres    string
	settings    []string
	fleet       []string // settings of the last program, which is then a fleet of nodes
	nodes       int
	only        string
}

func runRequests(args []string, out io.Writer) error {
	var o requestOptions
	flags := flag.NewFlagSet("bench requests", flag.ContinueOnError)
	add := func(file string) error {
		o.programs = append(o.programs, file)
		return nil
	}
	flags.Func("program", "measure the program in `FILE`; given twice, the second against the first", add)
	flags.IntVar(&o.runs, "runs", 7, "measure each `N` times, in turns")
	flags.IntVar(&o.conns, "conns", 4, "ask each node on `N` connections")
	flags.Float64Var(&o.scale, "scale", 1, "ask `X` times as often in each run")
	flags.StringVar(&o.postgres, "postgres", "", "use databases in the Postgres at `URL`, instead of SQLite")
	flags.StringVar(&o.only, "only", "", "measure the requests alone whose name has `WORD` in it, such as kept")
	set := func(s string) error {
		o.settings = append(o.settings, s)
		return nil
	}
	flags.Func("set", "start the programs with `NAME=VALUE`: MASTHEAD_ADMIN_ADDR=127.0.0.1:9090 lets one look inside", set)
	flags.Func("fleet", "start the last program as nodes with `NAME=VALUE`: an empty bucket, Redis (needs --postgres)",
		func(s string) error {
			o.fleet = append(o.fleet, s)
			return nil
		})
	flags.IntVar(&o.nodes, "nodes", 2, "start `N` of them, beside as many single nodes of the first")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if len(o.fleet) > 0 && o.postgres == "" {
		return errors.New("nodes of a fleet share a database: --fleet needs --postgres URL")
	}
	if len(o.programs) == 0 || flags.NArg() > 0 || min(o.runs, o.conns, o.nodes) < 1 || o.scale <= 0 {
		return errors.New("requests takes --program FILE, once or more, and positive figures")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return measureRequests(ctx, o, out)
}

// measureRequests runs the programs in turns and prints the table.
func measureRequests(ctx context.Context, o requestOptions, out io.Writer) (err error) {
	dir, err := os.MkdirTemp("", "masthead-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	site, err := rig.NewPageServer("127.0.0.1")
	if err != nil {
		return err
	}
	defer site.Close()
	var all []*installations
	for i, path := range o.programs {
		count, nodes, settings := 1, 1, append([]string{"MASTHEAD_FETCH_ALLOW=" + site.Allowed(),
			"MASTHEAD_LOG_LEVEL=error"}, o.settings...)
		if len(o.fleet) > 0 {
			if i == len(o.programs)-1 {
				nodes, settings = o.nodes, append(settings, o.fleet...)
			} else {
				count = o.nodes
			}
		}
		x := &installations{cost: make([][]float64, len(requestKinds))}
		for j := range count {
			options := rig.Options{Dir: filepath.Join(dir, fmt.Sprintf("%d-%d", i, j)), Settings: settings}
			if o.postgres != "" {
				database, missing := rig.NewDatabase(ctx, o.postgres)
				if missing != nil {
					return missing
				}
				defer func() { err = errors.Join(err, database.Drop()) }()
				options.Database = database.URL
			}
			m, failed := startMeasured(ctx, path, options, nodes, site)
			if m != nil {
				defer func() { err = errors.Join(err, m.kill()) }()
			}
			if failed != nil {
				return failed
			}
			x.all = append(x.all, m)
		}
		all = append(all, x)
	}
	for run := -1; run < o.runs; run++ { // the first warms up
		for k, kind := range requestKinds {
			if !strings.Contains(kind.name, o.only) {
				continue
			}
			costs, err := measureKind(ctx, all, k, o)
			if err != nil {
				return err
			}
			for i, x := range all {
				if run >= 0 {
					x.cost[k] = append(x.cost[k], costs[i])
				}
			}
		}
	}
	return printRequests(out, all, o)
}

// slices of a run: the programs take turns within it too, so that what else the machine does falls on all alike.
const runSlices = 6

// measureKind measures all programs once, and returns microseconds of processor time a request for each.
func measureKind(ctx context.Context, all []*installations, k int, o requestOptions) ([]float64, error) {
	costs := make([]float64, len(all))
	for slice := range runSlices {
		for i := range all {
			i := (i + slice) % len(all) // nobody is always first
			cost, err := all[i].measure(ctx, k, o)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", all[i].all[0].path, err)
			}
			costs[i] += cost / runSlices
		}
	}
	return costs, nil
}

// installations are measured at the same time: single nodes share the machine as the nodes of a fleet do.
type installations struct {
	all  []*subject
	cost [][]float64 // microseconds of processor time a request, by kind, one for each run
}

// measure measures all at once, and returns the mean of what a request took.
func (x *installations) measure(ctx context.Context, k int, o requestOptions) (mean float64, err error) {
	costs, errs := make([]float64, len(x.all)), make([]error, len(x.all))
	var group sync.WaitGroup
	for i, m := range x.all {
		group.Go(func() { costs[i], errs[i] = m.measure(ctx, k, o) })
	}
	group.Wait()
	for _, cost := range costs {
		mean += cost / float64(len(x.all))
	}
	return mean, errors.Join(errs...)
}

// startMeasured starts nodes of a program and has them draw the hot pages. With an error, too, it returns what it has
// started.
func startMeasured(ctx context.Context, path string, o rig.Options, nodes int, site *rig.PageServer) (*subject, error) {
	program, err := rig.Look(ctx, path)
	if err != nil {
		return nil, err
	}
	m := &subject{path: path, site: site, client: rig.NewClient(time.Minute),
		asked: make([]int, len(requestKinds))}
	dir := o.Dir
	for i := range nodes {
		o.Dir = filepath.Join(dir, fmt.Sprint("node-", i))
		node, err := program.Prepare(o)
		if err != nil {
			return m, err
		}
		if i == 0 {
			if m.owner, err = node.Owner(ctx, "bench@example.com"); err != nil {
				return m, err
			}
		}
		if err = node.Start(ctx); err != nil {
			return m, err
		}
		m.nodes = append(m.nodes, node)
	}
	for i := range hotPages {
		image, err := m.node(i).Draw(ctx, m.client, m.owner, site.Page(fmt.Sprint("hot-", i)))
		if err != nil {
			return m, err
		}
		path, err := image.CDNPath()
		if err != nil {
			return m, err
		}
		m.cdn, m.og = append(m.cdn, path), append(m.og, image.OGPath())
	}
	return m, m.settle(ctx)
}

// settle waits until the program has done what it does once in an empty data folder beside its requests: it compiles
// WebAssembly for seconds.
func (m *subject) settle(ctx context.Context) error {
	const (
		look = 500 * time.Millisecond
		idle = look / 20
		most = 2 * time.Minute
	)
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	for last := time.Duration(-1); ; {
		spent, err := m.cpu()
		if err != nil || last >= 0 && spent-last < idle {
			return err
		}
		last = spent
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for %s to be idle: %w", m.path, ctx.Err())
		case <-time.After(look):
		}
	}
}

// measure sends the requests of a kind in one slice of a run, to all nodes at once, each on its own connections, and
// returns the microseconds of processor time that each took.
func (m *subject) measure(ctx context.Context, k int, o requestOptions) (float64, error) {
	kind := requestKinds[k]
	count, n := max(o.conns, int(float64(kind.count)*o.scale)/runSlices), len(m.nodes) // requests to each node
	first := m.asked[k]
	m.asked[k] += count * n
	before, err := m.cpu()
	if err != nil {
		return 0, err
	}
	next := make([]atomic.Int64, n)
	errs := make([]error, o.conns*n)
	var group sync.WaitGroup
	for c := range errs {
		group.Go(func() {
			for errs[c] == nil {
				i := int(next[c%n].Add(1)) - 1
				if i >= count {
					return
				}
				r, err := kind.request(ctx, m, first+i*n+c%n)
				if err == nil {
					_, err = rig.Ask(m.client, r)
				}
				errs[c] = err
			}
		})
	}
	group.Wait()
	after, err := m.cpu()
	return float64((after - before).Microseconds()) / float64(count*n), errors.Join(append(errs, err)...)
}

// printRequests prints the medians, and the median ratio of the last program to the first in the same run.
func printRequests(out io.Writer, all []*installations, o requestOptions) error {
	columns := []string{"Request"}
	for i := range all {
		columns = append(columns, fmt.Sprint("program ", i+1))
	}
	switch len(all) {
	case 1:
		columns[1] = "this program"
	case 2:
		columns[1], columns[2] = "before", "this program"
		if len(o.fleet) > 0 {
			columns[1], columns[2] = fmt.Sprint("single nodes: ", o.nodes), fmt.Sprint("nodes of a fleet: ", o.nodes)
		}
	}
	if len(all) > 1 {
		columns = append(columns, "ratio")
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Processor time of the program for one request in microseconds, user and system: median of %d runs\n"+
		"in turns (lowest to highest), %d connections to a node, %d cores. The ratio is the median of the runs' ratios.\n\n",
		o.runs, o.conns, runtime.NumCPU())
	fmt.Fprintf(&b, "| %s |\n|%s\n", strings.Join(columns, " | "), strings.Repeat("---|", len(columns)))
	for k, kind := range requestKinds {
		if len(all[0].cost[k]) == 0 {
			continue
		}
		row := []string{kind.name}
		for _, x := range all {
			cost := x.cost[k]
			row = append(row, fmt.Sprintf("%.0f (%.0f to %.0f)", median(cost), slices.Min(cost), slices.Max(cost)))
		}
		if first, last := all[0].cost[k], all[len(all)-1].cost[k]; len(all) > 1 {
			ratios := make([]float64, o.runs)
			for run := range ratios {
				ratios[run] = last[run] / first[run]
			}
			row = append(row, fmt.Sprintf("%.2f", median(ratios)))
		}
		fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// median returns the middle of some figures, the higher of two.
func median(figures []float64) float64 {
	sorted := slices.Sorted(slices.Values(figures))
	return sorted[len(sorted)/2]
}
