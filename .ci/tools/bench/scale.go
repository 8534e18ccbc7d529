package main

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"masthead/tools/bench/rig"
)

// scaleOptions are the flags of `bench scale`.
type scaleOptions struct {
	program, postgres string
	rows, conns       []int
	files, fileBytes  int
	hits              int
}

func runScale(args []string, out io.Writer) error {
	var o scaleOptions
	flags := flag.NewFlagSet("bench scale", flag.ContinueOnError)
	flags.StringVar(&o.program, "program", "", "measure the built program in `FILE`")
	flags.StringVar(&o.postgres, "postgres", "", "make databases in the Postgres at `URL`, whose user is a superuser")
	numbers := func(to *[]int, from int) func(string) error {
		return func(s string) error {
			n, err := strconv.Atoi(s)
			if err != nil || n < from {
				return fmt.Errorf("it takes a number from %d", from)
			}
			*to = append(*to, n)
			return nil
		}
	}
	flags.Func("rows", "measure with `N` images; given more than once, one after the other", numbers(&o.rows, 1000))
	flags.Func("conns", "ask on `N` connections (2); given more than once, hits are measured with each",
		numbers(&o.conns, 1))
	flags.IntVar(&o.files, "files", 20_000, "give the images `N` files, which they share")
	flags.IntVar(&o.fileBytes, "bytes", 45_000, "give each file `N` bytes")
	flags.IntVar(&o.hits, "hits", 20_000, "ask for `N` images, each another one")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if o.program == "" || o.postgres == "" || len(o.rows) == 0 || flags.NArg() > 0 || min(o.files, o.hits) < 1 {
		return errors.New("scale takes --program FILE, --postgres URL, --rows N and positive figures")
	}
	if len(o.conns) == 0 {
		o.conns = []int{2}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	for i, rows := range o.rows {
		m, err := measureScale(ctx, o, rows)
		if err != nil {
			return fmt.Errorf("%d images: %w", rows, err)
		}
		if i == 0 {
			fmt.Fprint(out, scaleHead)
		}
		for _, hit := range m.hits {
			fmt.Fprintln(out, m.line(hit))
		}
	}
	return nil
}

const scaleHead = "| images | files | connections | hit: processor time, with Postgres | queries | p50, p99 | " +
	"drawn | new card | list | eviction of 1 000 |\n|---|---|---|---|---|---|---|---|---|---|\n"

// cost is the processor time of the program and of Postgres for one of something.
type cost struct{ program, postgres time.Duration }

func (c cost) String() string {
	return fmt.Sprintf("%.2f ms, %.2f ms", float64(c.program.Microseconds())/1000,
		float64((c.program+c.postgres).Microseconds())/1000)
}

// scaleFigures is what is measured with a number of images.
type scaleFigures struct {
	rows, files int
	fileBytes   int64
	hits        []hitFigures
	card, list  cost
	eviction    cost
}

// hitFigures are those of requests for pictures that are not in memory.
type hitFigures struct {
	conns    int
	cost     cost
	queries  float64
	p50, p99 time.Duration
	drawn    int64
}

func (f *scaleFigures) line(hit hitFigures) string {
	ms := func(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }
	return fmt.Sprintf("| %d | %d, %.1f GB | %d | %v | %.2f | %s, %s | %d | %v | %v | %v |", f.rows, f.files,
		float64(f.fileBytes)/1e9, hit.conns, hit.cost, hit.queries, ms(hit.p50), ms(hit.p99), hit.drawn,
		f.card, f.list, f.eviction)
}

// scale is a program on a database with many images.
type scale struct {
	scaleOptions

	dir      string
	database *rig.Database
	pool     *sql.DB // of the superuser
	program  *rig.Program
	site     *rig.PageServer
	node     *rig.Node
	owner    rig.Owner
	client   *http.Client
}

func measureScale(ctx context.Context, o scaleOptions, rows int) (f *scaleFigures, err error) {
	s := &scale{scaleOptions: o, client: rig.NewClient(10 * time.Second)}
	if s.dir, err = os.MkdirTemp("", "masthead-scale-"); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(s.dir)) }()
	if s.site, err = rig.NewPageServer("127.0.0.1"); err != nil {
		return nil, err
	}
	defer s.site.Close()
	if s.database, err = rig.NewDatabase(ctx, o.postgres); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.database.Drop()) }()
	if s.pool, err = s.database.AsSuperuser(); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.pool.Close()) }()
	if s.program, err = rig.Look(ctx, o.program); err != nil {
		return nil, err
	}
	if err := s.start(ctx); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.node.Kill()) }()
	if s.owner, err = s.node.Owner(ctx, "owner@example.com"); err != nil {
		return nil, err
	}
	if _, err := s.node.Draw(ctx, s.client, s.owner, s.site.Page("first")); err != nil {
		return nil, err
	}
	f = &scaleFigures{rows: rows, files: o.files}
	if err := s.node.Stop(); err != nil { // it would note files that have no row yet, and nothing is in its memory then
		return nil, err
	}
	if f.fileBytes, err = s.fill(ctx, rows); err != nil {
		return nil, err
	}
	for _, conns := range s.conns { // each with nothing in memory
		if err := s.ready(ctx); err != nil {
			return nil, err
		}
		if err := s.measureHits(ctx, f, conns); err != nil {
			return nil, err
		}
		if err := s.node.Stop(); err != nil {
			return nil, err
		}
	}
	if err := s.ready(ctx); err != nil {
		return nil, err
	}
	return f, errors.Join(s.measureOthers(ctx, f), s.measureEviction(ctx, f))
}

