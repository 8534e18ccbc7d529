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

// The steps, in their order. There is one StepPicture for each picture that the page is shared with, or none; icons are
// no steps.
const (
	StepAnswered Step = "answered" // the page's response is there
	StepRead     Step = "read"     // its document was read
	StepPicture  Step = "picture"  // a picture was measured, or could not be
	StepRules    Step = "rules"    // the rules were applied: the report is done
)

// Progress is a step that was done.
type Progress struct {
	Step Step
	// After is the time since the audit began.
	After time.Duration
	// Says is what came of it, a few words for people, such as "1200x630 JPEG, 182 KB". It may hold no more of the page
	// than figures.
	Says string
}

type progressKey struct{}

// WithProgress returns a context in which POST /audits tells progress what happened so far: of an operation that runs
// in-process, since no response is as early.
func WithProgress(ctx context.Context, progress func(Progress)) context.Context {
	return context.WithValue(ctx, progressKey{}, progress)
}

// progressOf returns whom an operation tells; nil for nobody.
func progressOf(ctx context.Context) func(Progress) {
	progress, _ := ctx.Value(progressKey{}).(func(Progress))
	return progress
}

// Timings say how long an audit took, each from its beginning until that was done.
type Timings struct {
	// Answered: the page's response. Read: its document. Fetched: everything that was fetched. Total: the report.
	Answered time.Duration `json:"answered"`
	Read     time.Duration `json:"read"`
	Fetched  time.Duration `json:"fetched"`
	Total    time.Duration `json:"total"`
}

// watcher notes the times of the steps and tells whoever watches.
type watcher struct {
	tell    func(Progress)
	now     func() time.Time
	began   time.Time
	timings Timings
}

// step takes a step of the scraper, which tells one at a time and none after it returned.
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

// judged tells that the report is done.
func (w *watcher) judged(r *Report) {
	if w.tell != nil {
		failed := len(r.Failed())
		w.tell(Progress{StepRules, r.Timings.Total, fmt.Sprintf("%d of %d passed", len(r.Issues)-failed, len(r.Issues))})
	}
}
