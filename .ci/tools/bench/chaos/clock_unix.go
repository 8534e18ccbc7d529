//go:build unix

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"masthead/tools/bench/rig"
)

// This file has faults of clocks. Processes of a machine share its clock, so the program is built with another
// time.Now: its wall clock is an hour ahead after SIGUSR1, and an hour behind after SIGUSR2. Its monotonic clock goes
// on, as that of a machine whose clock is set.

// An anchor in the source of time.Now, and what follows it then.
const (
	nowAnchor = "\tmono -= startNano\n\tsec += unixToInternal - minWall\n"
	nowJump   = "\tsec += clockJump\n"
	jumpVar   = "\n//go:linkname clockJump\nvar clockJump int64\n"
)

// jumpFile is added to the program.
const jumpFile = `package main

import (
	"os"
	"os/signal"
	"syscall"
	_ "unsafe" // for clockJump
)

//go:linkname clockJump time.clockJump
var clockJump int64

func init() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGUSR1, syscall.SIGUSR2)
	go func() {
		for s := range signals {
			if s == syscall.SIGUSR1 {
				clockJump += 3600
			} else {
				clockJump -= 3600
			}
		}
	}()
}
`

// withClock has the fleets of an experiment run a program whose clock can be set. It is built when it is first needed,
// which takes minutes, since everything depends on time.
func (l *lab) withClock(ctx context.Context) error {
	before := l.program
	l.later(func() error {
		l.program = before
		return nil
	})
	if l.jumping == nil {
		var err error
		if l.jumping, err = l.buildJumping(ctx); err != nil {
			return err
		}
	}
	l.program = l.jumping
	return nil
}

func (l *lab) buildJumping(ctx context.Context) (*rig.Program, error) {
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("find the source of Go: %w", err)
	}
	source := filepath.Join(strings.TrimSpace(string(root)), "src", "time", "time.go")
	text, err := os.ReadFile(source)
	if err != nil {
		return nil, err
	}
	if strings.Count(string(text), nowAnchor) != 1 {
		return nil, skipError("time.Now of this version of Go isn't what the experiment knows")
	}
	here, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	patched := strings.Replace(string(text), nowAnchor, nowAnchor+nowJump, 1) + jumpVar
	replaced := map[string]string{}
	for of, content := range map[string]string{
		source: patched, filepath.Join(here, "cmd", "masthead", "clock_jump.go"): jumpFile,
	} {
		file := filepath.Join(l.dir, filepath.Base(of))
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			return nil, err
		}
		replaced[of] = file
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		return nil, err
	}
	overlayFile, path := filepath.Join(l.dir, "overlay.json"), filepath.Join(l.dir, "masthead-clock")
	if err := os.WriteFile(overlayFile, overlay, 0o600); err != nil {
		return nil, err
	}
	if err := build(ctx, ".", path, "./cmd/masthead", "-overlay", overlayFile); err != nil {
		return nil, err
	}
	return rig.Look(ctx, path)
}

// clocks has the clocks of as many nodes of a fleet jump, and jump back. An S3 store refuses signatures of another
// time, so that such a node draws nothing new meanwhile.
func (l *lab) clocks(ctx context.Context, did string, nodes int, there, back syscall.Signal) ([]row, error) {
	if err := l.withClock(ctx); err != nil {
		return nil, err
	}
	f, err := l.fleet(ctx, fleetOptions{})
	if err != nil {
		return nil, err
	}
	all := func(s syscall.Signal) func() error {
		return func() error {
			var errs []error
			for _, node := range f.nodes[:nodes] {
				errs = append(errs, node.Signal(s))
			}
			return errors.Join(errs...)
		}
	}
	return f.befall(ctx, fault{did: did, begin: all(there), heal: all(back)}, f.usual())
}

func clockAhead(ctx context.Context, l *lab) ([]row, error) {
	const did = "the clock of one of three nodes jumps an hour ahead, and back after 12 s"
	return l.clocks(ctx, did, 1, syscall.SIGUSR1, syscall.SIGUSR2)
}

func clockBehind(ctx context.Context, l *lab) ([]row, error) {
	const did = "the clock of one of three nodes jumps an hour back, and ahead again after 12 s"
	return l.clocks(ctx, did, 1, syscall.SIGUSR2, syscall.SIGUSR1)
}

func clocksAhead(ctx context.Context, l *lab) ([]row, error) {
	const did = "the clocks of all nodes jump an hour ahead, and back after 12 s"
	return l.clocks(ctx, did, fleetNodes, syscall.SIGUSR1, syscall.SIGUSR2)
}