func (s *scale) start(ctx context.Context, settings ...string) (err error) {
	s.node, err = s.program.Prepare(rig.Options{
		Dir: filepath.Join(s.dir, "data"), Database: s.database.URL,
		Settings: append([]string{"MASTHEAD_FETCH_ALLOW=" + s.site.Allowed(), "MASTHEAD_LOG_LEVEL=error"}, settings...),
	})
	if err != nil {
		return err
	}
	return s.node.Start(ctx)
}

// spent returns the processor time of the program and of the connections of its database so far.
func (s *scale) spent() (c cost, err error) {
	if c.program, err = s.node.CPU(); err != nil {
		return c, err
	}
	processes, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		return c, err
	}
	for _, file := range processes {
		line, err := os.ReadFile(file)
		if err != nil || !strings.HasPrefix(string(line), "postgres: ") || !strings.Contains(string(line), s.database.Name) {
			continue // it may be gone already
		}
		var pid int
		if _, err := fmt.Sscanf(file, "/proc/%d/", &pid); err != nil {
			return c, err
		}
		if used, err := rig.CPUOf(pid); err == nil {
			c.postgres += used
		}
	}
	return c, nil
}

// each returns the costs of one of count calls, made on some connections.
func (s *scale) each(count, conns int, call func(i int) error) (c cost, took []time.Duration, err error) {
	before, err := s.spent()
	if err != nil {
		return c, nil, err
	}
	took = make([]time.Duration, count)
	faults := make([]error, conns)
	var next atomic.Int64
	var group sync.WaitGroup
	for conn := range conns {
		group.Go(func() {
			for faults[conn] == nil {
				i := int(next.Add(1)) - 1
				if i >= count {
					return
				}
				began := time.Now()
				faults[conn] = call(i)
				took[i] = time.Since(began)
			}
		})
	}
	group.Wait()
	after, err := s.spent()
	if err := errors.Join(errors.Join(faults...), err); err != nil {
		return c, nil, err
	}
	slices.Sort(took)
	return cost{
		(after.program - before.program) / time.Duration(count), (after.postgres - before.postgres) / time.Duration(count),
	}, took, nil
}

// ready starts the program and waits until it is idle.
func (s *scale) ready(ctx context.Context) error {
	if err := s.start(ctx); err != nil {
		return err
	}
	return s.settle(ctx)
}

// settle waits until the program has done what it does once after its start: compiling the engine for SVG takes seconds
// of processor time, which no request asked for.
func (s *scale) settle(ctx context.Context) error {
	const quiet = time.Second / 50 // of a second
	before, err := s.node.CPU()
	for range 60 {
		if err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
		last := before
		if before, err = s.node.CPU(); err == nil && before-last < quiet {
			return nil
		}
	}
	return errors.New("the program is still busy a minute after its start, without a request")
}

