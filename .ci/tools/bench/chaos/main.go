// Command chaos breaks what the built program depends on, and sends it bad neighbors, while others use it: it prints
// what was done, what the others felt, and how long it took until all was well. It ends with 1 when a goal is missed.
//
//	chaos [--program FILE] [--older FILE] [--only NAME,NAME] [--set NAME=VALUE] [--out FILE]
//	chaos soak [--program FILE] [--time 1h] [--out FILE]
//
// Each experiment is a file of its own. The program is started anew for each, with a data folder of its own.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// experiment is one thing that is done to the program.
type experiment struct {
	name string
	run  func(ctx context.Context, l *lab) ([]row, error)
}

// experiments are all of them, in the order of the table.
var experiments = []experiment{
	{"silent-host", silentHost},
	{"slow-host", slowHost},
	{"greedy-owner", greedyOwner},
	{"slow-readers", slowReaders},
	{"connections", manyConnections},
	{"one-address", oneAddress},
	{"twice-capacity", twiceCapacity},
	{"postgres-silent", postgresSilent},
	{"postgres-slow", postgresSlow},
	{"postgres-cutting", postgresCutting},
	{"postgres-refusing", postgresRefusing},
	{"postgres-full", postgresFull},
	{"postgres-read-only", postgresReadOnly},
	{"sqlite-lock", sqliteLock},
	{"disk-full", diskFull},
	{"few-descriptors", fewDescriptors},
	{"node-killed", nodeKilled},
	{"nodes-replaced", nodesReplaced},
	{"node-cut-off", nodeCutOff},
	{"node-unreachable", nodeUnreachable},
	{"node-without-postgres", nodeWithoutPostgres},
	{"node-without-redis", nodeWithoutRedis},
	{"node-without-s3", nodeWithoutS3},
	{"redis-silent", redisSilent},
	{"redis-slow", redisSlow},
	{"redis-stopped", redisStopped},
	{"redis-killed", redisKilled},
	{"redis-full", redisFull},
	{"s3-silent", s3Silent},
	{"s3-slow", s3Slow},
	{"s3-stopped", s3Stopped},
	{"s3-killed", s3Killed},
	{"postgres-promoted", postgresPromoted},
	{"clock-ahead", clockAhead},
	{"clock-behind", clockBehind},
	{"clocks-ahead", clocksAhead},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	do, args := run, os.Args[1:]
	if len(args) > 0 && args[0] == "soak" {
		do, args = runSoak, args[1:]
	}
	missed, err := do(ctx, args, os.Stdout, os.Stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		os.Exit(2) //nolint:gocritic // nothing is left to stop
	case err != nil:
		fmt.Fprintln(os.Stderr, "chaos:", err)
		os.Exit(1)
	case missed > 0:
		fmt.Fprintf(os.Stderr, "chaos: %d goals were missed\n", missed)
		os.Exit(1)
	}
}

// options are the flags.
type options struct {
	program, older, out string
	settings            []string
	chosen              []experiment
}

func parse(args []string) (o options, err error) {
	flags := flag.NewFlagSet("chaos", flag.ContinueOnError)
	flags.StringVar(&o.program, "program", "", "the built program in `FILE`; built from here when it is left out")
	flags.StringVar(&o.older, "older", "", "the program in `FILE` is what nodes-replaced updates from")
	flags.StringVar(&o.out, "out", "", "also write the table into `FILE`")
	only := flags.String("only", "", "run these experiments alone, as `NAME,NAME`: "+names())
	set := func(s string) error {
		o.settings = append(o.settings, s)
		return nil
	}
	flags.Func("set", "start the program with `NAME=VALUE`: MASTHEAD_ADMIN_ADDR=127.0.0.1:9090 lets one look inside", set)
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	o.chosen, err = choose(*only)
	return o, err
}

// run runs the experiments and returns how many goals were missed.
func run(ctx context.Context, args []string, out, log io.Writer) (missed int, err error) {
	o, err := parse(args)
	if err != nil {
		return 0, err
	}
	l, err := newLab(ctx, o.program, o.older)
	if err != nil {
		return 0, err
	}
	l.settings = o.settings
	defer func() { err = errors.Join(err, l.close()) }()
	var rows []row
	for _, e := range o.chosen {
		fmt.Fprintf(log, "%s %s\n", time.Now().Format(time.TimeOnly), e.name)
		found := e.rows(ctx, l)
		if ctx.Err() != nil {
			return missed, ctx.Err()
		}
		for _, r := range found {
			fmt.Fprint(log, "  ", r.line(), "\n")
			for _, why := range r.felt.Why() {
				fmt.Fprintf(log, "    %s\n", why)
			}
			missed += len(r.missed)
		}
		rows = append(rows, found...)
	}
	table := report(rows)
	if o.out != "" {
		err = os.WriteFile(o.out, []byte(table), 0o644)
	}
	_, errOut := io.WriteString(out, table)
	return missed, errors.Join(err, errOut)
}

// build builds a package of the module in the folder dir into the file path, with further flags.
func build(ctx context.Context, dir, path, of string, flags ...string) error {
	args := slices.Concat([]string{"build", "-C", dir, "-o", path}, flags, []string{of})
	cmd := exec.CommandContext(ctx, "go", args...) //nolint:gosec // our own paths
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", filepath.Base(path), err, text)
	}
	return nil
}

// rows runs the experiment and tidies up. One that cannot run here has a row that says why.
func (e experiment) rows(ctx context.Context, l *lab) []row {
	found, err := e.run(ctx, l)
	err = errors.Join(err, l.tidy())
	var skip skipError
	switch {
	case errors.As(err, &skip):
		return []row{{did: e.name, who: "skipped: " + string(skip)}}
	case err != nil:
		said, _, _ := strings.Cut(err.Error(), "\n")
		return append(found, row{did: e.name, missed: []string{"the experiment failed: " + said}})
	}
	return found
}

func names() string {
	var all []string
	for _, e := range experiments {
		all = append(all, e.name)
	}
	return strings.Join(all, ", ")
}

// choose returns the experiments of a list of names, all for an empty one.
func choose(list string) ([]experiment, error) {
	if list == "" {
		return experiments, nil
	}
	var chosen []experiment
	for name := range strings.SplitSeq(list, ",") {
		i := slices.IndexFunc(experiments, func(e experiment) bool { return e.name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no experiment %q; there are %s", name, names())
		}
		chosen = append(chosen, experiments[i])
	}
	return chosen, nil
}
