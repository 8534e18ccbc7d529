package targets

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/mattn/go-isatty"
)

const (
	// QuietTime is how long work runs before a terminal shows progress.
	QuietTime = 300 * time.Millisecond
	// LineColumns is the maximum length of a progress line: one that wraps couldn't be cleared.
	LineColumns = 79
)

// Progress shows the progress of a command. It is safe for concurrent use.
type Progress struct {
	out  io.Writer
	Live bool // out is a terminal, on which a line can be replaced

	Mu    sync.Mutex
	began time.Time
	line  string // what is shown, or will be after QuietTime
	shown bool
	timer *time.Timer
}

// NewProgress returns progress that is shown on out, if that is a terminal.
func NewProgress(out io.Writer) *Progress {
	return &Progress{out: out, Live: OnTerminal(out), began: time.Now()}
}

// Say shows a line that the next one replaces, only on a terminal and once work takes longer than QuietTime. "" clears
// it.
func (p *Progress) Say(text string) {
	if !p.Live {
		return
	}
	p.Mu.Lock()
	defer p.Mu.Unlock()
	p.line = text
	wait := QuietTime - time.Since(p.began)
	switch {
	case wait <= 0 || text == "":
		p.show()
	case p.timer == nil:
		p.timer = time.AfterFunc(wait, func() {
			p.Mu.Lock()
			defer p.Mu.Unlock()
			p.show()
		})
	}
}

// show writes the line. The mutex is held.
func (p *Progress) show() {
	if p.line == "" && !p.shown {
		return
	}
	p.shown = p.line != ""
	_, _ = fmt.Fprintf(p.out, "\r\x1b[K%s", CutTo(p.line, LineColumns)) // missing it is harmless
}

// Tell writes a line that stays, replacing that of say.
func (p *Progress) Tell(format string, args ...any) {
	p.Mu.Lock()
	defer p.Mu.Unlock()
	p.line = "" // what is printed next, on either output, begins a line
	p.show()
	_, _ = fmt.Fprintf(p.out, format+"\n", args...) // as above
}

// Counter formats progress, such as "[ 3/12]".
func Counter(n, of int) string {
	digits := len(strconv.Itoa(of))
	return fmt.Sprintf("[%*d/%d]", digits, n, of)
}

// OnTerminal reports whether w is a terminal.
func OnTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && isatty.IsTerminal(file.Fd()) && os.Getenv("TERM") != "dumb"
}

// Colored reports whether output to w is colored. Source: https://no-color.org.
func Colored(w io.Writer) bool { return OnTerminal(w) && os.Getenv("NO_COLOR") == "" }

// CutTo cuts an ASCII address to a number of columns.
func CutTo(address string, columns int) string {
	if len(address) <= columns {
		return address
	}
	return address[:columns-1] + "…"
}
