// Package check tests a design of a user with pages that are hard to set: titles in all scripts and lengths, without
// each fact, on bright and dark accents and pictures. It measures what was drawn: texts that leave their boxes or the
// card, are cut off or cover one another, contrast, missing characters, the size of the file.
//
//	check.go    Check: the report
//	card.go     Card: one page
//	cases.go    the pages
//	measure.go  what is measured of one card
package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"slices"

	"masthead/render"
	"masthead/render/design"
	"masthead/render/encode"
	"masthead/render/text"
)

// Code is a kind of fault.
type Code string

// The codes.
const (
	Broken   Code = "broken"        // the document can't be drawn
	Unlike   Code = "unlike"        // something isn't drawn as in a browser
	Unknown  Code = "unknown-tag"   // a tag that no fact fills in
	NoTitle  Code = "no-title"      // the title isn't on the card
	Clipped  Code = "clipped"       // a text is cut off by the card or by a box
	Overflow Code = "overflow"      // a text leaves its box
	Overlap  Code = "overlap"       // texts cover one another
	Contrast Code = "contrast"      // less than 4.5:1
	Missing  Code = "missing-glyph" // no face has a character
	Cut      Code = "title-cut"     // a title of at most 70 characters is cut
	Crop     Code = "crop"          // a text is where platforms cut the card
	Bytes    Code = "bytes"         // more than 300 KB
)

// MaxBytes is how large the file of a card may be.
const MaxBytes = 300 << 10

// Finding is a fault of the design. The same fault of several cases is one finding.
type Finding struct {
	Code Code `json:"code"`
	// Line and Column are where in the document, from 1; 0 if that isn't known.
	Line   int `json:"line,omitempty"`
	Column int `json:"column,omitempty"`
	// Message is a sentence, for the first case that has it.
	Message string `json:"message"`
	// Case is the first case, and Cases how many have it.
	Case  string `json:"case"`
	Cases int    `json:"cases"`
}

// Options of checking.
type Options struct {
	// Width and Height are the size of the card; 0 is 1200x630.
	Width, Height int
	// Image returns a picture that the document names, other than those of the page; nil if there is none.
	Image func(address string) design.Image
	// SVG draws inline drawings: see [design.Options].
	SVG func(ctx context.Context, document string, w, h int) (*image.NRGBA, error)
	// Fonts are those of the document's owner; nil for none.
	Fonts *text.Fonts
	// Each draws only each n-th case; 0 and 1 draw all. Enough ends the check when it returns true for a finding; nil
	// never does.
	Each   int
	Enough func(Finding) bool
	// All checks all scripts in all lengths with all accents, which takes minutes.
	All bool
}

// Report is the result.
type Report struct {
	Findings []Finding
	Cases    int // how many cards were drawn
	// Pictures are the cards of the cases that findings name, as PNG.
	Pictures map[string][]byte
}

// Check checks a document. It fails only if ctx ends; a document that can't be compiled is a finding.
func Check(ctx context.Context, source string, opts Options) (*Report, error) {
	if opts.Width == 0 || opts.Height == 0 {
		opts.Width, opts.Height = 1200, 630
	}
	r := &reporter{report: &Report{Pictures: map[string][]byte{}}, at: map[Finding]int{}}
	d, err := design.Compile(source, everything().facts)
	if err != nil {
		r.broken("compile", err)
		return r.report, nil
	}
	unknown(d, r)
	for i, c := range casesFor(d, opts.All) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if opts.Enough != nil && slices.ContainsFunc(r.report.Findings, opts.Enough) {
			break
		}
		if i%max(opts.Each, 1) != 0 {
			continue
		}
		r.report.Cases++
		r.check(ctx, d, c, opts)
	}
	slices.SortStableFunc(r.report.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Code, b.Code))
	})
	return r.report, ctx.Err()
}

// reporter collects findings.
type reporter struct {
	report *Report
	at     map[Finding]int // positions of findings, by code and place
}

// add adds a finding of a case, or counts one that is there; picture returns the card.
func (r *reporter) add(f Finding, picture func() []byte) {
	key := Finding{Code: f.Code, Line: f.Line, Column: f.Column}
	if f.Line == 0 {
		key.Message = f.Message
	}
	if i, ok := r.at[key]; ok {
		if r.report.Findings[i].Case != f.Case {
			r.report.Findings[i].Cases++
		}
		return
	}
	f.Cases = 1
	r.at[key] = len(r.report.Findings)
	r.report.Findings = append(r.report.Findings, f)
	if r.report.Pictures[f.Case] == nil && picture != nil {
		r.report.Pictures[f.Case] = picture()
	}
}

// broken adds an error of the document.
func (r *reporter) broken(name string, err error) {
	f := brokenBy(err)
	f.Case = name
	r.add(f, nil)
}

// brokenBy returns the finding of an error of the document.
func brokenBy(err error) Finding {
	f := Finding{Code: Broken, Message: err.Error()}
	var fault *design.Error
	if errors.As(err, &fault) {
		f.Line, f.Column, f.Message = fault.Line, fault.Column, fault.Message
	}
	return f
}

// check draws a case and measures it.
func (r *reporter) check(ctx context.Context, d *design.Design, c testCase, opts Options) {
	doc, err := d.Fill(c.facts, c.properties)
	if err != nil {
		r.broken(c.name, err)
		return
	}
	images := map[string]design.Image{}
	for _, address := range doc.Pictures() {
		if img := c.pictures[address]; img != nil {
			images[address] = img
		} else if opts.Image != nil {
			if img := opts.Image(address); img != nil {
				images[address] = img
			}
		}
	}
	of := Card{
		Document: doc, Title: c.title, short: c.short,
		Options: design.Options{
			Width: opts.Width, Height: opts.Height, Images: images, SVG: opts.SVG, Fonts: opts.Fonts,
		},
	}
	drawn, findings, err := of.inspect(ctx)
	if err != nil {
		if ctx.Err() == nil {
			r.broken(c.name, err)
		}
		return
	}
	png := func() []byte {
		p, err := encode.Encode(drawn.Picture, encode.Lossless)
		if err != nil {
			return nil
		}
		return p.Bytes
	}
	for _, f := range findings.Findings {
		f.Case = c.name
		r.add(f, png)
	}
	if c.pictures[render.ImageAddress] == nil && r.report.Cases > 1 { // a card without a photo is far smaller
		return
	}
	file, err := encode.Encode(drawn.Picture, encode.OG)
	if err == nil && len(file.Bytes) > MaxBytes {
		r.add(Finding{Code: Bytes, Message: fmt.Sprintf("The card has %d KB, and messengers show none of more than %d KB.",
			len(file.Bytes)>>10, MaxBytes>>10), Case: c.name}, png)
	}
}
