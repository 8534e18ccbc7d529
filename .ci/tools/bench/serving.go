package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"masthead/tools/bench/rig"
)

// servingOptions are the flags of `bench serving`.
type servingOptions struct {
	programs []string // NAME=FILE
	rounds   int
	seconds  int
}

// serverRun is who serves the picture, with what wrk found in each round.
type serverRun struct {
	name, url string
	cpu       func() (time.Duration, error) // that the server has used
	perSecond []float64
	perAnswer []float64 // microseconds of processor time
	p99       []float64 // milliseconds
}

// Connections that wrk asks on: many for the rate, fewer for the latency, which otherwise is the queue of its own.
const (
	rateConns    = 32
	latencyConns = 16
)

func runServing(args []string, out io.Writer) error {
	var o servingOptions
	flags := flag.NewFlagSet("bench serving", flag.ContinueOnError)
	flags.Func("program", "measure the built program in `NAME=FILE`; several are measured in turns", func(s string) error {
		if !strings.Contains(s, "=") {
			return errors.New("it takes NAME=FILE")
		}
		o.programs = append(o.programs, s)
		return nil
	})
	flags.IntVar(&o.rounds, "rounds", 3, "measure each `N` times, in turns")
	flags.IntVar(&o.seconds, "seconds", 4, "measure for `N` seconds each time")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if len(o.programs) == 0 || flags.NArg() > 0 || o.rounds < 1 || o.seconds < 1 {
		return errors.New("serving takes --program NAME=FILE and positive figures")
	}
	for _, tool := range []string{"wrk", "nginx"} {
		if _, err := exec.LookPath(tool); err != nil {
			return fmt.Errorf("%s is missing (Debian: wrk, nginx-light)", tool)
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return measureServing(ctx, o, out)
}

// measureServing has nginx and the program serve the same picture, and prints the table.
func measureServing(ctx context.Context, o servingOptions, out io.Writer) (err error) {
	dir, err := os.MkdirTemp("", "masthead-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := os.Chmod(dir, 0o755); err != nil { //nolint:gosec // nginx reads it as another user
		return err
	}
	site, err := rig.NewPageServer("127.0.0.1")
	if err != nil {
		return err
	}
	defer site.Close()
	var all []*serverRun
	var picture []byte
	for i, program := range o.programs {
		name, file, _ := strings.Cut(program, "=")
		m, err := startMeasured(ctx, file, rig.Options{
			Dir:      filepath.Join(dir, fmt.Sprint("data", i)),
			Settings: []string{"MASTHEAD_FETCH_ALLOW=" + site.Allowed(), "MASTHEAD_LOG_LEVEL=error"},
		}, 1, site)
		if m != nil {
			defer func() { _ = m.kill() }()
		}
		if err != nil {
			return err
		}
		request, err := m.node(0).Get(ctx, m.cdn[0])
		if err != nil {
			return err
		}
		if picture, err = rig.Ask(m.client, request); err != nil {
			return err
		}
		all = append(all,
			&serverRun{name: "/cdn, " + name, url: m.node(0).Base + m.cdn[0], cpu: m.cpu},
			&serverRun{name: "/og, " + name, url: m.node(0).Base + m.og[0], cpu: m.cpu})
	}
	nginx, err := startNginx(ctx, filepath.Join(dir, "nginx"), picture)
	if err != nil {
		return err
	}
	defer nginx.stop()
	all = append([]*serverRun{{name: "nginx, a file", url: nginx.url, cpu: nginx.cpu}}, all...)
	for range o.rounds {
		for _, s := range all {
			if err := s.measure(ctx, o.seconds); err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
		}
	}
	return printServing(out, all, len(picture), o)
}

// nginx is a server of its own, in the foreground, with nothing of the machine's configuration.
type nginx struct {
	url string
	cmd *exec.Cmd
}

// The rest is as Debian's nginx.conf has it; the log is off, as ours is.
const nginxConfig = `daemon off;
worker_processes auto;
pid %[1]s/pid;
error_log stderr crit;
events { worker_connections 768; }
http {
  sendfile on;
  tcp_nopush on;
  access_log off;
  types { image/png png; }
  client_body_temp_path %[1]s/body; proxy_temp_path %[1]s/proxy; fastcgi_temp_path %[1]s/fastcgi;
  uwsgi_temp_path %[1]s/uwsgi; scgi_temp_path %[1]s/scgi;
  server { listen 127.0.0.1:%[2]s; root %[1]s; }
}
`

func startNginx(ctx context.Context, dir string, picture []byte) (*nginx, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it only finds a free port
	if err != nil {
		return nil, err
	}
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err := errors.Join(err, listener.Close(), os.MkdirAll(dir, 0o755)); err != nil {
		return nil, err
	}
	config := filepath.Join(dir, "nginx.conf")
	err = errors.Join(os.WriteFile(filepath.Join(dir, "card.png"), picture, 0o644),
		os.WriteFile(config, fmt.Appendf(nil, nginxConfig, dir, port), 0o644))
	if err != nil {
		return nil, err
	}
	n := &nginx{url: "http://127.0.0.1:" + port + "/card.png"}
	n.cmd = exec.CommandContext(ctx, "nginx", "-p", dir, "-c", config) //nolint:gosec // the arguments are our own
	n.cmd.Stderr = os.Stderr
	if err := n.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start nginx: %w", err)
	}
	client := rig.NewClient(time.Second)
	for range 100 {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, n.url, nil)
		if err != nil {
			return nil, err
		}
		if _, err := rig.Ask(client, r); err == nil {
			return n, nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	n.stop()
	return nil, errors.New("nginx does not answer")
}

// cpu is the processor time of the workers so far.
func (n *nginx) cpu() (sum time.Duration, err error) {
	pid := n.cmd.Process.Pid
	workers, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	if err != nil {
		return 0, err
	}
	for _, worker := range strings.Fields(string(workers)) {
		pid, err := strconv.Atoi(worker)
		if err != nil {
			return 0, err
		}
		used, err := rig.CPUOf(pid)
		if err != nil {
			return 0, err
		}
		sum += used
	}
	return sum, nil
}

// stop ends nginx with its workers.
func (n *nginx) stop() {
	_ = n.cmd.Process.Signal(os.Interrupt) // it may be gone already
	_ = n.cmd.Wait()
}

var (
	wrkRate = regexp.MustCompile(`Requests/sec:\s+([0-9.]+)`)
	wrkAll  = regexp.MustCompile(`\n\s+([0-9]+) requests in`)
	wrkP99  = regexp.MustCompile(`\n\s+99%\s+([0-9.]+)(us|ms|s)`)
)

// measure runs wrk twice: for the rate and for the latency.
func (s *serverRun) measure(ctx context.Context, seconds int) error {
	before, err := s.cpu()
	if err != nil {
		return err
	}
	out, err := wrk(ctx, s.url, rateConns, seconds)
	if err != nil {
		return err
	}
	after, err := s.cpu()
	if err != nil {
		return err
	}
	rate, _, err := wrkFigure(wrkRate, out)
	if err != nil {
		return err
	}
	answers, _, err := wrkFigure(wrkAll, out)
	if err != nil {
		return err
	}
	s.perAnswer = append(s.perAnswer, float64((after-before).Microseconds())/answers)
	if out, err = wrk(ctx, s.url, latencyConns, seconds); err != nil {
		return err
	}
	p99, unit, err := wrkFigure(wrkP99, out)
	if err != nil {
		return err
	}
	s.perSecond = append(s.perSecond, rate)
	s.p99 = append(s.p99, p99*map[string]float64{"us": .001, "ms": 1, "s": 1000}[unit])
	return nil
}

// wrk asks for a picture again and again and returns its report. An answer that is no success is an error.
func wrk(ctx context.Context, url string, conns, seconds int) (string, error) {
	cmd := exec.CommandContext(ctx, "wrk", "--latency", "-t", "2", "-c", strconv.Itoa(conns), //nolint:gosec // our own
		"-d", fmt.Sprintf("%ds", seconds), url)
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Contains(string(out), "Non-2xx") || strings.Contains(string(out), "Socket errors") {
		return "", fmt.Errorf("wrk: %w\n%s", errors.Join(err, errors.New("not every answer was good")), out)
	}
	return string(out), nil
}

func wrkFigure(form *regexp.Regexp, out string) (figure float64, unit string, err error) {
	m := form.FindStringSubmatch(out)
	if m == nil {
		return 0, "", fmt.Errorf("wrk says nothing of %v:\n%s", form, out)
	}
	figure, err = strconv.ParseFloat(m[1], 64)
	return figure, m[len(m)-1], err
}

func printServing(out io.Writer, all []*serverRun, size int, o servingOptions) error {
	var b strings.Builder
	fmt.Fprintf(&b, "The same picture of %d bytes from each, in turns, the load from the same %d cores: median of %d\n"+
		"rounds of %d s (lowest to highest). The share of nginx is the median of the rounds' shares. Processor time is\n"+
		"that of the server for one answer, user and system, which depends less on what else is running.\n\n",
		size, runtime.NumCPU(), o.rounds, o.seconds)
	fmt.Fprintf(&b, "| | requests/s, %d connections | of nginx | processor time in µs | p99 in ms, %d connections |\n"+
		"|---|---|---|---|---|\n", rateConns, latencyConns)
	for _, s := range all {
		shares := make([]float64, o.rounds)
		for i := range shares {
			shares[i] = s.perSecond[i] / all[0].perSecond[i]
		}
		fmt.Fprintf(&b, "| %s | %.0f (%.0f to %.0f) | %.2f | %.1f (%.1f to %.1f) | %.1f (%.1f to %.1f) |\n", s.name,
			median(s.perSecond), slices.Min(s.perSecond), slices.Max(s.perSecond), median(shares),
			median(s.perAnswer), slices.Min(s.perAnswer), slices.Max(s.perAnswer),
			median(s.p99), slices.Min(s.p99), slices.Max(s.p99))
	}
	_, err := io.WriteString(out, b.String())
	return err
}