// measureHits asks for images, each another one, none of which is in memory.
func (s *scale) measureHits(ctx context.Context, f *scaleFigures, conns int) error {
	images, err := s.count(ctx, `SELECT COUNT(*) FROM images`)
	if err != nil {
		return err
	}
	if _, _, err := s.each(200, conns, func(int) error { return s.get(ctx, s.ogPath(rand.IntN(f.rows))) }); err != nil {
		return err // connections are open and statements prepared from here on
	}
	const committed = `SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()`
	before, err := s.count(ctx, committed)
	if err != nil {
		return err
	}
	order := rand.Perm(f.rows)[:min(s.hits, f.rows)]
	hit := hitFigures{conns: conns}
	var took []time.Duration
	hit.cost, took, err = s.each(len(order), conns, func(i int) error { return s.get(ctx, s.ogPath(order[i])) })
	if err != nil {
		return err
	}
	hit.p50, hit.p99 = took[len(took)/2], took[len(took)*99/100]
	time.Sleep(time.Second) // until Postgres has counted
	after, err := s.count(ctx, committed)
	if err != nil {
		return err
	}
	hit.queries = float64(after-before) / float64(len(order))
	hit.drawn, err = s.count(ctx, `SELECT COUNT(*) FROM images`)
	hit.drawn -= images
	f.hits = append(f.hits, hit)
	return err
}

// measureOthers draws cards of new pages, and lists the owner's images.
func (s *scale) measureOthers(ctx context.Context, f *scaleFigures) (err error) {
	draw := func(name string) func(int) error {
		return func(i int) error {
			_, err := s.node.Draw(ctx, s.client, s.owner, s.site.Page(fmt.Sprint(name, i)))
			return err
		}
	}
	if _, _, err := s.each(20, s.conns[0], draw("warm-")); err != nil {
		return err
	}
	if f.card, _, err = s.each(200, s.conns[0], draw("new-")); err != nil {
		return err
	}
	list := func(int) error {
		r, err := s.node.Get(ctx, "/images?limit=5")
		if err != nil {
			return err
		}
		r.Header.Set("Authorization", "Bearer "+s.owner.Key)
		_, err = rig.Ask(s.client, r)
		return err
	}
	if _, _, err := s.each(20, s.conns[0], list); err != nil {
		return err
	}
	f.list, _, err = s.each(500, s.conns[0], list)
	return err
}

// evictions is how many images are to be evicted.
const evictions = 1000

// measureEviction compares what the program does with a budget that is too small with what it does otherwise.
func (s *scale) measureEviction(ctx context.Context, f *scaleFigures) error {
	megabytes := (int64(f.rows-evictions)*int64(s.fileBytes) + 999_999) / 1_000_000
	idle, _, err := s.sweep(ctx, 2*megabytes)
	if err != nil {
		return err
	}
	busy, left, err := s.sweep(ctx, megabytes)
	if err != nil {
		return err
	}
	if left > evictions+1+1_000_000/int64(s.fileBytes) { // the budget is in megabytes
		return fmt.Errorf("the budget doesn't hold: %d are left", left)
	}
	f.eviction = cost{busy.program - idle.program, busy.postgres - idle.postgres}
	return nil
}

// sweep starts the program with a budget and returns what it costs in the time in which it looks at budgets once, and
// how many of twice the images to be evicted are left.
func (s *scale) sweep(ctx context.Context, megabytes int64) (c cost, left int64, err error) {
	const once = 90 * time.Second
	if err := s.node.Stop(); err != nil {
		return c, 0, err
	}
	if err := s.start(ctx, fmt.Sprint("MASTHEAD_OG_BUDGET_MB=", megabytes)); err != nil {
		return c, 0, err
	}
	before, err := s.spent()
	if err != nil {
		return c, 0, err
	}
	select {
	case <-ctx.Done():
		return c, 0, ctx.Err()
	case <-time.After(once):
	}
	after, err := s.spent()
	if err != nil {
		return c, 0, err
	}
	left, err = s.count(ctx, `SELECT COUNT(*) FROM variants WHERE image_id <= '`+imageID(2*evictions)+`'`)
	return cost{after.program - before.program, after.postgres - before.postgres}, left, err
}

func (s *scale) count(ctx context.Context, query string) (n int64, err error) {
	return n, s.pool.QueryRowContext(ctx, query).Scan(&n)
}

func (s *scale) get(ctx context.Context, path string) error {
	r, err := s.node.Get(ctx, path)
	if err != nil {
		return err
	}
	body, err := rig.Ask(s.client, r)
	if err == nil && len(body) != s.fileBytes {
		err = fmt.Errorf("%s: got %d bytes, want the file's %d", path, len(body), s.fileBytes)
	}
	return err
}
