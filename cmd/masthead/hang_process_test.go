//go:build unix

package main

import (
	"context"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/worker"
)

// spins, when it is set in the environment, makes the program that is tested one whose drawings never finish.
const spins = "TEST_DRAWINGS_SPIN"

// Bounds of such a program.
const (
	spinFinish = 2 * time.Second
	spinClose  = 4 * time.Second // half of it is for the image to be given up, on a machine whose processor spins
)

// serveSpinning is main with drawings that never finish and are given up by nobody: their deadline is an hour.
func serveSpinning() int {
	var line commands
	parser, err := kong.New(&line, lineVars())
	if err == nil {
		_, err = parser.Parse(os.Args[1:])
	}
	if err != nil {
		panic(err)
	}
	line.Serve.Drawing = worker.Config{Deadline: time.Hour, Begin: func(worker.Work) {
		_, _ = os.Stderr.WriteString("a drawing spins\n")
		for { //nolint:staticcheck // it spins, as a mistake in a drawing would
		}
	}}
	line.Serve.Leaving = app.ShutdownLimits{Finish: spinFinish, Drain: spinFinish, Close: spinClose}
	ctx, stop := untilSignal(context.Background())
	defer stop()
	if err := line.Serve.Run(ctx); err != nil {
		_, _ = os.Stderr.WriteString(err.Error() + "\n")
		return exitFailed
	}
	return exitDone
}

// TestServe_terminatedWhileADrawingSpins_ends ends a program with a request whose drawing never finishes.
func TestServe_terminatedWhileADrawingSpins_ends(t *testing.T) {
	site := newChangingSite(t)
	p := open(t, t.TempDir(), site, spins+"=1")
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		_, status, err := p.generate(site, order{page: "/page/1", title: "A page"})
		if err == nil && status == http.StatusOK {
			t.Error("got a picture that is never drawn")
		}
	}()
	apptest.WaitFor(t, "the drawing to spin", func() bool { return strings.Contains(p.log.String(), "a drawing spins") })
	p.signal(syscall.SIGTERM)
	if state := p.wait(); state.ExitCode() != exitDone {
		t.Errorf("it ended with %v, want exit code 0\n%s", state, p.log.String())
	}
	<-answered
	for _, want := range []string{"requests did not finish", "1 images are still being made"} {
		if got := strings.Contains(p.log.String(), want); got != (want == "requests did not finish") {
			t.Errorf("says %q: %v\n%s", want, got, p.log.String())
		}
	}
}
