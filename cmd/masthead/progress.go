package main

import (
	"fmt"
	"io"
	"sync"
	"time"
)

const (
	// quietTime is how long work takes before a terminal shows how far it is.
	quietTime = 300 * time.Millisecond
	// lineColumns is how much of a line is shown that the next one replaces: one that wraps could not be cleared.
	lineColumns = 79
)

// progress tells people how far a command is. It is safe for concurrent use.
type progress struct {
	out  io.Writer
	live bool // out is a terminal, on which one line can be replaced again and again

	mu    sync.Mutex
	began time.Time
	line  string // what is shown, or will be after quietTime
	shown bool
	timer *time.Timer
}

func newProgress(out io.Writer) *progress {
	return &progress{out: out, live: onTerminal(out), began: time.Now()}
}

// say shows a line that the next one replaces, on a terminal alone and once work takes longer than quietTime. "" clears
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
	_, _ = fmt.Fprintf(p.out, "\r\x1b[K%s", cutTo(p.line, lineColumns)) // nobody is lost who misses it
}

// tell writes a line that stays, in place of the one that say shows.
func (p *progress) tell(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.line = "" // what is printed next, on either output, begins a line
	p.show()
	_, _ = fmt.Fprintf(p.out, format+"\n", args...) // as above
}
