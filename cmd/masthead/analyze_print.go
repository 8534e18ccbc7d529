package main

import (
	"cmp"
	"errors"
	"fmt"
	"image/color"
	"io"
	"strings"

	"masthead/cmd/masthead/usage"
	"masthead/pkg/brand"
	"masthead/pkg/humanize"
	"masthead/pkg/picture"
	"masthead/render/palette"
)

// printing prints an analysis for people.
type printing struct {
	out io.Writer
	// swatches shows color samples, for terminals with 16 million colors.
	swatches bool
	err      error
}

// analysis prints all signals, each followed by its source.
func (p *printing) analysis(a *brand.Analysis) error {
	s := &a.Signals
	p.line("Page", a.Site.Page.Value.URL.String(), "")
	p.line("Headline", s.Headline, s.Sources.Headline)
	p.line("Tagline", s.Tagline, s.Sources.Tagline)
	p.line("Language", s.Language, s.Sources.Language)
	p.line("Mood", string(s.Mood), s.Sources.Mood)
	if s.Theme.Source == "" {
		p.line("Theme", "", "")
	} else {
		p.line("Theme", p.swatch(s.Theme.Value), sourceOf(s.Theme.Source, s.Theme.Name))
	}
	p.line("Accent", p.swatch(a.Accent.Accent), sourceOf(a.Accent.Source, a.Accent.Name))
	p.line("Secondary", p.swatch(a.Accent.Secondary), "")
	for i, c := range s.Palette {
		label := ""
		if i == 0 {
			label = "Palette"
		}
		what := fmt.Sprintf("%s  %-10s  %3.0f %%", p.swatch(c.Color), c.Role, 100*c.Share)
		p.line(label, what, sourceOf(c.Source, c.Name))
	}
	p.icons(a)
	p.line("Confidence", fmt.Sprintf("%.0f %%", 100*s.Confidence), "")
	return p.err
}

// icons prints the best icon, then the other examined ones.
func (p *printing) icons(a *brand.Analysis) {
	if _, ok := a.Site.BestIcon(); !ok {
		p.line("Icon", "", "")
	}
	for i := range a.Site.Icons {
		part := &a.Site.Icons[i]
		label, facts := "", part.Value.Facts
		what, address := part.State.String(), part.Value.Link.URL
		if part.Err != nil {
			address += "  " + whyNoIcon(part.Err)
		}
		if part.Got() {
			what = strings.ToUpper(facts.Format.String())
			if facts.Format != picture.SVG {
				what += fmt.Sprintf(" %dx%d", facts.Width, facts.Height)
			}
			if !part.Value.Useful() {
				what += ", too small"
			}
		}
		if i == 0 && part.Got() && part.Value.Useful() {
			label = "Icon"
		}
		p.line(label, fmt.Sprintf("%-16s  %s", what, address), part.Value.Link.Rel)
	}
}

const noPicture = "It isn't a readable picture."

// whyNoIcon says why an icon is unusable.
func whyNoIcon(err error) string {
	switch {
	case errors.Is(err, picture.ErrNotReady):
		return "The engine for SVG is still being prepared. Try again in a moment."
	case errors.Is(err, picture.ErrTimeout):
		return "It takes too long to draw."
	case errors.Is(err, picture.ErrTooLarge):
		return "It is too large."
	case errors.Is(err, picture.ErrCorrupt):
		return humanize.Capital(picture.Reason(err)) + "."
	case errors.Is(err, picture.ErrUnknown), errors.Is(err, picture.ErrUnsupported):
		return noPicture
	}
	return usage.Explain(err).Error()
}

// line prints a signal, or "-" if there is none.
func (p *printing) line(label, value, source string) {
	value = cmp.Or(value, "-")
	if source != "" {
		value += "  (" + source + ")"
	}
	if _, err := fmt.Fprintf(p.out, "%-12s%s\n", label, value); err != nil && p.err == nil {
		p.err = err
	}
}

// swatch formats a color, with a sample if possible.
func (p *printing) swatch(c color.NRGBA) string {
	if !p.swatches {
		return palette.Hex(c)
	}
	return fmt.Sprintf("\x1b[48;2;%d;%d;%dm    \x1b[0m %s", c.R, c.G, c.B, palette.Hex(c))
}

// sourceOf describes the source of a color.
func sourceOf(source palette.Source, name string) string {
	if name == "" {
		return string(source)
	}
	return string(source) + " " + name
}
