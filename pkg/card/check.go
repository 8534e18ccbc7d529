package card

import (
	"context"
	"fmt"

	"masthead/render/design"
	"masthead/render/design/check"
)

// CheckResult is what was found out about a card of a design of the user's own.
type CheckResult struct {
	check.Measurement
	// Facts are those of the page, by the names of their tags.
	Facts map[string]any
}

// Check measures the card that [Maker.Make] would draw for r, which must have a design of the user's own. Its errors
// are those of Make.
func (m *Maker) Check(ctx context.Context, r Request) (CheckResult, error) {
	r.Own.NoPage = r.URL == "" && r.Content.Title != ""
	r, err := r.Normalize()
	if err != nil {
		return CheckResult{}, err
	}
	site, err := m.Read(ctx, r)
	if err != nil {
		return CheckResult{}, err
	}
	c := r.Compose(&site)
	if c.fault != nil {
		return CheckResult{}, c.fault
	}
	size := r.CardSize()
	of := check.NewCard(r.Design.Design, c.document.Document, c.document.facts, design.Options{
		Width: size.X, Height: size.Y, Images: c.document.images, SVG: r.Own.SVG, Fonts: r.Own.Fonts,
	})
	measured, err := inWorker(ctx, m.workers, "check "+r.Design.Digest(), of.Measure)
	if err != nil {
		return CheckResult{}, fmt.Errorf("check a design: %w", err)
	}
	return CheckResult{measured, c.document.facts}, nil
}
