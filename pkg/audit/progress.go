package audit

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"masthead/pkg/humanize"
	"masthead/pkg/scrape"
)

// Step is a stage of an audit.
type Step string

// The steps, in order. There is a StepPicture for each share image of the page; icons aren't steps.
const (
	StepAnswered Step = "answered" // the page's response has arrived
	StepRead     Step = "read"     // its document was parsed
	StepPicture  Step = "picture"  // a picture was measured, or couldn't be
	StepRules    Step = "rules"    // the rules were applied: the report is done
)

// Progress is a finished step.
type Progress struct {
	Step Step
	// After is the time since the audit began.
	After time.Duration
	// Says is the result in a few words, such as "1200x630 JPEG, 182 KB". It contains only numbers from the page.
	Says string
}

type progressKey struct{}

// WithProgress returns a context in which POST /audits calls progress with each step. It is for operations run
// in-process, since a response would be too late.
func WithProgress(ctx context.Context, progress func(Progress)) context.Context {
	return context.WithValue(ctx, progressKey{}, progress)
}

// progressOf returns the callback of an operation, or nil.
func progressOf(ctx context.Context) func(Progress) {
	progress, _ := ctx.Value(progressKey{}).(func(Progress))
	return progress
}

// Timings are the durations from the start of an audit until each stage was done.
type Timings struct {
	// Answered: the page's response. Read: its document. Fetched: all fetched resources. Total: the report.
	Answered time.Duration `json:"answered"`
	Read     time.Duration `json:"read"`
	Fetched  time.Duration `json:"fetched"`
	Total    time.Duration `json:"total"`
}

// watcher records the times of the steps and reports them.
type watcher struct {
	tell    func(Progress)
	now     func() time.Time
	began   time.Time
	timings Timings
}

// step handles a step of the scraper, which calls it one at a time and not after it has returned.
func (w *watcher) step(s scrape.Step) {
	p := Progress{After: w.now().Sub(w.began)}
	if s.Kind == scrape.PictureMeasured && s.Icon {
		return
	}
	switch s.Kind {
	case scrape.PageAnswered:
		w.timings.Answered = p.After
		p.Step, p.Says = StepAnswered, "status "+strconv.Itoa(s.Status)+", "+humanize.Bytes(s.Size)
	case scrape.PageRead:
		w.timings.Read = p.After
		p.Step = StepRead
	case scrape.PictureMeasured:
		p.Step, p.Says = StepPicture, "could not be read"
		if s.Err == nil {
			size := humanize.Bytes(s.Size)
			if s.AtLeast {
				size = "at least " + size
			}
			p.Says = fmt.Sprintf("%dx%d %s, %s", s.Facts.Width, s.Facts.Height, strings.ToUpper(s.Facts.Format.String()), size)
		}
	}
	if w.tell != nil {
		w.tell(p)
	}
}

// judged reports that the report is done.
func (w *watcher) judged(r *Report) {
	if w.tell != nil {
		failed := len(r.Failed())
		w.tell(Progress{StepRules, r.Timings.Total, fmt.Sprintf("%d of %d passed", len(r.Issues)-failed, len(r.Issues))})
	}
}
