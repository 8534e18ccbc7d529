package main

import (
	"fmt"
	"io"
	"sync"
	"time"
)

const (
	// quietTime is how long work runs before a terminal shows progress.
	quietTime = 300 * time.Millisecond
	// lineColumns is the maximum length of a progress line: one that wraps couldn't be cleared.
	lineColumns = 79
)

// progress shows the progress of a command. It is safe for concurrent use.
type progress struct {
	out  io.Writer
	live bool // out is a terminal, on which a line can be replaced

	mu    sync.Mutex
	began time.Time
	line  string // what is shown, or will be after quietTime
	shown bool
	timer *time.Timer
}

func newProgress(out io.Writer) *progress {
	return &progress{out: out, live: onTerminal(out), began: time.Now()}
}

// say shows a line that the next one replaces, only on a terminal and once work takes longer than quietTime. "" clears
// it.
func (p *progress) say(text string) {
	if !p.live {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.line = text
	wait := quietTime - time.Since(p.began)
	switch {
	case wait <= 0 || text == "":
		p.show()
	case p.timer == nil:
		p.timer = time.AfterFunc(wait, func() {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.show()
		})
	}
}

// show writes the line. The mutex is held.
func (p *progress) show() {
	if p.line == "" && !p.shown {
		return
	}
	p.shown = p.line != ""
	_, _ = fmt.Fprintf(p.out, "\r\x1b[K%s", cutTo(p.line, lineColumns)) // missing it is harmless
}

// tell writes a line that stays, replacing that of say.
func (p *progress) tell(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.line = "" // what is printed next, on either output, begins a line
	p.show()
	_, _ = fmt.Fprintf(p.out, format+"\n", args...) // as above
}
