package check

import (
	"context"
	"fmt"
	"strings"
	"time"

	"masthead/render/design"
	"masthead/render/html"
)

// Card is one card to check.
type Card struct {
	Document *design.Document
	Options  design.Options
	// Title is what the card must show, or "".
	Title string

	short bool // the title must be complete
}

// NewCard returns the card of a design that is filled in with facts, to be drawn with options.
func NewCard(d *design.Design, doc *design.Document, facts map[string]any, opts design.Options) Card {
	c := Card{Document: doc, Options: opts}
	if !d.Uses("quote") && !d.Uses("repository") { // without a tag of the title, nothing shows it
		c.Title, _ = facts["title"].(string)
	}
	c.short = len([]rune(c.Title)) <= shortTitle && len(strings.Fields(c.Title)) > 1
	return c
}

// Measurement is what was found out about one card.
type Measurement struct {
	Findings []Finding
	// Contrast is the lowest one of a text, or 0 if none could be measured.
	Contrast float64
	Texts    []html.Text
}

// cardTime is how long drawing a card with and without its texts may take.
const cardTime = 2 * time.Second

// Measure draws the card and measures it. An error of the document is a finding; it fails only if ctx ends.
func (c Card) Measure(ctx context.Context) (Measurement, error) {
	c.Options.Time = cardTime
	_, m, err := c.inspect(ctx)
	if err != nil && ctx.Err() == nil {
		m = Measurement{Findings: []Finding{brokenBy(err)}}
		err = nil
	}
	return m, err
}

// inspect is Measure without a limit, and returns what was drawn. Findings have no case.
func (c Card) inspect(ctx context.Context) (drawn design.Inspection, m Measurement, err error) {
	if drawn, err = c.Document.Inspect(ctx, c.Options); err != nil {
		return drawn, m, err
	}
	add := func(code Code, line, column int, format string, args ...any) {
		m.Findings = append(m.Findings, Finding{
			Code: code, Line: line, Column: column, Message: fmt.Sprintf(format, args...), Cases: 1,
		})
	}
	for _, w := range drawn.Warnings {
		switch {
		case strings.HasSuffix(w.Message, "it is cut."): // see render/html/layout/fit.go
			if c.short {
				add(Cut, w.Line, w.Column, "A title of %d characters is cut: %s", len([]rune(c.Title)), w.Message)
			}
		default:
			add(Unlike, w.Line, w.Column, "%s", w.Message)
		}
	}
	m.Contrast = c.measure(&drawn, add)
	m.Texts = drawn.Texts
	return drawn, m, nil
}
