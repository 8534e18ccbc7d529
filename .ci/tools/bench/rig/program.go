// Package rig drives the built program from outside, as its users and its enemies do: it starts any revision with a
// data folder of its own, makes owners, serves pages to draw, asks, and measures. It imports nothing of the service.
package rig

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// startTime bounds the time from the start of a process to its greeting.
const startTime = 30 * time.Second

// Program is a built program of some revision.
type Program struct {
	path     string
	settings []string // the variables that `serve --help` names
}

// Look asks the program at path which settings it has.
func Look(ctx context.Context, path string) (*Program, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	help := exec.CommandContext(ctx, path, "serve", "--help")
	help.Env = environ(nil)
	out, err := help.Output()
	if err != nil {
		return nil, fmt.Errorf("ask %s for its settings: %w", path, err)
	}
	p := &Program{path: path}
	for _, m := range regexp.MustCompile(`\$(MASTHEAD_[A-Z0-9_]+)`).FindAllSubmatch(out, -1) {
		p.settings = append(p.settings, string(m[1]))
	}
	return p, nil
}

// Has says whether the program knows a setting; one that it does not know would stop its start.
func (p *Program) Has(name string) bool { return slices.Contains(p.settings, name) }

// plentiful are the limits that stand in the way of measurements, each with a value that no run comes near.
var plentiful = map[string]string{
	"MASTHEAD_RPM_AUTH": "100000", "MASTHEAD_RPM_FREE": "10000000", "MASTHEAD_RPM_PLUS": "10000000",
	"MASTHEAD_RPM_PRO": "10000000", "MASTHEAD_RPM_PREVIEW": "10000000",
	"MASTHEAD_BREAKER_RPM": "10000000", "MASTHEAD_BREAKER_MISSES_RPM": "10000000",
}

// Options say how a process of the program is started.
type Options struct {
	// Dir is the data folder; Start makes it where it is missing.
	Dir string
	// Database is a postgres:// address; empty for SQLite in Dir.
	Database string
	// Admin is the address of its metrics, as 127.0.0.1:port; empty for none.
	Admin string
	// Settings are NAME=value. Those that the program does not know are left out.
	Settings []string
	// Under is a command that starts the program, such as prlimit with its arguments.
	Under []string
}

// Node is a running process of the program.
type Node struct {
	// Base is its address, as http://127.0.0.1:port.
	Base string

	program *Program
	options Options
	cmd     *exec.Cmd
	env     []string
	out     output
	log     output
	ended   chan struct{}
}

// environ returns our environment without the program's settings, and with these.
func environ(settings []string) []string {
	env := slices.DeleteFunc(os.Environ(), func(e string) bool { return strings.HasPrefix(e, "MASTHEAD_") })
	return append(env, settings...)
}

// Prepare returns a process that is not started yet. Owners can be made for it before.
func (p *Program) Prepare(o Options) (*Node, error) {
	secret := make([]byte, 32)
	if _, err := rand.Read(secret); err != nil {
		return nil, err
	}
	settings := []string{
		"MASTHEAD_ADDR=127.0.0.1:0", "MASTHEAD_DATA_DIR=" + o.Dir, "MASTHEAD_JWT_SECRET=" + hex.EncodeToString(secret),
	}
	if o.Database != "" {
		settings = append(settings, "MASTHEAD_DATABASE_URL="+o.Database)
	}
	if o.Admin != "" {
		settings = append(settings, "MASTHEAD_ADMIN_ADDR="+o.Admin)
	}
	for name, value := range plentiful {
		settings = append(settings, name+"="+value)
	}
	settings = append(settings, o.Settings...)
	settings = slices.DeleteFunc(settings, func(s string) bool {
		name, _, _ := strings.Cut(s, "=")
		return !p.Has(name)
	})
	return &Node{program: p, options: o, env: environ(settings)}, nil
}

// With returns a process that is not started yet, with these settings and no others.
func (p *Program) With(settings ...string) *Node { return &Node{program: p, env: environ(settings)} }

// Listen has the process listen at an address from its next start on.
func (n *Node) Listen(address string) { n.env = append(n.env, "MASTHEAD_ADDR="+address) }

// Update has the process be one of another program from its next start on, with the settings that it has.
func (n *Node) Update(to *Program) { n.program = to }

// Start starts the process and waits until it says where it listens. A process that was stopped can be started again.
func (n *Node) Start(ctx context.Context) error {
	args := slices.Concat(n.options.Under, []string{n.program.path, "serve"})
	n.out, n.ended = output{}, make(chan struct{})
	n.cmd = exec.CommandContext(ctx, args[0], args[1:]...) //nolint:gosec // the program that is measured
	n.cmd.Env, n.cmd.Stdout, n.cmd.Stderr = n.env, &n.out, &n.log
	if err := n.cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", n.program.path, err)
	}
	go func(cmd *exec.Cmd, ended chan struct{}) {
		defer close(ended)
		_ = cmd.Wait() // how it ended is in ProcessState
	}(n.cmd, n.ended)
	deadline := time.After(startTime)
	for {
		_, after, said := strings.Cut(n.out.String(), "Masthead is listening on ")
		base, _, whole := strings.Cut(after, "\n")
		if said && whole {
			n.Base = strings.TrimSpace(base)
			return nil
		}
		select {
		case <-n.ended:
			return fmt.Errorf("the program ended at its start: %v\n%s", n.cmd.ProcessState, n.Log())
		case <-deadline:
			return errors.Join(fmt.Errorf("the program said nothing for %v\n%s", startTime, n.Log()), n.Kill())
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// Admin is the address of its metrics.
func (n *Node) Admin() string { return n.options.Admin }

// PID is the process's id.
func (n *Node) PID() int { return n.cmd.Process.Pid }

// Log is what the process has logged so far.
func (n *Node) Log() string { return n.log.String() }

// Ended says whether the process is gone.
func (n *Node) Ended() bool {
	select {
	case <-n.ended:
		return true
	default:
		return false
	}
}

// Signal sends the process a signal.
func (n *Node) Signal(s os.Signal) error { return n.cmd.Process.Signal(s) }

// Kill ends the process at once.
func (n *Node) Kill() error { return n.end(syscall.SIGKILL) }

// Stop asks the process to end and waits for it, a minute at most.
func (n *Node) Stop() error { return n.end(syscall.SIGTERM) }

func (n *Node) end(signal syscall.Signal) error {
	if n.cmd == nil {
		return nil
	}
	if err := n.cmd.Process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	select {
	case <-n.ended:
		return nil
	case <-time.After(time.Minute):
		return errors.Join(errors.New("the program did not end within a minute"), n.cmd.Process.Kill())
	}
}

// Run runs another command of the program on the same data, and returns what it printed.
func (n *Node) Run(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, n.program.path, args...) //nolint:gosec // the program that is measured
	cmd.Env = n.env
	var report bytes.Buffer
	cmd.Stderr = &report
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("masthead %s: %w\n%s", strings.Join(args, " "), err, report.String())
	}
	return string(out), nil
}

// output is what a process wrote, readable while it goes on writing; of more than its bound the end is kept.
type output struct {
	mu   sync.Mutex
	text []byte
}

// maxOutput bounds what is kept of an output. An overload logs much.
const maxOutput = 4 << 20

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.text = append(o.text, p...)
	if over := len(o.text) - maxOutput; over > maxOutput {
		o.text = slices.Clone(o.text[over:])
	}
	return len(p), nil
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return string(o.text)
}
