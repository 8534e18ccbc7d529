// Package meter counts work against the time limit of a card.
//
// Loops over what a document says report their work, and end when the time is over: a document can make each of them
// long. The context is looked at once in about 5 ms of work.
package meter

import (
	"context"
	"fmt"
)

// interval is how much work is done between two looks at the context. A unit of work takes up to 100 ns: a pixel of a
// conic gradient, a step of matching a selector.
const interval = 1 << 16

// Meter counts the work of one card. It isn't safe for concurrent use. A nil Meter has no limit.
type Meter struct {
	ctx  context.Context
	left int
	err  error
}

// New returns a Meter that stops when ctx ends.
func New(ctx context.Context) *Meter { return &Meter{ctx: ctx, left: interval} }

// Spend counts units of work before they are done, and reports whether the caller must end instead.
func (m *Meter) Spend(units int) (over bool) {
	if m == nil {
		return false
	}
	if m.left -= units; m.left > 0 {
		return m.err != nil
	}
	return m.Over()
}

// Over looks at the context now, and reports whether the work must end.
func (m *Meter) Over() bool {
	if m == nil {
		return false
	}
	m.left = interval
	if m.err == nil {
		m.err = m.ctx.Err()
	}
	return m.err != nil
}

// Exceed ends the work, as if the time was over: for what would take too much memory before it takes too long.
func (m *Meter) Exceed(what string) {
	if m != nil && m.err == nil {
		m.err = fmt.Errorf("%s: %w", what, context.DeadlineExceeded)
	}
}

// Err returns why the work must end; nil if it needn't.
func (m *Meter) Err() error {
	if m == nil {
		return nil
	}
	return m.err
}
